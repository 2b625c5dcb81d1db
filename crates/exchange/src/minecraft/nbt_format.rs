//! NBT: tag numbers, the nesting limit and errors.

use crate::error::FormatError;

/// Tag numbers of NBT values.
pub(crate) mod tags {
    pub const END: u8 = 0;
    pub const BYTE: u8 = 1;
    pub const SHORT: u8 = 2;
    pub const INT: u8 = 3;
    pub const LONG: u8 = 4;
    pub const FLOAT: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const BYTE_ARRAY: u8 = 7;
    pub const STRING: u8 = 8;
    pub const LIST: u8 = 9;
    pub const COMPOUND: u8 = 10;
    pub const INT_ARRAY: u8 = 11;
    pub const LONG_ARRAY: u8 = 12;
}

/// Maximum nesting of lists and compounds that is read; Minecraft has the same limit.
pub(crate) const MAX_DEPTH: usize = 512;

/// Malformed NBT data, with place and reason.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("byte {offset} of its unpacked data: {kind}")]
pub(crate) struct NbtError {
    /// Offset in the unpacked data, in bytes.
    pub offset: u64,
    pub kind: NbtErrorKind,
}

/// Reason why data is not NBT, or not the value that the reader expects.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NbtErrorKind {
    /// The root value is not a compound.
    #[error("it begins with a tag {0}, not with a compound")]
    RootTag(u8),
    #[error("the data is cut off")]
    Truncated,
    #[error("the length {0} is negative")]
    NegativeLength(i32),
    #[error("a list of {0} elements has no element type")]
    UntypedList(i32),
    #[error("lists and compounds are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    #[error("a value has the unknown tag {0}")]
    UnknownTag(u8),
    #[error("a value with tag {tag} should be {expected}")]
    UnexpectedTag { tag: u8, expected: &'static str },
}

impl From<NbtError> for FormatError {
    fn from(error: NbtError) -> FormatError {
        FormatError::new(unpacked_place(error.offset), error.kind.to_string())
    }
}

/// The place of a byte of unpacked data, for errors.
pub(crate) fn unpacked_place(offset: u64) -> String {
    format!("byte {offset} of its unpacked data")
}
