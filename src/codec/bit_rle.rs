//! Bit-packed RLE: runs with no bit to spare, and no compressor after it.
//!
//! The Roblox text: "We also use a variant of this with more aggressive bit packing and some other tweaks for network
//! replication", which "is advantageous because it compresses and decompresses data very quickly and requires no state". It
//! does not say how its variant packs. This one does what is usual: the kinds of voxels once, an index of as few bits as
//! will do for each run, and lengths as Exp-Golomb codes, whose order is the best one for the chunk.
//!
//! ```text
//! kinds     count - 1      Exp-Golomb, order 0; count is 1 to 32768
//!           each:  material    Exp-Golomb, order 5 (up to 31 in 6 bits, up to 95 in 8)
//!                  partial     1 bit, not for air: 0 = full, 1 = an occupancy follows
//!                  occupancy   8 bits, decodes to (v + 1) / 256
//! order     4 bits: the order of the lengths
//! runs      until 32768 voxels are covered, in linear order (x fastest, then z, then y); each is
//!           index       ceil(log2(count)) bits, among the kinds
//!           length - 1  Exp-Golomb of that order
//! ```
//!
//! Kinds stand in the order in which the chunk comes to them. The last byte is filled up with zeros.

use super::bits::{BitReader, BitWriter, MOST_ORDER, exp_golomb_bits};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;

/// Order of a material's code.
const MATERIAL_ORDER: u32 = 5;
/// Bits of the lengths' order.
const ORDER_BITS: u32 = 4;

/// Bytes that are no chunk.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("bit {at}: {reason}")]
pub struct BitRleError {
    /// The bit behind what was read.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

/// Bits of an index among so many kinds.
fn index_bits(kinds: usize) -> u32 {
    kinds.next_power_of_two().trailing_zeros()
}

/// The chunk in as few bits as this code can: see the module's text.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    let mut kinds: Vec<Voxel> = Vec::new();
    let mut index_of: FxHashMap<Voxel, u32> = FxHashMap::default();
    // Index and length - 1 of each run.
    let mut runs: Vec<(u32, u32)> = Vec::with_capacity(chunk.run_count());
    let mut bits_of = [0u64; MOST_ORDER as usize + 1];
    for run in chunk.runs() {
        let index = *index_of.entry(run.voxel).or_insert_with(|| {
            kinds.push(run.voxel);
            kinds.len() as u32 - 1
        });
        runs.push((index, run.len - 1));
        for (order, bits) in (0..).zip(&mut bits_of) {
            *bits += u64::from(exp_golomb_bits(run.len - 1, order));
        }
    }
    let order = (0..=MOST_ORDER).min_by_key(|&order| bits_of[order as usize]).unwrap_or(0);

    let mut out = BitWriter::default();
    out.put_exp_golomb(kinds.len() as u32 - 1, 0);
    for kind in &kinds {
        out.put_exp_golomb(u32::from(kind.material()), MATERIAL_ORDER);
        if !kind.is_air() {
            out.put(u32::from(!kind.is_full()), 1);
            if !kind.is_full() {
                out.put(u32::from(kind.occupancy()), 8);
            }
        }
    }
    out.put(order, ORDER_BITS);
    let bits = index_bits(kinds.len());
    for (index, length) in runs {
        out.put(index, bits);
        out.put_exp_golomb(length, order);
    }
    out.finish()
}

/// The chunk that `bytes` describe.
///
/// # Errors
/// The place and the reason; no bytes make it panic or allocate more than a chunk can need.
pub fn decode(bytes: &[u8]) -> Result<Chunk, BitRleError> {
    let mut from = BitReader::new(bytes);
    let fail = |from: &BitReader<'_>, reason| BitRleError { at: from.position(), reason };
    let ends = "the data end too early, or a number has too many digits";
    let count = from.get_exp_golomb(0).ok_or_else(|| fail(&from, ends))? as usize + 1;
    if count > CHUNK_VOLUME {
        return Err(fail(&from, "more kinds than a chunk has voxels"));
    }
    let mut kinds = Vec::new();
    for _ in 0..count {
        kinds.push(kind(&mut from).ok_or_else(|| fail(&from, ends))?);
    }
    let order = from.get(ORDER_BITS).ok_or_else(|| fail(&from, ends))?;
    let mut runs = RunBuilder::new();
    while runs.position() < CHUNK_VOLUME {
        let index = from.get(index_bits(count)).ok_or_else(|| fail(&from, ends))?;
        let len = from.get_exp_golomb(order).ok_or_else(|| fail(&from, ends))? as usize + 1;
        let kind = *kinds.get(index as usize).ok_or_else(|| fail(&from, "an index past the last kind"))?;
        if runs.position() + len > CHUNK_VOLUME {
            return Err(fail(&from, "a run passes the end of the chunk"));
        }
        runs.push(len as u32, kind);
    }
    if from.is_at_end() { Ok(runs.finish()) } else { Err(fail(&from, "more follows after the last voxel")) }
}

