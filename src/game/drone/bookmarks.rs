//! Numbered poses of the drone, kept until the map is closed.

use crate::game::drone::pose::Pose;
use bevy::prelude::KeyCode;

/// The keys of the numbers.
pub const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

/// The poses, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bookmarks([Option<Pose>; DIGITS.len()]);

impl Bookmarks {
    /// Keeps a pose. `index` is 0 for number 1.
    pub fn set(&mut self, index: usize, pose: Pose) {
        if let Some(kept) = self.0.get_mut(index) {
            *kept = Some(pose);
        }
    }

    /// The pose of a number.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Pose> {
        self.0.get(index).copied().flatten()
    }
}
