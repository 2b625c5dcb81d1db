//! Reads heights without a header: `.r16` (16 bits unsigned, little-endian, written by terrain
//! editors) and `.hgt` (SRTM tiles, 16 bits signed, big-endian). Both are square; the side follows
//! from the length.

use super::grid::{HeightGrid, cell_count};
use crate::exchange::FormatError;

/// SRTM's value for "no data".
const VOID: i16 = i16::MIN;

/// Reads an `.r16` file.
pub(super) fn read_r16(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let side = square_side(bytes)?;
    let heights = bytes.chunks_exact(2).map(|two| f32::from(u16::from_le_bytes([two[0], two[1]]))).collect();
    Ok(HeightGrid::square(side, heights, false))
}

/// Reads an `.hgt` file.
pub(super) fn read_hgt(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let side = square_side(bytes)?;
    if ![1201, 3601].contains(&side) {
        let reason = format!("it is {side} x {side} cells large; SRTM tiles are 1201 x 1201 or 3601 x 3601");
        return Err(FormatError::new("size", reason));
    }
    let height = |two: &[u8]| match i16::from_be_bytes([two[0], two[1]]) {
        VOID => f32::NAN,
        height => f32::from(height),
    };
    Ok(HeightGrid::square(side, bytes.chunks_exact(2).map(height).collect(), true))
}

/// Side of the square of cells of two bytes each.
fn square_side(bytes: &[u8]) -> Result<usize, FormatError> {
    let side = (bytes.len() / 2).isqrt();
    if 2 * side * side != bytes.len() {
        let reason = format!("{} bytes are not a square of heights of two bytes each", bytes.len());
        return Err(FormatError::new("size", reason));
    }
    cell_count(side as u64, side as u64, bytes.len())?;
    Ok(side)
}
