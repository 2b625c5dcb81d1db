//! One edit: the patches of all chunks that it changed, in one block of bytes, as memory and the map file hold it.

use super::patch::{self, Patch, Side};
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What an allocation takes beside its content, about, and the counts of an [`Arc`].
const ALLOCATION: usize = 16 + 2 * size_of::<usize>();

/// One edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step(Arc<[u8]>);

/// Chunks as they are before an edit.
pub struct Draft {
    area: Box3,
    chunks: Vec<(ChunkPos, Chunk)>,
}

impl Draft {
    /// Notes what is loaded of `area`. Chunks are shared, so that this copies none.
    #[must_use]
    pub fn of(world: &World, area: Box3) -> Draft {
        let loaded = |pos: ChunkPos| world.chunk(pos).map(|chunk| (pos, chunk.clone()));
        Draft { area, chunks: world.positions_in(area).into_iter().filter_map(loaded).collect() }
    }

    /// The step, now that the edit is done; none if it changed nothing.
    #[must_use]
    pub fn finish(self, world: &World) -> Option<Step> {
        let mut bytes = Vec::new();
        for (pos, before) in &self.chunks {
            if let Some(after) = world.chunk(*pos) {
                patch::write(&mut bytes, *pos, self.area, before, after);
            }
        }
        (!bytes.is_empty()).then(|| Step(bytes.into()))
    }
}

impl Step {
    /// That one voxel became another; none if it did not.
    #[must_use]
    pub fn of_voxel(at: IVec3, before: Voxel, after: Voxel) -> Option<Step> {
        let (pos, area) = (ChunkPos::containing(at), Box3 { min: at, max: at + 1 });
        let [before, after] = [before, after].map(Chunk::uniform);
        let mut bytes = Vec::new();
        patch::write(&mut bytes, pos, area, &before, &after);
        (!bytes.is_empty()).then(|| Step(bytes.into()))
    }

    /// The step out of a map whose material table has so many entries.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(bytes: Arc<[u8]>, materials: usize) -> Result<Step, String> {
        let (mut rest, mut seen) = (&bytes[..], FxHashSet::default());
        while !rest.is_empty() {
            let (patch, after) = Patch::read(rest)?;
            // Applied, each takes a chunk of its own: few bytes would make very many copies of the same.
            if !seen.insert(patch.pos()) {
                return Err(format!("chunk {}: it is there twice", patch.pos()));
            }
            patch.check(materials).map_err(|e| format!("chunk {}: {e}", patch.pos()))?;
            rest = after;
        }
        Ok(Step(bytes))
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.0
    }

    /// What it did, chunk by chunk.
    pub fn patches(&self) -> impl Iterator<Item = Patch<'_>> {
        let mut rest = &self.0[..];
        std::iter::from_fn(move || {
            // There is one as long as bytes are left: they were written, or read, as patches.
            let (patch, after) = Patch::read(rest).ok()?;
            rest = after;
            Some(patch)
        })
    }

    /// Bytes of memory, with what the allocator takes for itself, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.0.len() + ALLOCATION
    }

    /// Makes all that it changed as it was on one side of the edit. On an error nothing was done.
    ///
    /// # Errors
    /// One line: a chunk is not loaded, or a patch is bad.
    pub fn apply(&self, world: &mut World, side: Side) -> Result<(), String> {
        let made = |patch: Patch<'_>| {
            let pos = patch.pos();
            let chunk = world.chunk(pos).ok_or_else(|| format!("chunk {pos} is not loaded"))?;
            patch.applied(chunk, side).map(|chunk| (pos, chunk)).map_err(|e| format!("chunk {pos}: {e}"))
        };
        let all: Vec<(ChunkPos, Chunk)> = self.patches().map(made).collect::<Result<_, String>>()?;
        all.into_iter().for_each(|(pos, chunk)| drop(world.insert(pos, chunk)));
        Ok(())
    }
}
