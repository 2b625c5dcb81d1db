//! Conversion of runs to rows of bits: each run toggles bits at its start, and a prefix XOR fills
//! the rows.
//!
//! Takes a few instructions per run without a branch, however long the run is.

use super::layout::SIDE;

/// Bits of a voxel, one per lane, as masks: all ones or zero.
pub(crate) type BitMasks<const N: usize> = [u32; N];

/// Toggled bits of rows in `N` lanes, filled while runs are read.
pub(crate) struct RowToggles<'a, const N: usize> {
    rows: &'a mut [[u32; N]],
    last: RunState<N>,
}

/// State after the latest run.
#[derive(Clone, Copy)]
struct RunState<const N: usize> {
    /// Row in which the run starts.
    row: usize,
    /// Bits toggled in that row.
    toggled: [u32; N],
    /// Bits of the run's voxels.
    masks: BitMasks<N>,
}

impl<'a, const N: usize> RowToggles<'a, N> {
    /// Creates toggles for `count` rows in `buffer`, which has room for one more row: runs may
    /// start past the end.
    pub fn new(buffer: &'a mut [u32], count: usize) -> RowToggles<'a, N> {
        let rows = &mut buffer.as_chunks_mut::<N>().0[..=count];
        rows.fill([0; N]);
        RowToggles { rows, last: RunState { row: 0, toggled: [0; N], masks: [0; N] } }
    }

    /// Sets all bits from `position` on, counted over all rows, to `masks`. Positions must not
    /// descend; of several calls with one position, the last one counts.
    #[inline(always)]
    pub fn start(mut self, position: usize, masks: BitMasks<N>) -> Self {
        let row = position / SIDE;
        let bit = 1 << (position % SIDE);
        let RunState { mut toggled, .. } = self.last;
        // The latest row is kept in `last`: reading back a word just written would take longer.
        if row != self.last.row {
            toggled = [0; N];
        }
        for ((word, mask), before) in toggled.iter_mut().zip(masks).zip(self.last.masks) {
            *word ^= (mask ^ before) & bit;
        }
        self.rows[row] = toggled;
        self.last = RunState { row, toggled, masks };
        self
    }

    /// Fills the rows and calls `each` with the number and the bits of each.
    #[inline(always)]
    pub fn finish(self, mut each: impl FnMut(usize, [u32; N])) {
        let mut before = [0; N];
        let last = self.rows.len() - 1;
        for (number, row) in self.rows[..last].iter().enumerate() {
            let mut filled = *row;
            for shift in [1, 2, 4, 8, 16] {
                filled.iter_mut().for_each(|word| *word ^= *word << shift);
            }
            for (word, before) in filled.iter_mut().zip(&mut before) {
                *word ^= *before;
                *before = (word.cast_signed() >> (SIDE - 1)).cast_unsigned();
            }
            each(number, filled);
        }
    }
}
