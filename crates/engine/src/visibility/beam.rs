//! Beams: all lines of sight that may pass through an opening, as a rectangle and ranges of slopes.
//!
//! This is Quake's portal clipping in interval arithmetic. Lines leave the cell, a box, and are
//! followed into one octant at a time, mirrored so that they never run backwards along any axis. A
//! beam states where its lines cross an opening (a rectangle) and how steeply (the least and the
//! greatest slope for each pair of axes). Each step only removes impossible lines: lines that miss
//! the next opening, and lines with a slope that no line from the cell to that opening has. Where
//! beams from several openings meet, their union is the smallest beam that contains all: it may
//! contain more lines, never fewer.
//!
//! All bounds are rounded outward by [`SLACK`], far above the error of 32-bit floats within a view.

use glam::{BVec3A, Vec3A, Vec3Swizzles};

/// Distance by which every computed bound is moved outward, in voxels.
const SLACK: f32 = 1.0 / 256.0;
/// Slopes are clamped to this value and its inverse. Within a view, flatter lines are as good as
/// horizontal.
const FLAT: f32 = 1e-6;
/// A beam that lacks less than this of all possible lines, in voxels and in slope, counts as
/// complete.
const COMPLETE_TOLERANCE: f32 = 1.0 / 64.0;

/// A box, or a rectangle where one side has no length, in mirrored voxel coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MirroredBox {
    /// Lowest corner.
    pub lo: Vec3A,
    /// Highest corner.
    pub hi: Vec3A,
}

impl MirroredBox {
    /// Mirrors the box so that the directions of `signs` (1 or -1 each) point forward.
    #[inline]
    pub fn mirrored(self, signs: Vec3A) -> MirroredBox {
        let a = self.lo * signs;
        let b = self.hi * signs;
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
pub(crate) struct Beam {
    /// Rectangle that the lines cross.
    pub at: MirroredBox,
    /// Least slopes: dy/dx, dz/dy, dx/dz.
    least: Vec3A,
    /// Greatest slopes, in the same order.
    greatest: Vec3A,
}

impl Beam {
    /// A beam without lines. Joining it with another beam gives the other beam.
    pub(crate) const EMPTY: Beam = Beam {
        at: MirroredBox { lo: Vec3A::INFINITY, hi: Vec3A::NEG_INFINITY },
        least: Vec3A::INFINITY,
        greatest: Vec3A::NEG_INFINITY,
    };

    /// All lines through `at`.
    #[inline]
    pub fn through(at: MirroredBox) -> Beam {
        Beam { at, least: Vec3A::ZERO, greatest: Vec3A::INFINITY }
    }

    /// True if the beam has no lines.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.at.lo.x > self.at.hi.x
    }

    /// The slopes and their inverses.
    #[inline]
    pub fn slopes(&self) -> BeamSlopes {
        let flattest = Vec3A::ONE / self.greatest;
        let steepest = Vec3A::ONE / self.least.max(Vec3A::splat(FLAT));
        BeamSlopes {
            least: self.least,
            greatest: self.greatest.min(Vec3A::splat(1.0 / FLAT)),
            flattest,
            steepest,
        }
    }

    /// The lines of the beam that pass through `opening`, a rectangle across the axis `E`, at the
    /// plane of the opening. Returns `None` if there are none. `slopes` must be the slopes of this
    /// beam.
    #[inline]
    pub(crate) fn carried_to<const E: usize>(
        &self,
        slopes: &BeamSlopes,
        opening: MirroredBox,
    ) -> Option<Beam> {
        let plane = lane::<E>(opening.lo);
        // Along the first axis after `E` lines advance by a slope, along the second by the inverse
        // of one.
        let pick = |slope: Vec3A, inverse: Vec3A| match E {
            0 => Vec3A::new(0.0, slope.x, inverse.z),
            1 => Vec3A::new(inverse.x, 0.0, slope.y),
            _ => Vec3A::new(slope.z, inverse.y, 0.0),
        };
        let nearest = (plane - lane::<E>(self.at.hi)).max(0.0);
        let farthest = plane - lane::<E>(self.at.lo) + SLACK;
        let lo = self.at.lo + pick(slopes.least, slopes.flattest) * nearest - SLACK;
        let hi = self.at.hi + pick(slopes.greatest, slopes.steepest) * farthest + SLACK;
        let here = Vec3A::splat(plane);
        let at = MirroredBox {
            lo: Vec3A::select(MASK[E], here, lo),
            hi: Vec3A::select(MASK[E], here, hi),
        }
        .clipped(opening);
        (!at.is_empty()).then_some(Beam { at, ..*self })
    }

    /// The lines of the beam that can come from `cell`, and whether these are (nearly) all lines
    /// from the cell through `opening`. Returns `None` if there are none.
    #[inline]
    pub(crate) fn limited_to(
        &self,
        cell: MirroredBox,
        opening: MirroredBox,
    ) -> Option<(Beam, bool)> {
        if self.is_empty() {
            return None;
        }
        let nearest = (self.at.lo - cell.hi).max(Vec3A::ZERO);
        let farthest = (self.at.hi - cell.lo).max(Vec3A::splat(SLACK));
        let flattest = nearest.yzx() / farthest;
        let steepest = farthest.yzx() / nearest;
        let least = self.least.max(flattest);
        let greatest = self.greatest.min(steepest);
        let complete = self.at.lo.cmple(opening.lo + COMPLETE_TOLERANCE).all()
            && self.at.hi.cmpge(opening.hi - COMPLETE_TOLERANCE).all()
            && self.least.cmple(flattest + COMPLETE_TOLERANCE).all()
            && self.greatest.cmpge(steepest * (1.0 - COMPLETE_TOLERANCE)).all();
        (!least.cmpgt(greatest * 1.0001).any())
            .then_some((Beam { at: self.at, least, greatest }, complete))
    }

    /// Extends the beam to the smallest one that contains both.
    #[inline]
    pub fn join(&mut self, other: &Beam) {
        self.at.lo = self.at.lo.min(other.at.lo);
        self.at.hi = self.at.hi.max(other.at.hi);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }
}

/// The slopes of a beam and their inverses, all finite.
#[derive(Clone, Copy)]
pub(crate) struct BeamSlopes {
    least: Vec3A,
    greatest: Vec3A,
    /// Inverses of the greatest slopes.
    flattest: Vec3A,
    /// Inverses of the least slopes.
    steepest: Vec3A,
}

impl BeamSlopes {
    /// Slopes of an empty beam, for unused array entries.
    pub const NONE: BeamSlopes = BeamSlopes {
        least: Vec3A::ZERO,
        greatest: Vec3A::ZERO,
        flattest: Vec3A::ZERO,
        steepest: Vec3A::ZERO,
    };
}

/// Masks that each select one axis.
const MASK: [BVec3A; 3] = [
    BVec3A::new(true, false, false),
    BVec3A::new(false, true, false),
    BVec3A::new(false, false, true),
];

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

