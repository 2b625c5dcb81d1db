//! The visibility between all cells: a matrix of bits (the visibility text's section 1).
//!
//! Row `i` states what cell `i` sees: bit `j` is set if cell `j` may be visible from it. Column `j`
//! states from where cell `j` is seen. Rows consist of words, so that all operations and codecs
//! handle 64 cells at a time: cell `j` is bit `j & 63` of word `j >> 6`. The bytes of a row are
//! laid out as in Quake's files: bit `j & 7` of byte `j >> 3`. Bits past the last cell are always
//! zero, so counts and codecs need no special case for them.

use super::bitset::{self, WORD_BITS};
use crate::voxel::transpose;

/// Visibility between all pairs of cells, one bit per pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    cells: usize,
    /// All rows, each of [`Matrix::row_words`] words.
    words: Vec<u64>,
}

impl Matrix {
    /// Creates a matrix without visible pairs. It takes `cells` * `cells` / 8 bytes, each row
    /// rounded up to a multiple of 8.
    #[must_use]
    pub fn new(cells: usize) -> Matrix {
        Matrix { cells, words: vec![0; cells * cells.div_ceil(WORD_BITS)] }
    }

    /// Number of cells: rows, and bits of a row.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Number of words of a row.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.cells.div_ceil(WORD_BITS)
    }

    /// Number of bytes of a row in a file, where rows are not rounded up to words.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        self.cells.div_ceil(8)
    }

    /// The cells that cell `i` sees. Panics if there is no such cell.
    #[must_use]
    pub fn row(&self, i: usize) -> &[u64] {
        let words = self.row_words();
        &self.words[i * words..][..words]
    }

    /// All rows, in the order of cells.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        // `chunks_exact` panics for size 0, which occurs only without rows.
        self.words.chunks_exact(self.row_words().max(1))
    }

    /// Sets the cells that cell `i` sees. Drops bits past the last cell. Panics if there is no such
    /// cell, or if `row` does not have the words of a row.
    pub fn set_row(&mut self, i: usize, row: &[u64]) {
        let words = self.row_words();
        self.words[i * words..][..words].copy_from_slice(row);
        self.trim(i);
    }

    /// Sets a row like [`Matrix::set_row`], from bytes. Missing bytes count as zero. Panics if
    /// there is no such cell, or if the words of a row cannot hold `bytes`.
    pub fn set_row_bytes(&mut self, i: usize, bytes: &[u8]) {
        let words = self.row_words();
        let row = &mut self.words[i * words..][..words];
        row.fill(0);
        for (word, bytes) in row.iter_mut().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        assert!(bytes.len() <= words * 8, "a row has {} bytes", self.row_bytes());
        self.trim(i);
    }

    /// Clears the bits of row `i` past the last cell.
    fn trim(&mut self, i: usize) {
        let words = self.row_words();
        let used = self.cells % WORD_BITS;
        if used != 0 {
            self.words[(i + 1) * words - 1] &= (1 << used) - 1;
        }
    }

    /// True if cell `j` may be visible from cell `i`. Panics if there is no such cell.
    #[must_use]
    pub fn sees(&self, i: usize, j: usize) -> bool {
        assert!(j < self.cells, "cell {j} of {}", self.cells);
        self.row(i)[j / WORD_BITS] >> (j % WORD_BITS) & 1 != 0
    }

    /// Marks cell `j` as visible from cell `i`. Panics if there is no such cell.
    pub fn set(&mut self, i: usize, j: usize) {
        assert!(j < self.cells, "cell {j} of {}", self.cells);
        let words = self.row_words();
        self.words[i * words..][..words][j / WORD_BITS] |= 1 << (j % WORD_BITS);
    }

    /// Number of pairs of a cell and a cell that it sees.
    #[must_use]
    pub fn visible_pairs(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The visibility text's occlusion ratio: the fraction of pairs that do not see each other.
    #[must_use]
    pub fn occlusion_ratio(&self) -> f64 {
        let pairs = self.cells as f64 * self.cells as f64;
        if self.cells == 0 { 0.0 } else { 1.0 - self.visible_pairs() as f64 / pairs }
    }

    /// The transposed matrix: its row `j` states the cells from which `j` is seen.
    #[must_use]
    pub fn transposed(&self) -> Matrix {
        let words = self.row_words();
        let mut out = Matrix::new(self.cells);
        let mut block = [0; WORD_BITS];
        for top in (0..self.cells).step_by(WORD_BITS) {
            let height = (self.cells - top).min(WORD_BITS);
            for column in 0..words {
                block.fill(0);
                for (row, word) in block.iter_mut().enumerate().take(height) {
                    *word = self.words[(top + row) * words + column];
                }
                transpose(&mut block);
                let left = column * WORD_BITS;
                for (row, word) in block.iter().enumerate().take((self.cells - left).min(WORD_BITS))
                {
                    out.words[(left + row) * words + top / WORD_BITS] = *word;
                }
            }
        }
        out
    }

    /// The matrix of clusters of cells (the visibility text's section 1): cluster `a` sees cluster
    /// `b` if any cell of `a` sees any cell of `b`. It may contain more than the matrix of cells,
    /// never less. `cluster_of` holds the cluster of each cell; its greatest number determines the
    /// number of clusters. Panics if its length is not the number of cells.
    #[must_use]
    pub fn clustered(&self, cluster_of: &[u32]) -> Matrix {
        assert_eq!(cluster_of.len(), self.cells, "one cluster per cell");
        let clusters = cluster_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut out = Matrix::new(clusters);
        // Joins the rows of a cluster word by word, so that its members' bits are visited only
        // once.
        let mut members: Vec<u32> = (0..self.cells as u32).collect();
        members.sort_by_key(|&cell| cluster_of[cell as usize]);
        let mut joined = vec![0; self.row_words()];
        for group in members.chunk_by(|&a, &b| cluster_of[a as usize] == cluster_of[b as usize]) {
            joined.fill(0);
            for &cell in group {
                joined.iter_mut().zip(self.row(cell as usize)).for_each(|(all, word)| *all |= word);
            }
            let cluster = cluster_of[group[0] as usize] as usize;
            for seen in bitset::members(&joined) {
                out.set(cluster, cluster_of[seen] as usize);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Matrices from random pairs, sparse or dense.
    fn matrices() -> impl Strategy<Value = Matrix> {
        (1usize..200).prop_flat_map(|cells| {
            proptest::collection::vec((0..cells, 0..cells), 0..400).prop_map(move |pairs| {
                let mut matrix = Matrix::new(cells);
                for (i, j) in pairs {
                    matrix.set(i, j);
                }
                matrix
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn transposed_matrix_exchanges_rows_and_columns(matrix in matrices()) {
            let transposed = matrix.transposed();
            for i in 0..matrix.cells() {
                for j in 0..matrix.cells() {
                    prop_assert_eq!(transposed.sees(j, i), matrix.sees(i, j));
                }
            }
            prop_assert_eq!(transposed.transposed(), matrix);
        }

        #[test]
        fn clusters_see_what_any_of_their_cells_sees(matrix in matrices(), clusters in 1u32..9) {
            let cluster_of: Vec<u32> = (0..matrix.cells() as u32).map(|cell| cell * 7 % clusters).collect();
            let joined = matrix.clustered(&cluster_of);
            let mut expected = Matrix::new(joined.cells());
            for i in 0..matrix.cells() {
                for j in (0..matrix.cells()).filter(|&j| matrix.sees(i, j)) {
                    expected.set(cluster_of[i] as usize, cluster_of[j] as usize);
                }
            }
            prop_assert_eq!(joined, expected);
        }
    }

    #[test]
    fn row_bytes_match_quake_layout() {
        let mut matrix = Matrix::new(75);
        matrix.set_row_bytes(1, &[0b1000_0010, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF]);
        assert_eq!(
            bitset::members(matrix.row(1)).collect::<Vec<_>>(),
            [1, 7, 64, 72, 73, 74],
            "bits past the last cell are dropped"
        );
        matrix.set_row(2, &[1, u64::MAX]);
        assert_eq!(
            (matrix.visible_pairs(), matrix.row_bytes(), matrix.row_words()),
            (6 + 12, 10, 2)
        );
        assert!(matrix.sees(1, 7) && !matrix.sees(7, 1));
        assert!((matrix.occlusion_ratio() - (1.0 - 18.0 / 5625.0)).abs() < 1e-12);
        matrix.set_row_bytes(1, &[1]);
        assert_eq!(matrix.row(1), [1, 0], "the old row is overwritten");
        assert_eq!(matrix.rows().len(), 75);
    }

    #[test]
    fn empty_matrix_is_valid() {
        let empty = Matrix::new(0);
        assert_eq!(
            (empty.rows().len(), empty.visible_pairs(), empty.occlusion_ratio()),
            (0, 0, 0.0)
        );
        assert_eq!(empty.transposed(), empty);
        assert_eq!(empty.clustered(&[]), empty);
    }
}