/// A kind of voxel; none where the bytes end before.
fn kind(from: &mut BitReader<'_>) -> Option<Voxel> {
    // Below 65535, so it fits, and never stands for what is not loaded.
    let material = from.get_exp_golomb(MATERIAL_ORDER)? as u16;
    let is_partial = material != 0 && from.get(1)? == 1;
    Some(if is_partial { Voxel::new(material, from.get(8)? as u8) } else { Voxel::full(material) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(chunk: &Chunk) -> usize {
        let bytes = encode(chunk);
        let back = decode(&bytes).unwrap();
        assert!(back == *chunk);
        back.check().unwrap();
        bytes.len()
    }

    #[test]
    fn the_bits_are_as_the_text_says() {
        // One kind: 1; air: 100000; order 15: 1111; no index; 32767 at order 15: sixteen ones.
        assert_eq!(encode(&Chunk::uniform(Voxel::AIR)), [0b1100_0001, 0xFF, 0xFF, 0b1110_0000]);
        // Two kinds: 010; 3, full: 100011 0; 40, partial, 7: 01001000 1 00000111; order 14: 1110; then an index and
        // 16383 at order 14, fifteen ones, twice.
        let halves = Chunk::from_runs([(16384, Voxel::full(3)), (16384, Voxel::new(40, 7))]);
        assert_eq!(
            encode(&halves),
            [0b0101_0001, 0b1001_0010, 0b0010_0000, 0b1111_1100, 0xFF, 0xFF, 0xFF, 0b1111_1110]
        );
        assert_eq!(round_trip(&halves), 8);
    }

    #[test]
    fn the_worst_chunks_come_back() {
        let all = CHUNK_VOLUME as u32;
        for voxel in [Voxel::AIR, Voxel::full(65534), Voxel::new(1, 0)] {
            assert!(round_trip(&Chunk::uniform(voxel)) <= 8);
        }
        // Each voxel a run: of two kinds, of 300, of 32768 partial ones.
        assert_eq!(round_trip(&Chunk::from_runs((0..all).map(|i| (1, Voxel::full(i as u16 & 1))))), 32768 * 2 / 8 + 3);
        round_trip(&Chunk::from_runs((0..all).map(|i| (1, Voxel::full((i % 300) as u16)))));
        round_trip(&Chunk::from_runs((0..all).map(|i| (1, Voxel::new(i as u16 + 1, i as u8 & 0x7F)))));
        for len in [1, 2, 3, 255, 256, 257, 32766, 32767] {
            round_trip(&Chunk::from_runs([(len, Voxel::full(3)), (all - len, Voxel::new(3, 7))]));
        }
    }

    #[test]
    fn the_order_is_the_best_one() {
        // Lengths of 1 take a bit each at order 0, those of 33 six bits at order 5.
        let ones = Chunk::from_runs((0..32768).map(|i| (1, Voxel::full(1 + (i as u16 & 1)))));
        let mut rows = Chunk::from_runs((0..1024).map(|i| (32, Voxel::full(1 + (i as u16 & 1)))));
        assert_eq!(round_trip(&ones), (3 + 14 + 4 + 32768 * 2usize).div_ceil(8));
        assert_eq!(round_trip(&rows), (3 + 14 + 4 + 1024 * 7usize).div_ceil(8));
        rows.set(5, Voxel::AIR);
        round_trip(&rows);
    }

    #[test]
    fn bad_bytes_are_refused() {
        let reason = |bytes: &[u8]| decode(bytes).unwrap_err().reason;
        assert!(reason(&[]).contains("too early"));
        assert!(reason(&[0; 40]).contains("too many digits"));
        let mut air = encode(&Chunk::uniform(Voxel::AIR));
        assert!(reason(&air[..3]).contains("too early"));
        air.push(0);
        assert!(reason(&air).contains("more follows"));
        air.pop();
        air[3] |= 1;
        assert!(reason(&air).contains("more follows"));
        // 32769 kinds; a material that no map can have; a run of 65536; index 3 of 3.
        let written = |numbers: &[(u32, u32)]| {
            let mut out = BitWriter::default();
            numbers.iter().for_each(|&(value, bits)| out.put(value, bits));
            out.finish()
        };
        assert!(reason(&written(&[(32769, 31)])).contains("more kinds"));
        assert!(reason(&written(&[(1, 1), (65535 + 32, 28), (0, 1)])).contains("too many digits"));
        assert!(reason(&written(&[(1, 1), (32, 6), (15, 4), (65534 + 32768, 18)])).contains("passes the end"));
        let three = [(3, 3), (32, 6), (33, 6), (0, 1), (34, 6), (0, 1), (0, 4)];
        assert!(reason(&written(&[&three[..], &[(3, 2), (1, 1)]].concat())).contains("index"));
    }

    fn any_runs() -> impl Strategy<Value = Vec<(u32, Voxel)>> {
        let voxel = (prop_oneof![Just(0u16), 0..80u16, 0..65535u16], prop_oneof![Just(255u8), any::<u8>()]);
        let len = prop_oneof![Just(1u32), 1..20u32, 250..260u32, 1..9000u32];
        proptest::collection::vec((len, voxel.prop_map(|(m, o)| Voxel::new(m, o))), 0..600)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_chunk_comes_back(runs in any_runs()) {
            let mut builder = RunBuilder::new();
            for (len, voxel) in runs {
                builder.push(len.min((CHUNK_VOLUME - builder.position()) as u32), voxel);
            }
            builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
            let chunk = builder.finish();
            round_trip(&chunk);
            // And whatever is changed in it is a chunk or an error.
            let mut bytes = encode(&chunk);
            for at in 0..bytes.len().min(20) {
                bytes[at] ^= 0x10;
                if let Ok(other) = decode(&bytes) {
                    other.check().unwrap();
                }
            }
        }

        #[test]
        fn any_bytes_are_a_chunk_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(chunk) = decode(&bytes) {
                chunk.check().unwrap();
            }
        }
    }
}
