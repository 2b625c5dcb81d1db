//! A chunk as a record: its bytes by one of the codecs, in a frame.
//!
//! A save writes byte-RLE, packed by LZ4 where that is smaller, as the Roblox text has it. `stonerun compact` writes the
//! smaller [`predicted`] codec. A reader refuses a tag it does not know, for that chunk only.

use super::frame::{self, Kind, Record};
use crate::codec::{byte_rle, predicted};
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// How a chunk's bytes are made; the number is the tag in its record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[repr(u8)]
pub enum ChunkCodec {
    /// Byte-RLE as it is.
    #[serde(rename = "RLE")]
    Rle = 0,
    /// Byte-RLE as one LZ4 block.
    #[serde(rename = "RLE + LZ4")]
    RleLz4 = 1,
    /// Each run told from those beside it, in prefix codes.
    #[serde(rename = "predicted")]
    Predicted = 2,
}

impl ChunkCodec {
    /// All, by their tags.
    pub const ALL: [ChunkCodec; 3] = [ChunkCodec::Rle, ChunkCodec::RleLz4, ChunkCodec::Predicted];

    /// What it is called in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["RLE", "RLE + LZ4", "predicted"][self as usize]
    }

    fn of(tag: u8) -> Result<ChunkCodec, String> {
        ChunkCodec::ALL.into_iter().find(|&c| c as u8 == tag).ok_or_else(|| format!("its codec {tag} is unknown"))
    }
}

/// A chunk as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedChunk {
    /// How to read them.
    pub codec: ChunkCodec,
    /// How long the chunk is as byte-RLE.
    pub rle_len: usize,
    /// The bytes.
    pub data: Vec<u8>,
}

impl EncodedChunk {
    /// The chunk by one codec, whatever its size.
    #[must_use]
    pub fn by(codec: ChunkCodec, chunk: &Chunk) -> EncodedChunk {
        let rle = byte_rle::encode(chunk);
        let rle_len = rle.len();
        let data = match codec {
            ChunkCodec::Rle => rle,
            ChunkCodec::RleLz4 => lz4_flex::block::compress(&rle),
            ChunkCodec::Predicted => predicted::encode(chunk),
        };
        EncodedChunk { codec, rle_len, data }
    }

    /// As a save writes it: byte-RLE, or with LZ4 if that is smaller.
    #[must_use]
    pub fn saved(chunk: &Chunk) -> EncodedChunk {
        let data = byte_rle::encode(chunk);
        let rle_len = data.len();
        let squeezed = lz4_flex::block::compress(&data);
        if squeezed.len() < rle_len {
            EncodedChunk { codec: ChunkCodec::RleLz4, rle_len, data: squeezed }
        } else {
            EncodedChunk { codec: ChunkCodec::Rle, rle_len, data }
        }
    }

    /// As `compact` writes it: the smallest there is.
    #[must_use]
    pub fn smallest(chunk: &Chunk) -> EncodedChunk {
        let saved = EncodedChunk::saved(chunk);
        let data = predicted::encode(chunk);
        if data.len() < saved.data.len() { EncodedChunk { codec: ChunkCodec::Predicted, data, ..saved } } else { saved }
    }

    /// The chunk. `materials` is the length of the map's material table.
    ///
    /// # Errors
    /// What is wrong with the bytes, and where.
    pub fn decode(&self, materials: usize) -> Result<Chunk, String> {
        decode(self.codec, self.rle_len, &self.data, materials)
    }

    /// The record of the chunk at `pos`.
    pub(super) fn seal(&self, pos: ChunkPos, revision: u32) -> Vec<u8> {
        frame::seal(Kind::Chunk, self.codec as u8, revision, pos, self.rle_len, &self.data)
    }
}

fn decode(codec: ChunkCodec, rle_len: usize, data: &[u8], materials: usize) -> Result<Chunk, String> {
    let rle = |bytes: &[u8]| byte_rle::decode(bytes, materials).map_err(|e| e.to_string());
    match codec {
        ChunkCodec::Rle if rle_len == data.len() => rle(data),
        ChunkCodec::Rle => Err("its two lengths differ".to_owned()),
        ChunkCodec::RleLz4 if rle_len > byte_rle::MAX_BYTES => Err(format!("no chunk is {rle_len} bytes long")),
        ChunkCodec::RleLz4 => {
            let mut plain = vec![0; rle_len];
            match lz4_flex::block::decompress_into(data, &mut plain) {
                Ok(n) if n == rle_len => rle(&plain),
                Ok(n) => Err(format!("LZ4 gives {n} bytes instead of {rle_len}")),
                Err(e) => Err(format!("LZ4: {e}")),
            }
        }
        ChunkCodec::Predicted => predicted::decode(data, materials).map_err(|e| e.to_string()),
    }
}

