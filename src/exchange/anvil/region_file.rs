//! The region file: a table of chunks and their compressed data.
//!
//! `fastanvil` is not used here: its reader allocates as much memory as a chunk claims (a megabyte
//! of zlib data can become a gigabyte) and subtracts from a length that may be 0.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4096 | 1024 entries of 4 bytes, x fastest, then z: first sector (3), number of sectors (1) |
//! | 4096..8192 | times |
//! | 8192.. | chunks in sectors of 4096 bytes: length (4), compression (1), data |
//!
//! Source: Minecraft wiki, "Region file format".

use crate::exchange::error::FormatError;
use flate2::read::{GzDecoder, ZlibDecoder};
use glam::IVec2;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// Minecraft chunks along each side of a region.
pub(super) const REGION_SIDE: i32 = 32;
/// Bytes of a sector.
const SECTOR_BYTES: u64 = 4096;
/// Bytes before the first chunk.
const HEADER_BYTES: u64 = 2 * SECTOR_BYTES;
/// Largest chunk that is read, in bytes, compressed or not. Real ones have up to some hundred
/// thousand.
const MAX_CHUNK_BYTES: u64 = 16 << 20;

/// Reason why a chunk cannot be read from its region.
#[derive(thiserror::Error, Debug)]
enum RegionError {
    #[error("table entry {entry} repeats entry {first}")]
    SharedEntry { entry: usize, first: usize },
    #[error("the chunk lies in the file's header")]
    InHeader,
    #[error("the chunk begins past the end of the file")]
    PastEnd,
    #[error("the chunk has no content")]
    Empty,
    #[error("the chunk is cut off: {missing} bytes are missing")]
    Truncated { missing: u64 },
    #[error("the chunk has {0} bytes; at most {MAX_CHUNK_BYTES} are read")]
    TooLarge(u64),
    #[error("the compression is LZ4, which is not supported; let Minecraft write zlib")]
    Lz4,
    #[error("custom server compression is not supported")]
    CustomCompression,
    #[error("the chunk is in a file of its own (.mcc), which is not supported")]
    ExternalFile,
    #[error("the compression {0} is unknown")]
    UnknownCompression(u8),
    #[error("it unpacks to more than {MAX_CHUNK_BYTES} bytes")]
    UnpackedTooLarge,
    #[error("the compressed data ends too early, after {unpacked} unpacked bytes")]
    CompressedTruncated { unpacked: usize },
    #[error("the compressed data is damaged: {0}")]
    Decompression(std::io::Error),
    #[error(transparent)]
    Read(#[from] std::io::Error),
}

/// Bounds of Minecraft chunks, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChunkBounds {
    /// Least x and z.
    pub min: IVec2,
    /// Greatest x and z.
    pub max: IVec2,
}

impl ChunkBounds {
    /// The smallest bounds around both.
    pub(super) fn union(self, other: ChunkBounds) -> ChunkBounds {
        ChunkBounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The bounds moved by `offset`.
    pub(super) fn offset(self, offset: IVec2) -> ChunkBounds {
        ChunkBounds { min: self.min + offset, max: self.max + offset }
    }
}

/// Data of a chunk.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct ChunkData {
    /// Byte in the file where the chunk begins.
    pub offset: u64,
    /// Unpacked NBT data.
    pub nbt: Vec<u8>,
}

/// An open region.
pub(super) struct RegionReader<F> {
    file: F,
    /// Bytes of the file.
    length: u64,
    /// First byte of each chunk, x fastest, then z; 0 for a missing chunk.
    starts: Vec<u64>,
}

impl<F: Read + Seek> RegionReader<F> {
    /// Reads the table of chunks.
    ///
    /// # Errors
    /// The file is shorter than the table, or cannot be read.
    pub(super) fn open(mut file: F) -> Result<RegionReader<F>, FormatError> {
        let read_failed = |error: std::io::Error| FormatError::new("header", error.to_string());
        let length = file.seek(SeekFrom::End(0)).map_err(read_failed)?;
        if length < HEADER_BYTES {
            let missing = HEADER_BYTES - length;
            return Err(FormatError::new("header", format!("the file is cut off: {missing} bytes are missing")));
        }
        let mut table = [0; SECTOR_BYTES as usize];
        file.rewind().and_then(|()| file.read_exact(&mut table)).map_err(read_failed)?;
        // The fourth byte counts sectors. It is ignored: the length stored with the chunk is exact.
        let start = |e: &[u8]| u64::from(u32::from_be_bytes([0, e[0], e[1], e[2]])) * SECTOR_BYTES;
        let starts = table.chunks_exact(4).map(start).collect();
        Ok(RegionReader { file, length, starts })
    }

