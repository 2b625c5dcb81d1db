//! Byte-RLE: the voxels of one chunk as bytes, after the Roblox text ("Disk format").
//!
//! The text packs a run into a lead byte (6 bits material, 1 bit "an occupancy byte follows", 1 bit
//! "a length byte follows"), an optional occupancy byte and an optional length byte. No field
//! crosses a byte boundary, because LZ4 compresses the result. Four extensions make every chunk
//! lossless: materials are indices into a palette of the chunk (a map may hold 65535), code 63
//! announces a palette index that does not fit into six bits, length byte 0, which the text
//! reserves "to extend the run format", announces a 16-bit length, and occupancy byte 255, which a
//! full run does not have, announces liquid.
//!
//! ```text
//! palette   count          LEB128 varint, 1 to 32768
//!           materials      count x u16, little-endian: indices into the map's material table
//! runs      until 32768 voxels are covered, in linear order (x fastest, then z, then y); each is
//!   lead    bits 0-5       code: palette index 0 to 62, or 63 = escape
//!           bit 6 (0x40)   an occupancy byte follows; else the run is full, or air if material 0
//!           bit 7 (0x80)   a length byte follows; else the run is one voxel
//!   escape  (code 63)      palette index, LEB128 varint
//!   occupancy (bit 6)      u8 below 255, decodes to (v + 1) / 256, or 255 = wet; never with
//!                          material 0
//!   wet (occupancy 255)    occupancy, u8 below 255; liquid, u8, 1 to 255 - occupancy
//!   length  (bit 7)        u8: 1 to 255 = length - 1; 0 = length - 1 follows as u16 little-endian
//! ```
//!
//! The palette is sorted by number of runs, highest first, so only rare materials need the escape.
//! The encoder never writes two equal adjacent runs; the decoder accepts and joins them (the text's
//! own encoder splits runs at 256). Nothing may follow the last run.

mod error;

pub use error::{ByteRleError, ByteRleErrorKind};

use crate::codec::varint::{self, VarintError};
use crate::codec::wet::{LIQUID_ESCAPE, push_partial, wet_voxel};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, MaterialId, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;

/// Code of a lead byte whose palette index follows as a varint.
const ESCAPE: u8 = 63;
const OCCUPANCY_FOLLOWS: u8 = 0x40;
const LENGTH_FOLLOWS: u8 = 0x80;

/// Upper bound of an encoded chunk: 32768 materials, each in one wet voxel.
pub const MAX_BYTES: usize = 3 + CHUNK_VOLUME * 2 + CHUNK_VOLUME * 7;

/// Materials of a chunk, sorted by number of runs, highest first, and the index of each.
fn palette_of(chunk: &Chunk) -> (Vec<MaterialId>, FxHashMap<MaterialId, u16>) {
    let mut runs_of: FxHashMap<MaterialId, u32> = FxHashMap::default();
    let mut last: Option<(MaterialId, u32)> = None;
    chunk.runs().for_each(|run| {
        // Half of all runs repeat the previous material: a local count saves their hash lookups.
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
/// use stonerun_engine::codec::byte_rle;
/// use stonerun_engine::voxel::Voxel;
/// use stonerun_engine::world::Chunk;
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
    for m in &palette {
        out.extend_from_slice(&m.to_le_bytes());
    }
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
            push_partial(&mut out, run.voxel);
        }
        match run.len {
            1 => {}
            len @ 2..=256 => out.push((len - 1) as u8),
            // At most 32768, the chunk's volume, so length - 1 fits into 16 bits.
            len => {
                out.push(0);
                out.extend_from_slice(&((len - 1) as u16).to_le_bytes());
            }
        }
    });
    out
}

/// Reader of single bytes that tracks its position.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Result<u8, ByteRleError> {
        let byte = *self
            .bytes
            .get(self.at)
            .ok_or(ByteRleError { at: self.at, kind: ByteRleErrorKind::Truncated })?;
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
            // Three bytes hold 21 bits, so `TooLarge` cannot occur.
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
        if let Some((voxel, len, bytes)) =
            common_run(cursor.bytes.get(cursor.at..).unwrap_or_default(), &palette)
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
            match cursor.byte()? {
                LIQUID_ESCAPE => wet_voxel(material, cursor.byte()?, cursor.byte()?)
                    .map_err(|error| ByteRleError { at, kind: error.into() })?,
                occupancy => Voxel::new(material, occupancy),
            }
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

/// Decodes the first run of `bytes` if it has the common form: one of the first 63 materials and at
/// most 256 dry voxels. Returns its voxel, its length and its size in bytes. Whether occupancy and
/// length follow is unpredictable, so no branch depends on it. Returns `None` also for the last two
/// bytes, which the caller reads field by field.
#[inline]
fn common_run(bytes: &[u8], palette: &[u16]) -> Option<(Voxel, usize, usize)> {
    let &[lead, first, second, ..] = bytes else { return None };
    let &material = palette.get(usize::from(lead & ESCAPE))?;
    let partial = lead & OCCUPANCY_FOLLOWS != 0;
    let long = lead & LENGTH_FOLLOWS != 0;
    let more = if partial { second } else { first };
    let is_special = (material == 0) | (first == LIQUID_ESCAPE);
    if (lead & ESCAPE == ESCAPE) | (partial & is_special) | (long & (more == 0)) {
        return None;
    }
    let voxel = if partial { Voxel::new(material, first) } else { Voxel::full(material) };
    Some((
        voxel,
        if long { usize::from(more) + 1 } else { 1 },
        1 + usize::from(partial) + usize::from(long),
    ))
}

#[cfg(test)]
mod tests;
