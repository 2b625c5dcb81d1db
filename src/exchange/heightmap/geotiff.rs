//! Reads GeoTIFF, and TIFF without geographic tags: one value per cell, integer or floating point,
//! or an index into a palette of greys. BigTIFF is read too.
//!
//! The `tiff` crate decodes; `tiff_directory` checks the file beforehand. Of the geographic tags
//! these are used: GDAL's text for "no data" (42113), the width of a cell (33550), and whether that
//! is in degrees (34735). Strips and tiles are decoded one at a time.
//!
//! ZSTD is refused: the crate's feature needs `zstd` 0.13 next to the laboratory's 0.14, two versions
//! of one library for a rare compression.

use super::grid::{HeightGrid, cell_count, memory_budget};
use super::packed_values::packed_value;
use super::tiff_directory::TiffDirectory;
use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use std::borrow::Cow;
use std::io::Cursor;
use tiff::ColorType;
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

/// Length of a degree along a meridian, in metres.
const METRES_PER_DEGREE: f64 = 111_320.0;

/// Reads the heights of a TIFF file.
pub(super) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let directory = TiffDirectory::scan(bytes)?;
    let cells = cell_count(directory.width, directory.depth, bytes.len())?;
    directory.check_values()?;
    let palette = directory.has_palette().then(|| directory.grey_palette(bytes)).transpose()?;
    let source = if palette.is_some() { Cow::Owned(directory.as_grey(bytes)) } else { Cow::Borrowed(bytes) };
    let bad = |error: TiffError| FormatError::new("TIFF", short_reason(error));
    let mut limits = Limits::default();
    // The rest of the budget is for one strip or tile.
    let rest = memory_budget(bytes.len()).saturating_sub(4 * cells as u64) as usize;
    (limits.decoding_buffer_size, limits.intermediate_buffer_size) = (rest, rest);
    let mut decoder = Decoder::new(Cursor::new(&*source)).map_err(bad)?.with_limits(limits);
    let ColorType::Gray(bits @ (1..=8 | 16 | 32 | 64)) = decoder.colortype().map_err(bad)? else {
        return Err(FormatError::new("TIFF", "its cells are not one grey value of 1 to 8, 16, 32 or 64 bits each"));
    };
    let (width, depth) = decoder.dimensions().map_err(bad)?;
    if (u64::from(width), u64::from(depth)) != (directory.width, directory.depth) {
        return Err(FormatError::new("TIFF", "its directory states the size in two ways"));
    }
    let (width, depth) = (width as usize, depth as usize);
    let cell_metres = cell_width(&mut decoder);
    let no_data = no_data(&mut decoder);
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
                let value = match &values {
                    DecodingResult::U8(bytes) if bits < 8 => {
                        let row_bytes = (columns * usize::from(bits)).div_ceil(8);
                        let row = bytes.get(row * row_bytes..(row + 1) * row_bytes);
                        row.and_then(|row| packed_value(row, column, bits.into())).map(f32::from)
                    }
                    values => value(values, row * columns + column),
                };
                let value =
                    value.ok_or_else(|| FormatError::new(format!("strip or tile {index}"), "it is too short"))?;
                let here = if Some(value) == no_data { f32::NAN } else { value };
                grid.heights[(z + row) * width + x + column] = match &palette {
                    // An index has as many bits as the palette has entries.
                    Some(palette) => palette.get(here as usize).copied().filter(|_| !here.is_nan()).unwrap_or(f32::NAN),
                    None => here,
                };
            }
        }
    }
    Ok(grid)
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
