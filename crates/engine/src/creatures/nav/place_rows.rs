//! Places of a chunk, and the nodes that they belong to.

use super::padded_rows::{INSIDE, MARGIN, PaddedRows, has_row, rows_of, within};
use super::row_moves::for_each_step;
use crate::bits::set_bits;
use crate::runs::bit_rows::{AREA, SIDE};
use crate::voxel::{Box3, CHUNK_SIDE};

/// Places of a row along x.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PlaceRow {
    /// Bit `x` is set if there is a place at `x`.
    pub places: u32,
    /// Bits of the first place of each segment.
    pub starts: u32,
    /// Number of the row's first segment in the chunk.
    pub(crate) first_segment: u16,
    /// Number of the row's first place in the chunk, in linear order.
    pub(crate) first_place: u16,
}

impl PlaceRow {
    /// Number of the segment of the place at `x`.
    #[inline(always)]
    pub fn segment(self, x: u32) -> usize {
        usize::from(self.first_segment) + (self.starts << (31 - x)).count_ones() as usize - 1
    }

    /// Number of the place at `x`.
    #[inline(always)]
    pub fn place(self, x: u32) -> usize {
        usize::from(self.first_place) + (self.places << (31 - x)).count_ones() as usize - 1
    }
}

/// Places of a chunk. Nodes are numbered in the linear order of their first places.
#[derive(Clone, Debug)]
pub(super) struct PlaceRows {
    rows: Box<[PlaceRow]>,
    /// Steps inside nodes as pairs of places (see [`place_number`]), sorted by row. One step for
    /// each pair of adjacent segments.
    steps: Vec<[u16; 2]>,
    /// Node of each segment.
    node_of_segment: Box<[u16]>,
    /// Number of nodes.
    pub nodes: u16,
    /// Number of places.
    pub places: u16,
}

/// Candidate for the old node that contained most of the places of a new node.
pub(super) struct Majority {
    pub(crate) old_node: u16,
    pub new_node: u16,
    /// Lead of the old node after a Boyer-Moore majority vote, in places.
    pub weight: u32,
}

/// Number of a voxel in its chunk: x + 32 (z + 32 y).
pub(super) fn place_number(row: usize, x: u32) -> u16 {
    (row * SIDE) as u16 | x as u16
}

/// Row (z + 32 y) and x of a voxel, the inverse of [`place_number`].
pub(super) fn row_and_x(place: u16) -> (usize, u32) {
    (usize::from(place) / SIDE, u32::from(place) % SIDE as u32)
}

/// Row in which a step starts.
fn row_of(step: &[u16; 2]) -> usize {
    row_and_x(step[0]).0
}

/// Places of some rows of a chunk.
pub(super) struct PlacePart {
    /// Bits of places, and bits of the first places of segments, for each row.
    rows: Vec<[u32; 2]>,
    /// Steps inside nodes that start in these rows.
    steps: Vec<[u16; 2]>,
}

impl PlacePart {
    /// Derives the places in an area of a chunk.
    pub fn new(padded: &PaddedRows, area: Box3) -> PlacePart {
        let mut part = PlacePart { rows: Vec::new(), steps: Vec::new() };
        for number in rows_of(area) {
            let y = (number / SIDE) as i32;
            let z = (number % SIDE) as i32;
            let bits = (padded.place(y, z) >> MARGIN) as u32;
            // A segment does not continue across the border of the chunk.
            let starts = (padded.starts(y, z) >> MARGIN) as u32 | bits & 1;
            part.rows.push([bits, starts]);
            if bits != 0 {
                part.add_steps(padded, y, z);
            }
        }
        part
    }

    /// Adds the steps that start in a row.
    fn add_steps(&mut self, padded: &PaddedRows, y: i32, z: i32) {
        for_each_step(padded, y, z, |step, bits| {
            let to_y = y + step.y;
            let to_z = z + step.z;
            if !(0..CHUNK_SIDE).contains(&to_y) || to_z >= CHUNK_SIDE {
                return;
            }
            let alike = !(padded.water(y, z) ^ padded.water(to_y, to_z) >> step.x);
            let bits = bits & alike & INSIDE & INSIDE >> step.x;
            // Keeps only the first of the steps between two segments.
            let starts = padded.starts(y, z) | padded.starts(to_y, to_z) >> step.x;
            let bits = bits & (!(bits << 1) | starts);
            let [from, to] = [(y, z), (to_y, to_z)].map(|(y, z)| (z + CHUNK_SIDE * y) as usize);
            for bit in set_bits(bits) {
                let x = bit - MARGIN as u32;
                self.steps.push([place_number(from, x), place_number(to, x + step.x as u32)]);
            }
        });
    }

    /// True if `old` has the same places and steps in `area`.
    pub(crate) fn is_as_in(&self, old: Option<&PlaceRows>, area: Box3) -> bool {
        let Some(old) = old else { return self.rows.iter().all(|[places, _]| *places == 0) };
        let rows = rows_of(area).map(|number| old.rows[number]);
        rows.map(|row| [row.places, row.starts]).eq(self.rows.iter().copied())
            && within(&old.steps, area, row_of).eq(&self.steps)
    }
}

impl PartialEq for PlaceRows {
    /// Compares places and nodes. Ignores steps, because different steps can connect the same
    /// nodes.
    fn eq(&self, other: &PlaceRows) -> bool {
        (&self.rows, &self.node_of_segment) == (&other.rows, &other.node_of_segment)
    }
}

