//! Reads heights from PNG pictures of 1 to 16 bits, one metre per step of grey. Greys may be stored
//! as red, green and blue, or by a palette. Fully transparent pixels have no height.
//!
//! The `png` crate decodes: `image` scales values of 1, 2 and 4 bits to 8 bits, which would change
//! the heights. Gamma and colour profiles say how bright a grey looks, so they have no effect.

use super::grey::GreyCheck;
use super::grid::{HeightGrid, cell_count, memory_budget};
use super::packed_values::packed_value;
use super::tiff_directory::TiffDirectory;
use super::tiff_file::TiffFile;
use super::turn::Turn;
use crate::FormatError;
use crate::bounded_read::short_reason;
use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Transformations};
use std::io::Cursor;

/// Converter from the values of a row to pixels.
struct PixelReader {
    kind: ColorType,
    bits: usize,
    palette: Vec<[u8; 3]>,
    /// Opacities of the first colours of the palette. The other colours are opaque.
    palette_alpha: Vec<u8>,
    /// The value or colour that marks transparent pixels.
    transparent: Option<[u16; 3]>,
}

/// Colour and opacity of a pixel.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Pixel {
    colour: [u16; 3],
    opacity: u16,
}

/// Reads the heights of a PNG file.
pub(crate) fn read(bytes: &[u8]) -> Result<HeightGrid, FormatError> {
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
    let pixels = PixelReader::new(info);
    let mut warnings = ignored_statements(info, bytes);
    let turn = orientation(info, &mut warnings);
    let too_large = || FormatError::new("PNG", "it is too large for the bytes of its file");
    let size = reader.output_buffer_size().ok_or_else(too_large)?;
    if size as u64 > memory_budget(bytes.len()).saturating_sub(4 * cells as u64) {
        return Err(too_large());
    }
    let mut data = vec![0; size];
    let row_bytes = reader.next_frame(&mut data).map_err(bad)?.line_size;
    let stored = [width as usize, depth as usize];
    let mut heights = vec![f32::NAN; cells];
    let mut check = GreyCheck::new(pixels.opaque().into());
    for (row, values) in data.chunks_exact(row_bytes).take(stored[1]).enumerate() {
        for column in 0..stored[0] {
            let Pixel { colour, opacity } = pixels.pixel(values, column)?;
            let grey = check.grey(row * stored[0] + column, colour.map(f32::from), opacity.into());
            heights[turn.index(column, row, stored)] = grey;
        }
    }
    warnings.extend(check.finish(stored[0])?);
    let [width, depth] = turn.size(stored);
    Ok(HeightGrid { width, depth, heights, warnings, ..HeightGrid::default() })
}

impl PixelReader {
    fn new(info: &Info) -> PixelReader {
        let list = info.trns.as_deref().unwrap_or_default();
        let value = |place: usize| match info.bit_depth {
            BitDepth::Sixteen => {
                list.as_chunks::<2>().0.get(place).map(|two| u16::from_be_bytes(*two))
            }
            _ => list.get(place).copied().map(u16::from),
        };
        let transparent = match info.color_type {
            ColorType::Grayscale => value(0).map(|grey| [grey; 3]),
            ColorType::Rgb => {
                value(0).zip(value(1)).zip(value(2)).map(|((red, green), blue)| [red, green, blue])
            }
            _ => None,
        };
        PixelReader {
            kind: info.color_type,
            bits: info.bit_depth as usize,
            palette: info.palette.as_deref().unwrap_or_default().as_chunks::<3>().0.to_vec(),
            palette_alpha: if info.color_type == ColorType::Indexed {
                list.to_vec()
            } else {
                vec![]
            },
            transparent,
        }
    }

    /// Opacity value of an opaque pixel.
    fn opaque(&self) -> u16 {
        if self.bits == 16 && self.kind != ColorType::Indexed { u16::MAX } else { 255 }
    }

    /// The value at index `place` of a row.
    fn value(&self, row: &[u8], place: usize) -> Option<u16> {
        match self.bits {
            16 => row.as_chunks::<2>().0.get(place).map(|two| u16::from_be_bytes(*two)),
            bits => packed_value(row, place, bits).map(u16::from),
        }
    }

    /// The pixel at a column of a row.
    fn pixel(&self, row: &[u8], column: usize) -> Result<Pixel, FormatError> {
        let first = column * self.kind.samples();
        let value = |sample: usize| {
            let short = || FormatError::new("PNG", "its rows are too short");
            self.value(row, first + sample).ok_or_else(short)
        };
        let opaque = self.opaque();
        let grey = value(0)?;
        Ok(match self.kind {
            ColorType::Indexed => {
                let index = usize::from(grey);
                let colour = self.palette.get(index);
                let colour = colour.ok_or_else(|| {
                    FormatError::new("palette", format!("it has no colour {index}"))
                })?;
                let opacity =
                    self.palette_alpha.get(index).map_or(opaque, |alpha| u16::from(*alpha));
                Pixel { colour: colour.map(u16::from), opacity }
            }
            ColorType::Grayscale => self.keyed([grey; 3]),
            ColorType::GrayscaleAlpha => Pixel { colour: [grey; 3], opacity: value(1)? },
            ColorType::Rgb => self.keyed([grey, value(1)?, value(2)?]),
            ColorType::Rgba => Pixel { colour: [grey, value(1)?, value(2)?], opacity: value(3)? },
        })
    }

    /// A pixel in a picture without opacities, where one colour may be transparent.
    fn keyed(&self, colour: [u16; 3]) -> Pixel {
        Pixel { colour, opacity: if self.transparent == Some(colour) { 0 } else { self.opaque() } }
    }
}

/// The order of rows and columns by the orientation in the Exif data.
fn orientation(info: &Info, warnings: &mut Vec<String>) -> Turn {
    // Exif data is a TIFF file without pictures.
    let exif = info.exif_metadata.as_deref().and_then(|exif| TiffFile::open(exif).ok());
    let orientation = exif.and_then(|file| {
        let (directory, _) = TiffDirectory::scan(&file, file.first_directory().ok()?).ok()?;
        directory.number(&file, 274)
    });
    orientation.map_or(Some(Turn::default()), Turn::from_orientation).unwrap_or_else(|| {
        warnings.push("its Exif orientation is unknown and not followed".to_owned());
        Turn::default()
    })
}

/// Warnings of statements about the values that are not applied.
fn ignored_statements(info: &Info, bytes: &[u8]) -> Vec<String> {
    let mut warnings = vec![];
    if let Some(animation) = info.animation_control.filter(|animation| animation.num_frames > 1) {
        warnings.push(format!(
            "it is animated; only the first of {} pictures is read",
            animation.num_frames
        ));
    }
    let significant = info.sbit.as_deref().and_then(|bits| bits.iter().min().copied());
    if let Some(significant) = significant.filter(|bits| *bits < info.bit_depth as u8) {
        warnings.push(format!(
            "{significant} of {} bits of its greys are significant (sBIT); they are read as they are stored",
            info.bit_depth as u8
        ));
    }
    if has_calibration(bytes) {
        warnings
            .push("its calibration (pCAL) is not applied; a step of grey is a metre".to_owned());
    }
    warnings
}

/// True if a chunk of the file calibrates its values. The decoder does not report such chunks.
fn has_calibration(bytes: &[u8]) -> bool {
    // After the signature: length (4), name (4), content, checksum (4).
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some((header, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, name @ ..] = *header;
        if name == *b"pCAL" {
            return true;
        }
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        rest = after.get(length.saturating_add(4)..).unwrap_or_default();
    }
    false
}
