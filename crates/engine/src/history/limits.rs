//! Limits of the history: memory, and packed bytes in the map.

use super::ChunkChange;
use super::list::History;
use super::numbered_step::NumberedStep;
use super::packed_step;
use super::stroke::OpenStroke;
use crate::save::MAX_STEP_BYTES;

/// Cost of an edit in the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndoCost {
    /// Upper bound of the packed bytes of the edit's step, estimated from the runs of the changed
    /// chunks.
    pub bytes: u64,
    /// True if the step alone may exceed the total limit: then the edit could not be undone.
    pub exceeds_limit: bool,
    /// Number of older steps that the step may push out of the history.
    pub steps_dropped: usize,
}

/// Steps that a lower limit would drop.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct DroppedSteps {
    /// Number of steps.
    pub steps: usize,
    /// Packed size of the steps, in bytes.
    pub bytes: u64,
}

impl History {
    /// Sets the memory limit in bytes. Above it the oldest steps leave memory once the map holds
    /// them.
    pub(crate) fn set_memory_limit(&mut self, limit: usize) {
        self.memory_limit = limit;
        self.shrink();
    }

    /// Sets the limit of the packed bytes of all steps, which the map holds. Above it the oldest
    /// steps are dropped from the history.
    pub(crate) fn set_total_limit(&mut self, limit: u64) {
        self.total_limit = limit;
        self.shrink();
    }

    /// Returns the memory in bytes of all steps and of the open stroke. Chunks count in full,
    /// although the world or other steps may share them.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes + self.stroke.as_ref().map_or(0, OpenStroke::memory_bytes)
    }

    /// Memory limit in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// Returns the packed bytes of all steps that have been packed.
    #[must_use]
    pub fn packed_bytes(&self) -> u64 {
        self.packed_bytes
    }

    /// Limit of the packed bytes of all steps.
    #[must_use]
    pub fn total_limit(&self) -> u64 {
        self.total_limit
    }

    /// Returns the steps that `History::set_total_limit` would drop with a limit of `limit` bytes.
    /// Steps that are not packed yet count as 0 bytes.
    #[must_use]
    pub fn dropped_by_total_limit(&self, limit: u64) -> DroppedSteps {
        let bytes = |step: &NumberedStep| step.step.packed_bytes().unwrap_or(0);
        let steps = || self.done.iter().chain(&self.undone);
        let mut dropped = DroppedSteps::default();
        let mut left = steps().map(bytes).sum::<u64>();
        for bytes in steps().map(bytes) {
            if left <= limit {
                break;
            }
            left -= bytes.min(left);
            dropped = DroppedSteps { steps: dropped.steps + 1, bytes: dropped.bytes + bytes };
        }
        dropped
    }

    /// Estimates the cost of an edit with these changes. The estimate is an upper bound: the edit
    /// drops no more steps than `steps_dropped`.
    #[must_use]
    pub fn cost(&self, changes: &[ChunkChange]) -> UndoCost {
        let bytes = packed_step::estimated_bytes(changes);
        let upper_bound = |step: &NumberedStep| match step.step.packed_bytes() {
            Some(bytes) => bytes,
            None => {
                step.step.chunks().map_or(0, |chunks| packed_step::estimated_bytes(&chunks.changes))
            }
        };
        // Undone steps do not count, because every edit drops them.
        let mut total = bytes.saturating_add(self.done.iter().map(upper_bound).sum());
        let too_much = self.done.iter().take_while(|step| {
            let is_over = total > self.total_limit;
            total = total.saturating_sub(upper_bound(step));
            is_over
        });
        let steps_dropped = too_much.count();
        UndoCost {
            bytes,
            exceeds_limit: bytes > self.total_limit.min(MAX_STEP_BYTES),
            steps_dropped,
        }
    }

    /// Updates the sums with the present memory and packed bytes of a step.
    pub(super) fn count(&mut self, numbered: &mut NumberedStep) {
        let memory = numbered.memory_bytes();
        let packed = numbered.step.packed_bytes().unwrap_or(0);
        self.memory_bytes = self.memory_bytes - numbered.memory + memory;
        self.packed_bytes = self.packed_bytes - numbered.packed + packed;
        numbered.memory = memory;
        numbered.packed = packed;
    }

    /// Updates the sums for steps that other threads have packed or saved, and drops a step that is
    /// too large for a row of the map.
    fn settle(&mut self) {
        while let Some(&number) = self.unsettled.front() {
            let has_map = self.reader.is_some();
            let Some(numbered) = self.find_mut(number) else {
                self.unsettled.pop_front();
                continue;
            };
            let Some(packed) = numbered.step.packed_bytes() else { return };
            let is_settled = numbered.step.is_saved() || !has_map;
            let memory = numbered.memory_bytes();
            let old = (numbered.memory, numbered.packed);
            numbered.memory = memory;
            numbered.packed = packed;
            self.memory_bytes = self.memory_bytes - old.0 + memory;
            self.packed_bytes = self.packed_bytes - old.1 + packed;
            if packed > MAX_STEP_BYTES {
                self.close_stroke();
                self.drop_through(number);
            }
            if !is_settled {
                return;
            }
            self.unsettled.pop_front();
        }
    }

    /// Frees memory of steps that the map holds, and drops steps above the total limit.
    pub(super) fn shrink(&mut self) {
        self.settle();
        if self.stroke.as_ref().is_some_and(|stroke| stroke.memory_bytes() > self.memory_limit) {
            // The next edit of the stroke begins a new one.
            self.close_stroke();
        }
        if self.memory_bytes > self.memory_limit {
            let mut done = std::mem::take(&mut self.done);
            let mut undone = std::mem::take(&mut self.undone);
            for numbered in done.iter_mut().chain(&mut undone) {
                if self.memory_bytes <= self.memory_limit {
                    break;
                }
                self.release(numbered);
            }
            self.done = done;
            self.undone = undone;
        }
        if self.packed_bytes > self.total_limit {
            self.close_stroke();
            while self.packed_bytes > self.total_limit && self.drop_oldest() {}
        }
    }

    /// Frees the chunks of a step and, if that is not enough, its packed bytes, as far as the step
    /// exists in another form.
    fn release(&mut self, numbered: &mut NumberedStep) {
        if !numbered.step.is_in_memory() {
            return;
        }
        numbered.step.release_chunks();
        self.count(numbered);
        if self.memory_bytes > self.memory_limit && self.reader.is_some() {
            numbered.step.release_body();
            self.count(numbered);
        }
    }

    /// Drops the oldest done step or, without one, the step that would be redone last. False if the
    /// history is empty.
    fn drop_oldest(&mut self) -> bool {
        let oldest = self.done.pop_front().or_else(|| self.undone.pop_front());
        oldest.inspect(|dropped| self.forget(dropped)).is_some()
    }

    /// Drops a step that is too large for a map, and all steps that cannot be reached without it.
    fn drop_through(&mut self, number: u64) {
        if self.done.back().is_some_and(|last| last.number >= number) {
            while self.done.front().is_some_and(|oldest| oldest.number <= number) {
                self.drop_oldest();
            }
        } else {
            while self.undone.front().is_some_and(|last| last.number >= number) {
                if let Some(dropped) = self.undone.pop_front() {
                    self.forget(&dropped);
                }
            }
        }
    }
}
