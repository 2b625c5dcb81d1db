//! Shafts: which of the chunks that a sweep has found are really seen, and which of their sections.
//!
//! A sweep knows of each portal only a rectangle. Here the voxels themselves decide, for one chunk after the other: all
//! lines from the cell to the chunk run in *shafts*, the convex hulls of a face of the one and a face of the other. A shaft is
//! followed from plane to plane between the layers of voxels, and made narrower: of the voxels in its cross-section those that
//! are open have a smallest rectangle, and only what can go through it is left of the two faces (Quake's portal clipping
//! again, by every plane, and both ways). Where nothing is left, no line comes through; where the middle line is clear, the
//! chunk is seen. Else the shaft is split in two along its widest side, and each half is decided (branch and bound in the
//! space of lines). What is not decided within a number of steps counts as seen: more, never less.
//!
//! A chunk that is known to be hidden is as good as rock for all lines that would go through it: no line from the cell gets
//! that far. So the chunks are decided from near to far, and hidden ones join with the rock around them to larger occluders
//! (Schaufler and others, "Conservative volumetric visibility with occluder fusion", 2000, use hidden space so).

mod grain;
mod occlusion;
mod shaft;

use super::bitset;
use super::cell::Cell;
use super::occlusion_grid::OcclusionGrid;
use crate::voxel::ChunkPos;
use glam::{DVec3, IVec3};
pub use grain::Grain;
use occlusion::ShaftOcclusion;
use shaft::{BoxFace, Shaft, ShaftBox};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Through gaps as narrow as this, in voxels, nothing is seen. Voxels touch along edges so often that lines which do no more
/// than graze one would else have to be decided all the time; and what is computed is exact to a thousandth of it.
const GAP: f64 = 1e-6;
/// Shafts as narrow as this, in voxels, are no longer split: they count as seen through.
const FINEST: f64 = 0.01;
/// Voxels in the way of a shaft's middle line that are looked at closely.
const CLOSELY: usize = 12;

/// How hard is tried to tell what is hidden from what is seen. What is not told counts as seen.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Lines that are tried to each target at first.
    pub first_lines: i32,
    /// Shafts looked at before more lines are tried.
    pub first_shafts: usize,
    /// Lines that are tried in all to those that a few shafts have not decided.
    pub all_lines: i32,
    /// Shafts looked at for one target before it counts as seen.
    pub max_shafts: usize,
    /// Of the planes along a shaft only every so many-th is looked at: among those few shafts, and after that.
    pub strides: [usize; 2],
}

impl Effort {
    /// What one cell is worth while the player is in it.
    pub const FULL: Effort =
        Effort { first_lines: 16, first_shafts: 12, all_lines: 48, max_shafts: 400, strides: [8, 1] };
}

/// What is left of `chunks`, a bit for each by place, when those are taken out that cannot be seen from a cell of the chunk at
/// `centre`. They must hold all that can be seen.
#[must_use]
pub fn refine(sights: &OcclusionGrid, centre: ChunkPos, cell: &Cell, chunks: &[u64]) -> Vec<u64> {
    refine_to(sights, centre, cell, chunks, Grain::Chunks, Effort::FULL)
}

/// What is left of `open`, a bit for each chunk or section, when that is taken out which is found with some effort not to be seen
/// from a cell of the chunk at `centre`. It must hold all that can be seen.
pub fn refine_to(
    sights: &OcclusionGrid,
    centre: ChunkPos,
    cell: &Cell,
    open: &[u64],
    grain: Grain,
    effort: Effort,
) -> Vec<u64> {
    ShaftSearch::run(sights, centre, cell, open, grain, effort).ground.open
}

struct ShaftSearch<'a> {
    ground: ShaftOcclusion<'a>,
    /// Of the planes along a shaft every so many-th is looked at now.
    stride: usize,
    /// Relative to the corner of its chunk, like all places here.
    cell: ShaftBox,
    /// Chunks or sections that a clear line goes to.
    proven: Vec<u64>,
    /// Those that are known to be seen or not.
    decided: Vec<u64>,
    /// The axis and plane that blocked last: often it blocks the next shaft too.
    last: Option<(usize, i32)>,
}

