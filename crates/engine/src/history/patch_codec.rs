//! The change of one chunk as bytes: a mask of the voxels that differ, their values before the
//! edit, and their values after it.
//!
//! A byte, the kind, holds the form of each of the three parts; the encoder chooses the shortest
//! form.
//!
//! ```text
//! bits 0-1  which voxels: 0 all of them; 1 gaps and ranges (codec/bit_mask); 2 predicted runs of
//!           a chunk that is 0 where nothing changes; 3 one bit per voxel, lowest first, 4096 bytes
//! bits 2-3  values before: 0 one voxel: material u16, occupancy u8, and if wet liquid u8; 1
//!           predicted runs of a chunk with these values in their places; 2 bit-packed runs of a
//!           chunk with these values one after the other, in linear order; 3 these values as packed
//!           voxels. Other voxels of these chunks do not matter
//! bits 4-5  values after, likewise
//! bit 6     1 if the values before are one wet voxel
//! bit 7     1 if the values after are one wet voxel
//! ```

use super::{ChunkChange, PatchError};
use crate::codec::{bit_mask, bit_rle, packed, predicted, wet_voxel};
use crate::runs::{Run, RunBuilder};
use crate::voxel::{CHUNK_VOLUME, ChunkPos, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Voxel that stands for a set bit in a mask written as runs.
const CHANGED: Voxel = Voxel::full(1);
/// Size in bytes of a mask with a bit per voxel.
const MASK_BYTES: usize = CHUNK_VOLUME / 8;
/// Size in bytes of values that are all one dry voxel; a wet one takes one more.
const ONE_VOXEL_BYTES: usize = 3;

const MASK_ALL: u8 = 0;
const MASK_RANGES: u8 = 1;
const MASK_PREDICTED: u8 = 2;
const MASK_BITS: u8 = 3;
const SIDE_ONE: u8 = 0;
const SIDE_PREDICTED: u8 = 1;
const SIDE_COMPACT: u8 = 2;
const SIDE_PACKED: u8 = 3;
/// Flag of [`EncodedPatch::kind`]: the values before are one wet voxel.
const WET_BEFORE: u8 = 1 << 6;
/// Flag of [`EncodedPatch::kind`]: the values after are one wet voxel.
const WET_AFTER: u8 = 1 << 7;
/// Maximum bits per run at which packed voxels are chosen without trying the other forms. In noise,
/// runs take more bits than this. In a regular pattern they may take fewer, but LZ4 then compresses
/// every form well.
const NOISE_BITS: usize = 3;

/// The change of a chunk as bytes: a kind and three parts.
pub(super) struct EncodedPatch {
    /// Forms of the parts, as described in the module header.
    pub kind: u8,
    /// Mask of the voxels that differ, values before, values after.
    pub parts: [Vec<u8>; 3],
}

/// True if the bits of `kind` fit together: only one voxel can be marked as wet.
pub(super) fn is_kind(kind: u8) -> bool {
    let side = |form: u8, wet: u8| form == SIDE_ONE || kind & wet == 0;
    side(kind >> 2 & 3, WET_BEFORE) && side(kind >> 4 & 3, WET_AFTER)
}

/// Returns the length of each part in bytes, if its form determines it.
pub(super) fn fixed_lengths(kind: u8) -> [Option<usize>; 3] {
    let side = |form: u8, wet: u8| {
        (form == SIDE_ONE).then_some(ONE_VOXEL_BYTES + usize::from(kind & wet != 0))
    };
    let mask = match kind & 3 {
        MASK_ALL => Some(0),
        MASK_BITS => Some(MASK_BYTES),
        _ => None,
    };
    [mask, side(kind >> 2 & 3, WET_BEFORE), side(kind >> 4 & 3, WET_AFTER)]
}

/// Encodes the change of a chunk.
pub(super) fn encode(change: &ChunkChange) -> EncodedPatch {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    change.before.for_each_differing(&change.after, |range| match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    });
    let (mask_kind, mask) = encode_mask(&ranges);
    let (before_kind, before) = encode_side(&change.before, &ranges);
    let (after_kind, after) = encode_side(&change.after, &ranges);
    let wet = |kind: u8, bytes: &[u8], flag: u8| {
        if kind == SIDE_ONE && bytes.len() > ONE_VOXEL_BYTES { flag } else { 0 }
    };
    let wet_before = wet(before_kind, &before, WET_BEFORE);
    let wet_after = wet(after_kind, &after, WET_AFTER);
    EncodedPatch {
        kind: mask_kind | before_kind << 2 | after_kind << 4 | wet_before | wet_after,
        parts: [mask, before, after],
    }
}

