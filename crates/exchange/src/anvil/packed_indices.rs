//! Palette indices of a section, packed into longs.
//!
//! | packing | versions | an index |
//! |---|---|---|
//! | across | 1.13 to 1.15 | may begin in one long and end in the next |
//! | padded | since 1.16 | lies in one long, whose highest bits may be unused |
//!
//! The number of longs tells the packings apart, so the version of the chunk is not needed. Where
//! both need the same number of longs, they are identical.

use super::section_error::SectionError;

/// Blocks of a section: 16^3, x fastest, then z, then y.
pub(super) const SECTION_BLOCKS: usize = 16 * 16 * 16;
/// Minimum number of bits per index. Minecraft uses this many even for smaller palettes.
const MIN_BITS: u32 = 4;

/// Unpacks the 4096 indices of a section into a palette of `palette_len` entries (1 to 4096).
///
/// # Errors
/// The number of longs fits neither packing.
pub(super) fn unpack_indices(packed: &[i64], palette_len: usize) -> Result<Vec<u16>, SectionError> {
    let bits = bits_per_index(palette_len);
    let across = SECTION_BLOCKS * bits / 64;
    let padded = SECTION_BLOCKS.div_ceil(64 / bits);
    match packed.len() {
        longs if longs == padded => Ok(unpack_padded(packed, bits)),
        longs if longs == across => Ok(unpack_across(packed, bits)),
        longs => Err(SectionError::IndexLength { palette: palette_len, padded, across, longs }),
    }
}

/// Packs indices into a palette of `palette_len` entries, padded, as Minecraft does since 1.16.
pub(super) fn pack_indices(indices: &[u16], palette_len: usize) -> Vec<u64> {
    let bits = bits_per_index(palette_len);
    let long = |group: &[u16]| {
        group.iter().rev().fold(0, |long: u64, &index| long << bits | u64::from(index))
    };
    indices.chunks(64 / bits).map(long).collect()
}

/// Number of bits of the highest index into a palette, at least [`MIN_BITS`].
fn bits_per_index(palette_len: usize) -> usize {
    let highest = palette_len.saturating_sub(1);
    (usize::BITS - highest.leading_zeros()).max(MIN_BITS) as usize
}

/// The lowest `bits` bits of `long`. `bits` is at most 16.
fn low_bits(long: u64, bits: usize) -> u16 {
    (long & ((1 << bits) - 1)) as u16
}

fn unpack_padded(packed: &[i64], bits: usize) -> Vec<u16> {
    let per_long = 64 / bits;
    let mut indices = Vec::with_capacity(packed.len() * per_long);
    for &long in packed {
        for i in 0..per_long {
            indices.push(low_bits(long as u64 >> (i * bits), bits));
        }
    }
    // The last long may have room for more indices than the section has.
    indices.truncate(SECTION_BLOCKS);
    indices
}

fn unpack_across(packed: &[i64], bits: usize) -> Vec<u16> {
    let mut indices = Vec::with_capacity(SECTION_BLOCKS);
    for i in 0..SECTION_BLOCKS {
        let long = i * bits / 64;
        let shift = i * bits % 64;
        let mut value = packed[long] as u64 >> shift;
        if shift + bits > 64 {
            value |= (packed[long + 1] as u64) << (64 - shift);
        }
        indices.push(low_bits(value, bits));
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs indices bit by bit, as described in "Chunk format" of the Minecraft wiki.
    fn pack(indices: &[u16], bits: usize, padded: bool) -> Vec<i64> {
        let mut longs = vec![0u64; indices.len() * bits / 16 + 1];
        let mut at = 0;
        for &index in indices {
            if padded && at % 64 + bits > 64 {
                at = at.next_multiple_of(64);
            }
            for bit in 0..bits {
                longs[at / 64] |= u64::from(index >> bit & 1) << (at % 64);
                at += 1;
            }
        }
        longs.truncate(at.div_ceil(64));
        longs.into_iter().map(|long| long as i64).collect()
    }

    #[test]
    fn indices_of_every_width_are_packed_and_unpacked() {
        for entries in (1..=40)
            .chain([63, 64, 65, 128, 129, 256, 257, 511, 512, 513, 1024, 1025, 2048, 2049, 4096])
        {
            let indices: Vec<u16> = (0..SECTION_BLOCKS)
                .map(|i| ((i * 2_654_435_761) >> 7) as u16 % entries as u16)
                .collect();
            let bits = (usize::BITS - (entries - 1usize).leading_zeros()).max(4) as usize;
            for padded in [false, true] {
                let data = pack(&indices, bits, padded);
                if padded {
                    let packed = pack_indices(&indices, entries);
                    assert!(packed.into_iter().eq(data.iter().map(|long| *long as u64)));
                }
                assert_eq!(
                    unpack_indices(&data, entries).unwrap(),
                    indices,
                    "{entries} entries, padded: {padded}"
                );
                let reason = unpack_indices(&data[1..], entries).unwrap_err().to_string();
                assert!(
                    reason.starts_with(&format!("a palette of {entries} entries needs ")),
                    "{reason}"
                );
            }
        }
    }
}
