//! The record of a chunk: its bytes in one of several codecs, in a frame.
//!
//! A save writes byte-RLE, compressed with LZ4 where that is smaller, as in the Roblox text, and
//! noise as [`packed`] voxels. `stonerun compact` and the game in idle moments also try the smaller
//! [`predicted`] codec. An unknown codec tag makes only its own chunk unreadable.

use super::frame::{self, FramedRecord, RecordKind};
use super::record_error::RecordError;
use crate::codec::{byte_rle, packed, predicted};
use crate::variants;
use crate::voxel::{CHUNK_VOLUME, ChunkPos};
use crate::world::Chunk;
use strum::VariantArray;

/// Codec of a chunk's bytes. The discriminant is the tag in the record's frame.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, VariantArray,
)]
#[repr(u8)]
pub enum ChunkCodec {
    /// Byte-RLE without compression.
    #[serde(rename = "RLE")]
    Rle = 0,
    /// Byte-RLE as one LZ4 block.
    #[serde(rename = "RLE + LZ4")]
    RleLz4 = 1,
    /// The runs as differences from nearby runs, in prefix codes.
    #[serde(rename = "predicted")]
    Predicted = 2,
    /// The voxels as digits of numbers, for noise.
    #[serde(rename = "packed")]
    Packed = 3,
}

impl ChunkCodec {
    /// All codecs, in the order of their tags.
    pub const ALL: [ChunkCodec; 4] = variants::all();

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["RLE", "RLE + LZ4", "predicted", "packed"][self as usize]
    }

    fn from_tag(tag: u8) -> Result<ChunkCodec, RecordError> {
        ChunkCodec::ALL.into_iter().find(|&c| c as u8 == tag).ok_or(RecordError::Codec(tag))
    }
}

/// An encoded chunk, ready for a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedChunk {
    /// Codec of `data`.
    pub codec: ChunkCodec,
    /// Length in bytes of the chunk as byte-RLE, whatever its codec is.
    pub rle_len: usize,
    /// The encoded bytes.
    pub data: Vec<u8>,
}

impl EncodedChunk {
    /// Encodes a chunk with the given codec, even if another codec gives fewer bytes.
    #[must_use]
    pub fn with_codec(codec: ChunkCodec, chunk: &Chunk) -> EncodedChunk {
        let rle = byte_rle::encode(chunk);
        let rle_len = rle.len();
        let data = match codec {
            ChunkCodec::Rle => rle,
            ChunkCodec::RleLz4 => lz4_flex::block::compress(&rle),
            ChunkCodec::Predicted => predicted::encode(chunk),
            ChunkCodec::Packed => packed::encode(chunk),
        };
        EncodedChunk { codec, rle_len, data }
    }

    /// Encodes a chunk as a save does: byte-RLE, with LZ4 if that is smaller, or packed voxels if
    /// they are smaller still.
    #[must_use]
    pub(crate) fn for_save(chunk: &Chunk) -> EncodedChunk {
        let data = byte_rle::encode(chunk);
        let rle_len = data.len();
        let squeezed = lz4_flex::block::compress(&data);
        let (codec, data) = if squeezed.len() < rle_len {
            (ChunkCodec::RleLz4, squeezed)
        } else {
            (ChunkCodec::Rle, data)
        };
        // Packed voxels take at least this many bytes, so most chunks need not be encoded.
        let values = chunk.values().len();
        if values > 1 && packed::number_bytes(values, CHUNK_VOLUME) < data.len() {
            let voxels = packed::encode(chunk);
            if voxels.len() < data.len() {
                return EncodedChunk { codec: ChunkCodec::Packed, rle_len, data: voxels };
            }
        }
        EncodedChunk { codec, rle_len, data }
    }

    /// Encodes a chunk as `compact` does: with the codec that gives the fewest bytes.
    #[must_use]
    pub fn smallest(chunk: &Chunk) -> EncodedChunk {
        let saved = EncodedChunk::for_save(chunk);
        let data = predicted::encode(chunk);
        if data.len() < saved.data.len() {
            EncodedChunk { codec: ChunkCodec::Predicted, data, ..saved }
        } else {
            saved
        }
    }

    /// Decodes the chunk. `materials` is the length of the map's material table.
    ///
    /// # Errors
    /// The bytes are no chunk, or name a material that the table does not have.
    pub fn decode(&self, materials: usize) -> Result<Chunk, RecordError> {
        decode(self.codec, self.rle_len, &self.data, materials)
    }

    /// Encodes the record of the chunk, which is at `pos`.
    pub(in crate::save) fn seal(&self, pos: ChunkPos, revision: u32) -> Vec<u8> {
        frame::seal(RecordKind::Chunk, self.codec as u8, revision, pos, self.rle_len, &self.data)
    }
}

fn decode(
    codec: ChunkCodec,
    rle_len: usize,
    data: &[u8],
    materials: usize,
) -> Result<Chunk, RecordError> {
    match codec {
        ChunkCodec::Rle if rle_len == data.len() => Ok(byte_rle::decode(data, materials)?),
        ChunkCodec::Rle => Err(RecordError::LengthsDiffer),
        ChunkCodec::RleLz4 if rle_len > byte_rle::MAX_BYTES => {
            Err(RecordError::PlainLength(rle_len))
        }
        ChunkCodec::RleLz4 => {
            let mut plain = vec![0; rle_len];
            match lz4_flex::block::decompress_into(data, &mut plain) {
                Ok(n) if n == rle_len => Ok(byte_rle::decode(&plain, materials)?),
                Ok(n) => Err(RecordError::Lz4Length { found: n, expected: rle_len }),
                Err(e) => Err(RecordError::Lz4(e.to_string())),
            }
        }
        ChunkCodec::Predicted => Ok(predicted::decode(data, materials)?),
        ChunkCodec::Packed => Ok(packed::decode(data, CHUNK_VOLUME, materials)?),
    }
}

