//! Areas and falls that are added and removed, and areas that are joined.

use super::{Area, AreaReach, ISOLATED, NONE, SPARE_ROWS, Ways, Words, words_for};

/// The bits of `all` that are not `known`: words with their indices.
fn new_bits(all: &[u64], known: &[u64]) -> Vec<(usize, u64)> {
    let new = all.iter().zip(known).map(|(all, known)| all & !known).enumerate();
    new.filter(|(_, bits)| *bits != 0).collect()
}

impl AreaReach {
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

    /// Removes the falls into an area from which none leads. Its column is freed, and no other bit
    /// changes.
    fn drop_previous(&mut self, area: u32) {
        debug_assert!(self.next[area as usize].is_empty());
        if let Ways::Many(column) = self.areas[area as usize].previous {
            self.free_columns.push(column);
        }
        self.areas[area as usize].previous = Ways::None;
        for from in std::mem::take(&mut self.previous[area as usize]) {
            self.next[from as usize].retain(|&to| to != area);
            self.refresh_next(from);
        }
    }

    /// Adds falls between two areas that had none. `to` must not reach `from`.
    pub fn insert(&mut self, from: u32, to: u32) {
        match self.areas[to as usize].previous {
            Ways::None => self.areas[to as usize].previous = Ways::One(from),
            Ways::One(_) => self.add_column(to, &self.rows_reaching(to)),
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
        let new = new_bits(&all, &known);
        if !new.is_empty() {
            self.add_to_rows(&self.rows_up_from(from), &new);
        }
    }

    /// Adds bits of some words to rows.
    fn add_to_rows(&mut self, rows: &[u32], new: &[(usize, u64)]) {
        for &row in rows {
            let row = &mut self.bits[row as usize * self.words..][..self.words];
            new.iter().for_each(|(word, bits)| row[*word] |= bits);
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
        self.refresh_next(from);
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

    /// Makes one area of `areas`, which are all areas on the ways from `first` to `last`, because a
    /// new fall leads from `last` to `first`. `into`, one of them, takes over the falls of the others.
    pub fn join(&mut self, areas: &[u32], (first, last): (u32, u32), into: u32) {
        let (mut all, mut known) = (vec![0; self.words], vec![0; self.words]);
        self.add_reach(first, Words::All, &mut all);
        self.add_reach(last, Words::All, &mut known);
        // All that reach one of the areas reach the last one, so these rows already hold all that
        // `last` reaches.
        let rows = self.rows_up_from(last);
        self.add_to_rows(&rows, &new_bits(&all, &known));
        for &area in areas.iter().filter(|&&area| area != into) {
            self.move_falls(area, into, areas);
            self.free_areas.push(area);
        }
        self.refresh_next(into);
        self.refresh_previous(into);
        if self.next[into as usize].len() > 1 && !matches!(self.areas[into as usize].next, Ways::Many(_)) {
            let row = self.add_row(into, &all);
            self.areas[into as usize].next = Ways::Many(row);
        }
        if self.previous[into as usize].len() > 1 && !matches!(self.areas[into as usize].previous, Ways::Many(_)) {
            self.add_column(into, &rows);
        }
        // An area's own bit is not in its row.
        let Area { next, previous } = self.areas[into as usize];
        if let (Ways::Many(row), Ways::Many(column)) = (next, previous) {
            self.bits[row as usize * self.words + column as usize / 64] &= !(1 << (column % 64));
        }
    }

    /// Moves the falls of an area to `into`. Those from and to areas of `joined` are dropped.
    fn move_falls(&mut self, area: u32, into: u32, joined: &[u32]) {
        for to in std::mem::take(&mut self.next[area as usize]) {
            self.previous[to as usize].retain(|&other| other != area);
            if !joined.contains(&to) && !self.has_fall(into, to) {
                self.next[into as usize].push(to);
                self.previous[to as usize].push(into);
            }
            self.refresh_previous(to);
        }
        for from in std::mem::take(&mut self.previous[area as usize]) {
            self.next[from as usize].retain(|&other| other != area);
            if !joined.contains(&from) && !self.has_fall(from, into) {
                self.next[from as usize].push(into);
                self.previous[into as usize].push(from);
            }
            self.refresh_next(from);
        }
        self.refresh_next(area);
        self.refresh_previous(area);
    }

    /// Sets from where falls lead into an area, if at most one area is left, and frees its column.
    /// With several left, its column stays; the caller adds one that is missing.
    fn refresh_previous(&mut self, area: u32) {
        let previous = match self.previous[area as usize][..] {
            [] => Ways::None,
            [previous] => Ways::One(previous),
            _ => return,
        };
        if let Ways::Many(column) = std::mem::replace(&mut self.areas[area as usize].previous, previous) {
            self.free_columns.push(column);
        }
    }

    /// Sets where falls lead from an area, if at most one area is left, and frees its row. With
    /// several left, its row stays; the caller adds one that is missing.
    fn refresh_next(&mut self, area: u32) {
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

    /// Gives a row with these bits to an area.
    pub(super) fn add_row(&mut self, area: u32, bits: &[u64]) -> u32 {
        let row = self.free_rows.pop().unwrap_or_else(|| {
            self.row_areas.push(NONE);
            self.bits.resize(self.bits.len() + self.words, 0);
            self.row_areas.len() as u32 - 1
        });
        self.row_areas[row as usize] = area;
        self.bits[row as usize * self.words..][..self.words].copy_from_slice(bits);
        row
    }

    /// Gives a column to an area. The areas that reach it have the rows `rows`.
    fn add_column(&mut self, area: u32, rows: &[u32]) {
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
        self.bits.iter_mut().skip(word).step_by(self.words).for_each(|bits| *bits &= !bit);
        rows.iter().for_each(|&row| self.bits[row as usize * self.words + word] |= bit);
        self.areas[area as usize].previous = Ways::Many(column);
    }
}
