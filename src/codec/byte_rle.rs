//! Byte-RLE: the voxels of one chunk as bytes, after the Roblox text ("Disk format").
//!
//! The text packs a run into a lead byte (6 bits material, 1 bit "an occupancy byte follows", 1 bit
//! "a length byte follows"), an optional occupancy byte and an optional length byte. No field
//! crosses a byte border, because LZ4 compresses the result. Three extensions make every chunk
//! lossless: materials are indices into a palette of the chunk (a map may hold 65535), code 63
//! escapes to longer palettes, and length byte 0, which the text reserves "to extend the run
//! format", starts a long run.
//!
//! ```text
//! palette   count          LEB128 varint, 1 to 32768
//!           materials      count x u16, little-endian: indices into the map's material table
//! runs      until 32768 voxels are covered, in linear order (x fastest, then z, then y); each is
//!   lead    bits 0-5       code: palette index 0 to 62, or 63 = escape
//!           bit 6 (0x40)   an occupancy byte follows; if clear the run is full, or air if material 0
//!           bit 7 (0x80)   a length byte follows; if clear the run is one voxel
//!   escape  (code 63)      palette index, LEB128 varint
//!   occupancy (bit 6)      u8, decodes to (v + 1) / 256; never with material 0
//!   length  (bit 7)        u8: 1 to 255 = length - 1; 0 = a long run: u16 little-endian length - 1 follows
//! ```
//!
//! The palette is sorted by falling number of runs, so only rare materials need the escape. The
//! encoder never writes two equal adjacent runs; the decoder accepts and joins them (the text's own
//! encoder splits runs at 256). Nothing may follow the last run.

use super::varint::{self, VarintError};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, MaterialId, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;

/// Code of a lead byte whose palette index follows as a varint.
const ESCAPE: u8 = 63;
const OCCUPANCY_FOLLOWS: u8 = 0x40;
const LENGTH_FOLLOWS: u8 = 0x80;

/// Upper bound of an encoded chunk: 32768 materials, each in one voxel with an occupancy.
pub const MAX_BYTES: usize = 3 + CHUNK_VOLUME * 2 + CHUNK_VOLUME * 5;

/// Why bytes do not decode to a chunk, and where.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("byte {at}: {kind}")]
pub struct ByteRleError {
    /// Offset of the field in the RLE bytes.
    pub at: usize,
    /// Reason.
    pub kind: ByteRleErrorKind,
}

/// Reasons of a [`ByteRleError`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteRleErrorKind {
    /// More bytes are needed.
    #[error("the data ends early")]
    Truncated,
    /// A varint is longer than three bytes.
    #[error("a varint is longer than 3 bytes")]
    LongVarint,
    /// The palette has no material, or more than 32768.
    #[error("a palette of {0} materials")]
    PaletteSize(usize),
    /// A material is not in the map's table.
    #[error("material {0} is not in the map's material table")]
    Material(MaterialId),
    /// A palette index is out of range.
    #[error("palette index {0} is out of range")]
    PaletteIndex(usize),
    /// Air has an occupancy byte.
    #[error("air with an occupancy")]
    AirOccupancy,
    /// A run passes the end of the chunk.
    #[error("a run of {len} at voxel {start} passes the end of the chunk")]
    RunTooLong {
        /// Linear index of its first voxel.
        start: usize,
        /// Length in voxels.
        len: usize,
    },
    /// Bytes follow the last run.
    #[error("data follows the last voxel")]
    Trailing,
}

/// The materials of a chunk by falling number of runs, and the index of each.
fn palette_of(chunk: &Chunk) -> (Vec<MaterialId>, FxHashMap<MaterialId, u16>) {
    let mut runs_of: FxHashMap<MaterialId, u32> = FxHashMap::default();
    let mut last: Option<(MaterialId, u32)> = None;
    chunk.runs().for_each(|run| {
        // Half of all runs repeat the previous material: count those in a register.
        let material = run.voxel.material();
        match &mut last {
            Some((m, n)) if *m == material => *n += 1,
            _ => {
                if let Some((m, n)) = last.replace((material, 1)) {
                    *runs_of.entry(m).or_default() += n;
                }
            }
        }
    });
    if let Some((m, n)) = last {
        *runs_of.entry(m).or_default() += n;
    }
    let mut palette: Vec<(u32, MaterialId)> = runs_of.into_iter().map(|(m, n)| (n, m)).collect();
    palette.sort_unstable_by_key(|&(n, m)| (std::cmp::Reverse(n), m));
    let list: Vec<MaterialId> = palette.into_iter().map(|(_, m)| m).collect();
    let indices = list.iter().enumerate().map(|(i, &m)| (m, i as u16)).collect();
    (list, indices)
}

