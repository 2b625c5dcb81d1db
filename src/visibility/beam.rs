//! Beam: all lines of sight that may come through an opening, as a rectangle and the range of their slopes.
//!
//! This is Quake's portal clipping in interval arithmetic. Lines leave the cell, a box, and are followed into one octant at
//! a time, mirrored so that they never run backwards along any axis. What is known of those that cross an opening is where
//! (a rectangle) and how steeply (for each pair of axes the least and the greatest slope). Each step can only take lines
//! away that cannot be: what does not reach the next opening, and what no line from the cell to there has as its slope.
//! Where light from several openings joins, it becomes the smallest range that holds all: more, never less.
//!
//! All numbers are rounded outward: by [`SLACK`], which is far above what 32-bit floats lose within a view.

use glam::{BVec3A, Vec3A, Vec3Swizzles};

/// What every computed bound is moved outward by, in voxels.
const SLACK: f32 = 1.0 / 256.0;
/// No slope is taken to be flatter, or steeper than the inverse: within a view that is as good as none.
const FLAT: f32 = 1e-6;
/// Beam that lacks less than this, in voxels and in slope, of all that could be is taken to be all of it.
const WHOLE: f32 = 1.0 / 64.0;

/// A box, or a rectangle where one side has no length, in mirrored voxels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MirroredBox {
    /// Lowest corner.
    pub lo: Vec3A,
    /// Highest corner.
    pub hi: Vec3A,
}

impl MirroredBox {
    /// The same, seen so that the directions of `signs` (1 or -1 each) are ahead.
    #[inline]
    pub fn mirrored(self, signs: Vec3A) -> MirroredBox {
        let (a, b) = (self.lo * signs, self.hi * signs);
        MirroredBox { lo: a.min(b), hi: a.max(b) }
    }

    #[inline]
    fn clipped(self, other: MirroredBox) -> MirroredBox {
        MirroredBox { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.lo.cmpgt(self.hi).any()
    }
}

/// Lines that run forward along all axes and cross `at`.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// Where they cross.
    pub at: MirroredBox,
    /// Least slopes: dy/dx, dz/dy, dx/dz.
    least: Vec3A,
    /// Greatest slopes.
    greatest: Vec3A,
}

impl Beam {
    /// None at all: joined with any light it is that light.
    pub const NONE: Beam = Beam {
        at: MirroredBox { lo: Vec3A::INFINITY, hi: Vec3A::NEG_INFINITY },
        least: Vec3A::INFINITY,
        greatest: Vec3A::NEG_INFINITY,
    };

    /// All lines through `at`.
    #[inline]
    pub fn through(at: MirroredBox) -> Beam {
        Beam { at, least: Vec3A::ZERO, greatest: Vec3A::INFINITY }
    }

    /// True if there is any.
    #[inline]
    pub fn is_some(&self) -> bool {
        self.at.lo.x <= self.at.hi.x
    }

    /// How far each axis goes a step along another one.
    #[inline]
    pub fn steps(&self) -> BeamSlopes {
        let flattest = Vec3A::ONE / self.greatest;
        let steepest = Vec3A::ONE / self.least.max(Vec3A::splat(FLAT));
        BeamSlopes { least: self.least, greatest: self.greatest.min(Vec3A::splat(1.0 / FLAT)), flattest, steepest }
    }

    /// The same lines where they cross the plane of `opening`, a rectangle across the axis `E`, as far as they meet it; none
    /// if they do not. `steps` are this light's.
    #[inline]
    pub fn carried<const E: usize>(&self, steps: &BeamSlopes, opening: MirroredBox) -> Option<Beam> {
        let plane = lane::<E>(opening.lo);
        // Along the next axis as the slope says, along the one after by its inverse.
        let pick = |slope: Vec3A, inverse: Vec3A| match E {
            0 => Vec3A::new(0.0, slope.x, inverse.z),
            1 => Vec3A::new(inverse.x, 0.0, slope.y),
            _ => Vec3A::new(slope.z, inverse.y, 0.0),
        };
        let nearest = (plane - lane::<E>(self.at.hi)).max(0.0);
        let farthest = plane - lane::<E>(self.at.lo) + SLACK;
        let lo = self.at.lo + pick(steps.least, steps.flattest) * nearest - SLACK;
        let hi = self.at.hi + pick(steps.greatest, steps.steepest) * farthest + SLACK;
        let here = Vec3A::splat(plane);
        let at =
            MirroredBox { lo: Vec3A::select(MASK[E], here, lo), hi: Vec3A::select(MASK[E], here, hi) }.clipped(opening);
        (!at.is_empty()).then_some(Beam { at, ..*self })
    }

