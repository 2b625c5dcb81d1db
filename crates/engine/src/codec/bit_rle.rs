//! Bit-packed RLE: every run in as few bits as its fields need, with no compressor behind it.
//!
//! The Roblox text: "We also use a variant of this with more aggressive bit packing and some other
//! tweaks for network replication", which "is advantageous because it compresses and decompresses
//! data very quickly and requires no state". The text does not give that layout. The layout here
//! lists each distinct voxel once, refers to it by the narrowest index, and writes lengths as
//! Exp-Golomb codes of the order that gives the fewest bits for the chunk.
//!
//! ```text
//! voxels    count - 1      Exp-Golomb, order 0; count is 1 to 32768
//!           each:  material    Exp-Golomb, order 5 (up to 31 in 6 bits, up to 95 in 8)
//!                  partial     1 bit, not for air: 0 = full, 1 = an occupancy follows
//!                  occupancy   8 bits below 255, decodes to (v + 1) / 256; 255 = wet
//!                  wet         occupancy, 8 bits below 255; liquid, 8 bits, 1 to 255 - occupancy
//! order     4 bits: Exp-Golomb order of the lengths
//! runs      until 32768 voxels are covered, in linear order (x fastest, then z, then y); each is
//!           index       ceil(log2(count)) bits, into the list of voxels
//!           length - 1  Exp-Golomb of that order
//! ```
//!
//! Voxels are listed in order of first use. Zeros pad the last byte.

use super::LiquidError;
use super::msb_bits::{MAX_EXP_GOLOMB_ORDER, MsbBitReader, MsbBitWriter, exp_golomb_bits};
use super::wet::{LIQUID_ESCAPE, wet_voxel};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;

/// Exp-Golomb order of materials.
const MATERIAL_ORDER: u32 = 5;
/// Bits of the field that holds the lengths' order.
const ORDER_BITS: u32 = 4;

/// Error of the bit-packed RLE decoder, with its bit position.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("bit {at}: {kind}")]
pub struct BitRleError {
    /// Number of bits read before the error.
    pub at: usize,
    /// Reason.
    pub kind: BitRleErrorKind,
}

/// Reasons of a [`BitRleError`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitRleErrorKind {
    /// The bits end early, or an Exp-Golomb code is too long.
    #[error("the data ends early, or a number is too long")]
    Truncated,
    /// The number of distinct voxels exceeds what a chunk holds.
    #[error("{0} distinct voxels, more than a chunk holds")]
    VoxelCount(usize),
    /// An index into the list of voxels is out of range.
    #[error("voxel index {0} is out of range")]
    VoxelIndex(u32),
    /// A voxel cannot hold its liquid.
    #[error(transparent)]
    Liquid(#[from] LiquidError),
    /// A run passes the end of the chunk.
    #[error("a run passes the end of the chunk")]
    RunTooLong,
    /// Bits other than padding follow the last run.
    #[error("data follows the last voxel")]
    Trailing,
}

/// Bits of an index into a list of `count` voxels.
fn index_bits(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// Encodes a chunk.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let mut voxels: Vec<Voxel> = Vec::new();
    let mut index_of: FxHashMap<Voxel, u32> = FxHashMap::default();
    // Index, and length - 1, of each run.
    let mut runs: Vec<(u32, u32)> = Vec::with_capacity(chunk.run_count());
    let mut bits_by_order = [0u64; MAX_EXP_GOLOMB_ORDER as usize + 1];
    for run in chunk.runs() {
        let index = *index_of.entry(run.voxel).or_insert_with(|| {
            voxels.push(run.voxel);
            voxels.len() as u32 - 1
        });
        runs.push((index, run.len - 1));
        for (order, bits) in (0..).zip(&mut bits_by_order) {
            *bits += u64::from(exp_golomb_bits(run.len - 1, order));
        }
    }
    let order =
        (0..=MAX_EXP_GOLOMB_ORDER).min_by_key(|&order| bits_by_order[order as usize]).unwrap_or(0);

    let mut out = MsbBitWriter::default();
    out.put_exp_golomb(voxels.len() as u32 - 1, 0);
    for voxel in &voxels {
        out.put_exp_golomb(u32::from(voxel.material()), MATERIAL_ORDER);
        if !voxel.is_air() {
            out.put(u32::from(!voxel.is_full()), 1);
            if voxel.is_wet() {
                out.put(u32::from(LIQUID_ESCAPE), 8);
            }
            if !voxel.is_full() {
                out.put(u32::from(voxel.occupancy()), 8);
            }
            if voxel.is_wet() {
                out.put(u32::from(voxel.liquid()), 8);
            }
        }
    }
    out.put(order, ORDER_BITS);
    let bits = index_bits(voxels.len());
    for (index, length) in runs {
        out.put(index, bits);
        out.put_exp_golomb(length, order);
    }
    out.finish()
}

