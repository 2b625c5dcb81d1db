//! A shaft: all lines from one rectangle to another, and its clipping by an opening.

use glam::DVec3;
use std::ops::Range;

/// Width up to which a gap counts as closed, in voxels. Voxels share edges so often that lines that
/// only graze an edge would otherwise have to be decided all the time. The computation is exact to
/// a thousandth of the width.
const GAP: f64 = 1e-6;

/// A box, or a rectangle, in voxels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaftBox {
    /// Lowest corner.
    pub lo: DVec3,
    /// Highest corner.
    pub hi: DVec3,
}

/// A face of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxFace {
    /// Axis that is perpendicular to the face.
    pub axis: usize,
    /// Direction that the face looks in: -1 or 1.
    pub sign: i32,
    /// The rectangle.
    pub rect: ShaftBox,
}

impl ShaftBox {
    /// The faces that lines to or from another box can pass: all faces with a part of the other box
    /// on their outer side.
    pub fn faces(self, other: ShaftBox) -> impl Iterator<Item = BoxFace> {
        (0..3).flat_map(move |axis| {
            let mut low = self;
            let mut high = self;
            low.hi[axis] = self.lo[axis];
            high.lo[axis] = self.hi[axis];
            let low =
                (other.lo[axis] < self.lo[axis]).then_some(BoxFace { axis, sign: -1, rect: low });
            let high =
                (other.hi[axis] > self.hi[axis]).then_some(BoxFace { axis, sign: 1, rect: high });
            low.into_iter().chain(high)
        })
    }

    /// True if the two boxes have a point in common.
    pub fn touches(self, other: ShaftBox) -> bool {
        self.lo.cmple(other.hi).all() && other.lo.cmple(self.hi).all()
    }

    /// The centre of the box.
    pub fn middle(self) -> DVec3 {
        (self.lo + self.hi) * 0.5
    }

    /// The axis of the longest side, and its length.
    fn widest(self) -> (usize, f64) {
        let size = self.hi - self.lo;
        let axis = size.max_position();
        (axis, size[axis])
    }

    fn halves(self, axis: usize) -> [ShaftBox; 2] {
        let middle = (self.lo[axis] + self.hi[axis]) * 0.5;
        let mut low = self;
        let mut high = self;
        low.hi[axis] = middle;
        high.lo[axis] = middle;
        [low, high]
    }

    /// Removes what lies outside a range along `axis`. Returns false if nothing is left.
    fn clip(&mut self, axis: usize, lo: f64, hi: f64) -> bool {
        self.lo[axis] = self.lo[axis].max(lo);
        self.hi[axis] = self.hi[axis].min(hi);
        self.lo[axis] <= self.hi[axis]
    }
}

/// All lines that leave one box through a rectangle and enter another box through a rectangle.
#[derive(Clone, Debug)]
pub(crate) struct Shaft {
    /// Rectangle on the cell.
    pub from: ShaftBox,
    /// Rectangle on the target.
    pub to: ShaftBox,
    /// Axis that is perpendicular to `to`.
    axis: usize,
    /// Layer of voxels in front of `to`.
    before: i32,
}

impl Shaft {
    /// The shaft between a face of one box and a face of another. Returns `None` if no line leaves
    /// through the first and enters through the second.
    pub fn new(from: BoxFace, to: BoxFace) -> Option<Shaft> {
        // Faces across the same axis must face each other.
        let is_possible = from.axis != to.axis || from.sign != to.sign;
        let plane = to.rect.lo[to.axis] as i32;
        let before = if to.sign < 0 { plane - 1 } else { plane };
        is_possible.then_some(Shaft { from: from.rect, to: to.rect, axis: to.axis, before })
    }

    /// The layers of voxels that lines touch where they cross a plane: the layers on both sides. At
    /// the plane of the target's face only the layer in front of it counts.
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

    /// Length of the widest side at either end.
    pub fn width(&self) -> f64 {
        self.from.widest().1.max(self.to.widest().1)
    }

    /// The two halves, split across the widest side.
    pub fn halves(&self) -> [Shaft; 2] {
        let from = self.from.widest();
        let to = self.to.widest();
        if from.1 >= to.1 {
            self.from.halves(from.0).map(|from| Shaft { from, ..self.clone() })
        } else {
            self.to.halves(to.0).map(|to| Shaft { to, ..self.clone() })
        }
    }

