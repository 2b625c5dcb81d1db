//! Size and speed of the map file's codecs, compared with LZ4 over a dense array.
//!
//! The dense array is the form without runs: two bytes per voxel, an index into the chunk's
//! palette, in linear order. All times are taken on one core, the codecs in turn. The minimum of
//! several rounds counts, which excludes interruptions by other programs.

use rustc_hash::FxHashMap;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;
use stonerun_engine::codec::{packed, predicted};
use stonerun_engine::save::{ChunkCodec, EncodedChunk};
use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel};
use stonerun_engine::world::Chunk;

/// Number of rounds per measurement. The minimum time counts.
const ROUNDS: usize = 5;

/// Size and times of one codec. Field names appear in the JSON output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CodecMeasurement {
    /// Name of the codec.
    pub codec: &'static str,
    /// Size of all chunks, without the headers of their records, in bytes.
    pub bytes: u64,
    /// Time to encode all chunks, in seconds.
    pub encode_s: f64,
    /// Time to decode all chunks, in seconds. The map file's codecs decode to run trees.
    pub decode_s: f64,
}

/// The measurements of an input. Field names appear in the JSON output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CodecTable {
    /// Number of chunks.
    pub chunks: u64,
    /// Number of runs.
    pub runs: u64,
    /// Number of voxels.
    pub voxels: u64,
    /// Number of non-air voxels.
    pub nonempty: u64,
    /// The dense array with LZ4, then the codecs in the order of their tags.
    pub rows: Vec<CodecMeasurement>,
}

/// Minimum times of one codec so far, in seconds.
struct LeastTimes {
    encode_s: f64,
    decode_s: f64,
}

/// The voxels of a chunk as indices into its palette, and the palette.
fn dense(chunk: &Chunk) -> (Vec<u8>, Vec<Voxel>) {
    let mut palette = Vec::new();
    let mut index_of: FxHashMap<Voxel, u16> = FxHashMap::default();
    let mut bytes = Vec::with_capacity(2 * CHUNK_VOLUME);
    for run in chunk.runs() {
        let index = *index_of.entry(run.voxel).or_insert_with(|| {
            palette.push(run.voxel);
            // A chunk has at most 32,768 different voxels.
            (palette.len() - 1) as u16
        });
        for _ in 0..run.len {
            bytes.extend_from_slice(&index.to_le_bytes());
        }
    }
    (bytes, palette)
}

impl CodecTable {
    /// Creates a table without measurements.
    #[must_use]
    pub fn new() -> CodecTable {
        let names = ["dense + LZ4"].into_iter().chain(ChunkCodec::ALL.map(ChunkCodec::name));
        let rows =
            names.map(|codec| CodecMeasurement { codec, ..CodecMeasurement::default() }).collect();
        CodecTable { rows, ..CodecTable::default() }
    }

    /// Measures chunks with all codecs, and adds the results. Pass a few hundred chunks at a time:
    /// with fewer, the processor predicts the branches of a chunk that it has just coded, while a
    /// game loads each chunk once.
    pub fn add(&mut self, chunks: &[Chunk]) {
        self.chunks += chunks.len() as u64;
        self.voxels += (chunks.len() * CHUNK_VOLUME) as u64;
        for chunk in chunks {
            self.runs += chunk.run_count() as u64;
            self.nonempty +=
                chunk.runs().filter(|r| !r.voxel.is_air()).map(|r| u64::from(r.len)).sum::<u64>();
        }

        let dense: Vec<_> = chunks.iter().map(dense).collect();
        let packed: Vec<_> =
            dense.iter().map(|(bytes, _)| lz4_flex::block::compress(bytes)).collect();
        let unknown = || LeastTimes { encode_s: f64::MAX, decode_s: f64::MAX };
        let mut least = self.rows.iter().map(|_| unknown()).collect::<Vec<_>>();
        let encoded = ChunkCodec::ALL.map(|codec| {
            chunks.iter().map(|c| EncodedChunk::with_codec(codec, c)).collect::<Vec<_>>()
        });
        self.rows[0].bytes += dense
            .iter()
            .zip(&packed)
            .map(|((_, p), d)| (d.len() + 4 * p.len()) as u64)
            .sum::<u64>();
        for (row, encoded) in self.rows[1..].iter_mut().zip(&encoded) {
            row.bytes += encoded.iter().map(|e| e.data.len() as u64).sum::<u64>();
            let is_lossless =
                |(e, c): (&EncodedChunk, &Chunk)| e.decode(Voxel::MAX_MATERIALS).as_ref() == Ok(c);
            assert!(
                encoded.iter().zip(chunks).all(is_lossless),
                "{}: decoding changed a chunk",
                row.codec
            );
        }
        for _ in 0..ROUNDS {
            least[0].update(
                || for_each(&dense, |(bytes, _)| lz4_flex::block::compress(bytes)),
                || for_each(&packed, |bytes| lz4_flex::block::decompress(bytes, 2 * CHUNK_VOLUME)),
            );
            for ((codec, encoded), least) in
                ChunkCodec::ALL.into_iter().zip(&encoded).zip(&mut least[1..])
            {
                let encode = || match codec {
                    // Not `EncodedChunk::with_codec`, which also computes the length in byte-RLE
                    // for the record.
                    ChunkCodec::Predicted => for_each(chunks, predicted::encode),
                    ChunkCodec::Packed => for_each(chunks, packed::encode),
                    ChunkCodec::Rle | ChunkCodec::RleLz4 => {
                        for_each(chunks, |chunk| EncodedChunk::with_codec(codec, chunk))
                    }
                };
                least.update(encode, || for_each(encoded, |e| e.decode(Voxel::MAX_MATERIALS)));
            }
        }
        for (row, least) in self.rows.iter_mut().zip(least) {
            row.encode_s += least.encode_s;
            row.decode_s += least.decode_s;
        }
    }
}

/// Applies `work` to each item, and prevents the compiler from removing unused results.
fn for_each<T, R>(items: &[T], work: impl Fn(&T) -> R) {
    for item in items {
        black_box(work(item));
    }
}

impl LeastTimes {
    /// Times encoding and decoding, and keeps the times that are shorter than before.
    fn update(&mut self, encode: impl Fn(), decode: impl Fn()) {
        let time = |work: &dyn Fn()| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        };
        self.encode_s = self.encode_s.min(time(&encode));
        self.decode_s = self.decode_s.min(time(&decode));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_sums_the_sizes_of_the_codecs() {
        let layers = Chunk::from_runs((0..32).map(|y| (1024, Voxel::full(y / 8))));
        let mut table = CodecTable::new();
        table.add(&[Chunk::uniform(Voxel::AIR), layers.clone()]);
        assert_eq!(
            (table.chunks, table.runs, table.voxels, table.nonempty),
            (2, 5, 65536, 24 * 1024)
        );
        assert_eq!(table.rows[1].bytes, 7 + 9 + 4 * 4);
        let sum = |codec| {
            EncodedChunk::with_codec(codec, &Chunk::uniform(Voxel::AIR)).data.len()
                + EncodedChunk::with_codec(codec, &layers).data.len()
        };
        for (codec, row) in ChunkCodec::ALL.into_iter().zip(&table.rows[1..]) {
            assert_eq!((row.codec, row.bytes), (codec.name(), sum(codec) as u64));
        }
        assert!(table.rows[0].bytes > 65536 * 2 / 255);
    }
}
