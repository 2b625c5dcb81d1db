//! Choice of the reference of each row.
//!
//! The cost of a row is the number of its changes or, with a reference, of the changes of exactly
//! one of the two rows. The cheapest forest of rows with depth at most [`MAX_DEPTH`] is hard to
//! find; one greedy pass comes close. Each row in turn takes the cheapest reference among the rows
//! near it, on either side, and keeps the rows that already refer to it, so their depth limits the
//! choice. Rows with early references end up in the middle of their group, which extends in both
//! directions. (With earlier rows only, the greedy choice builds chains that reach the maximum
//! depth at once; `docs/visibility.md` has the figures.)

use super::layout::{MAX_DEPTH, REACH};
use std::ops::Range;

/// The changes of a row: bit `j` is set if exactly one of the cells `j` and `j - 1` is visible.
/// Cells before the first count as not visible; the end of the row is not a change.
pub(super) struct RowChanges {
    bits: Vec<u64>,
    /// Range that contains all non-zero words.
    span: Range<usize>,
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
        RowChanges { bits, span: first..end }
    }

    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }

    fn count(&self) -> u32 {
        self.bits[self.span.clone()].iter().map(|word| word.count_ones()).sum()
    }

    /// Number of changes of exactly one of two rows.
    fn distance(&self, other: &RowChanges) -> u32 {
        let span = self.span.start.min(other.span.start)..self.span.end.max(other.span.end);
        self.bits[span.clone()]
            .iter()
            .zip(&other.bits[span])
            .map(|(a, b)| (a ^ b).count_ones())
            .sum()
    }
}

/// The rows as a forest: each row has a reference or is a root.
struct ReferenceForest {
    reference: Vec<Option<usize>>,
    /// Number of references from a row to its root.
    depth: Vec<usize>,
    /// Maximum number of references that lead to a row.
    height: Vec<usize>,
}

impl ReferenceForest {
    /// True if `row` is `other` or refers to it, directly or not.
    fn is_below(&self, row: usize, other: usize) -> bool {
        std::iter::successors(Some(row), |&row| self.reference[row]).any(|row| row == other)
    }

    /// Gives the root `row` a reference. `rows` must include all rows below it.
    fn attach(&mut self, row: usize, to: usize, rows: impl Iterator<Item = usize>) {
        let below: Vec<usize> = rows.filter(|&other| self.is_below(other, row)).collect();
        for other in below {
            self.depth[other] += self.depth[to] + 1;
        }
        self.reference[row] = Some(to);
        let mut height = self.height[row];
        for above in std::iter::successors(Some(to), |&row| self.reference[row]).collect::<Vec<_>>()
        {
            height += 1;
            self.height[above] = self.height[above].max(height);
        }
    }
}

/// Returns a reference for each row that gains from one. Only rows with `may_refer` take part.
pub(super) fn choose(rows: &[RowChanges], may_refer: &[bool]) -> Vec<Option<usize>> {
    let count = rows.len();
    let mut forest = ReferenceForest {
        reference: vec![None; count],
        depth: vec![0; count],
        height: vec![0; count],
    };
    let near = |row: usize, reach: usize| row.saturating_sub(reach)..count.min(row + reach + 1);
    for row in (0..count).filter(|&row| may_refer[row]) {
        let mut best = (rows[row].count(), None);
        for to in near(row, REACH).filter(|&to| to != row && may_refer[to]) {
            if forest.depth[to] + 1 + forest.height[row] <= MAX_DEPTH {
                let distance = rows[row].distance(&rows[to]);
                if distance < best.0 && !forest.is_below(to, row) {
                    best = (distance, Some(to));
                }
            }
        }
        if let (_, Some(to)) = best {
            forest.attach(row, to, near(row, REACH * MAX_DEPTH));
        }
    }
    forest.reference
}
