//! Follow-ups of an edit: changes by rules that it set off, such as falling sand and flowing water.
//! They are undone with the edit.

use super::ChunkChange;
use super::edit_step::StepChunks;
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of chunks for which a merged step measures its changes. Measuring walks all
/// runs, and a merge may run in a frame.
const MAX_MEASURED_CHUNKS: usize = 64;

/// A chunk that rules have changed, before and after.
pub(super) type RuleChange = (ChunkPos, [Chunk; 2]);

/// Changes by rules that follow one step.
#[derive(Clone, Debug)]
pub(super) struct FollowUp {
    /// Number of the step.
    pub number: u64,
    /// Chunks whose neighbours are not in `nearby` yet.
    new_chunks: Vec<ChunkPos>,
    /// The chunks of the step and of `parts`, and their neighbours.
    nearby: FxHashSet<ChunkPos>,
    /// Each chunk that rules changed, before the first and after the last of these changes.
    parts: FxHashMap<ChunkPos, [Chunk; 2]>,
    /// True if the recorded step lacks some of the changes.
    pub(crate) is_unrecorded: bool,
}

impl FollowUp {
    /// Creates the follow-ups of step `number`, which changed `chunks`; there are no changes yet.
    pub fn new(number: u64, chunks: Vec<ChunkPos>) -> FollowUp {
        FollowUp {
            number,
            new_chunks: chunks,
            nearby: FxHashSet::default(),
            parts: FxHashMap::default(),
            is_unrecorded: false,
        }
    }

    /// True if changes in a chunk follow from the step, because the step or one of its follow-ups
    /// has changed the chunk or a neighbour of it.
    pub fn is_near(&mut self, pos: ChunkPos) -> bool {
        // Neighbours are collected here, at the first query after rules have run or for a save, so
        // that an edit of thousands of chunks need not wait for it.
        for chunk in std::mem::take(&mut self.new_chunks) {
            self.nearby.extend(chunk.moore_neighbourhood());
        }
        self.nearby.contains(&pos)
    }

    /// Adds a change in a chunk for which [`FollowUp::is_near`] is true.
    pub fn add(&mut self, (pos, [before, after]): &RuleChange) {
        match self.parts.get_mut(pos) {
            Some([_, last]) => *last = after.clone(),
            None => {
                self.parts.insert(*pos, [before.clone(), after.clone()]);
                self.new_chunks.push(*pos);
            }
        }
        self.is_unrecorded = true;
    }

    /// Merges the changes of `step`, as the history holds it, with its follow-ups: one change per
    /// chunk.
    pub fn merge(&mut self, step: &StepChunks) -> Vec<ChunkChange> {
        let mut merged = Vec::with_capacity(step.changes.len() + self.parts.len());
        let mut others = self.parts.clone();
        // This runs in the frame of a save or of the next edit.
        let is_small = step.changes.len() + self.parts.len() <= MAX_MEASURED_CHUNKS;
        let make = if is_small { ChunkChange::new } else { ChunkChange::unmeasured };
        for change in step.changes.iter() {
            let Some([before, after]) = others.remove(&change.pos) else {
                merged.push(change.clone());
                continue;
            };
            // A step whose chunks are not whole has only the voxels that it changed; the others
            // come from the world.
            let before = if step.are_whole {
                change.before.clone()
            } else {
                change.reversed().rebased_on(before.clone()).map_or(before, |change| change.after)
            };
            // The merged step lacks voxels that regained their old value, so the next merge must
            // not find such a voxel in the part either.
            self.parts.insert(change.pos, [before.clone(), after.clone()]);
            merged.extend(make(change.pos, before, after));
        }
        merged.extend(
            others.into_iter().filter_map(|(pos, [before, after])| make(pos, before, after)),
        );
        merged
    }
}
