//! Gzipped NBT data, read while it is unpacked.
//!
//! `fastnbt` wants all of its input unpacked, or allocates what the data says an array needs; arrays are nearly all of a
//! schematic. Here they are passed over, and where one was is kept ([`Span`]), so that a second reading finds it
//! ([`Packed::array`]). What is held is a name at a time.

use crate::codec::varint;
use crate::exchange::FormatError;
use flate2::read::MultiGzDecoder;
use std::io::{BufRead, BufReader, ErrorKind, Read, Result as IoResult};

/// The most that is unpacked, in bytes: two and a half for each block of the largest schematic, and some.
const MOST_UNPACKED: u64 = 1 << 30;
/// Lists and compounds inside each other; Minecraft itself refuses more.
const DEEPEST: usize = 512;
/// Bytes unpacked at a time.
const PART: usize = 1 << 15;

/// Kinds of NBT values.
pub(super) mod tags {
    pub const END: u8 = 0;
    pub const SHORT: u8 = 2;
    pub const INT: u8 = 3;
    pub const BYTES: u8 = 7;
    pub const TEXT: u8 = 8;
    pub const LIST: u8 = 9;
    pub const COMPOUND: u8 = 10;
    pub const LONGS: u8 = 12;
}

/// The bytes of a file; what is not gzip is taken as it is.
pub(super) struct Packed(Vec<u8>);

/// Where an array is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The byte of the unpacked data that it begins at.
    start: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// CRC-32 of them.
    pub checksum: u32,
}

/// What is asked of the entries of a compound: it must read or skip each one's value, whose tag it is given.
pub(super) type Entry<'e, 'a> = dyn FnMut(&mut Stream<'a>, u8, &str) -> Result<(), FormatError> + 'e;

impl Packed {
    pub(super) fn new(bytes: Vec<u8>) -> Packed {
        Packed(bytes)
    }

    fn open(&self) -> Box<dyn BufRead + '_> {
        match self.0.starts_with(&[0x1f, 0x8b]) {
            true => Box::new(BufReader::with_capacity(PART, MultiGzDecoder::new(&self.0[..]))),
            false => Box::new(&self.0[..]),
        }
    }

    /// Reads all of the data, and asks for each entry of the outermost compound.
    ///
    /// # Errors
    /// It is no such data, or more than is unpacked; or what `each` says.
    pub(super) fn walk<'a>(&'a self, each: &mut Entry<'_, 'a>) -> Result<(), FormatError> {
        let mut stream = self.stream();
        match stream.byte()? {
            tags::COMPOUND => {}
            tag => return Err(stream.flaw(format!("it begins with a tag {tag}, not with a compound"))),
        }
        stream.name()?;
        stream.entries(tags::COMPOUND, each)?;
        // Only at its end does gzip say whether all was right.
        stream.rest()
    }

    fn stream(&self) -> Stream<'_> {
        Stream { source: self.open(), at: 0, depth: 0 }
    }

    /// The bytes of an array found before.
    pub(super) fn array(&self, span: Span) -> Result<Array<'_>, FormatError> {
        let mut stream = self.stream();
        stream.pass(span.start, None)?;
        Ok(Array::new(stream.source, span))
    }

    /// To read many arrays.
    pub(super) fn arrays(&self) -> Arrays<'_> {
        Arrays { packed: self, stream: self.stream() }
    }
}

/// Arrays one after the other, each read to its end. In the order in which they lie, all is unpacked but once.
pub(super) struct Arrays<'a> {
    packed: &'a Packed,
    stream: Stream<'a>,
}

impl Arrays<'_> {
    /// The bytes of an array found before.
    pub(super) fn array(&mut self, span: Span) -> Result<Array<'_>, FormatError> {
        if span.start < self.stream.at {
            self.stream = self.packed.stream();
        }
        self.stream.pass(span.start - self.stream.at, None)?;
        self.stream.at += span.bytes;
        Ok(Array::new(Box::new(&mut *self.stream.source), span))
    }
}

