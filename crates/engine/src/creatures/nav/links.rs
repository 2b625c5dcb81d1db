//! Links: the moves that leave the nodes of a chunk.

use super::padded_rows::{INSIDE, MARGIN, PaddedRows, has_row, rows_of, within};
use super::place_rows::{place_number, row_and_x};
use super::row_moves::{for_each_fall, for_each_jump, for_each_step};
use crate::bits::set_bits;
use crate::voxel::{Box3, CHUNK_SIDE, local_coord, neighbour_index};
use glam::IVec3;

/// A move from a place of a chunk to a place that may lie in a neighbour. One link stands for all
/// moves between two segments, because further moves would not change reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PlaceLink {
    /// Start of the move, numbered by [`place_number`].
    pub from: u16,
    /// Chunk of the target, as an index in the Moore neighbourhood.
    pub chunk: u8,
    /// x of the target in its chunk.
    pub x: u8,
    /// Row of the target in its chunk: z + 32 y.
    pub row: u16,
}

/// Links that start in a chunk, sorted by row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PlaceLinks {
    /// Moves that work in both directions. Each is listed once, from its end with the lower x or z,
    /// or with the lower y for vertical swimming.
    pub(crate) both_ways: Vec<PlaceLink>,
    /// Falls, which work in one direction only.
    pub falls: Vec<PlaceLink>,
    /// Bit i is set if a move leads into chunk i of the Moore neighbourhood.
    targets: u32,
}

impl PlaceLinks {
    /// Finds the moves that start in the rows of `area`.
    pub fn new(padded: &PaddedRows, area: Box3) -> PlaceLinks {
        let mut links = PlaceLinks::default();
        for number in rows_of(area) {
            let y = (number / 32) as i32;
            let z = (number % 32) as i32;
            if padded.place(y, z) & INSIDE == 0 {
                continue;
            }
            let from = Origin { padded, y, z };
            for_each_step(padded, y, z, |by, bits| from.add(by, bits, true, &mut links.both_ways));
            for_each_jump(padded, y, z, |by, bits| from.add(by, bits, false, &mut links.both_ways));
            for_each_fall(padded, y, z, |by, bits| from.add(by, bits, false, &mut links.falls));
        }
        links
    }

    /// True if `old` has the same moves from the rows of `area`.
    pub(crate) fn are_as_in(&self, old: &PlaceLinks, area: Box3) -> bool {
        within(&old.both_ways, area, row_of).eq(&self.both_ways)
            && within(&old.falls, area, row_of).eq(&self.falls)
    }

    /// Replaces the moves that start in the rows of `area` with the moves of `part`.
    pub fn with(&self, area: Box3, part: PlaceLinks) -> PlaceLinks {
        let both_ways = replace_rows(&self.both_ways, area, part.both_ways);
        let falls = replace_rows(&self.falls, area, part.falls);
        let targets = both_ways.iter().chain(&falls).fold(0, |bits, link| bits | 1 << link.chunk);
        PlaceLinks { both_ways, falls, targets }
    }

    /// Moves that lead into a chunk, given as an index in the Moore neighbourhood.
    pub(crate) fn that_enter(&self, chunk: usize) -> impl Iterator<Item = &PlaceLink> {
        let some = self.targets >> chunk & 1 == 1;
        let links = some.then(|| self.both_ways.iter().chain(&self.falls)).into_iter().flatten();
        links.filter(move |link| usize::from(link.chunk) == chunk)
    }
}

/// The links of `old` that start outside `area`, and `new`, sorted by row.
fn replace_rows(old: &[PlaceLink], area: Box3, new: Vec<PlaceLink>) -> Vec<PlaceLink> {
    let kept = old.iter().filter(|link| !has_row(area, row_of(link))).copied();
    let mut links: Vec<PlaceLink> = kept.chain(new).collect();
    links.sort_by_key(row_of);
    links
}

/// Row in which a move starts.
fn row_of(link: &PlaceLink) -> usize {
    row_and_x(link.from).0
}

/// A row as the origin of moves.
struct Origin<'a> {
    padded: &'a PaddedRows,
    y: i32,
    z: i32,
}

impl Origin<'_> {
    /// Appends the moves by `by` that start at the places of `bits`. If `is_step` is set, leaves
    /// out steps inside a node, which connect places of the same kind in the same chunk.
    fn add(&self, by: IVec3, bits: u64, is_step: bool, links: &mut Vec<PlaceLink>) {
        let bits = bits & INSIDE;
        if bits == 0 {
            return;
        }
        let to_y = self.y + by.y;
        let to_z = self.z + by.z;
        let at_target = |bits: u64| if by.x < 0 { bits << -by.x } else { bits >> by.x };
        let is_row_inside = (0..CHUNK_SIDE).contains(&to_y) && (0..CHUNK_SIDE).contains(&to_z);
        let mut bits = bits;
        if is_step && is_row_inside {
            let differs =
                self.padded.water(self.y, self.z) ^ at_target(self.padded.water(to_y, to_z));
            bits &= differs | !at_target(INSIDE);
        }
        // Keeps only the first of the moves between two segments.
        let border =
            1 << MARGIN | !at_target(INSIDE) | at_target(1 << MARGIN | 1 << (MARGIN + CHUNK_SIDE));
        let starts =
            self.padded.starts(self.y, self.z) | at_target(self.padded.starts(to_y, to_z)) | border;
        bits &= !(bits << 1) | starts;
        let row = (self.z + CHUNK_SIDE * self.y) as usize;
        for bit in set_bits(bits) {
            let x = bit as i32 - MARGIN;
            let to_x = x + by.x;
            let chunk = IVec3::new(to_x, to_y, to_z).map(|part| part.div_euclid(CHUNK_SIDE));
            links.push(PlaceLink {
                from: place_number(row, x as u32),
                chunk: neighbour_index(chunk) as u8,
                x: local_coord(to_x) as u8,
                row: (local_coord(to_z) + CHUNK_SIDE * local_coord(to_y)) as u16,
            });
        }
    }
}
