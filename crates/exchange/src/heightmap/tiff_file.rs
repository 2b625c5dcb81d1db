//! Header and directories of a TIFF file, read before the `tiff` crate decodes anything.
//!
//! ```text
//! TIFF:      "II" or "MM", 42 (2 bytes), offset of the first directory (4)
//! BigTIFF:   "II" or "MM", 43 (2 bytes), 8 (2), 0 (2), offset of the first directory (8)
//! directory: number of entries (2 or 8), entries, offset of the next directory or 0 (4 or 8)
//! entry:     tag (2), type (2), number of values (4 or 8), the values or their offset (4 or 8)
//! ```

use crate::FormatError;

/// Maximum number of entries in a directory: the largest number that a TIFF can state. BigTIFF
/// could state more.
const MAX_ENTRIES: u64 = 65_535;

/// Type of a text value (ASCII).
const TEXT: u64 = 2;

/// The bytes of a TIFF file, and the byte order and width of its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct TiffFile<'a> {
    pub(super) bytes: &'a [u8],
    little_endian: bool,
    is_big: bool,
}

/// One entry of a directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct TiffEntry {
    pub(super) tag: u64,
    kind: u64,
    /// Number of values.
    pub(super) count: u64,
    /// Offset of the entry.
    pub(super) at: usize,
    /// Offset of the values.
    data_at: usize,
}

impl<'a> TiffFile<'a> {
    /// Reads the first bytes of the header.
    ///
    /// # Errors
    /// The file is not a TIFF.
    pub(super) fn open(bytes: &'a [u8]) -> Result<TiffFile<'a>, FormatError> {
        let (little_endian, is_big) = match bytes.get(..4) {
            Some(b"II*\0") => (true, false),
            Some(b"MM\0*") => (false, false),
            Some(b"II+\0") => (true, true),
            Some(b"MM\0+") => (false, true),
            _ => return Err(FormatError::new("byte 0", "this is not a TIFF file")),
        };
        Ok(TiffFile { bytes, little_endian, is_big })
    }

    /// Size of an offset, in bytes.
    fn offset_bytes(&self) -> usize {
        if self.is_big { 8 } else { 4 }
    }

    /// Offset of the first directory.
    ///
    /// # Errors
    /// The file is cut off.
    pub(super) fn first_directory(&self) -> Result<usize, FormatError> {
        Ok(self.number(self.offset_bytes(), self.offset_bytes())? as usize)
    }

    /// Reads a number of at most eight bytes.
    fn number(&self, at: usize, length: usize) -> Result<u64, FormatError> {
        let bytes = at.checked_add(length).and_then(|end| self.bytes.get(at..end));
        let bytes =
            bytes.ok_or_else(|| FormatError::new(format!("byte {at}"), "the file is cut off"))?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(if self.little_endian {
            bytes.iter().rev().fold(0, add)
        } else {
            bytes.iter().fold(0, add)
        })
    }

    /// The entries of the directory at `start`, and the offset of the next directory, 0 after the
    /// last.
    ///
    /// # Errors
    /// The file is cut off, or the directory is too long.
    pub(super) fn directory(&self, start: usize) -> Result<(Vec<TiffEntry>, usize), FormatError> {
        let offset = self.offset_bytes();
        let (count_bytes, entry_bytes) = if self.is_big { (8, 20) } else { (2, 12) };
        let count = self.number(start, count_bytes)?;
        if count > MAX_ENTRIES {
            let reason = format!("the directory has {count} tags; at most {MAX_ENTRIES} are read");
            return Err(FormatError::new(format!("byte {start}"), reason));
        }
        let mut entries = vec![];
        let mut at = start.saturating_add(count_bytes);
        // Stops at the end of the file at the latest, whatever the count.
        for _ in 0..count {
            let mut entry = TiffEntry {
                tag: self.number(at, 2)?,
                kind: self.number(at + 2, 2)?,
                count: self.number(at + 4, offset)?,
                at,
                data_at: at + 4 + offset,
            };
            let inline = entry.count.saturating_mul(entry.value_bytes() as u64) <= offset as u64;
            let stored = self.number(entry.data_at, offset)?;
            if !inline {
                entry.data_at = stored as usize;
            }
            entries.push(entry);
            at += entry_bytes;
        }
        Ok((entries, self.number(at, offset)? as usize))
    }

    /// Returns a copy of the file with some numbers replaced.
    pub(super) fn with(&self, changes: &[TiffChange]) -> Result<Vec<u8>, FormatError> {
        let mut bytes = self.bytes.to_vec();
        for change in changes {
            // Fails if the number lies outside the file.
            self.number(change.at, change.length)?;
            for place in 0..change.length {
                let shift = if self.little_endian { place } else { change.length - 1 - place };
                bytes[change.at + place] = (change.value >> (8 * shift)) as u8;
            }
        }
        Ok(bytes)
    }

    /// The change that makes the directory at `start` the first one.
    pub(super) fn first_directory_change(&self, start: usize) -> TiffChange {
        TiffChange { at: self.offset_bytes(), length: self.offset_bytes(), value: start as u64 }
    }
}

/// A number to replace in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct TiffChange {
    at: usize,
    length: usize,
    value: u64,
}

impl TiffEntry {
    /// True if the value is a text.
    pub(super) fn is_text(&self) -> bool {
        self.kind == TEXT
    }

    /// Size of one value, in bytes; 4 for unknown types.
    fn value_bytes(&self) -> usize {
        match self.kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 4,
        }
    }

    /// The integer at an index.
    ///
    /// # Errors
    /// The number lies outside the file.
    pub(super) fn number(&self, file: &TiffFile, index: usize) -> Result<u64, FormatError> {
        let bytes = self.value_bytes();
        file.number(self.data_at.saturating_add(index.saturating_mul(bytes)), bytes)
    }

    /// The floating-point number or integer at an index; `None` outside the values.
    pub(super) fn real(&self, file: &TiffFile, index: usize) -> Option<f64> {
        let bits = (index as u64) < self.count;
        let bits = bits.then(|| self.number(file, index).ok()).flatten()?;
        Some(match self.kind {
            11 => f64::from(f32::from_bits(bits as u32)),
            12 => f64::from_bits(bits),
            _ => bits as f64,
        })
    }

    /// The text up to its first zero byte; `None` if the value is no text or lies outside the file.
    pub(super) fn text<'a>(&self, file: &TiffFile<'a>) -> Option<std::borrow::Cow<'a, str>> {
        let end = self.data_at.checked_add(usize::try_from(self.count).ok()?)?;
        let bytes = file.bytes.get(self.data_at..end).filter(|_| self.is_text())?;
        Some(String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next()?))
    }

    /// The change that replaces the first value.
    pub(super) fn change(&self, value: u64) -> TiffChange {
        TiffChange { at: self.data_at, length: self.value_bytes(), value }
    }
}
