//! Decides which targets are visible from a cell: branch and bound over shafts.

use super::effort::Effort;
use super::grain::Grain;
use super::occlusion::ShaftOcclusion;
use super::shaft::{BoxFace, Shaft, ShaftBox};
use crate::visibility::bitset;
use crate::visibility::cell::Cell;
use crate::visibility::occlusion_grid::OcclusionGrid;
use crate::voxel::ChunkPos;
use glam::{DVec3, IVec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Shafts this narrow, in voxels, are not split further: they count as open.
const MIN_WIDTH: f64 = 0.01;
/// Number of occluders on a shaft's middle line whose planes are examined.
const MAX_HITS: usize = 12;

/// The state of a refinement.
pub(crate) struct ShaftSearch<'a> {
    occlusion: ShaftOcclusion<'a>,
    /// Stride of the current pass: every n-th plane along a shaft is examined.
    stride: usize,
    /// Box of the cell. All coordinates are relative to the corner of the cell's chunk.
    cell: ShaftBox,
    /// Targets that a clear line reaches.
    proven: Vec<u64>,
    /// Targets that are known to be visible or hidden.
    decided: Vec<u64>,
    /// Axis and plane that blocked the last shaft. They often block the next one too.
    last_blocker: Option<(usize, i32)>,
}

