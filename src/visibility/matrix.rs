//! The visibility of all cells from all cells, as the text's section 1 has it: a matrix of bits.
//!
//! Row `i` holds what cell `i` sees: bit `j` is set if cell `j` may be visible from it. Column `j` holds from where cell `j` is
//! seen. Rows are words, so that everything here, and the codecs, go 64 cells at a time: cell `j` is bit `j & 63` of
//! word `j >> 6`. As bytes a row is what Quake's files hold, bit `j & 7` of byte `j >> 3`. Bits past the last cell are zero,
//! always: no count or codec has to think of them.

use super::bitset::{self, WORD_BITS};
use super::transpose::transpose;

/// Which cells may be visible from which, a bit for each pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    cells: usize,
    /// Row after row, each of [`Matrix::row_words`].
    words: Vec<u64>,
}

impl Matrix {
    /// A matrix of so many cells, none of which sees any. It takes `cells` x `cells` / 8 bytes, rows rounded up to 8.
    #[must_use]
    pub fn new(cells: usize) -> Matrix {
        Matrix { cells, words: vec![0; cells * cells.div_ceil(WORD_BITS)] }
    }

    /// Cells: rows, and bits of a row.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Words of a row.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.cells.div_ceil(WORD_BITS)
    }

    /// Bytes of a row in a file, where rows are not rounded up to words.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        self.cells.div_ceil(8)
    }

    /// What cell `i` sees. Panics where there is no such cell.
    #[must_use]
    pub fn row(&self, i: usize) -> &[u64] {
        let words = self.row_words();
        &self.words[i * words..][..words]
    }

    /// All rows, in the order of their cells.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        // The size of a chunk must not be 0, and is not where there is a row.
        self.words.chunks_exact(self.row_words().max(1))
    }

    /// Sets what cell `i` sees. Bits past the last cell are dropped. Panics where there is no such cell, or `row` is not a
    /// row's words.
    pub fn set_row(&mut self, i: usize, row: &[u64]) {
        let words = self.row_words();
        self.words[i * words..][..words].copy_from_slice(row);
        self.trim(i);
    }

    /// The same, of a row as bytes. Bits past the last cell are dropped. Panics where there is no such cell, or `bytes` are
    /// more than the words of a row hold; where they are fewer, the rest is zero.
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

    /// Drops the bits of row `i` that are past the last cell.
    fn trim(&mut self, i: usize) {
        let (words, used) = (self.row_words(), self.cells % WORD_BITS);
        if used != 0 {
            self.words[(i + 1) * words - 1] &= (1 << used) - 1;
        }
    }

    /// True if cell `j` may be visible from cell `i`. Panics where there is no such cell.
    #[must_use]
    pub fn sees(&self, i: usize, j: usize) -> bool {
        assert!(j < self.cells, "cell {j} of {}", self.cells);
        self.row(i)[j / WORD_BITS] >> (j % WORD_BITS) & 1 != 0
    }

    /// Lets cell `i` see cell `j`. Panics where there is no such cell.
    pub fn set(&mut self, i: usize, j: usize) {
        assert!(j < self.cells, "cell {j} of {}", self.cells);
        let words = self.row_words();
        self.words[i * words..][..words][j / WORD_BITS] |= 1 << (j % WORD_BITS);
    }

    /// Pairs of a cell and one that it sees.
    #[must_use]
    pub fn visible_pairs(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The text's occlusion ratio: the part of all pairs that do not see each other, from 0 to 1.
    #[must_use]
    pub fn occlusion_ratio(&self) -> f64 {
        let pairs = self.cells as f64 * self.cells as f64;
        if self.cells == 0 { 0.0 } else { 1.0 - self.visible_pairs() as f64 / pairs }
    }

    /// The columns as rows: row `j` of it holds the cells from which `j` is seen.
    #[must_use]
    pub fn transposed(&self) -> Matrix {
        let (words, mut out) = (self.row_words(), Matrix::new(self.cells));
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
                for (row, word) in block.iter().enumerate().take((self.cells - left).min(WORD_BITS)) {
                    out.words[(left + row) * words + top / WORD_BITS] = *word;
                }
            }
        }
        out
    }

    /// The matrix of clusters of cells (the text's section 1): cluster `a` sees cluster `b` if a cell of `a` sees a cell of `b`.
    /// So it may hold more than the cells' own, never less. `cluster_of` has the cluster of each cell; there are as many clusters
    /// as the greatest number in it says. Panics where it is not as long as there are cells.
    #[must_use]
    pub fn clustered(&self, cluster_of: &[u32]) -> Matrix {
        assert_eq!(cluster_of.len(), self.cells, "a cluster for each cell");
        let clusters = cluster_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut out = Matrix::new(clusters);
        // Rows are joined first, words at a time; then each cluster's row is looked through only once.
        let mut members: Vec<u32> = (0..self.cells as u32).collect();
        members.sort_by_key(|&cell| cluster_of[cell as usize]);
        let mut joined = vec![0; self.row_words()];
        for group in members.chunk_by(|&a, &b| cluster_of[a as usize] == cluster_of[b as usize]) {
            joined.fill(0);
            for &cell in group {
                joined.iter_mut().zip(self.row(cell as usize)).for_each(|(all, word)| *all |= word);
            }
            let cluster = cluster_of[group[0] as usize] as usize;
            bitset::members(&joined).for_each(|seen| out.set(cluster, cluster_of[seen] as usize));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any matrix, sparse or not, by pairs.
    fn matrices() -> impl Strategy<Value = Matrix> {
        (1usize..200).prop_flat_map(|cells| {
            proptest::collection::vec((0..cells, 0..cells), 0..400).prop_map(move |pairs| {
                let mut matrix = Matrix::new(cells);
                pairs.into_iter().for_each(|(i, j)| matrix.set(i, j));
                matrix
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn columns_are_rows_turned(matrix in matrices()) {
            let turned = matrix.transposed();
            for i in 0..matrix.cells() {
                for j in 0..matrix.cells() {
                    prop_assert_eq!(turned.sees(j, i), matrix.sees(i, j));
                }
            }
            prop_assert_eq!(turned.transposed(), matrix);
        }

        #[test]
        fn clusters_see_what_their_cells_see(matrix in matrices(), clusters in 1u32..9) {
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
    fn rows_are_quakes_bytes() {
        let mut matrix = Matrix::new(75);
        matrix.set_row_bytes(1, &[0b1000_0010, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF]);
        assert_eq!(
            bitset::members(matrix.row(1)).collect::<Vec<_>>(),
            [1, 7, 64, 72, 73, 74],
            "no bits past the last cell"
        );
        matrix.set_row(2, &[1, u64::MAX]);
        assert_eq!((matrix.visible_pairs(), matrix.row_bytes(), matrix.row_words()), (6 + 12, 10, 2));
        assert!(matrix.sees(1, 7) && !matrix.sees(7, 1));
        assert!((matrix.occlusion_ratio() - (1.0 - 18.0 / 5625.0)).abs() < 1e-12);
        matrix.set_row_bytes(1, &[1]);
        assert_eq!(matrix.row(1), [1, 0], "what was there is gone");
        assert_eq!(matrix.rows().len(), 75);
    }

    #[test]
    fn nothing_is_a_matrix_too() {
        let none = Matrix::new(0);
        assert_eq!((none.rows().len(), none.visible_pairs(), none.occlusion_ratio()), (0, 0, 0.0));
        assert_eq!(none.transposed(), none);
        assert_eq!(none.clustered(&[]), none);
    }
}
