//! Bodies: moving a box through the world without entering anything solid.
//!
//! Each axis is swept on its own, over the whole way at once, so no speed and no frame time lets a body pass
//! through a wall. Chunks that are not loaded are solid.

use super::World;
use crate::voxel::{MaterialTable, Voxel};
use glam::{BVec3, DVec3, IVec3};

/// A body's box, in world coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aabb {
    /// Lowest corner.
    pub min: DVec3,
    /// Highest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The box moved by `by`.
    #[must_use]
    pub fn moved(self, by: DVec3) -> Aabb {
        Aabb { min: self.min + by, max: self.max + by }
    }

    /// True if the insides of the two boxes meet.
    #[must_use]
    pub fn overlaps(self, other: Aabb) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// The voxels the inside of the box touches: first and last on each axis.
    fn voxels(self) -> (IVec3, IVec3) {
        (self.min.floor().as_ivec3(), (self.max.ceil() - 1.0).as_ivec3())
    }
}

/// Which voxels stop bodies.
pub trait Solidity {
    /// The height up to which `voxel` is solid: 0 for what bodies pass through, 1 for a full block.
    fn solid_height(&self, voxel: Voxel) -> f64;
}

impl Solidity for MaterialTable {
    fn solid_height(&self, voxel: Voxel) -> f64 {
        if voxel == Voxel::NOT_LOADED {
            1.0
        } else if self.is_solid(voxel.material()) {
            f64::from(voxel.fill())
        } else {
            0.0
        }
    }
}

/// How far a body got.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moved {
    /// The way it went.
    pub by: DVec3,
    /// The axes on which something stopped it.
    pub stopped: BVec3,
}

/// Gaps smaller than this are no gaps: a body that touches a wall may slide along it.
const TOUCH: f64 = 1e-6;

/// Moves `body` by `by` as far as the world lets it: first along y, then along the longer of x and z, then
/// the other.
pub fn sweep(world: &World, solidity: &impl Solidity, body: Aabb, by: DVec3) -> Moved {
    let mut moved = Moved { by: DVec3::ZERO, stopped: BVec3::FALSE };
    let order = if by.x.abs() >= by.z.abs() { [1, 0, 2] } else { [1, 2, 0] };
    for axis in order {
        let way = by[axis];
        if way == 0.0 {
            continue;
        }
        let free = free_way(world, solidity, body.moved(moved.by), axis, way);
        moved.by[axis] = free;
        moved.stopped.set(axis, free != way);
    }
    moved
}

/// True if no part of `body` is inside anything solid.
pub fn is_free(world: &World, solidity: &impl Solidity, body: Aabb) -> bool {
    let (lo, hi) = body.voxels();
    boxes(world, solidity, lo, hi).all(|solid| !solid.overlaps(body))
}

/// The part of `way` along `axis` that `body` can go.
fn free_way(world: &World, solidity: &impl Solidity, body: Aabb, axis: usize, way: f64) -> f64 {
    // Shrunk a little across, so that walls which are only touched do not stop it.
    let mut across = DVec3::splat(TOUCH);
    across[axis] = 0.0;
    let body = Aabb { min: body.min + across, max: body.max - across };
    let mut swept = body;
    if way > 0.0 {
        swept.max[axis] += way;
        swept.min[axis] = body.max[axis];
    } else {
        swept.min[axis] += way;
        swept.max[axis] = body.min[axis];
    }
    // One voxel more on the near side: what the body touches begins there.
    let (mut lo, mut hi) = swept.voxels();
    lo[axis] -= 1;
    hi[axis] += 1;
    let mut free = way;
    for solid in boxes(world, solidity, lo, hi) {
        let mut meets = true;
        for other in (0..3).filter(|&a| a != axis) {
            meets &= solid.min[other] < body.max[other] && body.min[other] < solid.max[other];
        }
        if !meets {
            continue;
        }
        if way > 0.0 {
            let gap = solid.min[axis] - body.max[axis];
            if gap > -TOUCH {
                free = free.min(gap.max(0.0));
            }
        } else {
            let gap = solid.max[axis] - body.min[axis];
            if gap < TOUCH {
                free = free.max(gap.min(0.0));
            }
        }
    }
    free
}

