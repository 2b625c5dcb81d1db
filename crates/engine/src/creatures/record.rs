//! Encoding of creatures for a map.
//!
//! ```text
//! version    u8: 1 (all numbers little-endian)
//! tick       u64
//! next       u32: number of the next creature
//! kinds      u8: how many; for each: u8, length of the name in bytes; the name, UTF-8
//! creatures  u32: how many; for each, 19 bytes:
//!   number   u32
//!   kind     u8: index into the kinds above
//!   flags    u8: 1 pinned
//!   heading  u8: 256ths of a turn
//!   voxel    3 x i32: x, y, z of the feet
//! blocks     u32: how many, at most 150,000; for each, 76 bytes: 8^3 chunks of which some are
//!            populated
//!   block    3 x i32: x, y, z, in blocks
//!   chunks   8 x u64, one for each y: bit x + 8 z is set if the chunk is populated
//! ```
//!
//! Moods and goals are not stored: creatures choose new ones after loading. Creatures of kinds that
//! this program does not know are kept, so that a later version can read them. A record with
//! creatures of more than 223 such kinds is refused, because a new record could not list them all.

use super::creatures::{Creatures, MAX_CREATURES};
use super::kinds::CreatureKinds;
use super::motion::Motion;
use super::populated::{MAX_BLOCKS, WORDS};
use super::unknown::MAX_UNKNOWN_KINDS;
use crate::voxel::{CHUNK_SIDE, ChunkPos, WORLD_LIMIT};
use glam::IVec3;

/// Version that this program writes.
const VERSION: u8 = 1;
/// Bytes per creature.
const CREATURE_BYTES: usize = 19;
/// Bytes per block of chunks.
const BLOCK_BYTES: usize = 12 + 8 * WORDS;
/// Side of a block of chunks, in voxels.
const BLOCK_SIDE: i32 = 8 * CHUNK_SIDE;
/// Flag of a pinned creature.
const PINNED: u8 = 1;
/// Maximum length in bytes of a record in a map.
const MAX_RECORD_BYTES: usize = 16 << 20;
const _: () = assert!(
    18 + 255 * 256 + 4 + MAX_CREATURES * CREATURE_BYTES + 4 + MAX_BLOCKS * BLOCK_BYTES
        <= MAX_RECORD_BYTES
);

/// An error in a record of creatures.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreatureRecordError {
    /// The bytes end early.
    #[error("truncated")]
    Truncated,
    /// Bytes follow the last block.
    #[error("{0} bytes too many")]
    Trailing(usize),
    /// The version is not one that this program reads.
    #[error("version {0}; expected {VERSION}")]
    Version(u8),
    /// The name of a kind is not UTF-8.
    #[error("the name of kind {0} is not UTF-8")]
    Name(usize),
    /// The number of creatures exceeds `MAX_CREATURES`.
    #[error("{0} creatures; expected at most {MAX_CREATURES}")]
    TooMany(u32),
    /// A creature's kind is not listed, its position is outside the world, or its number is out of
    /// order.
    #[error("creature {0} is invalid")]
    Creature(usize),
    /// The creatures have more kinds that this program does not know than it can keep.
    #[error("more than {MAX_UNKNOWN_KINDS} unknown kinds of creatures")]
    TooManyKinds,
    /// The number of blocks of populated chunks exceeds the maximum.
    #[error("{0} blocks of chunks; expected at most {MAX_BLOCKS}")]
    TooManyBlocks(usize),
    /// A block of chunks is outside the world or out of order.
    #[error("block {0} of chunks is invalid")]
    Block(usize),
}

/// Cursor over the bytes not yet read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], CreatureRecordError> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(CreatureRecordError::Truncated)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CreatureRecordError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(CreatureRecordError::Truncated)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn u8(&mut self) -> Result<u8, CreatureRecordError> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Result<u32, CreatureRecordError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, CreatureRecordError> {
        self.array().map(u64::from_le_bytes)
    }

    fn position(&mut self) -> Result<IVec3, CreatureRecordError> {
        let mut part = || self.array().map(i32::from_le_bytes);
        Ok(IVec3::new(part()?, part()?, part()?))
    }
}

fn write_position(out: &mut Vec<u8>, at: [i32; 3]) {
    out.extend(at.iter().flat_map(|part| part.to_le_bytes()));
}

