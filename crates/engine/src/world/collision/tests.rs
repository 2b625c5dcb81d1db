use super::layers::TOUCH;
use super::*;
use crate::voxel::{Box3, ChunkPos, ShapeBox, Voxel, WORLD_LIMIT};
use crate::world::Chunk;
use glam::IVec3;

struct AllSolid;
impl Solidity for AllSolid {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        SolidPart::UpTo(if voxel == Voxel::NOT_LOADED { 1.0 } else { f64::from(voxel.fill()) })
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
fn falling_body_lands_on_the_floor_at_any_speed() {
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
fn moving_body_never_enters_walls() {
    let mut world = floor_world();
    world.fill(Box3 { min: IVec3::new(3, 0, -64), max: IVec3::new(4, 5, 64) }, Voxel::full(1));
    world.fill(Box3 { min: IVec3::new(-9, 0, 5), max: IVec3::new(9, 1, 6) }, Voxel::new(1, 127));
    let mut at = body(DVec3::new(0.5, 0.0, 0.5));
    for i in 0..5000 {
        let a = f64::from(i) * 0.7;
        let moved = sweep_box(
            &world,
            &AllSolid,
            at,
            DVec3::new(a.sin() * 3.0, -0.5, (a * 1.3).cos() * 3.0),
        );
        at = at.translated(moved.motion);
        assert!(
            is_free(&world, &AllSolid, Aabb { min: at.min + 1e-5, max: at.max - 1e-5 }),
            "step {i}: {at:?}"
        );
    }
}

#[test]
fn touched_edges_and_corners_do_not_block() {
    let mut world = floor_world();
    let lower = Box3 { min: IVec3::new(2, 0, 2), max: IVec3::new(3, 3, 3) };
    world.fill(lower, Voxel::full(1));
    // In contact with the pillar: along its faces and diagonally past its corner.
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
    // Motions that rounding would swallow are blocked, too.
    let wedged = Aabb { min: DVec3::new(3.0, 0.0, 2.0), max: DVec3::new(4.0, 1.0, 3.0) };
    world.fill(Box3 { min: IVec3::new(4, 0, 2), max: IVec3::new(5, 1, 3) }, Voxel::full(1));
    for way in [1e-300, -1e-300] {
        let moved = sweep_box(&world, &AllSolid, wedged, DVec3::X * way);
        assert!(moved.blocked.x && moved.motion == DVec3::ZERO, "{way}: {moved:?}");
    }
}

#[test]
fn body_in_a_wall_by_a_rounding_error_can_only_leave() {
    let mut world = floor_world();
    world.fill(Box3 { min: IVec3::new(3, 0, -64), max: IVec3::new(5, 9, 64) }, Voxel::full(1));
    for deep in [1e-15, 1e-9, 0.99e-6, 1e-6, 1.01e-6] {
        let at = body(DVec3::new(2.7 + deep, -deep, 0.5));
        let moved = sweep_box(&world, &AllSolid, at, DVec3::new(5.0, -5.0, 0.0));
        assert_eq!(moved.motion, DVec3::ZERO, "{deep}");
        assert_eq!(moved.blocked, BVec3::new(true, true, false), "{deep}");
        if deep <= TOUCH {
            let out = sweep_box(&world, &AllSolid, at, DVec3::new(-1.0, 1.0, 0.0));
            assert_eq!(
                (out.motion, out.blocked),
                (DVec3::new(-1.0, 1.0, 0.0), BVec3::FALSE),
                "{deep}"
            );
        }
    }
    // A body enclosed by a wall can leave it, but cannot enter another voxel.
    let built_in = body(DVec3::new(3.5, 0.0, 0.5));
    assert!(sweep_box(&world, &AllSolid, built_in, DVec3::NEG_X * 2.0).blocked == BVec3::FALSE);
    let deeper = sweep_box(&world, &AllSolid, built_in, DVec3::X * 2.0);
    assert!(deeper.blocked.x && (deeper.motion.x - 0.2).abs() < 1e-9, "{deeper:?}");
}

#[test]
fn walls_block_far_from_the_origin() {
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
fn invalid_position_or_motion_is_blocked() {
    let world = floor_world();
    let good = body(DVec3::new(0.5, 0.0, 0.5));
    let stuck = SweepResult { motion: DVec3::ZERO, blocked: BVec3::TRUE };
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -4e9] {
        let lost = good.translated(DVec3::X * bad);
        assert_eq!(sweep_box(&world, &AllSolid, lost, DVec3::ONE), stuck, "{bad}");
        assert!(!is_free(&world, &AllSolid, lost), "{bad}");
    }
    assert_eq!(sweep_box(&world, &AllSolid, good, DVec3::new(1.0, f64::NAN, 1.0)), stuck);
    // An infinite motion ends at the edge of the loaded world, in bounded time.
    for way in [f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
        let moved = sweep_box(&world, &AllSolid, good, DVec3::new(0.0, way, way));
        assert_eq!(moved.blocked, BVec3::new(false, true, true), "{way}");
        assert!(
            moved.motion.is_finite() && moved.motion.abs().max_element() < 65.0,
            "{way}: {moved:?}"
        );
    }
}

#[test]
fn unloaded_chunk_blocks() {
    let world = floor_world();
    let moved = sweep_box(&world, &AllSolid, body(DVec3::new(0.5, 0.0, 0.5)), DVec3::X * 500.0);
    assert!(moved.blocked.x);
    assert!((moved.motion.x - (64.0 - 0.8)).abs() < 1e-9, "{moved:?}");
}

/// A step: the lower half of the voxel, and the upper half to the east.
struct Steps;
impl Solidity for Steps {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        const STEP: [ShapeBox; 2] = [
            ShapeBox { low: [0; 3], high: [16, 8, 16] },
            ShapeBox { low: [8, 8, 0], high: [16; 3] },
        ];
        if voxel.material() == 2 { SolidPart::Boxes(&STEP) } else { AllSolid.solid_part(voxel) }
    }
}

#[test]
fn boxes_of_a_voxel_stop_a_body_each_by_itself() {
    let mut world = floor_world();
    world.set(IVec3::new(3, 0, 0), Voxel::full(2));
    let half = DVec3::splat(0.1);
    let at =
        |x: f64| Aabb { min: DVec3::new(x, 1.5, 0.5) - half, max: DVec3::new(x, 1.5, 0.5) + half };
    let fall = |x: f64| sweep_box(&world, &Steps, at(x), DVec3::NEG_Y * 9.0).motion.y;
    let falls = [2.0, 3.2, 3.8].map(|x| fall(x).abs());
    for (fallen, free) in falls.into_iter().zip([1.4, 0.9, 0.4]) {
        assert!((fallen - free).abs() < 1e-9, "{falls:?}");
    }
    let low = at(3.2).translated(DVec3::NEG_Y * 0.8);
    let moved = sweep_box(&world, &Steps, low, DVec3::X);
    assert!((moved.motion.x - 0.2).abs() < 1e-9 && moved.blocked.x, "{moved:?}");
    assert!(
        is_free(&world, &Steps, low) && !is_free(&world, &Steps, low.translated(DVec3::X * 0.3))
    );
}
