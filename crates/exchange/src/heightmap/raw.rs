//! Reads heights without a header: `.r16`, 16 bits unsigned, little-endian, written by terrain
//! editors. A file is square, so its side follows from its length.

use super::grid::{HeightGrid, cell_count};
use crate::FormatError;

/// Reads an `.r16` file.
pub(crate) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let side = (bytes.len() / 2).isqrt();
    if 2 * side * side != bytes.len() {
        let reason = format!("{} bytes are not a square of heights of two bytes each", bytes.len());
        return Err(FormatError::new("size", reason));
    }
    cell_count(side as u64, side as u64, bytes.len())?;
    let heights =
        bytes.chunks_exact(2).map(|two| f32::from(u16::from_le_bytes([two[0], two[1]]))).collect();
    Ok(HeightGrid { width: side, depth: side, heights, ..HeightGrid::default() })
}
