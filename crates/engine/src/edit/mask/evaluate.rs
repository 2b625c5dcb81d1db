//! Evaluation of masks for the voxels of a chunk.

use super::{Mask, slope};
use crate::edit::position_noise::unit;
use crate::edit::region::Region;
use crate::edit::region::chunk_bits::ChunkBits;
use crate::edit::{ChunkSource, EditError};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Face, Voxel, linear_offset};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;

impl Mask {
    /// Voxels of a region in the chunk at `pos` that the mask accepts, as ranges of linear order.
    /// `chunk` is the chunk at `pos`; `world` gives access to the chunks around it.
    ///
    /// # Errors
    /// Fails if a chunk around `pos` cannot be read.
    pub fn ranges(
        &self,
        region: &Region,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Vec<Range<usize>>, EditError> {
        if self.is_by_content() {
            let runs = region.ranges(pos).flat_map(|range| chunk.runs_in(range));
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for run in runs.filter(|run| self.accepts(run.voxel) == Some(true)) {
                match ranges.last_mut().filter(|last| last.end == run.start as usize) {
                    Some(last) => last.end = run.end() as usize,
                    None => ranges.push(run.start as usize..run.end() as usize),
                }
            }
            return Ok(ranges);
        }
        let within = ChunkBits::from_ranges(region.ranges(pos));
        Ok(self.accepted(pos, chunk, world, &within)?.ranges().collect())
    }

    /// Limits a change of a chunk to the mask: restores the voxels of `before` where the mask
    /// rejects them.
    ///
    /// # Errors
    /// Fails if a chunk around `pos` cannot be read.
    pub fn limited(
        &self,
        pos: ChunkPos,
        before: &Chunk,
        after: Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        if *self == Mask::Any || after == *before {
            return Ok(after);
        }
        let mut kept = ChunkBits::from_ranges(before.differing_ranges(&after));
        let accepted = self.accepted(pos, before, world, &kept)?;
        kept.subtract(&accepted);
        let mut limited = after;
        let runs = kept.ranges().flat_map(|range| before.runs_in(range));
        limited.set_ranges(runs.map(|run| (run.start as usize..run.end() as usize, run.voxel)));
        Ok(limited)
    }

    /// Voxels of `within` in the chunk at `pos` that the mask accepts. `chunk` is the chunk at
    /// `pos`; `world` gives access to the chunks around it.
    ///
    /// # Errors
    /// Fails if a chunk around `pos` cannot be read.
    pub fn accepted(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
        within: &ChunkBits,
    ) -> Result<ChunkBits, EditError> {
        let chunks = RefCell::new(FxHashMap::from_iter([(pos, chunk.clone())]));
        Evaluation { world, chunks }.accepted(self, pos, within)
    }
}

/// Evaluation of a mask for one chunk. Caches the chunks around it, so that each is read once.
struct Evaluation<'a> {
    world: &'a dyn ChunkSource,
    chunks: RefCell<FxHashMap<ChunkPos, Chunk>>,
}

