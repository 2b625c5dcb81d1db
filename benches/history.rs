//! Undo and redo of large edits: a box of generated land is filled, and put back.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::hint::black_box;
use stonerun::history::{Direction, EditRecorder, EditStep};
use stonerun::terrain::{Generator, TerrainKind};
use stonerun::voxel::{Box3, MaterialTable, Voxel};
use stonerun::world::World;

/// Land, loaded wherever `area` reaches.
fn land(area: Box3) -> World {
    let generator = Generator::new(5, TerrainKind::Continents, &MaterialTable::builtin());
    let mut world = World::new();
    area.chunks().for_each(|pos| drop(world.insert(pos, generator.chunk(pos))));
    world
}

fn fill(world: &mut World, area: Box3) -> EditStep {
    let recorder = EditRecorder::begin(world, area);
    world.fill(area, Voxel::full(1));
    recorder.finish(world).expect("it changes something")
}

fn history(c: &mut Criterion) {
    // About half of it under ground; once along the borders of chunks, once across them.
    for (name, min) in [("256^3", IVec3::new(0, -64, 0)), ("256^3, across borders", IVec3::new(16, -48, 16))] {
        let area = Box3 { min, max: min + 256 };
        let before = land(area);
        let mut world = before.clone();
        let step = fill(&mut world, area);
        println!("{name}: {} chunks, {} bytes", step.patches().count(), step.memory_bytes());
        let after = world.clone();
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        let size = BatchSize::LargeInput;
        group.bench_function("fill, and note what was there", |b| {
            b.iter_batched_ref(|| before.clone(), |world| black_box(fill(world, area)), size);
        });
        let mut of = |name, from: &World, direction| {
            group.bench_function(name, |b| {
                b.iter_batched_ref(|| from.clone(), |world| step.apply(world, direction), size)
            });
        };
        of("undo", &after, Direction::Undo);
        of("redo", &before, Direction::Redo);
        group.finish();
        step.apply(&mut world, Direction::Undo).expect("loaded");
        assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)), "it is as it was");
    }
}

criterion_group!(benches, history);
criterion_main!(benches);
