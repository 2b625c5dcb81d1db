//! A shaft: all lines from one box or rectangle to another, and how wide it is on its way.

use glam::Vec3;
use std::ops::Range;

/// What bounds are moved outward by, in voxels.
const SLACK: f32 = 1e-3;

/// A box, or a rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub lo: Vec3,
    pub hi: Vec3,
}

impl Part {
    /// The faces by which lines to or from another box can pass, and their axes: those that look at it, and both across an
    /// axis along which the two lie side by side (then the second part is false).
    pub fn faces(self, other: Part) -> Vec<(usize, bool, Part)> {
        let mut faces = Vec::with_capacity(5);
        for axis in 0..3 {
            let (mut low, mut high) = (self, self);
            low.hi[axis] = self.lo[axis];
            high.lo[axis] = self.hi[axis];
            let (is_below, is_above) = (self.hi[axis] <= other.lo[axis], other.hi[axis] <= self.lo[axis]);
            if !is_below {
                faces.push((axis, is_above, low));
            }
            if !is_above {
                faces.push((axis, is_below, high));
            }
        }
        faces
    }

    pub fn middle(self) -> Vec3 {
        (self.lo + self.hi) * 0.5
    }

    /// The longest side, and its length.
    pub fn widest(self) -> (usize, f32) {
        let size = self.hi - self.lo;
        let axis = size.max_position();
        (axis, size[axis])
    }

    pub fn halves(self, axis: usize) -> [Part; 2] {
        let middle = (self.lo[axis] + self.hi[axis]) * 0.5;
        let (mut low, mut high) = (self, self);
        low.hi[axis] = middle;
        high.lo[axis] = middle;
        [low, high]
    }
}

/// All lines from one rectangle to another.
#[derive(Clone, Copy)]
pub struct Shaft {
    pub from: Part,
    pub to: Part,
}

impl Shaft {
    /// The shaft, across `axis`.
    pub fn across(&self, axis: usize) -> Across {
        let (a, b) = if self.from.hi[axis] <= self.to.lo[axis] { (self.from, self.to) } else { (self.to, self.from) };
        let plane = [(axis + 1) % 3, (axis + 2) % 3];
        Across {
            layers: a.hi[axis].ceil() as i32..b.lo[axis].floor() as i32,
            near: [a.lo[axis], a.hi[axis]],
            per_step: [(b.lo[axis] - a.lo[axis]).recip(), (b.hi[axis] - a.hi[axis]).recip()],
            low: plane.map(|side| [a.lo[side] - SLACK, b.lo[side] - a.lo[side]]),
            high: plane.map(|side| [a.hi[side] + SLACK, b.hi[side] - a.hi[side]]),
        }
    }
}

/// A shaft across an axis: where it begins and how it goes on, in the two other axes, the next and the one after.
pub struct Across {
    /// The layers of voxels between the two ends.
    pub layers: Range<i32>,
    /// Where the shaft begins along the axis: its end's lowest and highest place, and a step's part of the way from there.
    near: [f32; 2],
    per_step: [f32; 2],
    /// The lowest places at its beginning, and how far they come until its end.
    low: [[f32; 2]; 2],
    high: [[f32; 2]; 2],
}

impl Across {
    /// The voxels of a layer that hold the shaft's whole cross-section in the layer's middle: from and to.
    #[inline]
    pub fn section(&self, layer: i32) -> ([i32; 2], [i32; 2]) {
        let at = layer as f32 + 0.5;
        let (most, least) = ((at - self.near[0]) * self.per_step[0], (at - self.near[1]) * self.per_step[1]);
        let lo = self.low.map(|[from, way]| floor((from + way * least).min(from + way * most)));
        let hi = self.high.map(|[from, way]| -floor(-(from + way * least).max(from + way * most)));
        (lo, hi)
    }
}

/// The whole number at or below one. (Most processors' instruction for it cannot be taken for granted.)
#[inline]
fn floor(x: f32) -> i32 {
    let towards_0 = x as i32;
    towards_0 - i32::from(towards_0 as f32 > x)
}
