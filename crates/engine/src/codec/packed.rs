//! Packed voxels: the codec for noise. In a random mix of materials runs are one or two voxels
//! long, so runs would take more bytes than the voxels themselves.
//!
//! Each voxel is coded as its palette index. A 64-bit number holds as many indices as fit, as
//! digits whose base is the palette's length: 64 voxels with a palette of two, 40 with three, 32
//! with four.
//!
//! ```text
//! palette   as in front of predicted runs
//! numbers   absent if the palette has one voxel; else u64, the lowest byte first, until all voxels
//!           are covered: the first voxel is the lowest digit; digits beyond the last voxel are 0
//! ```

use super::palette::{self, PaletteError, PaletteIndex};
use crate::runs::{Run, RunBuilder};
use crate::voxel::CHUNK_VOLUME;
use crate::world::Chunk;

/// Error of the decoder of packed voxels.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// The palette is malformed.
    #[error(transparent)]
    Palette(#[from] PaletteError),
    /// The numbers are too short or too long for the voxels.
    #[error("{found} bytes of voxels instead of {expected}")]
    Length {
        /// Bytes after the palette.
        found: usize,
        /// Bytes that the voxels take.
        expected: usize,
    },
    /// The number at this byte offset has digits beyond its last voxel.
    #[error("byte {0}: the number is too large")]
    Number(usize),
}

/// Number of voxels in a 64-bit number, for a palette of 2 to 32,768 voxels.
fn voxels_per_number(palette: usize) -> usize {
    let mut voxels = 0;
    let mut numbers = palette as u128;
    while numbers <= 1 << u64::BITS {
        numbers *= palette as u128;
        voxels += 1;
    }
    voxels
}

/// Size in bytes of the numbers for `voxels` voxels, with a palette of at least one voxel. A
/// palette of one needs no numbers.
#[must_use]
pub(crate) fn number_bytes(palette: usize, voxels: usize) -> usize {
    if palette < 2 { 0 } else { voxels.div_ceil(voxels_per_number(palette)) * size_of::<u64>() }
}

/// Encodes a chunk.
#[must_use]
pub fn encode(chunk: &Chunk) -> Vec<u8> {
    encode_runs(|| chunk.runs())
}

/// Encodes consecutive runs from their lengths and voxels. `runs` is called twice: for the palette,
/// then for the numbers.
#[must_use]
pub(crate) fn encode_runs<I: Iterator<Item = Run>>(runs: impl Fn() -> I) -> Vec<u8> {
    let palette = palette::by_run_count(runs());
    let mut out = Vec::new();
    palette::write(&mut out, &palette);
    if palette.len() < 2 {
        return out;
    }
    let indices = PaletteIndex::new(&palette);
    let mut digits: Vec<u16> = Vec::with_capacity(CHUNK_VOLUME);
    runs().for_each(|run| digits.resize(digits.len() + run.len as usize, indices.of(run.voxel)));
    out.reserve(number_bytes(palette.len(), digits.len()));
    let base = palette.len() as u64;
    for digits in digits.chunks(voxels_per_number(palette.len())) {
        let number = digits.iter().rev().fold(0, |number, &digit| number * base + u64::from(digit));
        out.extend_from_slice(&number.to_le_bytes());
    }
    out
}