impl<'a> ShaftSearch<'a> {
    /// Decides all that is `open`.
    fn run(
        sights: &'a OcclusionGrid,
        centre: ChunkPos,
        cell: &Cell,
        open: &[u64],
        grain: Grain,
        effort: Effort,
    ) -> ShaftSearch<'a> {
        let corner = |at: [u8; 3]| IVec3::from(at.map(i32::from)).as_dvec3();
        let mut search = ShaftSearch {
            ground: ShaftOcclusion::new(sights, centre, grain, open.to_vec()),
            stride: effort.strides[0],
            cell: ShaftBox { lo: corner(cell.lo), hi: corner(cell.hi) },
            proven: vec![0; open.len()],
            decided: vec![0; open.len()],
            last: None,
        };
        let home = (search.cell.middle() / f64::from(grain.side())).floor().as_ivec3();
        let mut targets: Vec<(i32, usize)> =
            bitset::members(open).map(|index| ((search.ground.offset(index) - home).length_squared(), index)).collect();
        targets.sort_unstable();
        // A clear line shows all on its way: so the far ones first.
        for &(_, index) in targets.iter().rev() {
            search.try_lines(index, 0..effort.first_lines);
        }
        for &(_, index) in &targets {
            search.decide(index, effort.first_shafts);
        }
        for &(_, index) in targets.iter().rev() {
            if bitset::contains(&search.ground.open, index) {
                search.try_lines(index, effort.first_lines..effort.all_lines);
            }
        }
        search.stride = effort.strides[1];
        for &(_, index) in &targets {
            search.decide(index, effort.max_shafts);
        }
        search
    }

    fn target(&self, index: usize) -> ShaftBox {
        let side = self.ground.grain.side();
        let lo = (self.ground.offset(index) * side).as_dvec3();
        ShaftBox { lo, hi: lo + f64::from(side) }
    }

    /// Finds out with at most so many shafts whether a chunk is hidden, if that is not known.
    fn decide(&mut self, index: usize, most: usize) {
        if bitset::contains(&self.proven, index) || bitset::contains(&self.decided, index) {
            return;
        }
        if let Some(seen) = self.is_seen(index, most) {
            bitset::insert(&mut self.decided, index);
            if !seen {
                bitset::remove(&mut self.ground.open, index);
            }
        }
    }

    /// Tries lines to a chunk, until one comes to it.
    fn try_lines(&mut self, index: usize, lines: Range<i32>) {
        let target = self.target(index);
        for i in lines {
            if bitset::contains(&self.proven, index) {
                return;
            }
            // Spread evenly, however many there are (Roberts' sequence of six dimensions).
            let place = |k: i32| (0.5 + f64::from(i + 1) * 0.889_944_f64.powi(k)).fract();
            let from = self.cell.lo + (self.cell.hi - self.cell.lo) * DVec3::new(place(1), place(2), place(3));
            let to = target.lo + (target.hi - target.lo) * DVec3::new(place(4), place(5), place(6));
            self.ground.walk(from, to, index, &mut self.proven, |_, _| false);
        }
    }

    /// True if a line comes to the chunk, or it is too narrow a way to tell; none if it is not decided with at most so many
    /// shafts.
    fn is_seen(&mut self, index: usize, most: usize) -> Option<bool> {
        let (cell, target) = (self.cell, self.target(index));
        if cell.touches(target) {
            return Some(true);
        }
        let mut shafts = BinaryHeap::new();
        for to in target.sides(cell).filter(|to| self.is_open_before(index, to)) {
            let all = cell.sides(target).filter_map(|from| Shaft::new(from, to));
            shafts.extend(all.map(|shaft| QueuedShaft { reached: 1.0, shaft }));
        }
        let mut left = most;
        while let Some(QueuedShaft { mut shaft, .. }) = shafts.pop() {
            if left == 0 {
                return None;
            }
            left -= 1;
            let reached = match self.look(&mut shaft, index) {
                ShaftOutcome::Blocked => continue,
                ShaftOutcome::Clear => return Some(true),
                ShaftOutcome::Reached(part) => part,
            };
            if shaft.width() <= FINEST {
                return Some(true);
            }
            shafts.extend(shaft.halves().map(|shaft| QueuedShaft { reached, shaft }));
        }
        Some(false)
    }

    /// True if lines may come to what lies before a face of a target.
    fn is_open_before(&self, index: usize, face: &BoxFace) -> bool {
        let mut before = self.ground.offset(index);
        before[face.axis] += face.sign;
        self.ground.index(before).is_some_and(|before| bitset::contains(&self.ground.open, before))
    }

    fn look(&mut self, shaft: &mut Shaft, index: usize) -> ShaftOutcome {
        let planes = [0, 1, 2].map(|axis| shaft.across(axis).planes);
        if let Some((axis, plane)) = self.last
            && planes[axis].contains(&plane)
            && !self.narrow(shaft, axis, [plane])
        {
            return ShaftOutcome::Blocked;
        }
        // CrossSections an axis along which it hardly goes, a shaft is wide. It is blocked near its end more often than at its
        // beginning: chunks lie behind hidden ones.
        let mut longest = 0;
        for axis in 1..3 {
            if planes[axis].len() > planes[longest].len() {
                longest = axis;
            }
        }
        let onward = shaft.from.hi[longest] <= shaft.to.lo[longest];
        let (all, stride) = (planes[longest].clone(), self.stride);
        let is_left = if onward {
            self.narrow(shaft, longest, all.rev().step_by(stride))
        } else {
            self.narrow(shaft, longest, all.step_by(stride))
        };
        if !is_left {
            return ShaftOutcome::Blocked;
        }
        let mut in_the_way = Vec::with_capacity(CLOSELY);
        let (from, to) = (shaft.from.middle(), shaft.to.middle());
        let reached = self.ground.walk(from, to, index, &mut self.proven, |axis, plane| {
            if planes[axis].contains(&plane) {
                in_the_way.push((axis, plane));
            }
            in_the_way.len() < CLOSELY
        });
        if reached >= 1.0 {
            return ShaftOutcome::Clear;
        }
        let is_left = in_the_way.into_iter().all(|(axis, plane)| self.narrow(shaft, axis, [plane]));
        if is_left { ShaftOutcome::Reached(reached) } else { ShaftOutcome::Blocked }
    }

    /// Takes the lines out of a shaft that some planes across `axis` block; false if none is left.
    fn narrow(&mut self, shaft: &mut Shaft, axis: usize, planes: impl IntoIterator<Item = i32>) -> bool {
        let mut across = shaft.across(axis);
        for plane in planes {
            let section = across.section(plane);
            if section.from[0] >= section.to[0] || section.from[1] >= section.to[1] {
                return false;
            }
            let Some(opening) = self.ground.opening(axis, &shaft.layers(axis, plane), section) else {
                self.last = Some((axis, plane));
                return false;
            };
            if opening != section {
                if !shaft.clip(axis, plane, opening) {
                    return false;
                }
                across = shaft.across(axis);
            }
        }
        true
    }
}

