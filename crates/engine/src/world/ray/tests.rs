use super::*;
use crate::random::Random;
use crate::voxel::Box3;

fn matter(voxel: Voxel) -> Option<f64> {
    (!voxel.is_air()).then(|| f64::from(voxel.fill()))
}

fn world(voxels: &[(IVec3, Voxel)]) -> World {
    let mut world = World::new();
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
    for &(pos, voxel) in voxels {
        world.set(pos, voxel);
    }
    world
}

#[test]
fn ray_hits_the_near_face() {
    let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1))]);
    let hit = cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X * 3.0, 20.0, matter);
    let hit = hit.expect("the block is in the way");
    assert_eq!(
        (hit.voxel_pos, hit.face, hit.distance),
        (IVec3::new(10, 5, 5), Some(Face::West), 7.5)
    );
    assert_eq!(cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X, 7.0, matter), None);
}

#[test]
fn ray_passes_over_half_voxel_and_hits_it_from_above() {
    let world = world(&[(IVec3::new(10, 5, 5), Voxel::new(1, 127))]);
    let over = cast_ray(&world, DVec3::new(2.5, 5.75, 5.5), DVec3::X, 15.0, matter);
    assert_eq!(over, None);
    let down =
        cast_ray(&world, DVec3::new(10.5, 9.0, 5.5), DVec3::NEG_Y, 15.0, matter).expect("down");
    assert_eq!((down.face, down.distance), (Some(Face::Up), 3.5));
    let low = cast_ray(&world, DVec3::new(2.5, 5.25, 5.5), DVec3::X, 15.0, matter).expect("low");
    assert_eq!((low.face, low.distance), (Some(Face::West), 7.5));
}

#[test]
fn ray_ends_at_the_edge_of_the_loaded_world() {
    let hit = cast_ray(&world(&[]), DVec3::splat(16.0), DVec3::Y, 100.0, matter).expect("edge");
    assert_eq!((hit.voxel, hit.voxel_pos.y, hit.distance), (Voxel::NOT_LOADED, 32, 16.0));
}

#[test]
fn ray_from_a_border_starts_in_the_voxel_it_enters() {
    let world =
        world(&[(IVec3::new(10, 5, 5), Voxel::full(1)), (IVec3::new(9, 9, 5), Voxel::full(1))]);
    let cast =
        |x: f64, y: f64, direction| cast_ray(&world, DVec3::new(x, y, 5.5), direction, 4.0, matter);
    let hit = cast(10.0, 5.5, DVec3::X).expect("the ray enters the block");
    assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, Some(Face::West), 0.0));
    assert_eq!(cast(10.0, 5.5, DVec3::NEG_X), None, "the ray leaves the block it touches");
    let hit = cast(11.0, 5.5, DVec3::NEG_X).expect("the ray enters the block");
    assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, Some(Face::East), 0.0));
    assert_eq!(cast(11.0, 5.5, DVec3::X), None, "the ray leaves the block it touches");
    let hit = cast(10.5, 5.5, DVec3::X).expect("the ray starts inside");
    assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, None, 0.0));
    // A ray that runs along a border (y direction 0.0 or -0.0) is in the voxel above it.
    let along = cast(8.5, 9.0, DVec3::new(1.0, -0.0, 0.0)).expect("the block above the border");
    assert_eq!((along.voxel_pos.x, along.face, along.distance), (9, Some(Face::West), 0.5));
    assert_eq!(cast(8.5, 10.0, DVec3::new(1.0, -0.0, 0.0)), None);
    // A diagonal ray from a corner passes exactly through corners.
    let corner = cast(8.0, 8.0, DVec3::new(1.0, 1.0, 0.0)).expect("through the corner");
    assert_eq!(corner.voxel_pos, IVec3::new(9, 9, 5));
    assert!((corner.distance - 2f64.sqrt()).abs() < 1e-12);
}

#[test]
fn direction_length_does_not_change_the_hit() {
    let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1))]);
    for length in [f64::MIN_POSITIVE, 1e-200, 1.0, 1e200, f64::MAX] {
        let hit = cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X * length, 20.0, matter)
            .expect("hit");
        assert_eq!((hit.face, hit.distance), (Some(Face::West), 7.5), "length {length}");
    }
}

#[test]
fn invalid_ray_hits_nothing() {
    let world = world(&[]);
    let origin = DVec3::splat(5.5);
    for direction in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(1.0, f64::NAN, 0.0)] {
        assert_eq!(cast_ray(&world, origin, direction, 9.0, matter), None, "{direction}");
    }
    for bad in [f64::NAN, f64::INFINITY, -1e300, 4e9] {
        assert_eq!(
            cast_ray(&world, DVec3::new(5.5, bad, 5.5), DVec3::X, 9.0, matter),
            None,
            "{bad}"
        );
    }
    assert_eq!(cast_ray(&world, origin, DVec3::X, f64::NAN, matter), None);
    assert!(
        cast_ray(&world, origin, DVec3::new(1.0, 1e-310, -1e-310), f64::INFINITY, matter).is_some()
    );
}

