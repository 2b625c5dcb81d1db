//! Part of a clipboard in a chunk of the world, on or off the chunk grid.

use super::Clipboard;
use super::coded_chunk::CodedChunk;
use super::dense_chunk::DenseChunk;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, local};
use crate::world::Chunk;
use glam::IVec3;

/// Part of a clipboard that lies in one chunk.
pub(in crate::edit) struct ClipboardPart {
    /// Voxels of the chunk. Voxels outside of `inside` are undefined.
    pub voxels: Chunk,
    /// Voxels that belong to the clipboard, as a chunk of a
    /// [`Region`](crate::edit::region::Region).
    pub inside: Chunk,
}

impl Clipboard {
    /// Part of the clipboard in the chunk at `pos` when its grid positions are moved by `by`;
    /// `None` if no voxel lies in the chunk.
    pub(in crate::edit) fn part(&self, pos: ChunkPos, by: IVec3) -> Option<ClipboardPart> {
        // Wraps only for moves across the whole world, which lead to positions outside the world.
        let first = pos.origin().wrapping_sub(by);
        let inside = assemble(first, |pos| self.0.region.chunk(pos))?;
        let voxels =
            assemble(first, |pos| self.0.chunks.get(&pos)).unwrap_or(Chunk::uniform(Voxel::AIR));
        Some(ClipboardPart { voxels, inside })
    }
}

impl ClipboardPart {
    /// Copy of `chunk` overwritten by the voxels that belong to the clipboard; `None` if the result
    /// has more than 256 different voxels.
    pub(in crate::edit) fn over(&self, chunk: &Chunk) -> Option<Chunk> {
        let mut coded = CodedChunk::from_chunk(chunk)?;
        coded.overlay(&self.voxels, &self.inside).then(|| coded.to_chunk())
    }
}

/// Assembles the 32^3 voxels from `first` on from up to eight chunks; missing chunks are air.
/// `None` if all voxels are air.
fn assemble<'a>(first: IVec3, chunk: impl Fn(ChunkPos) -> Option<&'a Chunk>) -> Option<Chunk> {
    let base = ChunkPos::containing(first);
    let shift = local(first);
    if shift == IVec3::ZERO {
        return chunk(base).cloned();
    }
    // Bits 0, 1 and 2 of the number select the next chunk along x, y and z.
    let step = |number: i32| IVec3::new(number & 1, number >> 1 & 1, number >> 2);
    let used =
        (0..8).map(step).filter(|step| (shift.cmpne(IVec3::ZERO) | step.cmpeq(IVec3::ZERO)).all());
    let parts: Vec<(IVec3, Option<&Chunk>)> =
        used.map(|step| (step, chunk(base.offset(step)))).collect();
    let uniform = |part: &Option<&Chunk>| part.map_or(Some(Voxel::AIR), Chunk::as_uniform);
    if let Some(voxel) = uniform(&parts[0].1)
        && parts.iter().all(|(_, part)| uniform(part) == Some(voxel))
    {
        return (!voxel.is_air()).then_some(Chunk::uniform(voxel));
    }
    let boxes = parts.into_iter().filter_map(|(step, part)| {
        let is_next = step.cmpeq(IVec3::ONE);
        let low = IVec3::select(is_next, IVec3::ZERO, shift);
        let high = IVec3::select(is_next, shift, IVec3::splat(CHUNK_SIDE));
        let to = IVec3::select(is_next, CHUNK_SIDE - shift, IVec3::ZERO);
        part.map(|part| (part, low, high, to))
    });
    let mut coded = CodedChunk::air();
    let assembled = if boxes.clone().all(|(part, low, high, to)| coded.copy(part, low, high, to)) {
        coded.to_chunk()
    } else {
        let mut voxels = DenseChunk::filled(Voxel::AIR);
        for (part, low, high, to) in boxes {
            voxels.copy_matter(part, low, high, to);
        }
        voxels.to_chunk()
    };
    (assembled.as_uniform() != Some(Voxel::AIR)).then_some(assembled)
}
