//! What follows from an edit: sand that falls, water that flows. It is undone with the edit.

use super::ChunkChange;
use super::edit_step::StepChunks;
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most chunks of a step whose changes are measured.
const MEASURED_CHUNKS: usize = 64;

/// Changes by rules that belong to the last step, until another edit is made.
#[derive(Clone, Debug)]
pub(super) struct FollowUp {
    /// Number of the step.
    pub number: u64,
    /// The chunks of the step as it was made.
    pub step: StepChunks,
    /// Chunks before and after all changes by rules.
    parts: FxHashMap<ChunkPos, [Chunk; 2]>,
    /// The chunks of the step and of `parts`, and those around them.
    nearby: FxHashSet<ChunkPos>,
    /// True if the step lacks some of the changes.
    pub is_unrecorded: bool,
}

impl FollowUp {
    pub fn new(number: u64, step: StepChunks) -> FollowUp {
        let (parts, nearby) = (FxHashMap::default(), FxHashSet::default());
        let mut follow_up = FollowUp { number, parts, nearby, step: step.clone(), is_unrecorded: false };
        step.changes.iter().for_each(|change| follow_up.add_nearby(change.pos));
        follow_up
    }

    /// Adds changes by rules, given as chunks before and after: those nearby.
    pub fn add(&mut self, changes: &[(ChunkPos, [Chunk; 2])]) {
        for (pos, [before, after]) in changes {
            if !self.nearby.contains(pos) {
                continue;
            }
            match self.parts.get_mut(pos) {
                Some([_, last]) => *last = after.clone(),
                None => {
                    self.parts.insert(*pos, [before.clone(), after.clone()]);
                    self.add_nearby(*pos);
                }
            }
            self.is_unrecorded = true;
        }
    }

    fn add_nearby(&mut self, pos: ChunkPos) {
        self.nearby.extend(pos.moore_neighbourhood());
    }

    /// The changes of the step and what has followed, as one change per chunk.
    pub fn merged(&self) -> Vec<ChunkChange> {
        let mut merged = Vec::with_capacity(self.step.changes.len() + self.parts.len());
        let mut others = self.parts.clone();
        // This runs in the frame of a save or of the next edit.
        let is_small = self.step.changes.len() + self.parts.len() <= MEASURED_CHUNKS;
        let make = if is_small { ChunkChange::new } else { ChunkChange::unmeasured };
        for change in self.step.changes.iter() {
            let Some([before, after]) = others.remove(&change.pos) else {
                merged.push(change.clone());
                continue;
            };
            // A step whose chunks are not whole knows its own voxels only.
            let before = if self.step.are_whole {
                change.before.clone()
            } else {
                change.reversed().rebased_on(before.clone()).map_or(before, |change| change.after)
            };
            merged.extend(make(change.pos, before, after));
        }
        merged.extend(others.into_iter().filter_map(|(pos, [before, after])| make(pos, before, after)));
        merged
    }
}
