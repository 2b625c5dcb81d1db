//! What a chunk takes in the map file by each codec, and how long coding takes, beside LZ4 over the dense array.
//!
//! The dense array is what one would pack without runs: two bytes a voxel, an index into the chunk's palette, in the same
//! order. All times are taken side by side on one core; the least of several rounds counts, so that another program's work
//! in one of them does not.

use crate::codec::predicted;
use crate::save::{ChunkCodec, EncodedChunk};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Rounds of timing; the least time of them counts.
const ROUNDS: usize = 5;

/// The figures of one way to store chunks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub codec: &'static str,
    /// Bytes of all chunks, without the frames of their records.
    pub bytes: u64,
    /// Seconds to encode all chunks.
    pub encode_s: f64,
    /// Seconds to decode all chunks; for ours up to run trees.
    pub decode_s: f64,
}

/// The figures of an input.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// Chunks.
    pub chunks: u64,
    /// Runs.
    pub runs: u64,
    /// Voxels.
    pub voxels: u64,
    /// Voxels that are not air.
    pub nonempty: u64,
    /// Dense array with LZ4, and the codecs by their tags.
    pub rows: Vec<Row>,
}

/// The chunk's voxels as indices into its palette, and the palette.
fn dense(chunk: &Chunk) -> (Vec<u8>, Vec<Voxel>) {
    let mut palette = Vec::new();
    let mut index_of: FxHashMap<Voxel, u16> = FxHashMap::default();
    let mut bytes = Vec::with_capacity(2 * CHUNK_VOLUME);
    for run in chunk.runs() {
        let index = *index_of.entry(run.voxel).or_insert_with(|| {
            palette.push(run.voxel);
            // At most 32,768.
            (palette.len() - 1) as u16
        });
        (0..run.len).for_each(|_| bytes.extend_from_slice(&index.to_le_bytes()));
    }
    (bytes, palette)
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new() -> Table {
        let names = ["dense + LZ4"].into_iter().chain(ChunkCodec::ALL.map(ChunkCodec::name));
        Table { rows: names.map(|codec| Row { codec, ..Row::default() }).collect(), ..Table::default() }
    }

    /// Measures chunks by all codecs and adds them: some hundred at a time, for a processor that has just met a chunk
    /// foretells every branch in it, and a map that is loaded meets each chunk once.
    pub fn add(&mut self, chunks: &[Chunk]) {
        self.chunks += chunks.len() as u64;
        self.voxels += (chunks.len() * CHUNK_VOLUME) as u64;
        for chunk in chunks {
            self.runs += chunk.run_count() as u64;
            self.nonempty += chunk.runs().filter(|r| !r.voxel.is_air()).map(|r| u64::from(r.len)).sum::<u64>();
        }

        let dense: Vec<_> = chunks.iter().map(dense).collect();
        let packed: Vec<_> = dense.iter().map(|(bytes, _)| lz4_flex::block::compress(bytes)).collect();
        let mut least = self.rows.iter().map(|_| (f64::MAX, f64::MAX)).collect::<Vec<_>>();
        let encoded =
            ChunkCodec::ALL.map(|codec| chunks.iter().map(|c| EncodedChunk::by(codec, c)).collect::<Vec<_>>());
        self.rows[0].bytes += dense.iter().zip(&packed).map(|((_, p), d)| (d.len() + 4 * p.len()) as u64).sum::<u64>();
        for (row, encoded) in self.rows[1..].iter_mut().zip(&encoded) {
            row.bytes += encoded.iter().map(|e| e.data.len() as u64).sum::<u64>();
            let right = |(e, c): (&EncodedChunk, &Chunk)| e.decode(Voxel::MAX_MATERIALS).as_ref() == Ok(c);
            assert!(encoded.iter().zip(chunks).all(right), "what is not right is not fast");
        }
        for _ in 0..ROUNDS {
            lower(
                &mut least[0],
                || each(&dense, |(bytes, _)| lz4_flex::block::compress(bytes)),
                || each(&packed, |bytes| lz4_flex::block::decompress(bytes, 2 * CHUNK_VOLUME)),
            );
            for ((codec, encoded), least) in ChunkCodec::ALL.into_iter().zip(&encoded).zip(&mut least[1..]) {
                let encode = || match codec {
                    // Without its length as byte-RLE, which only a record needs.
                    ChunkCodec::Predicted => each(chunks, predicted::encode),
                    ChunkCodec::Rle | ChunkCodec::RleLz4 => each(chunks, |chunk| EncodedChunk::by(codec, chunk)),
                };
                lower(least, encode, || each(encoded, |e| e.decode(Voxel::MAX_MATERIALS)));
            }
        }
        for (row, (encode, decode)) in self.rows.iter_mut().zip(least) {
            row.encode_s += encode;
            row.decode_s += decode;
        }
    }
}

fn each<T, R>(of: &[T], work: impl Fn(&T) -> R) {
    for item in of {
        black_box(work(item));
    }
}

/// Takes the times of both, where they are less.
fn lower((encode_s, decode_s): &mut (f64, f64), encode: impl Fn(), decode: impl Fn()) {
    let time = |work: &dyn Fn()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    *encode_s = encode_s.min(time(&encode));
    *decode_s = decode_s.min(time(&decode));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_codecs() {
        let layers = Chunk::from_runs((0..32).map(|y| (1024, Voxel::full(y / 8))));
        let mut table = Table::new();
        table.add(&[Chunk::uniform(Voxel::AIR), layers.clone()]);
        assert_eq!((table.chunks, table.runs, table.voxels, table.nonempty), (2, 5, 65536, 24 * 1024));
        assert_eq!(table.rows[1].bytes, 7 + 9 + 4 * 4);
        let sum = |codec| {
            EncodedChunk::by(codec, &Chunk::uniform(Voxel::AIR)).data.len()
                + EncodedChunk::by(codec, &layers).data.len()
        };
        for (codec, row) in ChunkCodec::ALL.into_iter().zip(&table.rows[1..]) {
            assert_eq!((row.codec, row.bytes), (codec.name(), sum(codec) as u64));
        }
        assert!(table.rows[0].bytes > 65536 * 2 / 255);
    }
}
