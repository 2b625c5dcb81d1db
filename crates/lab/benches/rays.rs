//! Rays over terrain, with mips and without. The walk without mips follows the paper of Amanatides
//! and Woo, and looks up a chunk only at chunk borders.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use std::hint::black_box;
use std::time::Duration;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{ChunkPos, Voxel, linear_index, local};
use stonerun_engine::world::{Chunk, World, cast_ray};
use stonerun_lab::input::Lcg;
use stonerun_lab::input::generated_world;

/// Horizontal radius of the world around the origin, in chunks.
const RADIUS: i32 = 5;
const RAYS: usize = 1000;

/// Hit test of the rays, which any voxel but air passes.
fn solid(voxel: Voxel) -> Option<f64> {
    (!voxel.is_air()).then_some(1.0)
}

/// Distance to the first voxel that is not air.
fn walk_without_mips(world: &World, origin: DVec3, direction: DVec3, reach: f64) -> Option<f64> {
    let mut at = origin.floor().as_ivec3();
    let step = direction.signum().as_ivec3();
    let per_voxel = direction.recip().abs();
    let mut border = (at.as_dvec3() + direction.signum().max(DVec3::ZERO) - origin) / direction;
    let (mut pos, mut chunk): (_, Option<&Chunk>) = (ChunkPos::new(i32::MAX, 0, 0), None);
    let mut distance = 0.0;
    loop {
        if ChunkPos::containing(at) != pos {
            pos = ChunkPos::containing(at);
            chunk = world.chunk(pos);
        }
        if chunk.is_none_or(|chunk| !chunk.get(linear_index(local(at))).is_air()) {
            return Some(distance);
        }
        let axis = border.min_position();
        distance = border[axis];
        if distance > reach {
            return None;
        }
        at[axis] += step[axis];
        border[axis] += per_voxel[axis];
    }
}

fn rays(c: &mut Criterion) {
    for (name, kind) in [("continents", TerrainKind::Continents), ("caverns", TerrainKind::Caverns)]
    {
        let world = generated_world(5, kind, RADIUS, 3);
        let mut random = Lcg(1);
        let mut random = || (random.draw() >> 33) as f64 / (1u64 << 31) as f64;
        // Rays from random points in air, in random directions.
        let mut rays = Vec::new();
        while rays.len() < RAYS {
            let origin = DVec3::new(random() - 0.5, random() * 0.4 - 0.1, random() - 0.5)
                * 64.0
                * f64::from(RADIUS - 1);
            let direction = DVec3::new(random() - 0.5, random() - 0.6, random() - 0.5).normalize();
            if world.get(origin.floor().as_ivec3()).is_air() {
                rays.push((origin, direction));
            }
        }
        let mut group = c.benchmark_group(format!("{RAYS} rays, {name}"));
        group
            .sample_size(20)
            .warm_up_time(Duration::from_secs(1))
            .measurement_time(Duration::from_secs(3));
        for reach in [6.0, 128.0] {
            let with: Vec<_> = rays
                .iter()
                .map(|&(o, d)| cast_ray(&world, o, d, reach, solid).map(|h| h.distance))
                .collect();
            let without: Vec<_> =
                rays.iter().map(|&(o, d)| walk_without_mips(&world, o, d, reach)).collect();
            // The walk without mips sums up distances, which accumulates rounding errors.
            let is_same = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                _ => a.is_none() && b.is_none(),
            };
            assert!(with.iter().zip(&without).all(is_same));
            group.bench_function(format!("{reach} voxels, mips"), |b| {
                b.iter(|| {
                    rays.iter()
                        .filter(|&&(o, d)| {
                            cast_ray(&world, o, d, black_box(reach), solid).is_some()
                        })
                        .count()
                });
            });
            group.bench_function(format!("{reach} voxels, no mips"), |b| {
                b.iter(|| {
                    rays.iter()
                        .filter(|&&(o, d)| {
                            walk_without_mips(&world, o, d, black_box(reach)).is_some()
                        })
                        .count()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, rays);
criterion_main!(benches);
