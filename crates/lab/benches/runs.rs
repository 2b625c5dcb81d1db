//! The run tree and the Moore walk, compared with a flat array of the same voxels.
//!
//! The flat array has every advantage: it is read in linear order, and its Moore walk reads a
//! padded copy, so that no neighbour needs a bounds check or an access to another chunk.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use stonerun_engine::runs::RunTree;
use stonerun_engine::runs::moore::{ChunkNeighbourhoodRef, Neighbourhood, walk};
use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel, linear_index, linear_offset};

/// Pseudorandom hash of a number.
fn hash(k: u32) -> u32 {
    let k = (k ^ k >> 16).wrapping_mul(0x7feb_352d);
    let k = (k ^ k >> 15).wrapping_mul(0x846c_a68b);
    k ^ k >> 16
}

/// A chunk of hills: stone covered with earth and grass, and a lake. Rugged hills are steeper and
/// have caves and ores, which makes enough runs for the packed form.
fn hills(rugged: bool) -> Vec<Voxel> {
    let voxel = |index| {
        let at = linear_offset(index);
        let steep = if rugged { 1.0 } else { 0.5 };
        let x = at.x as f32 * steep;
        let y = at.y;
        let z = at.z as f32 * steep;
        let top = 15.0 + 6.0 * (x * 0.2).sin() + 5.0 * (z * 0.17 + x * 0.05).cos();
        let cave = (x * 0.5).sin() + (z * 0.45).sin() + (y as f32 * 0.6).sin() > 1.9;
        let ore = hash((at.x / 2 + at.y / 2 * 64 + at.z / 2 * 4096) as u32) % 150;
        match top as i32 - y {
            below if below < 0 => {
                if y < 10 {
                    Voxel::full(5)
                } else {
                    Voxel::AIR
                }
            }
            0 => Voxel::full(4),
            1..3 => Voxel::full(3),
            _ if rugged && cave => Voxel::AIR,
            _ if rugged && ore < 2 => Voxel::full(6 + ore as u16),
            _ => Voxel::full(1),
        }
    };
    (0..CHUNK_VOLUME).map(voxel).collect()
}

fn tree_of(voxels: &[Voxel]) -> RunTree {
    RunTree::from_runs(voxels.iter().map(|&v| (1, v)))
}

/// Random linear indices, the same in every run.
fn indices() -> Vec<usize> {
    (0..4096).map(|k| hash(k) as usize % CHUNK_VOLUME).collect()
}

fn random_access(c: &mut Criterion) {
    let flat = hills(false);
    let indices = indices();
    let tree = tree_of(&flat);
    let packed = tree_of(&hills(true));
    for (name, tree) in [("hills", &tree), ("rugged hills", &packed)] {
        println!("{name}: {} runs, {} bytes", tree.run_count(), tree.heap_bytes());
    }
    println!("flat: {} bytes", flat.len() * size_of::<Voxel>());
    let mut group = c.benchmark_group("get 4096 random voxels");
    let read =
        |tree: &RunTree| indices.iter().map(|&i| u64::from(tree.get(i).material())).sum::<u64>();
    group.bench_function("runs", |b| b.iter(|| read(&tree)));
    group.bench_function("packed runs", |b| b.iter(|| read(&packed)));
    group.bench_function("flat", |b| {
        b.iter(|| indices.iter().map(|&i| u64::from(flat[i].material())).sum::<u64>())
    });
    group.finish();

    let mut group = c.benchmark_group("set 4096 random voxels");
    let value = |k: usize| Voxel::full(k as u16 % 5);
    let set_tree = |mut tree: RunTree| {
        for (k, &i) in indices.iter().enumerate() {
            tree.set(i, value(k));
        }
        tree
    };
    let set_flat = |mut flat: Vec<Voxel>| {
        for (k, &i) in indices.iter().enumerate() {
            flat[i] = value(k);
        }
        flat
    };
    group.bench_function("runs", |b| {
        b.iter_batched(|| tree.clone(), set_tree, BatchSize::LargeInput)
    });
    group.bench_function("packed runs", |b| {
        b.iter_batched(|| packed.clone(), set_tree, BatchSize::LargeInput)
    });
    group.bench_function("flat", |b| {
        b.iter_batched(|| flat.clone(), set_flat, BatchSize::LargeInput)
    });
    group.finish();
}

fn iteration(c: &mut Criterion) {
    let flat = hills(false);
    let tree = tree_of(&flat);
    let packed = tree_of(&hills(true));
    let mut group = c.benchmark_group("count non-air voxels");
    let in_runs =
        |tree: &RunTree| tree.runs().map(|r| if r.voxel.is_air() { 0 } else { r.len }).sum::<u32>();
    group.bench_function("runs", |b| b.iter(|| in_runs(black_box(&tree))));
    group.bench_function("packed runs", |b| b.iter(|| in_runs(black_box(&packed))));
    let in_flat = |flat: &[Voxel]| flat.iter().filter(|v| !v.is_air()).count();
    group.bench_function("flat", |b| b.iter(|| in_flat(black_box(&flat))));
    group.finish();
}

/// Visits the 27 voxels around each voxel, in a copy that is padded by one voxel on each side.
fn walk_flat(padded: &[Voxel], mut visit: impl FnMut(&Neighbourhood)) {
    const SIDE: usize = 34;
    for y in 0..32 {
        for z in 0..32 {
            for x in 0..32 {
                let around = std::array::from_fn(|i| {
                    padded[x + i % 3 + SIDE * (z + i / 3 % 3 + SIDE * (y + i / 9))]
                });
                visit(&around);
            }
        }
    }
}

fn moore(c: &mut Criterion) {
    let tree = tree_of(&hills(false));
    // All neighbours are the same hills.
    let chunks = ChunkNeighbourhoodRef { chunks: [Some(&tree); 27] };
    let padded: Vec<Voxel> = (0..34 * 34 * 34)
        .map(|i| [i, i / (34 * 34), i / 34].map(|k| (k % 34 + 31) % 32))
        .map(|at| tree.get(linear_index(at.into())))
        .collect();
    let mut runs = 0;
    walk(&chunks, ChunkNeighbourhoodRef::BOUNDS, |_| runs += 1);
    println!("hills: {runs} Moore runs");
    // The first question of a mesher: does any neighbour differ? `black_box` forces both walks to
    // produce all 27 voxels; otherwise the compiler would drop the reads that this question does
    // not need.
    let differs = |around: &Neighbourhood| {
        let around = black_box(around);
        u64::from(around.iter().any(|v| *v != around[13]))
    };
    let mut group = c.benchmark_group("Moore walk of a chunk");
    group.bench_function("runs", |b| {
        b.iter(|| {
            let mut sum = 0;
            walk(black_box(&chunks), ChunkNeighbourhoodRef::BOUNDS, |run| {
                sum += run.len * differs(&run.neighbourhood)
            });
            sum
        });
    });
    group.bench_function("flat", |b| {
        b.iter(|| {
            let mut sum = 0;
            walk_flat(black_box(&padded), |around| sum += differs(around));
            sum
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .without_plots();
    targets = random_access, iteration, moore
}
criterion_main!(benches);