/// Decodes the first `voxels` voxels of a chunk, 1 to 32,768; the last of them fills the rest.
/// `material_count` is the length of the map's material table.
///
/// # Errors
/// The bytes are malformed. No input causes a panic or an allocation beyond what one chunk needs.
pub fn decode(bytes: &[u8], voxels: usize, material_count: usize) -> Result<Chunk, PackedError> {
    let (palette, at) = palette::read(bytes, material_count)?;
    let found = bytes.len() - at;
    let expected = number_bytes(palette.len(), voxels);
    if found != expected {
        return Err(PackedError::Length { found, expected });
    }
    if let [voxel] = palette[..] {
        return Ok(Chunk::uniform(voxel));
    }
    let base = palette.len() as u64;
    let per_number = voxels_per_number(palette.len());
    let mut runs = RunBuilder::new();
    let mut last = 0;
    let mut len = 0;
    for (index, bytes) in bytes[at..].chunks_exact(size_of::<u64>()).enumerate() {
        let mut number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        for _ in 0..per_number.min(voxels - index * per_number) {
            let digit = number % base;
            number /= base;
            if digit != last {
                runs.push(len, palette[last as usize]);
                last = digit;
                len = 0;
            }
            len += 1;
        }
        if number != 0 {
            return Err(PackedError::Number(at + index * size_of::<u64>()));
        }
    }
    // The rest and the whole run are at most 32,768 voxels, so they fit.
    runs.push(len + (CHUNK_VOLUME - voxels) as u32, palette[last as usize]);
    Ok(runs.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::palette::PaletteErrorKind;
    use crate::voxel::Voxel;

    /// A chunk of `count` different voxels in random order, a third of them partial.
    fn noise(count: u32) -> Chunk {
        let voxel = |index: u32| match index
            .wrapping_mul(0x9E37_79B9)
            .rotate_left(11)
            .wrapping_mul(0x85EB_CA6B)
            >> 8
        {
            number if number % count == 0 => Voxel::AIR,
            number => {
                Voxel::new((number % count) as u16, if number % count % 3 == 1 { 99 } else { 255 })
            }
        };
        Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|index| (1, voxel(index))))
    }

    #[test]
    fn chunks_come_back() {
        for (count, bytes) in [
            (1, 2),
            (2, 3 + 4096 + 2),
            (3, 6560),
            (4, 8192),
            (5, 9712),
            (200, 37_000),
            (3000, 60_000),
        ] {
            let chunk = noise(count);
            let encoded = encode(&chunk);
            assert!(
                encoded.len() <= bytes + 4 * count as usize,
                "{} bytes for {count} voxels",
                encoded.len()
            );
            assert_eq!(decode(&encoded, CHUNK_VOLUME, 3000), Ok(chunk));
        }
        let every: Vec<Voxel> = (0..CHUNK_VOLUME as u32)
            .map(|i| Voxel::new((i % 200) as u16 + 1, (i / 200) as u8))
            .collect();
        let chunk = Chunk::from_runs(every.iter().map(|&voxel| (1, voxel)));
        assert_eq!(decode(&encode(&chunk), CHUNK_VOLUME, 300), Ok(chunk));
    }

    #[test]
    fn liquid_adds_two_bytes_to_its_palette_entry() {
        let wet = Voxel::new(3, 200).with_liquid(55);
        let layers =
            |first, second| Chunk::from_runs((0..16).flat_map(|_| [(1024, first), (1024, second)]));
        let dry = encode(&layers(Voxel::AIR, wet.dry()));
        assert_eq!(dry[..4], [2, 0, 7, 200]);
        let chunk = layers(Voxel::AIR, wet);
        let bytes = encode(&chunk);
        assert_eq!(bytes, [&[2, 0, 7, 255, 200, 55], &dry[4..]].concat());
        assert_eq!(decode(&bytes, CHUNK_VOLUME, 4), Ok(chunk));
        assert_eq!(encode(&Chunk::uniform(wet)), [1, 7, 255, 200, 55]);
    }

    #[test]
    fn part_of_a_chunk_comes_back() {
        let chunk = noise(3);
        for len in [1, 39, 40, 41, 20_000] {
            let bytes = encode_runs(|| chunk.runs_in(0..len));
            let back = decode(&bytes, len, 3).expect("our own bytes");
            assert!((0..len).all(|index| back.get(index) == chunk.get(index)));
            assert!((len..CHUNK_VOLUME).all(|index| back.get(index) == back.get(len - 1)));
        }
    }

    #[test]
    fn malformed_bytes_are_refused() {
        let error = |bytes: &[u8]| decode(bytes, CHUNK_VOLUME, 3).expect_err("malformed");
        let palette = |at, kind| PackedError::from(PaletteError { at, kind });
        assert_eq!(error(&[]), palette(0, PaletteErrorKind::Truncated));
        assert_eq!(error(&[1, 6]), palette(1, PaletteErrorKind::Material(3)));
        assert_eq!(error(&[1, 2, 0]), PackedError::Length { found: 1, expected: 0 });
        let mut bytes = encode(&noise(3));
        let found = bytes.len() - 4 - 1;
        assert_eq!(
            error(&bytes[..bytes.len() - 1]),
            PackedError::Length { found: found - 1, expected: found }
        );
        // 3^40 is about 2^63.4: with its highest byte 0xff, the number is too large.
        bytes[5 + 7] = 0xff;
        assert_eq!(error(&bytes), PackedError::Number(5));
    }
}
