//! Byte-RLE: the voxels of one chunk as bytes, after the Roblox text ("Disk format"), extended where it
//! leaves room.
//!
//! The text packs a run into a lead byte (material 6 bits, one bit "an occupancy byte follows", one bit "a
//! length byte follows"), the occupancy byte, and the length byte. It never packs across bytes, because LZ4
//! comes after it. Three things go beyond the text, so that every chunk is lossless: materials are codes
//! into a palette of the chunk (a map may hold 65535), code 63 is an escape for longer palettes, and length
//! byte 0, which the text keeps "to extend the run format", starts a long run.
//!
//! ```text
//! palette   count          LEB128 varint, 1 to 32768
//!           materials      count x u16, little-endian: indices into the map's material table
//! runs      until 32768 voxels are covered, in linear order (x fastest, then z, then y); each is
//!   lead    bits 0-5       code: palette index 0 to 62, or 63 = escape
//!           bit 6 (0x40)   an occupancy byte follows; if clear the run is full, or, of material 0, air
//!           bit 7 (0x80)   a length byte follows; if clear the run is one voxel
//!   escape  (code 63)      palette index, LEB128 varint
//!   occupancy (bit 6)      u8, decodes to (v + 1) / 256; never with material 0
//!   length  (bit 7)        u8: 1 to 255 = length - 1; 0 = a long run, and u16 little-endian length - 1 follows
//! ```
//!
//! The palette stands in order of falling number of runs, so that the escape takes the rare materials. The
//! encoder never writes two equal runs in a row; the decoder accepts them (the text's own encoder splits at
//! 256) and joins them. Nothing may follow the last run.

use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, MaterialId, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;

/// The lead byte's code that says: the palette index follows.
const ESCAPE: u8 = 63;
const OCCUPANCY_FOLLOWS: u8 = 0x40;
const LENGTH_FOLLOWS: u8 = 0x80;

/// No chunk needs more bytes: 32768 materials, each in one voxel, and each with an occupancy.
pub const MAX_BYTES: usize = 3 + CHUNK_VOLUME * 2 + CHUNK_VOLUME * 5;

/// Why bytes are not a chunk, and where.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("byte {at}: {reason}")]
pub struct RleError {
    /// Offset in the RLE bytes of what was being read.
    pub at: usize,
    /// What is wrong there.
    pub reason: RleReason,
}

/// What can be wrong in byte-RLE.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RleReason {
    /// More bytes were needed.
    #[error("the data ends too early")]
    Ends,
    /// A varint of more than three bytes.
    #[error("a number has too many digits")]
    LongNumber,
    /// A palette of 0 or of more than 32768 materials.
    #[error("a palette of {0} materials")]
    PaletteSize(usize),
    /// A material the map's table does not have.
    #[error("material {0} is not in the map's material table")]
    Material(MaterialId),
    /// A palette index past the palette's end.
    #[error("palette index {0} is past the palette's end")]
    PaletteIndex(usize),
    /// Air with an occupancy byte.
    #[error("air with an occupancy")]
    AirOccupancy,
    /// A run that passes the end of the chunk.
    #[error("a run of {len} at voxel {start} passes the end of the chunk")]
    TooFar {
        /// Linear index of its first voxel.
        start: usize,
        /// Its voxels.
        len: usize,
    },
    /// Bytes after the chunk is full.
    #[error("bytes follow after the last voxel")]
    Trailing,
}

/// The chunk's materials, those of most runs first, and the place of each.
fn palette_of(chunk: &Chunk) -> (Vec<MaterialId>, FxHashMap<MaterialId, u16>) {
    let mut runs_of: FxHashMap<MaterialId, u32> = FxHashMap::default();
    let mut last: Option<(MaterialId, u32)> = None;
    chunk.runs().for_each(|run| {
        // Half of all runs follow one of the same material or come back to it: count those in a register.
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
    let places = list.iter().enumerate().map(|(i, &m)| (m, i as u16)).collect();
    (list, places)
}

pub(super) fn push_varint(out: &mut Vec<u8>, mut n: usize) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// The chunk as byte-RLE: see the module's text.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let (palette, places) = palette_of(chunk);
    let mut out = Vec::with_capacity(8 + palette.len() * 2 + chunk.run_count() * 2);
    push_varint(&mut out, palette.len());
    palette.iter().for_each(|m| out.extend_from_slice(&m.to_le_bytes()));
    let mut last = (palette[0], 0);
    chunk.runs().for_each(|run| {
        let material = run.voxel.material();
        if last.0 != material {
            last = (material, places[&material]);
        }
        let place = last.1;
        let mut lead = if place < u16::from(ESCAPE) { place as u8 } else { ESCAPE };
        let partial = !run.voxel.is_air() && !run.voxel.is_full();
        lead |= if partial { OCCUPANCY_FOLLOWS } else { 0 };
        lead |= if run.len > 1 { LENGTH_FOLLOWS } else { 0 };
        out.push(lead);
        if place >= u16::from(ESCAPE) {
            push_varint(&mut out, usize::from(place));
        }
        if partial {
            out.push(run.voxel.occupancy());
        }
        match run.len {
            1 => {}
            len @ 2..=256 => out.push((len - 1) as u8),
            // At most 32768, a whole chunk, so length - 1 fits.
            len => {
                out.push(0);
                out.extend_from_slice(&((len - 1) as u16).to_le_bytes());
            }
        }
    });
    out
}

/// Reads bytes one by one and knows where it is.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Result<u8, RleError> {
        let byte = *self.bytes.get(self.at).ok_or(RleError { at: self.at, reason: RleReason::Ends })?;
        self.at += 1;
        Ok(byte)
    }

    fn u16(&mut self) -> Result<u16, RleError> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn varint(&mut self) -> Result<usize, RleError> {
        let at = self.at;
        let mut value = 0;
        for shift in [0, 7, 14] {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(RleError { at, reason: RleReason::LongNumber })
    }
}

