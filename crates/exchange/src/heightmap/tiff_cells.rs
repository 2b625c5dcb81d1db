//! Decoding of a TIFF picture's cells with the `tiff` crate, one strip or tile at a time.

use super::grid::memory_budget;
use super::packed_values::packed_value;
use super::tiff_directory::{StoredPart, TiffDirectory};
use super::tiff_file::TiffFile;
use crate::FormatError;
use crate::bounded_read::short_reason;
use std::borrow::Cow;
use std::io::{Cursor, ErrorKind};
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

/// Maximum number of values per cell: red, green, blue, opacity.
pub(super) const MAX_SAMPLES: usize = 4;

/// One cell of a picture, as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredCell {
    pub(super) column: usize,
    pub(super) row: usize,
    /// Values of the cell, as many as the directory states; `None` if the strip or tile is left
    /// out.
    pub(super) values: Option<[f32; MAX_SAMPLES]>,
}

/// A decoded strip or tile. If values lie in planes, it holds one value per cell.
struct DecodedPart {
    values: DecodingResult,
    columns: usize,
    /// Values per cell.
    samples: usize,
    /// Bits of a value.
    bits: usize,
}

impl DecodedPart {
    /// The value `sample` of a cell; `None` beyond the end.
    fn get(&self, row: usize, column: usize, sample: usize) -> Option<f32> {
        let along = column * self.samples + sample;
        match &self.values {
            DecodingResult::U8(bytes) if self.bits < 8 => {
                let row_bytes = (self.columns * self.samples * self.bits).div_ceil(8);
                let row = bytes.get(row * row_bytes..(row + 1) * row_bytes)?;
                packed_value(row, along, self.bits).map(f32::from)
            }
            values => value(values, row * self.columns * self.samples + along),
        }
    }
}

/// Passes each cell of a picture to `cell`. `taken` is the number of bytes that are in use already;
/// they count towards the memory limit.
///
/// The caller must have checked the size of the picture, and that the decoder can read its values.
/// The function is long because the position, the decoding and the cells of a part depend on the
/// same sizes.
///
/// # Errors
/// The picture cannot be decoded.
pub(super) fn read_cells(
    file: &TiffFile,
    directory: &TiffDirectory,
    taken: u64,
    mut cell: impl FnMut(StoredCell) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let changes = directory.decoder_changes(file)?;
    let source = if changes.is_empty() {
        Cow::Borrowed(file.bytes)
    } else {
        Cow::Owned(file.with(&changes)?)
    };
    let copied = if changes.is_empty() { 0 } else { source.len() as u64 };
    let mut decoder = Decoder::new(Cursor::new(&*source)).map_err(fault)?;
    let (width, depth) = decoder.dimensions().map_err(fault)?;
    if (u64::from(width), u64::from(depth)) != (directory.width, directory.depth) {
        return Err(FormatError::new("TIFF", "its directory states the size in two ways"));
    }
    let width = width as usize;
    let depth = depth as usize;
    let samples = directory.samples as usize;
    let bits = directory.bits as usize;
    let colours = decoder.colortype().map_err(fault)?;
    if usize::from(colours.num_samples()) != samples || usize::from(colours.bit_depth()) != bits {
        return Err(FormatError::new(
            "TIFF",
            "its directory states the values of a cell in two ways",
        ));
    }
    let is_planar =
        decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration).map_err(fault)? == Some(2);
    let planes = if is_planar { samples } else { 1 };
    // The rest of the budget is divided among one strip or tile of each plane.
    let rest = memory_budget(file.bytes.len()).saturating_sub(taken + copied) as usize / planes;
    let mut limits = Limits::default();
    (limits.decoding_buffer_size, limits.intermediate_buffer_size) = (rest, rest);
    let mut decoder = decoder.with_limits(limits);
    let (part_width, part_depth) = decoder.chunk_dimensions();
    let part_width = part_width as usize;
    let part_depth = part_depth as usize;
    let across = width.div_ceil(part_width);
    let parts = across * depth.div_ceil(part_depth);
    let mut decoded: Vec<DecodedPart> = vec![];
    for part in 0..parts {
        let left = part % across * part_width;
        let top = part / across * part_depth;
        // Strips and tiles are clipped at the right and lower edges.
        let columns = part_width.min(width - left);
        let rows = part_depth.min(depth - top);
        let row_bytes = (part_width * (samples / planes) * bits).div_ceil(8) as u64;
        decoded.clear();
        for plane in 0..planes {
            let index = part + plane * parts;
            match directory.stored_part(file, index, row_bytes * rows as u64)? {
                StoredPart::Missing => break,
                StoredPart::Short => return Err(too_short(index)),
                StoredPart::Present => {}
            }
            // Fits into 32 bits, because each part has at least one cell.
            let values = decoder.read_chunk(index as u32).map_err(fault)?;
            decoded.push(DecodedPart { values, columns, samples: samples / planes, bits });
        }
        let is_missing = decoded.len() < planes;
        for row in 0..rows {
            for column in 0..columns {
                let mut stored = StoredCell { column: left + column, row: top + row, values: None };
                if !is_missing {
                    let values = cell_values(&decoded, samples, row, column);
                    stored.values = Some(values.ok_or_else(|| too_short(part))?);
                }
                cell(stored)?;
            }
        }
    }
    Ok(())
}

/// The values of a cell, from one part that holds all of them or from one part per plane; `None`
/// beyond the end.
fn cell_values(
    decoded: &[DecodedPart],
    samples: usize,
    row: usize,
    column: usize,
) -> Option<[f32; MAX_SAMPLES]> {
    let mut values = [0.0; MAX_SAMPLES];
    for (sample, value) in values.iter_mut().enumerate().take(samples) {
        *value = match decoded {
            [only] => only.get(row, column, sample)?,
            planes => planes.get(sample)?.get(row, column, 0)?,
        };
    }
    Some(values)
}

fn too_short(part: usize) -> FormatError {
    FormatError::new(format!("strip or tile {part}"), "it is too short")
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

/// Converts an error of the decoder. A truncated file gets this module's wording.
fn fault(error: TiffError) -> FormatError {
    let reason = match &error {
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            "the file is cut off".to_owned()
        }
        _ => short_reason(error),
    };
    FormatError::new("TIFF", reason)
}