/// Encodes a chunk.
///
/// ```
/// use stonerun::codec::byte_rle;
/// use stonerun::voxel::Voxel;
/// use stonerun::world::Chunk;
///
/// let mut chunk = Chunk::uniform(Voxel::full(1));
/// chunk.set(5, Voxel::AIR);
/// let bytes = byte_rle::encode(&chunk);
/// // A palette of two materials (5 bytes), then runs of 5, 1 and 32762 voxels (2, 1 and 4 bytes).
/// assert_eq!(bytes.len(), 12);
///
/// let material_count = 2;
/// assert_eq!(byte_rle::decode(&bytes, material_count)?, chunk);
/// let error = byte_rle::decode(&bytes[..11], material_count).unwrap_err();
/// assert_eq!(error.to_string(), "byte 11: the data ends early");
/// # Ok::<(), byte_rle::ByteRleError>(())
/// ```
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let (palette, indices) = palette_of(chunk);
    let mut out = Vec::with_capacity(8 + palette.len() * 2 + chunk.run_count() * 2);
    varint::push(&mut out, palette.len() as u32);
    palette.iter().for_each(|m| out.extend_from_slice(&m.to_le_bytes()));
    let mut last = (palette[0], 0);
    chunk.runs().for_each(|run| {
        let material = run.voxel.material();
        if last.0 != material {
            last = (material, indices[&material]);
        }
        let index = last.1;
        let mut lead = if index < u16::from(ESCAPE) { index as u8 } else { ESCAPE };
        let partial = !run.voxel.is_air() && !run.voxel.is_full();
        lead |= if partial { OCCUPANCY_FOLLOWS } else { 0 };
        lead |= if run.len > 1 { LENGTH_FOLLOWS } else { 0 };
        out.push(lead);
        if index >= u16::from(ESCAPE) {
            varint::push(&mut out, u32::from(index));
        }
        if partial {
            out.push(run.voxel.occupancy());
        }
        match run.len {
            1 => {}
            len @ 2..=256 => out.push((len - 1) as u8),
            // At most 32768, the chunk's volume, so length - 1 fits.
            len => {
                out.push(0);
                out.extend_from_slice(&((len - 1) as u16).to_le_bytes());
            }
        }
    });
    out
}

/// Reads bytes one by one and tracks its position.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Result<u8, ByteRleError> {
        let byte = *self.bytes.get(self.at).ok_or(ByteRleError { at: self.at, kind: ByteRleErrorKind::Truncated })?;
        self.at += 1;
        Ok(byte)
    }

    fn u16(&mut self) -> Result<u16, ByteRleError> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn varint(&mut self) -> Result<usize, ByteRleError> {
        let at = self.at;
        match varint::read::<3, _>(|| self.byte()) {
            Ok(value) => Ok(value as usize),
            Err(VarintError::Source(error)) => Err(error),
            // Three bytes hold 21 bits, so only the length can be wrong.
            Err(_) => Err(ByteRleError { at, kind: ByteRleErrorKind::LongVarint }),
        }
    }
}

