//! The ruler of the tool *Select*: the distance from a voxel to the one that is pointed at.

use crate::game::building::builder::sketch::{GHOST, POINTED, Sketch};
use bevy::prelude::Resource;
use glam::IVec3;
use stonerun_engine::voxel::Box3;

/// State of the ruler: the line that it measures.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ruler {
    /// Voxel where the line begins; `None` while the ruler is not in use.
    from: Option<IVec3>,
    /// The voxel that is pointed at.
    to: Option<IVec3>,
}

impl Ruler {
    /// Begins a line at a voxel, or ends the line if the ruler is in use. Returns true
    /// if a line has begun.
    pub fn toggle(&mut self, at: Option<IVec3>) -> bool {
        *self = if self.from.is_some() { Ruler::default() } else { Ruler { from: at, to: at } };
        self.from.is_some()
    }

    /// Follows the voxel that is pointed at, and draws the line and its ends.
    pub fn follow(&mut self, at: Option<IVec3>, sketch: &mut Sketch) {
        let Some(from) = self.from else { return };
        self.to = at.or(self.to);
        let to = self.to.unwrap_or(from);
        for end in [from, to] {
            sketch.area(Box3::spanning(end, end), POINTED);
        }
        sketch.line(from.as_dvec3() + 0.5, to.as_dvec3() + 0.5, GHOST);
    }

    /// Number of voxels along each axis including both ends, and the distance of the middles of the
    /// ends.
    #[must_use]
    pub fn measured(&self) -> Option<(IVec3, f64)> {
        let (from, to) = self.from.zip(self.to)?;
        Some((Box3::spanning(from, to).size(), from.as_dvec3().distance(to.as_dvec3())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruler_measures_with_both_ends_until_it_is_toggled() {
        let mut ruler = Ruler::default();
        let mut sketch = Sketch::default();
        ruler.follow(Some(IVec3::ONE), &mut sketch);
        assert_eq!(ruler.measured(), None);
        assert!(!ruler.toggle(None));
        assert!(ruler.toggle(Some(IVec3::new(1, 2, 3))));
        assert_eq!(ruler.measured(), Some((IVec3::ONE, 0.0)));
        ruler.follow(Some(IVec3::new(-2, 6, 3)), &mut sketch);
        ruler.follow(None, &mut sketch);
        assert_eq!(ruler.measured(), Some((IVec3::new(4, 5, 1), 5.0)));
        assert!(!ruler.toggle(Some(IVec3::ZERO)) && ruler.measured().is_none());
    }
}
