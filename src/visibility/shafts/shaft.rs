//! A shaft: all lines from one rectangle to another, and what is left of it behind an opening.

use super::GAP;
use glam::DVec3;
use std::ops::Range;

/// A box, or a rectangle. ToroidalIndex are in voxels.
#[derive(Clone, Copy, Debug)]
pub struct ShaftBox {
    pub lo: DVec3,
    pub hi: DVec3,
}

/// A face of a box: a rectangle, the axis across which it lies, and the side it looks to, -1 or 1.
#[derive(Clone, Copy, Debug)]
pub struct BoxFace {
    pub axis: usize,
    pub sign: i32,
    pub part: ShaftBox,
}

impl ShaftBox {
    /// The faces by which lines to or from another box can pass: those on whose outer side a part of the other one lies.
    pub fn sides(self, other: ShaftBox) -> impl Iterator<Item = BoxFace> {
        (0..3).flat_map(move |axis| {
            let (mut low, mut high) = (self, self);
            low.hi[axis] = self.lo[axis];
            high.lo[axis] = self.hi[axis];
            let low = (other.lo[axis] < self.lo[axis]).then_some(BoxFace { axis, sign: -1, part: low });
            let high = (other.hi[axis] > self.hi[axis]).then_some(BoxFace { axis, sign: 1, part: high });
            low.into_iter().chain(high)
        })
    }

    /// True if the two have a point in common.
    pub fn touches(self, other: ShaftBox) -> bool {
        self.lo.cmple(other.hi).all() && other.lo.cmple(self.hi).all()
    }

    pub fn middle(self) -> DVec3 {
        (self.lo + self.hi) * 0.5
    }

    /// The longest side, and its length.
    fn widest(self) -> (usize, f64) {
        let size = self.hi - self.lo;
        let axis = size.max_position();
        (axis, size[axis])
    }

    fn halves(self, axis: usize) -> [ShaftBox; 2] {
        let middle = (self.lo[axis] + self.hi[axis]) * 0.5;
        let (mut low, mut high) = (self, self);
        low.hi[axis] = middle;
        high.lo[axis] = middle;
        [low, high]
    }

    /// Takes away what lies outside of a range along `axis`; false if nothing is left.
    fn clip(&mut self, axis: usize, lo: f64, hi: f64) -> bool {
        self.lo[axis] = self.lo[axis].max(lo);
        self.hi[axis] = self.hi[axis].min(hi);
        self.lo[axis] <= self.hi[axis]
    }
}

/// All lines from one rectangle to another that first reach the other's box there.
#[derive(Clone, Debug)]
pub struct Shaft {
    pub from: ShaftBox,
    pub to: ShaftBox,
    /// The axis across which `to` lies.
    axis: usize,
    /// The layer of voxels before `to`.
    before: i32,
}

impl Shaft {
    /// The shaft from a face of one box to a face of another; none if no line leaves by the one and enters by the other.
    pub fn new(from: BoxFace, to: BoxFace) -> Option<Shaft> {
        // Both across an axis, they look at each other.
        let goes = from.axis != to.axis || from.sign != to.sign;
        let plane = to.part.lo[to.axis] as i32;
        let before = if to.sign < 0 { plane - 1 } else { plane };
        goes.then_some(Shaft { from: from.part, to: to.part, axis: to.axis, before })
    }

    /// The layers that lines touch where they cross a plane between two layers of voxels: both, but of the box that they are
    /// to reach only what is before it.
    pub fn layers(&self, axis: usize, plane: i32) -> Range<i32> {
        if axis == self.axis
            && (plane == self.before || plane == self.before + 1)
            && f64::from(plane) == self.to.lo[axis]
        {
            self.before..self.before + 1
        } else {
            plane - 1..plane + 1
        }
    }

    /// The length of its widest side at either end.
    pub fn width(&self) -> f64 {
        self.from.widest().1.max(self.to.widest().1)
    }

    /// The two halves, split across the widest side.
    pub fn halves(&self) -> [Shaft; 2] {
        let (from, to) = (self.from.widest(), self.to.widest());
        if from.1 >= to.1 {
            self.from.halves(from.0).map(|from| Shaft { from, ..self.clone() })
        } else {
            self.to.halves(to.0).map(|to| Shaft { to, ..self.clone() })
        }
    }