impl Evaluation<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        if let Some(chunk) = self.chunks.borrow().get(&pos) {
            return Ok(chunk.clone());
        }
        let chunk = self.world.chunk(pos)?;
        self.chunks.borrow_mut().insert(pos, chunk.clone());
        Ok(chunk)
    }

    /// Voxels of `within` in the chunk at `pos` that a mask accepts.
    fn accepted(
        &self,
        mask: &Mask,
        pos: ChunkPos,
        within: &ChunkBits,
    ) -> Result<ChunkBits, EditError> {
        if within.is_empty() {
            return Ok(ChunkBits::empty());
        }
        if mask.is_by_content() {
            return Ok(by_content(mask, &self.chunk(pos)?, within));
        }
        let at = |index: usize| pos.origin() + linear_offset(index);
        let chosen = |is_chosen: &dyn Fn(IVec3) -> bool| {
            let indices = within.indices().filter(|&index| is_chosen(at(index)));
            ChunkBits::from_ranges(indices.map(|index| index..index + 1))
        };
        let common = |mut bits: ChunkBits| {
            bits.intersect(within);
            bits
        };
        Ok(match mask {
            Mask::Not(mask) => {
                let rejected = self.accepted(mask, pos, within)?;
                without(within, &rejected)
            }
            Mask::All(masks) => {
                // Cheap masks come first, so that costly masks are evaluated for fewer voxels.
                let (cheap, costly): (Vec<&Mask>, Vec<&Mask>) =
                    masks.iter().partition(|mask| mask.is_by_content());
                let mut left = within.clone();
                for mask in cheap.into_iter().chain(costly) {
                    left = self.accepted(mask, pos, &left)?;
                }
                left
            }
            Mask::AnyOf(masks) => {
                let mut left = within.clone();
                for mask in masks {
                    left.subtract(&self.accepted(mask, pos, &left)?);
                }
                without(within, &left)
            }
            Mask::Neighbour { faces, mask } => {
                let mut left = within.clone();
                for &face in faces {
                    left.subtract(&self.with_neighbour(mask, face, pos, &left)?);
                }
                without(within, &left)
            }
            Mask::Heights(heights) => {
                let bounds = pos.bounds();
                let layers = Box3 {
                    min: bounds.min.with_y(heights.start),
                    max: bounds.max.with_y(heights.end),
                };
                common(ChunkBits::from_box(pos, layers))
            }
            Mask::Inside(area) => common(ChunkBits::from_box(pos, *area)),
            Mask::Region(region) => common(ChunkBits::from_ranges(region.ranges(pos))),
            Mask::Moved { region, by } => common(region.moved_bits(pos, *by)),
            Mask::Shape(shape) => common(shape.bits(pos)),
            Mask::Lines(lines) => common(ChunkBits::from_ranges(lines.region()?.ranges(pos))),
            Mask::Share { share, seed } => chosen(&|at| unit(*seed, at) < *share),
            Mask::Noise { noise, values: [from, below] } => {
                chosen(&|at| (*from..*below).contains(&noise.at(at)))
            }
            Mask::Slope { degrees, ground } => {
                let ground =
                    slope::GroundRows::read(pos, |pos, within| self.accepted(ground, pos, within))?;
                let indices = within
                    .indices()
                    .filter(|&index| ground.has_slope(linear_offset(index), *degrees));
                ChunkBits::from_ranges(indices.map(|index| index..index + 1))
            }
            // Masks that depend on content alone are handled above.
            Mask::Any | Mask::Materials(_) | Mask::Voxels(_) | Mask::Wet | Mask::Full => {
                within.clone()
            }
        })
    }

    /// Voxels of `within` whose neighbour across `face` a mask accepts.
    fn with_neighbour(
        &self,
        mask: &Mask,
        face: Face,
        pos: ChunkPos,
        within: &ChunkBits,
    ) -> Result<ChunkBits, EditError> {
        let (inside, outside) = within.moved(face);
        let inside = self.accepted(mask, pos, &inside)?;
        let outside = self.accepted(mask, pos.offset(face.normal()), &outside)?;
        let mut found = inside.moved(face.opposite()).0;
        found.unite(&outside.moved(face.opposite()).1);
        Ok(found)
    }
}

/// Voxels of `all` that are not in `removed`.
fn without(all: &ChunkBits, removed: &ChunkBits) -> ChunkBits {
    let mut left = all.clone();
    left.subtract(removed);
    left
}

/// Voxels of `within` that a mask accepts which depends on content alone.
fn by_content(mask: &Mask, chunk: &Chunk, within: &ChunkBits) -> ChunkBits {
    let accepted: Vec<bool> =
        chunk.values().map(|voxel: Voxel| mask.accepts(voxel) == Some(true)).collect();
    if accepted.iter().all(|accepted| *accepted) {
        return within.clone();
    }
    let mut bits = ChunkBits::empty();
    if accepted.contains(&true) {
        chunk.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            if accepted[code] {
                bits.insert(start..end);
            }
        });
        bits.intersect(within);
    }
    bits
}