impl PlaceRows {
    /// Copies `old` with the rows of `area` replaced; `None` if no places are left.
    pub fn with(old: Option<&PlaceRows>, area: Box3, part: PlacePart) -> Option<PlaceRows> {
        let mut rows =
            old.map_or_else(|| vec![PlaceRow::default(); AREA].into(), |old| old.rows.clone());
        for (number, [places, starts]) in rows_of(area).zip(part.rows) {
            rows[number].places = places;
            rows[number].starts = starts;
        }
        let mut segments = 0u16;
        let mut places = 0u16;
        for row in &mut rows {
            if row.places == 0 {
                *row = PlaceRow::default();
                continue;
            }
            row.first_segment = segments;
            row.first_place = places;
            // Cannot overflow: at most one segment and one place for each of 32,768 voxels.
            segments += row.starts.count_ones() as u16;
            places += row.places.count_ones() as u16;
        }
        if places == 0 {
            return None;
        }
        let is_kept = |step: &&[u16; 2]| !has_row(area, row_of(step));
        let kept = old.into_iter().flat_map(|old| old.steps.iter().filter(is_kept).copied());
        let mut steps: Vec<[u16; 2]> = kept.chain(part.steps).collect();
        steps.sort_by_key(row_of);
        let mut rows = PlaceRows { rows, steps, node_of_segment: Box::default(), nodes: 0, places };
        rows.find_nodes(segments.into());
        Some(rows)
    }

    /// Row and x of place `number`; `None` if there are fewer places.
    pub fn nth(&self, number: usize) -> Option<(usize, u32)> {
        let mut left = u32::try_from(number).ok()?;
        let is_here = |row: &PlaceRow| {
            let count = row.places.count_ones();
            let found = left < count;
            left -= if found { 0 } else { count };
            found
        };
        let row = self.rows.iter().position(is_here)?;
        Some((row, set_bits(self.rows[row].places).nth(left as usize)?))
    }

    /// Row `number`, which is z + 32 y.
    #[inline(always)]
    pub fn row(&self, number: usize) -> PlaceRow {
        self.rows[number]
    }

    /// Node of a segment.
    #[inline(always)]
    pub(crate) fn node_of_segment(&self, segment: usize) -> u16 {
        self.node_of_segment[segment]
    }

    /// Node of the place at x of a row; `None` where there is no place.
    #[inline(always)]
    pub fn node(&self, row: usize, x: u32) -> Option<u16> {
        let row = self.rows[row];
        (row.places >> x & 1 == 1).then(|| self.node_of_segment[row.segment(x)])
    }

    /// Compares with new places of the same chunk. For each new node that shares places with old
    /// nodes, returns an old node and its lead in the vote. If one old node has more than half of
    /// the shared places, it is the one returned.
    pub(crate) fn majorities(&self, new: &PlaceRows) -> impl Iterator<Item = Majority> {
        // Boyer-Moore majority vote: needs one counter per new node instead of one per pair of
        // nodes.
        let mut votes = vec![(0, 0u32); new.nodes.into()];
        for (old_row, new_row) in self.rows.iter().zip(&new.rows) {
            let mut shared = old_row.places & new_row.places;
            let starts = old_row.starts | new_row.starts;
            while shared != 0 {
                let x = shared.trailing_zeros();
                // Number of shared places up to the end of either segment.
                let run = (!shared | starts & !(1 << x)) >> x;
                let length = run.trailing_zeros().min(32 - x);
                shared &= !(u32::MAX >> (32 - length) << x);
                let old_node = self.node_of_segment[old_row.segment(x)];
                let vote = &mut votes[usize::from(new.node_of_segment[new_row.segment(x)])];
                *vote = match *vote {
                    (node, weight) if node == old_node => (node, weight + length),
                    (node, weight) if weight >= length => (node, weight - length),
                    (_, weight) => (old_node, length - weight),
                };
            }
        }
        let votes = votes.into_iter().enumerate();
        votes.filter(|(_, (_, weight))| *weight > 0).map(|(node, (old_node, weight))| Majority {
            old_node,
            new_node: node as u16,
            weight,
        })
    }

    /// Numbers the nodes, which are the sets of segments that steps connect.
    fn find_nodes(&mut self, segments: usize) {
        let mut parents: Vec<u16> = (0..segments as u16).collect();
        for step in &self.steps {
            let [from, to] = step.map(|place| {
                let (row, x) = row_and_x(place);
                self.rows[row].segment(x)
            });
            join(&mut parents, from, to);
        }
        let mut nodes = 0;
        let mut node_of_segment = vec![0; segments];
        for segment in 0..segments {
            let root = find(&mut parents, segment);
            // The root of a set is its lowest segment, so its node is already numbered.
            node_of_segment[segment] = if root == segment {
                nodes += 1;
                nodes - 1
            } else {
                node_of_segment[root]
            };
        }
        self.nodes = nodes;
        self.node_of_segment = node_of_segment.into_boxed_slice();
    }
}

/// Root of a set, its lowest member (union-find with path halving).
fn find(parents: &mut [u16], mut segment: usize) -> usize {
    while usize::from(parents[segment]) != segment {
        parents[segment] = parents[usize::from(parents[segment])];
        segment = parents[segment].into();
    }
    segment
}

/// Merges the sets of `a` and `b`. False if both were already in the same set.
pub(super) fn join(parents: &mut [u16], a: usize, b: usize) -> bool {
    let a = find(parents, a);
    let b = find(parents, b);
    let low = a.min(b);
    let high = a.max(b);
    parents[high] = low as u16;
    low != high
}
