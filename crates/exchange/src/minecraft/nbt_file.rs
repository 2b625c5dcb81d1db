//! A file of NBT data, usually compressed with gzip, that is unpacked again for each pass.

use super::array_bytes::ArrayBytes;
use super::nbt_format::{tags, unpacked_place};
use super::nbt_stream::{ArraySpan, BUFFER_BYTES, ByteOrder, EntryVisitor, NbtStream};
use crate::error::FormatError;
use crate::packed_stream::{Container, PackedStream};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The bytes of a file. Bytes that are not gzip are taken as uncompressed data.
pub(crate) struct NbtFile {
    bytes: Vec<u8>,
    byte_order: ByteOrder,
    /// Fault after the NBT data, found by the last complete pass.
    end_fault: RefCell<Option<String>>,
}

impl NbtFile {
    pub(crate) fn new(bytes: Vec<u8>) -> NbtFile {
        NbtFile { bytes, byte_order: ByteOrder::Big, end_fault: RefCell::default() }
    }

    /// The NBT data of a file of the Bedrock Edition, which is little-endian.
    pub(crate) fn little_endian(bytes: Vec<u8>) -> NbtFile {
        NbtFile { bytes, byte_order: ByteOrder::Little, end_fault: RefCell::default() }
    }

    /// The first bytes of the unpacked data; `None` if the data is shorter.
    ///
    /// # Errors
    /// The data cannot be unpacked.
    pub(crate) fn first_bytes<const N: usize>(&self) -> Result<Option<[u8; N]>, FormatError> {
        let mut first = [0; N];
        match self.unpacked().read_exact(&mut first) {
            Ok(()) => Ok(Some(first)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(FormatError::new("gzip", error.to_string())),
        }
    }

    fn unpacked(&self) -> Box<dyn BufRead + '_> {
        if !self.is_packed() {
            return Box::new(&self.bytes[..]);
        }
        let packed = PackedStream::new(Container::Gzip, &self.bytes);
        Box::new(BufReader::with_capacity(BUFFER_BYTES, packed))
    }

    /// Checks that the data begins with a compound. `kind` names the format with its article.
    ///
    /// # Errors
    /// The data begins with another byte. Data that cannot be unpacked passes; the reader reports
    /// it.
    pub(crate) fn check_first_tag(&self, kind: &str) -> Result<(), FormatError> {
        let mut first = [tags::COMPOUND];
        match self.unpacked().read(&mut first) {
            Ok(1) if first[0] != tags::COMPOUND => {
                let place = if self.is_packed() { unpacked_place(0) } else { "byte 0".to_owned() };
                let reason = format!(
                    "this is not {kind}: NBT data begins with {}, not with",
                    tags::COMPOUND
                );
                Err(FormatError::new(place, format!("{reason} {}", first[0])))
            }
            _ => Ok(()),
        }
    }

    fn is_packed(&self) -> bool {
        self.bytes.starts_with(&[0x1f, 0x8b])
    }

    fn stream(&self) -> NbtStream<'_> {
        NbtStream::with_byte_order(self.unpacked(), self.byte_order)
    }

    /// Reads all of the data, and passes each entry of the root compound to `visit`.
    ///
    /// # Errors
    /// The data is malformed or too large, or `visit` fails.
    pub(crate) fn walk<'a>(&'a self, visit: &mut EntryVisitor<'_, 'a>) -> Result<(), FormatError> {
        self.end_fault.replace(self.stream().root(visit)?);
        Ok(())
    }

    /// The warning about a fault after the NBT data, without the file's name.
    pub(crate) fn end_warning(&self) -> Option<String> {
        self.end_fault.borrow().as_ref().map(|fault| format!("{fault}; its content is complete"))
    }

    /// The bytes of an array whose span an earlier pass found.
    ///
    /// # Errors
    /// The data cannot be unpacked.
    pub(crate) fn array(&self, span: ArraySpan) -> Result<ArrayBytes<'_>, FormatError> {
        Ok(ArrayBytes::new(self.stream().into_array(span)?, span))
    }

    /// A reader of several arrays.
    pub(crate) fn arrays(&self) -> ArraySequence<'_> {
        ArraySequence { file: self, stream: self.stream() }
    }
}

/// Reads arrays one after the other, each to its end. Arrays in file order need only one pass of
/// unpacking.
pub(crate) struct ArraySequence<'a> {
    file: &'a NbtFile,
    stream: NbtStream<'a>,
}

impl ArraySequence<'_> {
    /// The bytes of an array whose span an earlier pass found.
    ///
    /// # Errors
    /// The data cannot be unpacked.
    pub(crate) fn array(&mut self, span: ArraySpan) -> Result<ArrayBytes<'_>, FormatError> {
        if span.start < self.stream.offset() {
            self.stream = self.file.stream();
        }
        Ok(ArrayBytes::new(self.stream.borrow_array(span)?, span))
    }
}
