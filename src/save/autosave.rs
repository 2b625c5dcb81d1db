//! The autosave policy: when a map is saved without a request.
//!
//! Edits are saved soon, so that little is lost if the program is killed. Everything else, such as
//! the player's position and chunks that the generator made, is saved at intervals.

use std::time::Duration;

/// Time without a further edit after which edits are saved.
pub const AFTER_LAST_EDIT: Duration = Duration::from_secs(2);
/// Time after which edits are saved although more follow.
pub const AFTER_FIRST_EDIT: Duration = Duration::from_secs(8);
/// Time between two saves without edits.
pub const INTERVAL: Duration = Duration::from_secs(30);

/// Ages of the edits that no save has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditAges {
    /// Time since the first of them.
    pub first: Duration,
    /// Time since the last of them.
    pub last: Duration,
}

/// True if a save is due, a time after the last one began. `edits` is `None` if nothing was edited
/// since.
#[must_use]
pub fn is_due(since_last_save: Duration, edits: Option<EditAges>) -> bool {
    since_last_save >= INTERVAL
        || edits.is_some_and(|ages| ages.last > AFTER_LAST_EDIT || ages.first > AFTER_FIRST_EDIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn save_is_due_after_quiet_edits_or_an_interval() {
        let seconds = Duration::from_secs_f64;
        let due = |since, edits: Option<(f64, f64)>| {
            is_due(seconds(since), edits.map(|(first, last)| EditAges { first: seconds(first), last: seconds(last) }))
        };
        assert!(!due(29.0, None) && due(30.0, None));
        assert!(!due(9.0, Some((2.0, 2.0))) && due(9.0, Some((2.1, 2.1))), "edits have paused");
        assert!(!due(9.0, Some((8.0, 0.1))) && due(9.0, Some((8.1, 0.1))), "edits go on");
    }
}