fn is_whole(ranges: &[Range<usize>]) -> bool {
    matches!(ranges, [all] if all.len() == CHUNK_VOLUME)
}

fn encode_mask(ranges: &[Range<usize>]) -> (u8, Vec<u8>) {
    if is_whole(ranges) {
        return (MASK_ALL, Vec::new());
    }
    let lengths = bit_mask::encode(ranges);
    let mut best = (MASK_RANGES, lengths);
    if ranges.len() > 8 {
        let mut chunk = Chunk::uniform(Voxel::AIR);
        chunk.set_ranges(ranges.iter().map(|range| (range.clone(), CHANGED)));
        let runs = predicted::encode(&chunk);
        if runs.len() < best.1.len() {
            best = (MASK_PREDICTED, runs);
        }
    }
    if best.1.len() > MASK_BYTES {
        let mut bits = vec![0; MASK_BYTES];
        for index in ranges.iter().cloned().flatten() {
            bits[index / 8] |= 1 << (index % 8);
        }
        best = (MASK_BITS, bits);
    }
    best
}

fn encode_side(chunk: &Chunk, ranges: &[Range<usize>]) -> (u8, Vec<u8>) {
    let changed = || ranges.iter().flat_map(|range| chunk.runs_in(range.clone()));
    // A change has at least one voxel.
    let first = changed().next().map_or(Voxel::AIR, |run| run.voxel);
    let mut runs = 0;
    let mut voxels = 0;
    let mut different = FxHashSet::default();
    let mut last = [None; 2];
    changed().for_each(|run| {
        runs += 1;
        voxels += run.len as usize;
        // In noise, half of the runs have the value of the run before last, which needs no lookup.
        if !last.contains(&Some(run.voxel)) {
            different.insert(run.voxel);
        }
        last = [last[1], Some(run.voxel)];
    });
    if different.len() < 2 {
        return (SIDE_ONE, one_voxel(first));
    }
    let packed_bytes = packed::number_bytes(different.len(), voxels);
    if packed_bytes * 8 <= runs * NOISE_BITS {
        return (SIDE_PACKED, packed::encode_runs(changed));
    }
    let mut best = (SIDE_PREDICTED, predicted::encode(chunk));
    if !is_whole(ranges) {
        // In the chunk to encode, voxels that do not change continue the run before them.
        let mut filled = RunBuilder::new();
        let mut last = first;
        changed().for_each(|Run { start, len, voxel, .. }| {
            filled.push(start - filled.position() as u32, last);
            filled.push(len, voxel);
            last = voxel;
        });
        filled.push((CHUNK_VOLUME - filled.position()) as u32, last);
        let filled = predicted::encode(&filled.finish());
        if filled.len() < best.1.len() {
            best.1 = filled;
        }
    }
    let mut compact = RunBuilder::new();
    let mut last = first;
    changed().for_each(|run| {
        compact.push(run.len, run.voxel);
        last = run.voxel;
    });
    compact.push((CHUNK_VOLUME - compact.position()) as u32, last);
    let compact = bit_rle::encode(&compact.finish());
    if compact.len() < best.1.len() {
        best = (SIDE_COMPACT, compact);
    }
    if packed_bytes < best.1.len() {
        let packed = packed::encode_runs(changed);
        if packed.len() < best.1.len() {
            best = (SIDE_PACKED, packed);
        }
    }
    best
}

/// Encodes values that are all `voxel`.
fn one_voxel(voxel: Voxel) -> Vec<u8> {
    let [low, high] = voxel.material().to_le_bytes();
    let mut bytes = vec![low, high, voxel.occupancy()];
    if voxel.is_wet() {
        bytes.push(voxel.liquid());
    }
    bytes
}

