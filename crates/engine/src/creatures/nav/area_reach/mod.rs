//! Which areas can be reached from which, as one bit per pair of areas.
//!
//! Falls lead from area to area without a way back, so the areas form a graph without cycles. Most
//! areas have no falls, or all their falls lead to one area: a treetop to the meadow. What they
//! reach is what that area reaches. So the matrix has a row only for areas with falls to several
//! areas, and a column only for areas into which falls from several lead.
//!
//! A fall that is added or removed changes the rows of the areas that reach its start, in the
//! columns of what its end reaches; nothing, if there is another way. Areas that are joined lose no
//! way: the rows of those that reach them only gain.
//!
//! Sources: van Waveren, "1. Introduction": a matrix of bits that say what is reachable from a
//! cell. Italiano, "Amortized efficiency of a path retrieval data structure" (1986), for added
//! edges.

mod changes;

/// Area of a row that is not in use.
const NONE: u32 = u32::MAX;
/// Rows that are kept free when the matrix is allocated.
const SPARE_ROWS: usize = 1024;

/// Words per row of a new matrix: room for `columns` columns and some spare ones.
fn words_for(columns: u32) -> usize {
    let words = (columns as usize).div_ceil(64);
    words + words / 8 + 1
}

/// The areas on one side of falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ways {
    None,
    /// One area.
    One(u32),
    /// Several: its row or column in the matrix.
    Many(u32),
}

/// Where falls lead from an area, and from where they lead into it.
#[derive(Clone, Copy, Debug)]
struct Area {
    next: Ways,
    previous: Ways,
}

/// An area without falls.
const ISOLATED: Area = Area { next: Ways::None, previous: Ways::None };

/// Words of a row.
#[derive(Clone, Copy)]
enum Words<'a> {
    All,
    /// Their indices, sorted.
    These(&'a [usize]),
}

impl Words<'_> {
    /// Index among these words.
    #[inline]
    fn index(self, word: usize) -> Option<usize> {
        match self {
            Words::All => Some(word),
            Words::These(words) => words.binary_search(&word).ok(),
        }
    }
}

/// The reach among areas.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaReach {
    areas: Vec<Area>,
    /// Areas to which falls lead from an area, and from which they lead into it.
    next: Vec<Vec<u32>>,
    previous: Vec<Vec<u32>>,
    free_areas: Vec<u32>,
    /// Bits by column, `words` for each row. Columns that are not in use hold anything.
    bits: Vec<u64>,
    words: usize,
    /// Area of each row.
    row_areas: Vec<u32>,
    free_rows: Vec<u32>,
    columns: u32,
    free_columns: Vec<u32>,
}

impl AreaReach {
    /// The reach among `areas` areas. Falls lead to lower numbers, each once.
    pub fn new(areas: usize, falls: impl Iterator<Item = [u32; 2]>) -> AreaReach {
        let mut reach = AreaReach {
            areas: vec![ISOLATED; areas],
            next: vec![Vec::new(); areas],
            previous: vec![Vec::new(); areas],
            ..AreaReach::default()
        };
        for [from, to] in falls {
            reach.next[from as usize].push(to);
            reach.previous[to as usize].push(from);
        }
        for area in 0..areas {
            reach.areas[area].previous = match reach.previous[area][..] {
                [] => Ways::None,
                [previous] => Ways::One(previous),
                _ => Ways::Many(reach.columns),
            };
            reach.columns += u32::from(matches!(reach.areas[area].previous, Ways::Many(_)));
        }
        reach.words = words_for(reach.columns);
        let rows = reach.next.iter().filter(|next| next.len() > 1).count();
        reach.bits.reserve(reach.words * (rows + SPARE_ROWS));
        for area in 0..areas as u32 {
            reach.areas[area as usize].next = match reach.next[area as usize][..] {
                [] => Ways::None,
                [next] => Ways::One(next),
                ref next => {
                    let mut bits = vec![0; reach.words];
                    next.iter().for_each(|&to| reach.add_reach(to, Words::All, &mut bits));
                    Ways::Many(reach.add_row(area, &bits))
                }
            };
        }
        reach
    }

    /// True if a fall leads from an area to another.
    pub fn has_fall(&self, from: u32, to: u32) -> bool {
        let (next, previous) = (&self.next[from as usize], &self.previous[to as usize]);
        if next.len() < previous.len() { next.contains(&to) } else { previous.contains(&from) }
    }

