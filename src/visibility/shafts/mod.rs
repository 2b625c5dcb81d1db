//! Shafts: which of the chunks that a sweep has found are really seen.
//!
//! A sweep knows of each portal only a rectangle. Here the voxels themselves decide, for one chunk after the other: all
//! lines from the cell to the chunk run in a *shaft*, the convex hull of a face of the one and a face of the other. If
//! somewhere along it a layer of voxels fills the shaft's whole cross-section, no line comes through. If its middle line is
//! clear, the chunk is seen. Else the shaft is split in two along its widest side, and each half is decided (branch and
//! bound in the space of lines). What is not decided within a number of steps counts as seen: more, never less.
//!
//! A chunk that is known to be hidden is as good as rock for all lines that would go through it: no line from the cell gets
//! that far. So the chunks are decided from near to far, and hidden ones join with the rock around them to larger blockers
//! (Schaufler and others, "Conservative volumetric visibility with occluder fusion", 2000, use hidden space so).

mod ground;
mod shaft;

use super::rooms::Cell;
use super::window::Window;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::{IVec3, Vec3};
use ground::Ground;
use shaft::{Part, Shaft};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Shafts looked at for one chunk before it counts as seen.
const MOST: usize = 400;
/// Shafts looked at before more lines are tried.
const SOME: usize = 12;
/// Sides that are no longer split, in voxels.
const FINEST: f32 = 0.5;
/// Lines that are tried to each chunk at first.
const FEW: i32 = 16;
/// Lines that are tried to those that a few shafts have not decided.
const MANY: i32 = 48;
/// Layers of one shaft that are looked at closely.
const LAYERS: usize = 12;

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

/// Takes the chunks out of `chunks`, a bit for each chunk of the window, that cannot be seen from a cell of the chunk at
/// `centre`. They must hold all that can be seen.
#[must_use]
pub fn refine(window: &Window, centre: ChunkPos, cell: &Cell, chunks: &[u64]) -> Refined {
    let corner = |at: [u8; 3]| IVec3::from(at.map(i32::from)).as_vec3();
    let cell = Part { lo: corner(cell.lo), hi: corner(cell.hi) };
    let mut targets: Vec<(i32, usize)> = ones(chunks)
        .map(|index| ((window.position(index).as_ivec3() - centre.as_ivec3()).length_squared(), index))
        .collect();
    targets.sort_unstable();
    let mut search = Search {
        ground: Ground { window, centre, open: chunks.to_vec() },
        cell,
        seen: vec![0; chunks.len()],
        last: None,
        shafts: 0,
        undecided: 0,
    };
    // A clear line shows all chunks on its way: so the far ones first.
    for &(_, index) in targets.iter().rev() {
        search.try_lines(index, 0..FEW);
    }
    for &(_, index) in &targets {
        search.decide(index, SOME);
    }
    for &(_, index) in targets.iter().rev() {
        if is_set(&search.ground.open, index) {
            search.try_lines(index, FEW..MANY);
        }
    }
    for &(_, index) in &targets {
        search.undecided += usize::from(!search.decide(index, MOST));
    }
    Refined { chunks: search.ground.open, shafts: search.shafts, undecided: search.undecided }
}

fn is_set(bits: &[u64], index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

/// The places of the bits that are set.
fn ones(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|word| *word != 0)
            .map(move |word| i * 64 + word.trailing_zeros() as usize)
    })
}

struct Search<'a> {
    ground: Ground<'a>,
    /// Relative to the corner of its chunk, like all places here.
    cell: Part,
    /// Chunks that a clear line goes to.
    seen: Vec<u64>,
    /// The layer that blocked last: often it blocks the next shaft too.
    last: Option<(usize, i32)>,
    shafts: usize,
    undecided: usize,
}

