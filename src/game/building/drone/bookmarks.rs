//! Numbered poses of the drone, kept until the map is closed.

use crate::game::building::drone::pose::Pose;

/// Number of poses: one for each digit.
const NUMBERS: usize = 9;

/// The poses, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bookmarks([Option<Pose>; NUMBERS]);

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