/// The chunk that `bytes` describe. `materials` is the length of the map's material table.
///
/// # Errors
/// The place and the reason; no bytes make it panic or allocate more than a chunk can need.
pub fn decode(bytes: &[u8], materials: usize) -> Result<Chunk, RleError> {
    let mut from = Cursor { bytes, at: 0 };
    let fail = |at, reason| Err(RleError { at, reason });
    let count = from.varint()?;
    if count == 0 || count > CHUNK_VOLUME {
        return fail(0, RleReason::PaletteSize(count));
    }
    if (bytes.len() - from.at) / 2 < count {
        return fail(bytes.len(), RleReason::Ends);
    }
    let mut palette = Vec::with_capacity(count);
    for _ in 0..count {
        let at = from.at;
        let material = from.u16()?;
        if usize::from(material) >= materials.min(Voxel::MAX_MATERIALS) {
            return fail(at, RleReason::Material(material));
        }
        palette.push(material);
    }
    let mut runs = RunBuilder::new();
    while runs.position() < CHUNK_VOLUME {
        if let Some((voxel, len, bytes)) = common_run(from.bytes.get(from.at..).unwrap_or_default(), &palette)
            && runs.position() + len <= CHUNK_VOLUME
        {
            runs.push(len as u32, voxel);
            from.at += bytes;
            continue;
        }
        let at = from.at;
        let lead = from.byte()?;
        let place = match lead & ESCAPE {
            ESCAPE => from.varint()?,
            code => usize::from(code),
        };
        let Some(&material) = palette.get(place) else {
            return fail(at, RleReason::PaletteIndex(place));
        };
        let voxel = if lead & OCCUPANCY_FOLLOWS == 0 {
            Voxel::full(material)
        } else if material == 0 {
            return fail(at, RleReason::AirOccupancy);
        } else {
            Voxel::new(material, from.byte()?)
        };
        let mut len = 1;
        if lead & LENGTH_FOLLOWS != 0 {
            len = usize::from(from.byte()?) + 1;
            if len == 1 {
                len = usize::from(from.u16()?) + 1;
            }
        }
        let start = runs.position();
        if start + len > CHUNK_VOLUME {
            return fail(at, RleReason::TooFar { start, len });
        }
        runs.push(len as u32, voxel);
    }
    if from.at < bytes.len() {
        return fail(from.at, RleReason::Trailing);
    }
    Ok(runs.finish())
}

