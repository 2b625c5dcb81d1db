//! Assignment of changes by rules to the steps that set them off.

use super::edit_step::EditStep;
use super::follow_up::{FollowUp, RuleChange};
use super::list::History;
use super::numbered_step::NumberedStep;
use crate::voxel::ChunkPos;
use std::collections::BTreeMap;

/// Maximum number of steps whose follow-ups are tracked. Changes that follow from older steps
/// belong to no step.
const MAX_FOLLOWED_STEPS: usize = 32;

impl History {
    /// Adds each change by rules to the latest step that changed its chunk or a neighbour, itself
    /// or by a follow-up. Other changes belong to no step and are not undone.
    pub fn follow(&mut self, changes: &[RuleChange]) {
        let stroke = self.stroke.as_mut().filter(|stroke| !stroke.is_empty());
        let mut rest: Vec<&RuleChange> = match stroke {
            Some(stroke) => changes.iter().filter(|change| !stroke.follow(change)).collect(),
            None => changes.iter().collect(),
        };
        self.changed |= self.stroke.as_ref().is_some_and(|stroke| stroke.changed);
        for follow_up in self.follow_ups.iter_mut().rev() {
            rest.retain(|change| {
                let follows = follow_up.is_near(change.0);
                if follows {
                    follow_up.add(change);
                }
                !follows
            });
            self.changed |= follow_up.is_unrecorded;
        }
    }

    /// Returns the number of the latest step from which a change in a chunk would follow; 0 if
    /// there is none.
    pub(crate) fn followed_step(&mut self, pos: ChunkPos) -> u64 {
        let near = self
            .follow_ups
            .iter_mut()
            .rev()
            .find_map(|follow_up| follow_up.is_near(pos).then_some(follow_up.number));
        near.unwrap_or(0)
    }

    /// Starts to track the follow-ups of a step that was just done and changed these chunks.
    pub(crate) fn begin_following(&mut self, number: u64, chunks: Vec<ChunkPos>) {
        self.follow_ups.retain(|follow_up| follow_up.number != number);
        let index = self.follow_ups.partition_point(|follow_up| follow_up.number < number);
        self.follow_ups.insert(index, FollowUp::new(number, chunks));
        if self.follow_ups.len() > MAX_FOLLOWED_STEPS {
            self.record_follow_up(0);
            self.follow_ups.remove(0);
        }
    }

    /// Continues to track follow-ups of steps of earlier sessions. `awake` gives chunks, each with
    /// the number of its step.
    pub(crate) fn resume_following(&mut self, awake: impl Iterator<Item = (ChunkPos, u64)>) {
        let mut chunks: BTreeMap<u64, Vec<ChunkPos>> = BTreeMap::new();
        for (pos, number) in awake {
            chunks.entry(number).or_default().push(pos);
        }
        for (number, chunks) in chunks {
            if self.done.binary_search_by_key(&number, |step| step.number).is_ok() {
                self.begin_following(number, chunks);
            }
        }
    }

    /// Stops tracking all follow-ups, because no rule will change the world any more.
    pub(crate) fn end_following(&mut self) {
        self.record_follow_ups();
        self.follow_ups.clear();
    }

    /// Stops tracking the follow-ups of a step that was undone or removed.
    pub(super) fn end_following_of(&mut self, number: u64) {
        self.follow_ups.retain(|follow_up| follow_up.number != number);
    }

    /// Rewrites all steps that lack some of their follow-ups.
    pub(super) fn record_follow_ups(&mut self) {
        // From the last to the first, because recording may remove an entry.
        for index in (0..self.follow_ups.len()).rev() {
            self.record_follow_up(index);
        }
    }

    fn record_follow_up(&mut self, index: usize) {
        let Some(follow_up) =
            self.follow_ups.get_mut(index).filter(|follow_up| follow_up.is_unrecorded)
        else {
            return;
        };
        let number = follow_up.number;
        let Ok(place) = self.done.binary_search_by_key(&number, |step| step.number) else { return };
        let handle = self.handle_of(&self.done[place]);
        // A step that cannot be read now is rewritten with the next save.
        let Ok(chunks) = handle.chunks() else { return };
        let merged = self.follow_ups[index].merge(&chunks);
        let are_whole = chunks.are_whole;
        self.follow_ups[index].is_unrecorded = false;
        let name = handle.step().name().to_owned();
        let unix = handle.step().unix();
        let surface = handle.step().surface();
        match EditStep::from_parts(name, unix, merged, are_whole, surface) {
            Some(step) => self.rewrite(place, step),
            // The follow-ups have restored every voxel, so a last step is removed. Below later
            // steps it stays as it is, and undoing it then changes nothing.
            None if place + 1 == self.done.len() => self.replace_last(number, None),
            None => {}
        }
    }

    /// Replaces a done step by another step with the same number.
    fn rewrite(&mut self, place: usize, step: EditStep) {
        let number = self.done[place].number;
        let outdated = std::mem::replace(&mut self.done[place], NumberedStep::new(number, step));
        self.memory_bytes -= outdated.memory;
        self.packed_bytes -= outdated.packed;
        let mut rewritten = self.done[place].clone();
        self.count(&mut rewritten);
        self.done[place] = rewritten;
        let unsettled = self.unsettled.partition_point(|&other| other < number);
        if self.unsettled.get(unsettled) != Some(&number) {
            self.unsettled.insert(unsettled, number);
        }
        self.rewritten.insert(number);
        self.rewrites += 1;
        self.changed = true;
    }
}