/// NBT data as it comes out of gzip.
pub(super) struct Stream<'a> {
    source: Box<dyn BufRead + 'a>,
    at: u64,
    /// How many lists and compounds it is inside of.
    depth: usize,
}

impl<'a> Stream<'a> {
    /// Something wrong at the byte where it is.
    pub(super) fn flaw(&self, reason: impl Into<String>) -> FormatError {
        FormatError::new(format!("byte {} of its unpacked data", self.at), reason)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        let read = self.source.read_exact(&mut bytes);
        self.moved(read, N as u64)?;
        Ok(bytes)
    }

    fn moved(&mut self, read: IoResult<()>, by: u64) -> Result<(), FormatError> {
        self.at += by;
        match read {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(self.flaw("the data is cut off")),
            Err(error) => Err(FormatError::new("gzip", error.to_string())),
            Ok(()) if self.at > MOST_UNPACKED => {
                Err(FormatError::new("size", format!("it unpacks to more than {MOST_UNPACKED} bytes")))
            }
            Ok(()) => Ok(()),
        }
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        self.take().map(|[byte]| byte)
    }

    fn length(&mut self) -> Result<u64, FormatError> {
        let length = i32::from_be_bytes(self.take()?);
        u64::try_from(length).map_err(|_| self.flaw(format!("a length is {length}")))
    }