/// Decodes a chunk.
///
/// # Errors
/// The bytes are malformed. No input causes a panic or an allocation beyond what one chunk needs.
pub fn decode(bytes: &[u8]) -> Result<Chunk, BitRleError> {
    use BitRleErrorKind::{RunTooLong, Trailing, Truncated, VoxelCount, VoxelIndex};
    let mut reader = MsbBitReader::new(bytes);
    let fail = |reader: &MsbBitReader<'_>, kind| BitRleError { at: reader.position(), kind };
    let count = reader.get_exp_golomb(0).ok_or_else(|| fail(&reader, Truncated))? as usize + 1;
    if count > CHUNK_VOLUME {
        return Err(fail(&reader, VoxelCount(count)));
    }
    let mut voxels = Vec::new();
    for _ in 0..count {
        let voxel = read_voxel(&mut reader).ok_or_else(|| fail(&reader, Truncated))?;
        voxels.push(voxel.map_err(|error| fail(&reader, error.into()))?);
    }
    let order = reader.get(ORDER_BITS).ok_or_else(|| fail(&reader, Truncated))?;
    let mut runs = RunBuilder::new();
    while runs.position() < CHUNK_VOLUME {
        let index = reader.get(index_bits(count)).ok_or_else(|| fail(&reader, Truncated))?;
        let len =
            reader.get_exp_golomb(order).ok_or_else(|| fail(&reader, Truncated))? as usize + 1;
        let voxel = *voxels.get(index as usize).ok_or_else(|| fail(&reader, VoxelIndex(index)))?;
        if runs.position() + len > CHUNK_VOLUME {
            return Err(fail(&reader, RunTooLong));
        }
        runs.push(len as u32, voxel);
    }
    if reader.is_at_end() { Ok(runs.finish()) } else { Err(fail(&reader, Trailing)) }
}