    /// The shaft, across `axis`.
    pub fn across(&self, axis: usize) -> CrossSections {
        let (a, b) = if self.from.hi[axis] <= self.to.lo[axis] { (self.from, self.to) } else { (self.to, self.from) };
        let plane = [(axis + 1) % 3, (axis + 2) % 3];
        CrossSections {
            planes: ceil(a.hi[axis])..floor(b.lo[axis]) + 1,
            near: [a.lo[axis], a.hi[axis]],
            per_step: [(b.lo[axis] - a.lo[axis]).recip(), (b.hi[axis] - a.hi[axis]).recip()],
            low: plane.map(|side| [a.lo[side] + GAP, b.lo[side] - a.lo[side]]),
            high: plane.map(|side| [a.hi[side] - GAP, b.hi[side] - a.hi[side]]),
        }
    }

    /// Takes away the lines that do not go through the rectangle `opening` of a plane across `axis`; false if none is left.
    ///
    /// A line at the places f and g of the two ends is at p = f (1 - t) + g t in the plane, so f = p + (p - g) t / (1 - t), and
    /// the other way round. Each of these is least and greatest where p, g and t are.
    pub fn clip(&mut self, axis: usize, plane: i32, opening: VoxelRect) -> bool {
        /// Nearer to an end than this part of the way no plane is taken to be.
        const END: f64 = 1e-9;
        let (f, g, at) = (self.from, self.to, f64::from(plane));
        let (mut least, mut most) = (1.0 - END, END);
        for f in [f.lo[axis], f.hi[axis]] {
            for g in [g.lo[axis], g.hi[axis]] {
                let t = (at - f) / (g - f);
                (least, most) = (t.min(least), t.max(most));
            }
        }
        let (least, most) = (least.max(END), most.min(1.0 - END));
        let onward = [least / (1.0 - least), most / (1.0 - most)];
        let backward = [onward[1].recip(), onward[0].recip()];
        [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate().all(|(i, side)| {
            let (lo, hi) = (f64::from(opening.from[i]) + GAP, f64::from(opening.to[i]) - GAP);
            self.from.clip(side, reach(lo, g.hi[side], onward), -reach(-hi, -g.lo[side], onward))
                && self.to.clip(side, reach(lo, f.hi[side], backward), -reach(-hi, -f.lo[side], backward))
        })
    }
}

/// How far down lines come at one end that go above `p` in the plane, and below `other` at the other end.
#[inline]
fn reach(p: f64, other: f64, factors: [f64; 2]) -> f64 {
    p + (p - other) * if p >= other { factors[0] } else { factors[1] }
}

/// A rectangle of voxels in a plane, in the axis after the one across it and the one after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VoxelRect {
    /// The first along both.
    pub from: [i32; 2],
    /// One past the last.
    pub to: [i32; 2],
}

/// A shaft across an axis: where it begins and how it goes on.
pub struct CrossSections {
    /// The planes between layers of voxels that all of its lines cross.
    pub planes: Range<i32>,
    /// Where the shaft begins along the axis: its end's lowest and highest place, and a step's part of the way from there.
    near: [f64; 2],
    per_step: [f64; 2],
    /// The lowest places at its beginning, and how far they come until its end.
    low: [[f64; 2]; 2],
    high: [[f64; 2]; 2],
}

impl CrossSections {
    /// The voxels of a plane that hold the shaft's whole cross-section there.
    #[inline]
    pub fn section(&self, plane: i32) -> VoxelRect {
        let at = f64::from(plane);
        let (most, least) = ((at - self.near[0]) * self.per_step[0], (at - self.near[1]) * self.per_step[1]);
        let mut rect = VoxelRect { from: [0; 2], to: [0; 2] };
        for side in 0..2 {
            let ([low, way], [high, high_way]) = (self.low[side], self.high[side]);
            rect.from[side] = floor((low + way * least).min(low + way * most));
            rect.to[side] = ceil((high + high_way * least).max(high + high_way * most));
        }
        rect
    }
}

/// The whole number at or below one. (Most processors' instruction for it cannot be taken for granted.)
#[inline]
fn floor(x: f64) -> i32 {
    let towards_0 = x as i32;
    towards_0 - i32::from(f64::from(towards_0) > x)
}

#[inline]
fn ceil(x: f64) -> i32 {
    -floor(-x)
}
