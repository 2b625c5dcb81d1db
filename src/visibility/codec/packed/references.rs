//! Which row each row is written as a change of.
//!
//! The cost of a row is the number of its changes: the cells at which visibility begins or ends in it, or, with a reference,
//! in one of the two rows but not in both. The cheapest forest of rows, none deeper than [`MAX_DEPTH`], is hard to find; one
//! greedy pass comes close. Each row in its turn takes the cheapest reference among the rows near it, those after it
//! too, and takes along the rows that already refer to it: so it must be near the top while they are. Rows that took theirs early
//! end up in the middle of their group, and the group reaches both ways from there. (With earlier rows only, the greedy choice
//! makes chains, which are at once as deep as they may be; `docs/visibility.md` has the figures.)

use super::layout::{MAX_DEPTH, REACH};

/// Where visibility begins or ends in a row: bit `j` is set if cell `j` is visible and cell `j - 1` is not, or the other way
/// round. RowCells before the first one are not visible, and the row's end is no change.
pub(super) struct RowChanges {
    bits: Vec<u64>,
    /// The words of it that are not zero lie between these.
    span: (usize, usize),
}

impl RowChanges {
    pub(super) fn from_row(row: &[u64], cells: usize) -> RowChanges {
        let mut last = 0;
        let mut bits: Vec<u64> = row
            .iter()
            .map(|&word| {
                let changes = word ^ (word << 1 | last);
                last = word >> 63;
                changes
            })
            .collect();
        if let Some(word) = bits.last_mut().filter(|_| !cells.is_multiple_of(64)) {
            *word &= (1 << (cells % 64)) - 1;
        }
        let first = bits.iter().position(|&word| word != 0).unwrap_or(0);
        let end = bits.iter().rposition(|&word| word != 0).map_or(first, |word| word + 1);
        RowChanges { bits, span: (first, end) }
    }

    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }

    fn count(&self) -> u32 {
        self.bits[self.span.0..self.span.1].iter().map(|word| word.count_ones()).sum()
    }

    /// In how many places two rows change, but not both.
    fn apart(&self, other: &RowChanges) -> u32 {
        let span = self.span.0.min(other.span.0)..self.span.1.max(other.span.1);
        self.bits[span.clone()].iter().zip(&other.bits[span]).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

/// The rows as a forest: each has a reference, or none.
struct ReferenceForest {
    reference: Vec<Option<usize>>,
    /// References to follow from a row, and the most that are followed to come to it.
    depth: Vec<usize>,
    height: Vec<usize>,
}

impl ReferenceForest {
    fn is_below(&self, row: usize, other: usize) -> bool {
        std::iter::successors(Some(row), |&row| self.reference[row]).any(|row| row == other)
    }

    /// Gives `row`, which has none, a reference; `rows` are all that may be below it.
    fn attach(&mut self, row: usize, to: usize, rows: impl Iterator<Item = usize>) {
        let below: Vec<usize> = rows.filter(|&other| self.is_below(other, row)).collect();
        below.into_iter().for_each(|other| self.depth[other] += self.depth[to] + 1);
        self.reference[row] = Some(to);
        let mut height = self.height[row];
        for above in std::iter::successors(Some(to), |&row| self.reference[row]).collect::<Vec<_>>() {
            height += 1;
            self.height[above] = self.height[above].max(height);
        }
    }
}

/// A reference for each row that gains by one. Only rows that `may_refer` take part.
pub(super) fn choose(rows: &[RowChanges], may_refer: &[bool]) -> Vec<Option<usize>> {
    let count = rows.len();
    let mut forest = ReferenceForest { reference: vec![None; count], depth: vec![0; count], height: vec![0; count] };
    let near = |row: usize, reach: usize| row.saturating_sub(reach)..count.min(row + reach + 1);
    for row in (0..count).filter(|&row| may_refer[row]) {
        let mut best = (rows[row].count(), None);
        for to in near(row, REACH).filter(|&to| to != row && may_refer[to]) {
            if forest.depth[to] + 1 + forest.height[row] <= MAX_DEPTH {
                let apart = rows[row].apart(&rows[to]);
                if apart < best.0 && !forest.is_below(to, row) {
                    best = (apart, Some(to));
                }
            }
        }
        if let (_, Some(to)) = best {
            forest.attach(row, to, near(row, REACH * MAX_DEPTH));
        }
    }
    forest.reference
}
