//! The frame around every record of a map: kind, key, revision and checksum.
//!
//! SQLite has no checksums, and its tables tell which record belongs where only while their pages
//! are intact. So every record has its kind, key and revision under a checksum: damaged and
//! misplaced records are detected, and sound records are found even if the tables are broken.
//!
//! ```text
//! offset size
//!  0     2    magic "SR"
//!  2     1    kind: 1 header, 2 material, 3 chunk, 4 digest, 5 picture, 6 visibility, 7 history,
//!             8 places, 9 seed word, 10 region, 11 rules, 12 creatures, 13 awake blocks
//!  3     1    codec (chunk, visibility) or version of the content (other kinds)
//!  4     4    revision: number of the save that wrote the record, u32 (numbers are little-endian)
//!  8    12    key: x, y, z as i32; the chunk's position, or a material's index in x, or the number
//!             of an undo step or a region in x (low half) and y (high half); else 0
//! 20     4    plain length: bytes of the content before LZ4, u32
//! 24     4    data length: bytes that follow the frame, u32
//! 28     4    CRC-32 (IEEE) of bytes 0 to 27 and of the data
//! 32          data
//! ```

use crate::voxel::ChunkPos;
use std::fmt;

/// Number of bytes of a frame; the data follow.
pub(in crate::save) const FRAME_BYTES: usize = 32;
/// First two bytes of a frame.
pub(in crate::save) const MAGIC: [u8; 2] = *b"SR";

/// Kind of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum RecordKind {
    /// Seed, terrain, player, time.
    Header = 1,
    /// A material of the table.
    Material = 2,
    /// A chunk.
    Chunk = 3,
    /// Counts and sum over the chunks.
    Digest = 4,
    /// Picture for the title screen.
    Picture = 5,
    /// Baked visible sets of one chunk.
    Visibility = 6,
    /// An undo step, or the summary of the undo steps.
    History = 7,
    /// The named places.
    Places = 8,
    /// The word that the seed was made from.
    SeedWord = 9,
    /// A named region.
    Region = 10,
    /// The map's own rules, and the number of their next step.
    Rules = 11,
    /// The creatures.
    Creatures = 12,
    /// The awake blocks, in which rules may act.
    Awake = 13,
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordKind::Header => "header",
            RecordKind::Material => "material",
            RecordKind::Chunk => "chunk",
            RecordKind::Digest => "digest",
            RecordKind::Picture => "picture",
            RecordKind::Visibility => "visibility",
            RecordKind::History => "history",
            RecordKind::Places => "places",
            RecordKind::SeedWord => "seed word",
            RecordKind::Region => "region",
            RecordKind::Rules => "rules",
            RecordKind::Creatures => "creatures",
            RecordKind::Awake => "awake blocks",
        })
    }
}

impl RecordKind {
    fn from_byte(byte: u8) -> Option<RecordKind> {
        use RecordKind as Kind;
        [
            Kind::Header,
            Kind::Material,
            Kind::Chunk,
            Kind::Digest,
            Kind::Picture,
            Kind::Visibility,
            Kind::History,
            Kind::Places,
            Kind::SeedWord,
            Kind::Region,
            Kind::Rules,
            Kind::Creatures,
            Kind::Awake,
        ]
        .into_iter()
        .find(|&kind| kind as u8 == byte)
    }

    /// Maximum length in bytes of the content of a record, before compression. Bounds the memory
    /// that a hostile file can make a reader allocate.
    pub(in crate::save) const fn max_data(self) -> usize {
        match self {
            RecordKind::Header | RecordKind::Places | RecordKind::Rules => 1 << 16,
            RecordKind::Material => 1 << 12,
            RecordKind::Chunk => crate::codec::byte_rle::MAX_BYTES,
            RecordKind::Digest => 64,
            // 100 characters of at most four bytes.
            RecordKind::SeedWord => 400,
            RecordKind::Picture => 4 << 20,
            RecordKind::Creatures => 16 << 20,
            RecordKind::Visibility => 64 << 20,
            RecordKind::Awake => 1 << 26,
            RecordKind::Region => 1 << 28,
            // Stored as it is in its frame, so a reader never allocates more than the file's size.
            RecordKind::History => 1 << 30,
        }
    }
}

/// Reason why bytes are not the expected record.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameError {
    /// The bytes end within the frame.
    #[error("record is cut short")]
    Truncated,
    /// The bytes do not begin with `SR`.
    #[error("record does not start with \"SR\"")]
    Magic,
    /// The kind is unknown to this program.
    #[error("unknown record kind {0}")]
    Kind(u8),
    /// The lengths contradict each other or exceed the kind's limit.
    #[error("invalid record length")]
    Length,
    /// The checksum does not match frame and data.
    #[error("checksum mismatch")]
    Checksum,
    /// The record is sound, but has another kind or key than its place requires.
    #[error("record of {found} {found_key} in place of {expected} {expected_key}")]
    Misplaced {
        /// Kind in the frame.
        found: RecordKind,
        /// Key in the frame.
        found_key: ChunkPos,
        /// Kind that its place requires.
        expected: RecordKind,
        /// Key that its place requires.
        expected_key: ChunkPos,
    },
}