/// Reads one entry of the list of voxels; `None` if the bits end early.
fn read_voxel(reader: &mut MsbBitReader<'_>) -> Option<Result<Voxel, LiquidError>> {
    // Exp-Golomb numbers are below 65535, so it fits into 16 bits and differs from the material of
    // `Voxel::NOT_LOADED`.
    let material = reader.get_exp_golomb(MATERIAL_ORDER)? as u16;
    let is_partial = material != 0 && reader.get(1)? == 1;
    if !is_partial {
        return Some(Ok(Voxel::full(material)));
    }
    let mut byte = || Some(reader.get(8)? as u8);
    Some(match byte()? {
        LIQUID_ESCAPE => wet_voxel(material, byte()?, byte()?),
        occupancy => Ok(Voxel::new(material, occupancy)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::test_chunks::{any_runs, chunk_from};
    use proptest::prelude::*;

    fn round_trip(chunk: &Chunk) -> usize {
        let bytes = encode(chunk);
        let back = decode(&bytes).unwrap();
        assert!(back == *chunk);
        back.check().unwrap();
        bytes.len()
    }

    #[test]
    fn encoded_bits_match_documented_layout() {
        // Count - 1 = 0: `1`. Air: `100000`. Order 15: `1111`. An index of 0 bits. Length - 1 =
        // 32767 at order 15: sixteen ones.
        assert_eq!(encode(&Chunk::uniform(Voxel::AIR)), [0b1100_0001, 0xFF, 0xFF, 0b1110_0000]);
        // Count - 1 = 1: `010`. Material 3, full: `100011 0`. Material 40, occupancy 7: `01001000 1
        // 00000111`. Order 14: `1110`. Then two runs, each an index bit and length - 1 = 16383 at
        // order 14, fifteen ones.
        let halves = Chunk::from_runs([(16384, Voxel::full(3)), (16384, Voxel::new(40, 7))]);
        assert_eq!(
            encode(&halves),
            [0b0101_0001, 0b1001_0010, 0b0010_0000, 0b1111_1100, 0xFF, 0xFF, 0xFF, 0b1111_1110]
        );
        assert_eq!(round_trip(&halves), 8);
        // As the chunk of air, but material 3: `100011`, partial: `1`, wet: `11111111`, occupancy
        // 200: `11001000`, liquid 55: `00110111`.
        let wet = Chunk::uniform(Voxel::new(3, 200).with_liquid(55));
        assert_eq!(encode(&wet), [0b1100_0111, 0xFF, 200, 55, 0xFF, 0xFF, 0b1111_0000]);
        round_trip(&wet);
    }

    #[test]
    fn worst_case_chunks_round_trip() {
        let all = CHUNK_VOLUME as u32;
        for voxel in [Voxel::AIR, Voxel::full(65534), Voxel::new(1, 0)] {
            assert!(round_trip(&Chunk::uniform(voxel)) <= 8);
        }
        // Chunks of one-voxel runs with 2, 300 and 32768 distinct voxels.
        assert_eq!(
            round_trip(&Chunk::from_runs((0..all).map(|i| (1, Voxel::full(i as u16 & 1))))),
            32768 * 2 / 8 + 3
        );
        round_trip(&Chunk::from_runs((0..all).map(|i| (1, Voxel::full((i % 300) as u16)))));
        round_trip(&Chunk::from_runs(
            (0..all).map(|i| (1, Voxel::new(i as u16 + 1, i as u8 & 0x7F))),
        ));
        for len in [1, 2, 3, 255, 256, 257, 32766, 32767] {
            round_trip(&Chunk::from_runs([(len, Voxel::full(3)), (all - len, Voxel::new(3, 7))]));
        }
    }

    #[test]
    fn encoder_chooses_shortest_length_order() {
        // A length of 1 takes one bit at order 0; a length of 32 takes six bits at order 5.
        let ones = Chunk::from_runs((0..32768).map(|i| (1, Voxel::full(1 + (i as u16 & 1)))));
        let mut rows = Chunk::from_runs((0..1024).map(|i| (32, Voxel::full(1 + (i as u16 & 1)))));
        assert_eq!(round_trip(&ones), (3 + 14 + 4 + 32768 * 2usize).div_ceil(8));
        assert_eq!(round_trip(&rows), (3 + 14 + 4 + 1024 * 7usize).div_ceil(8));
        rows.set(5, Voxel::AIR);
        round_trip(&rows);
    }

    #[test]
    fn malformed_bytes_are_rejected() {
        use BitRleErrorKind::{Liquid, RunTooLong, Trailing, Truncated, VoxelCount, VoxelIndex};
        let reason = |bytes: &[u8]| decode(bytes).unwrap_err().kind;
        assert_eq!(reason(&[]), Truncated);
        assert_eq!(reason(&[0; 40]), Truncated);
        let mut air = encode(&Chunk::uniform(Voxel::AIR));
        assert_eq!(reason(&air[..3]), Truncated);
        air.push(0);
        assert_eq!(reason(&air), Trailing);
        air.pop();
        air[3] |= 1;
        assert_eq!(reason(&air), Trailing);
        // A count of 32769; a material above the limit; a run of 65535 voxels; index 3 into a list
        // of 3.
        let bits = |numbers: &[(u32, u32)]| {
            let mut out = MsbBitWriter::default();
            for &(value, bits) in numbers {
                out.put(value, bits);
            }
            out.finish()
        };
        assert_eq!(reason(&bits(&[(32769, 31)])), VoxelCount(32769));
        assert_eq!(reason(&bits(&[(1, 1), (65535 + 32, 28), (0, 1)])), Truncated);
        assert_eq!(reason(&bits(&[(1, 1), (32, 6), (15, 4), (65534 + 32768, 18)])), RunTooLong);
        let three = [(3, 3), (32, 6), (33, 6), (0, 1), (34, 6), (0, 1), (0, 4)];
        assert_eq!(reason(&bits(&[&three[..], &[(3, 2), (1, 1)]].concat())), VoxelIndex(3));
        // One wet voxel of material 3; the liquid ends at bit 32.
        for (occupancy, liquid) in [(9, 0), (100, 156), (255, 1)] {
            let fields = [(1, 1), (35, 6), (1, 1), (255, 8), (occupancy, 8), (liquid, 8), (0, 9)];
            let error =
                LiquidError { material: 3, occupancy: occupancy as u8, liquid: liquid as u8 };
            assert_eq!(decode(&bits(&fields)), Err(BitRleError { at: 32, kind: Liquid(error) }));
            assert_eq!(reason(&bits(&fields[..4])), Truncated);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_chunk_round_trips(runs in any_runs(80)) {
            let chunk = chunk_from(&runs);
            round_trip(&chunk);
            // Damaged bytes decode to a valid chunk or to an error.
            let mut bytes = encode(&chunk);
            for at in 0..bytes.len().min(20) {
                bytes[at] ^= 0x10;
                if let Ok(other) = decode(&bytes) {
                    other.check().unwrap();
                }
            }
        }

        #[test]
        fn arbitrary_bytes_give_chunk_or_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(chunk) = decode(&bytes) {
                chunk.check().unwrap();
            }
        }
    }
}
