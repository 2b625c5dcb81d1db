//! The Roblox text's storage table ("Results and future work"): the size of the same voxels in each
//! format, in memory and packed.
//!
//! Every chunk is measured on its own, because a game loads, sends and saves one at a time. So the
//! sums of a world stay current as chunks are loaded, edited and unloaded: [`Sizes::add`] and
//! [`Sizes::subtract`].
//!
//! | format | bytes of a chunk | of a uniform chunk |
//! |---|---|---|
//! | dense | 3 per voxel: material of 16 bits, occupancy of 8; no liquid | 98,304 |
//! | palette | sections of 16^3 as in Minecraft since 1.18: palette and index words | 16: eight palettes of one entry |
//! | row-packed | the text's "take two": 2 per row, and 2 per voxel of each row of more than one value | 2,048 |
//! | run tree | heap of our chunk as requested from the allocator | 0 |
//! | bit-packed RLE | `bit_rle`, really encoded | 4 to 6 |
//! | byte-RLE | content of a chunk's record in a map ([`crate::codec::byte_rle`]), without frame and checksum | 7 |
//! | byte-RLE+LZ4 | the same as one LZ4 block, if that is smaller, as in a map | 7 |
//! | byte-RLE+zstd | the same as one zstd frame of level 3, if that is smaller | 7 |
//!
//! No figure contains the hash map of chunk positions, or pointers and headers of the rivals'
//! parts: these would cost each format about the same. Palette and row-packed use two bytes per
//! voxel, as in the text and in `lab::rivals`, and dense three, although a voxel with liquid needs
//! four, so the comparison favours these three. A store that omits chunks of air saves the last
//! column of the table for each of them; [`Sizes::air`] counts them.

mod sizer;

pub use sizer::Sizer;

/// Names of the formats, in the order of [`Sizes::bytes`]: in memory, from dense to the run tree,
/// then packed.
pub const FORMATS: [&str; 8] = [
    "dense",
    "palette",
    "row-packed",
    "run tree",
    "bit-packed RLE",
    "byte-RLE",
    "byte-RLE+LZ4",
    "byte-RLE+zstd",
];

/// Figures of some chunks, and their size in each of [`FORMATS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Number of chunks.
    pub chunks: u64,
    /// Number of chunks that contain only air.
    pub air: u64,
    /// Number of voxels.
    pub voxels: u64,
    /// Number of voxels that are not air.
    pub nonempty: u64,
    /// Number of runs.
    pub runs: u64,
    /// Size in bytes in each of [`FORMATS`].
    pub bytes: [u64; FORMATS.len()],
}

impl Sizes {
    /// Adds the figures of other chunks.
    pub fn add(&mut self, other: &Sizes) {
        self.combine(other, |sum, part| sum + part);
    }

    /// Subtracts the figures of chunks that were added before.
    pub fn subtract(&mut self, other: &Sizes) {
        self.combine(other, |sum, part| sum - part);
    }

    fn combine(&mut self, other: &Sizes, with: fn(u64, u64) -> u64) {
        let Sizes { chunks, air, voxels, nonempty, runs, bytes } = other;
        self.chunks = with(self.chunks, *chunks);
        self.air = with(self.air, *air);
        self.voxels = with(self.voxels, *voxels);
        self.nonempty = with(self.nonempty, *nonempty);
        self.runs = with(self.runs, *runs);
        self.bytes.iter_mut().zip(bytes).for_each(|(sum, part)| *sum = with(*sum, *part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtracting_reverts_adding() {
        let part = |k: u64| Sizes {
            chunks: k,
            air: k + 1,
            voxels: k + 2,
            nonempty: k + 3,
            runs: k + 4,
            bytes: std::array::from_fn(|i| k + 5 + i as u64),
        };
        let mut sum = part(10);
        sum.add(&part(100));
        let doubled =
            Sizes { chunks: 110, air: 112, voxels: 114, nonempty: 116, runs: 118, ..part(0) };
        assert_eq!(sum, Sizes { bytes: std::array::from_fn(|i| 120 + 2 * i as u64), ..doubled });
        sum.subtract(&part(10));
        assert_eq!(sum, part(100));
        sum.subtract(&part(100));
        assert_eq!(sum, Sizes::default());
    }
}
