//! Gzip and zlib data that may lack its end, or be followed by other bytes.
//!
//! Some programs flush their data without closing it, and some files have bytes after the packed
//! data. The decoders of libraries report both like damage in the middle. This reader delivers all
//! content first and reports a fault of the end only by the read after the content, so that the
//! reader of the content can decide whether the content is complete.

use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, ErrorKind, Read};
use stonerun_engine::metrics::counted;

/// Format that surrounds the deflated data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Container {
    /// Ends with a CRC-32 and the length. Several members may follow each other.
    Gzip,
    /// Ends with an Adler-32 checksum.
    Zlib,
}

/// Reason why no further byte can be unpacked.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PackedStreamError {
    #[error("it does not begin like {}", if *.0 == Container::Gzip { "gzip data" } else { "zlib data" })]
    Header(Container),
    #[error("the packed data is damaged")]
    Damaged,
    #[error("the checksum of the packed data is wrong")]
    Checksum,
    /// The final block or the checksum is missing.
    #[error("the packed data has no end")]
    NotClosed,
    #[error("the packed data is followed by {}", counted(*.0, "byte"))]
    BytesAfter(u64),
    /// The content ends before the packed data does.
    #[error("there is more packed data than nodes")]
    MoreThanNodes,
}

impl PackedStreamError {
    /// The reason in an error of a [`PackedStream`]; `None` for other errors.
    pub(super) fn from_io(error: &io::Error) -> Option<PackedStreamError> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// True for faults that allow for complete content before them.
    pub(super) fn spares_content(self) -> bool {
        !matches!(self, PackedStreamError::Checksum | PackedStreamError::Header(_))
    }
}

impl From<PackedStreamError> for io::Error {
    fn from(error: PackedStreamError) -> io::Error {
        let kind = match error {
            PackedStreamError::NotClosed => ErrorKind::UnexpectedEof,
            PackedStreamError::BytesAfter(_) | PackedStreamError::MoreThanNodes => ErrorKind::Other,
            PackedStreamError::Header(_)
            | PackedStreamError::Damaged
            | PackedStreamError::Checksum => ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}

/// The packed data and the position in it.
pub(super) struct PackedStream<'a> {
    container: Container,
    /// Bytes that are not yet unpacked.
    rest: &'a [u8],
    /// Decoder of the current member; `None` before its header.
    inflate: Option<Decompress>,
    sum: Checksum,
    /// True after the first member that ended with a correct checksum.
    has_ended: bool,
}

impl<'a> PackedStream<'a> {
    pub(super) fn new(container: Container, packed: &'a [u8]) -> PackedStream<'a> {
        PackedStream {
            container,
            rest: packed,
            inflate: None,
            sum: Checksum::new(container),
            has_ended: false,
        }
    }

    /// Skips the header of the next member; returns false at the end of all data.
    fn begin(&mut self) -> Result<bool, PackedStreamError> {
        let header = match self.container {
            Container::Gzip => gzip_header(self.rest),
            Container::Zlib => zlib_header(self.rest),
        };
        let next = self.container == Container::Gzip && header != ContainerHeader::Other;
        match header {
            _ if self.has_ended && self.rest.is_empty() => return Ok(false),
            _ if self.has_ended && !next => {
                return Err(PackedStreamError::BytesAfter(self.rest.len() as u64));
            }
            ContainerHeader::Bytes(length) => self.rest = &self.rest[length..],
            ContainerHeader::Cut => return Err(PackedStreamError::NotClosed),
            ContainerHeader::Other => return Err(PackedStreamError::Header(self.container)),
        }
        self.inflate = Some(Decompress::new(false));
        self.sum = Checksum::new(self.container);
        Ok(true)
    }

    /// Compares the checksum after the last block.
    fn end(&mut self) -> Result<(), PackedStreamError> {
        let (expected, length) = match self.sum {
            Checksum::Crc(ref sum) => {
                let trailer = [sum.sum().to_le_bytes(), sum.amount().to_le_bytes()];
                (trailer.as_flattened().to_vec(), 8)
            }
            Checksum::Adler(sum) => (sum.value().to_be_bytes().to_vec(), 4),
        };
        let (stored, rest) =
            self.rest.split_at_checked(length).ok_or(PackedStreamError::NotClosed)?;
        if stored != expected {
            return Err(PackedStreamError::Checksum);
        }
        self.rest = rest;
        self.inflate = None;
        self.has_ended = true;
        Ok(())
    }
}

impl Read for PackedStream<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if self.inflate.is_none() && !self.begin()? {
                return Ok(0);
            }
            let Some(inflate) = &mut self.inflate else { continue };
            let consumed = inflate.total_in();
            let made = inflate.total_out();
            let status = inflate.decompress(self.rest, out, FlushDecompress::None);
            let consumed = (inflate.total_in() - consumed) as usize;
            let made = (inflate.total_out() - made) as usize;
            self.rest = &self.rest[consumed..];
            self.sum.update(&out[..made]);
            match status {
                // The next call unpacks nothing and checks the end.
                _ if made > 0 => return Ok(made),
                Ok(Status::StreamEnd) => self.end()?,
                Ok(_) if consumed > 0 => {}
                Ok(_) => return Err(PackedStreamError::NotClosed.into()),
                Err(_) => return Err(PackedStreamError::Damaged.into()),
            }
        }
    }
}