    fn bounds(lo: [f32; 3], hi: [f32; 3]) -> MirroredBox {
        MirroredBox { lo: Vec3A::from(lo), hi: Vec3A::from(hi) }
    }

    #[test]
    fn carried_beam_keeps_slopes() {
        // From a cell of side 8 through a slit at x = 32, 16 to 20 high.
        let cell = bounds([0.0; 3], [8.0; 3]);
        let slit = Beam::through(bounds([32.0, 16.0, 0.0], [32.0, 20.0, 32.0]))
            .limited_to(cell, cell)
            .expect("in sight")
            .0;
        // The flattest line starts at the cell's far upper edge, the steepest at its near lower
        // edge.
        let wall = bounds([64.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        let there = slit.carried_to::<0>(&slit.slopes(), wall).expect("reaches the wall");
        let low = 16.0 + 32.0 * 8.0 / 32.0;
        let high = 20.0 + 32.0 * 20.0 / 24.0;
        assert!(
            (there.at.lo.y - low).abs() < 0.02 && (there.at.hi.y - high).abs() < 0.02,
            "{:?}",
            there.at
        );
        // The steepest line reaches a height of 40 first, at this x.
        let ceiling = bounds([32.0, 40.0, 0.0], [64.0, 40.0, 64.0]);
        let above = slit.carried_to::<1>(&slit.slopes(), ceiling).expect("some lines rise");
        let nearest = 32.0 + 20.0 * 24.0 / 20.0;
        assert!((above.at.lo.x - nearest).abs() < 0.05, "{:?}", above.at);
        assert!(
            slit.carried_to::<0>(&slit.slopes(), bounds([64.0, 0.0, 0.0], [64.0, 23.0, 64.0]))
                .is_none()
        );
    }

    #[test]
    fn empty_beam_joined_with_another_equals_it() {
        let some = Beam::through(bounds([1.0; 3], [2.0; 3]));
        let mut joined = Beam::EMPTY;
        assert!(
            joined.is_empty() && joined.limited_to(bounds([0.0; 3], [1.0; 3]), some.at).is_none()
        );
        joined.join(&some);
        assert_eq!((joined.at, joined.is_empty()), (some.at, false));
    }
}
