//! A directory of a TIFF file: the storage of its picture's values, and their place in the file.
//!
//! The `tiff` crate computes with the stated sizes before a caller can check them, and its errors
//! do not say what a heightmap needs. So sizes are checked here. Files that the crate cannot
//! decode, or would decode to other values than stored, are refused with the reason.

use super::grid::memory_budget;
use super::tiff_file::{TiffChange, TiffEntry, TiffFile};
use crate::FormatError;

// Photometric interpretations of the values (tag 262).
const WHITE_IS_ZERO: u64 = 0;
const BLACK_IS_ZERO: u64 = 1;
const RGB: u64 = 2;
const PALETTE: u64 = 3;
const MASK: u64 = 4;

// Bits of a directory's type (tag 254, NewSubfileType).
const REDUCED_BIT: u64 = 1;
const MASK_BIT: u64 = 4;

// Sample formats of values (tag 339).
const UNSIGNED: u64 = 1;
const SIGNED: u64 = 2;
const FLOATING_POINT: u64 = 3;

/// Compressions (tag 259) that are read: none, LZW, both numbers of deflate, PackBits.
const READ_COMPRESSIONS: [u64; 5] = [NOT_COMPRESSED, 5, 8, 32946, 32773];
/// Number of the compression that stores values as they are.
const NOT_COMPRESSED: u64 = 1;
/// Compressions whose values may be stored as differences (tag 317). With others that tag has no
/// effect.
const PREDICTED_COMPRESSIONS: [u64; 3] = [5, 8, 32946];

/// Contents of a directory.
#[derive(Clone, Debug)]
pub(super) struct TiffDirectory {
    start: usize,
    entries: Vec<TiffEntry>,
    pub(super) width: u64,
    pub(super) depth: u64,
    /// Bits per value.
    pub(super) bits: u64,
    /// Values per cell.
    pub(super) samples: u64,
    interpretation: u64,
    compression: u64,
    format: u64,
    subfile: u64,
    /// Meaning of the value after the greys or colours, if stated: 1 or 2 is transparency.
    extra: Option<u64>,
}

/// State of a strip or tile in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StoredPart {
    /// The file leaves the part out, so its cells have no values.
    Missing,
    /// The part has fewer bytes than its cells need.
    Short,
    Present,
}

impl TiffDirectory {
    /// Scans the directory at `start`. Also returns the offset of the next directory, 0 after the
    /// last.
    ///
    /// # Errors
    /// The file is truncated, or lists more values than it can hold.
    pub(super) fn scan(
        file: &TiffFile,
        start: usize,
    ) -> Result<(TiffDirectory, usize), FormatError> {
        let (entries, next) = file.directory(start)?;
        for entry in &entries {
            // The decoder takes 32 bytes per value, and briefly twice as many for some types. It
            // reads text in another way, and only later.
            let bytes = file.bytes.len();
            if !entry.is_text() && entry.count > (memory_budget(bytes) / 64).min(bytes as u64) {
                let reason = format!(
                    "tag {} has {} values, and the file {bytes} bytes",
                    entry.tag, entry.count
                );
                return Err(FormatError::new(format!("byte {}", entry.at), reason));
            }
        }
        let mut directory = TiffDirectory {
            start,
            entries,
            width: 0,
            depth: 0,
            bits: 1,
            samples: 1,
            interpretation: WHITE_IS_ZERO,
            compression: NOT_COMPRESSED,
            format: UNSIGNED,
            subfile: 0,
            extra: None,
        };
        let number = |tag: u64| directory.find(tag).map(|entry| entry.number(file, 0)).transpose();
        let width = number(256)?.unwrap_or(0);
        let depth = number(257)?.unwrap_or(0);
        let bits = number(258)?.unwrap_or(1);
        let samples = number(277)?.unwrap_or(1);
        let interpretation = number(262)?.unwrap_or(WHITE_IS_ZERO);
        let compression = number(259)?.unwrap_or(NOT_COMPRESSED);
        let format = number(339)?.unwrap_or(UNSIGNED);
        // In the older tag 255 the value 2 marks a reduced picture.
        let old_subfile = if number(255)? == Some(2) { REDUCED_BIT } else { 0 };
        let subfile = number(254)?.unwrap_or(old_subfile);
        let extra = number(338)?;
        directory = TiffDirectory {
            width,
            depth,
            bits,
            samples,
            interpretation,
            compression,
            format,
            subfile,
            extra,
            ..directory
        };
        Ok((directory, next))
    }