/// Header at the beginning of packed data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ContainerHeader {
    /// Complete header of this length.
    Bytes(usize),
    /// The data ends inside the header.
    Cut,
    /// The data does not begin with the header of the container.
    Other,
}

/// The header of a gzip member (RFC 1952).
fn gzip_header(data: &[u8]) -> ContainerHeader {
    const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
    // Flags of the header.
    const HEADER_SUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    if !data.starts_with(&MAGIC[..data.len().min(3)]) {
        return ContainerHeader::Other;
    }
    let Some(&flags) = data.get(3) else { return ContainerHeader::Cut };
    let mut at = 10;
    if flags & EXTRA != 0 {
        let Some(length) = data.get(at..at + 2) else { return ContainerHeader::Cut };
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let text = data.get(at..).and_then(|text| text.iter().position(|byte| *byte == 0));
            let Some(end) = text else { return ContainerHeader::Cut };
            at += end + 1;
        }
    }
    at += if flags & HEADER_SUM != 0 { 2 } else { 0 };
    if at <= data.len() { ContainerHeader::Bytes(at) } else { ContainerHeader::Cut }
}

/// The header of zlib data (RFC 1950), without a preset dictionary.
fn zlib_header(data: &[u8]) -> ContainerHeader {
    match *data {
        [] | [_] => ContainerHeader::Cut,
        [method, flags, ..] => {
            let is_sound = u16::from_be_bytes([method, flags]) % 31 == 0
                && method & 15 == 8
                && flags & 32 == 0;
            if is_sound { ContainerHeader::Bytes(2) } else { ContainerHeader::Other }
        }
    }
}

/// Checksum of the unpacked bytes.
enum Checksum {
    Crc(flate2::Crc),
    Adler(Adler),
}

impl Checksum {
    fn new(container: Container) -> Checksum {
        match container {
            Container::Gzip => Checksum::Crc(flate2::Crc::new()),
            Container::Zlib => Checksum::Adler(Adler { low: 1, high: 0 }),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Checksum::Crc(sum) => sum.update(bytes),
            Checksum::Adler(sum) => sum.update(bytes),
        }
    }
}

/// Adler-32 (RFC 1950): two sums modulo a prime.
#[derive(Clone, Copy)]
struct Adler {
    low: u32,
    high: u32,
}

impl Adler {
    const PRIME: u32 = 65521;
    /// Maximum number of bytes that keep both sums below 2^32.
    const BLOCK: usize = 5552;

    fn update(&mut self, bytes: &[u8]) {
        for block in bytes.chunks(Adler::BLOCK) {
            for byte in block {
                self.low += u32::from(*byte);
                self.high += self.low;
            }
            self.low %= Adler::PRIME;
            self.high %= Adler::PRIME;
        }
    }