/// The first 32 bytes of a record. They are unverified until [`parse`] has checked the data, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct Frame {
    pub kind: RecordKind,
    pub codec: u8,
    pub revision: u32,
    pub key: ChunkPos,
    pub(crate) plain_len: usize,
    pub(crate) data_len: usize,
    crc: u32,
}

/// A complete record whose checksum has been verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct FramedRecord<'a> {
    pub frame: Frame,
    pub data: &'a [u8],
}

impl Frame {
    /// Reads the first 32 bytes of `bytes`.
    pub(in crate::save) fn parse(bytes: &[u8]) -> Result<Frame, FrameError> {
        let head = bytes.first_chunk::<FRAME_BYTES>().ok_or(FrameError::Truncated)?;
        if head[..2] != MAGIC {
            return Err(FrameError::Magic);
        }
        let kind = RecordKind::from_byte(head[2]).ok_or(FrameError::Kind(head[2]))?;
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let plain_len = word(20) as usize;
        let data_len = word(24) as usize;
        if plain_len > kind.max_data() || data_len > plain_len {
            return Err(FrameError::Length);
        }
        let key = ChunkPos::new(word(8) as i32, word(12) as i32, word(16) as i32);
        Ok(Frame {
            kind,
            codec: head[3],
            revision: word(4),
            key,
            plain_len,
            data_len,
            crc: word(28),
        })
    }

    /// Returns the length in bytes of the record, with its frame.
    pub(in crate::save) fn record_len(&self) -> usize {
        FRAME_BYTES + self.data_len
    }
}

/// Encodes a record. `plain_len` is the length of the content before compression, at least
/// `data.len()`.
pub(in crate::save) fn seal(
    kind: RecordKind,
    codec: u8,
    revision: u32,
    key: ChunkPos,
    plain_len: usize,
    data: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME_BYTES + data.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[kind as u8, codec]);
    for word in
        [revision, key.x as u32, key.y as u32, key.z as u32, plain_len as u32, data.len() as u32]
    {
        out.extend_from_slice(&word.to_le_bytes());
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&out);
    crc.update(data);
    out.extend_from_slice(&crc.finalize().to_le_bytes());
    out.extend_from_slice(data);
    out
}

/// Parses `bytes` as exactly one record, and verifies its checksum.
pub(in crate::save) fn parse(bytes: &[u8]) -> Result<FramedRecord<'_>, FrameError> {
    let frame = Frame::parse(bytes)?;
    if bytes.len() != frame.record_len() {
        return Err(FrameError::Length);
    }
    let data = &bytes[FRAME_BYTES..];
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..28]);
    crc.update(data);
    if crc.finalize() != frame.crc {
        return Err(FrameError::Checksum);
    }
    Ok(FramedRecord { frame, data })
}

/// Parses `bytes` as in [`parse`], and checks that the record has this kind and key.
pub(in crate::save) fn parse_as(
    bytes: &[u8],
    kind: RecordKind,
    key: ChunkPos,
) -> Result<FramedRecord<'_>, FrameError> {
    let record = parse(bytes)?;
    let Frame { kind: found, key: found_key, .. } = record.frame;
    if (found, found_key) != (kind, key) {
        return Err(FrameError::Misplaced { found, found_key, expected: kind, expected_key: key });
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_in_the_layout() {
        let source = include_str!("frame.rs");
        let layout: String = source.lines().take_while(|line| line.starts_with("//!")).collect();
        for byte in 1..=RecordKind::Awake as u8 {
            let kind = RecordKind::from_byte(byte).expect("a kind");
            assert!(layout.contains(&format!(" {byte} {kind}")), "{byte} {kind}");
        }
    }

    #[test]
    fn parse_with_any_bit_flipped_fails() {
        let pos = ChunkPos::new(-1, 2, i32::MAX);
        let good = seal(RecordKind::Chunk, 1, 7, pos, 300, b"some data");
        let record = parse_as(&good, RecordKind::Chunk, pos).unwrap();
        assert_eq!(
            (record.frame.codec, record.frame.revision, record.frame.plain_len),
            (1, 7, 300)
        );
        assert_eq!(record.data, b"some data");
        assert!(parse_as(&good, RecordKind::Chunk, ChunkPos::default()).is_err());
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
