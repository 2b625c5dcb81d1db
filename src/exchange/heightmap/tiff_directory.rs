//! The first directory of a TIFF file, read before the `tiff` crate decodes anything.
//!
//! The crate computes with the stated sizes before a caller can check them, and its errors do not
//! say what a heightmap should be like. So sizes are checked here, and files that it cannot decode
//! are refused with the reason.
//!
//! ```text
//! TIFF:     "II" or "MM", 42 (2 bytes), offset of the directory (4)
//! BigTIFF:  "II" or "MM", 43 (2 bytes), 8 (2), 0 (2), offset of the directory (8)
//! directory: number of entries (2 or 8), then entries
//! entry:    tag (2), type (2), number of values (4 or 8), the values or their offset (4 or 8)
//! ```

use super::grid::memory_budget;
use crate::exchange::FormatError;

/// Type of a text value (ASCII).
const TEXT: u64 = 2;
/// Types of an 8-bit, a 16-bit and a 64-bit value; the sizes of others take 32 bits.
const BYTE: u64 = 1;
const SHORT: u64 = 3;
const LONG8: u64 = 16;

/// Interpretations of the values (tag 262).
const WHITE_IS_ZERO: u64 = 0;
pub(super) const BLACK_IS_ZERO: u16 = 1;
const PALETTE: u64 = 3;

/// Compressions (tag 259) that are read: none, LZW, deflate by its two numbers, PackBits.
const READ_COMPRESSIONS: [u64; 5] = [1, 5, 8, 32946, 32773];

/// What the first directory says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TiffDirectory {
    little_endian: bool,
    pub(super) width: u64,
    pub(super) depth: u64,
    /// Bits of a value.
    pub(super) bits: u64,
    compression: u64,
    interpretation: u64,
    /// Offset of the interpretation's value.
    interpretation_at: usize,
    /// Values of a cell.
    samples: u64,
    /// True if the first of the further values is transparency.
    has_alpha: bool,
    /// Offset and number of a palette's values.
    palette: Option<(usize, u64)>,
}