    /// The entry of a tag. If a tag occurs several times, the last entry counts, as in the decoder.
    pub(super) fn find(&self, tag: u64) -> Option<&TiffEntry> {
        self.entries.iter().rev().find(|entry| entry.tag == tag)
    }

    /// The first number of a tag, if the tag exists.
    pub(super) fn number(&self, file: &TiffFile, tag: u64) -> Option<u64> {
        self.find(tag).and_then(|entry| entry.number(file, 0).ok())
    }

    /// True for a smaller version of another picture.
    pub(super) fn is_reduced(&self) -> bool {
        self.subfile & REDUCED_BIT != 0
    }

    /// True for a mask, which marks the cells of another picture that have a value.
    pub(super) fn is_mask(&self) -> bool {
        self.subfile & MASK_BIT != 0 || self.interpretation == MASK
    }

    /// True if values are indices into a palette.
    pub(super) fn has_palette(&self) -> bool {
        self.interpretation == PALETTE
    }

    /// True if a cell consists of red, green and blue.
    pub(super) fn has_colours(&self) -> bool {
        self.interpretation == RGB
    }

    /// True if the last value of a cell is its opacity.
    pub(super) fn has_alpha(&self) -> bool {
        matches!((self.has_colours(), self.samples), (true, 4) | (false, 2))
    }

    /// True if values can be negative.
    pub(super) fn is_signed(&self) -> bool {
        self.format != UNSIGNED
    }

    /// True if 0 is white.
    pub(super) fn is_white_zero(&self) -> bool {
        self.interpretation == WHITE_IS_ZERO
    }

    /// Checks that each cell has one value, or one colour, that the decoder can read.
    ///
    /// # Errors
    /// The cells hold something else, or are stored in a way that is not read.
    pub(super) fn check_values(&self, file: &TiffFile) -> Result<(), FormatError> {
        match self.refusal(file) {
            Some(reason) => Err(FormatError::new("TIFF", reason)),
            None => Ok(()),
        }
    }

    fn refusal(&self, file: &TiffFile) -> Option<String> {
        let is_alpha = matches!(self.extra, Some(1 | 2));
        match (self.interpretation, self.samples) {
            (RGB, 3) => {}
            // Programs that do not know tag 338 store transparency without it.
            (RGB, 4) if is_alpha || self.extra.is_none() => {}
            (RGB, samples) => {
                return Some(format!(
                    "it has colours of {samples} values; red, green, blue and transparency are read"
                ));
            }
            (WHITE_IS_ZERO | BLACK_IS_ZERO, 2) if is_alpha => {}
            (_, 1) => {}
            (_, samples) => {
                return Some(format!("it has {samples} values per cell; heights have one"));
            }
        }
        if !matches!(self.interpretation, WHITE_IS_ZERO | BLACK_IS_ZERO | RGB | PALETTE) {
            return Some(format!(
                "its values are no grey or palette, but colours or masks of kind {}",
                self.interpretation
            ));
        }
        self.storage_refusal(file)
    }

    /// Reason to refuse the way in which values are stored, whatever they mean.
    fn storage_refusal(&self, file: &TiffFile) -> Option<String> {
        if !READ_COMPRESSIONS.contains(&self.compression) {
            let name = match self.compression {
                2..=4 => "fax",
                6 | 7 => "JPEG",
                34887 => "LERC",
                34892 | 52546 => "JPEG XL",
                34925 => "LZMA",
                50000 => "ZSTD",
                50001 => "WebP",
                _ => "an unknown method",
            };
            return Some(format!(
                "it is compressed with {name} ({}); LZW, deflate, PackBits and uncompressed are read",
                self.compression
            ));
        }
        if !matches!(self.bits, 1..=8 | 16 | 32 | 64) {
            return Some(format!(
                "its values have {} bits; 1 to 8, 16, 32 and 64 are read",
                self.bits
            ));
        }
        if self.number(file, 266).is_some_and(|order| order != 1) {
            return Some("its bits are stored in reverse order (fill order 2)".to_owned());
        }
        if let Some(layers) = self.number(file, 32997).filter(|layers| *layers > 1) {
            return Some(format!("its picture has {layers} layers (tag 32997); heights have one"));
        }
        let kind = match self.format {
            UNSIGNED => return None,
            SIGNED if self.bits >= 8 && self.bits.is_power_of_two() => return None,
            FLOATING_POINT if self.bits >= 16 => return None,
            SIGNED => "signed",
            FLOATING_POINT => "floating-point",
            5 | 6 => "complex",
            _ => "untyped",
        };
        Some(format!(
            "it has {kind} values of {} bits (sample format {}), which are not read",
            self.bits, self.format
        ))
    }