#[test]
fn ray_hits_the_right_voxel_at_the_world_limit() {
    let edge = WORLD_LIMIT - 32;
    for (x, z) in [(edge, -WORLD_LIMIT), (-WORLD_LIMIT, edge)] {
        let mut world = World::new();
        let at = IVec3::new(x, 0, z);
        world.insert(ChunkPos::containing(at), Chunk::uniform(Voxel::AIR));
        world.set(at + IVec3::new(20, 5, 5), Voxel::full(1));
        let eye = at.as_dvec3() + DVec3::new(2.5, 5.5, 5.5);
        let hit = cast_ray(&world, eye, DVec3::X, 100.0, matter).expect("the block");
        assert_eq!((hit.voxel_pos, hit.distance), (at + IVec3::new(20, 5, 5), 17.5));
        for direction in [DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z, DVec3::Y] {
            let hit = cast_ray(&world, eye, direction, f64::INFINITY, matter).expect("the edge");
            assert_eq!(hit.voxel, Voxel::NOT_LOADED);
        }
    }
}

#[test]
fn ray_hits_the_same_with_and_without_mips() {
    let mut world = World::new();
    let mut random = Random::new(11);
    for pos in ChunkPos::default().moore_neighbourhood() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    // Some boxes and single voxels.
    for i in 0..60 {
        let at = IVec3::from_array([0; 3].map(|_| random.below(96) as i32 - 32));
        let size = if i < 20 {
            IVec3::from_array([0; 3].map(|_| random.below(12) as i32))
        } else {
            IVec3::ZERO
        };
        let voxel = if i % 4 == 0 { Voxel::new(2, 90) } else { Voxel::full(1) };
        world.fill(Box3::spanning(at, at + size), voxel);
    }
    let mut hits = 0;
    let mut skipped = 0;
    for i in 0..40_000 {
        // Coarse grains give rays through corners and along borders, which cross several borders at
        // once.
        let grain = [1e6, 4.0, 1.0][i % 3];
        let origin = DVec3::from_array(
            [0; 3].map(|_| (random.below(96_000_000) as f64 * 1e-6 * grain).floor() / grain - 32.0),
        );
        let direction = match i % 2 {
            0 => DVec3::from_array([0; 3].map(|_| random.below(2_000_001) as f64 - 1e6)),
            _ => DVec3::from_array([0; 3].map(|_| random.below(5) as f64 - 2.0)),
        };
        let reach = random.below(200) as f64;
        let read = std::cell::Cell::new(0);
        let counted = |_, voxel| {
            read.set(read.get() + 1);
            matter(voxel)
        };
        let slow = walk(&world, origin, direction, reach, counted, |_, _| 1, &mut 0);
        let slow_reads = read.take();
        let fast = walk(&world, origin, direction, reach, counted, Chunk::empty_side, &mut 0);
        assert_eq!(fast, slow, "from {origin} along {direction}, {reach} far");
        hits += usize::from(fast.is_some_and(|hit| hit.voxel != Voxel::NOT_LOADED));
        skipped += slow_reads - read.get();
    }
    assert!(hits > 2_000 && skipped > 1_000_000, "{hits} hits, {skipped} reads saved");
}

#[test]
fn ray_misses_no_voxel_on_its_line() {
    // Compares with a slow walk in tiny steps, for many directions.
    let blocks: Vec<_> = (0..400)
        .map(|i| (IVec3::new(i * 7 % 32, i * 13 % 32, i * 29 % 32), Voxel::full(1)))
        .collect();
    let world = world(&blocks);
    let origin = DVec3::new(16.31, 16.47, 16.83);
    for i in 0..500 {
        let a = f64::from(i) * 0.37;
        let direction = DVec3::new(a.sin(), (a * 1.7).sin(), (a * 0.61).cos()).normalize();
        let hit = cast_ray(&world, origin, direction, 60.0, matter)
            .expect("the ray ends at the edge at the latest");
        let slow = (0..600_000).map(|s| f64::from(s) * 1e-4).find_map(|d| {
            let at = (origin + direction * d).floor().as_ivec3();
            (world.get(at) != Voxel::AIR).then_some((at, d))
        });
        let (_, d) = slow.expect("the ray ends at the edge at the latest");
        assert!((hit.distance - d).abs() < 2e-4, "direction {direction}: {} and {d}", hit.distance);
    }
}
