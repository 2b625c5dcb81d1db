//! The stores of the texts on the world of the 0fps text, and the construction of run trees.
//!
//! `stonerun lab iteration` prints the 0fps text's table; these benchmarks run the same operations
//! under criterion, to detect regressions.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::hint::black_box;
use std::time::{Duration, Instant};
use stonerun_engine::codec::byte_rle;
use stonerun_engine::runs::RunBuilder;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{MaterialTable, Voxel};
use stonerun_engine::world::Chunk;
use stonerun_lab::input::{
    Lcg, NumberedWorld, VoxelId, ZERO_FPS_SIDE, generated_world, zero_fps_world,
};
use stonerun_lab::rivals::{
    FlatArray, IntervalTree, Octree, PaletteStore, RowPacked, RunTreeStore, Store, VirtualArray,
};

/// Random positions, the same for all stores.
fn positions() -> Vec<IVec3> {
    let mut random = Lcg(1);
    let mut part = || (random.draw() >> 40) as i32 % ZERO_FPS_SIDE;
    (0..4096).map(|_| IVec3::new(part(), part(), part())).collect()
}

fn bench_store<S: Store>(c: &mut Criterion, input: &NumberedWorld) {
    let positions = positions();
    let mut counts = vec![0; input.id_count];
    let Some(mut store) = S::build(input) else { return };
    let mut group = c.benchmark_group("4096 random reads");
    group.bench_function(S::NAME, |b| {
        b.iter(|| positions.iter().map(|&at| u64::from(store.get(at))).sum::<u64>())
    });
    group.finish();
    let mut group = c.benchmark_group("count voxels by ID");
    group.bench_function(S::NAME, |b| b.iter(|| store.count_voxels(black_box(&mut counts))));
    group.finish();
    let mut group = c.benchmark_group("count faces towards air by ID");
    group.bench_function(S::NAME, |b| b.iter(|| store.count_faces(black_box(&mut counts))));
    group.finish();
    // Restoring the voxels is not timed. It makes every round write to the same world.
    let mut group = c.benchmark_group("4096 random writes");
    group.bench_function(S::NAME, |b| {
        b.iter_custom(|rounds| {
            let mut elapsed = Duration::ZERO;
            for round in 0..rounds as usize {
                let before: Vec<VoxelId> = positions.iter().map(|&at| store.get(at)).collect();
                let start = Instant::now();
                for (k, &at) in positions.iter().enumerate() {
                    store.set(at, (1 + (k + round) % 36) as VoxelId);
                }
                elapsed += start.elapsed();
                for (&at, id) in positions.iter().zip(before).rev() {
                    store.set(at, id);
                }
            }
            elapsed
        });
    });
    group.finish();
}

fn stores(c: &mut Criterion) {
    let input = zero_fps_world();
    bench_store::<FlatArray>(c, &input);
    bench_store::<VirtualArray>(c, &input);
    bench_store::<Octree>(c, &input);
    bench_store::<RowPacked>(c, &input);
    bench_store::<PaletteStore>(c, &input);
    bench_store::<IntervalTree>(c, &input);
    bench_store::<RunTreeStore>(c, &input);
}

/// Builds run trees of all non-uniform chunks of a terrain, from runs and from the encoded forms of
/// the map file. Each tree is dropped at once, so that the next reuses its memory; otherwise the
/// larger arrays would also pay for new pages.
fn build_trees(c: &mut Criterion) {
    let world = generated_world(5, TerrainKind::Continents, 6, 3);
    let chunks: Vec<Chunk> =
        world.chunks().map(|(_, c)| c.clone()).filter(|c| c.as_uniform().is_none()).collect();
    let runs: Vec<Vec<(u32, Voxel)>> =
        chunks.iter().map(|c| c.runs().map(|run| (run.len, run.voxel)).collect()).collect();
    let bytes: Vec<Vec<u8>> = chunks.iter().map(byte_rle::encode).collect();
    let packed: Vec<Vec<u8>> = bytes.iter().map(|bytes| lz4_flex::block::compress(bytes)).collect();
    let dense: Vec<Vec<u16>> =
        chunks.iter().map(|c| (0..32768).map(|i| c.get(i).material()).collect()).collect();
    let materials = MaterialTable::builtin().len();
    println!(
        "{} chunks of {} runs",
        chunks.len(),
        runs.iter().map(Vec::len).sum::<usize>() / chunks.len()
    );
    let mut group = c.benchmark_group(format!("{} chunks of terrain", chunks.len()));
    group.sample_size(20).warm_up_time(Duration::from_secs(1));
    group.bench_function("copy a dense array", |b| {
        b.iter(|| dense.iter().map(|voxels| black_box(voxels.clone()).len()).sum::<usize>())
    });
    let tree_from_runs = |runs: &Vec<(u32, Voxel)>| {
        let mut builder = RunBuilder::new();
        for &(len, voxel) in runs {
            builder.push(len, voxel);
        }
        builder.finish()
    };
    let tree_from_bytes =
        |bytes: &Vec<u8>| byte_rle::decode(bytes, materials).expect("valid bytes");
    group.bench_function("tree from runs", |b| {
        b.iter(|| {
            runs.iter().map(|runs| black_box(tree_from_runs(runs)).run_count()).sum::<usize>()
        });
    });
    group.bench_function("tree from byte-RLE", |b| {
        b.iter(|| {
            bytes.iter().map(|bytes| black_box(tree_from_bytes(bytes)).run_count()).sum::<usize>()
        });
    });
    group.bench_function("tree from byte-RLE in LZ4", |b| {
        b.iter(|| {
            let tree = |(packed, bytes): (&Vec<u8>, &Vec<u8>)| {
                tree_from_bytes(
                    &lz4_flex::block::decompress(packed, bytes.len()).expect("valid bytes"),
                )
            };
            packed.iter().zip(&bytes).map(|both| black_box(tree(both)).run_count()).sum::<usize>()
        });
    });
    // All arrays stay in memory, in new pages, as in a world.
    group.bench_function("copy and keep all dense arrays", |b| {
        b.iter_with_large_drop(|| dense.clone())
    });
    group.bench_function("keep all trees from runs", |b| {
        b.iter_with_large_drop(|| runs.iter().map(tree_from_runs).collect::<Vec<_>>())
    });
    group.bench_function("keep all trees from byte-RLE", |b| {
        b.iter_with_large_drop(|| bytes.iter().map(tree_from_bytes).collect::<Vec<_>>())
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = build_trees, stores
}
criterion_main!(benches);
