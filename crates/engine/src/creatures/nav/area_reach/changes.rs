//! Adds and removes areas and edges, and merges areas.

use super::{Adjacent, Area, AreaReach, Edge, ISOLATED, NONE, SPARE_ROWS, Words, words_for};

/// Bits of `all` that `known` lacks, as pairs of word index and bits.
fn new_bits(all: &[u64], known: &[u64]) -> Vec<(usize, u64)> {
    let new = all.iter().zip(known).map(|(all, known)| all & !known).enumerate();
    new.filter(|(_, bits)| *bits != 0).collect()
}

impl AreaReach {
    /// Adds an area without edges.
    pub(crate) fn add_area(&mut self) -> u32 {
        self.free_areas.pop().unwrap_or_else(|| {
            self.areas.push(ISOLATED);
            self.next.push(Vec::new());
            self.previous.push(Vec::new());
            self.areas.len() as u32 - 1
        })
    }

    /// Removes an area and its edges.
    pub(crate) fn remove_area(&mut self, area: u32) {
        for to in self.next[area as usize].clone() {
            self.remove_edge(area, to);
        }
        self.remove_incoming_edges(area);
        self.free_areas.push(area);
    }

    /// Removes the edges into an area without outgoing edges, and frees its column. No other column
    /// changes, because nothing else is reached through the area.
    fn remove_incoming_edges(&mut self, area: u32) {
        debug_assert!(self.next[area as usize].is_empty());
        if let Adjacent::Many(column) = self.areas[area as usize].previous {
            self.free_columns.push(column);
        }
        self.areas[area as usize].previous = Adjacent::None;
        for from in std::mem::take(&mut self.previous[area as usize]) {
            self.next[from as usize].retain(|&to| to != area);
            self.refresh_next(from);
        }
    }

