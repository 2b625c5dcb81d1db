//! Reach between areas: one bit per pair of areas.
//!
//! Areas are the strongly connected components of the graph of moves. Falls lead from area to area
//! without a path back, so the areas and falls form an acyclic graph. Most areas have no fall or a
//! single one: a treetop only leads to the meadow, and reaches everything that the meadow reaches.
//! So the matrix has a row only for areas with several outgoing edges, and a column only for areas
//! with several incoming edges. A full matrix would grow with the square of the number of areas.
//!
//! Adding or removing an edge changes the rows of the areas that reach its start, in the columns of
//! the areas that its end reaches. Nothing changes if another path connects the two. A merge only
//! adds bits to the rows of the areas that reach the merged areas.
//!
//! Sources: van Waveren, "1. Introduction", for the matrix of bits; Italiano, "Amortized efficiency
//! of a path retrieval data structure" (1986), for added edges.

mod changes;

/// Marks an unused row in place of its area.
const NONE: u32 = u32::MAX;
/// Spare row capacity of a new matrix, so that the first edits need not reallocate it.
const SPARE_ROWS: usize = 1024;

/// An edge from one area to another.
type Edge = [u32; 2];

/// Words per row of a new matrix: room for `columns` columns and an eighth more.
fn words_for(columns: u32) -> usize {
    let words = (columns as usize).div_ceil(64);
    words + words / 8 + 1
}

/// The areas at the other ends of an area's incoming or outgoing edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Adjacent {
    None,
    /// A single area.
    One(u32),
    /// Several areas; holds the number of the row or column of the matrix.
    Many(u32),
}

/// The edges of an area.
#[derive(Clone, Copy, Debug)]
struct Area {
    next: Adjacent,
    previous: Adjacent,
}

/// An area without edges.
const ISOLATED: Area = Area { next: Adjacent::None, previous: Adjacent::None };

/// Words of a row to compute.
#[derive(Clone, Copy)]
enum Words<'a> {
    All,
    /// The words with these indices, in ascending order.
    These(&'a [usize]),
}

impl Words<'_> {
    /// Index of a word among the chosen words; `None` if it is not chosen.
    #[inline]
    fn index(self, word: usize) -> Option<usize> {
        match self {
            Words::All => Some(word),
            Words::These(words) => words.binary_search(&word).ok(),
        }
    }
}

/// The matrix of reach between areas, and the edges that it is computed from.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaReach {
    areas: Vec<Area>,
    /// Targets of the outgoing edges of each area.
    next: Vec<Vec<u32>>,
    /// Sources of the incoming edges of each area.
    previous: Vec<Vec<u32>>,
    free_areas: Vec<u32>,
    /// Rows of `words` words each, one bit per column. Bits of unused columns are undefined.
    bits: Vec<u64>,
    words: usize,
    /// Area of each row; [`NONE`] for unused rows.
    row_areas: Vec<u32>,
    free_rows: Vec<u32>,
    columns: u32,
    free_columns: Vec<u32>,
}

impl AreaReach {
    /// Computes the reach between `areas` areas. Every edge must lead to a lower number and occur
    /// once.
    pub fn new(areas: usize, edges: impl Iterator<Item = Edge>) -> AreaReach {
        let mut reach = AreaReach {
            areas: vec![ISOLATED; areas],
            next: vec![Vec::new(); areas],
            previous: vec![Vec::new(); areas],
            ..AreaReach::default()
        };
        for [from, to] in edges {
            reach.next[from as usize].push(to);
            reach.previous[to as usize].push(from);
        }
        for area in 0..areas {
            reach.areas[area].previous = match reach.previous[area][..] {
                [] => Adjacent::None,
                [previous] => Adjacent::One(previous),
                _ => Adjacent::Many(reach.columns),
            };
            reach.columns += u32::from(matches!(reach.areas[area].previous, Adjacent::Many(_)));
        }
        reach.words = words_for(reach.columns);
        let rows = reach.next.iter().filter(|next| next.len() > 1).count();
        reach.bits.reserve(reach.words * (rows + SPARE_ROWS));
        for area in 0..areas as u32 {
            reach.areas[area as usize].next = match reach.next[area as usize][..] {
                [] => Adjacent::None,
                [next] => Adjacent::One(next),
                ref next => {
                    let mut bits = vec![0; reach.words];
                    for &to in next {
                        reach.add_reach(to, Words::All, &mut bits);
                    }
                    Adjacent::Many(reach.add_row(area, &bits))
                }
            };
        }
        reach
    }

    /// True if an edge leads from an area to another.
    pub(crate) fn has_edge(&self, from: u32, to: u32) -> bool {
        let next = &self.next[from as usize];
        let previous = &self.previous[to as usize];
        if next.len() < previous.len() { next.contains(&to) } else { previous.contains(&from) }
    }

