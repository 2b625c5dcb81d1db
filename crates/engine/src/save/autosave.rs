//! The autosave policy: when a map is saved without a request.
//!
//! Edits are saved soon, so that little is lost if the program is killed. Everything else, such as
//! the player's position and generated chunks, is saved at intervals. A large number of unsaved
//! chunks also triggers a save, because a frame has to hand them all over.

use std::time::Duration;

/// Time since the last edit after which edits are saved.
pub(crate) const AFTER_LAST_EDIT: Duration = Duration::from_secs(2);
/// Time since the first edit after which edits are saved, even if more follow.
pub(crate) const AFTER_FIRST_EDIT: Duration = Duration::from_secs(8);
/// Time between two saves without edits.
pub const INTERVAL: Duration = Duration::from_secs(30);

/// Number of unsaved chunks that makes a save due.
pub const MAX_UNSAVED_CHUNKS: usize = 4096;
/// Minimum time between two saves that the number of unsaved chunks triggers.
pub(crate) const AFTER_SAVE: Duration = Duration::from_secs(1);

/// Ages of the edits that are not saved yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditAges {
    /// Time since the first of the unsaved edits.
    pub first: Duration,
    /// Time since the last of the unsaved edits.
    pub last: Duration,
}

/// True if a save is due. `since_last_save` counts from the beginning of the last save; `edits` is
/// `None` if there are no unsaved edits; `unsaved` is the number of unsaved chunks.
#[must_use]
pub fn is_due(since_last_save: Duration, edits: Option<EditAges>, unsaved: usize) -> bool {
    since_last_save >= INTERVAL
        || unsaved >= MAX_UNSAVED_CHUNKS && since_last_save >= AFTER_SAVE
        || edits.is_some_and(|ages| ages.last > AFTER_LAST_EDIT || ages.first > AFTER_FIRST_EDIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn save_is_due_after_quiet_edits_or_an_interval_or_many_chunks() {
        let seconds = Duration::from_secs_f64;
        let due = |since, edits: Option<(f64, f64)>| {
            let ages =
                edits.map(|(first, last)| EditAges { first: seconds(first), last: seconds(last) });
            is_due(seconds(since), ages, 10)
        };
        assert!(!due(29.0, None) && due(30.0, None));
        assert!(!due(9.0, Some((2.0, 2.0))) && due(9.0, Some((2.1, 2.1))), "edits have paused");
        assert!(!due(9.0, Some((8.0, 0.1))) && due(9.0, Some((8.1, 0.1))), "edits go on");
        let many = |since, unsaved| is_due(seconds(since), None, unsaved);
        assert!(
            !many(1.0, MAX_UNSAVED_CHUNKS - 1) && many(1.0, MAX_UNSAVED_CHUNKS),
            "many chunks are unsaved"
        );
        assert!(!many(0.9, MAX_UNSAVED_CHUNKS));
    }
}