    /// The cross-sections along `axis`.
    pub fn across(&self, axis: usize) -> CrossSections {
        let (a, b) = if self.from.hi[axis] <= self.to.lo[axis] {
            (self.from, self.to)
        } else {
            (self.to, self.from)
        };
        let plane = [(axis + 1) % 3, (axis + 2) % 3];
        CrossSections {
            planes: ceil(a.hi[axis])..floor(b.lo[axis]) + 1,
            near: [a.lo[axis], a.hi[axis]],
            per_step: [(b.lo[axis] - a.lo[axis]).recip(), (b.hi[axis] - a.hi[axis]).recip()],
            low: plane.map(|side| [a.lo[side] + GAP, b.lo[side] - a.lo[side]]),
            high: plane.map(|side| [a.hi[side] - GAP, b.hi[side] - a.hi[side]]),
        }
    }

    /// Removes the lines that miss the rectangle `opening` in a plane across `axis`. Returns false
    /// if none is left.
    ///
    /// A line between the positions f and g at the two ends passes p = f (1 - t) + g t in the
    /// plane, so f = p + (p - g) t / (1 - t), and likewise for g. Each is extreme where p, g and t
    /// are.
    pub fn clip(&mut self, axis: usize, plane: i32, opening: VoxelRect) -> bool {
        /// Minimum distance of a plane from an end, as a fraction of a line.
        const END: f64 = 1e-9;
        let f = self.from;
        let g = self.to;
        let at = f64::from(plane);
        let mut least = 1.0 - END;
        let mut most = END;
        for f in [f.lo[axis], f.hi[axis]] {
            for g in [g.lo[axis], g.hi[axis]] {
                let t = (at - f) / (g - f);
                least = t.min(least);
                most = t.max(most);
            }
        }
        let least = least.max(END);
        let most = most.min(1.0 - END);
        let forward = [least / (1.0 - least), most / (1.0 - most)];
        let backward = [forward[1].recip(), forward[0].recip()];
        [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate().all(|(i, side)| {
            let lo = f64::from(opening.from[i]) + GAP;
            let hi = f64::from(opening.to[i]) - GAP;
            self.from.clip(
                side,
                lowest(lo, g.hi[side], forward),
                -lowest(-hi, -g.lo[side], forward),
            ) && self.to.clip(
                side,
                lowest(lo, f.hi[side], backward),
                -lowest(-hi, -f.lo[side], backward),
            )
        })
    }
}

/// Lowest position at one end of lines that pass above `p` in the plane and below `other` at the
/// other end.
#[inline]
fn lowest(p: f64, other: f64, factors: [f64; 2]) -> f64 {
    p + (p - other) * if p >= other { factors[0] } else { factors[1] }
}

/// A rectangle of voxels in a plane. Its axes are the two after the perpendicular one, cyclically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VoxelRect {
    /// First voxel along both axes.
    pub from: [i32; 2],
    /// End along both axes, exclusive.
    pub to: [i32; 2],
}

/// The cross-sections of a shaft along an axis.
pub(crate) struct CrossSections {
    /// Planes between layers of voxels that all lines of the shaft cross.
    pub planes: Range<i32>,
    /// Lowest and highest coordinate of the near end along the axis.
    near: [f64; 2],
    /// Fraction of a line per voxel along the axis, counted from each coordinate in `near`.
    per_step: [f64; 2],
    /// Lowest coordinates at the near end, and their change to the far end.
    low: [[f64; 2]; 2],
    /// Highest coordinates at the near end, and their change to the far end.
    high: [[f64; 2]; 2],
}

impl CrossSections {
    /// The voxels of a plane that contain the shaft's whole cross-section.
    #[inline]
    pub fn section(&self, plane: i32) -> VoxelRect {
        let at = f64::from(plane);
        let most = (at - self.near[0]) * self.per_step[0];
        let least = (at - self.near[1]) * self.per_step[1];
        let mut rect = VoxelRect { from: [0; 2], to: [0; 2] };
        for side in 0..2 {
            let [low, low_change] = self.low[side];
            let [high, high_change] = self.high[side];
            rect.from[side] = floor((low + low_change * least).min(low + low_change * most));
            rect.to[side] = ceil((high + high_change * least).max(high + high_change * most));
        }
        rect
    }
}

/// Rounds down. The baseline processor has no instruction for it, and a call would be slow.
#[inline]
fn floor(x: f64) -> i32 {
    let towards_0 = x as i32;
    towards_0 - i32::from(f64::from(towards_0) > x)
}

#[inline]
fn ceil(x: f64) -> i32 {
    -floor(-x)
}
