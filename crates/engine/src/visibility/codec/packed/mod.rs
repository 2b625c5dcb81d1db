//! Our codec of a whole matrix: each row as its difference from a nearby row.
//!
//! Cells that are near in space see nearly the same, and have near numbers if they are numbered
//! along a curve ([`crate::visibility::hilbert`]). A row is stored as its *changes*: the cells at
//! which visibility begins or ends. A row with a *reference* stores only the changes that its
//! reference does not share, in either direction; these are the beginnings and ends of the
//! exclusive or of both rows. The reference may have a reference itself, but at most
//! [`layout::MAX_DEPTH`] references lead to a row without one, so few rows are decoded to read any
//! row. Equal rows are stored once. `docs/visibility.md` lists what else was tried.
//!
//! ```text
//! u32       number of cells (at most 2^20)
//! u8        bits of an index entry
//! u8 x 5    orders: of gaps before beginnings and before ends in rows without reference; of the
//!           same gaps in rows with one; of counts
//! index     per row, the byte at which its record begins, counted from the first record; each
//!           entry has the bits given above, lowest first; the last byte is filled with zeros
//! records   per row, in order, without gaps:
//!           kind     order 2: 0 = without reference; 1 = equal to an earlier row;
//!                    2 n = refers to the row n before; 2 n + 1 = to the row n after; n is 1 to 16
//!           equal row: distance to the earlier row, minus 1, order 6; other rows:
//!           count    number of changes
//!           gaps     per change, the number of cells between it and the previous change (or the
//!                    row's beginning)
//!           the last byte is filled with zeros
//! ```
//!
//! All numbers of records are Exp-Golomb codes, lowest bit first (`exp_golomb.rs`). A row that is
//! visible up to its last cell has an odd number of changes. [`PackedMatrix::from_bytes`] validates
//! every row once; reading cannot fail after that.

mod encode;
mod exp_golomb;
mod layout;
mod packed_matrix;
mod reader;
mod references;

#[cfg(test)]
mod tests;

pub use encode::lone_row_bytes;
pub use packed_matrix::PackedMatrix;
pub use reader::{MatrixReader, PackedRowCells, PackedRowRuns};