    /// Bounds of the chunks whose table entries point into the file, relative to the region; `None`
    /// if there are none.
    pub(super) fn bounds(&self) -> Option<ChunkBounds> {
        let present = self.starts.iter().enumerate().filter(|(_, start)| (HEADER_BYTES..self.length).contains(start));
        let positions = present.map(|(entry, _)| IVec2::new(entry as i32 % REGION_SIDE, entry as i32 / REGION_SIDE));
        positions.map(|pos| ChunkBounds { min: pos, max: pos }).reduce(ChunkBounds::union)
    }

    /// The data of the chunk at `x`, `z` (each 0..32); `None` where there is no chunk.
    ///
    /// # Errors
    /// The table points to no chunk or to one that an earlier entry has, or the chunk cannot be
    /// unpacked.
    pub(super) fn chunk(&mut self, x: i32, z: i32) -> Result<Option<ChunkData>, FormatError> {
        let entry = (x + REGION_SIDE * z) as usize;
        let offset = self.starts[entry];
        if offset == 0 {
            return Ok(None);
        }
        let bad_chunk = |error: RegionError| FormatError::new(format!("byte {offset}"), error.to_string());
        // Otherwise a hostile table could have one chunk unpacked a thousand times.
        if let Some(first) = self.starts[..entry].iter().position(|&earlier| earlier == offset) {
            return Err(bad_chunk(RegionError::SharedEntry { entry, first }));
        }
        let nbt = self.compressed(offset).and_then(|compressed| decompress(&compressed)).map_err(bad_chunk)?;
        Ok(Some(ChunkData { offset, nbt }))
    }

    /// The compression byte and the compressed data of the chunk at `offset`.
    fn compressed(&mut self, offset: u64) -> Result<Vec<u8>, RegionError> {
        if offset < HEADER_BYTES {
            return Err(RegionError::InHeader);
        }
        let available = self.length.saturating_sub(offset).checked_sub(4).ok_or(RegionError::PastEnd)?;
        let mut length = [0; 4];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut length)?;
        let length = u64::from(u32::from_be_bytes(length));
        match length {
            0 => return Err(RegionError::Empty),
            _ if length > available => return Err(RegionError::Truncated { missing: length - available }),
            _ if length > MAX_CHUNK_BYTES => return Err(RegionError::TooLarge(length)),
            _ => {}
        }
        let mut compressed = vec![0; length as usize];
        self.file.read_exact(&mut compressed)?;
        Ok(compressed)
    }
}

/// Unpacks data that begins with its compression byte.
fn decompress(compressed: &[u8]) -> Result<Vec<u8>, RegionError> {
    let Some((&compression, data)) = compressed.split_first() else {
        return Err(RegionError::Empty);
    };
    match compression {
        1 => read_limited(GzDecoder::new(data)),
        2 => read_limited(ZlibDecoder::new(data)),
        3 => read_limited(data),
        4 => Err(RegionError::Lz4),
        127 => Err(RegionError::CustomCompression),
        128.. => Err(RegionError::ExternalFile),
        _ => Err(RegionError::UnknownCompression(compression)),
    }
}

