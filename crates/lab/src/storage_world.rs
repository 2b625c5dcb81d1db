//! The generated world of the Roblox text's storage table: "a very large procedurally generated
//! level with many biomes" that has "about 1 billion non-empty voxels".
//!
//! The world is the terrain of Stonerun's generator around a player's start, as the game would draw
//! it: a square of columns, each as far below and above the start as the game draws. It grows ring
//! by ring until it holds the requested number of voxels, so it is the same on every machine and
//! for any number of cores. All chunks stay in memory as run trees.

use glam::IVec3;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use stonerun_engine::metrics::storage::{Sizer, Sizes};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{ChunkPos, MaterialTable};
use stonerun_engine::world::{Chunk, World};

/// Number of non-air voxels in the Roblox text's table.
pub const TEXT_NONEMPTY_VOXELS: u64 = 1_000_000_000;
/// Seed of the measured world.
const SEED: u64 = 5;
/// Number of chunks above and below the start's chunk: the vertical reach at the game's default
/// view distance.
const VERTICAL_REACH: i32 = 5;
/// Maximum radius of the world, in chunks. Ten billion voxels need a tenth of it.
const MAX_RADIUS: i32 = 1500;

/// A generated world and its size in each storage format.
pub struct StorageWorld {
    /// All chunks of the world.
    pub world: World,
    /// Size of the chunks in each storage format.
    pub sizes: Sizes,
}

impl StorageWorld {
    /// Generates rings of columns on all cores until the world has at least `target` non-air
    /// voxels. `progress` receives the number of voxels so far after each ring.
    #[must_use]
    pub fn generate(target: u64, progress: &mut dyn FnMut(u64)) -> StorageWorld {
        let generator = Generator::new(SEED, TerrainKind::Continents, &MaterialTable::builtin());
        let start = ChunkPos::containing(generator.spawn().floor().as_ivec3());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut sizers: Vec<Sizer> = (0..cores).map(|_| Sizer::new()).collect();
        let mut generated = StorageWorld { world: World::new(), sizes: Sizes::default() };
        for radius in 0..MAX_RADIUS {
            if generated.sizes.nonempty >= target {
                break;
            }
            let columns: Vec<ChunkPos> =
                ring(radius).map(|[x, z]| start.offset(IVec3::new(x, 0, z))).collect();
            for (pos, chunk, sizes) in generate_columns(&generator, &columns, &mut sizers) {
                generated.world.insert(pos, chunk);
                generated.sizes.add(&sizes);
            }
            progress(generated.sizes.nonempty);
        }
        generated
    }
}

/// Columns at the edge of a square around 0, 0, in the order of a walk around it.
fn ring(radius: i32) -> impl Iterator<Item = [i32; 2]> {
    let side = 0..if radius == 0 { 1 } else { 2 * radius };
    let edges = if radius == 0 { 1 } else { 4 };
    (0..edges).flat_map(move |edge| {
        side.clone().map(move |step| match edge {
            0 => [step - radius, -radius],
            1 => [radius, step - radius],
            2 => [radius - step, radius],
            _ => [-radius, radius - step],
        })
    })
}

/// Generates and measures the chunks of `columns`, on one thread per sizer.
fn generate_columns(
    generator: &Generator,
    columns: &[ChunkPos],
    sizers: &mut [Sizer],
) -> Vec<(ChunkPos, Chunk, Sizes)> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for sizer in sizers {
            scope.spawn(|| {
                while let Some(&column) = columns.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let chunks: Vec<_> = (-VERTICAL_REACH..=VERTICAL_REACH)
                        .map(|y| {
                            let pos = column.offset(IVec3::new(0, y, 0));
                            let chunk = generator.chunk(pos);
                            let sizes = sizer.measure(&chunk);
                            (pos, chunk, sizes)
                        })
                        .collect();
                    all.lock().unwrap_or_else(PoisonError::into_inner).extend(chunks);
                }
            });
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use stonerun_engine::metrics::WorldStats;

    #[test]
    fn rings_fill_a_square_without_overlap() {
        for radius in 0..6 {
            let columns: Vec<_> = (0..=radius).flat_map(ring).collect();
            let distinct: BTreeSet<_> = columns.iter().copied().collect();
            let side = 2 * radius + 1;
            assert_eq!((columns.len() as i32, distinct.len() as i32), (side * side, side * side));
            assert!(distinct.iter().all(|column| column.iter().all(|part| part.abs() <= radius)));
            assert!(
                ring(radius)
                    .zip(ring(radius).skip(1))
                    .all(|(a, b)| a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]) == 1)
            );
        }
    }

    #[test]
    fn generated_world_reaches_target_and_sums_its_sizes() {
        let mut reported = Vec::new();
        let generated = StorageWorld::generate(1_000_000, &mut |n| reported.push(n));
        let stats = WorldStats::from_world(&generated.world);
        assert!(generated.sizes.nonempty >= 1_000_000, "{}", generated.sizes.nonempty);
        // The ring before the last one did not reach the target.
        assert!(reported.len() >= 2 && reported[reported.len() - 2] < 1_000_000);
        assert_eq!(reported.last(), Some(&generated.sizes.nonempty));
        let side = 2 * reported.len() as u64 - 1;
        assert_eq!((generated.sizes.chunks, stats.chunks), (side * side * 11, side * side * 11));
        let counted = [stats.voxels(), stats.sum.nonempty, stats.sum.runs, stats.sum.heap_bytes];
        let sizes = &generated.sizes;
        assert_eq!(counted, [sizes.voxels, sizes.nonempty, sizes.runs, sizes.bytes[3]]);
        let mut sizer = Sizer::new();
        let mut recounted = Sizes::default();
        for (_, chunk) in generated.world.chunks() {
            recounted.add(&sizer.measure(chunk));
        }
        assert_eq!(recounted, generated.sizes);
        let air = generated
            .world
            .chunks()
            .filter(|(_, chunk)| chunk.as_uniform().is_some_and(|v| v.is_air()))
            .count();
        assert_eq!(air as u64, generated.sizes.air);
    }
}