    /// Row of the first area with one, from an area on.
    fn first_row(&self, mut area: u32) -> Option<u32> {
        loop {
            match self.areas[area as usize].next {
                Ways::None => return None,
                Ways::One(next) => area = next,
                Ways::Many(row) => return Some(row),
            }
        }
    }

    /// These words of what an area reaches, from what the areas reach to which its falls lead.
    fn gather(&self, area: u32, words: &[usize], bits: &mut [u64]) {
        bits.fill(0);
        self.next[area as usize].iter().for_each(|&to| self.add_reach(to, Words::These(words), bits));
    }

    /// Adds an area and what it reaches to bits, which hold `words`.
    #[inline]
    fn add_reach(&self, mut area: u32, words: Words<'_>, bits: &mut [u64]) {
        loop {
            let Area { next, previous } = self.areas[area as usize];
            if let Ways::Many(column) = previous
                && let Some(index) = words.index(column as usize / 64)
            {
                bits[index] |= 1 << (column % 64);
            }
            match (next, words) {
                (Ways::None, _) => return,
                (Ways::One(next), _) => area = next,
                (Ways::Many(row), Words::All) => {
                    bits.iter_mut().zip(self.row(row)).for_each(|(bits, more)| *bits |= more);
                    return;
                }
                (Ways::Many(row), Words::These(words)) => {
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

    /// Rows of an area and of those that reach it.
    fn rows_up_from(&self, area: u32) -> Vec<u32> {
        let mut rows = self.rows_reaching(area);
        if let Ways::Many(row) = self.areas[area as usize].next {
            rows.push(row);
        }
        rows
    }

    /// Rows of the areas that reach an area, without its own.
    fn rows_reaching(&self, mut area: u32) -> Vec<u32> {
        let mut rows = Vec::new();
        loop {
            match self.areas[area as usize].previous {
                Ways::None => break,
                Ways::One(previous) => {
                    area = previous;
                    if let Ways::Many(row) = self.areas[area as usize].next {
                        rows.push(row);
                    }
                }
                Ways::Many(column) => {
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

    /// True if area `to` is area `from`, or can be reached from it.
    #[inline(always)]
    pub fn reaches(&self, mut from: u32, mut to: u32) -> bool {
        let column = loop {
            if from == to {
                return true;
            }
            match self.areas[to as usize].previous {
                Ways::None => return false,
                Ways::One(previous) => to = previous,
                Ways::Many(column) => break column,
            }
        };
        loop {
            match self.areas[from as usize].next {
                Ways::None => return false,
                Ways::One(next) => from = next,
                Ways::Many(row) => {
                    let word = self.bits[row as usize * self.words + column as usize / 64];
                    return word >> (column % 64) & 1 == 1;
                }
            }
            if from == to {
                return true;
            }
        }
    }

    /// The areas on the ways from one area to another, both included. Empty if there is no way. Ends
    /// the search once it has found more than `most`.
    pub fn between(&self, from: u32, to: u32, most: usize) -> Vec<u32> {
        let mut found = Vec::new();
        if self.reaches(from, to) {
            found.push(from);
        }
        let mut at = 0;
        while let Some(&area) = found.get(at) {
            for &next in &self.next[area as usize] {
                if found.len() > most {
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

    /// Calls `each` with the pairs of different areas of which the first reaches the second.
    pub fn for_each_reach(&self, mut each: impl FnMut(u32, u32)) {
        let areas = 0..self.areas.len() as u32;
        let targets: Vec<u32> =
            areas.clone().filter(|&area| self.areas[area as usize].previous != Ways::None).collect();
        for from in areas.filter(|&area| self.areas[area as usize].next != Ways::None) {
            targets.iter().filter(|&&to| to != from && self.reaches(from, to)).for_each(|&to| each(from, to));
        }
    }

    /// Number of areas.
    pub fn len(&self) -> usize {
        self.areas.len() - self.free_areas.len()
    }

    /// Number of rows and of columns.
    pub fn size(&self) -> [usize; 2] {
        [self.row_areas.len() - self.free_rows.len(), self.columns as usize - self.free_columns.len()]
    }
}