    fn value(self) -> u32 {
        self.high << 16 | self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use std::io::Write;

    /// Bytes of all values, longer than a block of the checksum.
    fn content() -> Vec<u8> {
        (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    fn packed(container: Container) -> Vec<u8> {
        let level = Compression::fast();
        match container {
            Container::Gzip => {
                let mut packer = GzEncoder::new(vec![], level);
                packer.write_all(&content()).unwrap();
                packer.finish().unwrap()
            }
            Container::Zlib => {
                let mut packer = ZlibEncoder::new(vec![], level);
                packer.write_all(&content()).unwrap();
                packer.finish().unwrap()
            }
        }
    }

    /// Unpacks all of the content, and returns the fault after it.
    fn unpack(container: Container, packed: &[u8]) -> (Vec<u8>, Option<PackedStreamError>) {
        let mut out = vec![];
        let read = PackedStream::new(container, packed).read_to_end(&mut out);
        (out, read.err().map(|error| PackedStreamError::from_io(&error).expect("it has a reason")))
    }

    #[test]
    fn content_comes_before_a_fault_of_the_end() {
        for (container, trailer) in [(Container::Gzip, 8), (Container::Zlib, 4)] {
            let sound = packed(container);
            let with = |behind: &[u8]| [&sound, behind].concat();
            assert_eq!(unpack(container, &sound), (content(), None));
            assert_eq!(
                unpack(container, &with(&[0; 6])),
                (content(), Some(PackedStreamError::BytesAfter(6)))
            );
            assert_eq!(
                unpack(container, &with(b"\xe3\xca\0")),
                (content(), Some(PackedStreamError::BytesAfter(3)))
            );
            for missing in 1..=trailer {
                let cut = &sound[..sound.len() - missing];
                assert_eq!(
                    unpack(container, cut),
                    (content(), Some(PackedStreamError::NotClosed)),
                    "{missing}"
                );
            }
            let mut wrong = sound.clone();
            wrong[sound.len() - trailer] ^= 1;
            assert_eq!(unpack(container, &wrong), (content(), Some(PackedStreamError::Checksum)));
            // The data is cut in the middle: more than its end is missing.
            let (part, fault) = unpack(container, &sound[..sound.len() / 2]);
            assert!(content().starts_with(&part) && part.len() < 40_000, "{}", part.len());
            assert_eq!(fault, Some(PackedStreamError::NotClosed));
        }
    }

    #[test]
    fn flushed_data_gives_all_content() {
        let mut packer = ZlibEncoder::new(vec![], Compression::fast());
        packer.write_all(&content()).unwrap();
        packer.flush().unwrap();
        let flushed = packer.get_ref().clone();
        assert_eq!(
            unpack(Container::Zlib, &flushed),
            (content(), Some(PackedStreamError::NotClosed))
        );
        let (unpacked, fault) = unpack(Container::Zlib, &[&flushed[..], &[0; 9]].concat());
        assert_eq!((unpacked, fault), (content(), Some(PackedStreamError::Damaged)));
    }

    #[test]
    fn gzip_members_follow_each_other() {
        // A header with a name, a comment, an extra field and a checksum.
        let mut named = flate2::GzBuilder::new()
            .filename("a")
            .comment("b")
            .extra([1, 2])
            .write(vec![], Compression::fast());
        named.write_all(b"one ").unwrap();
        let named = named.finish().unwrap();
        let mut both = [named.clone(), packed(Container::Gzip)].concat();
        let expected = [b"one ".to_vec(), content()].concat();
        assert_eq!(unpack(Container::Gzip, &both), (expected.clone(), None));
        both.extend(b"\x1f\x8b\x08 not a member");
        assert_eq!(unpack(Container::Gzip, &both).0, expected);
        for length in 0..16 {
            assert_eq!(
                unpack(Container::Gzip, &named[..length]).1,
                Some(PackedStreamError::NotClosed),
                "{length}"
            );
        }
    }

    #[test]
    fn other_data_is_refused() {
        for container in [Container::Gzip, Container::Zlib] {
            assert_eq!(
                unpack(container, b"something else").1,
                Some(PackedStreamError::Header(container))
            );
        }
        assert_eq!(
            unpack(Container::Zlib, &[0x78, 0x9c, 7, 7]).1,
            Some(PackedStreamError::Damaged)
        );
    }
}