/// Decodes the chunk of a record whose checksum has been verified. `materials` is the length of the
/// map's material table.
pub(in crate::save) fn read(
    record: &FramedRecord<'_>,
    materials: usize,
) -> Result<Chunk, RecordError> {
    decode(
        ChunkCodec::from_tag(record.frame.codec)?,
        record.frame.plain_len,
        record.data,
        materials,
    )
}

/// Sizes of a chunk as a save writes it, without regard to packed voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedSizes {
    /// Size in bytes as byte-RLE.
    pub rle: usize,
    /// Size in bytes with LZ4, where that is smaller.
    pub stored: usize,
}

/// Measures `chunk` as a save writes it, without packed voxels. Costs one encoding.
#[must_use]
pub fn encoded_sizes(chunk: &Chunk) -> EncodedSizes {
    let squeezed = EncodedChunk::with_codec(ChunkCodec::RleLz4, chunk);
    EncodedSizes { rle: squeezed.rle_len, stored: squeezed.data.len().min(squeezed.rle_len) }
}

#[cfg(test)]
mod tests {
    use super::super::digest::chunk_hash;
    use super::*;
    use crate::voxel::{CHUNK_VOLUME, Voxel};

    #[test]
    fn chunk_in_every_codec_round_trips() {
        let noise = |i: u32| {
            Voxel::new(
                (i.wrapping_mul(2_654_435_761) >> 24) as u16,
                (i.wrapping_mul(40_503) >> 3) as u8,
            )
        };
        let rows = |i: u32| Voxel::full((chunk_hash(ChunkPos::default(), i) % 7) as u16);
        for (saved, smallest, chunk) in [
            (ChunkCodec::Rle, ChunkCodec::Predicted, Chunk::uniform(Voxel::full(3))),
            (
                ChunkCodec::RleLz4,
                ChunkCodec::Predicted,
                Chunk::from_runs((0..2048).map(|i| (16, rows(i)))),
            ),
            (
                ChunkCodec::RleLz4,
                ChunkCodec::RleLz4,
                Chunk::from_runs(
                    (0..2048).map(|i| (16, Voxel::new(9, 80).with_liquid(i as u8 & 3))),
                ),
            ),
            (
                ChunkCodec::Rle,
                ChunkCodec::Rle,
                Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, noise(i)))),
            ),
            (
                ChunkCodec::Packed,
                ChunkCodec::Packed,
                Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, rows(i)))),
            ),
        ] {
            assert_eq!(EncodedChunk::smallest(&chunk).codec, smallest);
            let as_saved = EncodedChunk::for_save(&chunk);
            assert_eq!(as_saved.codec, saved);
            let sizes = EncodedSizes { rle: as_saved.rle_len, stored: as_saved.data.len() };
            assert!(saved == ChunkCodec::Packed || encoded_sizes(&chunk) == sizes);
            for encoded in ChunkCodec::ALL.map(|codec| EncodedChunk::with_codec(codec, &chunk)) {
                assert!(encoded.decode(256).unwrap() == chunk);
                if encoded.data.len() <= encoded.rle_len {
                    let bytes = encoded.seal(ChunkPos::new(1, 2, 3), 9);
                    assert!(read(&frame::parse(&bytes).unwrap(), 256).unwrap() == chunk);
                }
            }
        }
    }

    #[test]
    fn decode_with_impossible_length_fails_without_allocating() {
        let encoded =
            EncodedChunk { codec: ChunkCodec::RleLz4, rle_len: usize::MAX, data: vec![0] };
        assert_eq!(encoded.decode(10), Err(RecordError::PlainLength(usize::MAX)));
    }

    #[test]
    fn malformed_content_in_a_sound_frame_is_refused() {
        let refuse = |codec, plain_len, data: &[u8]| {
            let bytes =
                frame::seal(RecordKind::Chunk, codec, 1, ChunkPos::default(), plain_len, data);
            read(&frame::parse(&bytes).unwrap(), 10).unwrap_err()
        };
        assert_eq!(refuse(4, 3, &[1, 2, 3]), RecordError::Codec(4));
        assert_eq!(refuse(0, 4, &[1, 2, 3]), RecordError::LengthsDiffer);
        assert!(refuse(1, 100, &[0xff, 0xff, 0xff]).to_string().contains("LZ4"));
        assert!(refuse(1, 100, &[0x10, 7]).to_string().contains("LZ4"));
        assert!(refuse(0, 7, &[1, 20, 0, 0x80, 0, 0xff, 0x7f]).to_string().contains("material 20"));
        assert!(refuse(0, 7, &[1, 9, 0, 0x40, 255, 200, 56]).to_string().contains("liquid 56"));
        assert!(refuse(2, 7, &[1, 19, 255, 200, 56]).to_string().contains("liquid 56"));
        assert!(refuse(3, 7, &[1, 19, 255, 200, 0]).to_string().contains("liquid 0"));
        assert!(refuse(2, 7, &[1, 40]).to_string().contains("material 20"));
        assert!(refuse(3, 7, &[1, 40]).to_string().contains("material 20"));
    }
}
