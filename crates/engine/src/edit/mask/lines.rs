//! Masks of lines, whose voxels are computed on first use.

use crate::edit::region::{Region, RegionError};
use glam::IVec3;
use std::sync::{Arc, OnceLock};

/// A mask of straight lines from point to point. The thread of a job computes the voxels, because
/// long lines take longer than a frame. Clones share them.
#[derive(Clone, Debug)]
pub struct LinesMask(Arc<Lines>);

#[derive(Debug)]
struct Lines {
    points: Vec<IVec3>,
    region: OnceLock<Result<Region, RegionError>>,
}

impl LinesMask {
    /// The mask of lines through points.
    #[must_use]
    pub fn new(points: Vec<IVec3>) -> LinesMask {
        LinesMask(Arc::new(Lines { points, region: OnceLock::new() }))
    }

    /// The voxels of the lines.
    ///
    /// # Errors
    /// The voxels lie in too many chunks, or outside the world.
    pub(super) fn region(&self) -> Result<&Region, RegionError> {
        // On one thread: a thread that waits for the others of its pool may begin another chunk,
        // and wait here for itself.
        let made = self.0.region.get_or_init(|| Region::polyline_on_one_thread(&self.0.points));
        made.as_ref().map_err(|error| *error)
    }
}

impl PartialEq for LinesMask {
    fn eq(&self, other: &LinesMask) -> bool {
        self.0.points == other.0.points
    }
}
