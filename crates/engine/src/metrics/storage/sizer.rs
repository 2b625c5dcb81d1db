//! Measurement of a chunk in all formats.

use super::{FORMATS, Sizes};
use crate::codec::{bit_rle, byte_rle};
use crate::metrics::ChunkStats;
use crate::voxel::CHUNK_VOLUME;
use crate::world::Chunk;
use zstd::bulk::Compressor;

/// Compression level of zstd, its default.
const ZSTD_LEVEL: i32 = 3;

/// Measures chunks in all formats. Use one sizer for many chunks: it reuses the compressor and its
/// buffer.
pub struct Sizer {
    zstd: Compressor<'static>,
    /// Output buffer of the compressors.
    packed: Vec<u8>,
}

impl Default for Sizer {
    fn default() -> Sizer {
        Sizer::new()
    }
}

impl Sizer {
    /// Creates a sizer; each thread needs its own.
    #[must_use]
    pub fn new() -> Sizer {
        // Fails only if memory is exhausted: the level is valid, and there is no dictionary.
        let zstd = Compressor::new(ZSTD_LEVEL).expect("zstd supports its default level");
        Sizer { zstd, packed: Vec::new() }
    }

    /// Measures `chunk` in each format. Encodes it three times, which takes 0.1 ms for a typical
    /// chunk.
    #[must_use]
    pub fn measure(&mut self, chunk: &Chunk) -> Sizes {
        let stats = ChunkStats::from_chunk(chunk);
        let plain = byte_rle::encode(chunk);
        let bytes: [u64; FORMATS.len()] = [
            ChunkStats::flat_bytes(),
            stats.palette_bytes,
            stats.row_packed_bytes,
            stats.heap_bytes,
            bit_rle::encode(chunk).len() as u64,
            plain.len() as u64,
            self.lz4(&plain).min(plain.len()) as u64,
            self.zstd(&plain).min(plain.len()) as u64,
        ];
        Sizes {
            chunks: 1,
            air: u64::from(stats.nonempty == 0),
            voxels: CHUNK_VOLUME as u64,
            nonempty: stats.nonempty,
            runs: stats.runs,
            bytes,
        }
    }

    /// Returns the size in bytes of `plain` as one LZ4 block.
    fn lz4(&mut self, plain: &[u8]) -> usize {
        let bound = lz4_flex::block::get_maximum_output_size(plain.len());
        self.packed.resize(self.packed.len().max(bound), 0);
        // Fails only for lack of room, and the buffer has the maximum size.
        lz4_flex::block::compress_into(plain, &mut self.packed).expect("the buffer fits any block")
    }

    /// Returns the size in bytes of `plain` as one zstd frame.
    fn zstd(&mut self, plain: &[u8]) -> usize {
        let bound = zstd::zstd_safe::compress_bound(plain.len());
        self.packed.resize(self.packed.len().max(bound), 0);
        // Fails only for lack of room, and the buffer has the maximum size.
        self.zstd
            .compress_to_buffer(plain, &mut self.packed[..])
            .expect("the buffer fits any frame")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::save::{EncodedSizes, encoded_sizes};
    use crate::voxel::Voxel;
    use std::collections::{BTreeSet, HashSet};

    /// Sizes of the formats in memory, computed voxel by voxel from their definitions.
    fn naive(chunk: &Chunk) -> [u64; 4] {
        let mut palette = 0;
        for section in 0..8usize {
            let corner = [section & 1, section >> 2, section >> 1 & 1].map(|part| part * 16);
            let indices = (0..4096).map(|i| {
                let [x, y, z] = [corner[0] + i % 16, corner[1] + i / 256, corner[2] + i / 16 % 16];
                x + 32 * z + 1024 * y
            });
            let values = indices.map(|i| chunk.get(i)).collect::<BTreeSet<_>>().len() as u64;
            let per_word =
                (1..=16).find(|bits| 1 << bits >= values).map_or(1, |bits: u64| 64 / bits.max(4));
            palette += match values {
                1 => 2,
                ..=256 => values * 2 + 4096u64.div_ceil(per_word) * 8,
                _ => 8192,
            };
        }
        let is_mixed = |row: &usize| {
            (0..32).map(|x| chunk.get(row * 32 + x)).collect::<HashSet<_>>().len() > 1
        };
        let rows = 2048 + 64 * (0..1024).filter(is_mixed).count() as u64;
        [32768 * 3, palette, rows, chunk.heap_bytes() as u64]
    }

    fn noise(values: u32, longest: u32) -> Chunk {
        let mut left = CHUNK_VOLUME as u32;
        let mut random = Random::new(values.into());
        Chunk::from_runs(std::iter::from_fn(move || {
            let len = (1 + random.below(longest)).min(left);
            left -= len;
            (len > 0).then(|| {
                let dry = Voxel::new(random.below(values) as u16, random.below(256) as u8 | 0x3F);
                (len, dry.with_liquid(random.below(3) as u8))
            })
        }))
    }

    #[test]
    fn every_format_matches_its_definition() {
        let mut sizer = Sizer::new();
        for chunk in [
            Chunk::uniform(Voxel::AIR),
            Chunk::uniform(Voxel::full(3)),
            Chunk::from_runs([(1000, Voxel::full(1)), (31768, Voxel::AIR)]),
            noise(5, 30),
            noise(60, 3),
            noise(9000, 2),
            noise(9000, 400),
        ] {
            let sizes = sizer.measure(&chunk);
            let EncodedSizes { rle: plain, stored: lz4 } = encoded_sizes(&chunk);
            assert_eq!(sizes.bytes[..4], naive(&chunk));
            assert_eq!(sizes.bytes[4], bit_rle::encode(&chunk).len() as u64);
            assert_eq!(sizes.bytes[5..7], [plain as u64, lz4 as u64], "as a map stores it");
            // For zstd, level 0 means its default level.
            let zstd = zstd::bulk::compress(&byte_rle::encode(&chunk), 0).unwrap().len();
            assert_eq!(sizes.bytes[7], zstd.min(plain) as u64);
            let nonempty = (0..CHUNK_VOLUME).filter(|&i| !chunk.get(i).is_air()).count() as u64;
            assert_eq!((sizes.chunks, sizes.voxels, sizes.nonempty), (1, 32768, nonempty));
            assert_eq!(
                (sizes.runs, sizes.air),
                (chunk.run_count() as u64, u64::from(nonempty == 0))
            );
        }
    }

    #[test]
    fn simple_chunks_have_expected_sizes() {
        let mut sizer = Sizer::new();
        assert_eq!(
            sizer.measure(&Chunk::uniform(Voxel::AIR)).bytes,
            [98304, 16, 2048, 0, 4, 7, 7, 7]
        );
        // Ground of one material up to the middle, with one voxel of the first section removed.
        let mut ground = Chunk::from_runs([(16384, Voxel::full(1)), (16384, Voxel::AIR)]);
        ground.set(5, Voxel::AIR);
        let sizes = sizer.measure(&ground);
        assert_eq!(sizes.bytes[..3], [98304, 2048 + 4 + 7 * 2, 2048 + 64]);
        // The palette takes 5 bytes; runs of 5, 1, 16378 and 16384 voxels take 2, 1, 4 and 4 bytes.
        assert_eq!(sizes.bytes[5], 5 + 2 + 1 + 4 + 4);
        assert_eq!((sizes.nonempty, sizes.runs), (16383, 4));
    }

    #[test]
    fn sizer_is_send_and_sync() {
        fn can_be_shared<T: Send + Sync>() {}
        can_be_shared::<Sizer>();
    }
}
