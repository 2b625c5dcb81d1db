//! Shafts: which of the chunks that a sweep has found are really seen.
//!
//! A sweep knows of each portal only a rectangle. Here the voxels themselves decide, for one chunk after the other: all
//! lines from the cell to the chunk run in a *shaft*, the convex hull of a face of the one and a face of the other. If
//! somewhere along it a layer of voxels fills the shaft's whole cross-section, no line comes through. If its middle line is
//! clear, the chunk is seen. Else the shaft is split in two along its widest side, and each half is decided (branch and
//! bound in the space of lines). What is not decided within a number of steps counts as seen: more, never less.

use super::rooms::Cell;
use super::window::Window;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::{IVec3, Vec3};

/// Shafts looked at for one chunk before it counts as seen.
const MOST: usize = 4000;
/// Sides that are no longer split, in voxels.
const FINEST: f32 = 0.5;

/// A box, or a rectangle.
#[derive(Clone, Copy, Debug)]
struct Part {
    lo: Vec3,
    hi: Vec3,
}

/// What came of a refinement.
#[derive(Clone, Debug, Default)]
pub struct Refined {
    /// A bit for each chunk of the window that is seen.
    pub chunks: Vec<u64>,
    /// Shafts looked at.
    pub shafts: usize,
    /// Chunks that count as seen because it was not decided in time.
    pub undecided: usize,
}

/// Takes the chunks out of `chunks`, which are a bit each, that cannot be seen from a cell of the chunk at `centre`.
#[must_use]
pub fn refine(window: &Window, centre: ChunkPos, cell: &Cell, chunks: &[u64]) -> Refined {
    let origin = centre.origin();
    let corner = |at: [u8; 3]| (origin + IVec3::from(at.map(i32::from))).as_vec3();
    let cell = Part { lo: corner(cell.lo), hi: corner(cell.hi) };
    let mut out = Refined { chunks: vec![0; chunks.len()], ..Refined::default() };
    let mut targets: Vec<(i32, usize)> = Vec::new();
    for (word, &bits) in chunks.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let index = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let offset = window.position(index).as_ivec3() - centre.as_ivec3();
            targets.push((offset.length_squared(), index));
        }
    }
    // The farthest first: a clear line shows all chunks on its way.
    targets.sort_unstable_by_key(|&(distance, index)| (-distance, index));
    for (_, index) in targets {
        if out.chunks[index / 64] >> (index % 64) & 1 == 1 {
            continue;
        }
        let lo = window.position(index).origin().as_vec3();
        let target = Part { lo, hi: lo + CHUNK_SIDE as f32 };
        let mut search = Search { window, out: &mut out, left: MOST };
        if search.is_seen(cell, target) {
            out.chunks[index / 64] |= 1 << (index % 64);
        }
    }
    out
}

struct Search<'a> {
    window: &'a Window,
    out: &'a mut Refined,
    left: usize,
}

