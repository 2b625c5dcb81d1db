//! One edit: the patches of every changed chunk in one block of bytes, the same in memory and in
//! the map file.

use super::chunk_change::ChunkChange;
use super::chunk_patch::{self, ChunkPatch};
use super::{ApplyError, Direction, StepError};
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Approximate overhead of an allocation, with the counters of an [`Arc`].
const ALLOCATION_BYTES: usize = 16 + 2 * size_of::<usize>();

/// One edit that can be undone and redone. Cloning shares the bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditStep(Arc<[u8]>);

/// Records an edit: keeps the chunks that it may change as they are before.
pub struct EditRecorder {
    parts: Vec<RecordedPart>,
}

/// A chunk before an edit.
struct RecordedPart {
    pos: ChunkPos,
    /// Box around everything that the edit may change in the chunk.
    area: Box3,
    before: Chunk,
}

impl EditRecorder {
    /// Keeps the loaded chunks of the boxes that an edit changes. Chunks are shared, so nothing is
    /// copied.
    #[must_use]
    pub fn begin(world: &World, areas: impl IntoIterator<Item = Box3>) -> EditRecorder {
        let mut parts: Vec<RecordedPart> = Vec::new();
        let mut index_of: FxHashMap<ChunkPos, usize> = FxHashMap::default();
        for area in areas {
            for pos in world.positions_in(area) {
                let Some(before) = world.chunk(pos) else { continue };
                let area = area.intersection(pos.bounds());
                let index = *index_of.entry(pos).or_insert_with(|| {
                    parts.push(RecordedPart { pos, area, before: before.clone() });
                    parts.len() - 1
                });
                let union = &mut parts[index].area;
                *union = Box3 { min: union.min.min(area.min), max: union.max.max(area.max) };
            }
        }
        EditRecorder { parts }
    }

    /// The step between the recorded state and `world`; `None` if no voxel of the boxes changed.
    #[must_use]
    pub fn finish(self, world: &World) -> Option<EditStep> {
        let mut bytes = Vec::new();
        for RecordedPart { pos, area, before } in &self.parts {
            if let Some(after) = world.chunk(*pos) {
                chunk_patch::write(&mut bytes, *pos, *area, before, after);
            }
        }
        EditStep::from_written(bytes)
    }
}

impl EditStep {
    /// The step that replaces one voxel; `None` if both are equal.
    #[must_use]
    pub fn from_voxel(at: IVec3, before: Voxel, after: Voxel) -> Option<EditStep> {
        let (pos, area) = (ChunkPos::containing(at), Box3 { min: at, max: at + 1 });
        let [before, after] = [before, after].map(Chunk::uniform);
        let mut bytes = Vec::new();
        chunk_patch::write(&mut bytes, pos, area, &before, &after);
        EditStep::from_written(bytes)
    }

    /// The step of changed chunks; `None` without changes.
    #[must_use]
    pub fn from_changes(changes: &[ChunkChange]) -> Option<EditStep> {
        let mut bytes = Vec::new();
        for ChunkChange { pos, area, before, after, .. } in changes {
            chunk_patch::write(&mut bytes, *pos, *area, before, after);
        }
        EditStep::from_written(bytes)
    }

    /// The step of patches that were just written; `None` without patches.
    pub(super) fn from_written(bytes: Vec<u8>) -> Option<EditStep> {
        (!bytes.is_empty()).then(|| EditStep(bytes.into()))
    }

    /// Reads and checks a step of a map with `material_count` materials.
    ///
    /// # Errors
    /// The bytes are malformed, or two patches change the same chunk.
    pub fn from_bytes(bytes: Arc<[u8]>, material_count: usize) -> Result<EditStep, StepError> {
        let (mut at, mut seen) = (0, FxHashSet::default());
        while at < bytes.len() {
            let (patch, next) = ChunkPatch::read(&bytes, at)?;
            let pos = patch.pos();
            // Applying a patch allocates a chunk. Without this check a few bytes could ask for very
            // many copies of one chunk.
            if !seen.insert(pos) {
                return Err(StepError::DuplicateChunk { pos });
            }
            patch.check(material_count).map_err(|source| StepError::Voxels { pos, source })?;
            at = next;
        }
        Ok(EditStep(bytes))
    }

    /// The step with a palette of no materials before the edit: it cannot be undone. No checked
    /// step is like that.
    #[cfg(test)]
    pub(crate) fn with_damaged_voxels(&self) -> EditStep {
        let mut bytes = self.0.to_vec();
        bytes[chunk_patch::HEADER_BYTES..][..2].fill(0);
        EditStep(bytes.into())
    }

    /// The encoded patches.
    #[must_use]
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.0
    }

    /// The patches, one per changed chunk.
    pub fn patches(&self) -> impl Iterator<Item = ChunkPatch<'_>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            // Fails only at the end: construction wrote or checked every patch.
            let (patch, next) = ChunkPatch::read(&self.0, at).ok()?;
            at = next;
            Some(patch)
        })
    }

    /// Approximate memory in bytes, allocator overhead included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.0.len() + ALLOCATION_BYTES
    }

    /// Undoes or redoes the edit in `world`. Atomic: on an error the world is unchanged.
    ///
    /// # Errors
    /// A chunk is not loaded, or a patch is malformed.
    pub fn apply(&self, world: &mut World, direction: Direction) -> Result<(), ApplyError> {
        let patched = |patch: ChunkPatch<'_>| {
            let pos = patch.pos();
            let chunk = world.chunk(pos).ok_or(ApplyError::NotLoaded { pos })?;
            let chunk = patch.apply_to(chunk, direction).map_err(|source| ApplyError::Voxels { pos, source })?;
            Ok((pos, chunk))
        };
        let chunks: Vec<(ChunkPos, Chunk)> = self.patches().map(patched).collect::<Result<_, _>>()?;
        chunks.into_iter().for_each(|(pos, chunk)| drop(world.insert(pos, chunk)));
        Ok(())
    }
}