    /// Row of the first area with a row, following single edges from `area`; `None` if the path
    /// ends before.
    fn first_row(&self, mut area: u32) -> Option<u32> {
        loop {
            match self.areas[area as usize].next {
                Adjacent::None => return None,
                Adjacent::One(next) => area = next,
                Adjacent::Many(row) => return Some(row),
            }
        }
    }

    /// Computes the given words of an area's row from the targets of its edges.
    fn gather(&self, area: u32, words: &[usize], bits: &mut [u64]) {
        bits.fill(0);
        for &to in &self.next[area as usize] {
            self.add_reach(to, Words::These(words), bits);
        }
    }

    /// Sets the bits of an area and of all areas that it reaches, in the chosen words of a row.
    #[inline]
    fn add_reach(&self, mut area: u32, words: Words<'_>, bits: &mut [u64]) {
        loop {
            let Area { next, previous } = self.areas[area as usize];
            if let Adjacent::Many(column) = previous
                && let Some(index) = words.index(column as usize / 64)
            {
                bits[index] |= 1 << (column % 64);
            }
            match (next, words) {
                (Adjacent::None, _) => return,
                (Adjacent::One(next), _) => area = next,
                (Adjacent::Many(row), Words::All) => {
                    bits.iter_mut().zip(self.row(row)).for_each(|(bits, more)| *bits |= more);
                    return;
                }
                (Adjacent::Many(row), Words::These(words)) => {
                    let row = self.row(row);
                    bits.iter_mut().zip(words).for_each(|(bits, &word)| *bits |= row[word]);
                    return;
                }
            }
        }
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.bits[row as usize * self.words..][..self.words]
    }

    /// Rows of an area and of all areas that reach it.
    fn rows_up_from(&self, area: u32) -> Vec<u32> {
        let mut rows = self.rows_reaching(area);
        if let Adjacent::Many(row) = self.areas[area as usize].next {
            rows.push(row);
        }
        rows
    }

    /// Rows of the areas that reach an area, without the area's own row.
    fn rows_reaching(&self, mut area: u32) -> Vec<u32> {
        let mut rows = Vec::new();
        loop {
            match self.areas[area as usize].previous {
                Adjacent::None => break,
                Adjacent::One(previous) => {
                    area = previous;
                    if let Adjacent::Many(row) = self.areas[area as usize].next {
                        rows.push(row);
                    }
                }
                Adjacent::Many(column) => {
                    let has_bit = |row: &u32| {
                        let word = self.bits[*row as usize * self.words + column as usize / 64];
                        word >> (column % 64) & 1 == 1 && self.row_areas[*row as usize] != NONE
                    };
                    rows.extend((0..self.row_areas.len() as u32).filter(has_bit));
                    break;
                }
            }
        }
        rows
    }

    /// True if the areas are equal, or `to` can be reached from `from`.
    #[inline(always)]
    pub fn reaches(&self, mut from: u32, mut to: u32) -> bool {
        let column = loop {
            if from == to {
                return true;
            }
            match self.areas[to as usize].previous {
                Adjacent::None => return false,
                Adjacent::One(previous) => to = previous,
                Adjacent::Many(column) => break column,
            }
        };
        loop {
            match self.areas[from as usize].next {
                Adjacent::None => return false,
                Adjacent::One(next) => from = next,
                Adjacent::Many(row) => {
                    let word = self.bits[row as usize * self.words + column as usize / 64];
                    return word >> (column % 64) & 1 == 1;
                }
            }
            if from == to {
                return true;
            }
        }
    }

    /// Areas on all paths from `from` to `to`, both included; empty if there is no path. Stops
    /// after finding more than `limit` areas, so a longer result is incomplete.
    pub fn between(&self, from: u32, to: u32, limit: usize) -> Vec<u32> {
        let mut found = Vec::new();
        if self.reaches(from, to) {
            found.push(from);
        }
        let mut at = 0;
        while let Some(&area) = found.get(at) {
            for &next in &self.next[area as usize] {
                if found.len() > limit {
                    return found;
                }
                if !found.contains(&next) && self.reaches(next, to) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found
    }

    /// Calls `each` with all pairs of different areas where the first reaches the second.
    pub(crate) fn for_each_reach(&self, mut each: impl FnMut(u32, u32)) {
        let areas = 0..self.areas.len() as u32;
        let targets: Vec<u32> = areas
            .clone()
            .filter(|&area| self.areas[area as usize].previous != Adjacent::None)
            .collect();
        for from in areas.filter(|&area| self.areas[area as usize].next != Adjacent::None) {
            for &to in &targets {
                if to != from && self.reaches(from, to) {
                    each(from, to);
                }
            }
        }
    }

    /// Number of areas.
    pub fn len(&self) -> usize {
        self.areas.len() - self.free_areas.len()
    }

    /// Number of rows in use.
    pub(crate) fn row_count(&self) -> usize {
        self.row_areas.len() - self.free_rows.len()
    }

    /// Number of columns in use.
    pub fn column_count(&self) -> usize {
        self.columns as usize - self.free_columns.len()
    }
}