impl Search<'_> {
    fn is_seen(&mut self, cell: Part, target: Part) -> bool {
        let mut shafts = Vec::new();
        for from in 0..3 {
            for to in 0..3 {
                // The faces that look at each other; none where the boxes lie side by side along the axis.
                let (Some(a), Some(b)) = (face(cell, target, from), face(target, cell, to)) else { continue };
                shafts.push((a, b));
            }
        }
        if shafts.is_empty() {
            return true;
        }
        while let Some((a, b)) = shafts.pop() {
            if self.left == 0 {
                self.out.undecided += 1;
                return true;
            }
            self.left -= 1;
            self.out.shafts += 1;
            if self.is_blocked(a, b) {
                continue;
            }
            if self.is_clear((a.lo + a.hi) * 0.5, (b.lo + b.hi) * 0.5) {
                return true;
            }
            let (wide_a, wide_b) = (widest(a), widest(b));
            if wide_a.1.max(wide_b.1) <= FINEST {
                return true;
            }
            if wide_a.1 >= wide_b.1 {
                let (x, y) = split(a, wide_a.0);
                shafts.push((x, b));
                shafts.push((y, b));
            } else {
                let (x, y) = split(b, wide_b.0);
                shafts.push((a, x));
                shafts.push((a, y));
            }
        }
        false
    }

    /// True if a layer of voxels across some axis fills the whole shaft between `a` and `b`.
    fn is_blocked(&self, a: Part, b: Part) -> bool {
        (0..3).any(|axis| self.is_blocked_across(a, b, axis))
    }

    fn is_blocked_across(&self, a: Part, b: Part, axis: usize) -> bool {
        let (a, b) = if a.hi[axis] <= b.lo[axis] { (a, b) } else { (b, a) };
        let (first, last) = (a.hi[axis].ceil() as i32, b.lo[axis].floor() as i32);
        if first >= last {
            return false;
        }
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (near, far) = (a.hi[axis], b.lo[axis]);
        for layer in first..last {
            let at = layer as f32 + 0.5;
            let least = (at - near) / (b.hi[axis] - near);
            let most = (at - a.lo[axis]) / (far - a.lo[axis]);
            let range = |axis: usize| {
                let low = |t: f32| a.lo[axis] + (b.lo[axis] - a.lo[axis]) * t;
                let high = |t: f32| a.hi[axis] + (b.hi[axis] - a.hi[axis]) * t;
                (low(least).min(low(most)), high(least).max(high(most)))
            };
            let (u_range, v_range) = (range(u), range(v));
            let mut voxel = IVec3::ZERO;
            voxel[axis] = layer;
            voxel[u] = ((u_range.0 + u_range.1) * 0.5).floor() as i32;
            voxel[v] = ((v_range.0 + v_range.1) * 0.5).floor() as i32;
            if !self.window.hides(voxel) {
                continue;
            }
            let slack = 1e-3;
            let (u0, u1) = ((u_range.0 - slack).floor() as i32, (u_range.1 + slack).ceil() as i32);
            let (v0, v1) = ((v_range.0 - slack).floor() as i32, (v_range.1 + slack).ceil() as i32);
            let full = (v0..v1).all(|y| {
                (u0..u1).all(|x| {
                    voxel[u] = x;
                    voxel[v] = y;
                    self.window.hides(voxel)
                })
            });
            if full {
                return true;
            }
        }
        false
    }

    /// True if nothing lies between two points; then all chunks on the way are seen.
    fn is_clear(&mut self, a: Vec3, b: Vec3) -> bool {
        let way = b - a;
        let length = way.length();
        let direction = way / length;
        let mut voxel = (a + direction * 1e-3).floor().as_ivec3();
        let last = (b - direction * 1e-3).floor().as_ivec3();
        let step = direction.signum().as_ivec3();
        let inverse = direction.abs().recip();
        let mut next: Vec3 = Vec3::from_array(std::array::from_fn(|axis| {
            let border =
                if direction[axis] > 0.0 { (voxel[axis] + 1) as f32 - a[axis] } else { a[axis] - voxel[axis] as f32 };
            border * inverse[axis]
        }));
        let mut seen = [usize::MAX; 64];
        let mut count = 0;
        let mut pos = None;
        while voxel != last {
            if self.window.hides(voxel) {
                return false;
            }
            if pos != Some(ChunkPos::containing(voxel)) {
                pos = Some(ChunkPos::containing(voxel));
                if let Some(index) = self.window.index(ChunkPos::containing(voxel))
                    && count < seen.len()
                {
                    seen[count] = index;
                    count += 1;
                }
            }
            let axis = if next.x < next.y {
                if next.x < next.z { 0 } else { 2 }
            } else if next.y < next.z {
                1
            } else {
                2
            };
            if next[axis] > length {
                break;
            }
            voxel[axis] += step[axis];
            next[axis] += inverse[axis];
        }
        if self.window.hides(voxel) {
            return false;
        }
        for &index in &seen[..count] {
            self.out.chunks[index / 64] |= 1 << (index % 64);
        }
        true
    }
}

/// The face of `of` across `axis` that looks at `at`; none if they lie side by side.
fn face(of: Part, at: Part, axis: usize) -> Option<Part> {
    let mut face = of;
    if of.hi[axis] <= at.lo[axis] {
        face.lo[axis] = of.hi[axis];
    } else if at.hi[axis] <= of.lo[axis] {
        face.hi[axis] = of.lo[axis];
    } else {
        return None;
    }
    Some(face)
}

fn widest(part: Part) -> (usize, f32) {
    let size = part.hi - part.lo;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    (axis, size[axis])
}

fn split(part: Part, axis: usize) -> (Part, Part) {
    let middle = (part.lo[axis] + part.hi[axis]) * 0.5;
    let (mut low, mut high) = (part, part);
    low.hi[axis] = middle;
    high.lo[axis] = middle;
    (low, high)
}
