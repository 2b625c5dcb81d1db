//! What follows from an edit: sand that falls, water that flows. It is undone with the edit.

use super::edit_step::{EditStep, StepChunks};
use super::{ChunkChange, History};
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Changes by rules that belong to the last step, until another edit is made.
#[derive(Clone, Debug)]
pub(super) struct FollowUp {
    /// Number of the step.
    number: u64,
    /// The chunks of the step as it was made.
    step: StepChunks,
    /// Chunks before and after all changes by rules.
    parts: FxHashMap<ChunkPos, [Chunk; 2]>,
    /// The chunks of the step and of `parts`, and those around them.
    nearby: FxHashSet<ChunkPos>,
    /// True if the step lacks some of the changes.
    is_unrecorded: bool,
}

impl FollowUp {
    fn new(number: u64, step: StepChunks) -> FollowUp {
        let (parts, nearby) = (FxHashMap::default(), FxHashSet::default());
        let mut follow_up = FollowUp { number, parts, nearby, step: step.clone(), is_unrecorded: false };
        step.changes.iter().for_each(|change| follow_up.add_nearby(change.pos));
        follow_up
    }

    fn add_nearby(&mut self, pos: ChunkPos) {
        self.nearby.extend(pos.moore_neighbourhood());
    }

    /// The changes of the step and what has followed, as one change per chunk.
    fn merged(&self) -> Vec<ChunkChange> {
        let mut merged = Vec::with_capacity(self.step.changes.len() + self.parts.len());
        let mut others = self.parts.clone();
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
            merged.extend(ChunkChange::new(change.pos, before, after));
        }
        merged.extend(others.into_iter().filter_map(|(pos, [before, after])| ChunkChange::new(pos, before, after)));
        merged
    }
}

impl History {
    /// Adds changes by rules to the last step, as long as nothing was undone since: those in its
    /// chunks and next to them, and next to such changes in turn. Others are not undone with it.
    pub fn follow(&mut self, changes: &[(ChunkPos, [Chunk; 2])]) {
        if let Some(stroke) = self.stroke.as_mut().filter(|stroke| !stroke.is_empty()) {
            stroke.follow(changes);
            self.changed |= stroke.changed;
            return;
        }
        let Some(step) = self.done.back().filter(|_| self.undone.is_empty()) else { return };
        if self.follow_up.as_ref().is_none_or(|follow_up| follow_up.number != step.number) {
            // Steps of earlier sessions are only in the map; what follows from them has followed.
            let Some(chunks) = step.step.chunks() else { return };
            self.follow_up = Some(FollowUp::new(step.number, chunks));
        }
        let Some(follow_up) = &mut self.follow_up else { return };
        for (pos, [before, after]) in changes {
            if !follow_up.nearby.contains(pos) {
                continue;
            }
            match follow_up.parts.get_mut(pos) {
                Some([_, last]) => *last = after.clone(),
                None => {
                    follow_up.parts.insert(*pos, [before.clone(), after.clone()]);
                    follow_up.add_nearby(*pos);
                }
            }
            follow_up.is_unrecorded = true;
            self.changed = true;
        }
    }

    /// Writes what has followed into the last step.
    pub(super) fn record_follow_up(&mut self) {
        let Some(follow_up) = self.follow_up.as_mut().filter(|follow_up| follow_up.is_unrecorded) else { return };
        follow_up.is_unrecorded = false;
        let merged = follow_up.merged();
        let Some(step) = self.done.back().filter(|step| step.number == follow_up.number) else { return };
        let (name, unix, number) = (step.step.name().to_owned(), step.step.unix(), step.number);
        // What followed may have restored every voxel.
        let step = EditStep::from_chunks(name, unix, merged, follow_up.step.are_whole);
        self.replace_last(number, step);
    }
}