/// The run that `bytes` begin with, its length, and how many bytes it takes, if it is of the common kind: of one of the
/// first materials, and of at most 256 voxels. Whether occupancy and length follow is a matter of chance, so no branch
/// depends on it.
#[inline]
fn common_run(bytes: &[u8], palette: &[u16]) -> Option<(Voxel, usize, usize)> {
    let &[lead, first, second, ..] = bytes else { return None };
    let &material = palette.get(usize::from(lead & ESCAPE))?;
    let (partly, long) = (lead & OCCUPANCY_FOLLOWS != 0, lead & LENGTH_FOLLOWS != 0);
    let more = if partly { second } else { first };
    if (lead & ESCAPE == ESCAPE) | (partly & (material == 0)) | (long & (more == 0)) {
        return None;
    }
    let voxel = if partly { Voxel::new(material, first) } else { Voxel::full(material) };
    Some((voxel, if long { usize::from(more) + 1 } else { 1 }, 1 + usize::from(partly) + usize::from(long)))
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
    fn the_bytes_are_as_the_text_says() {
        // One material, full: lead, 0, length - 1.
        assert_eq!(encode(&Chunk::uniform(Voxel::full(0x1234))), [1, 0x34, 0x12, 0x80, 0, 0xff, 0x7f]);
        assert_eq!(encode(&Chunk::uniform(Voxel::AIR)), [1, 0, 0, 0x80, 0, 0xff, 0x7f]);
        // A single voxel is one byte; 256 voxels have a length byte of 255; an occupancy comes before it.
        let runs = [(1, Voxel::full(5)), (256, Voxel::new(6, 9)), (32511, Voxel::AIR)];
        let expected = [3, 0, 0, 5, 0, 6, 0, 0x01, 0x80 | 0x40 | 0x02, 9, 255, 0x80, 0, 0xfe, 0x7e];
        assert_eq!(encode(&Chunk::from_runs(runs)), expected);
    }

    #[test]
    fn every_multiple_of_256_and_its_neighbours() {
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
    fn the_widest_palette_is_the_longest_record() {
        let wide = Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::new(i as u16 + 1, i as u8 & 0x7f))));
        let bytes = round_trip(&wide);
        assert!(bytes.len() > CHUNK_VOLUME * 6 && bytes.len() <= MAX_BYTES);
        for count in [62, 63, 64, 65, 127, 128, 129] {
            round_trip(&Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, Voxel::full((i % count) as u16)))));
        }
    }

    #[test]
    fn bad_bytes_are_refused_with_their_place() {
        let bad = |bytes: &[u8]| decode(bytes, 8).unwrap_err();
        let error = |at, reason| RleError { at, reason };
        let full = [0x80, 0, 0xff, 0x7f];
        let with = |head: &[u8], tail: &[u8]| [head, tail].concat();
        assert_eq!(bad(&[]), error(0, RleReason::Ends));
        assert_eq!(bad(&[0]), error(0, RleReason::PaletteSize(0)));
        assert_eq!(bad(&[0x81, 0x80, 0x02]), error(0, RleReason::PaletteSize(32769)));
        assert_eq!(bad(&[0xff, 0xff, 0xff, 1]), error(0, RleReason::LongNumber));
        assert_eq!(bad(&[0x80, 0x80, 0x02, 1, 0]), error(5, RleReason::Ends));
        assert_eq!(bad(&with(&[1, 8, 0], &full)), error(1, RleReason::Material(8)));
        assert_eq!(bad(&with(&[1, 1, 0, 1], &full)), error(3, RleReason::PaletteIndex(1)));
        assert_eq!(bad(&with(&[1, 1, 0, 63, 9], &full)), error(3, RleReason::PaletteIndex(9)));
        assert_eq!(bad(&[1, 0, 0, 0xc0, 7, 0, 0xff, 0x7f]), error(3, RleReason::AirOccupancy));
        assert_eq!(bad(&with(&[1, 1, 0, 0], &full)), error(4, RleReason::TooFar { start: 1, len: 32768 }));
        assert_eq!(bad(&with(&with(&[1, 1, 0], &full), &[0])), error(7, RleReason::Trailing));
        assert_eq!(bad(&[1, 1, 0, 0x80, 0, 0xff]), error(6, RleReason::Ends));
        assert_eq!(bad(&with(&[1, 0xff, 0xff], &full)), error(1, RleReason::Material(0xffff)));
    }

    #[test]
    fn no_material_index_of_not_loaded_whatever_the_table() {
        let bytes = [1, 0xff, 0xff, 0x80, 0, 0xff, 0x7f];
        assert_eq!(decode(&bytes, usize::MAX).unwrap_err().reason, RleReason::Material(0xffff));
    }

    fn any_runs() -> impl Strategy<Value = Vec<(u32, Voxel)>> {
        let voxel = (prop_oneof![Just(0u16), 0..80u16, 0..65535u16], prop_oneof![Just(255u8), any::<u8>()]);
        let len = prop_oneof![Just(1u32), 1..20u32, 250..260u32, 1..9000u32];
        proptest::collection::vec((len, voxel.prop_map(|(m, o)| Voxel::new(m, o))), 0..600)
    }

    /// The runs up to the end of the chunk, filled up with air.
    fn tree(runs: &[(u32, Voxel)]) -> Chunk {
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
        fn any_tree_comes_back(runs in any_runs()) {
            round_trip(&tree(&runs));
        }

        #[test]
        fn any_bytes_are_a_chunk_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(chunk) = decode(&bytes, 300) {
                chunk.check().unwrap();
            }
        }

        #[test]
        fn changed_bytes_are_a_chunk_or_an_error(runs in any_runs(), at in any::<usize>(), to in any::<u8>()) {
            let mut bytes = encode(&tree(&runs));
            let at = at % bytes.len();
            bytes[at] = to;
            if let Ok(chunk) = decode(&bytes, 300) {
                chunk.check().unwrap();
            }
        }
    }
}
