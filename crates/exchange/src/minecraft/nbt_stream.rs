//! NBT data, read while it is unpacked.
//!
//! `fastnbt` needs its whole input in memory, or allocates as much as an array claims, and arrays
//! are nearly all of a schematic. This reader skips arrays and records their position
//! ([`ArraySpan`]), so that a second pass finds them. It holds one string at a time.

use super::nbt_format::{MAX_DEPTH, NbtErrorKind, tags, unpacked_place};
use crate::error::FormatError;
use crate::packed_stream::PackedStreamError;
use std::fmt::Display;
use std::io::{BufRead, ErrorKind, Read, Result as IoResult};

/// Maximum number of bytes that are unpacked: about two and a half per block of the largest
/// schematic that is read.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;
/// Bytes unpacked at a time.
pub(crate) const BUFFER_BYTES: usize = 1 << 15;

/// Position of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArraySpan {
    /// Offset of the first byte in the unpacked data.
    pub start: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of the bytes.
    pub checksum: u32,
}

/// Receives the tag and name of each entry of a compound, and must read or skip its value.
pub(crate) type EntryVisitor<'e, 'a> =
    dyn FnMut(&mut NbtStream<'a>, u8, &str) -> Result<(), FormatError> + 'e;

/// Receives the tag of each element of a list, and must read or skip its value.
pub(crate) type ElementVisitor<'e, 'a> =
    dyn FnMut(&mut NbtStream<'a>, u8) -> Result<(), FormatError> + 'e;

/// A reader of unpacked NBT data.
pub(crate) struct NbtStream<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Offset of the next byte to read in the unpacked data.
    offset: u64,
    /// Number of lists and compounds around the current value.
    depth: usize,
    byte_order: ByteOrder,
}

/// Order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ByteOrder {
    /// Java Edition.
    Big,
    /// Bedrock Edition.
    Little,
}

impl<'a> NbtStream<'a> {
    pub(crate) fn new(source: Box<dyn BufRead + 'a>) -> NbtStream<'a> {
        NbtStream::with_byte_order(source, ByteOrder::Big)
    }

    pub(crate) fn with_byte_order(
        source: Box<dyn BufRead + 'a>,
        byte_order: ByteOrder,
    ) -> NbtStream<'a> {
        NbtStream { source, offset: 0, depth: 0, byte_order }
    }

    /// Offset of the next byte to read in the unpacked data.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns an error with the current offset as its place.
    pub(crate) fn error(&self, reason: impl Display) -> FormatError {
        FormatError::new(unpacked_place(self.offset), reason.to_string())
    }

    /// Reads all of the data, and passes each entry of the root compound to `visit`. Returns the
    /// fault after the compound, if any, because the content is complete without the rest.
    ///
    /// # Errors
    /// The data is malformed or too large, its checksum is wrong, or `visit` fails.
    pub(crate) fn root(
        mut self,
        visit: &mut EntryVisitor<'_, 'a>,
    ) -> Result<Option<String>, FormatError> {
        match self.byte()? {
            tags::COMPOUND => {}
            tag => return Err(self.error(NbtErrorKind::RootTag(tag))),
        }
        self.string_content()?;
        self.compound(tags::COMPOUND, visit)?;
        self.find_end_fault()
    }