/// Decodes a chunk. `material_count` is the length of the map's material table.
///
/// # Errors
/// The bytes are malformed. No input causes a panic or an allocation beyond what one chunk needs.
pub fn decode(bytes: &[u8], material_count: usize) -> Result<Chunk, ByteRleError> {
    let mut cursor = Cursor { bytes, at: 0 };
    let fail = |at, kind| Err(ByteRleError { at, kind });
    let count = cursor.varint()?;
    if count == 0 || count > CHUNK_VOLUME {
        return fail(0, ByteRleErrorKind::PaletteSize(count));
    }
    if (bytes.len() - cursor.at) / 2 < count {
        return fail(bytes.len(), ByteRleErrorKind::Truncated);
    }
    let mut palette = Vec::with_capacity(count);
    for _ in 0..count {
        let at = cursor.at;
        let material = cursor.u16()?;
        if usize::from(material) >= material_count.min(Voxel::MAX_MATERIALS) {
            return fail(at, ByteRleErrorKind::Material(material));
        }
        palette.push(material);
    }
    let mut runs = RunBuilder::new();
    while runs.position() < CHUNK_VOLUME {
        if let Some((voxel, len, bytes)) = common_run(cursor.bytes.get(cursor.at..).unwrap_or_default(), &palette)
            && runs.position() + len <= CHUNK_VOLUME
        {
            runs.push(len as u32, voxel);
            cursor.at += bytes;
            continue;
        }
        let at = cursor.at;
        let lead = cursor.byte()?;
        let index = match lead & ESCAPE {
            ESCAPE => cursor.varint()?,
            code => usize::from(code),
        };
        let Some(&material) = palette.get(index) else {
            return fail(at, ByteRleErrorKind::PaletteIndex(index));
        };
        let voxel = if lead & OCCUPANCY_FOLLOWS == 0 {
            Voxel::full(material)
        } else if material == 0 {
            return fail(at, ByteRleErrorKind::AirOccupancy);
        } else {
            Voxel::new(material, cursor.byte()?)
        };
        let mut len = 1;
        if lead & LENGTH_FOLLOWS != 0 {
            len = usize::from(cursor.byte()?) + 1;
            if len == 1 {
                len = usize::from(cursor.u16()?) + 1;
            }
        }
        let start = runs.position();
        if start + len > CHUNK_VOLUME {
            return fail(at, ByteRleErrorKind::RunTooLong { start, len });
        }
        runs.push(len as u32, voxel);
    }
    if cursor.at < bytes.len() {
        return fail(cursor.at, ByteRleErrorKind::Trailing);
    }
    Ok(runs.finish())
}

