//! Masks of lines. Their voxels are computed on first use.

use crate::edit::region::{Region, RegionError};
use glam::IVec3;
use std::sync::{Arc, OnceLock};

/// Mask of straight lines from point to point. The voxels are computed on first use, by the thread
/// of a job, because long lines take longer than a frame. Clones share the voxels.
#[derive(Clone, Debug)]
pub struct LinesMask(Arc<Lines>);

#[derive(Debug)]
struct Lines {
    points: Vec<IVec3>,
    region: OnceLock<Result<Region, RegionError>>,
}

impl LinesMask {
    /// Mask of the lines through `points`.
    #[must_use]
    pub fn new(points: Vec<IVec3>) -> LinesMask {
        LinesMask(Arc::new(Lines { points, region: OnceLock::new() }))
    }

    /// Voxels of the lines.
    ///
    /// # Errors
    /// Fails if the voxels lie in too many chunks, or outside the world.
    pub(super) fn region(&self) -> Result<&Region, RegionError> {
        // Computed on one thread. A thread that waits for other threads of its pool may start work
        // on another chunk, whose evaluation would wait for this very computation: a deadlock.
        let made = self.0.region.get_or_init(|| Region::polyline_on_one_thread(&self.0.points));
        made.as_ref().map_err(|error| *error)
    }
}

impl PartialEq for LinesMask {
    fn eq(&self, other: &LinesMask) -> bool {
        self.0.points == other.0.points
    }
}