    /// Skips to an array, and returns the source at its first byte.
    ///
    /// # Errors
    /// The data cannot be unpacked.
    pub(crate) fn into_array(
        mut self,
        span: ArraySpan,
    ) -> Result<Box<dyn BufRead + 'a>, FormatError> {
        self.skip_bytes(span.start, None)?;
        Ok(self.source)
    }

    /// Skips to an array that lies ahead, and returns the source at its first byte. The caller must
    /// read the array to its end.
    ///
    /// # Errors
    /// The data cannot be unpacked.
    pub(crate) fn borrow_array(
        &mut self,
        span: ArraySpan,
    ) -> Result<Box<dyn BufRead + '_>, FormatError> {
        self.skip_bytes(span.start - self.offset, None)?;
        self.offset += span.bytes;
        Ok(Box::new(&mut *self.source))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        let read = self.source.read_exact(&mut bytes);
        self.advance(read, N as u64)?;
        Ok(bytes)
    }

    /// The bytes of a number in big-endian order, whatever the order in the file.
    fn number<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = self.take()?;
        if self.byte_order == ByteOrder::Little {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// Adds `bytes` to the offset, or reports the error of the read.
    fn advance(&mut self, read: IoResult<()>, bytes: u64) -> Result<(), FormatError> {
        self.offset += bytes;
        match read {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(self.error(NbtErrorKind::Truncated))
            }
            Err(error) => Err(FormatError::new("gzip", error.to_string())),
            Ok(()) if self.offset > MAX_UNPACKED_BYTES => Err(FormatError::new(
                "size",
                format!("it unpacks to more than {MAX_UNPACKED_BYTES} bytes"),
            )),
            Ok(()) => Ok(()),
        }
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        self.take().map(|[byte]| byte)
    }

    fn length(&mut self) -> Result<u64, FormatError> {
        let length = i32::from_be_bytes(self.number()?);
        u64::try_from(length).map_err(|_| self.error(NbtErrorKind::NegativeLength(length)))
    }

    /// Skips bytes and adds them to a checksum.
    fn skip_bytes(
        &mut self,
        bytes: u64,
        mut checksum: Option<&mut crc32fast::Hasher>,
    ) -> Result<(), FormatError> {
        let mut left = bytes;
        while left > 0 {
            let part = match self.source.fill_buf() {
                Ok([]) => return self.advance(Err(ErrorKind::UnexpectedEof.into()), 0),
                Ok(part) => part,
                Err(error) => return self.advance(Err(error), 0),
            };
            let part = &part[..part.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            if let Some(checksum) = &mut checksum {
                checksum.update(part);
            }
            let skipped = part.len();
            self.source.consume(skipped);
            left -= skipped as u64;
            self.advance(Ok(()), skipped as u64)?;
        }
        Ok(())
    }

    /// Reads to the end of the data after the root compound, which makes gzip check its checksum.
    /// Returns the fault, if any.
    fn find_end_fault(&mut self) -> Result<Option<String>, FormatError> {
        let end = self.offset;
        loop {
            match self.source.fill_buf() {
                Ok([]) if self.offset == end => return Ok(None),
                Ok([]) => {
                    return Ok(Some(format!("{} bytes follow its NBT data", self.offset - end)));
                }
                Ok(part) => {
                    let skipped = part.len();
                    self.source.consume(skipped);
                    self.advance(Ok(()), skipped as u64)?;
                }
                Err(error) => match PackedStreamError::from_io(&error)
                    .filter(|fault| fault.spares_content())
                {
                    Some(fault) => return Ok(Some(fault.to_string())),
                    None => return self.advance(Err(error), 0).map(|()| None),
                },
            }
        }
    }

    /// A string of at most 64 KiB. Invalid UTF-8 is replaced.
    fn string_content(&mut self) -> Result<String, FormatError> {
        let mut bytes = vec![0; usize::from(u16::from_be_bytes(self.number()?))];
        let read = self.source.read_exact(&mut bytes);
        self.advance(read, bytes.len() as u64)?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    fn expect(&self, tag: u8, expected_tag: u8, expected: &'static str) -> Result<(), FormatError> {
        if tag == expected_tag {
            Ok(())
        } else {
            Err(self.error(NbtErrorKind::UnexpectedTag { tag, expected }))
        }
    }

    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, FormatError>,
    ) -> Result<T, FormatError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(NbtErrorKind::TooDeep));
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Reads a compound and passes each of its entries to `visit`.
    ///
    /// # Errors
    /// The value is not a compound or is malformed, or `visit` fails.
    pub(crate) fn compound(
        &mut self,
        tag: u8,
        visit: &mut EntryVisitor<'_, 'a>,
    ) -> Result<(), FormatError> {
        self.expect(tag, tags::COMPOUND, "a compound")?;
        self.nested(|stream| {
            loop {
                match stream.byte()? {
                    tags::END => return Ok(()),
                    tag => {
                        let name = stream.string_content()?;
                        visit(stream, tag, &name)?;
                    }
                }
            }
        })
    }

    /// Reads a list and passes each of its elements to `visit`.
    ///
    /// # Errors
    /// The value is not a list or is malformed, or `visit` fails.
    pub(crate) fn list(
        &mut self,
        tag: u8,
        visit: &mut ElementVisitor<'_, 'a>,
    ) -> Result<(), FormatError> {
        self.expect(tag, tags::LIST, "a list")?;
        let tag = self.byte()?;
        // Some writers use -1 for an empty list.
        let length = i32::from_be_bytes(self.number()?);
        if tag == tags::END && length > 0 {
            return Err(self.error(NbtErrorKind::UntypedList(length)));
        }
        self.nested(|stream| {
            for _ in 0..length {
                visit(stream, tag)?;
            }
            Ok(())
        })
    }

    /// Reads a list of integers, or an array of 32-bit integers, and passes each integer to
    /// `visit`.
    ///
    /// # Errors
    /// The value is neither or is malformed, or `visit` fails.
    pub(crate) fn integers(
        &mut self,
        tag: u8,
        visit: &mut dyn FnMut(&NbtStream<'a>, i64) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        if tag != tags::INT_ARRAY {
            return self.list(tag, &mut |stream, tag| {
                let integer = stream.integer(tag)?;
                visit(stream, integer)
            });
        }
        for _ in 0..self.length()? {
            let integer = self.integer(tags::INT)?;
            visit(self, integer)?;
        }
        Ok(())
    }

    /// Reads an integer of 8 to 64 bits.
    ///
    /// # Errors
    /// The value is not an integer, or the data ends.
    pub(crate) fn integer(&mut self, tag: u8) -> Result<i64, FormatError> {
        match tag {
            tags::BYTE => Ok(i64::from(self.byte()? as i8)),
            tags::SHORT => Ok(i64::from(i16::from_be_bytes(self.number()?))),
            tags::INT => Ok(i64::from(i32::from_be_bytes(self.number()?))),
            tags::LONG => Ok(i64::from_be_bytes(self.number()?)),
            _ => Err(self.error(NbtErrorKind::UnexpectedTag { tag, expected: "an integer" })),
        }
    }

    /// Reads a string.
    ///
    /// # Errors
    /// The value is not a string, or the data ends.
    pub(crate) fn string(&mut self, tag: u8) -> Result<String, FormatError> {
        self.expect(tag, tags::STRING, "a string")?;
        self.string_content()
    }

    /// Skips an array of bytes.
    ///
    /// # Errors
    /// The value is not such an array, or the data ends.
    pub(crate) fn byte_array(&mut self, tag: u8) -> Result<ArraySpan, FormatError> {
        self.expect(tag, tags::BYTE_ARRAY, "an array of bytes")?;
        self.array(1)
    }

    /// Reads the first bytes of a byte array; `None` if the array is shorter.
    ///
    /// # Errors
    /// The value is not such an array, or the data ends.
    pub(crate) fn first_bytes<const N: usize>(
        &mut self,
        tag: u8,
    ) -> Result<Option<[u8; N]>, FormatError> {
        self.expect(tag, tags::BYTE_ARRAY, "an array of bytes")?;
        let length = self.length()?;
        let wanted = N as u64;
        let first = if length < wanted { None } else { Some(self.take()?) };
        self.skip_bytes(if first.is_some() { length - wanted } else { length }, None)?;
        Ok(first)
    }

    /// Skips an array of longs.
    ///
    /// # Errors
    /// The value is not such an array, or the data ends.
    pub(crate) fn long_array(&mut self, tag: u8) -> Result<ArraySpan, FormatError> {
        self.expect(tag, tags::LONG_ARRAY, "an array of longs")?;
        self.array(8)
    }

    fn array(&mut self, element_bytes: u64) -> Result<ArraySpan, FormatError> {
        let bytes = self.length()? * element_bytes;
        let start = self.offset;
        let mut checksum = crc32fast::Hasher::new();
        self.skip_bytes(bytes, Some(&mut checksum))?;
        Ok(ArraySpan { start, bytes, checksum: checksum.finalize() })
    }

    /// Skips any value.
    ///
    /// # Errors
    /// The value is malformed, or the data ends.
    pub(crate) fn skip(&mut self, tag: u8) -> Result<(), FormatError> {
        match tag {
            tags::BYTE => self.skip_bytes(1, None),
            tags::SHORT => self.skip_bytes(2, None),
            tags::INT | tags::FLOAT => self.skip_bytes(4, None),
            tags::LONG | tags::DOUBLE => self.skip_bytes(8, None),
            tags::STRING => {
                let length = u16::from_be_bytes(self.number()?);
                self.skip_bytes(u64::from(length), None)
            }
            tags::LIST => self.list(tag, &mut |stream, tag| stream.skip(tag)),
            tags::COMPOUND => self.compound(tag, &mut |stream, tag, _| stream.skip(tag)),
            tags::BYTE_ARRAY => self.skip_array(1),
            tags::INT_ARRAY => self.skip_array(4),
            tags::LONG_ARRAY => self.skip_array(8),
            _ => Err(self.error(NbtErrorKind::UnknownTag(tag))),
        }
    }

    fn skip_array(&mut self, element_bytes: u64) -> Result<(), FormatError> {
        let length = self.length()?;
        self.skip_bytes(length * element_bytes, None)
    }
}
