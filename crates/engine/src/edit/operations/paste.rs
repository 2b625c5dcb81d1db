//! Pastes of a clipboard, at one or several targets.

use crate::edit::clipboard::{Clipboard, ClipboardPart};
use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, MAX_CHUNKS, Mask, Operation};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::Chunk;
use glam::{I64Vec3, IVec3};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Options of a paste.
#[derive(Clone, PartialEq, Debug)]
pub struct PasteOptions {
    /// True if air of the clipboard replaces voxels of the world.
    pub with_air: bool,
    /// Mask of the voxels of the world that may be replaced.
    pub mask: Mask,
}

impl Default for PasteOptions {
    /// Options to paste all voxels, air included, over everything.
    fn default() -> PasteOptions {
        PasteOptions { with_air: true, mask: Mask::Any }
    }
}

/// An operation that pastes a clipboard at one or several targets. Where copies overlap, later ones
/// win.
#[derive(Clone, Debug)]
pub struct Paste {
    clipboard: Clipboard,
    /// Offset of each copy from the grid positions of the clipboard.
    moves: Vec<IVec3>,
    options: PasteOptions,
}

impl Paste {
    /// Paste of a clipboard with its origin at each of `targets`.
    ///
    /// # Errors
    /// The result lies in too many chunks.
    pub fn new(
        clipboard: Clipboard,
        targets: impl IntoIterator<Item = IVec3>,
        options: PasteOptions,
    ) -> Result<Paste, EditError> {
        let origin = clipboard.origin().as_i64vec3();
        // A difference that overflows leads out of the world, so the copy is left out.
        let moves =
            targets.into_iter().filter_map(|at| IVec3::try_from(at.as_i64vec3() - origin).ok());
        Paste::with_moves(clipboard, moves, options)
    }

    /// Paste of a clipboard with its grid positions moved by each of `moves`.
    ///
    /// # Errors
    /// The errors of [`Paste::new`].
    pub(super) fn with_moves(
        clipboard: Clipboard,
        moves: impl IntoIterator<Item = IVec3>,
        options: PasteOptions,
    ) -> Result<Paste, EditError> {
        // Each chunk of the clipboard overlaps at most eight chunks of the world.
        let max_chunks = 8 * clipboard.region().chunks().len() as u64;
        let mut paste = Paste { clipboard, moves: Vec::new(), options };
        let mut chunks = 0;
        for by in moves {
            let [low, high] = paste.chunk_span(by);
            chunks += (high - low).as_u64vec3().element_product().min(max_chunks);
            if chunks > MAX_CHUNKS {
                return Err(EditError::TooLarge);
            }
            paste.moves.push(by);
        }
        Ok(paste)
    }

    /// Box of chunks that the clipboard's bounding box overlaps after moving it by `by`: the lowest
    /// chunk position, and one past the highest.
    fn chunk_span(&self, by: IVec3) -> [I64Vec3; 2] {
        let Box3 { min, max } = self.clipboard.grid_bounds();
        let chunk = |voxel: IVec3| chunk_of(voxel.as_i64vec3() + by.as_i64vec3());
        if min == max { [I64Vec3::ZERO; 2] } else { [chunk(min), chunk(max - 1) + 1] }
    }

    /// Chunks of the world that the copy moved by `by` may change.
    fn chunks_of(&self, by: IVec3) -> impl Iterator<Item = ChunkPos> + '_ {
        let [low, high] = self.chunk_span(by);
        self.clipboard.region().chunks().flat_map(move |pos| {
            let moved = pos.origin().as_i64vec3() + by.as_i64vec3();
            let first = chunk_of(moved);
            let last = chunk_of(moved + i64::from(CHUNK_SIDE - 1));
            let first = first.max(low);
            let last = last.min(high - 1);
            (first.y..=last.y).flat_map(move |y| {
                (first.z..=last.z).flat_map(move |z| {
                    let pos = move |x| {
                        Some(ChunkPos::new(
                            i32::try_from(x).ok()?,
                            y.try_into().ok()?,
                            z.try_into().ok()?,
                        ))
                    };
                    (first.x..=last.x).filter_map(pos)
                })
            })
        })
    }

    /// Computes the chunk at `pos` after the paste.
    ///
    /// # Errors
    /// The mask depends on a chunk around `pos` that cannot be read.
    pub(super) fn pasted(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let mask = &self.options.mask;
        if mask.is_by_content() {
            return Ok(self.pasted_over(pos, chunk, mask));
        }
        mask.limited(pos, chunk, self.pasted_over(pos, chunk, &Mask::Any), world)
    }

    /// Chunk after pasting over voxels that `mask` accepts. `mask` must depend on content alone.
    fn pasted_over(&self, pos: ChunkPos, chunk: &Chunk, mask: &Mask) -> Chunk {
        let here = pos.as_ivec3().as_i64vec3();
        let mut after = chunk.clone();
        for &by in &self.moves {
            let [low, high] = self.chunk_span(by);
            if here.cmpge(low).all()
                && here.cmplt(high).all()
                && let Some(part) = self.clipboard.part(pos, by)
            {
                after = self.merged(&after, &part, mask);
            }
        }
        after
    }

    /// Chunk after pasting one part of the clipboard into it.
    fn merged(&self, chunk: &Chunk, part: &ClipboardPart, mask: &Mask) -> Chunk {
        let ClipboardPart { voxels, inside } = part;
        let with_air = &self.options.with_air;
        let is_whole = *mask == Mask::Any && inside.as_uniform() == Some(Region::INSIDE);
        if is_whole && (*with_air || voxels.values().all(|voxel| !voxel.is_air())) {
            return voxels.clone();
        }
        if !with_air && voxels.values().all(|voxel| voxel.is_air()) {
            return chunk.clone();
        }
        if *mask == Mask::Any
            && *with_air
            && let Some(pasted) = part.over(chunk)
        {
            return pasted;
        }
        let replaced = |range: Range<usize>| {
            let runs = chunk.runs_in(range).filter(|run| mask.accepts(run.voxel) == Some(true));
            runs.map(|run| run.start as usize..run.end() as usize)
        };
        let pasted = inside.stretches(voxels).filter(|(_, inside, voxel)| {
            *inside == Region::INSIDE && (*with_air || !voxel.is_air())
        });
        let pasted = pasted.map(|(range, _, voxel)| (range, voxel));
        let mut after = chunk.clone();
        match mask {
            Mask::Any => after.set_ranges(pasted),
            _ => after.set_ranges(
                pasted.flat_map(|(range, voxel)| replaced(range).map(move |range| (range, voxel))),
            ),
        }
        after
    }
}

/// Position of the chunk that contains a voxel, which may lie far outside the world.
fn chunk_of(voxel: I64Vec3) -> I64Vec3 {
    voxel.div_euclid(I64Vec3::splat(i64::from(CHUNK_SIDE)))
}

impl Operation for Paste {
    fn chunks(&self) -> Vec<ChunkPos> {
        let chunks = self.moves.iter().flat_map(|&by| self.chunks_of(by));
        match self.moves[..] {
            // On the chunk grid, each chunk of the clipboard lands in a single chunk, so there are
            // no duplicates.
            [by] if by % CHUNK_SIDE == IVec3::ZERO => chunks.collect(),
            _ => chunks.collect::<FxHashSet<ChunkPos>>().into_iter().collect(),
        }
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        self.pasted(pos, chunk, world)
    }
}