    /// Those lines that come from `cell`, and whether they are all that can come through `opening`, as good as; none if
    /// there are none, or none can.
    #[inline]
    pub fn narrowed(&self, cell: MirroredBox, opening: MirroredBox) -> Option<(Beam, bool)> {
        if !self.is_some() {
            return None;
        }
        let nearest = (self.at.lo - cell.hi).max(Vec3A::ZERO);
        let farthest = (self.at.hi - cell.lo).max(Vec3A::splat(SLACK));
        let (flattest, steepest) = (nearest.yzx() / farthest, farthest.yzx() / nearest);
        let (least, greatest) = (self.least.max(flattest), self.greatest.min(steepest));
        let whole = self.at.lo.cmple(opening.lo + WHOLE).all()
            && self.at.hi.cmpge(opening.hi - WHOLE).all()
            && self.least.cmple(flattest + WHOLE).all()
            && self.greatest.cmpge(steepest * (1.0 - WHOLE)).all();
        (!least.cmpgt(greatest * 1.0001).any()).then_some((Beam { at: self.at, least, greatest }, whole))
    }

    /// The smallest light that holds both.
    #[inline]
    pub fn join(&mut self, other: &Beam) {
        self.at.lo = self.at.lo.min(other.at.lo);
        self.at.hi = self.at.hi.max(other.at.hi);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }
}

/// The slopes of a light and their inverses, none of them endless.
#[derive(Clone, Copy)]
pub struct BeamSlopes {
    least: Vec3A,
    greatest: Vec3A,
    flattest: Vec3A,
    steepest: Vec3A,
}

impl BeamSlopes {
    /// Of no light.
    pub const NONE: BeamSlopes =
        BeamSlopes { least: Vec3A::ZERO, greatest: Vec3A::ZERO, flattest: Vec3A::ZERO, steepest: Vec3A::ZERO };
}

/// The axis, as a mask.
const MASK: [BVec3A; 3] =
    [BVec3A::new(true, false, false), BVec3A::new(false, true, false), BVec3A::new(false, false, true)];

#[inline]
fn lane<const E: usize>(v: Vec3A) -> f32 {
    match E {
        0 => v.x,
        1 => v.y,
        _ => v.z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(lo: [f32; 3], hi: [f32; 3]) -> MirroredBox {
        MirroredBox { lo: Vec3A::from(lo), hi: Vec3A::from(hi) }
    }

    #[test]
    fn light_goes_on_as_steeply_as_it_came() {
        // From a cell of side 8 through a slit at x = 32, 16 to 20 high.
        let cell = span([0.0; 3], [8.0; 3]);
        let slit = Beam::through(span([32.0, 16.0, 0.0], [32.0, 20.0, 32.0])).narrowed(cell, cell).expect("in sight").0;
        // The flattest line comes from the upper edge far back, the steepest from the lower edge in front.
        let wall = span([64.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        let there = slit.carried::<0>(&slit.steps(), wall).expect("comes through");
        let (low, high) = (16.0 + 32.0 * 8.0 / 32.0, 20.0 + 32.0 * 20.0 / 24.0);
        assert!((there.at.lo.y - low).abs() < 0.02 && (there.at.hi.y - high).abs() < 0.02, "{:?}", there.at);
        // At 40 high lines are past the least steep of them by then.
        let ceiling = span([32.0, 40.0, 0.0], [64.0, 40.0, 64.0]);
        let above = slit.carried::<1>(&slit.steps(), ceiling).expect("some go up");
        let nearest = 32.0 + 20.0 * 24.0 / 20.0;
        assert!((above.at.lo.x - nearest).abs() < 0.05, "{:?}", above.at);
        assert!(slit.carried::<0>(&slit.steps(), span([64.0, 0.0, 0.0], [64.0, 23.0, 64.0])).is_none());
    }

    #[test]
    fn no_light_is_nothing_to_join() {
        let some = Beam::through(span([1.0; 3], [2.0; 3]));
        let mut all = Beam::NONE;
        assert!(!all.is_some() && all.narrowed(span([0.0; 3], [1.0; 3]), some.at).is_none());
        all.join(&some);
        assert_eq!((all.at, all.is_some()), (some.at, true));
    }
}
