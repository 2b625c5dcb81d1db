//! The visibility of compiled maps of the Quake family: Quake (BSP 29), Half-Life (BSP 30), Quake III (IBSP 46).
//!
//! A map is a version and a directory of lumps, each an offset and a length. All numbers are little-endian.
//!
//! BSP 29 and 30: the first model says how many leafs the world has, leaf 0 aside, which is all that is solid. These are the cells:
//! cell `j` is leaf `j + 1`. Each leaf names the byte of the visibility lump where its row begins, or -1 where it may see
//! everything. A row is packed: bytes as they are, but for a zero byte and the number of zero bytes that it stands for, 1 to 255.
//! (The text's listing has that number less one, so [`crate::visibility::codec::Quake`] is not what reads these.) What a row has
//! past the last cell is dropped, as the games do.
//!
//! IBSP 46: the visibility lump begins with the clusters, which are the cells, and the bytes of a row; the rows are not packed.

use super::bytes::{Flaw, slice, u32_at};
use crate::visibility::Matrix;

/// Quake's and Half-Life's lumps, by their place in the directory; and Quake III's.
const VISIBILITY: usize = 4;
const LEAFS: usize = 10;
const MODELS: usize = 14;
const VISIBILITY_IBSP: usize = 16;

/// Bytes of a leaf, and where in them its row's offset is.
const LEAF: usize = 28;
const LEAF_ROW: usize = 4;
/// Where in a model the number of its leafs is.
const MODEL_LEAFS: usize = 52;
/// The most leafs that a node of BSP 29 or 30 can name, leaf 0 among them: its children are numbers of 16 bits, those below
/// zero being leafs.
const MOST_LEAFS: usize = 1 << 15;

/// The matrix in a map's bytes.
pub(super) fn read(file: &[u8]) -> Result<Matrix, Flaw> {
    match (u32_at(file, 0)?, file.starts_with(b"IBSP")) {
        (29 | 30, _) => packed_rows(file),
        (_, true) => match u32_at(file, 4)? {
            46 => plain_rows(file),
            other => Err(Flaw::new(4, format!("version {other} of IBSP is not known, only 46"))),
        },
        _ => Err(Flaw::new(0, "not a map of Quake, Half-Life or Quake III (BSP 29, BSP 30, IBSP 46)")),
    }
}

/// A lump's place in the file, and its bytes; `directory` is where the directory begins.
fn lump(file: &[u8], directory: usize, index: usize) -> Result<(usize, &[u8]), Flaw> {
    let entry = directory + index * 8;
    let (at, length) = (u32_at(file, entry)? as usize, u32_at(file, entry + 4)? as usize);
    let outside = |_| Flaw::new(entry, format!("lump {index} is outside the file: {length} bytes from byte {at} on"));
    Ok((at, slice(file, at, length).map_err(outside)?))
}

/// BSP 29 and 30.
fn packed_rows(file: &[u8]) -> Result<Matrix, Flaw> {
    let (models_at, models) = lump(file, 4, MODELS)?;
    let (leafs_at, leafs) = lump(file, 4, LEAFS)?;
    let (visibility_at, visibility) = lump(file, 4, VISIBILITY)?;
    let count_at = models_at + MODEL_LEAFS;
    let cells =
        u32_at(models, MODEL_LEAFS).map_err(|_| Flaw::new(models_at, "there is no model of the world"))? as usize;
    if cells >= MOST_LEAFS {
        return Err(Flaw::new(count_at, format!("{cells} leafs are more than a map can have")));
    }
    if visibility.is_empty() {
        return Err(Flaw::new(4 + VISIBILITY * 8, "the map was compiled without visibility"));
    }
    // Leaf 0 is no cell.
    let rows = leafs.chunks_exact(LEAF).skip(1);
    if rows.len() < cells {
        return Err(Flaw::new(count_at, format!("the world has {cells} leafs, but only {} follow", rows.len())));
    }
    let (mut matrix, mut bytes) = (Matrix::new(cells), Vec::new());
    for (i, leaf) in rows.take(cells).enumerate() {
        bytes.clear();
        match u32_at(leaf, LEAF_ROW)? {
            u32::MAX => bytes.resize(matrix.row_bytes(), 0xFF),
            at => {
                let packed = visibility.get(at as usize..).unwrap_or_default();
                unpack(packed, matrix.row_bytes(), &mut bytes).map_err(|reason| {
                    let place = leafs_at + (i + 1) * LEAF + LEAF_ROW;
                    Flaw::new(place, format!("row {i}, at byte {}: {reason}", visibility_at + at as usize))
                })?;
            }
        }
        matrix.set_row_bytes(i, &bytes);
    }
    Ok(matrix)
}

/// Appends the row of so many bytes that `packed` begins with.
fn unpack(packed: &[u8], row_bytes: usize, row: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut from = packed.iter();
    while row.len() < row_bytes {
        match *from.next().ok_or("the visibility ends before the row does")? {
            // A run of none would let a row be as long as the file, and a map as long as its square.
            0 => match *from.next().ok_or("the visibility ends before the row does")? {
                0 => return Err("a run of no bytes"),
                run => row.resize(row_bytes.min(row.len() + usize::from(run)), 0),
            },
            byte => row.push(byte),
        }
    }
    Ok(())
}

/// IBSP 46.
fn plain_rows(file: &[u8]) -> Result<Matrix, Flaw> {
    let (at, visibility) = lump(file, 8, VISIBILITY_IBSP)?;
    if visibility.is_empty() {
        return Err(Flaw::new(8 + VISIBILITY_IBSP * 8, "the map was compiled without visibility"));
    }
    let number = |from| u32_at(visibility, from).map_err(|_| Flaw::new(at, "the visibility is cut off"));
    let (cells, row_bytes) = (number(0)? as usize, number(4)? as usize);
    if row_bytes < cells.div_ceil(8) {
        return Err(Flaw::new(at + 4, format!("{row_bytes} bytes are no row of {cells} clusters")));
    }
    let rows = &visibility[8..];
    // Two numbers of 32 bits: the product fits.
    let expected = cells as u64 * row_bytes as u64;
    if (rows.len() as u64) < expected {
        return Err(Flaw::new(at, format!("{cells} clusters have {expected} bytes of rows, not {}", rows.len())));
    }
    let mut matrix = Matrix::new(cells);
    // There are cells only where their rows have bytes.
    for (i, row) in rows.chunks_exact(row_bytes.max(1)).take(cells).enumerate() {
        matrix.set_row_bytes(i, &row[..cells.div_ceil(8)]);
    }
    Ok(matrix)
}

#[cfg(test)]
#[path = "bsp_tests.rs"]
mod tests;
