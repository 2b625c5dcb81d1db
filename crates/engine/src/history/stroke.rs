//! Strokes: voxels that are changed one after another and become one step.

use super::follow_up::RuleChange;
use super::{ChunkChange, EditStep};
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The changes of an open stroke.
///
/// Holds each chunk as it was before the stroke, so the step stays correct if chunks are unloaded.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenStroke {
    parts: FxHashMap<ChunkPos, StrokePart>,
    memory_bytes: usize,
    /// True if the last step of the history holds the stroke as it was at the last save.
    pub recorded: bool,
    /// True if the stroke has changes that the recorded step lacks.
    pub changed: bool,
}

/// The part of a stroke in one chunk.
#[derive(Clone, Debug)]
struct StrokePart {
    before: Chunk,
    /// The chunk after the last change by rules, or before the stroke if there was none.
    after: Chunk,
    /// Voxels changed since `after`, in order: index in the chunk, and new value.
    voxels: Vec<(u16, Voxel)>,
}

impl OpenStroke {
    /// Adds the change of one voxel. `chunk` is the voxel's chunk before the change.
    pub fn add(&mut self, at: IVec3, chunk: &Chunk, voxel: Voxel) {
        let part = self.parts.entry(ChunkPos::containing(at)).or_insert_with(|| {
            self.memory_bytes += size_of::<StrokePart>() + chunk.heap_bytes();
            StrokePart { before: chunk.clone(), after: chunk.clone(), voxels: Vec::new() }
        });
        part.voxels.push((linear_index(local(at)) as u16, voxel));
        self.memory_bytes += size_of::<(u16, Voxel)>();
        self.changed = true;
    }

    /// True if no voxel has been changed.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds a change by rules if the stroke has changed its chunk or a neighbour; otherwise returns
    /// false.
    pub fn follow(&mut self, (pos, [before, after]): &RuleChange) -> bool {
        if let Some(part) = self.parts.get_mut(pos) {
            part.voxels.clear();
            part.after = after.clone();
        } else if pos.moore_neighbourhood().any(|near| self.parts.contains_key(&near)) {
            self.memory_bytes += size_of::<StrokePart>() + before.heap_bytes() + after.heap_bytes();
            let part =
                StrokePart { before: before.clone(), after: after.clone(), voxels: Vec::new() };
            self.parts.insert(*pos, part);
        } else {
            return false;
        }
        self.changed = true;
        true
    }

    /// Approximate memory in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Returns the stroke as one step; `None` if every voxel has its old value again.
    pub(crate) fn to_step(&self, name: &str, unix: u64) -> Option<EditStep> {
        let change = |(pos, part): (&ChunkPos, &StrokePart)| {
            let mut after = part.after.clone();
            for &(index, voxel) in &part.voxels {
                after.set(usize::from(index), voxel);
            }
            ChunkChange::new(*pos, part.before.clone(), after)
        };
        EditStep::new(name, unix, self.parts.iter().filter_map(change).collect())
    }
}