/// Decodes the change of the chunk at `pos`. Voxels that do not change are air on both sides.
///
/// # Errors
/// The bytes are malformed, or name a material beyond a table of `material_count`.
pub(super) fn decode(
    pos: ChunkPos,
    kind: u8,
    parts: [&[u8]; 3],
    material_count: usize,
) -> Result<ChunkChange, PatchError> {
    let ranges = decode_mask(kind & 3, parts[0])?;
    let before = decode_side(kind >> 2 & 3, parts[1], &ranges, material_count)?;
    let after = decode_side(kind >> 4 & 3, parts[2], &ranges, material_count)?;
    ChunkChange::new(pos, before, after).ok_or(PatchError::Unchanged)
}

fn decode_mask(form: u8, bytes: &[u8]) -> Result<Vec<Range<usize>>, PatchError> {
    let ranges_of = |chunk: &Chunk| {
        chunk
            .runs()
            .filter(|run| run.voxel == CHANGED)
            .map(|run| run.start as usize..run.end() as usize)
            .collect()
    };
    Ok(match form {
        MASK_ALL => Vec::from([Range { start: 0, end: CHUNK_VOLUME }]),
        MASK_RANGES => bit_mask::decode(bytes)?,
        MASK_PREDICTED => ranges_of(&predicted::decode(bytes, 2)?),
        _ => {
            let voxel = |index: usize| {
                if bytes[index / 8] >> (index % 8) & 1 == 1 { CHANGED } else { Voxel::AIR }
            };
            if bytes.len() != MASK_BYTES {
                return Err(PatchError::Length);
            }
            ranges_of(&Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))))
        }
    })
}

/// Decodes the values before or after: a chunk with them in `ranges`, and air elsewhere.
fn decode_side(
    form: u8,
    bytes: &[u8],
    ranges: &[Range<usize>],
    material_count: usize,
) -> Result<Chunk, PatchError> {
    let chunk = match form {
        SIDE_ONE => {
            let (&[low, high, occupancy], liquid) =
                bytes.split_first_chunk().ok_or(PatchError::Length)?;
            let material = u16::from_le_bytes([low, high]);
            Chunk::uniform(match *liquid {
                [] => Voxel::new(material, occupancy),
                [liquid] => wet_voxel(material, occupancy, liquid)?,
                _ => return Err(PatchError::Length),
            })
        }
        SIDE_PREDICTED => predicted::decode(bytes, material_count)?,
        SIDE_COMPACT => bit_rle::decode(bytes)?,
        // Two bits have no further form. A change has at least one voxel, so an empty mask, an
        // error found later, decodes as one.
        _ => packed::decode(
            bytes,
            ranges.iter().map(Range::len).sum::<usize>().max(1),
            material_count,
        )?,
    };
    if let Some(voxel) =
        chunk.values().find(|voxel| usize::from(voxel.material()) >= material_count)
    {
        return Err(PatchError::Material(voxel.material()));
    }
    if is_whole(ranges) {
        return Ok(chunk);
    }
    let mut builder = RunBuilder::new();
    let mut taken = 0;
    for range in ranges {
        builder.push((range.start - builder.position()) as u32, Voxel::AIR);
        let source = if form >= SIDE_COMPACT { taken..taken + range.len() } else { range.clone() };
        chunk.runs_in(source).for_each(|run| builder.push(run.len, run.voxel));
        taken += range.len();
    }
    builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
    Ok(builder.finish())
}

/// Upper bound of the bytes of a change, estimated from its numbers of runs and of voxels.
pub(super) fn estimated_bytes(change: &ChunkChange) -> u64 {
    let volume = change.known_volume().unwrap_or_else(|| change.area.volume());
    let capped = |count: usize| (count as u64).min(volume);
    let side = |chunk: &Chunk| {
        // Each different voxel takes up to four bytes, and two more if it is wet.
        let wet = chunk.values().filter(|voxel| voxel.is_wet()).count();
        let values = 4 * capped(chunk.values().len()) + 2 * capped(wet);
        12 + 4 * capped(chunk.run_count()) + values
    };
    let mask = (16 + 4 * capped(change.before.run_count() + change.after.run_count()))
        .min(MASK_BYTES as u64);
    // The position takes up to 15 bytes; the kind and the lengths of the parts up to 10.
    25 + mask + side(&change.before) + side(&change.after)
}