    /// Passes over bytes, and counts them into a checksum.
    fn pass(&mut self, bytes: u64, mut checksum: Option<&mut crc32fast::Hasher>) -> Result<(), FormatError> {
        let mut left = bytes;
        while left > 0 {
            let part = match self.source.fill_buf() {
                Ok([]) => return self.moved(Err(ErrorKind::UnexpectedEof.into()), 0),
                Ok(part) => part,
                Err(error) => return self.moved(Err(error), 0),
            };
            let part = &part[..part.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            if let Some(checksum) = &mut checksum {
                checksum.update(part);
            }
            let passed = part.len();
            self.source.consume(passed);
            left -= passed as u64;
            self.moved(Ok(()), passed as u64)?;
        }
        Ok(())
    }

    /// Passes over whatever follows.
    fn rest(&mut self) -> Result<(), FormatError> {
        loop {
            match self.source.fill_buf() {
                Ok([]) => return Ok(()),
                Ok(part) => {
                    let passed = part.len();
                    self.source.consume(passed);
                    self.moved(Ok(()), passed as u64)?;
                }
                Err(error) => return self.moved(Err(error), 0),
            }
        }
    }

    /// A text of at most 64 KiB; what is no Unicode in it is replaced.
    fn name(&mut self) -> Result<String, FormatError> {
        let mut bytes = vec![0; usize::from(u16::from_be_bytes(self.take()?))];
        let read = self.source.read_exact(&mut bytes);
        self.moved(read, bytes.len() as u64)?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    fn expect(&self, tag: u8, expected: u8, what: &str) -> Result<(), FormatError> {
        if tag == expected { Ok(()) } else { Err(self.flaw(format!("a value with tag {tag} should be {what}"))) }
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, FormatError>) -> Result<T, FormatError> {
        if self.depth == DEEPEST {
            return Err(self.flaw(format!("more than {DEEPEST} lists and compounds are inside each other")));
        }
        self.depth += 1;
        let done = inside(self)?;
        self.depth -= 1;
        Ok(done)
    }

    /// A compound: asks for each of its entries.
    pub(super) fn entries(&mut self, tag: u8, each: &mut Entry<'_, 'a>) -> Result<(), FormatError> {
        self.expect(tag, tags::COMPOUND, "a compound")?;
        self.deeper(|stream| {
            loop {
                match stream.byte()? {
                    tags::END => return Ok(()),
                    tag => {
                        let name = stream.name()?;
                        each(stream, tag, &name)?;
                    }
                }
            }
        })
    }

    /// A list: asks for each of its values, whose tag it gives.
    pub(super) fn list(
        &mut self,
        tag: u8,
        each: &mut dyn FnMut(&mut Stream<'a>, u8) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.expect(tag, tags::LIST, "a list")?;
        let tag = self.byte()?;
        // Some writers say -1 for none.
        let length = i32::from_be_bytes(self.take()?);
        if tag == tags::END && length > 0 {
            return Err(self.flaw(format!("a list has {length} entries of no kind")));
        }
        self.deeper(|stream| (0..length).try_for_each(|_| each(stream, tag)))
    }

    /// A whole number of 8 to 64 bits.
    pub(super) fn number(&mut self, tag: u8) -> Result<i64, FormatError> {
        match tag {
            1 => Ok(i64::from(self.byte()? as i8)),
            tags::SHORT => Ok(i64::from(i16::from_be_bytes(self.take()?))),
            tags::INT => Ok(i64::from(i32::from_be_bytes(self.take()?))),
            4 => Ok(i64::from_be_bytes(self.take()?)),
            _ => Err(self.flaw(format!("a value with tag {tag} should be a whole number"))),
        }
    }

    /// A text.
    pub(super) fn text(&mut self, tag: u8) -> Result<String, FormatError> {
        self.expect(tag, tags::TEXT, "a text")?;
        self.name()
    }

    /// An array whose entries have this tag's size; it is passed over.
    pub(super) fn array(&mut self, tag: u8, expected: u8) -> Result<Span, FormatError> {
        self.expect(tag, expected, if expected == tags::BYTES { "an array of bytes" } else { "an array of longs" })?;
        let bytes = self.length()? * if expected == tags::BYTES { 1 } else { 8 };
        let (start, mut checksum) = (self.at, crc32fast::Hasher::new());
        self.pass(bytes, Some(&mut checksum))?;
        Ok(Span { start, bytes, checksum: checksum.finalize() })
    }

    /// Passes over any value.
    pub(super) fn skip(&mut self, tag: u8) -> Result<(), FormatError> {
        match tag {
            1 => self.pass(1, None),
            2 => self.pass(2, None),
            3 | 5 => self.pass(4, None),
            4 | 6 => self.pass(8, None),
            tags::TEXT => {
                let length = u16::from_be_bytes(self.take()?);
                self.pass(u64::from(length), None)
            }
            tags::LIST => self.list(tag, &mut |stream, tag| stream.skip(tag)),
            tags::COMPOUND => self.entries(tag, &mut |stream, tag, _| stream.skip(tag)),
            7 | 11 | 12 => {
                let size = [1, 4, 8][if tag == 7 { 0 } else { usize::from(tag) - 10 }];
                let length = self.length()?;
                self.pass(length * size, None)
            }
            _ => Err(self.flaw(format!("a value has the unknown tag {tag}"))),
        }
    }
}

/// The bytes of an array, in order.
pub(super) struct Array<'a> {
    source: std::io::Take<Box<dyn BufRead + 'a>>,
    part: Box<[u8; PART]>,
    at: usize,
    end: usize,
}

impl<'a> Array<'a> {
    fn new(source: Box<dyn BufRead + 'a>, span: Span) -> Array<'a> {
        Array { source: source.take(span.bytes), part: Box::new([0; PART]), at: 0, end: 0 }
    }

    /// True if all has been read.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.end && self.source.limit() == 0
    }

    /// The next byte.
    ///
    /// # Errors
    /// There is none. The reason has no place: who asks knows which block it is.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, String> {
        if self.at == self.end {
            self.at = 0;
            self.end = self.source.read(&mut self.part[..]).map_err(|error| error.to_string())?;
            if self.end == 0 {
                return Err("the array ends before it".to_owned());
            }
        }
        let byte = self.part[self.at];
        self.at += 1;
        Ok(byte)
    }

    /// The next eight bytes.
    pub(super) fn long(&mut self) -> Result<u64, String> {
        (0..8).try_fold(0, |long, _| Ok(long << 8 | u64::from(self.byte()?)))
    }

    /// The next number of 32 bits at most, seven of them a byte, the lowest first.
    #[inline]
    pub(super) fn varint(&mut self) -> Result<u32, String> {
        varint::read::<5, _>(|| self.byte()).map_err(|error| error.to_string())
    }
}
