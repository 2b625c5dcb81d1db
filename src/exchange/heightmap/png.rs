//! Reads heights from grey PNG pictures of 1 to 16 bits, one metre per step of grey. A picture with a
//! palette of greys is read as its greys, 0 to 255.
//!
//! The `png` crate decodes: `image` scales values of 1, 2 and 4 bits to 8 bits, which would change
//! the heights.

use super::grid::{HeightGrid, cell_count, memory_budget};
use super::packed_values::packed_value;
use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::Cursor;

/// Reads the heights of a PNG file.
pub(super) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let bad = |error: DecodingError| FormatError::new("PNG", short_reason(error));
    let limits = Limits { bytes: memory_budget(bytes.len()) as usize };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(bad)?;
    let info = reader.info();
    let (width, depth) = info.size();
    let cells = cell_count(width.into(), depth.into(), bytes.len())?;
    let refuse = |what: &str| FormatError::new("PNG", format!("{what}; heights are read from plain grey pictures"));
    let palette = match info.color_type {
        _ if info.trns.is_some() => return Err(refuse("it has transparency")),
        ColorType::Grayscale => None,
        ColorType::Indexed => {
            let colours = info.palette.as_deref().unwrap_or_default().as_chunks::<3>().0;
            if colours.iter().any(|[red, green, blue]| red != green || green != blue) {
                return Err(refuse("its palette has colours"));
            }
            Some(colours.iter().map(|[grey, ..]| f32::from(*grey)).collect::<Vec<f32>>())
        }
        ColorType::GrayscaleAlpha => return Err(refuse("it is grey with alpha")),
        ColorType::Rgb => return Err(refuse("it has colours")),
        ColorType::Rgba => return Err(refuse("it has colours and alpha")),
    };
    let bits = info.bit_depth;
    // At most two bytes per cell, which `cell_count` has allowed for.
    let size = reader.output_buffer_size().ok_or_else(|| refuse("it is too large"))?;
    let mut data = vec![0; size];
    let row_bytes = reader.next_frame(&mut data).map_err(bad)?.line_size;
    let mut heights = Vec::with_capacity(cells);
    for row in data.chunks_exact(row_bytes).take(depth as usize) {
        for column in 0..width as usize {
            let value = match bits {
                BitDepth::Sixteen => row.as_chunks::<2>().0.get(column).map(|two| u16::from_be_bytes(*two)),
                bits => packed_value(row, column, bits as usize).map(u16::from),
            };
            let value = value.ok_or_else(|| refuse("its rows are too short"))?;
            heights.push(match &palette {
                None => f32::from(value),
                Some(palette) => *palette
                    .get(usize::from(value))
                    .ok_or_else(|| FormatError::new("palette", format!("it has no colour {value}")))?,
            });
        }
    }
    Ok(HeightGrid { width: width as usize, depth: depth as usize, heights, cell_metres: None, has_sea_level: false })
}
