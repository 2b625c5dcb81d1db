//! Floods compared with a voxel-by-voxel search.

use super::*;
use crate::edit::search::Spread;
use crate::edit::{EditError, JobProgress, Mask};
use crate::world::{Chunk, World};

const WATER: Voxel = Voxel::new(2, 90);

/// Caves with some water, in 3 x 3 x 3 chunks around the origin.
fn caves() -> World {
    let mut world = World::new();
    for x in -1..2 {
        for y in -1..2 {
            for z in -1..2 {
                let pos = ChunkPos::new(x, y, z);
                let voxel = |index: usize| {
                    let at = (pos.origin() + linear_offset(index)).as_vec3();
                    let wave = (at.x * 0.31).sin()
                        + (at.y * 0.43 + at.x * 0.05).cos()
                        + (at.z * 0.27).sin();
                    match wave {
                        wave if wave.abs() > 0.55 => Voxel::full(1),
                        _ if at.y < -9.0 => WATER,
                        _ => Voxel::AIR,
                    }
                };
                let chunk = match (x, y, z) {
                    (1, 1, 1) => Chunk::uniform(Voxel::AIR),
                    _ => Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))),
                };
                world.insert(pos, chunk);
            }
        }
    }
    world
}

fn searched(
    world: &World,
    seeds: &[IVec3],
    is_open: impl Fn(IVec3, Voxel) -> bool,
    spread: Spread,
) -> Voxels {
    let mut steps = vec![];
    if spread.sideways {
        steps.extend([IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z]);
    }
    steps.extend(spread.up.then_some(IVec3::Y));
    steps.extend(spread.down.then_some(IVec3::NEG_Y));
    let mut reached = Voxels::new();
    let mut queue = seeds.to_vec();
    while let Some(at) = queue.pop() {
        if is_open(at, world.get(at)) && reached.insert(at) {
            queue.extend(steps.iter().map(|&step| at + step));
        }
    }
    reached
}

#[test]
fn flood_reaches_what_a_search_reaches() {
    let world = caves();
    let area = Box3 { min: IVec3::new(-31, -30, -32), max: IVec3::new(64, 50, 61) };
    let ball = Ellipsoid { centre: IVec3::new(5, 2, 0), radii: DVec3::splat(30.0) };
    let air = Mask::Materials(vec![0]);
    let open: Vec<IVec3> =
        voxels(area, |at| at.x % 9 == 0 && world.get(at) == Voxel::AIR).into_iter().collect();
    let progress = JobProgress::default();
    let mut sizes = Vec::new();
    for (region, number) in [(Region::from_shape(&area), 1), (Region::from_shape(&ball), 2)] {
        for spread in [Spread::ALL, Spread::FALLING, Spread::DOWN, Spread::FLAT] {
            for count in [1, 5] {
                let seeds: Vec<IVec3> =
                    open.iter().copied().skip(number * 100).step_by(97).take(count).collect();
                let dots = seeds.iter().map(|&at| Region::from_shape(&Box3::spanning(at, at)));
                let dots = dots.reduce(|a, b| a.union(&b)).unwrap();
                let flooded =
                    Region::flooded(&world, &dots, &air, &region, spread, &progress).unwrap();
                let is_open = |at: IVec3, voxel: Voxel| voxel == Voxel::AIR && region.contains(at);
                let expected = searched(&world, &seeds, is_open, spread);
                println!("{spread:?} from {seeds:?}: {} voxels", expected.len());
                sizes.push(expected.len());
                check(&flooded, &expected);
            }
        }
    }
    assert!(sizes.iter().any(|&size| size > 100_000), "{sizes:?}");
}

#[test]
fn connected_matter_crosses_every_face_of_a_chunk() {
    let world = caves();
    let all = Region::from_shape(&Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) });
    let progress = JobProgress::default();
    let solid = Mask::Materials(vec![1]);
    let start = *voxels(Box3 { min: IVec3::ZERO, max: IVec3::splat(9) }, |at| {
        world.get(at) == Voxel::full(1)
    })
    .iter()
    .next()
    .unwrap();
    let connected = Region::connected(&world, start, &solid, &all, &progress).unwrap();
    let expected = searched(&world, &[start], |_, voxel| voxel == Voxel::full(1), Spread::ALL);
    check(&connected, &expected);
    assert!(
        Region::connected(&world, start, &Mask::Materials(vec![0]), &all, &progress)
            .unwrap()
            .is_empty()
    );
    assert!(
        Region::connected(&world, IVec3::splat(200), &Mask::Any, &all, &progress)
            .unwrap()
            .is_empty()
    );
    check(
        &Region::connected(&world, start, &Mask::Any, &all, &progress).unwrap(),
        &voxels(all.bounds().unwrap(), |_| true),
    );
    progress.cancel();
    assert!(matches!(
        Region::connected(&world, start, &solid, &all, &progress),
        Err(EditError::Cancelled)
    ));
}

#[test]
fn region_by_mask_holds_accepted_voxels_only() {
    let world = caves();
    let ball = Ellipsoid { centre: IVec3::new(5, -2, -3), radii: DVec3::splat(28.0) };
    let region = Region::from_shape(&ball);
    let progress = JobProgress::default();
    let found = Region::by_material(&world, &region, &[0, 2], &progress).unwrap();
    let is_found = |at: IVec3| region.contains(at) && [Voxel::AIR, WATER].contains(&world.get(at));
    check(&found, &voxels(region.bounds().unwrap(), is_found));
    let rock = Region::by_mask(
        &world,
        &region,
        &Mask::Not(Box::new(Mask::Materials(vec![0, 2]))),
        &progress,
    )
    .unwrap();
    assert_eq!(found.union(&rock), region);
}
