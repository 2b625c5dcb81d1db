//! Which areas can be reached from which, as one bit per pair of areas.
//!
//! Falls lead from area to area without a way back, so the areas form a graph without cycles. Most
//! areas have no falls, or all their falls lead to one area: a treetop to the meadow. What they
//! reach is what that area reaches. So the matrix has a row only for areas with falls to several
//! areas, and a column only for areas into which falls from several lead.
//!
//! A fall that is added or removed changes the rows of the areas that reach its start, in the
//! columns of what its end reaches; nothing, if there is another way.
//!
//! Sources: van Waveren, "1. Introduction": a matrix of bits that say what is reachable from a
//! cell. Italiano, "Amortized efficiency of a path retrieval data structure" (1986), for added
//! edges.

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

    /// Adds an area without falls.
    pub fn add_area(&mut self) -> u32 {
        self.free_areas.pop().unwrap_or_else(|| {
            self.areas.push(ISOLATED);
            self.next.push(Vec::new());
            self.previous.push(Vec::new());
            self.areas.len() as u32 - 1
        })
    }

    /// Removes an area and its falls.
    pub fn remove_area(&mut self, area: u32) {
        for to in self.next[area as usize].clone() {
            self.remove(area, to);
        }
        self.drop_previous(area);
        self.free_areas.push(area);
    }

    /// Removes the falls into an area from which none leads: it has no column then, and no other
    /// bit changes.
    fn drop_previous(&mut self, area: u32) {
        debug_assert!(self.next[area as usize].is_empty());
        if let Ways::Many(column) = self.areas[area as usize].previous {
            self.free_columns.push(column);
        }
        self.areas[area as usize].previous = Ways::None;
        for from in std::mem::take(&mut self.previous[area as usize]) {
            self.next[from as usize].retain(|&to| to != area);
            self.shrink_next(from);
        }
    }

    /// True if a fall leads from an area to another.
    pub fn has_fall(&self, from: u32, to: u32) -> bool {
        let (next, previous) = (&self.next[from as usize], &self.previous[to as usize]);
        if next.len() < previous.len() { next.contains(&to) } else { previous.contains(&from) }
    }

    /// Adds falls between two areas that had none. `to` must not reach `from`.
    pub fn insert(&mut self, from: u32, to: u32) {
        match self.areas[to as usize].previous {
            Ways::None => self.areas[to as usize].previous = Ways::One(from),
            Ways::One(_) => self.add_column(to),
            Ways::Many(_) => {}
        }
        let mut known = vec![0; self.words];
        match self.areas[from as usize].next {
            Ways::None => self.areas[from as usize].next = Ways::One(to),
            Ways::One(next) => {
                self.add_reach(next, Words::All, &mut known);
                let row = self.add_row(from, &known);
                self.areas[from as usize].next = Ways::Many(row);
            }
            Ways::Many(row) => known.copy_from_slice(self.row(row)),
        }
        self.next[from as usize].push(to);
        self.previous[to as usize].push(from);
        let mut all = vec![0; self.words];
        self.add_reach(to, Words::All, &mut all);
        let new = all.into_iter().zip(known).map(|(all, known)| all & !known).enumerate();
        let new: Vec<(usize, u64)> = new.filter(|(_, bits)| *bits != 0).collect();
        if !new.is_empty() {
            for row in self.rows_up_from(from) {
                let row = &mut self.bits[row as usize * self.words..][..self.words];
                new.iter().for_each(|(word, bits)| row[*word] |= bits);
            }
        }
    }

    /// Removes the falls between two areas.
    pub fn remove(&mut self, from: u32, to: u32) {
        let mut lost = vec![0; self.words];
        self.add_reach(to, Words::All, &mut lost);
        self.next[from as usize].retain(|&area| area != to);
        self.previous[to as usize].retain(|&area| area != from);
        match (self.areas[to as usize].previous, &self.previous[to as usize][..]) {
            (Ways::Many(column), &[previous]) => {
                self.areas[to as usize].previous = Ways::One(previous);
                self.free_columns.push(column);
                lost[column as usize / 64] &= !(1 << (column % 64));
            }
            (_, []) => self.areas[to as usize].previous = Ways::None,
            _ => {}
        }
        self.shrink_next(from);
        let words: Vec<usize> = (0..self.words).filter(|&word| lost[word] != 0).collect();
        if words.is_empty() {
            return;
        }
        let mut left = vec![0; words.len()];
        self.gather(from, &words, &mut left);
        let words: Vec<usize> =
            words.iter().zip(left).filter(|&(&word, left)| lost[word] & !left != 0).map(|(&word, _)| word).collect();
        if !words.is_empty() {
            self.make_rows(&self.rows_up_from(from), &words);
        }
    }

    /// Frees the row of an area from which falls lead to less than two.
    fn shrink_next(&mut self, area: u32) {
        let next = match self.next[area as usize][..] {
            [] => Ways::None,
            [next] => Ways::One(next),
            _ => return,
        };
        if let Ways::Many(row) = std::mem::replace(&mut self.areas[area as usize].next, next) {
            self.row_areas[row as usize] = NONE;
            self.free_rows.push(row);
        }
    }

    /// Makes some words of these rows again, each after the rows on which it depends.
    fn make_rows(&mut self, rows: &[u32], words: &[usize]) {
        let (mut waits, mut bits) = (vec![false; self.row_areas.len()], vec![0; words.len()]);
        rows.iter().for_each(|&row| waits[row as usize] = true);
        let mut stack: Vec<(u32, bool)> = rows.iter().map(|&row| (row, false)).collect();
        while let Some((row, is_ready)) = stack.pop() {
            if !waits[row as usize] {
                continue;
            }
            let area = self.row_areas[row as usize];
            if is_ready {
                waits[row as usize] = false;
                self.gather(area, words, &mut bits);
                let row = &mut self.bits[row as usize * self.words..][..self.words];
                words.iter().zip(&bits).for_each(|(&word, bits)| row[word] = *bits);
                continue;
            }
            stack.push((row, true));
            for &next in &self.next[area as usize] {
                if let Some(row) = self.first_row(next)
                    && waits[row as usize]
                {
                    stack.push((row, false));
                }
            }
        }
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

    fn add_row(&mut self, area: u32, bits: &[u64]) -> u32 {
        let row = self.free_rows.pop().unwrap_or_else(|| {
            self.row_areas.push(NONE);
            self.bits.resize(self.bits.len() + self.words, 0);
            self.row_areas.len() as u32 - 1
        });
        self.row_areas[row as usize] = area;
        self.bits[row as usize * self.words..][..self.words].copy_from_slice(bits);
        row
    }

    /// Gives a column to an area into which falls from one area lead.
    fn add_column(&mut self, area: u32) {
        let column = self.free_columns.pop().unwrap_or_else(|| {
            self.columns += 1;
            self.columns - 1
        });
        let (word, bit) = (column as usize / 64, 1 << (column % 64));
        if word == self.words {
            let words = words_for(self.columns);
            let mut bits = Vec::with_capacity((self.row_areas.len() + SPARE_ROWS) * words);
            for row in 0..self.row_areas.len() as u32 {
                bits.extend_from_slice(self.row(row));
                bits.resize(bits.len() + words - self.words, 0);
            }
            (self.bits, self.words) = (bits, words);
        }
        let rows = self.rows_reaching(area);
        self.bits.iter_mut().skip(word).step_by(self.words).for_each(|bits| *bits &= !bit);
        rows.into_iter().for_each(|row| self.bits[row as usize * self.words + word] |= bit);
        self.areas[area as usize].previous = Ways::Many(column);
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
