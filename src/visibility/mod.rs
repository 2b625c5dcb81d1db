//! What can be seen from where: potentially visible sets, and how they are stored.
//!
//! The text is van Waveren's "Run-Length Compression of Large Sparse Potential Visible Sets" (2007). A set is a row of bits,
//! one for each cell; the rows of all cells are a matrix.
//!
//! - [`matrix`]: the rows, the columns, clusters of cells.
//! - [`order`]: numbers for cells, so that those near in space are near in a row.
//! - [`codec`]: the text's three codecs of a row, and ours of a whole matrix.

pub mod codec;
pub mod matrix;
pub mod order;

pub use matrix::Matrix;
