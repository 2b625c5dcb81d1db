//! Plans of regions, which are carried out by the thread of a job.

#[cfg(doc)]
use super::MAX_CHUNKS;
use super::{Region, RegionError, Shape};

/// Function that makes a region.
type Make = Box<dyn FnOnce() -> Result<Region, RegionError> + Send>;

/// A region to be made later. Planning, which checks the limits, takes place in a frame. The region
/// is made by the thread of a job, because a large ball takes longer than a frame.
pub struct RegionPlan(Make);

impl RegionPlan {
    /// Plan that calls `make`.
    pub fn new(make: impl FnOnce() -> Result<Region, RegionError> + Send + 'static) -> RegionPlan {
        RegionPlan(Box::new(make))
    }

    /// Plan of the voxels of a shape.
    ///
    /// # Errors
    /// Fails if the box around the shape has more than [`MAX_CHUNKS`] chunks.
    pub fn from_shape(shape: impl Shape + Send + 'static) -> Result<RegionPlan, RegionError> {
        Region::check_shape(&shape)?;
        Ok(RegionPlan::new(move || Ok(Region::from_shape(&shape))))
    }

    /// Plan of a region that `next` makes from the region of this plan.
    #[must_use]
    pub fn then(
        self,
        next: impl FnOnce(Region) -> Result<Region, RegionError> + Send + 'static,
    ) -> RegionPlan {
        RegionPlan::new(move || next(self.make()?))
    }

    /// Makes the region.
    ///
    /// # Errors
    /// Fails if the region is too large or leaves the world.
    pub fn make(self) -> Result<Region, RegionError> {
        (self.0)()
    }
}

impl std::fmt::Debug for RegionPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RegionPlan")
    }
}
