//! Operations compared with the same rules applied voxel by voxel.

mod connected;
mod plants;
mod surface;

use crate::edit::region::{Cylinder, Ellipsoid, Region};
use crate::edit::{EditError, JobProgress, Mask, VoxelEdit};
use crate::voxel::{Box3, CHUNK_VOLUME, MaterialId, Voxel, linear_offset};
use crate::world::{Chunk, World};
use glam::{DVec3, IVec3};

pub(super) const STONE: MaterialId = 1;
pub(super) const DIRT: MaterialId = 2;
pub(super) const GRASS: MaterialId = 3;
pub(super) const WATER: MaterialId = 4;
pub(super) const ORE: MaterialId = 5;
pub(super) const NEW: Voxel = Voxel::new(9, 77);

/// The box of the test world: 3 x 3 x 3 chunks around the origin.
pub(super) const ALL: Box3 = Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) };

/// Hills with caves, ores, half-filled dirt, and half-filled water in the valleys.
pub(super) fn hills() -> World {
    let mut world = World::new();
    for pos in ALL.chunks() {
        let voxel = |index: usize| {
            let at = pos.origin() + linear_offset(index);
            let IVec3 { x, y, z } = at;
            let place = at.as_vec3();
            let height = 8.0 + 14.0 * (place.x * 0.11).sin() + 9.0 * (place.z * 0.17).cos();
            let cave = (place.x * 0.4).sin() + (place.y * 0.5).cos() + (place.z * 0.3).sin();
            let speck = (x * 7 + y * 13 + z * 5).rem_euclid(41) == 0;
            match height as i32 - y {
                _ if cave > 1.1 => Voxel::AIR,
                depth if depth < 0 && y < 2 => Voxel::full(WATER),
                depth if depth < 0 && y == 2 => Voxel::new(WATER, 127),
                depth if depth < 0 && (x + z).rem_euclid(50) == 0 && y < 40 => Voxel::full(ORE),
                depth if depth < 0 => Voxel::AIR,
                _ if speck => Voxel::full(ORE),
                0 if y < 2 => Voxel::new(DIRT, 127).with_liquid(128),
                0 => Voxel::new(DIRT, 127),
                1..5 => Voxel::full(DIRT),
                _ => Voxel::full(STONE),
            }
        };
        world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))));
    }
    world
}

/// Regions that do not end at chunk borders, one of them with a gap of a chunk.
pub(super) fn regions() -> Vec<Region> {
    let block =
        Region::from_shape(&Box3 { min: IVec3::new(-29, -21, -31), max: IVec3::new(41, 39, 50) });
    let ball = Region::from_shape(&Ellipsoid {
        centre: IVec3::new(3, 9, -4),
        radii: DVec3::new(27.0, 19.5, 22.0),
    });
    let low = Region::from_shape(&Cylinder {
        base: IVec3::new(5, -30, 3),
        radii: [17.0, 20.0],
        height: 24,
    });
    let high =
        Region::from_shape(&Box3 { min: IVec3::new(-9, 33, -9), max: IVec3::new(30, 60, 20) });
    vec![block, ball, low.union(&high)]
}

pub(super) fn voxels(area: Box3) -> impl Iterator<Item = IVec3> {
    let ys = area.min.y..area.max.y;
    ys.flat_map(move |y| {
        (area.min.z..area.max.z)
            .flat_map(move |z| (area.min.x..area.max.x).map(move |x| IVec3::new(x, y, z)))
    })
}

pub(super) fn materials(list: &[MaterialId]) -> Mask {
    Mask::Materials(list.to_vec())
}

pub(super) fn not_air() -> Mask {
    Mask::Not(Box::new(materials(&[0])))
}

/// Carries out an operation and compares the world with the expected one, voxel by voxel.
pub(super) fn check(
    world: &World,
    operation: impl FnOnce(&mut VoxelEdit<'_>) -> Result<u64, EditError>,
    expected: &World,
) -> u64 {
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(world, 0, &progress);
    operation(&mut edit).unwrap();
    let changes = edit.finish("test").changes;
    let mut after = world.clone();
    for change in &changes {
        change.after.check().expect("a sound tree");
        after.insert(change.pos, change.after.clone());
    }
    for at in voxels(Box3 { min: ALL.min, max: ALL.max.with_y(ALL.max.y + 32) }) {
        let expected = expected.get(at);
        assert!(
            after.get(at) == expected || expected == Voxel::NOT_LOADED,
            "{at}: {:?}, not {expected:?}",
            after.get(at)
        );
    }
    changes.iter().map(|change| change.volume()).sum()
}