    /// Adds an edge between two areas. `to` must not reach `from`, because the edge would close a
    /// cycle: [merge](AreaReach::merge) the areas of the cycle instead.
    pub(crate) fn add_edge(&mut self, from: u32, to: u32) {
        match self.areas[to as usize].previous {
            Adjacent::None => self.areas[to as usize].previous = Adjacent::One(from),
            Adjacent::One(_) => self.add_column(to, &self.rows_reaching(to)),
            Adjacent::Many(_) => {}
        }
        let mut known = vec![0; self.words];
        match self.areas[from as usize].next {
            Adjacent::None => self.areas[from as usize].next = Adjacent::One(to),
            Adjacent::One(next) => {
                self.add_reach(next, Words::All, &mut known);
                let row = self.add_row(from, &known);
                self.areas[from as usize].next = Adjacent::Many(row);
            }
            Adjacent::Many(row) => known.copy_from_slice(self.row(row)),
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

    /// Sets `new` bits, pairs of word index and bits, in `rows`.
    fn add_to_rows(&mut self, rows: &[u32], new: &[(usize, u64)]) {
        for &row in rows {
            let row = &mut self.bits[row as usize * self.words..][..self.words];
            for (word, bits) in new {
                row[*word] |= bits;
            }
        }
    }

    /// Removes the edge between two areas.
    pub(crate) fn remove_edge(&mut self, from: u32, to: u32) {
        let mut lost = vec![0; self.words];
        self.add_reach(to, Words::All, &mut lost);
        self.next[from as usize].retain(|&area| area != to);
        self.previous[to as usize].retain(|&area| area != from);
        match (self.areas[to as usize].previous, &self.previous[to as usize][..]) {
            (Adjacent::Many(column), &[previous]) => {
                self.areas[to as usize].previous = Adjacent::One(previous);
                self.free_columns.push(column);
                lost[column as usize / 64] &= !(1 << (column % 64));
            }
            (_, []) => self.areas[to as usize].previous = Adjacent::None,
            _ => {}
        }
        self.refresh_next(from);
        let words: Vec<usize> = (0..self.words).filter(|&word| lost[word] != 0).collect();
        if words.is_empty() {
            return;
        }
        let mut left = vec![0; words.len()];
        self.gather(from, &words, &mut left);
        let words: Vec<usize> = words
            .iter()
            .zip(left)
            .filter(|&(&word, left)| lost[word] & !left != 0)
            .map(|(&word, _)| word)
            .collect();
        if !words.is_empty() {
            self.recompute_rows(&self.rows_up_from(from), &words);
        }
    }

    /// Merges `areas` because a new edge from `last` to `first` closes a cycle. `areas` must be all
    /// areas on paths from `first` to `last`. `into`, one of them, takes over the edges of the
    /// others.
    pub fn merge(&mut self, areas: &[u32], [first, last]: Edge, into: u32) {
        let mut all = vec![0; self.words];
        self.add_reach(first, Words::All, &mut all);
        let mut known = vec![0; self.words];
        self.add_reach(last, Words::All, &mut known);
        // Every area that reaches one of `areas` also reaches `last`, so its row already holds
        // everything that `last` reaches.
        let rows = self.rows_up_from(last);
        self.add_to_rows(&rows, &new_bits(&all, &known));
        for &area in areas.iter().filter(|&&area| area != into) {
            self.move_edges(area, into, areas);
            self.free_areas.push(area);
        }
        self.refresh_next(into);
        self.refresh_previous(into);
        if self.next[into as usize].len() > 1
            && !matches!(self.areas[into as usize].next, Adjacent::Many(_))
        {
            let row = self.add_row(into, &all);
            self.areas[into as usize].next = Adjacent::Many(row);
        }
        if self.previous[into as usize].len() > 1
            && !matches!(self.areas[into as usize].previous, Adjacent::Many(_))
        {
            self.add_column(into, &rows);
        }
        // An area's own bit is not in its row.
        let Area { next, previous } = self.areas[into as usize];
        if let (Adjacent::Many(row), Adjacent::Many(column)) = (next, previous) {
            self.bits[row as usize * self.words + column as usize / 64] &= !(1 << (column % 64));
        }
    }

    /// Moves the edges of an area to `into`. Drops edges between two areas of `merged`.
    fn move_edges(&mut self, area: u32, into: u32, merged: &[u32]) {
        for to in std::mem::take(&mut self.next[area as usize]) {
            self.previous[to as usize].retain(|&other| other != area);
            if !merged.contains(&to) && !self.has_edge(into, to) {
                self.next[into as usize].push(to);
                self.previous[to as usize].push(into);
            }
            self.refresh_previous(to);
        }
        for from in std::mem::take(&mut self.previous[area as usize]) {
            self.next[from as usize].retain(|&other| other != area);
            if !merged.contains(&from) && !self.has_edge(from, into) {
                self.next[from as usize].push(into);
                self.previous[into as usize].push(from);
            }
            self.refresh_next(from);
        }
        self.refresh_next(area);
        self.refresh_previous(area);
    }

    /// Frees the column of an area that has at most one incoming edge left. An area with several
    /// incoming edges keeps its column; if it lacks one, the caller adds it.
    fn refresh_previous(&mut self, area: u32) {
        let previous = match self.previous[area as usize][..] {
            [] => Adjacent::None,
            [previous] => Adjacent::One(previous),
            _ => return,
        };
        if let Adjacent::Many(column) =
            std::mem::replace(&mut self.areas[area as usize].previous, previous)
        {
            self.free_columns.push(column);
        }
    }

    /// Frees the row of an area that has at most one outgoing edge left. An area with several
    /// outgoing edges keeps its row; if it lacks one, the caller adds it.
    fn refresh_next(&mut self, area: u32) {
        let next = match self.next[area as usize][..] {
            [] => Adjacent::None,
            [next] => Adjacent::One(next),
            _ => return,
        };
        if let Adjacent::Many(row) = std::mem::replace(&mut self.areas[area as usize].next, next) {
            self.row_areas[row as usize] = NONE;
            self.free_rows.push(row);
        }
    }

    /// Recomputes the given words of the given rows. Each row comes after the rows that it depends
    /// on.
    fn recompute_rows(&mut self, rows: &[u32], words: &[usize]) {
        let mut waits = vec![false; self.row_areas.len()];
        let mut bits = vec![0; words.len()];
        for &row in rows {
            waits[row as usize] = true;
        }
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
                for (&word, bits) in words.iter().zip(&bits) {
                    row[word] = *bits;
                }
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

    /// Adds a row with these bits for an area.
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

    /// Adds a column for an area that is reached from the areas of the given rows.
    fn add_column(&mut self, area: u32, rows: &[u32]) {
        let column = self.free_columns.pop().unwrap_or_else(|| {
            self.columns += 1;
            self.columns - 1
        });
        let word = column as usize / 64;
        let bit = 1 << (column % 64);
        if word == self.words {
            let words = words_for(self.columns);
            let mut bits = Vec::with_capacity((self.row_areas.len() + SPARE_ROWS) * words);
            for row in 0..self.row_areas.len() as u32 {
                bits.extend_from_slice(self.row(row));
                bits.resize(bits.len() + words - self.words, 0);
            }
            self.bits = bits;
            self.words = words;
        }
        for bits in self.bits.iter_mut().skip(word).step_by(self.words) {
            *bits &= !bit;
        }
        for &row in rows {
            self.bits[row as usize * self.words + word] |= bit;
        }
        self.areas[area as usize].previous = Adjacent::Many(column);
    }
}
