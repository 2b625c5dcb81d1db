//! Undo and redo of large edits: a box of generated terrain is filled, and restored.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::hint::black_box;
use stonerun_engine::history::{Direction, EditRecorder, EditStep};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
use stonerun_engine::world::World;

/// Generated terrain in all chunks that `area` touches.
fn terrain(area: Box3) -> World {
    let generator = Generator::new(5, TerrainKind::Continents, &MaterialTable::builtin());
    let mut world = World::new();
    for pos in area.chunks() {
        world.insert(pos, generator.chunk(pos));
    }
    world
}

fn fill(world: &mut World, area: Box3) -> EditStep {
    let recorder = EditRecorder::begin(world, [area]);
    world.fill(area, Voxel::full(1));
    recorder.finish(world, "fill", 0).expect("the fill changes voxels")
}

/// Undoes or redoes a packed step.
fn apply(step: &EditStep, world: &mut World, direction: Direction) {
    let body = step.pack().expect("it is in memory");
    for change in step.unpack(&body).expect("our own bytes are valid").changes.iter() {
        let current = world.chunk(change.pos).expect("all chunks are loaded").clone();
        if let Some(changed) = direction.change_for(change).rebased_on(current) {
            world.insert(change.pos, changed.after);
        }
    }
}

fn history(c: &mut Criterion) {
    // About half of the box is below ground. One box is aligned with chunk borders, the other is
    // not.
    for (name, min) in
        [("256^3", IVec3::new(0, -64, 0)), ("256^3, unaligned", IVec3::new(16, -48, 16))]
    {
        let area = Box3 { min, max: min + 256 };
        let before = terrain(area);
        let mut world = before.clone();
        let step = fill(&mut world, area);
        let bytes = step.pack().expect("it is in memory").bytes.len();
        println!("{name}: {} chunks, {bytes} bytes packed", step.header().chunks);
        let after = world.clone();
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        let size = BatchSize::LargeInput;
        group.bench_function("fill and record", |b| {
            b.iter_batched_ref(|| before.clone(), |world| black_box(fill(world, area)), size);
        });
        let mut bench = |name, from: &World, direction| {
            group.bench_function(name, |b| {
                b.iter_batched_ref(|| from.clone(), |world| apply(&step, world, direction), size)
            });
        };
        bench("undo, packed", &after, Direction::Undo);
        bench("redo, packed", &before, Direction::Redo);
        group.finish();
        apply(&step, &mut world, Direction::Undo);
        assert!(
            world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)),
            "undo restores the world"
        );
    }
}

criterion_group!(benches, history);
criterion_main!(benches);
