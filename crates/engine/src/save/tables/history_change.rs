//! The undo history that a map holds, and its change by a save.

use crate::save::format::history_record::{StepBody, StepHeader};
use std::fmt::Debug;
use std::sync::Arc;

/// The undo history of a map, without the changes of its steps, which
/// [`MapReader::step`](crate::save::MapReader::step) reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedHistory {
    /// The steps, in ascending order of their numbers.
    pub steps: Vec<SavedStep>,
    /// Number of the last step that is done; 0 if no step is. The steps after it are undone.
    pub last_done: u64,
}

/// An undo step that a map holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedStep {
    /// Number of the step.
    pub number: u64,
    /// Name, time and numbers of the step.
    pub header: StepHeader,
    /// Size of the step's changes in the map, in bytes.
    pub bytes: u64,
}

/// A step that a save has to write. The thread that saves packs it.
pub trait UnsavedStep: Debug + Send + Sync {
    /// Returns name, time and numbers of the step.
    fn header(&self) -> &StepHeader;

    /// Returns the changes of the step as bytes; `None` if only the map holds them.
    fn body(&self) -> Option<StepBody>;

    /// Records that the map on the disk holds the step.
    fn mark_saved(&self);
}

/// Change of the undo history since the last save.
#[derive(Clone, Debug)]
pub struct HistoryChange {
    /// Lowest number of a step that still exists.
    pub first: u64,
    /// Steps with lower numbers are unchanged, except `rewritten`. Stored steps with this or a
    /// higher number are deleted.
    pub unchanged_below: u64,
    /// New steps, with their numbers.
    pub added: Vec<(u64, Arc<dyn UnsavedStep>)>,
    /// Earlier steps, with their numbers, whose rows are replaced because rules have changed more
    /// voxels as a result of these steps.
    pub rewritten: Vec<(u64, Arc<dyn UnsavedStep>)>,
    /// Number of the last step that is done; 0 if no step is.
    pub last_done: u64,
}

impl HistoryChange {
    /// Merges `earlier`, a change that could not be saved, into this one.
    #[must_use]
    pub fn merged_after(mut self, earlier: HistoryChange) -> HistoryChange {
        let survives = |(number, _): &(u64, Arc<dyn UnsavedStep>)| {
            (self.first..self.unchanged_below).contains(number)
        };
        self.added.extend(earlier.added.into_iter().filter(survives));
        let later: Vec<u64> = self.rewritten.iter().map(|(number, _)| *number).collect();
        let is_latest = |step: &(u64, _)| survives(step) && !later.contains(&step.0);
        self.rewritten.extend(earlier.rewritten.into_iter().filter(is_latest));
        self.unchanged_below = self.unchanged_below.min(earlier.unchanged_below);
        self
    }
}
