//! Doors: pairs of door voxels, one above the other.

use crate::voxel::{MAX_PAIRED_VOXELS, Material, MaterialTable, other_half_offset};
use crate::world::World;
use glam::IVec3;

/// The other half of the door at `at`. `None` without a door, for an unpaired half, and above the
/// highest pair of a tall stack. Pairs are counted from the foot of the stack, as the rules do.
#[must_use]
pub fn other_half(world: &World, materials: &MaterialTable, at: IVec3) -> Option<IVec3> {
    let is_door =
        |at: IVec3| materials.get(world.get(at).material()).is_some_and(Material::is_door);
    if !is_door(at) {
        return None;
    }
    let below = (1..=MAX_PAIRED_VOXELS).take_while(|&down| is_door(at - IVec3::Y * down)).count();
    let other = at + IVec3::Y * other_half_offset(below as i32)?;
    is_door(other).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{ChunkPos, Voxel};
    use crate::world::Chunk;

    #[test]
    fn halves_are_paired_from_below_also_across_chunks() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut world = World::new();
        for y in -1..1 {
            world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(Voxel::AIR));
        }
        let column = |y: i32| IVec3::new(3, y, 3);
        let other = |world: &World, y: i32| other_half(world, &materials, column(y)).map(|at| at.y);
        for (y, name) in [(-1, "door"), (0, "door_open"), (1, "door"), (2, "door"), (3, "door")] {
            world.set(column(y), full(name));
        }
        let found = [-2, -1, 0, 1, 2, 3, 4].map(|y| other(&world, y));
        assert_eq!(found, [None, Some(0), Some(-1), Some(2), Some(1), None, None]);
        world.set(column(-1), full("stone"));
        assert_eq!([0, 1, 2, 3].map(|y| other(&world, y)), [Some(1), Some(0), Some(3), Some(2)]);
    }

    #[test]
    fn halves_above_the_highest_pair_are_single() {
        let materials = MaterialTable::builtin();
        let mut world = World::new();
        world.insert(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::AIR));
        for y in 2..25 {
            world.set(IVec3::new(3, y, 3), Voxel::full(materials.find("door").unwrap()));
        }
        let found = [16, 17, 18, 19, 24]
            .map(|y| other_half(&world, &materials, IVec3::new(3, y, 3)).map(|at| at.y));
        assert_eq!(found, [Some(17), Some(16), None, None, None]);
    }
}
