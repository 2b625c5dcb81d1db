//! A chunk as a record: byte-RLE, then LZ4 where that is smaller, in a frame.
//!
//! The codec tag leaves room for further codecs: a reader refuses a tag it does not know, for that chunk only.

use super::frame::{self, Kind, Record};
use super::rle;
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// Codec tag: byte-RLE as it is.
const RLE: u8 = 0;
/// Codec tag: byte-RLE as one LZ4 block; its length before is the frame's plain length.
const RLE_LZ4: u8 = 1;

/// The data of a chunk's record: codec tag, length as byte-RLE, bytes.
fn pack(chunk: &Chunk) -> (u8, usize, Vec<u8>) {
    let plain = rle::encode(chunk);
    let squeezed = lz4_flex::block::compress(&plain);
    if squeezed.len() < plain.len() { (RLE_LZ4, plain.len(), squeezed) } else { (RLE, plain.len(), plain) }
}

/// The record of `chunk` at `pos`.
pub(super) fn write(pos: ChunkPos, chunk: &Chunk, revision: u32) -> Vec<u8> {
    let (codec, plain_len, data) = pack(chunk);
    frame::seal(Kind::Chunk, codec, revision, pos, plain_len, &data)
}

/// The chunk in a record whose checksum holds. `materials` is the length of the map's material table.
pub(super) fn read(record: &Record<'_>, materials: usize) -> Result<Chunk, String> {
    // The frame has limited both lengths.
    let plain_len = record.prefix.plain_len;
    match record.prefix.codec {
        RLE if plain_len == record.data.len() => rle::decode(record.data, materials).map_err(|e| e.to_string()),
        RLE => Err("its two lengths differ".to_owned()),
        RLE_LZ4 => {
            let mut plain = vec![0; plain_len];
            match lz4_flex::block::decompress_into(record.data, &mut plain) {
                Ok(n) if n == plain_len => rle::decode(&plain, materials).map_err(|e| e.to_string()),
                Ok(n) => Err(format!("LZ4 gives {n} bytes instead of {plain_len}")),
                Err(e) => Err(format!("LZ4: {e}")),
            }
        }
        codec => Err(format!("its codec {codec} is unknown")),
    }
}

/// Bytes of `chunk` as byte-RLE, and after LZ4 where that is smaller. Costs one encoding.
#[must_use]
pub fn encoded_sizes(chunk: &Chunk) -> (usize, usize) {
    let (_, plain_len, data) = pack(chunk);
    (plain_len, data.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_VOLUME, Voxel};

    #[test]
    fn both_codecs_come_back() {
        let noise =
            |i: u32| Voxel::new((i.wrapping_mul(2_654_435_761) >> 24) as u16, (i.wrapping_mul(40_503) >> 3) as u8);
        let layers = |i: u32| Voxel::full((i / 32 % 5) as u16);
        for (codec, chunk) in [
            (RLE, Chunk::uniform(Voxel::full(3))),
            (RLE_LZ4, Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, layers(i))))),
            (RLE, Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, noise(i))))),
        ] {
            let bytes = write(ChunkPos::new(1, 2, 3), &chunk, 9);
            let record = frame::parse(&bytes).unwrap();
            assert_eq!(record.prefix.codec, codec);
            assert_eq!(encoded_sizes(&chunk), (record.prefix.plain_len, record.data.len()));
            assert!(read(&record, 256).unwrap() == chunk);
        }
    }

    #[test]
    fn sealed_nonsense_is_refused() {
        let refuse = |codec, plain_len, data: &[u8]| {
            let bytes = frame::seal(Kind::Chunk, codec, 1, ChunkPos::default(), plain_len, data);
            read(&frame::parse(&bytes).unwrap(), 10).unwrap_err()
        };
        assert!(refuse(2, 3, &[1, 2, 3]).contains("codec 2"));
        assert!(refuse(RLE, 4, &[1, 2, 3]).contains("lengths"));
        assert!(refuse(RLE_LZ4, 100, &[0xff, 0xff, 0xff]).contains("LZ4"));
        assert!(refuse(RLE_LZ4, 100, &[0x10, 7]).contains("LZ4"));
        assert!(refuse(RLE, 7, &[1, 20, 0, 0x80, 0, 0xff, 0x7f]).contains("material 20"));
    }
}
