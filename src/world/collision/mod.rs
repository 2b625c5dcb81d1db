//! Bodies: moving a box through the world without entering anything solid.
//!
//! Each axis is swept on its own, over the whole way at once, so no speed and no frame time lets a body pass
//! through a wall. The sweep looks at one layer of voxels after the other and ends at the first that stops
//! it. Chunks that are not loaded are solid, so that is at the edge of the loaded world at the latest.

use super::World;
use crate::voxel::{MaterialTable, Voxel, WORLD_LIMIT};
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
    pub fn translated(self, by: DVec3) -> Aabb {
        Aabb { min: self.min + by, max: self.max + by }
    }

    /// True if the insides of the two boxes meet.
    #[must_use]
    pub fn overlaps(self, other: Aabb) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// True if the box lies within [`WORLD_LIMIT`]; false if any part is not a number.
    fn in_world(self) -> bool {
        let limit = DVec3::splat(f64::from(WORLD_LIMIT));
        self.min.cmpge(-limit).all() && self.max.cmple(limit).all()
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
pub struct SweepResult {
    /// The way it went.
    pub motion: DVec3,
    /// The axes on which something stopped it.
    pub blocked: BVec3,
}

/// Gaps smaller than this are no gaps: a body that touches a wall may slide along it. Also at the end of the
/// world, where neighbouring numbers are 1e-7 apart, rounding stays below it.
const TOUCH: f64 = 1e-6;

/// A body deeper than this in a voxel is not stopped by it, so that it can leave when it was built in. More
/// than [`TOUCH`], so that what a body may slide past still stops it going in.
const INSIDE: f64 = 2.0 * TOUCH;

/// Moves `body` by `by` as far as the world lets it: first along y, then along the longer of x and z, then
/// the other. The body's sides must be longer than 2e-6.
///
/// A body outside [`WORLD_LIMIT`], and one whose place or way is not a number, is stopped on all axes where
/// it is.
pub fn sweep_box(world: &World, solidity: &impl Solidity, body: Aabb, by: DVec3) -> SweepResult {
    if !body.in_world() || by.is_nan() {
        return SweepResult { motion: DVec3::ZERO, blocked: BVec3::TRUE };
    }
    let mut moved = SweepResult { motion: DVec3::ZERO, blocked: BVec3::FALSE };
    let order = if by.x.abs() >= by.z.abs() { [1, 0, 2] } else { [1, 2, 0] };
    for axis in order {
        let way = by[axis];
        if way == 0.0 {
            continue;
        }
        let free = free_way(world, solidity, body.translated(moved.motion), axis, way);
        moved.motion[axis] = free;
        moved.blocked.set(axis, free != way);
    }
    moved
}

/// True if no part of `body` is inside anything solid. Outside [`WORLD_LIMIT`] nothing is free.
pub fn is_free(world: &World, solidity: &impl Solidity, body: Aabb) -> bool {
    let (lo, hi) = body.voxels();
    body.in_world() && boxes(world, solidity, lo, hi).all(|solid| !solid.overlaps(body))
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
    let (lo, hi) = swept.voxels();
    // One layer more at each end: what the body touches, or is in by less than a touch, may begin there.
    let (mut layer, last, step) = if way > 0.0 {
        (lo[axis] - 1, hi[axis].saturating_add(1).min(WORLD_LIMIT), 1)
    } else {
        (hi[axis] + 1, lo[axis].saturating_sub(1).max(-WORLD_LIMIT - 1), -1)
    };
    loop {
        let (mut lo, mut hi) = (lo, hi);
        (lo[axis], hi[axis]) = (layer, layer);
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
                if gap > -INSIDE {
                    free = free.min(gap.max(0.0));
                }
            } else {
                let gap = solid.max[axis] - body.min[axis];
                if gap < INSIDE {
                    free = free.max(gap.min(0.0));
                }
            }
        }
        // What lies in a layer stops the body before all that lies in the layers behind it.
        if free != way || layer == last {
            return free;
        }
        layer += step;
    }
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
                    world.insert(ChunkPos::new(x, y, z), Chunk::uniform(Voxel::AIR));
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
                let moved = sweep_box(&world, &AllSolid, at, DVec3::NEG_Y * speed);
                at = at.translated(moved.motion);
                steps += 1;
                if moved.blocked.y || steps > 1000 {
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
            let moved = sweep_box(&world, &AllSolid, at, DVec3::new(a.sin() * 3.0, -0.5, (a * 1.3).cos() * 3.0));
            at = at.translated(moved.motion);
            assert!(is_free(&world, &AllSolid, Aabb { min: at.min + 1e-5, max: at.max - 1e-5 }), "step {i}: {at:?}");
        }
    }

    #[test]
    fn touching_edges_and_corners_stops_nothing() {
        let mut world = floor_world();
        let lower = Box3 { min: IVec3::new(2, 0, 2), max: IVec3::new(3, 3, 3) };
        world.fill(lower, Voxel::full(1));
        // Along both faces of the pillar, and past its corner, touching.
        for (from, by) in [
            (DVec3::new(1.7, 0.0, 0.0), DVec3::Z * 9.0),
            (DVec3::new(0.0, 0.0, 1.7), DVec3::X * 9.0),
            (DVec3::new(3.3, 0.0, 8.0), DVec3::NEG_Z * 9.0),
            (DVec3::new(1.7, 0.0, 1.7), DVec3::new(-1.0, 0.0, 2.0)),
        ] {
            let moved = sweep_box(&world, &AllSolid, body(from), by);
            assert_eq!((moved.motion, moved.blocked), (by, BVec3::FALSE), "from {from}");
        }
        let into = sweep_box(&world, &AllSolid, body(DVec3::new(1.7, 0.0, 2.5)), DVec3::X);
        assert!(into.blocked.x && into.motion.x.abs() < 1e-12, "{into:?}");
        // However small the way is: also where it is lost in rounding.
        let wedged = Aabb { min: DVec3::new(3.0, 0.0, 2.0), max: DVec3::new(4.0, 1.0, 3.0) };
        world.fill(Box3 { min: IVec3::new(4, 0, 2), max: IVec3::new(5, 1, 3) }, Voxel::full(1));
        for way in [1e-300, -1e-300] {
            let moved = sweep_box(&world, &AllSolid, wedged, DVec3::X * way);
            assert!(moved.blocked.x && moved.motion == DVec3::ZERO, "{way}: {moved:?}");
        }
    }

    #[test]
    fn a_body_in_a_wall_by_a_rounding_error_gets_no_deeper_and_gets_out() {
        let mut world = floor_world();
        world.fill(Box3 { min: IVec3::new(3, 0, -64), max: IVec3::new(5, 9, 64) }, Voxel::full(1));
        for deep in [1e-15, 1e-9, 0.99e-6, 1e-6, 1.01e-6] {
            let at = body(DVec3::new(2.7 + deep, -deep, 0.5));
            let moved = sweep_box(&world, &AllSolid, at, DVec3::new(5.0, -5.0, 0.0));
            assert_eq!(moved.motion, DVec3::ZERO, "{deep}");
            assert_eq!(moved.blocked, BVec3::new(true, true, false), "{deep}");
            if deep <= TOUCH {
                let out = sweep_box(&world, &AllSolid, at, DVec3::new(-1.0, 1.0, 0.0));
                assert_eq!((out.motion, out.blocked), (DVec3::new(-1.0, 1.0, 0.0), BVec3::FALSE), "{deep}");
            }
        }
        // Built in: it can leave, and enters no other voxel.
        let built_in = body(DVec3::new(3.5, 0.0, 0.5));
        assert!(sweep_box(&world, &AllSolid, built_in, DVec3::NEG_X * 2.0).blocked == BVec3::FALSE);
        let deeper = sweep_box(&world, &AllSolid, built_in, DVec3::X * 2.0);
        assert!(deeper.blocked.x && (deeper.motion.x - 0.2).abs() < 1e-9, "{deeper:?}");
    }

    #[test]
    fn walls_hold_far_from_the_middle() {
        for far in [10_000_000, WORLD_LIMIT - 64, -WORLD_LIMIT + 64] {
            let corner = IVec3::new(far, 0, -far);
            let chunk = ChunkPos::containing(corner);
            let mut world = World::new();
            for pos in chunk.moore_neighbourhood() {
                world.insert(pos, Chunk::uniform(Voxel::AIR));
            }
            let room = Box3 { min: corner - 7, max: corner + 7 };
            world.fill(room, Voxel::full(1));
            let inner = Box3 { min: room.min + 1, max: room.max - 1 };
            world.fill(inner, Voxel::AIR);
            let walls = Aabb { min: inner.min.as_dvec3() - 1e-6, max: inner.max.as_dvec3() + 1e-6 };
            let mut at = body(corner.as_dvec3() + 0.5);
            for i in 0..3000 {
                let a = f64::from(i) * 0.7;
                let way = DVec3::new(a.sin(), (a * 0.77).sin(), (a * 1.3).cos()) * 9.0;
                at = at.translated(sweep_box(&world, &AllSolid, at, way).motion);
                let inside = at.min.cmpge(walls.min).all() && at.max.cmple(walls.max).all();
                assert!(inside, "step {i} at {far}: {at:?}");
            }
        }
    }

    #[test]
    fn nonsense_stays_where_it_is() {
        let world = floor_world();
        let good = body(DVec3::new(0.5, 0.0, 0.5));
        let stuck = SweepResult { motion: DVec3::ZERO, blocked: BVec3::TRUE };
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -4e9] {
            let lost = good.translated(DVec3::X * bad);
            assert_eq!(sweep_box(&world, &AllSolid, lost, DVec3::ONE), stuck, "{bad}");
            assert!(!is_free(&world, &AllSolid, lost), "{bad}");
        }
        assert_eq!(sweep_box(&world, &AllSolid, good, DVec3::new(1.0, f64::NAN, 1.0)), stuck);
        // A way without end stops at the end of the loaded world, and takes no longer than it.
        for way in [f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
            let moved = sweep_box(&world, &AllSolid, good, DVec3::new(0.0, way, way));
            assert_eq!(moved.blocked, BVec3::new(false, true, true), "{way}");
            assert!(moved.motion.is_finite() && moved.motion.abs().max_element() < 65.0, "{way}: {moved:?}");
        }
    }

    #[test]
    fn the_unloaded_world_is_a_wall() {
        let world = floor_world();
        let moved = sweep_box(&world, &AllSolid, body(DVec3::new(0.5, 0.0, 0.5)), DVec3::X * 500.0);
        assert!(moved.blocked.x);
        assert!((moved.motion.x - (64.0 - 0.8)).abs() < 1e-9, "{moved:?}");
    }
}