impl<'a> ShaftSearch<'a> {
    /// Decides all candidates.
    pub fn run(
        occlusion: &'a OcclusionGrid,
        centre: ChunkPos,
        cell: &Cell,
        candidates: &[u64],
        grain: Grain,
        effort: Effort,
    ) -> ShaftSearch<'a> {
        let corner = |at: [u8; 3]| IVec3::from(at.map(i32::from)).as_dvec3();
        let mut search = ShaftSearch {
            occlusion: ShaftOcclusion::new(occlusion, centre, grain, candidates.to_vec()),
            stride: effort.strides[0],
            cell: ShaftBox { lo: corner(cell.lo), hi: corner(cell.hi) },
            proven: vec![0; candidates.len()],
            decided: vec![0; candidates.len()],
            last_blocker: None,
        };
        let home = (search.cell.middle() / f64::from(grain.side())).floor().as_ivec3();
        let mut targets: Vec<(i32, usize)> = bitset::members(candidates)
            .map(|index| ((search.occlusion.offset(index) - home).length_squared(), index))
            .collect();
        targets.sort_unstable();
        // A clear line proves every target on its way, so far targets come first.
        for &(_, index) in targets.iter().rev() {
            search.try_lines(index, 0..effort.first_lines);
        }
        for &(_, index) in &targets {
            search.decide(index, effort.first_shafts);
        }
        for &(_, index) in targets.iter().rev() {
            if bitset::contains(&search.occlusion.open, index) {
                search.try_lines(index, effort.first_lines..effort.all_lines);
            }
        }
        search.stride = effort.strides[1];
        for &(_, index) in &targets {
            search.decide(index, effort.max_shafts);
        }
        search
    }

    /// The candidates that are not proven hidden.
    pub(crate) fn into_visible(self) -> Vec<u64> {
        self.occlusion.open
    }

    /// Box of a target.
    fn target(&self, index: usize) -> ShaftBox {
        let side = self.occlusion.grain.side();
        let lo = (self.occlusion.offset(index) * side).as_dvec3();
        ShaftBox { lo, hi: lo + f64::from(side) }
    }

    /// Decides a target with up to `max_shafts` shafts, unless it is decided already.
    fn decide(&mut self, index: usize, max_shafts: usize) {
        if bitset::contains(&self.proven, index) || bitset::contains(&self.decided, index) {
            return;
        }
        if let Some(visible) = self.is_visible(index, max_shafts) {
            bitset::insert(&mut self.decided, index);
            if !visible {
                bitset::remove(&mut self.occlusion.open, index);
            }
        }
    }

    /// Tries lines to a target until one reaches it.
    fn try_lines(&mut self, index: usize, lines: Range<i32>) {
        let target = self.target(index);
        for i in lines {
            if bitset::contains(&self.proven, index) {
                return;
            }
            // Spread evenly for any number of lines (Roberts' sequence in six dimensions).
            let part = |k: i32| (0.5 + f64::from(i + 1) * 0.889_944_f64.powi(k)).fract();
            let from = self.cell.lo
                + (self.cell.hi - self.cell.lo) * DVec3::new(part(1), part(2), part(3));
            let to = target.lo + (target.hi - target.lo) * DVec3::new(part(4), part(5), part(6));
            self.occlusion.walk(from, to, index, &mut self.proven, |_, _| false);
        }
    }

    /// True if a line reaches the target, or may reach it through a very narrow gap. Returns `None`
    /// if the target is undecided after `max_shafts` shafts.
    fn is_visible(&mut self, index: usize, max_shafts: usize) -> Option<bool> {
        let cell = self.cell;
        let target = self.target(index);
        if cell.touches(target) {
            return Some(true);
        }
        let mut shafts = BinaryHeap::new();
        for to in target.faces(cell).filter(|to| self.is_open_before(index, to)) {
            let all = cell.faces(target).filter_map(|from| Shaft::new(from, to));
            shafts.extend(all.map(|shaft| QueuedShaft { reached: 1.0, shaft }));
        }
        let mut left = max_shafts;
        while let Some(QueuedShaft { mut shaft, .. }) = shafts.pop() {
            if left == 0 {
                return None;
            }
            left -= 1;
            let reached = match self.examine(&mut shaft, index) {
                ShaftOutcome::Blocked => continue,
                ShaftOutcome::Clear => return Some(true),
                ShaftOutcome::Reached(reached) => reached,
            };
            if shaft.width() <= MIN_WIDTH {
                return Some(true);
            }
            shafts.extend(shaft.halves().map(|shaft| QueuedShaft { reached, shaft }));
        }
        Some(false)
    }

    /// True if lines may reach the chunk or section in front of a face of a target.
    fn is_open_before(&self, index: usize, face: &BoxFace) -> bool {
        let mut before = self.occlusion.offset(index);
        before[face.axis] += face.sign;
        self.occlusion
            .index(before)
            .is_some_and(|before| bitset::contains(&self.occlusion.open, before))
    }

    /// Narrows a shaft and follows its middle line.
    fn examine(&mut self, shaft: &mut Shaft, index: usize) -> ShaftOutcome {
        let planes = [0, 1, 2].map(|axis| shaft.across(axis).planes);
        if let Some((axis, plane)) = self.last_blocker
            && planes[axis].contains(&plane)
            && !self.narrow(shaft, axis, [plane])
        {
            return ShaftOutcome::Blocked;
        }
        // A shaft is wide across an axis along which it hardly advances, so the longest axis is
        // used. Its end is examined first: many targets lie behind hidden chunks, which block
        // there.
        let mut longest = 0;
        for axis in 1..3 {
            if planes[axis].len() > planes[longest].len() {
                longest = axis;
            }
        }
        let forward = shaft.from.hi[longest] <= shaft.to.lo[longest];
        let all = planes[longest].clone();
        let stride = self.stride;
        let is_open = if forward {
            self.narrow(shaft, longest, all.rev().step_by(stride))
        } else {
            self.narrow(shaft, longest, all.step_by(stride))
        };
        if !is_open {
            return ShaftOutcome::Blocked;
        }
        let mut hits = Vec::with_capacity(MAX_HITS);
        let from = shaft.from.middle();
        let to = shaft.to.middle();
        let reached = self.occlusion.walk(from, to, index, &mut self.proven, |axis, plane| {
            if planes[axis].contains(&plane) {
                hits.push((axis, plane));
            }
            hits.len() < MAX_HITS
        });
        if reached >= 1.0 {
            return ShaftOutcome::Clear;
        }
        let is_open = hits.into_iter().all(|(axis, plane)| self.narrow(shaft, axis, [plane]));
        if is_open { ShaftOutcome::Reached(reached) } else { ShaftOutcome::Blocked }
    }

    /// Removes the lines of a shaft that the given planes across `axis` block. Returns false if
    /// none is left.
    fn narrow(
        &mut self,
        shaft: &mut Shaft,
        axis: usize,
        planes: impl IntoIterator<Item = i32>,
    ) -> bool {
        let mut across = shaft.across(axis);
        for plane in planes {
            let section = across.section(plane);
            if section.from[0] >= section.to[0] || section.from[1] >= section.to[1] {
                return false;
            }
            let Some(opening) = self.occlusion.opening(axis, &shaft.layers(axis, plane), section)
            else {
                self.last_blocker = Some((axis, plane));
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

/// The result of examining a shaft.
enum ShaftOutcome {
    /// No line passes through the shaft.
    Blocked,
    /// The middle line reaches the target.
    Clear,
    /// Undecided. Holds the fraction of the middle line up to the first occluder.
    Reached(f64),
}

/// A shaft to examine. Shafts near a line that came far are examined first.
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
