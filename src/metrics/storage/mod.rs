//! The Roblox text's storage table ("Results and future work"): what the same voxels cost in each format, in memory and packed.
//!
//! Everything is counted chunk by chunk, each chunk by itself, since a game loads, sends and saves one at a time. So the sums
//! of a world can be kept current as chunks come, change and go: [`Sizes::add`] and [`Sizes::subtract`]. What is counted:
//!
//! | format | bytes of a chunk | of a chunk of one value |
//! |---|---|---|
//! | dense | 3 a voxel: material of 16 bits, occupancy of 8 | 98,304: a box is there or not |
//! | palette | sections of 16^3 as in Minecraft since 1.18: palette and words of indices | 16: a palette of one each |
//! | row-packed | the text's "take two": 2 a row, and 2 a voxel of each row that is not one value | 2,048 |
//! | run tree | the heap that our chunk owns, as asked of the allocator | 0 |
//! | bit-packed RLE | [`bit_rle`](crate::codec::bit_rle), really encoded | 4 to 6 |
//! | byte-RLE | the content of a chunk's record in a map ([`crate::codec::byte_rle`]), without frame and checksum | 7 |
//! | byte-RLE+LZ4 | the same as one LZ4 block, where that is smaller, as a map keeps it | 7 |
//! | byte-RLE+zstd | the same as one zstd frame of level 3, where that is smaller | 7 |
//!
//! The hash map with the chunks' positions is in no figure, nor are pointers and headers of the rivals' parts: that would
//! cost each of them about the same. Palette and row-packed are given two bytes for a voxel, as in the text and in
//! `lab::rivals`, where three would be needed to hold what the others hold: the doubt is in their favour. A store that
//! leaves out chunks of nothing but air saves the last column for each; [`Sizes::air`] says how many there are.

mod sizer;

pub use sizer::Sizer;

/// The formats, in the order of [`Sizes::bytes`]: in memory from the largest to ours, then packed.
pub const FORMATS: [&str; 8] =
    ["dense", "palette", "row-packed", "run tree", "bit-packed RLE", "byte-RLE", "byte-RLE+LZ4", "byte-RLE+zstd"];

/// What some chunks hold, and what they cost in each of [`FORMATS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Chunks.
    pub chunks: u64,
    /// Those of them that are nothing but air.
    pub air: u64,
    /// Voxels.
    pub voxels: u64,
    /// Those of them that are not air.
    pub nonempty: u64,
    /// Runs.
    pub runs: u64,
    /// Bytes in each of [`FORMATS`].
    pub bytes: [u64; FORMATS.len()],
}

impl Sizes {
    /// Adds chunks.
    pub fn add(&mut self, other: &Sizes) {
        self.combine(other, |sum, part| sum + part);
    }

    /// Takes chunks away that were added before.
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
    fn what_is_added_can_be_taken_away() {
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
        let doubled = Sizes { chunks: 110, air: 112, voxels: 114, nonempty: 116, runs: 118, ..part(0) };
        assert_eq!(sum, Sizes { bytes: std::array::from_fn(|i| 120 + 2 * i as u64), ..doubled });
        sum.subtract(&part(10));
        assert_eq!(sum, part(100));
        sum.subtract(&part(100));
        assert_eq!(sum, Sizes::default());
    }
}
