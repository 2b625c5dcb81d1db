//! Reads heights from grey PNG pictures of 8 or 16 bits, one metre per step of grey.

use super::grid::{HeightGrid, cell_count};
use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use image::codecs::png::PngDecoder;
use image::{ColorType, ImageDecoder, ImageError, Limits};
use std::io::Cursor;

/// Reads the heights of a PNG file.
pub(super) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let bad = |error: ImageError| FormatError::new("PNG", short_reason(error));
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), Limits::default()).map_err(bad)?;
    let (width, depth) = decoder.dimensions();
    let cells = cell_count(width.into(), depth.into(), bytes.len())?;
    let is_wide = match decoder.color_type() {
        ColorType::L8 => false,
        ColorType::L16 => true,
        _ => {
            return Err(FormatError::new(
                "PNG",
                "it has colours or transparency; heights are read from plain grey pictures",
            ));
        }
    };
    let mut grey = vec![0; cells * if is_wide { 2 } else { 1 }];
    decoder.read_image(&mut grey).map_err(bad)?;
    let heights = match is_wide {
        true => grey.chunks_exact(2).map(|two| f32::from(u16::from_ne_bytes([two[0], two[1]]))).collect(),
        false => grey.iter().map(|&grey| f32::from(grey)).collect(),
    };
    Ok(HeightGrid { width: width as usize, depth: depth as usize, heights, cell_metres: None, has_sea_level: false })
}
