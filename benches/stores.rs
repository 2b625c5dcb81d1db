//! The stores of the texts, side by side, on the world of the 0fps text; and what it takes to bring a chunk into ours.
//!
//! `stonerun lab iteration` makes the text's table; here are the same operations under criterion, to see whether a change
//! made one of them slower.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::hint::black_box;
use std::time::{Duration, Instant};
use stonerun::codec::byte_rle;
use stonerun::lab::input::{Input, SIDE_0FPS, Value, generated, zero_fps};
use stonerun::lab::rivals::{Btree, Flat, Octree, Ours, Palette, RowPacked, Store, VirtualArray};
use stonerun::runs::RunBuilder;
use stonerun::terrain::TerrainKind;
use stonerun::voxel::{MaterialTable, Voxel};
use stonerun::world::Chunk;

/// The same places for all.
fn places() -> Vec<IVec3> {
    let mut state = 1u64;
    let mut part = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as i32 % SIDE_0FPS
    };
    (0..4096).map(|_| IVec3::new(part(), part(), part())).collect()
}

fn of_store<S: Store>(c: &mut Criterion, input: &Input) {
    let (places, mut counts) = (places(), vec![0; input.values]);
    let Some(mut store) = S::build(input) else { return };
    let mut group = c.benchmark_group("4096 random reads");
    group.bench_function(S::NAME, |b| b.iter(|| places.iter().map(|&at| u64::from(store.get(at))).sum::<u64>()));
    group.finish();
    let mut group = c.benchmark_group("all voxels counted by kind");
    group.bench_function(S::NAME, |b| b.iter(|| store.count_values(black_box(&mut counts))));
    group.finish();
    let mut group = c.benchmark_group("all faces towards air counted by kind");
    group.bench_function(S::NAME, |b| b.iter(|| store.count_faces(black_box(&mut counts))));
    group.finish();
    // What was there is put back, untimed: each time the same world is written to.
    let mut group = c.benchmark_group("4096 random writes");
    group.bench_function(S::NAME, |b| {
        b.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for round in 0..rounds as usize {
                let before: Vec<Value> = places.iter().map(|&at| store.get(at)).collect();
                let start = Instant::now();
                places.iter().enumerate().for_each(|(k, &at)| store.set(at, (1 + (k + round) % 36) as Value));
                taken += start.elapsed();
                places.iter().zip(before).rev().for_each(|(&at, value)| store.set(at, value));
            }
            taken
        });
    });
    group.finish();
}

fn stores(c: &mut Criterion) {
    let input = zero_fps();
    of_store::<Flat>(c, &input);
    of_store::<VirtualArray>(c, &input);
    of_store::<Octree>(c, &input);
    of_store::<RowPacked>(c, &input);
    of_store::<Palette>(c, &input);
    of_store::<Btree>(c, &input);
    of_store::<Ours>(c, &input);
}

/// All chunks of some land that are not uniform, from what a generator hands over and from what lies on the disk. Each is
/// dropped at once, so that the next finds memory that is warm: else the arrays would pay for fresh pages too.
fn into_the_tree(c: &mut Criterion) {
    let world = generated(5, TerrainKind::Continents, 6, 3);
    let chunks: Vec<Chunk> = world.chunks().map(|(_, c)| c.clone()).filter(|c| c.as_uniform().is_none()).collect();
    let runs: Vec<Vec<(u32, Voxel)>> =
        chunks.iter().map(|c| c.runs().map(|run| (run.len, run.voxel)).collect()).collect();
    let bytes: Vec<Vec<u8>> = chunks.iter().map(byte_rle::encode).collect();
    let packed: Vec<Vec<u8>> = bytes.iter().map(|bytes| lz4_flex::block::compress(bytes)).collect();
    let dense: Vec<Vec<u16>> = chunks.iter().map(|c| (0..32768).map(|i| c.get(i).material()).collect()).collect();
    let materials = MaterialTable::builtin().len();
    println!("{} chunks of {} runs", chunks.len(), runs.iter().map(Vec::len).sum::<usize>() / chunks.len());
    let mut group = c.benchmark_group(format!("{} chunks of land", chunks.len()));
    group.sample_size(20).warm_up_time(Duration::from_secs(1));
    group.bench_function("a dense array copied", |b| {
        b.iter(|| dense.iter().map(|voxels| black_box(voxels.clone()).len()).sum::<usize>())
    });
    let of_runs = |runs: &Vec<(u32, Voxel)>| {
        let mut builder = RunBuilder::new();
        runs.iter().for_each(|&(len, voxel)| builder.push(len, voxel));
        builder.finish()
    };
    let of_bytes = |bytes: &Vec<u8>| byte_rle::decode(bytes, materials).expect("sound");
    group.bench_function("a tree from runs", |b| {
        b.iter(|| runs.iter().map(|runs| black_box(of_runs(runs)).run_count()).sum::<usize>());
    });
    group.bench_function("a tree from byte-RLE", |b| {
        b.iter(|| bytes.iter().map(|bytes| black_box(of_bytes(bytes)).run_count()).sum::<usize>());
    });
    group.bench_function("a tree from byte-RLE in LZ4", |b| {
        b.iter(|| {
            let tree = |(packed, bytes): (&Vec<u8>, &Vec<u8>)| {
                of_bytes(&lz4_flex::block::decompress(packed, bytes.len()).expect("sound"))
            };
            packed.iter().zip(&bytes).map(|both| black_box(tree(both)).run_count()).sum::<usize>()
        });
    });
    // And as a world keeps them: all of them in memory that the system hands out.
    group.bench_function("all dense arrays copied and kept", |b| b.iter_with_large_drop(|| dense.clone()));
    group.bench_function("all trees from runs, kept", |b| {
        b.iter_with_large_drop(|| runs.iter().map(of_runs).collect::<Vec<_>>())
    });
    group.bench_function("all trees from byte-RLE, kept", |b| {
        b.iter_with_large_drop(|| bytes.iter().map(of_bytes).collect::<Vec<_>>())
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = into_the_tree, stores
}
criterion_main!(benches);