impl Creatures {
    /// Encodes the creatures, known and unknown kinds alike, as a record.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        out.extend(self.tick.to_le_bytes());
        out.extend(self.next_id.to_le_bytes());
        let known = self.kinds.list().len() as u8;
        out.push(known + self.unknown.names.len() as u8);
        for name in self.kinds.list().iter().map(|kind| &kind.name).chain(&self.unknown.names) {
            // Kind files and records have no longer names than a byte counts.
            out.push(name.len() as u8);
            out.extend(name.as_bytes());
        }
        let unknown = self.unknown.motions.iter().map(|motion| (motion, known + motion.kind));
        let mut sorted: Vec<_> =
            self.motions.iter().map(|motion| (motion, motion.kind)).chain(unknown).collect();
        sorted.sort_unstable_by_key(|(motion, _)| motion.id);
        out.extend((sorted.len() as u32).to_le_bytes());
        for (motion, kind) in sorted {
            out.extend(motion.id.to_le_bytes());
            out.extend([kind, if motion.is_pinned { PINNED } else { 0 }, motion.heading]);
            write_position(&mut out, motion.to.to_array());
        }
        out.extend((self.populated.0.len() as u32).to_le_bytes());
        for (block, words) in &self.populated.0 {
            write_position(&mut out, *block);
            out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        out
    }

    /// Decodes a record. `kinds` are the kinds that this program knows, `seed` is the map's seed.
    ///
    /// # Errors
    /// Fails if the bytes are not a record that [`Creatures::encode`] writes.
    pub fn decode(
        bytes: &[u8],
        kinds: CreatureKinds,
        seed: u64,
    ) -> Result<Creatures, CreatureRecordError> {
        let mut reader = Reader(bytes);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(CreatureRecordError::Version(version));
        }
        let mut creatures = Creatures::new(kinds, seed);
        // Limited to half of the range, so that adding durations to the tick cannot overflow.
        creatures.tick = reader.u64()? & u64::MAX >> 1;
        creatures.next_id = reader.u32()?;
        let mut names = Vec::new();
        for kind in 0..usize::from(reader.u8()?) {
            let len = reader.u8()?;
            let name = std::str::from_utf8(reader.bytes(len.into())?)
                .map_err(|_| CreatureRecordError::Name(kind))?;
            names.push(name);
        }
        let count = reader.u32()?;
        if count as usize > MAX_CREATURES {
            return Err(CreatureRecordError::TooMany(count));
        }
        let mut rows = Reader(reader.bytes(count as usize * CREATURE_BYTES)?);
        let mut least_id = 0;
        for number in 0..count as usize {
            let id = rows.u32()?;
            let [kind, flags, heading] = rows.array()?;
            let at = rows.position()?;
            let name = names.get(usize::from(kind)).ok_or(CreatureRecordError::Creature(number))?;
            let is_ordered = (least_id..creatures.next_id).contains(&id);
            if !is_ordered || !ChunkPos::containing(at).in_world() || flags > PINNED {
                return Err(CreatureRecordError::Creature(number));
            }
            least_id = id + 1;
            let motion = |kind| Motion {
                is_pinned: flags & PINNED != 0,
                ..Motion::new(id, kind, at, heading)
            };
            if let Some(kind) = creatures.kinds.find(name) {
                creatures.add(motion(kind as u8));
            } else {
                let kind = creatures.unknown.kind(name).ok_or(CreatureRecordError::TooManyKinds)?;
                creatures.unknown.motions.push(motion(kind));
            }
        }
        let count = reader.u32()? as usize;
        if count > MAX_BLOCKS {
            return Err(CreatureRecordError::TooManyBlocks(count));
        }
        let mut rows = Reader(reader.bytes(count * BLOCK_BYTES)?);
        for number in 0..count {
            let block = rows.position()?;
            let mut words = [0; WORDS];
            for word in &mut words {
                *word = rows.u64()?;
            }
            let is_ordered = creatures
                .populated
                .0
                .last_key_value()
                .is_none_or(|(last, _)| *last < block.to_array());
            let limit = IVec3::splat(WORLD_LIMIT / BLOCK_SIDE);
            let is_inside = block.cmpge(-limit).all() && block.cmplt(limit).all();
            if !is_ordered || !is_inside {
                return Err(CreatureRecordError::Block(number));
            }
            creatures.populated.0.insert(block.to_array(), words);
        }
        match reader.0.len() {
            0 => Ok(creatures),
            rest => Err(CreatureRecordError::Trailing(rest)),
        }
    }
}
