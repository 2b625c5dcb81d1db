//! Visibility in compiled maps of the Quake family: Quake (BSP 29), Half-Life (BSP 30), Quake III
//! (IBSP 46).
//!
//! A map begins with a version and a directory of lumps, each an offset and a length. All numbers
//! are little-endian.
//!
//! BSP 29 and 30: the first model states the number of leafs apart from leaf 0, which is the solid
//! space. These leafs are the cells: cell `j` is leaf `j + 1`. Each leaf has the offset of its row
//! in the visibility lump, or -1 if it may see everything. Rows are packed: a zero byte is followed
//! by the number of zero bytes it stands for, 1 to 255; other bytes stand for themselves. (The
//! visibility text's listing stores that number less one, so its codec,
//! [`Quake`](stonerun_engine::visibility::codec::Quake), cannot read these rows.) Bits beyond the
//! last cell are dropped, as in the games.
//!
//! IBSP 46: the visibility lump begins with the number of clusters, which are the cells, and the
//! length of a row in bytes. Rows are not packed.

use super::file_error::{MalformedFile, slice, u32_at};
use stonerun_engine::visibility::Matrix;

// Indices of lumps in the directory.
const VISIBILITY: usize = 4;
const LEAFS: usize = 10;
const MODELS: usize = 14;
/// Index of the visibility lump in maps of Quake III.
const VISIBILITY_IBSP: usize = 16;

/// Size of a leaf in bytes.
const LEAF_BYTES: usize = 28;
/// Position in a leaf of the field that holds the offset of its row in the visibility lump.
const LEAF_ROW: usize = 4;
/// Position in a model of the field that holds its number of leafs.
const MODEL_LEAFS: usize = 52;
/// Maximum number of leafs of BSP 29 and 30, including leaf 0: a node stores its children in 16
/// bits, leafs as negative numbers.
const MAX_LEAFS: usize = 1 << 15;

/// Reads the matrix from a map's bytes.
pub(super) fn read(file: &[u8]) -> Result<Matrix, MalformedFile> {
    match (u32_at(file, 0)?, file.starts_with(b"IBSP")) {
        (29 | 30, _) => packed_rows(file),
        (_, true) => match u32_at(file, 4)? {
            46 => plain_rows(file),
            other => Err(MalformedFile::new(
                4,
                format!("IBSP version {other} is not supported, only 46 is"),
            )),
        },
        _ => Err(MalformedFile::new(
            0,
            "not a map of Quake, Half-Life or Quake III (BSP 29, BSP 30, IBSP 46)",
        )),
    }
}

/// The offset of a lump in the file, and its bytes. `directory` is the offset of the directory.
fn lump(file: &[u8], directory: usize, index: usize) -> Result<(usize, &[u8]), MalformedFile> {
    let entry = directory + index * 8;
    let at = u32_at(file, entry)? as usize;
    let length = u32_at(file, entry + 4)? as usize;
    let outside = |_| {
        MalformedFile::new(
            entry,
            format!("lump {index} is outside the file: {length} bytes from byte {at}"),
        )
    };
    Ok((at, slice(file, at, length).map_err(outside)?))
}

/// Reads the packed rows of BSP 29 and 30.
fn packed_rows(file: &[u8]) -> Result<Matrix, MalformedFile> {
    let (models_at, models) = lump(file, 4, MODELS)?;
    let (leafs_at, leafs) = lump(file, 4, LEAFS)?;
    let (visibility_at, visibility) = lump(file, 4, VISIBILITY)?;
    let count_at = models_at + MODEL_LEAFS;
    let cells = u32_at(models, MODEL_LEAFS)
        .map_err(|_| MalformedFile::new(models_at, "the world model is missing"))?
        as usize;
    if cells >= MAX_LEAFS {
        return Err(MalformedFile::new(
            count_at,
            format!("{cells} leafs exceed the limit of {}", MAX_LEAFS - 1),
        ));
    }
    if visibility.is_empty() {
        return Err(MalformedFile::new(
            4 + VISIBILITY * 8,
            "the map was compiled without visibility",
        ));
    }
    // Leaf 0 is not a cell.
    let rows = leafs.chunks_exact(LEAF_BYTES).skip(1);
    if rows.len() < cells {
        return Err(MalformedFile::new(
            count_at,
            format!("the world model has {cells} leafs, found {}", rows.len()),
        ));
    }
    let mut matrix = Matrix::new(cells);
    let mut bytes = Vec::new();
    for (i, leaf) in rows.take(cells).enumerate() {
        bytes.clear();
        match u32_at(leaf, LEAF_ROW)? {
            u32::MAX => bytes.resize(matrix.row_bytes(), 0xFF),
            at => {
                let packed = visibility.get(at as usize..).unwrap_or_default();
                unpack(packed, matrix.row_bytes(), &mut bytes).map_err(|reason| {
                    let place = leafs_at + (i + 1) * LEAF_BYTES + LEAF_ROW;
                    MalformedFile::new(
                        place,
                        format!("row {i}, at byte {}: {reason}", visibility_at + at as usize),
                    )
                })?;
            }
        }
        matrix.set_row_bytes(i, &bytes);
    }
    Ok(matrix)
}

/// Unpacks the row of `row_bytes` bytes at the start of `packed`, and appends it to `row`.
fn unpack(packed: &[u8], row_bytes: usize, row: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut from = packed.iter();
    while row.len() < row_bytes {
        match *from.next().ok_or("the row is cut off")? {
            // A run of 0 bytes is refused, because it would allow rows as long as the file, and
            // time in the square of the file's size.
            0 => match *from.next().ok_or("the row is cut off")? {
                0 => return Err("a run of 0 bytes"),
                run => row.resize(row_bytes.min(row.len() + usize::from(run)), 0),
            },
            byte => row.push(byte),
        }
    }
    Ok(())
}

/// Reads the plain rows of IBSP 46.
fn plain_rows(file: &[u8]) -> Result<Matrix, MalformedFile> {
    let (at, visibility) = lump(file, 8, VISIBILITY_IBSP)?;
    if visibility.is_empty() {
        return Err(MalformedFile::new(
            8 + VISIBILITY_IBSP * 8,
            "the map was compiled without visibility",
        ));
    }
    let number = |from| {
        u32_at(visibility, from).map_err(|_| MalformedFile::new(at, "the visibility is cut off"))
    };
    let cells = number(0)? as usize;
    let row_bytes = number(4)? as usize;
    if row_bytes < cells.div_ceil(8) {
        return Err(MalformedFile::new(
            at + 4,
            format!("a row of {cells} clusters cannot have {row_bytes} bytes"),
        ));
    }
    let rows = &visibility[8..];
    // The product of two 32-bit numbers fits.
    let expected = cells as u64 * row_bytes as u64;
    if (rows.len() as u64) < expected {
        return Err(MalformedFile::new(
            at,
            format!("{cells} clusters need {expected} bytes of rows, found {}", rows.len()),
        ));
    }
    let mut matrix = Matrix::new(cells);
    // Rows of 0 bytes occur only without clusters; `max` avoids a panic.
    for (i, row) in rows.chunks_exact(row_bytes.max(1)).take(cells).enumerate() {
        matrix.set_row_bytes(i, &row[..cells.div_ceil(8)]);
    }
    Ok(matrix)
}

#[cfg(test)]
#[path = "bsp_tests.rs"]
mod tests;
