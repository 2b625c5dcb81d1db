//! Timings of regions and searches, for a release build:
//! `cargo test --release --lib edit::search -- --ignored --nocapture`.

use super::*;
use crate::edit::region::Metric;
use crate::edit::{JobProgress, Mask};
use crate::world::{Chunk, World};
use std::time::Instant;

fn timed<T>(name: &str, work: impl Fn() -> T) -> T {
    let mut best = f64::INFINITY;
    let mut result = work();
    for _ in 0..5 {
        let start = Instant::now();
        result = work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name}: {:.1} ms", best * 1000.0);
    result
}

#[test]
#[ignore = "asserts nothing: prints times, to be read from a run with --release"]
fn figures_of_large_regions() {
    let ball = Region::from_shape(&Ellipsoid { centre: IVec3::ZERO, radii: DVec3::splat(288.0) });
    let other = Region::from_shape(&Ellipsoid {
        centre: IVec3::new(90, 50, 31),
        radii: DVec3::splat(288.0),
    });
    println!("{} voxels", ball.volume());
    timed("union", || ball.clone().union(&other));
    timed("intersection", || ball.intersection(&other));
    timed("difference", || ball.difference(&other));
    _ = timed("grow 1", || ball.grow(1, Metric::Manhattan));
    timed("boundary", || ball.boundary());
    _ = timed("grow 8, ball", || ball.grow(8, Metric::Euclidean));
    _ = timed("translate", || ball.translate(IVec3::new(1, 2, 3)));
    timed("to_bytes", || ball.to_bytes());
    // Rock with caves, in which waves go in all directions.
    let area = Box3 { min: IVec3::splat(-256), max: IVec3::splat(256) };
    let mut world = World::new();
    for pos in area.chunks() {
        let voxel = |index: usize| {
            let at = (pos.origin() + linear_offset(index)).as_vec3();
            let wave = (at.x * 0.13).sin() + (at.y * 0.11).cos() + (at.z * 0.17).sin();
            if wave > 1.2 { Voxel::AIR } else { Voxel::full(1) }
        };
        world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))));
    }
    let within = Region::from_shape(&area);
    let stone = Mask::Materials(vec![1]);
    let progress = JobProgress::default();
    let start = voxels(Box3 { min: IVec3::ZERO, max: IVec3::splat(20) }, |at| {
        world.get(at) == Voxel::full(1)
    });
    let start = *start.iter().next().expect("rock near the middle");
    let connected = timed("connected", || {
        Region::connected(&world, start, &stone, &within, &progress).unwrap()
    });
    println!("{} connected voxels in {} chunks", connected.volume(), connected.chunks().len());
}
