//! Bounds-checked access to a file's bytes, and the error of a malformed file.

/// A malformed place in a file. The caller adds the file's name.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset}: {reason}")]
pub struct MalformedFile {
    /// Offset in the file, in bytes.
    pub offset: usize,
    /// Fault at this offset.
    pub reason: String,
}

impl MalformedFile {
    pub(super) fn new(offset: usize, reason: impl Into<String>) -> MalformedFile {
        MalformedFile { offset, reason: reason.into() }
    }

    fn cut_off(offset: usize) -> MalformedFile {
        MalformedFile::new(offset, "the file is cut off")
    }
}

/// Reads the little-endian number at `offset`.
pub(super) fn u32_at(file: &[u8], offset: usize) -> Result<u32, MalformedFile> {
    let bytes = file
        .get(offset..)
        .and_then(|rest| rest.first_chunk())
        .ok_or_else(|| MalformedFile::cut_off(offset))?;
    Ok(u32::from_le_bytes(*bytes))
}

/// The `length` bytes from `offset` on.
pub(super) fn slice(file: &[u8], offset: usize, length: usize) -> Result<&[u8], MalformedFile> {
    offset
        .checked_add(length)
        .and_then(|end| file.get(offset..end))
        .ok_or_else(|| MalformedFile::cut_off(offset))
}
