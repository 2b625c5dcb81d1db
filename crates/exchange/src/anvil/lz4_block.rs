//! LZ4 data as Minecraft writes it: the blocks of the Java library `lz4-java`.
//!
//! | bytes | content of a block |
//! |---|---|
//! | 0..8 | `LZ4Block` |
//! | 8 | method: `0x10` stored, `0x20` LZ4; plus n: no block unpacks to more than 1024 << n bytes |
//! | 9..13 | packed length, little-endian |
//! | 13..17 | unpacked length |
//! | 17..21 | XXH32 of the unpacked bytes, without its highest 4 bits |
//! | 21.. | packed bytes |
//!
//! A block of length 0 ends the data. Source: `LZ4BlockOutputStream` of the library.

use crate::packed_stream::PackedStreamError;

const MAGIC: &[u8; 8] = b"LZ4Block";
const HEADER_BYTES: usize = 21;
/// Seed of the checksum.
const SEED: u32 = 0x9747_b28c;
/// Stored part of the checksum.
const CHECKSUM_BITS: u32 = 0x0fff_ffff;

/// Reason why LZ4 blocks cannot be unpacked.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub(super) enum Lz4Error {
    #[error("LZ4 block {0} is cut off")]
    Truncated(usize),
    #[error("LZ4 block {0} does not begin with \"LZ4Block\"")]
    Magic(usize),
    #[error("LZ4 block {block} has the unknown method {method:#04x}")]
    Method { block: usize, method: u8 },
    #[error("LZ4 block {block} claims {length} bytes; at most {max} are allowed")]
    Length { block: usize, length: u64, max: u64 },
    #[error("LZ4 block {0} is damaged")]
    Damaged(usize),
    #[error("LZ4 block {0} has a wrong checksum")]
    Checksum(usize),
}

/// Unpacks all blocks to at most `max` bytes, and returns the fault at the end of the data, if any.
/// The packed bytes of a block bound the memory that is allocated, whatever length its header
/// claims.
///
/// # Errors
/// A block is cut off or damaged, or the data unpacks to more than `max` bytes.
pub(super) fn unpack(
    mut data: &[u8],
    max: u64,
) -> Result<(Vec<u8>, Option<PackedStreamError>), Lz4Error> {
    let mut unpacked = Vec::new();
    for block in 0.. {
        if data.is_empty() && block > 0 {
            return Ok((unpacked, Some(PackedStreamError::NotClosed)));
        }
        let (header, rest) =
            data.split_first_chunk::<HEADER_BYTES>().ok_or(Lz4Error::Truncated(block))?;
        if !header.starts_with(MAGIC) {
            return Err(Lz4Error::Magic(block));
        }
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let token = header[8];
        let packed_length = number(9) as usize;
        let length = number(13);
        let checksum = number(17);
        if length == 0 {
            let fault =
                (!rest.is_empty()).then_some(PackedStreamError::BytesAfter(rest.len() as u64));
            return Ok((unpacked, fault));
        }
        let left = (max - unpacked.len() as u64).min(1024 << (token & 15));
        if u64::from(length) > left {
            return Err(Lz4Error::Length { block, length: length.into(), max: left });
        }
        let packed = rest.get(..packed_length).ok_or(Lz4Error::Truncated(block))?;
        data = &rest[packed_length..];
        // LZ4 expands one packed byte to at most 255 bytes.
        if u64::from(length) > packed.len() as u64 * 255 {
            return Err(Lz4Error::Damaged(block));
        }
        let start = unpacked.len();
        let length = length as usize;
        match token & 0xf0 {
            0x10 if packed.len() == length => unpacked.extend_from_slice(packed),
            0x10 => return Err(Lz4Error::Damaged(block)),
            0x20 => {
                unpacked.resize(start + length, 0);
                if lz4_flex::block::decompress_into(packed, &mut unpacked[start..]).ok()
                    != Some(length)
                {
                    return Err(Lz4Error::Damaged(block));
                }
            }
            _ => return Err(Lz4Error::Method { block, method: token }),
        }
        if xxh32(&unpacked[start..], SEED) & CHECKSUM_BITS != checksum & CHECKSUM_BITS {
            return Err(Lz4Error::Checksum(block));
        }
    }
    Ok((unpacked, None))
}

const PRIMES: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];

