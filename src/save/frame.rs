//! The frame around everything a map stores: a record that says itself what it is, and proves it.
//!
//! SQLite has no checksums, and its tables say which record stands where only as long as their pages are
//! whole. So every record carries its kind, its place and the save it is from, under a checksum. A record
//! can then be told from a damaged or misplaced one, and found in a file whose tables are broken.
//!
//! ```text
//! offset size
//!  0     2    magic "SR"
//!  2     1    kind: 1 header, 2 material, 3 chunk, 4 digest, 5 picture, 6 visibility,
//!             7 a step of the history
//!  3     1    codec of a chunk and of visibility, of other kinds the version of the content
//!  4     4    revision: the number of the save that wrote it, u32 (all numbers little-endian)
//!  8    12    key: x, y, z as i32; the chunk's position, or a material's index in x, or a step's number in x and y; else 0
//! 20     4    plain length: bytes of the content before LZ4, u32
//! 24     4    length of the data that follow the frame, u32
//! 28     4    CRC-32 (IEEE) of bytes 0 to 27 and of the data
//! 32          data
//! ```

use crate::voxel::ChunkPos;

/// Bytes before the data.
pub(super) const FRAME: usize = 32;
/// The first two bytes.
pub(super) const MAGIC: [u8; 2] = *b"SR";

/// What a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Header = 1,
    Material = 2,
    Chunk = 3,
    Digest = 4,
    Picture = 5,
    Visibility = 6,
    History = 7,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        use Kind::{Chunk, Digest, Header, History, Material, Picture, Visibility};
        [Header, Material, Chunk, Digest, Picture, Visibility, History].into_iter().find(|&k| k as u8 == byte)
    }

    /// The most data bytes a record of the kind may have: what a hostile file can make us allocate.
    pub(super) const fn max_data(self) -> usize {
        match self {
            Kind::Header => 1 << 16,
            Kind::Material => 1 << 12,
            Kind::Chunk => crate::codec::byte_rle::MAX_BYTES,
            Kind::Digest => 64,
            Kind::Picture => 4 << 20,
            Kind::Visibility => 64 << 20,
            // It is not compressed, so that it never takes more memory than the file has bytes.
            Kind::History => 1 << 30,
        }
    }
}

/// Why bytes are not a record.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameError {
    #[error("the record is cut short")]
    Short,
    #[error("it does not begin as a record")]
    Magic,
    #[error("its kind {0} is unknown")]
    Kind(u8),
    #[error("its length is wrong")]
    Length,
    #[error("its checksum does not hold")]
    Checksum,
}

/// The frame without the data; nothing in it is proven before [`parse`] has seen the data too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Prefix {
    pub kind: Kind,
    pub codec: u8,
    pub revision: u32,
    pub key: ChunkPos,
    pub plain_len: usize,
    pub data_len: usize,
    crc: u32,
}

/// A whole record whose checksum holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record<'a> {
    pub prefix: Prefix,
    pub data: &'a [u8],
}

impl Prefix {
    /// Reads the first 32 bytes of `bytes`.
    pub(super) fn parse(bytes: &[u8]) -> Result<Prefix, FrameError> {
        let head = bytes.first_chunk::<FRAME>().ok_or(FrameError::Short)?;
        if head[..2] != MAGIC {
            return Err(FrameError::Magic);
        }
        let kind = Kind::from_byte(head[2]).ok_or(FrameError::Kind(head[2]))?;
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (plain_len, data_len) = (word(20) as usize, word(24) as usize);
        if plain_len > kind.max_data() || data_len > plain_len {
            return Err(FrameError::Length);
        }
        let key = ChunkPos::new(word(8) as i32, word(12) as i32, word(16) as i32);
        Ok(Prefix { kind, codec: head[3], revision: word(4), key, plain_len, data_len, crc: word(28) })
    }

    /// Bytes of the whole record.
    pub(super) fn len(&self) -> usize {
        FRAME + self.data_len
    }
}

/// The bytes of a record. `plain_len` is the content's length before compression; `data` is not longer.
pub(super) fn seal(kind: Kind, codec: u8, revision: u32, key: ChunkPos, plain_len: usize, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME + data.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[kind as u8, codec]);
    for word in [revision, key.x as u32, key.y as u32, key.z as u32, plain_len as u32, data.len() as u32] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&out);
    crc.update(data);
    out.extend_from_slice(&crc.finalize().to_le_bytes());
    out.extend_from_slice(data);
    out
}

/// The record that `bytes` are, no more and no less.
pub(super) fn parse(bytes: &[u8]) -> Result<Record<'_>, FrameError> {
    let prefix = Prefix::parse(bytes)?;
    if bytes.len() != prefix.len() {
        return Err(FrameError::Length);
    }
    let data = &bytes[FRAME..];
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..28]);
    crc.update(data);
    if crc.finalize() != prefix.crc {
        return Err(FrameError::Checksum);
    }
    Ok(Record { prefix, data })
}

/// The record of `kind` and `key` that `bytes` are.
pub(super) fn parse_as(bytes: &[u8], kind: Kind, key: ChunkPos) -> Result<Record<'_>, String> {
    let record = parse(bytes).map_err(|e| e.to_string())?;
    let Prefix { kind: k, key: at, .. } = record.prefix;
    if (k, at) != (kind, key) {
        return Err(format!("it is the record of {k:?} {at}, not of {kind:?} {key}"));
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_byte_is_noticed() {
        let pos = ChunkPos::new(-1, 2, i32::MAX);
        let good = seal(Kind::Chunk, 1, 7, pos, 300, b"some data");
        let record = parse_as(&good, Kind::Chunk, pos).unwrap();
        assert_eq!((record.prefix.codec, record.prefix.revision, record.prefix.plain_len), (1, 7, 300));
        assert_eq!(record.data, b"some data");
        assert!(parse_as(&good, Kind::Chunk, ChunkPos::default()).is_err());
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(parse(&bad).is_err(), "byte {at} bit {bit}");
            }
            assert!(parse(&good[..at]).is_err(), "cut at {at}");
        }
    }
}