fn read_limited(source: impl Read) -> Result<Vec<u8>, RegionError> {
    let mut data = Vec::new();
    match source.take(MAX_CHUNK_BYTES + 1).read_to_end(&mut data) {
        Ok(_) if data.len() as u64 > MAX_CHUNK_BYTES => Err(RegionError::UnpackedTooLarge),
        Ok(_) => Ok(data),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Err(RegionError::CompressedTruncated { unpacked: data.len() })
        }
        Err(error) => Err(RegionError::Decompression(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};

    /// A region whose first chunk claims `length` bytes and has `content`.
    fn region(length: u32, content: &[u8]) -> Vec<u8> {
        let mut file = vec![0; HEADER_BYTES as usize];
        file[..4].copy_from_slice(&[0, 0, 2, 1]);
        file.extend(length.to_be_bytes());
        file.extend(content);
        file
    }

    fn error_text(file: Vec<u8>) -> String {
        let read = RegionReader::open(Cursor::new(file)).and_then(|mut region| region.chunk(0, 0));
        read.expect_err("the file is bad").to_string()
    }

    #[test]
    fn bad_chunk_is_refused_with_place_and_reason() {
        let mut far = region(0, &[]);
        far[..4].copy_from_slice(&[255, 255, 255, 1]);
        let mut inside = region(0, &[]);
        inside[..4].copy_from_slice(&[0, 0, 1, 1]);
        for (file, message) in [
            (vec![0; 8191], "header: the file is cut off: 1 bytes are missing"),
            (far, "byte 68719472640: the chunk begins past the end of the file"),
            (inside, "byte 4096: the chunk lies in the file's header"),
            (region(0, &[2]), "byte 8192: the chunk has no content"),
            (region(9, &[2, 0]), "byte 8192: the chunk is cut off: 7 bytes are missing"),
            (region(u32::MAX, &[2, 0]), "the chunk is cut off: 4294967293 bytes are missing"),
            (region(1 + MAX_CHUNK_BYTES as u32, &vec![3; 1 + MAX_CHUNK_BYTES as usize]), "at most 16777216 are read"),
            (region(2, &[4, 0]), "the compression is LZ4"),
            (region(2, &[127, 0]), "custom server compression is not supported"),
            (region(1, &[130]), "in a file of its own (.mcc)"),
            (region(2, &[9, 0]), "the compression 9 is unknown"),
            (region(2, &[2, 0x78]), "the compressed data ends too early, after 0 unpacked bytes"),
            (region(3, &[2, 1, 1]), "the compressed data is damaged"),
        ] {
            let error = error_text(file);
            assert!(error.contains(message), "{error:?} instead of {message:?}");
        }
    }

    #[test]
    fn decompression_bomb_is_refused() {
        let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::best());
        (0..64).for_each(|_| packer.write_all(&[0; 1 << 20]).unwrap());
        let bomb = packer.finish().unwrap();
        assert!(bomb.len() < 100_000);
        assert_eq!(error_text(region(bomb.len() as u32, &bomb)), "byte 8192: it unpacks to more than 16777216 bytes");
    }

    #[test]
    fn repeated_table_entry_is_refused() {
        let mut file = region(3, &[3, 1, 2]);
        let first: [u8; 4] = file[..4].try_into().unwrap();
        [33, 1023].into_iter().for_each(|at: usize| file[at * 4..at * 4 + 4].copy_from_slice(&first));
        let mut region = RegionReader::open(Cursor::new(file)).unwrap();
        for (x, z, entry) in [(1, 1, 33), (31, 31, 1023)] {
            let error = region.chunk(x, z).unwrap_err();
            assert_eq!(error.place(), "byte 8192");
            assert_eq!(error.reason(), format!("table entry {entry} repeats entry 0"));
        }
        assert_eq!(region.chunk(0, 0).unwrap(), Some(ChunkData { offset: 8192, nbt: vec![1, 2] }));
        assert_eq!(region.chunk(2, 2).unwrap(), None, "missing chunks share the entry 0");
    }

    #[test]
    fn every_compression_is_unpacked() {
        let plain = b"a chunk's data".to_vec();
        let level = flate2::Compression::fast();
        let mut zlib = flate2::write::ZlibEncoder::new(vec![2], level);
        let mut gzip = flate2::write::GzEncoder::new(vec![1], level);
        zlib.write_all(&plain).unwrap();
        gzip.write_all(&plain).unwrap();
        for packed in [zlib.finish().unwrap(), gzip.finish().unwrap(), [&[3][..], &plain].concat()] {
            let mut region = RegionReader::open(Cursor::new(region(packed.len() as u32, &packed))).unwrap();
            assert_eq!(region.chunk(0, 0).unwrap(), Some(ChunkData { offset: 8192, nbt: plain.clone() }));
            assert_eq!(region.chunk(31, 31).unwrap(), None);
        }
    }
}
