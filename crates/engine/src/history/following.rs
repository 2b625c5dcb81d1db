//! Adds what follows from edits to their steps.

use super::edit_step::EditStep;
use super::follow_up::{FollowUp, RuleChange};
use super::list::History;
use super::numbered_step::NumberedStep;
use crate::voxel::ChunkPos;
use std::collections::BTreeMap;

/// Maximum number of steps from which something may follow. From older ones nothing follows any
/// more.
const MAX_FOLLOWED: usize = 32;

impl History {
    /// Adds changes by rules to the steps from which they follow: to the last one that changed a
    /// chunk next to them, or from which a change next to them has followed. Others belong to no
    /// step and are not undone.
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

    /// Number of the last step from which a change in a chunk would follow; 0 for none.
    pub fn followed_step(&mut self, pos: ChunkPos) -> u64 {
        let near =
            self.follow_ups.iter_mut().rev().find_map(|follow_up| follow_up.is_near(pos).then_some(follow_up.number));
        near.unwrap_or(0)
    }

    /// Lets changes near these chunks follow from a step, which was just done.
    pub fn begin_following(&mut self, number: u64, chunks: Vec<ChunkPos>) {
        self.follow_ups.retain(|follow_up| follow_up.number != number);
        let index = self.follow_ups.partition_point(|follow_up| follow_up.number < number);
        self.follow_ups.insert(index, FollowUp::new(number, chunks));
        if self.follow_ups.len() > MAX_FOLLOWED {
            self.record_follow_up(0);
            self.follow_ups.remove(0);
        }
    }

    /// Lets changes near chunks follow from steps of earlier runs of the program, given as chunk
    /// and number of the step.
    pub fn resume_following(&mut self, awake: impl Iterator<Item = (ChunkPos, u64)>) {
        let mut chunks: BTreeMap<u64, Vec<ChunkPos>> = BTreeMap::new();
        awake.for_each(|(pos, number)| chunks.entry(number).or_default().push(pos));
        for (number, chunks) in chunks {
            if self.done.binary_search_by_key(&number, |step| step.number).is_ok() {
                self.begin_following(number, chunks);
            }
        }
    }

    /// Ends what follows from all steps: nothing in the world can change by itself.
    pub fn end_following(&mut self) {
        self.record_follow_ups();
        self.follow_ups.clear();
    }

    /// Ends what follows from a step, which was undone.
    pub(super) fn end_following_of(&mut self, number: u64) {
        self.follow_ups.retain(|follow_up| follow_up.number != number);
    }

    /// Writes what has followed into the steps.
    pub(super) fn record_follow_ups(&mut self) {
        // Recording may drop the last step with its entry in the list.
        for index in (0..self.follow_ups.len()).rev() {
            self.record_follow_up(index);
        }
    }

    fn record_follow_up(&mut self, index: usize) {
        let Some(follow_up) = self.follow_ups.get_mut(index).filter(|follow_up| follow_up.is_unrecorded) else {
            return;
        };
        let number = follow_up.number;
        let Ok(place) = self.done.binary_search_by_key(&number, |step| step.number) else { return };
        let handle = self.handle_of(&self.done[place]);
        // A step that cannot be read now is recorded with the next save.
        let Ok(chunks) = handle.chunks() else { return };
        let (merged, are_whole) = (self.follow_ups[index].merge(&chunks), chunks.are_whole);
        self.follow_ups[index].is_unrecorded = false;
        let (name, unix) = (handle.step().name().to_owned(), handle.step().unix());
        match EditStep::from_chunks(name, unix, merged, are_whole) {
            Some(step) => self.rewrite(place, step),
            // What followed has restored every voxel. Below later steps an empty step stays:
            // undoing it sets voxels to what they are.
            None if place + 1 == self.done.len() => {
                self.replace_last(number, None);
                self.follow_ups.remove(index);
            }
            None => {}
        }
    }

    /// Puts a step in the place of a done one, under its number.
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
