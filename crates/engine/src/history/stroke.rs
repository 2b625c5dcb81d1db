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
    /// Sum of [`StrokePart::memory_bytes`] of `parts`.
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

impl StrokePart {
    /// Approximate memory in bytes. Counts runs once that both chunks share.
    fn memory_bytes(&self) -> usize {
        let after = if self.after.shares_runs(&self.before) { 0 } else { self.after.heap_bytes() };
        let voxels = size_of_val(&self.voxels[..]);
        size_of::<StrokePart>() + self.before.heap_bytes() + after + voxels
    }
}

impl OpenStroke {
    /// Adds the change of one voxel. `chunk` is the voxel's chunk before the change.
    pub fn add(&mut self, at: IVec3, chunk: &Chunk, voxel: Voxel) {
        let part = self.parts.entry(ChunkPos::containing(at)).or_insert_with(|| {
            let part =
                StrokePart { before: chunk.clone(), after: chunk.clone(), voxels: Vec::new() };
            self.memory_bytes += part.memory_bytes();
            part
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
            self.memory_bytes -= part.memory_bytes();
            part.voxels = Vec::new();
            part.after = after.clone();
            self.memory_bytes += part.memory_bytes();
        } else if pos.moore_neighbourhood().any(|near| self.parts.contains_key(&near)) {
            let part =
                StrokePart { before: before.clone(), after: after.clone(), voxels: Vec::new() };
            self.memory_bytes += part.memory_bytes();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_stroke_depends_on_its_parts_and_not_on_the_changes_by_rules() {
        let striped = |offset: u16| {
            Chunk::from_runs((0..512).map(|run| (64, Voxel::full(1 + (run + offset) % 7))))
        };
        let stroke_after = |rounds: u16| {
            let mut stroke = OpenStroke::default();
            for round in 0..rounds {
                for x in 0..32 {
                    stroke.add(IVec3::new(x, 0, 0), &striped(0), Voxel::full(9));
                }
                // One chunk that the stroke has changed, and one next to it.
                for x in 0..2 {
                    let change = [striped(round), striped(round + 1)];
                    assert!(stroke.follow(&(ChunkPos::new(x, 0, 0), change)));
                }
            }
            stroke
        };
        let memory = stroke_after(1).memory_bytes();
        assert!(memory > 4 * striped(0).heap_bytes(), "{memory}");
        for rounds in [2, 50] {
            let mut stroke = stroke_after(rounds);
            assert_eq!(stroke.memory_bytes(), memory);
            stroke.add(IVec3::ZERO, &striped(0), Voxel::full(9));
            let parts: usize = stroke.parts.values().map(StrokePart::memory_bytes).sum();
            assert_eq!(stroke.memory_bytes(), parts);
        }
    }
}