/// The first run of `bytes`, its length, and its size in bytes, if it has the common form: one of the
/// first 63 materials and at most 256 voxels. Whether occupancy and length follow is unpredictable,
/// so no branch depends on it.
#[inline]
fn common_run(bytes: &[u8], palette: &[u16]) -> Option<(Voxel, usize, usize)> {
    let &[lead, first, second, ..] = bytes else { return None };
    let &material = palette.get(usize::from(lead & ESCAPE))?;
    let (partial, long) = (lead & OCCUPANCY_FOLLOWS != 0, lead & LENGTH_FOLLOWS != 0);
    let more = if partial { second } else { first };
    if (lead & ESCAPE == ESCAPE) | (partial & (material == 0)) | (long & (more == 0)) {
        return None;
    }
    let voxel = if partial { Voxel::new(material, first) } else { Voxel::full(material) };
    Some((voxel, if long { usize::from(more) + 1 } else { 1 }, 1 + usize::from(partial) + usize::from(long)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(chunk: &Chunk) -> Vec<u8> {
        let bytes = encode(chunk);
        assert!(bytes.len() <= MAX_BYTES);
        let back = decode(&bytes, Voxel::MAX_MATERIALS).unwrap();
        assert!(back == *chunk);
        back.check().unwrap();
        bytes
    }

    #[test]
    fn encoded_bytes_match_documented_layout() {
        // One material, full: lead, 0, length - 1.
        assert_eq!(encode(&Chunk::uniform(Voxel::full(0x1234))), [1, 0x34, 0x12, 0x80, 0, 0xff, 0x7f]);
        assert_eq!(encode(&Chunk::uniform(Voxel::AIR)), [1, 0, 0, 0x80, 0, 0xff, 0x7f]);
        // A single voxel is one byte. 256 voxels have a length byte of 255, after the occupancy.
        let runs = [(1, Voxel::full(5)), (256, Voxel::new(6, 9)), (32511, Voxel::AIR)];
        let expected = [3, 0, 0, 5, 0, 6, 0, 0x01, 0x80 | 0x40 | 0x02, 9, 255, 0x80, 0, 0xfe, 0x7e];
        assert_eq!(encode(&Chunk::from_runs(runs)), expected);
    }

    #[test]
    fn run_lengths_around_multiples_of_256_round_trip() {
        for multiple in (0..=CHUNK_VOLUME as u32).step_by(256) {
            for len in [multiple.saturating_sub(1), multiple, multiple + 1] {
                if len > 0 && len < CHUNK_VOLUME as u32 {
                    let rest = CHUNK_VOLUME as u32 - len;
                    round_trip(&Chunk::from_runs([(len, Voxel::full(3)), (rest, Voxel::AIR)]));
                    round_trip(&Chunk::from_runs([(len, Voxel::new(3, 7)), (rest, Voxel::full(3))]));
                }
            }
        }
    }

    #[test]
    fn widest_palette_stays_within_max_bytes() {
        let wide = Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::new(i as u16 + 1, i as u8 & 0x7f))));
        let bytes = round_trip(&wide);
        assert!(bytes.len() > CHUNK_VOLUME * 6 && bytes.len() <= MAX_BYTES);
        for count in [62, 63, 64, 65, 127, 128, 129] {
            round_trip(&Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::full((i % count) as u16)))));
        }
    }

    #[test]
    fn malformed_bytes_are_rejected_with_offset() {
        let bad = |bytes: &[u8]| decode(bytes, 8).unwrap_err();
        let error = |at, kind| ByteRleError { at, kind };
        let full = [0x80, 0, 0xff, 0x7f];
        let with = |head: &[u8], tail: &[u8]| [head, tail].concat();
        assert_eq!(bad(&[]), error(0, ByteRleErrorKind::Truncated));
        assert_eq!(bad(&[0]), error(0, ByteRleErrorKind::PaletteSize(0)));
        assert_eq!(bad(&[0x81, 0x80, 0x02]), error(0, ByteRleErrorKind::PaletteSize(32769)));
        assert_eq!(bad(&[0xff, 0xff, 0xff, 1]), error(0, ByteRleErrorKind::LongVarint));
        assert_eq!(bad(&[0x80, 0x80, 0x02, 1, 0]), error(5, ByteRleErrorKind::Truncated));
        assert_eq!(bad(&with(&[1, 8, 0], &full)), error(1, ByteRleErrorKind::Material(8)));
        assert_eq!(bad(&with(&[1, 1, 0, 1], &full)), error(3, ByteRleErrorKind::PaletteIndex(1)));
        assert_eq!(bad(&with(&[1, 1, 0, 63, 9], &full)), error(3, ByteRleErrorKind::PaletteIndex(9)));
        assert_eq!(bad(&[1, 0, 0, 0xc0, 7, 0, 0xff, 0x7f]), error(3, ByteRleErrorKind::AirOccupancy));
        assert_eq!(bad(&with(&[1, 1, 0, 0], &full)), error(4, ByteRleErrorKind::RunTooLong { start: 1, len: 32768 }));
        assert_eq!(bad(&with(&with(&[1, 1, 0], &full), &[0])), error(7, ByteRleErrorKind::Trailing));
        assert_eq!(bad(&[1, 1, 0, 0x80, 0, 0xff]), error(6, ByteRleErrorKind::Truncated));
        assert_eq!(bad(&with(&[1, 0xff, 0xff], &full)), error(1, ByteRleErrorKind::Material(0xffff)));
    }

    #[test]
    fn not_loaded_material_is_rejected_for_any_table() {
        let bytes = [1, 0xff, 0xff, 0x80, 0, 0xff, 0x7f];
        assert_eq!(decode(&bytes, usize::MAX).unwrap_err().kind, ByteRleErrorKind::Material(0xffff));
    }

    fn any_runs() -> impl Strategy<Value = Vec<(u32, Voxel)>> {
        let voxel = (prop_oneof![Just(0u16), 0..80u16, 0..65535u16], prop_oneof![Just(255u8), any::<u8>()]);
        let len = prop_oneof![Just(1u32), 1..20u32, 250..260u32, 1..9000u32];
        proptest::collection::vec((len, voxel.prop_map(|(m, o)| Voxel::new(m, o))), 0..600)
    }

    /// The runs, cut off or padded with air to one chunk.
    fn chunk_from(runs: &[(u32, Voxel)]) -> Chunk {
        let mut builder = RunBuilder::new();
        for &(len, voxel) in runs {
            builder.push(len.min((CHUNK_VOLUME - builder.position()) as u32), voxel);
        }
        builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
        builder.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_chunk_round_trips(runs in any_runs()) {
            round_trip(&chunk_from(&runs));
        }

        #[test]
        fn arbitrary_bytes_give_chunk_or_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(chunk) = decode(&bytes, 300) {
                chunk.check().unwrap();
            }
        }

        #[test]
        fn changed_bytes_give_chunk_or_error(runs in any_runs(), at in any::<usize>(), to in any::<u8>()) {
            let mut bytes = encode(&chunk_from(&runs));
            let at = at % bytes.len();
            bytes[at] = to;
            if let Ok(chunk) = decode(&bytes, 300) {
                chunk.check().unwrap();
            }
        }
    }
}
