//! Numbers in a file's bytes, and what is wrong with them.

/// Something wrong inside a file, before the file's name is known.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at}: {reason}")]
pub(super) struct Flaw {
    at: usize,
    reason: String,
}

impl Flaw {
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Flaw {
        Flaw { at, reason: reason.into() }
    }

    fn cut_off(at: usize) -> Flaw {
        Flaw::new(at, "the file is cut off")
    }
}

/// The little-endian number at byte `at`.
pub(super) fn u32_at(file: &[u8], at: usize) -> Result<u32, Flaw> {
    let bytes = file.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(|| Flaw::cut_off(at))?;
    Ok(u32::from_le_bytes(*bytes))
}

/// `length` bytes from byte `at` on.
pub(super) fn slice(file: &[u8], at: usize, length: usize) -> Result<&[u8], Flaw> {
    at.checked_add(length).and_then(|end| file.get(at..end)).ok_or_else(|| Flaw::cut_off(at))
}