/// The solid boxes of the voxels from `lo` to `hi`, both included.
fn boxes<'a>(world: &'a World, solidity: &'a impl Solidity, lo: IVec3, hi: IVec3) -> impl Iterator<Item = Aabb> + 'a {
    (lo.y..=hi.y).flat_map(move |y| {
        (lo.z..=hi.z).flat_map(move |z| {
            (lo.x..=hi.x).filter_map(move |x| {
                let at = IVec3::new(x, y, z);
                let height = solidity.solid_height(world.get(at));
                let min = at.as_dvec3();
                (height > 0.0).then(|| Aabb { min, max: min + DVec3::new(1.0, height, 1.0) })
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos};
    use crate::world::Chunk;
    use std::sync::Arc;

    struct AllSolid;
    impl Solidity for AllSolid {
        fn solid_height(&self, voxel: Voxel) -> f64 {
            if voxel == Voxel::NOT_LOADED { 1.0 } else { f64::from(voxel.fill()) }
        }
    }

    fn floor_world() -> World {
        let mut world = World::new();
        for x in -2..2 {
            for z in -2..2 {
                for y in -1..2 {
                    world.insert(ChunkPos::new(x, y, z), Arc::new(Chunk::uniform(Voxel::AIR)));
                }
            }
        }
        world.fill(Box3 { min: IVec3::new(-64, -32, -64), max: IVec3::new(64, 0, 64) }, Voxel::full(1));
        world
    }

    fn body(feet: DVec3) -> Aabb {
        Aabb { min: feet - DVec3::new(0.3, 0.0, 0.3), max: feet + DVec3::new(0.3, 1.8, 0.3) }
    }

    #[test]
    fn lands_exactly_however_fast() {
        let world = floor_world();
        for speed in [0.1, 1.0, 10.0, 60.0] {
            let mut at = body(DVec3::new(0.5, 31.7, 0.5));
            let mut steps = 0;
            loop {
                let moved = sweep(&world, &AllSolid, at, DVec3::NEG_Y * speed);
                at = at.moved(moved.by);
                steps += 1;
                if moved.stopped.y || steps > 1000 {
                    break;
                }
            }
            assert!(at.min.y.abs() < 1e-9, "speed {speed}: feet at {}", at.min.y);
        }
    }

    #[test]
    fn slides_along_walls_and_never_enters() {
        let mut world = floor_world();
        world.fill(Box3 { min: IVec3::new(3, 0, -64), max: IVec3::new(4, 5, 64) }, Voxel::full(1));
        world.fill(Box3 { min: IVec3::new(-9, 0, 5), max: IVec3::new(9, 1, 6) }, Voxel::new(1, 127));
        let mut at = body(DVec3::new(0.5, 0.0, 0.5));
        for i in 0..5000 {
            let a = f64::from(i) * 0.7;
            let moved = sweep(&world, &AllSolid, at, DVec3::new(a.sin() * 3.0, -0.5, (a * 1.3).cos() * 3.0));
            at = at.moved(moved.by);
            assert!(is_free(&world, &AllSolid, Aabb { min: at.min + 1e-5, max: at.max - 1e-5 }), "step {i}: {at:?}");
        }
    }

    #[test]
    fn the_unloaded_world_is_a_wall() {
        let world = floor_world();
        let moved = sweep(&world, &AllSolid, body(DVec3::new(0.5, 0.0, 0.5)), DVec3::X * 500.0);
        assert!(moved.stopped.x);
        assert!((moved.by.x - (64.0 - 0.8)).abs() < 1e-9, "{moved:?}");
    }
}