enum ShaftOutcome {
    Blocked,
    Clear,
    /// How far the middle line came: a part of its length.
    Reached(f64),
}

/// A shaft to look at: the sooner, the farther a line came near by.
struct QueuedShaft {
    reached: f64,
    shaft: Shaft,
}

impl Ord for QueuedShaft {
    fn cmp(&self, other: &QueuedShaft) -> Ordering {
        self.reached.total_cmp(&other.reached)
    }
}

impl PartialOrd for QueuedShaft {
    fn partial_cmp(&self, other: &QueuedShaft) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueuedShaft {
    fn eq(&self, other: &QueuedShaft) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for QueuedShaft {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::{ChunkOcclusion, PortalGraph};
    use crate::voxel::{Box3, Voxel, linear_offset};
    use crate::world::Chunk;

    /// What is seen of the chunks in a row along x, from an open cell at the beginning of the first one.
    fn seen(full: impl Fn(IVec3) -> bool) -> Vec<bool> {
        seen_from([0; 3], full)
    }

    /// The same from a cell of 8^3 voxels at `lo`.
    fn seen_from(lo: [u8; 3], full: impl Fn(IVec3) -> bool) -> Vec<bool> {
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 1, 1) };
        let window = PortalGraph::new(bounds, |pos| {
            let voxel = |index| if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
            Some(ChunkOcclusion::from_chunk(
                &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
                Voxel::is_full,
            ))
        });
        let cell = Cell { room: 0, section: 0, lo, hi: lo.map(|lo| lo + 8) };
        let refined = refine(window.occlusion(), ChunkPos::default(), &cell, &[0b1111]);
        (0..4).map(|index| bitset::contains(&refined, index)).collect()
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
    fn gaps_count_however_narrow() {
        // The steepest line goes from the cell's edge at (8, 0) to that of a hole at (41, 5), and is 10 high at x = 74: whether it
        // comes through a second hole, 10 to 11 high, is a matter of 5/33 of a voxel.
        for (second, through) in [(73, false), (75, true)] {
            let walls = |at: IVec3| at.x == 40 && at.y != 4 || at.x == second && at.y != 10;
            assert_eq!(seen(walls)[3], through, "at {second}");
            let mirrored = seen_from([0, 24, 0], |at| walls(at.with_y(31 - at.y)));
            assert_eq!(mirrored[3], through, "at {second}, mirrored");
            let aside = seen(|at| walls(IVec3::new(at.x, at.z, at.y)));
            assert_eq!(aside[3], through, "at {second}, aside");
        }
    }

    #[test]
    fn lines_that_leave_by_a_side_of_the_cell_count() {
        // A wall right before the cell: all lines go over it, having left the cell by its upper side.
        assert_eq!(seen(|at| at.x == 9 && at.y < 9), [true; 4]);
        let tunnel = |at: IVec3| at.x > 8 && at.x < 40 && !(at.y > 8 && at.y < 12 && at.z < 4);
        assert!(seen(tunnel)[1], "the tunnel begins above the cell");
    }
}
