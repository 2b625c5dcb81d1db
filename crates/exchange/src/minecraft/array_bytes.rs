//! The content of an NBT array, read byte by byte while it is unpacked.

use super::nbt_stream::{ArraySpan, BUFFER_BYTES};
use std::convert::Infallible;
use std::io::{self, BufRead, Read};
use stonerun_engine::codec::varint::{self, VarintError};

/// Reason why an array yields no further value. The caller knows the block, and adds it to the
/// error as the place.
#[derive(thiserror::Error, Debug)]
pub(crate) enum ArrayError {
    #[error("the array ends before it")]
    End,
    #[error(transparent)]
    Varint(VarintError<Infallible>),
    #[error(transparent)]
    Read(#[from] io::Error),
}

impl From<VarintError<ArrayError>> for ArrayError {
    fn from(error: VarintError<ArrayError>) -> ArrayError {
        match error {
            VarintError::Source(error) => error,
            VarintError::TooLong { max_bytes } => {
                ArrayError::Varint(VarintError::TooLong { max_bytes })
            }
            VarintError::TooLarge { value } => ArrayError::Varint(VarintError::TooLarge { value }),
        }
    }
}

/// The bytes of an array, in order.
pub(crate) struct ArrayBytes<'a> {
    source: io::Take<Box<dyn BufRead + 'a>>,
    buffer: Box<[u8; BUFFER_BYTES]>,
    /// Index in `buffer` of the next byte to return.
    next: usize,
    /// Number of valid bytes in `buffer`.
    end: usize,
}

impl<'a> ArrayBytes<'a> {
    /// Reads the array `span` from `source`, which must be at the array's first byte.
    pub(crate) fn new(source: Box<dyn BufRead + 'a>, span: ArraySpan) -> ArrayBytes<'a> {
        ArrayBytes {
            source: source.take(span.bytes),
            buffer: Box::new([0; BUFFER_BYTES]),
            next: 0,
            end: 0,
        }
    }

    /// True after the last byte was read.
    pub(crate) fn is_done(&self) -> bool {
        self.next == self.end && self.source.limit() == 0
    }

    /// The next byte.
    ///
    /// # Errors
    /// The array ends, or cannot be unpacked.
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, ArrayError> {
        if self.next == self.end {
            self.next = 0;
            self.end = self.source.read(&mut self.buffer[..])?;
            if self.end == 0 {
                return Err(ArrayError::End);
            }
        }
        let byte = self.buffer[self.next];
        self.next += 1;
        Ok(byte)
    }

    /// The next eight bytes as a big-endian number.
    ///
    /// # Errors
    /// Returns the errors of [`ArrayBytes::byte`].
    pub(crate) fn long(&mut self) -> Result<u64, ArrayError> {
        (0..8).try_fold(0, |long, _| Ok(long << 8 | u64::from(self.byte()?)))
    }

    /// The next varint of at most 32 bits.
    ///
    /// # Errors
    /// Returns the errors of [`ArrayBytes::byte`]. The varint may be too long or too large.
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u32, ArrayError> {
        Ok(varint::read::<5, _>(|| self.byte())?)
    }
}