/// A little- or big-endian number of at most eight bytes.
fn number(bytes: &[u8], little_endian: bool, at: usize, length: usize) -> Result<u64, FormatError> {
    let cut_off = || FormatError::new(format!("byte {at}"), "the file is cut off");
    let bytes = at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(cut_off)?;
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    Ok(if little_endian { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
}

impl TiffDirectory {
    /// Scans the directory.
    ///
    /// # Errors
    /// The file is truncated, is no TIFF, or lists more values than it can hold.
    pub(super) fn scan(bytes: &[u8]) -> Result<TiffDirectory, FormatError> {
        let (little_endian, is_big) = match bytes.get(..4) {
            Some(b"II*\0") => (true, false),
            Some(b"MM\0*") => (false, false),
            Some(b"II+\0") => (true, true),
            Some(b"MM\0+") => (false, true),
            _ => return Err(FormatError::new("byte 0", "this is not a TIFF file")),
        };
        let number = |at: usize, length: usize| number(bytes, little_endian, at, length);
        // Bytes of an offset, of the number of entries, and of an entry.
        let (offset, count, entry) = if is_big { (8, 8, 20) } else { (4, 2, 12) };
        let start = number(if is_big { 8 } else { 4 }, offset)? as usize;
        let mut directory = TiffDirectory {
            little_endian,
            width: 0,
            depth: 0,
            bits: 1,
            compression: 1,
            interpretation: WHITE_IS_ZERO,
            interpretation_at: 0,
            samples: 1,
            has_alpha: false,
            palette: None,
        };
        // Ends at the end of the file at the latest.
        for index in 0..number(start, count)? {
            let at = start.saturating_add(count).saturating_add(entry * index as usize);
            let (tag, kind, values) = (number(at, 2)?, number(at + 2, 2)?, number(at + 4, offset)?);
            // The decoder takes 32 bytes per value, briefly twice that for some. Text is read in
            // another way, and later.
            if kind != TEXT && values > (memory_budget(bytes.len()) / 64).min(bytes.len() as u64) {
                let reason = format!("tag {tag} has {values} values, and the file {} bytes", bytes.len());
                return Err(FormatError::new(format!("byte {at}"), reason));
            }
            let value_at = at + 4 + offset;
            // In both byte orders a short value occupies the first bytes.
            let length = match kind {
                BYTE => 1,
                SHORT => 2,
                LONG8 => 8,
                _ => 4,
            };
            let value = number(value_at, length);
            match tag {
                256 => directory.width = value?,
                257 => directory.depth = value?,
                258 if values <= offset as u64 / 2 => directory.bits = value?,
                259 => directory.compression = value?,
                262 => (directory.interpretation, directory.interpretation_at) = (value?, value_at),
                277 => directory.samples = value?,
                320 => directory.palette = Some((number(value_at, offset)? as usize, values)),
                338 => directory.has_alpha = matches!(value?, 1 | 2),
                _ => {}
            }
        }
        Ok(directory)
    }

    /// Refuses files whose cells are not one value that the decoder can read.
    ///
    /// # Errors
    /// The reason.
    pub(super) fn check_values(&self) -> Result<(), FormatError> {
        let refuse = |reason: String| Err(FormatError::new("TIFF", reason));
        let is_grey = self.interpretation <= u64::from(BLACK_IS_ZERO);
        match (self.interpretation, self.samples) {
            (2, _) => return refuse("it has colours; heights are read from grey values".to_owned()),
            (_, 2) if is_grey && self.has_alpha => {
                return refuse("it is grey with alpha; heights have one value per cell".to_owned());
            }
            (_, 1) => {}
            (_, samples) => return refuse(format!("it has {samples} values per cell; heights have one")),
        }
        if !is_grey && !self.has_palette() {
            return refuse(format!(
                "its values are no grey or palette, but colours or masks of kind {}",
                self.interpretation
            ));
        }
        if !READ_COMPRESSIONS.contains(&self.compression) {
            let name = match self.compression {
                2..=4 => "fax",
                6 | 7 => "JPEG",
                34887 => "LERC",
                34892 | 52546 => "JPEG XL",
                34925 => "LZMA",
                34926 | 50000 => "ZSTD",
                50001 => "WebP",
                _ => "an unknown method",
            };
            let read = "LZW, deflate, PackBits and uncompressed files are read";
            return refuse(format!("it is compressed with {name} ({}); {read}", self.compression));
        }
        if !matches!(self.bits, 1..=8 | 16 | 32 | 64) {
            return refuse(format!("its values have {} bits; 1 to 8, 16, 32 and 64 are read", self.bits));
        }
        Ok(())
    }

    /// True if values are indices into a palette.
    pub(super) fn has_palette(&self) -> bool {
        self.interpretation == PALETTE
    }

    /// The height of each index of the palette: its grey, 0 to 255.
    ///
    /// # Errors
    /// The palette is missing, or has colours.
    pub(super) fn grey_palette(&self, bytes: &[u8]) -> Result<Vec<f32>, FormatError> {
        let refuse = |reason: &str| FormatError::new("palette", reason);
        let entries = 1usize << self.bits.min(8);
        let (start, values) = self.palette.ok_or_else(|| refuse("it is missing"))?;
        if self.bits > 8 || values != 3 * entries as u64 {
            return Err(refuse("it does not have three values for each possible index"));
        }
        // All reds, then all greens, then all blues, 16 bits each.
        let value = |index: usize| number(bytes, self.little_endian, start.saturating_add(2 * index), 2);
        (0..entries)
            .map(|entry| {
                let [red, green, blue] = [0, 1, 2].map(|colour| value(colour * entries + entry));
                let (red, green, blue) = (red?, green?, blue?);
                match red == green && green == blue {
                    true => Ok((red >> 8) as f32),
                    false => Err(refuse("it has colours; heights are read from greys")),
                }
            })
            .collect()
    }

    /// The file with its indices declared as grey values, which the decoder reads; it refuses
    /// palettes.
    pub(super) fn as_grey(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let grey = if self.little_endian { BLACK_IS_ZERO.to_le_bytes() } else { BLACK_IS_ZERO.to_be_bytes() };
        // `scan` has read the value there.
        bytes[self.interpretation_at..self.interpretation_at + 2].copy_from_slice(&grey);
        bytes
    }
}
