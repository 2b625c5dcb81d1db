//! Reads `.pvs` files, which hold an unpacked matrix.
//!
//! ```text
//! u32    cells
//! u32    bytes of a row: cells / 8, rounded up
//! rows   bit j of row i is bit j & 7 of byte j >> 3
//! ```
//!
//! All numbers are little-endian.

use super::file_error::{MalformedFile, u32_at};
use stonerun_engine::visibility::Matrix;

/// Bytes before the rows.
const HEADER_BYTES: usize = 8;

/// Reads the matrix from a file's bytes.
pub(super) fn read(file: &[u8]) -> Result<Matrix, MalformedFile> {
    let cells = u32_at(file, 0)? as usize;
    let row_bytes = u32_at(file, 4)? as usize;
    if row_bytes != cells.div_ceil(8) {
        return Err(MalformedFile::new(
            4,
            format!("a row of {cells} cells cannot have {row_bytes} bytes"),
        ));
    }
    let rows = &file[HEADER_BYTES..];
    // The product of two 32-bit numbers fits.
    let expected = cells as u64 * row_bytes as u64;
    if rows.len() as u64 != expected {
        let reason = format!("{cells} cells need {expected} bytes of rows, found {}", rows.len());
        return Err(MalformedFile::new(HEADER_BYTES, reason));
    }
    let mut matrix = Matrix::new(cells);
    // Rows of 0 bytes occur only in an empty matrix; `max` avoids a panic.
    for (i, row) in rows.chunks(row_bytes.max(1)).enumerate() {
        if row.last().is_some_and(|last| !cells.is_multiple_of(8) && last >> (cells % 8) != 0) {
            let reason = format!("row {i} sees a cell beyond the last one");
            return Err(MalformedFile::new(HEADER_BYTES + i * row_bytes, reason));
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
    fn rows_are_read_unchanged() {
        let matrix = read(&file(9, 2, &[1, 0, 2, 1].repeat(9)[..18])).unwrap();
        assert_eq!((matrix.cells(), matrix.row(0), matrix.row(1)), (9, &[1][..], &[0x102][..]));
        assert_eq!(read(&file(0, 0, &[])).unwrap(), Matrix::new(0));
    }

    #[test]
    fn malformed_files_are_refused() {
        let refused = |file: &[u8]| read(file).unwrap_err().to_string();
        assert_eq!(refused(&[9, 0, 0]), "byte 0: the file is cut off");
        assert_eq!(refused(&file(9, 2, &[])[..7]), "byte 4: the file is cut off");
        assert_eq!(refused(&file(9, 3, &[0; 27])), "byte 4: a row of 9 cells cannot have 3 bytes");
        assert_eq!(
            refused(&file(9, 2, &[0; 17])),
            "byte 8: 9 cells need 18 bytes of rows, found 17"
        );
        assert_eq!(
            refused(&file(9, 2, &[0; 19])),
            "byte 8: 9 cells need 18 bytes of rows, found 19"
        );
        let max_row = u32::MAX.div_ceil(8);
        assert!(
            refused(&file(u32::MAX, max_row, &[0; 9])).contains("found 9"),
            "nothing is allocated"
        );
        let mut rows = [0; 18];
        rows[5] = 2;
        assert_eq!(refused(&file(9, 2, &rows)), "byte 12: row 2 sees a cell beyond the last one");
    }
}
