//! Connected voxels, found by a flood that proceeds from chunk to chunk in waves.
//!
//! The chunks of a wave are flooded in parallel, each as rows of bits: one addition, whose carry
//! runs along the row, reaches a whole run of connected voxels. The bits reached at the faces are
//! then passed to the adjacent chunks, which form the next wave. A chunk is flooded again only if a
//! face brings voxels that it has not reached yet.

use super::by_mask::accepted_tree;
use super::spread::Spread;
use crate::edit::region::tree_bits::{ROWS, SIDE, is_empty, is_full, region_bits};
use crate::edit::region::{MAX_CHUNKS, Region};
use crate::edit::{ChunkSource, EditError, JobProgress, Mask};
use crate::runs::RunTree;
use crate::voxel::{Box3, ChunkPos, Face, Voxel};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// A chunk that the flood has reached. Both trees are regions' trees.
struct FloodedChunk {
    /// Voxels that the flood may enter.
    open: RunTree,
    /// Voxels that the flood has reached.
    reached: RunTree,
}

/// Entry of the flood into a chunk.
enum Inflow {
    /// Seeds in the chunk, as a region's tree.
    Seeds(RunTree),
    /// Face that the flood enters through, and the voxels that it reaches there, one bit each.
    Face(Face, [u32; SIDE]),
}

/// Result of flooding one chunk.
struct Visit {
    chunk: FloodedChunk,
    /// Newly reached voxels at the faces through which the flood leaves the chunk, one bit each.
    outflow: Vec<(Face, [u32; SIDE])>,
}

impl Region {
    /// Voxels of `within` that the mask accepts and that are connected with `start` across faces.
    /// Empty if `start` itself is not such a voxel.
    ///
    /// # Errors
    /// Fails if a chunk cannot be read, the job was cancelled, or the flood reaches too many
    /// chunks.
    pub fn connected(
        world: &dyn ChunkSource,
        start: IVec3,
        mask: &Mask,
        within: &Region,
        progress: &JobProgress,
    ) -> Result<Region, EditError> {
        let seeds = Region::from_shape(&Box3::spanning(start, start));
        Region::flooded(world, &seeds, mask, within, Spread::ALL, progress)
    }

    /// Voxels of `within` that the mask accepts and that a flood from `seeds` reaches. Seeds that
    /// are outside of `within`, or that the mask rejects, are ignored.
    ///
    /// # Errors
    /// The errors of [`Region::connected`].
    pub fn flooded(
        world: &dyn ChunkSource,
        seeds: &Region,
        mask: &Mask,
        within: &Region,
        spread: Spread,
        progress: &JobProgress,
    ) -> Result<Region, EditError> {
        let mut flooded: FxHashMap<ChunkPos, FloodedChunk> = FxHashMap::default();
        let mut wave: Vec<(ChunkPos, Vec<Inflow>)> = Vec::new();
        for (pos, tree) in seeds.trees().filter(|(pos, _)| within.has_chunk(*pos)) {
            wave.push((pos, vec![Inflow::Seeds(tree.clone())]));
        }
        while !wave.is_empty() {
            let visits = progress.map(&wave, |(pos, inflow)| {
                let known =
                    flooded.get(pos).map(|chunk| (chunk.open.clone(), chunk.reached.clone()));
                let (open, reached) = match known {
                    Some(known) => known,
                    None => {
                        let chunk = world.chunk(*pos)?;
                        // All chunks of a wave are in `within`, so the default is never used.
                        let open = match within.chunk(*pos) {
                            Some(tree) => accepted_tree(mask, *pos, &chunk, tree, world)?,
                            None => RunTree::uniform(Voxel::AIR),
                        };
                        (open, RunTree::uniform(Voxel::AIR))
                    }
                };
                Ok(visit(open, reached, inflow, spread))
            })?;
            let mut next: FxHashMap<ChunkPos, Vec<Inflow>> = FxHashMap::default();
            for ((pos, _), Visit { chunk, outflow }) in wave.iter().zip(visits) {
                for (face, bits) in outflow {
                    let to = pos.offset(face.normal());
                    if within.has_chunk(to) {
                        next.entry(to).or_default().push(Inflow::Face(face.opposite(), bits));
                    }
                }
                flooded.insert(*pos, chunk);
            }
            if flooded.len() as u64 > MAX_CHUNKS {
                return Err(EditError::TooManyChunks);
            }
            // Chunks that are already completely reached need no further visit.
            next.retain(|pos, _| flooded.get(pos).is_none_or(|chunk| chunk.reached != chunk.open));
            wave = next.into_iter().collect();
        }
        Ok(Region::from_chunks(flooded.into_iter().map(|(pos, chunk)| (pos, chunk.reached))))
    }
}

