//! Plans of regions, which the thread of a job makes.

#[cfg(doc)]
use super::MAX_CHUNKS;
use super::{Region, RegionError, Shape};

/// Makes a region.
type Make = Box<dyn FnOnce() -> Result<Region, RegionError> + Send>;

/// A region to be made later. A frame plans it and checks its limits; the thread of a job makes it,
/// because a large ball takes longer than a frame.
pub struct RegionPlan(Make);

impl RegionPlan {
    /// A region made by a function.
    pub fn new(make: impl FnOnce() -> Result<Region, RegionError> + Send + 'static) -> RegionPlan {
        RegionPlan(Box::new(make))
    }

    /// The voxels of a shape.
    ///
    /// # Errors
    /// The box around the shape has more than [`MAX_CHUNKS`] chunks.
    pub fn from_shape(shape: impl Shape + Send + 'static) -> Result<RegionPlan, RegionError> {
        Region::check_shape(&shape)?;
        Ok(RegionPlan::new(move || Ok(Region::from_shape(&shape))))
    }

    /// The plan of a region made from this one.
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
    /// The region is too large, or leaves the world.
    pub fn make(self) -> Result<Region, RegionError> {
        (self.0)()
    }
}

impl std::fmt::Debug for RegionPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RegionPlan")
    }
}