impl Search<'_> {
    fn target(&self, index: usize) -> Part {
        let offset = self.ground.window.position(index).as_ivec3() - self.ground.centre.as_ivec3();
        let lo = (offset * CHUNK_SIDE).as_vec3();
        Part { lo, hi: lo + CHUNK_SIDE as f32 }
    }

    /// Finds out with at most so many shafts whether a chunk is hidden; false if they do not suffice.
    fn decide(&mut self, index: usize, most: usize) -> bool {
        if is_set(&self.seen, index) || !is_set(&self.ground.open, index) {
            return true;
        }
        match self.is_seen(index, most) {
            Some(true) => self.seen[index / 64] |= 1 << (index % 64),
            Some(false) => self.ground.open[index / 64] &= !(1 << (index % 64)),
            None => return false,
        }
        true
    }

    /// Tries lines to a chunk, until one comes to it.
    fn try_lines(&mut self, index: usize, lines: Range<i32>) {
        let target = self.target(index);
        for i in lines {
            if is_set(&self.seen, index) {
                return;
            }
            // Spread evenly, however many there are (Roberts' sequence of six dimensions).
            let place = |k: i32| (0.5 + (i + 1) as f32 * 0.889_944_f32.powi(k)).fract();
            let from = self.cell.lo + (self.cell.hi - self.cell.lo) * Vec3::new(place(1), place(2), place(3));
            let to = target.lo + (target.hi - target.lo) * Vec3::new(place(4), place(5), place(6));
            self.ground.walk(from, to, index, &mut self.seen, |_| false);
        }
    }

    /// True if a line comes to the chunk, or it cannot be told that none does.
    fn is_seen(&mut self, index: usize, most: usize) -> Option<bool> {
        let (cell, target) = (self.cell, self.target(index));
        let mut shafts = BinaryHeap::new();
        let entries = target.faces(cell);
        for (axis, looks, from) in cell.faces(target) {
            for &(other, other_looks, to) in &entries {
                // No line leaves by one and enters by another face across an axis along which it need not go.
                if looks || other_looks || axis != other {
                    shafts.push(Next { reached: 1.0, shaft: Shaft { from, to } });
                }
            }
        }
        if cell.lo.cmple(target.hi).all() && target.lo.cmple(cell.hi).all() {
            return Some(true);
        }
        let mut left = most;
        while let Some(Next { shaft, .. }) = shafts.pop() {
            if left == 0 {
                return None;
            }
            left -= 1;
            self.shafts += 1;
            let reached = match self.look(&shaft, index) {
                Look::Blocked => continue,
                Look::Clear => return Some(true),
                Look::Reached(part) => part,
            };
            let (from, to) = (shaft.from.widest(), shaft.to.widest());
            if from.1.max(to.1) <= FINEST {
                return Some(true);
            }
            if from.1 >= to.1 {
                shafts.extend(shaft.from.halves(from.0).map(|from| Next { reached, shaft: Shaft { from, ..shaft } }));
            } else {
                shafts.extend(shaft.to.halves(to.0).map(|to| Next { reached, shaft: Shaft { to, ..shaft } }));
            }
        }
        Some(false)
    }

    fn look(&mut self, shaft: &Shaft, index: usize) -> Look {
        let across = [0, 1, 2].map(|axis| shaft.across(axis));
        if let Some((axis, layer)) = self.last
            && across[axis].layers.contains(&layer)
            && self.ground.fills(&across[axis], axis, layer, &mut 0, &mut 1)
        {
            return Look::Blocked;
        }
        // Across an axis along which it hardly goes, a shaft is wide.
        let longest = across.iter().map(|across| across.layers.len()).max().unwrap_or(0);
        let useful = across.each_ref().map(|across| across.layers.len() * 3 > longest);
        let mut tried = [i32::MIN; 3];
        let mut left = LAYERS;
        let mut corners = [0; 3];
        let mut blocked = None;
        let ground = &self.ground;
        let reached = ground.walk(shaft.from.middle(), shaft.to.middle(), index, &mut self.seen, |voxel| {
            for axis in 0..3 {
                let layer = voxel[axis];
                if useful[axis] && tried[axis] != layer && across[axis].layers.contains(&layer) {
                    tried[axis] = layer;
                    if ground.fills(&across[axis], axis, layer, &mut corners[axis], &mut left) {
                        blocked = Some((axis, layer));
                        return false;
                    }
                }
            }
            left > 0
        });
        if blocked.is_some() {
            self.last = blocked;
            return Look::Blocked;
        }
        if reached >= 1.0 { Look::Clear } else { Look::Reached(reached) }
    }
}

enum Look {
    Blocked,
    Clear,
    /// How far the middle line came: a part of its length.
    Reached(f32),
}

/// A shaft to look at: the sooner, the farther a line came near by.
struct Next {
    reached: f32,
    shaft: Shaft,
}

impl Ord for Next {
    fn cmp(&self, other: &Next) -> Ordering {
        self.reached.total_cmp(&other.reached)
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Next) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Next) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Next {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::Sight;
    use crate::voxel::{Box3, Voxel, linear_offset};
    use crate::world::Chunk;

    /// What is seen of the chunks in a row along x, from an open cell at the beginning of the first one.
    fn seen(full: impl Fn(IVec3) -> bool) -> Vec<bool> {
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 1, 1) };
        let window = Window::new(bounds, |pos| {
            let voxel = |index| if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
            Some(Sight::of(&Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))), Voxel::is_full))
        });
        let cell = Cell { room: 0, section: 0, lo: [0; 3], hi: [8; 3] };
        let refined = refine(&window, ChunkPos::default(), &cell, &[0b1111]);
        (0..4).map(|index| is_set(&refined.chunks, index)).collect()
    }

    #[test]
    fn a_wall_hides_what_is_behind_it() {
        assert_eq!(seen(|_| false), [true; 4]);
        assert_eq!(seen(|at| at.x == 40), [true, true, false, false]);
        assert_eq!(seen(|at| at.x == 40 && (at.y, at.z) != (6, 3)), [true; 4]);
        assert_eq!(seen(|at| at.x == 96), [true, true, true, true], "its near side is seen");
        assert_eq!(seen(|at| at.x == 95), [true, true, true, false]);
    }

    #[test]
    fn walls_hide_together() {
        // Each leaves a way open, but who looks over the first looks up to the second.
        let walls = |at: IVec3, second: i32| at.x == 40 && at.y < 14 || at.x == 80 && at.y >= second;
        assert_eq!(seen(|at| walls(at, 10)), [true, true, true, false]);
        assert_eq!(seen(|at| walls(at, 30)), [true; 4]);
    }

    #[test]
    fn lines_that_leave_by_a_side_of_the_cell_count() {
        // A wall right before the cell: all lines go over it, having left the cell by its upper side.
        assert_eq!(seen(|at| at.x == 9 && at.y < 9), [true; 4]);
        let tunnel = |at: IVec3| at.x > 8 && at.x < 40 && !(at.y > 8 && at.y < 12 && at.z < 4);
        assert!(seen(tunnel)[1], "the tunnel begins above the cell");
    }
}
