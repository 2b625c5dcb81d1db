//! Undo and redo of large edits: filling a box of generated terrain, and restoring it.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::hint::black_box;
use stonerun::history::{Direction, EditRecorder, EditStep};
use stonerun::terrain::{Generator, TerrainKind};
use stonerun::voxel::{Box3, MaterialTable, Voxel};
use stonerun::world::World;

/// Generated terrain of all chunks that `area` touches.
fn terrain(area: Box3) -> World {
    let generator = Generator::new(5, TerrainKind::Continents, &MaterialTable::builtin());
    let mut world = World::new();
    area.chunks().for_each(|pos| drop(world.insert(pos, generator.chunk(pos))));
    world
}

fn fill(world: &mut World, area: Box3) -> EditStep {
    let recorder = EditRecorder::begin(world, [area]);
    world.fill(area, Voxel::full(1));
    recorder.finish(world).expect("the fill changes voxels")
}

fn history(c: &mut Criterion) {
    // About half of the box is below ground. One box is aligned with chunk borders, one is not.
    for (name, min) in [("256^3", IVec3::new(0, -64, 0)), ("256^3, unaligned", IVec3::new(16, -48, 16))] {
        let area = Box3 { min, max: min + 256 };
        let before = terrain(area);
        let mut world = before.clone();
        let step = fill(&mut world, area);
        println!("{name}: {} chunks, {} bytes", step.patches().count(), step.memory_bytes());
        let after = world.clone();
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        let size = BatchSize::LargeInput;
        group.bench_function("fill and record", |b| {
            b.iter_batched_ref(|| before.clone(), |world| black_box(fill(world, area)), size);
        });
        let mut bench = |name, from: &World, direction| {
            group.bench_function(name, |b| {
                b.iter_batched_ref(|| from.clone(), |world| step.apply(world, direction), size)
            });
        };
        bench("undo", &after, Direction::Undo);
        bench("redo", &before, Direction::Redo);
        group.finish();
        step.apply(&mut world, Direction::Undo).expect("all chunks are loaded");
        assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)), "undo restores the world");
    }
}

criterion_group!(benches, history);
criterion_main!(benches);
