//! Heights as grey pictures: PNG of 8 or 16 bits, one step of grey a metre.

use super::grid::{HeightGrid, cells};
use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use image::codecs::png::PngDecoder;
use image::{ColorType, ImageDecoder, ImageError, Limits};
use std::io::Cursor;

pub(super) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
    let flaw = |error: ImageError| FormatError::new("PNG", short_reason(error));
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), Limits::default()).map_err(flaw)?;
    let (width, depth) = decoder.dimensions();
    let cells = cells(width.into(), depth.into(), bytes.len())?;
    let wide = match decoder.color_type() {
        ColorType::L8 => false,
        ColorType::L16 => true,
        _ => {
            return Err(FormatError::new(
                "PNG",
                "it has colours; heights are read from grey pictures, without transparency",
            ));
        }
    };
    let mut grey = vec![0; cells * if wide { 2 } else { 1 }];
    decoder.read_image(&mut grey).map_err(flaw)?;
    let heights = match wide {
        true => grey.chunks_exact(2).map(|two| f32::from(u16::from_ne_bytes([two[0], two[1]]))).collect(),
        false => grey.iter().map(|&grey| f32::from(grey)).collect(),
    };
    Ok(HeightGrid { width: width as usize, depth: depth as usize, heights, cell: None, sea_level: false })
}
