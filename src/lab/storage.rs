//! The world that the text's table is of: "a very large procedurally generated level with many biomes", with "about 1 billion
//! non-empty voxels".
//!
//! Ours is the generator's land around where a player starts, as the game would draw it: a square of columns, each from as
//! far below to as far above the start as one sees. It grows ring by ring until it holds what was asked for, so that
//! it is the same on every machine, whatever its cores. It is kept in memory as run trees, as the game keeps it.

use crate::metrics::storage::{Sizer, Sizes};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::{Chunk, World};
use glam::IVec3;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Voxels that are not air, in the text's table.
pub const BILLION: u64 = 1_000_000_000;
/// The seed of the world that is measured.
const SEED: u64 = 5;
/// Chunks above and below the start's: those that the game draws at the view distance that it begins with (it loads one
/// more each way).
const REACH: i32 = 5;
/// No world is larger than this, in chunks from its middle: ten billion voxels need a tenth of it.
const MOST: i32 = 1500;

/// A world and what it costs.
pub struct Generated {
    /// All chunks.
    pub world: World,
    /// Their sizes.
    pub sizes: Sizes,
}

/// Makes land until it has `target` voxels that are not air, and the rest of the last ring, on all cores. `progress` is told
/// how many there are.
#[must_use]
pub fn generated(target: u64, progress: &mut dyn FnMut(u64)) -> Generated {
    let generator = Generator::new(SEED, TerrainKind::Continents, &MaterialTable::builtin());
    let start = ChunkPos::containing(generator.spawn().floor().as_ivec3());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut sizers: Vec<Sizer> = (0..cores).map(|_| Sizer::new()).collect();
    let mut made = Generated { world: World::new(), sizes: Sizes::default() };
    for radius in 0..MOST {
        if made.sizes.nonempty >= target {
            break;
        }
        let columns: Vec<ChunkPos> = ring(radius).map(|[x, z]| start.offset(IVec3::new(x, 0, z))).collect();
        for (pos, chunk, sizes) in chunks_of(&generator, &columns, &mut sizers) {
            made.world.insert(pos, chunk);
            made.sizes.add(&sizes);
        }
        progress(made.sizes.nonempty);
    }
    made
}

/// The edge of a square around 0, 0, in the order of a walk around it.
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

/// Makes and measures the chunks of `columns`, one thread for each of `sizers`.
fn chunks_of(generator: &Generator, columns: &[ChunkPos], sizers: &mut [Sizer]) -> Vec<(ChunkPos, Chunk, Sizes)> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for sizer in sizers {
            scope.spawn(|| {
                while let Some(&column) = columns.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let chunks: Vec<_> = (-REACH..=REACH)
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
    use crate::metrics::WorldStats;
    use std::collections::BTreeSet;

    #[test]
    fn rings_make_a_square() {
        for radius in 0..6 {
            let rings: Vec<_> = (0..=radius).flat_map(ring).collect();
            let places: BTreeSet<_> = rings.iter().copied().collect();
            let side = 2 * radius + 1;
            assert_eq!((rings.len() as i32, places.len() as i32), (side * side, side * side));
            assert!(places.iter().all(|at| at.iter().all(|part| part.abs() <= radius)));
            assert!(
                ring(radius).zip(ring(radius).skip(1)).all(|(a, b)| a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]) == 1)
            );
        }
    }

    #[test]
    fn a_small_world_is_whole_and_counted() {
        let mut told = Vec::new();
        let made = generated(1_000_000, &mut |n| told.push(n));
        let stats = WorldStats::from_world(&made.world);
        assert!(made.sizes.nonempty >= 1_000_000, "{}", made.sizes.nonempty);
        // One ring less was not enough.
        assert!(told.len() >= 2 && told[told.len() - 2] < 1_000_000 && told.last() == Some(&made.sizes.nonempty));
        let side = 2 * told.len() as u64 - 1;
        assert_eq!((made.sizes.chunks, stats.chunks), (side * side * 11, side * side * 11));
        let counted = [stats.voxels(), stats.sum.nonempty, stats.sum.runs, stats.sum.heap_bytes];
        assert_eq!(counted, [made.sizes.voxels, made.sizes.nonempty, made.sizes.runs, made.sizes.bytes[3]]);
        let mut sizer = Sizer::new();
        let mut again = Sizes::default();
        made.world.chunks().for_each(|(_, chunk)| again.add(&sizer.measure(chunk)));
        assert_eq!(again, made.sizes);
        let air = made.world.chunks().filter(|(_, chunk)| chunk.as_uniform().is_some_and(|v| v.is_air())).count();
        assert_eq!(air as u64, made.sizes.air);
    }
}