/// The 32-bit xxHash of `data`. Source: the xxHash specification, version 0.1.1.
fn xxh32(data: &[u8], seed: u32) -> u32 {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let round = |sum: u32, word: u32| {
        sum.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(13).wrapping_mul(PRIMES[0])
    };
    let stripes = data.chunks_exact(16);
    let rest = stripes.remainder();
    let mut hash = if data.len() < 16 {
        seed.wrapping_add(PRIMES[4])
    } else {
        let low = seed.wrapping_add(PRIMES[1]);
        let mut sums = [low.wrapping_add(PRIMES[0]), low, seed, seed.wrapping_sub(PRIMES[0])];
        for stripe in stripes {
            for (sum, bytes) in sums.iter_mut().zip(stripe.chunks_exact(4)) {
                *sum = round(*sum, word(bytes));
            }
        }
        sums.iter()
            .zip([1, 7, 12, 18])
            .fold(0u32, |hash, (sum, turn)| hash.wrapping_add(sum.rotate_left(turn)))
    };
    hash = hash.wrapping_add(data.len() as u32);
    let words = rest.chunks_exact(4);
    let bytes = words.remainder();
    for bytes in words {
        hash = hash
            .wrapping_add(word(bytes).wrapping_mul(PRIMES[2]))
            .rotate_left(17)
            .wrapping_mul(PRIMES[3]);
    }
    for &byte in bytes {
        hash = hash
            .wrapping_add(u32::from(byte).wrapping_mul(PRIMES[4]))
            .rotate_left(11)
            .wrapping_mul(PRIMES[0]);
    }
    hash = (hash ^ hash >> 15).wrapping_mul(PRIMES[1]);
    hash = (hash ^ hash >> 13).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 16
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An LZ4 block and a stored block, made with Python's packages `lz4` and `xxhash`.
    const FIXTURE: &str = "4c5a34426c6f636b261b0000002c0100009b15a408ff0061206368756e6b27732064617461200f00ff0650646174612\
        04c5a34426c6f636b160400000004000000ecc7a60b7461696c4c5a34426c6f636b16000000000000000000000000";

    pub(in crate::anvil) fn fixture() -> (Vec<u8>, Vec<u8>) {
        let digits: Vec<u32> = FIXTURE.chars().filter_map(|c| c.to_digit(16)).collect();
        let packed = digits.chunks(2).map(|two| (two[0] << 4 | two[1]) as u8).collect();
        (packed, [b"a chunk's data ".repeat(20).as_slice(), b"tail"].concat())
    }

    #[test]
    fn blocks_of_another_implementation_are_unpacked() {
        let (packed, plain) = fixture();
        assert_eq!(unpack(&packed, 304), Ok((plain.clone(), None)));
        assert_eq!(
            unpack(&[&packed[..], &[0; 3]].concat(), 304),
            Ok((plain.clone(), Some(PackedStreamError::BytesAfter(3))))
        );
        assert_eq!(unpack(&packed, 303), Err(Lz4Error::Length { block: 1, length: 4, max: 3 }));
        // Data that is cut between two blocks is not truncated: it lacks only the empty block at
        // the end. `closed` is the length without that block, `first` the length of the first
        // block.
        let closed = packed.len() - HEADER_BYTES;
        assert_eq!(unpack(&packed[..closed], 304), Ok((plain, Some(PackedStreamError::NotClosed))));
        let first = closed - HEADER_BYTES - 4;
        for length in (0..packed.len()).filter(|length| ![first, closed].contains(length)) {
            assert!(
                matches!(unpack(&packed[..length], 304), Err(Lz4Error::Truncated(_))),
                "{length}"
            );
        }
    }

    #[test]
    fn hostile_block_is_refused() {
        let with = |at: usize, byte: u8| {
            let mut packed = fixture().0;
            packed[at] = byte;
            unpack(&packed, 304).unwrap_err()
        };
        assert_eq!(with(0, b'l'), Lz4Error::Magic(0));
        assert_eq!(with(8, 0x36), Lz4Error::Method { block: 0, method: 0x36 });
        assert_eq!(with(17, 0), Lz4Error::Checksum(0));
        assert_eq!(with(16, 0x7f), Lz4Error::Length { block: 0, length: 0x7f00_012c, max: 304 });
        // The token of the smallest block size, 1024 bytes, on a block of 1324 bytes.
        let mut large = fixture().0;
        (large[8], large[14]) = (0x20, 0x05);
        assert_eq!(
            unpack(&large, 1 << 20),
            Err(Lz4Error::Length { block: 0, length: 0x52c, max: 1024 })
        );
        assert_eq!(with(12, 0xff), Lz4Error::Truncated(0));
        assert_eq!(with(HEADER_BYTES, 0), Lz4Error::Damaged(0));
        // A claim of more than 255 bytes per packed byte is refused before memory is allocated.
        let mut bomb = fixture().0;
        (bomb[8], bomb[15]) = (0x2f, 0xff);
        assert_eq!(unpack(&bomb, 16 << 20), Err(Lz4Error::Damaged(0)));
    }

    #[test]
    fn checksum_matches_reference_values() {
        let long: Vec<u8> = (0..1280).map(|i| i as u8).chain(*b"xyz").collect();
        for (data, expected) in [
            (&b""[..], 0x8d3b_42d8),
            (b"abc", 0x4d4c_b222),
            (b"Nobody inspects the spammish repetition", 0x70b9_1719),
            (&long, 0x0ebb_1293),
        ] {
            assert_eq!(xxh32(data, SEED), expected);
        }
    }
}
