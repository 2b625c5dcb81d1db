//! Adds what follows from the last edit to its step.

use super::edit_step::EditStep;
use super::follow_up::FollowUp;
use super::list::History;
use crate::voxel::ChunkPos;
use crate::world::Chunk;

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
        follow_up.add(changes);
        self.changed |= follow_up.is_unrecorded;
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