    /// Checks that the decoder can read a mask.
    ///
    /// # Errors
    /// The mask has several values per cell, or is stored in a way that is not read.
    pub(super) fn check_mask(&self, file: &TiffFile) -> Result<(), FormatError> {
        let reason = match self.samples {
            1 => self.storage_refusal(file),
            samples => Some(format!("it has {samples} values per cell; masks have one")),
        };
        reason.map_or(Ok(()), |reason| Err(FormatError::new("mask", reason)))
    }

    /// Changes to the file after which the decoder reads the values as stored. Otherwise it would
    /// refuse palettes and masks, invert values where 0 is white, apply a predictor where the
    /// compression has none, and read the first directory.
    pub(super) fn decoder_changes(&self, file: &TiffFile) -> Result<Vec<TiffChange>, FormatError> {
        let mut changes = vec![];
        if file.first_directory()? != self.start {
            changes.push(file.first_directory_change(self.start));
        }
        let interpretation = self
            .find(262)
            .filter(|_| matches!(self.interpretation, WHITE_IS_ZERO | PALETTE | MASK));
        changes.extend(interpretation.map(|entry| entry.change(BLACK_IS_ZERO)));
        let predictor =
            self.find(317).filter(|_| !PREDICTED_COMPRESSIONS.contains(&self.compression));
        let predictor = predictor.filter(|entry| entry.number(file, 0) != Ok(1));
        changes.extend(predictor.map(|entry| entry.change(1)));
        Ok(changes)
    }

    /// State of the strip or tile at an index. `needed` is the size of its cells in bytes before
    /// compression.
    ///
    /// # Errors
    /// The file has no strips or tiles, or does not list this one.
    pub(super) fn stored_part(
        &self,
        file: &TiffFile,
        index: usize,
        needed: u64,
    ) -> Result<StoredPart, FormatError> {
        let find = |strip: u64, tile: u64| self.find(strip).or_else(|| self.find(tile));
        let (Some(offsets), Some(lengths)) = (find(273, 324), find(279, 325)) else {
            return Err(FormatError::new("TIFF", "it has no strips or tiles"));
        };
        let offset = offsets.number(file, index)?;
        let length = lengths.number(file, index)?;
        // Some programs state a wrong length for a single strip.
        let is_trusted = self.compression != NOT_COMPRESSED || lengths.count > 1;
        Ok(match (offset, length) {
            (0, _) => StoredPart::Missing,
            (_, 0) if is_trusted => StoredPart::Missing,
            (_, length) if self.compression == NOT_COMPRESSED && is_trusted && length < needed => {
                StoredPart::Short
            }
            _ => StoredPart::Present,
        })
    }

    /// The palette's colours, 16 bits each.
    ///
    /// # Errors
    /// The palette is missing or has another size.
    pub(super) fn palette(&self, file: &TiffFile) -> Result<Vec<[u16; 3]>, FormatError> {
        let refuse = |reason: &str| FormatError::new("palette", reason);
        let size = 1usize << self.bits.min(8);
        let entry = self.find(320).ok_or_else(|| refuse("it is missing"))?;
        if self.bits > 8 || entry.count != 3 * size as u64 {
            return Err(refuse("it does not have three values for each possible index"));
        }
        // The palette stores all reds, then all greens, then all blues.
        let colour = |index: usize| -> Result<[u16; 3], FormatError> {
            let part = |part: usize| entry.number(file, part * size + index);
            Ok([part(0)? as u16, part(1)? as u16, part(2)? as u16])
        };
        (0..size).map(colour).collect()
    }
}