/// The chunk in a record whose checksum holds. `materials` is the length of the map's material table.
pub(super) fn read(record: &Record<'_>, materials: usize) -> Result<Chunk, String> {
    decode(ChunkCodec::of(record.prefix.codec)?, record.prefix.plain_len, record.data, materials)
}

/// Bytes of a chunk as a save writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedSizes {
    /// Bytes as byte-RLE.
    pub rle: usize,
    /// Bytes after LZ4, where that is smaller.
    pub stored: usize,
}

/// Bytes of `chunk` as byte-RLE, and after LZ4 where that is smaller. Costs one encoding.
#[must_use]
pub fn encoded_sizes(chunk: &Chunk) -> EncodedSizes {
    let saved = EncodedChunk::saved(chunk);
    EncodedSizes { rle: saved.rle_len, stored: saved.data.len() }
}

#[cfg(test)]
mod tests {
    use super::super::records;
    use super::*;
    use crate::voxel::{CHUNK_VOLUME, Voxel};

    #[test]
    fn all_codecs_come_back() {
        let noise =
            |i: u32| Voxel::new((i.wrapping_mul(2_654_435_761) >> 24) as u16, (i.wrapping_mul(40_503) >> 3) as u8);
        let rows = |i: u32| Voxel::full((records::place_hash(ChunkPos::default(), i) % 7) as u16);
        for (saved, smallest, chunk) in [
            (ChunkCodec::Rle, ChunkCodec::Predicted, Chunk::uniform(Voxel::full(3))),
            (ChunkCodec::RleLz4, ChunkCodec::Predicted, Chunk::from_runs((0..2048).map(|i| (16, rows(i))))),
            (ChunkCodec::Rle, ChunkCodec::Rle, Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, noise(i))))),
        ] {
            assert_eq!(EncodedChunk::smallest(&chunk).codec, smallest);
            let as_saved = EncodedChunk::saved(&chunk);
            assert_eq!(as_saved.codec, saved);
            let sizes = EncodedSizes { rle: as_saved.rle_len, stored: as_saved.data.len() };
            assert_eq!(encoded_sizes(&chunk), sizes);
            for encoded in ChunkCodec::ALL.map(|codec| EncodedChunk::by(codec, &chunk)) {
                assert!(encoded.decode(256).unwrap() == chunk);
                if encoded.data.len() <= encoded.rle_len {
                    let bytes = encoded.seal(ChunkPos::new(1, 2, 3), 9);
                    assert!(read(&frame::parse(&bytes).unwrap(), 256).unwrap() == chunk);
                }
            }
        }
    }

    #[test]
    fn no_length_is_believed() {
        let encoded = EncodedChunk { codec: ChunkCodec::RleLz4, rle_len: usize::MAX, data: vec![0] };
        assert_eq!(encoded.decode(10).unwrap_err(), format!("no chunk is {} bytes long", usize::MAX));
    }

    #[test]
    fn sealed_nonsense_is_refused() {
        let refuse = |codec, plain_len, data: &[u8]| {
            let bytes = frame::seal(Kind::Chunk, codec, 1, ChunkPos::default(), plain_len, data);
            read(&frame::parse(&bytes).unwrap(), 10).unwrap_err()
        };
        assert!(refuse(3, 3, &[1, 2, 3]).contains("codec 3"));
        assert!(refuse(0, 4, &[1, 2, 3]).contains("lengths"));
        assert!(refuse(1, 100, &[0xff, 0xff, 0xff]).contains("LZ4"));
        assert!(refuse(1, 100, &[0x10, 7]).contains("LZ4"));
        assert!(refuse(0, 7, &[1, 20, 0, 0x80, 0, 0xff, 0x7f]).contains("material 20"));
        assert!(refuse(2, 7, &[1, 40]).contains("material 20"));
    }
}
