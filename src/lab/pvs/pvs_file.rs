//! `.pvs` files: a matrix as it is.
//!
//! ```text
//! u32    cells
//! u32    bytes of a row: cells / 8, rounded up
//! rows   bit j of row i is bit j & 7 of byte j >> 3
//! ```
//!
//! All numbers are little-endian.

use super::bytes::{Flaw, u32_at};
use crate::visibility::Matrix;

/// Bytes before the rows.
const HEADER: usize = 8;

/// The matrix in a file's bytes.
pub(super) fn read(file: &[u8]) -> Result<Matrix, Flaw> {
    let (cells, row_bytes) = (u32_at(file, 0)? as usize, u32_at(file, 4)? as usize);
    if row_bytes != cells.div_ceil(8) {
        return Err(Flaw::new(4, format!("{row_bytes} bytes are no row of {cells} cells")));
    }
    let rows = &file[HEADER..];
    // Two numbers of 32 bits: the product fits.
    let expected = cells as u64 * row_bytes as u64;
    if rows.len() as u64 != expected {
        return Err(Flaw::new(HEADER, format!("{cells} cells have {expected} bytes of rows, not {}", rows.len())));
    }
    let mut matrix = Matrix::new(cells);
    // There are rows only where they have bytes.
    for (i, row) in rows.chunks(row_bytes.max(1)).enumerate() {
        if row.last().is_some_and(|last| cells % 8 != 0 && last >> (cells % 8) != 0) {
            return Err(Flaw::new(HEADER + i * row_bytes, format!("row {i} sees a cell past the last one")));
        }
        matrix.set_row_bytes(i, row);
    }
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(cells: u32, row_bytes: u32, rows: &[u8]) -> Vec<u8> {
        [&cells.to_le_bytes()[..], &row_bytes.to_le_bytes(), rows].concat()
    }

    #[test]
    fn rows_are_read_as_they_are() {
        let matrix = read(&file(9, 2, &[1, 0, 2, 1].repeat(9)[..18])).unwrap();
        assert_eq!((matrix.cells(), matrix.row(0), matrix.row(1)), (9, &[1][..], &[0x102][..]));
        assert_eq!(read(&file(0, 0, &[])).unwrap(), Matrix::new(0));
    }

    #[test]
    fn what_is_not_a_matrix_is_refused() {
        let refused = |file: &[u8]| read(file).unwrap_err().to_string();
        assert_eq!(refused(&[9, 0, 0]), "byte 0: the file is cut off");
        assert_eq!(refused(&file(9, 2, &[])[..7]), "byte 4: the file is cut off");
        assert_eq!(refused(&file(9, 3, &[0; 27])), "byte 4: 3 bytes are no row of 9 cells");
        assert_eq!(refused(&file(9, 2, &[0; 17])), "byte 8: 9 cells have 18 bytes of rows, not 17");
        assert_eq!(refused(&file(9, 2, &[0; 19])), "byte 8: 9 cells have 18 bytes of rows, not 19");
        let most = u32::MAX.div_ceil(8);
        assert!(refused(&file(u32::MAX, most, &[0; 9])).contains("not 9"), "nothing is allocated");
        let mut rows = [0; 18];
        rows[5] = 2;
        assert_eq!(refused(&file(9, 2, &rows)), "byte 12: row 2 sees a cell past the last one");
    }
}