/// Floods one chunk from all entries.
fn visit(open: RunTree, before: RunTree, inflow: &[Inflow], spread: Spread) -> Visit {
    let nothing =
        |open, reached| Visit { chunk: FloodedChunk { open, reached }, outflow: Vec::new() };
    if is_empty(&open) {
        return nothing(open, before);
    }
    if is_full(&open) && is_empty(&before) && spread == Spread::ALL {
        let enters = inflow.iter().any(|inflow| match inflow {
            Inflow::Seeds(tree) => !is_empty(tree),
            Inflow::Face(_, words) => words.iter().any(|&word| word != 0),
        });
        if enters {
            let outflow = Face::ALL.map(|face| (face, [u32::MAX; SIDE])).to_vec();
            return Visit { chunk: FloodedChunk { reached: open.clone(), open }, outflow };
        }
    }
    let passable = region_bits(&open);
    let already = region_bits(&before);
    let mut reached = already.clone();
    for inflow in inflow {
        match inflow {
            Inflow::Seeds(tree) => reached = reached.zip(&region_bits(tree), |a, b| a | b),
            Inflow::Face(face, words) => reached.add_face(*face, words),
        }
    }
    reached = reached.zip(&passable, |a, b| a & b);
    if reached == already {
        return nothing(open, before);
    }
    flood(passable.rows(), reached.rows_mut(), spread);
    let new = reached.clone().zip(&already, |a, b| a & !b);
    let outflow = Face::ALL
        .into_iter()
        .filter(|&face| spread.crosses(face))
        .map(|face| (face, new.face(face)));
    let outflow = outflow.filter(|(_, words)| words.iter().any(|&word| word != 0)).collect();
    Visit { chunk: FloodedChunk { open, reached: reached.to_tree() }, outflow }
}

/// Spreads `reached` through `open` inside a chunk, in sweeps upwards and downwards until nothing
/// changes.
fn flood(open: &[u32; ROWS], reached: &mut [u32; ROWS], spread: Spread) {
    if spread.sideways {
        for row in 0..ROWS {
            reached[row] = along_row(open[row], reached[row]);
        }
    }
    loop {
        let mut has_changed = false;
        let mut add = |reached: &mut [u32; ROWS], row: usize, near: u32| {
            let new = near & open[row] & !reached[row];
            if new != 0 {
                let seeds = reached[row] | new;
                reached[row] = if spread.sideways { along_row(open[row], seeds) } else { seeds };
                has_changed = true;
            }
        };
        for row in 0..ROWS {
            let below = if spread.up && row >= SIDE { reached[row - SIDE] } else { 0 };
            let north = if spread.sideways && row % SIDE > 0 { reached[row - 1] } else { 0 };
            add(reached, row, below | north);
        }
        for row in (0..ROWS).rev() {
            let above = if spread.down && row + SIDE < ROWS { reached[row + SIDE] } else { 0 };
            let south = if spread.sideways && row % SIDE < SIDE - 1 { reached[row + 1] } else { 0 };
            add(reached, row, above | south);
        }
        if !has_changed {
            return;
        }
    }
}

/// All bits of those runs of `open` that contain a bit of `seeds`. `seeds` must be a subset of
/// `open`.
fn along_row(open: u32, seeds: u32) -> u32 {
    if seeds == 0 || seeds == open {
        return seeds;
    }
    // Adding a seed clears the bits from the seed to the upper end of its run, and the XOR turns
    // them into the reached bits. Further seeds of the same run are restored by the OR.
    let up = |open: u32, seeds: u32| (open.wrapping_add(seeds) ^ open) & open | seeds;
    let upper = up(open, seeds);
    up(open.reverse_bits(), upper.reverse_bits()).reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn row_is_filled_by_whole_runs() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let seed = random.draw() as u32;
            let open = seed | seed.rotate_left(7);
            let seeds = open & seed.rotate_left(13) & seed.rotate_left(22);
            let mut expected = seeds;
            for _ in 0..32 {
                expected |= (expected << 1 | expected >> 1) & open;
            }
            assert_eq!(along_row(open, seeds), expected, "{open:032b} {seeds:032b}");
        }
    }
}
