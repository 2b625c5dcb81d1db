//! A check of NBT data that runs before `fastnbt` deserialises the data.
//!
//! `fastnbt` trusts its input in two places. It skips unknown values by recursion as deep as the
//! data says, which can overflow the stack, and it panics on a non-empty list without an element
//! type. One pass detects both; it skips arrays and copies nothing. After the check, the cost of
//! deserialisation is bounded by the length of the data.

use super::nbt_format::{MAX_DEPTH, NbtError, NbtErrorKind, tags};
use crate::bounded_read::short_reason;
use crate::error::FormatError;
use fastnbt::DeOpts;
use serde::Deserialize;

/// Deserialises NBT data after a check of its structure. A list or array that is read may have at
/// most `max_len` elements.
///
/// # Errors
/// The data is not valid NBT, or is not a `T`.
pub(crate) fn deserialize<'a, T: Deserialize<'a>>(
    data: &'a [u8],
    max_len: usize,
) -> Result<T, FormatError> {
    check(data)?;
    let options = DeOpts::new().max_seq_len(max_len);
    fastnbt::from_bytes_with_opts(data, options)
        .map_err(|e| FormatError::new("NBT", short_reason(e)))
}

/// Checks all of `data`, which must begin with a named compound.
fn check(data: &[u8]) -> Result<(), NbtError> {
    let mut checker = StructureChecker { data, offset: 0 };
    checker.root().map_err(|kind| NbtError { offset: checker.offset as u64, kind })
}

/// True if `data` begins with complete NBT data, whatever follows it.
pub(crate) fn is_complete(data: &[u8]) -> bool {
    check(data).is_ok()
}

/// Walks over NBT data without storing it.
struct StructureChecker<'a> {
    data: &'a [u8],
    offset: usize,
}

impl StructureChecker<'_> {
    fn root(&mut self) -> Result<(), NbtErrorKind> {
        match self.byte()? {
            tags::COMPOUND => {}
            tag => return Err(NbtErrorKind::RootTag(tag)),
        }
        self.string()?;
        self.value(tags::COMPOUND, 0)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], NbtErrorKind> {
        let rest = self.data.get(self.offset..);
        let bytes = rest.and_then(|rest| rest.first_chunk()).ok_or(NbtErrorKind::Truncated)?;
        self.offset += N;
        Ok(*bytes)
    }

    fn byte(&mut self) -> Result<u8, NbtErrorKind> {
        self.take().map(|[byte]| byte)
    }

    fn length(&mut self) -> Result<usize, NbtErrorKind> {
        let length = i32::from_be_bytes(self.take()?);
        usize::try_from(length).map_err(|_| NbtErrorKind::NegativeLength(length))
    }

    fn skip(&mut self, bytes: usize) -> Result<(), NbtErrorKind> {
        if bytes > self.data.len() - self.offset {
            return Err(NbtErrorKind::Truncated);
        }
        self.offset += bytes;
        Ok(())
    }

    fn string(&mut self) -> Result<(), NbtErrorKind> {
        let length = u16::from_be_bytes(self.take()?);
        self.skip(usize::from(length))
    }

    fn array(&mut self, element_bytes: usize) -> Result<(), NbtErrorKind> {
        let length = self.length()?;
        self.skip(length.checked_mul(element_bytes).ok_or(NbtErrorKind::Truncated)?)
    }

    /// Skips one value. [`MAX_DEPTH`] bounds the recursion.
    fn value(&mut self, tag: u8, depth: usize) -> Result<(), NbtErrorKind> {
        if depth > MAX_DEPTH {
            return Err(NbtErrorKind::TooDeep);
        }
        match tag {
            tags::BYTE => self.skip(1),
            tags::SHORT => self.skip(2),
            tags::INT | tags::FLOAT => self.skip(4),
            tags::LONG | tags::DOUBLE => self.skip(8),
            tags::BYTE_ARRAY => self.array(1),
            tags::STRING => self.string(),
            tags::LIST => {
                let tag = self.byte()?;
                // Some writers use -1 for an empty list. That is harmless where the list is
                // skipped; where the list is read, `fastnbt` reports it.
                let length = i32::from_be_bytes(self.take()?);
                if tag == tags::END && length > 0 {
                    return Err(NbtErrorKind::UntypedList(length));
                }
                for _ in 0..length {
                    self.value(tag, depth + 1)?;
                }
                Ok(())
            }
            tags::COMPOUND => loop {
                match self.byte()? {
                    tags::END => return Ok(()),
                    tag => {
                        self.string()?;
                        self.value(tag, depth + 1)?;
                    }
                }
            },
            tags::INT_ARRAY => self.array(4),
            tags::LONG_ARRAY => self.array(8),
            _ => Err(NbtErrorKind::UnknownTag(tag)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compound with one entry `a`.
    fn compound_with(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[10, 0, 0, tag, 0, 1, b'a'][..], content, &[0]].concat()
    }

    #[test]
    fn check_accepts_fastnbt_output_and_finds_every_truncation() {
        let value = fastnbt::nbt!({
            "b": 1i8, "s": 2i16, "i": 3, "l": 4i64, "f": 1.5f32, "d": 2.5, "text": "abc", "list": [1, 2], "none": [],
            "deep": [[{"x": 1}], [{}]], "bytes": [B; 1, 2], "ints": [I; 1], "longs": [L; 1, 2, 3],
        });
        let data = fastnbt::to_bytes(&value).unwrap();
        assert_eq!(check(&data), Ok(()));
        for length in 0..data.len() {
            let error = check(&data[..length]).unwrap_err();
            assert!(error.offset <= length as u64, "{length}: {error}");
            assert_eq!(error.kind, NbtErrorKind::Truncated, "{length}");
        }
    }

    #[test]
    fn check_refuses_malformed_structure() {
        let list = |tag: u8, length: i32| [&[tag][..], &length.to_be_bytes()].concat();
        let kind = |data: &[u8]| check(data).unwrap_err().kind;
        assert_eq!(check(&compound_with(9, &list(0, 0))), Ok(()));
        assert_eq!(check(&compound_with(9, &list(3, -1))), Ok(()));
        assert_eq!(kind(&compound_with(9, &list(0, 1))), NbtErrorKind::UntypedList(1));
        let unknown = NbtError { offset: 7, kind: NbtErrorKind::UnknownTag(13) };
        assert_eq!(check(&compound_with(13, &[])), Err(unknown));
        assert_eq!(kind(&compound_with(9, &list(10, i32::MAX))), NbtErrorKind::Truncated);
        assert_eq!(kind(&compound_with(12, &i32::MAX.to_be_bytes())), NbtErrorKind::Truncated);
        assert_eq!(
            kind(&compound_with(7, &(-2i32).to_be_bytes())),
            NbtErrorKind::NegativeLength(-2)
        );
        assert_eq!(kind(&[1, 0, 0]), NbtErrorKind::RootTag(1));
        let nested =
            |depth: usize| compound_with(9, &[list(9, 1).repeat(depth), list(0, 0)].concat());
        assert_eq!(check(&nested(MAX_DEPTH - 1)), Ok(()));
        assert_eq!(kind(&nested(1_000_000)), NbtErrorKind::TooDeep);
    }

    #[test]
    fn error_text_names_offset_and_reason() {
        let error = check(&compound_with(13, &[])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "byte 7 of its unpacked data: a value has the unknown tag 13"
        );
        assert_eq!(
            NbtErrorKind::TooDeep.to_string(),
            "lists and compounds are nested more than 512 deep"
        );
    }
}
