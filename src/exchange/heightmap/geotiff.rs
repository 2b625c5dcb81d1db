//! Reads GeoTIFF, and TIFF without geographic tags: one grey value per cell, integer or floating
//! point.
//!
//! The `tiff` crate decodes. It computes with the stated sizes before a caller can check them, so
//! the first directory is scanned here beforehand. Of the geographic tags these are used: GDAL's
//! text for "no data" (42113), the width of a cell (33550), and whether that is in degrees (34735).
//! Strips and tiles are decoded one at a time.

use super::grid::{HeightGrid, cell_count, memory_budget};
use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use std::io::Cursor;
use tiff::ColorType;
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

/// Length of a degree along a meridian, in metres.
const METRES_PER_DEGREE: f64 = 111_320.0;

/// Type of a text value (ASCII).
const TEXT: u64 = 2;
/// Type of a 16-bit value.
const SHORT: u64 = 3;

/// Reads the heights of a TIFF file.
pub(super) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let (width, depth) = scan_size(bytes)?;
    let cells = cell_count(width, depth, bytes.len())?;
    let bad = |error: TiffError| FormatError::new("TIFF", short_reason(error));
    let mut limits = Limits::default();
    // The rest of the budget is for one strip or tile.
    let rest = memory_budget(bytes.len()).saturating_sub(4 * cells as u64) as usize;
    (limits.decoding_buffer_size, limits.intermediate_buffer_size) = (rest, rest);
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(bad)?.with_limits(limits);
    if !matches!(decoder.colortype().map_err(bad)?, ColorType::Gray(8 | 16 | 32 | 64)) {
        return Err(FormatError::new("TIFF", "its cells are not one grey value of 8, 16, 32 or 64 bits each"));
    }
    let cell_metres = cell_width(&mut decoder);
    let no_data = no_data(&mut decoder);
    let (width, depth) = (width as usize, depth as usize);
    let mut grid = HeightGrid { width, depth, heights: vec![f32::NAN; cells], cell_metres, has_sea_level: false };
    let (chunk_width, chunk_depth) = decoder.chunk_dimensions();
    let (chunk_width, chunk_depth) = (chunk_width as usize, chunk_depth as usize);
    let across = width.div_ceil(chunk_width);
    for index in 0..across * depth.div_ceil(chunk_depth) {
        let (x, z) = (index % across * chunk_width, index / across * chunk_depth);
        // Fits into 32 bits: each has at least one cell.
        let values = decoder.read_chunk(index as u32).map_err(bad)?;
        grid.has_sea_level = is_signed(&values);
        // Clipped at the right and lower edges.
        let columns = chunk_width.min(width - x);
        for row in 0..chunk_depth.min(depth - z) {
            for column in 0..columns {
                let value = value(&values, row * columns + column)
                    .ok_or_else(|| FormatError::new(format!("strip or tile {index}"), "it is too short"))?;
                let here = if Some(value) == no_data { f32::NAN } else { value };
                grid.heights[(z + row) * width + x + column] = here;
            }
        }
    }
    Ok(grid)
}

/// Width and height according to the first directory.
///
/// # Errors
/// The file is truncated, is no TIFF, lists more values than it can hold, or has more than one
/// value per cell.
fn scan_size(bytes: &[u8]) -> Result<(u64, u64), FormatError> {
    let little = match bytes.get(..4) {
        Some(b"II*\0") => true,
        Some(b"MM\0*") => false,
        Some(b"II+\0" | b"MM\0+") => return Err(FormatError::new("byte 0", "it is a BigTIFF, which is not supported")),
        _ => return Err(FormatError::new("byte 0", "this is not a TIFF file")),
    };
    let number = |at: usize, length: usize| -> Result<u64, FormatError> {
        let cut_off = || FormatError::new(format!("byte {at}"), "the file is cut off");
        let bytes = at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(cut_off)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(if little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    };
    let directory = number(4, 4)? as usize;
    let (mut width, mut depth, mut samples) = (0, 0, 1);
    for entry in 0..number(directory, 2)? as usize {
        let at = directory + 2 + 12 * entry;
        let (tag, kind, count) = (number(at, 2)?, number(at + 2, 2)?, number(at + 4, 4)?);
        // The decoder takes 32 bytes per value, briefly twice that for some. Text is read in
        // another way, and later.
        if kind != TEXT && count > (memory_budget(bytes.len()) / 64).min(bytes.len() as u64) {
            let reason = format!("tag {tag} has {count} values, and the file {} bytes", bytes.len());
            return Err(FormatError::new(format!("byte {at}"), reason));
        }
        // In both byte orders a 16-bit value occupies the first two of the four bytes.
        let length = if kind == SHORT { 2 } else { 4 };
        match tag {
            256 => width = number(at + 8, length)?,
            257 => depth = number(at + 8, length)?,
            277 => samples = number(at + 8, length)?,
            _ => {}
        }
    }
    match samples {
        1 => Ok((width, depth)),
        _ => Err(FormatError::new("TIFF", format!("it has {samples} values per cell; heights have one"))),
    }
}

/// Width of a cell in metres, if stated.
fn cell_width(decoder: &mut Decoder<Cursor<&[u8]>>) -> Option<f32> {
    let scale = decoder.get_tag_f64_vec(Tag::ModelPixelScaleTag).ok()?;
    let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap_or_default();
    // Entries of four numbers, the first of which is a header. Key 1024 is the coordinate system; 2
    // means degrees.
    let degrees = keys.chunks_exact(4).skip(1).any(|key| key[0] == 1024 && key[3] == 2);
    let metres = scale.first()? * if degrees { METRES_PER_DEGREE } else { 1.0 };
    (metres.is_finite() && metres > 0.0).then_some(metres as f32)
}

/// The value that means "no data", if stated.
fn no_data(decoder: &mut Decoder<Cursor<&[u8]>>) -> Option<f32> {
    let text = decoder.get_tag_ascii_string(Tag::GdalNodata).ok()?;
    text.trim_matches(['\0', ' ']).parse().ok()
}

/// True for value types that can be negative.
fn is_signed(values: &DecodingResult) -> bool {
    use DecodingResult::{U8, U16, U32, U64};
    !matches!(values, U8(_) | U16(_) | U32(_) | U64(_))
}

/// The value at an index; `None` beyond the end.
fn value(values: &DecodingResult, at: usize) -> Option<f32> {
    Some(match values {
        DecodingResult::U8(list) => f32::from(*list.get(at)?),
        DecodingResult::U16(list) => f32::from(*list.get(at)?),
        DecodingResult::U32(list) => *list.get(at)? as f32,
        DecodingResult::U64(list) => *list.get(at)? as f32,
        DecodingResult::I8(list) => f32::from(*list.get(at)?),
        DecodingResult::I16(list) => f32::from(*list.get(at)?),
        DecodingResult::I32(list) => *list.get(at)? as f32,
        DecodingResult::I64(list) => *list.get(at)? as f32,
        DecodingResult::F16(list) => list.get(at)?.to_f32(),
        DecodingResult::F32(list) => *list.get(at)?,
        DecodingResult::F64(list) => *list.get(at)? as f32,
    })
}
