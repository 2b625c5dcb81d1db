//! The region file: a table of chunks and their compressed data.
//!
//! Chunks are unpacked up to a limit, because a megabyte of zlib data can become a gigabyte.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4096 | 1024 entries of 4 bytes, x fastest, then z: first sector (3), sectors (1) |
//! | 4096..8192 | times of the chunks' last changes |
//! | 8192.. | chunks in sectors of 4096 bytes: length (4), compression (1), data |
//!
//! A chunk of a megabyte or more has 128 added to its compression byte. Its data is in a file of
//! its own, `c.X.Z.mcc` in the folder of the region, named after the chunk.
//!
//! Source: Minecraft wiki, "Region file format".

use super::lz4_block::{self, Lz4Error};
use crate::error::FormatError;
use crate::minecraft::nbt_check;
use crate::packed_stream::{Container, PackedStream, PackedStreamError};
use glam::IVec2;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Minecraft chunks along each side of a region.
pub(super) const REGION_SIDE: i32 = 32;
/// Bytes of a sector.
pub(super) const SECTOR_BYTES: u64 = 4096;
/// Bytes before the first chunk.
pub(super) const HEADER_BYTES: u64 = 2 * SECTOR_BYTES;
/// Largest chunk that is read, in bytes, compressed or not. Chunks of real worlds have up to a few
/// hundred thousand bytes.
const MAX_CHUNK_BYTES: u64 = 16 << 20;
/// Largest chunk that is read from a file of its own, in bytes, compressed or not.
const MAX_EXTERNAL_BYTES: u64 = 64 << 20;
/// Bit of the compression byte that marks a chunk in a file of its own.
const EXTERNAL: u8 = 0x80;

/// Reason why a chunk cannot be read from its region.
#[derive(thiserror::Error, Debug)]
enum RegionFileError {
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
    #[error("custom server compression is not supported")]
    CustomCompression,
    #[error("the chunk's data is in {file}, which cannot be read: {reason}")]
    External { file: String, reason: String },
    #[error("the chunk's data is in a file of its own")]
    UnknownFolder,
    #[error("the compression {0} is unknown")]
    UnknownCompression(u8),
    #[error("it unpacks to more than {0} bytes")]
    UnpackedTooLarge(u64),
    #[error(transparent)]
    Lz4(#[from] Lz4Error),
    #[error("the compressed data ends too early, after {unpacked} unpacked bytes")]
    CompressedTruncated { unpacked: usize },
    #[error("the compressed data is damaged: {0}")]
    Decompression(PackedStreamError),
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
    /// The smallest bounds that contain both.
    pub(super) fn union(self, other: ChunkBounds) -> ChunkBounds {
        ChunkBounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The bounds moved by `offset`.
    pub(super) fn offset(self, offset: IVec2) -> ChunkBounds {
        ChunkBounds { min: self.min + offset, max: self.max + offset }
    }
}

/// Unpacked data of a chunk.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct ChunkData {
    /// Offset of the chunk in the file, in bytes.
    pub offset: u64,
    /// Unpacked NBT data.
    pub nbt: Vec<u8>,
    /// Fault after the NBT data, which is complete.
    pub end_fault: Option<PackedStreamError>,
}

/// An open region.
pub(super) struct RegionReader<F> {
    file: F,
    /// Length of the file, in bytes.
    length: u64,
    /// Offset of the first byte of each chunk, x fastest, then z; 0 for a missing chunk.
    starts: Vec<u64>,
    /// Folder with the files of large chunks, and the position of the region's first chunk in the
    /// world.
    external: Option<(PathBuf, IVec2)>,
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
            return Err(FormatError::new(
                "header",
                format!("the file is cut off: {missing} bytes are missing"),
            ));
        }
        let mut table = [0; SECTOR_BYTES as usize];
        file.rewind().and_then(|()| file.read_exact(&mut table)).map_err(read_failed)?;
        // The fourth byte counts sectors. It is ignored: the length stored with the chunk is exact.
        let start = |e: &[u8]| u64::from(u32::from_be_bytes([0, e[0], e[1], e[2]])) * SECTOR_BYTES;
        let starts = table.chunks_exact(4).map(start).collect();
        Ok(RegionReader { file, length, starts, external: None })
    }

    /// Sets the folder that holds large chunks: the folder of the region file `path`. The region is
    /// at `x`, `z`, in regions.
    pub(super) fn with_external_chunks(mut self, path: &Path, x: i32, z: i32) -> RegionReader<F> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        self.external = Some((folder, IVec2::new(x, z) * REGION_SIDE));
        self
    }

    /// Bounds of the chunks whose table entries point into the file, relative to the region; `None`
    /// if there are none.
    pub(super) fn bounds(&self) -> Option<ChunkBounds> {
        let present = self
            .starts
            .iter()
            .enumerate()
            .filter(|(_, start)| (HEADER_BYTES..self.length).contains(start));
        let positions = present
            .map(|(entry, _)| IVec2::new(entry as i32 % REGION_SIDE, entry as i32 / REGION_SIDE));
        positions.map(|pos| ChunkBounds { min: pos, max: pos }).reduce(ChunkBounds::union)
    }

    /// The data of the chunk at `x`, `z` (each 0..32); `None` where there is no chunk.
    ///
    /// # Errors
    /// The table entry points to no chunk or repeats an earlier entry, or the chunk cannot be
    /// unpacked.
    pub(super) fn chunk(&mut self, x: i32, z: i32) -> Result<Option<ChunkData>, FormatError> {
        let entry = (x + REGION_SIDE * z) as usize;
        let offset = self.starts[entry];
        if offset == 0 {
            return Ok(None);
        }
        let bad_chunk =
            |error: RegionFileError| FormatError::new(format!("byte {offset}"), error.to_string());
        // Without this check a hostile table could have one chunk unpacked a thousand times.
        if let Some(first) = self.starts[..entry].iter().position(|&earlier| earlier == offset) {
            return Err(bad_chunk(RegionFileError::SharedEntry { entry, first }));
        }
        let unpacked =
            self.compressed(offset).and_then(|compressed| match compressed.split_first() {
                None => Err(RegionFileError::Empty),
                Some((&compression @ EXTERNAL.., _)) => decompress(
                    compression - EXTERNAL,
                    &self.external_data(x, z)?,
                    MAX_EXTERNAL_BYTES,
                ),
                Some((&compression, data)) => decompress(compression, data, MAX_CHUNK_BYTES),
            });
        let (nbt, end_fault) = unpacked.map_err(bad_chunk)?;
        Ok(Some(ChunkData { offset, nbt, end_fault }))
    }

    /// The compressed data of the chunk at `x`, `z`, from its own file.
    fn external_data(&self, x: i32, z: i32) -> Result<Vec<u8>, RegionFileError> {
        let (folder, first) = self.external.as_ref().ok_or(RegionFileError::UnknownFolder)?;
        let name = format!("c.{}.{}.mcc", first.x + x, first.y + z);
        let failed = |reason: String| RegionFileError::External { file: name.clone(), reason };
        let path = folder.join(&name);
        // Reading a pipe would never end.
        if path.exists() && !path.is_file() {
            return Err(failed("it is not a file".to_owned()));
        }
        let mut data = Vec::new();
        let read = File::open(&path)
            .and_then(|file| file.take(MAX_EXTERNAL_BYTES + 1).read_to_end(&mut data));
        read.map_err(|error| failed(error.to_string()))?;
        if data.len() as u64 > MAX_EXTERNAL_BYTES {
            return Err(failed(format!("it has more than {MAX_EXTERNAL_BYTES} bytes")));
        }
        Ok(data)
    }

    /// The compression byte and the compressed data of the chunk at `offset`.
    fn compressed(&mut self, offset: u64) -> Result<Vec<u8>, RegionFileError> {
        if offset < HEADER_BYTES {
            return Err(RegionFileError::InHeader);
        }
        let available =
            self.length.saturating_sub(offset).checked_sub(4).ok_or(RegionFileError::PastEnd)?;
        let mut length = [0; 4];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut length)?;
        let length = u64::from(u32::from_be_bytes(length));
        match length {
            0 => return Err(RegionFileError::Empty),
            _ if length > available => {
                return Err(RegionFileError::Truncated { missing: length - available });
            }
            _ if length > MAX_CHUNK_BYTES => return Err(RegionFileError::TooLarge(length)),
            _ => {}
        }
        let mut compressed = vec![0; length as usize];
        self.file.read_exact(&mut compressed)?;
        Ok(compressed)
    }
}

/// Unpacks data to at most `max` bytes. A fault after complete NBT data is returned next to the
/// data, not as an error.
fn decompress(
    compression: u8,
    data: &[u8],
    max: u64,
) -> Result<(Vec<u8>, Option<PackedStreamError>), RegionFileError> {
    match compression {
        1 => unpack(Container::Gzip, data, max),
        2 => unpack(Container::Zlib, data, max),
        3 if data.len() as u64 > max => Err(RegionFileError::UnpackedTooLarge(max)),
        3 => Ok((data.to_vec(), None)),
        4 => Ok(lz4_block::unpack(data, max)?),
        127 => Err(RegionFileError::CustomCompression),
        _ => Err(RegionFileError::UnknownCompression(compression)),
    }
}

fn unpack(
    container: Container,
    packed: &[u8],
    max: u64,
) -> Result<(Vec<u8>, Option<PackedStreamError>), RegionFileError> {
    let mut data = Vec::new();
    let read = PackedStream::new(container, packed).take(max + 1).read_to_end(&mut data);
    match read {
        _ if data.len() as u64 > max => Err(RegionFileError::UnpackedTooLarge(max)),
        Ok(_) => Ok((data, None)),
        Err(error) => match PackedStreamError::from_io(&error).ok_or(error)? {
            fault if fault.spares_content() && nbt_check::is_complete(&data) => {
                Ok((data, Some(fault)))
            }
            PackedStreamError::BytesAfter(_) => Ok((data, None)),
            PackedStreamError::NotClosed => {
                Err(RegionFileError::CompressedTruncated { unpacked: data.len() })
            }
            fault => Err(RegionFileError::Decompression(fault)),
        },
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
            (
                region(1 + MAX_CHUNK_BYTES as u32, &vec![3; 1 + MAX_CHUNK_BYTES as usize]),
                "at most 16777216 are read",
            ),
            (region(2, &[4, 0]), "byte 8192: LZ4 block 0 is cut off"),
            (region(2, &[127, 0]), "custom server compression is not supported"),
            (region(1, &[130]), "the chunk's data is in a file of its own"),
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
        for _ in 0..64 {
            packer.write_all(&[0; 1 << 20]).unwrap();
        }
        let bomb = packer.finish().unwrap();
        assert!(bomb.len() < 100_000);
        assert_eq!(
            error_text(region(bomb.len() as u32, &bomb)),
            "byte 8192: it unpacks to more than 16777216 bytes"
        );
    }

    #[test]
    fn repeated_table_entry_is_refused() {
        let mut file = region(3, &[3, 1, 2]);
        let first: [u8; 4] = file[..4].try_into().unwrap();
        for at in [33, 1023] {
            file[at * 4..at * 4 + 4].copy_from_slice(&first);
        }
        let mut region = RegionReader::open(Cursor::new(file)).unwrap();
        for (x, z, entry) in [(1, 1, 33), (31, 31, 1023)] {
            let error = region.chunk(x, z).unwrap_err();
            assert_eq!(error.place(), "byte 8192");
            assert_eq!(error.reason(), format!("table entry {entry} repeats entry 0"));
        }
        assert_eq!(
            region.chunk(0, 0).unwrap(),
            Some(ChunkData { offset: 8192, nbt: vec![1, 2], end_fault: None })
        );
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
        let (lz4, lz4_plain) = lz4_block::tests::fixture();
        let folder = tempfile::tempdir().unwrap();
        for (packed, plain) in [
            (zlib.finish().unwrap(), &plain),
            (gzip.finish().unwrap(), &plain),
            ([&[3][..], &plain].concat(), &plain),
            ([&[4][..], &lz4].concat(), &lz4_plain),
        ] {
            let mut inside =
                RegionReader::open(Cursor::new(region(packed.len() as u32, &packed))).unwrap();
            assert_eq!(
                inside.chunk(0, 0).unwrap(),
                Some(ChunkData { offset: 8192, nbt: plain.clone(), end_fault: None })
            );
            assert_eq!(inside.chunk(31, 31).unwrap(), None);
            // The same data in the chunk's own file.
            std::fs::write(folder.path().join("c.-32.64.mcc"), &packed[1..]).unwrap();
            let outside =
                RegionReader::open(Cursor::new(region(1, &[packed[0] | EXTERNAL]))).unwrap();
            let mut outside =
                outside.with_external_chunks(&folder.path().join("r.-1.2.mca"), -1, 2);
            assert_eq!(
                outside.chunk(0, 0).unwrap(),
                Some(ChunkData { offset: 8192, nbt: plain.clone(), end_fault: None })
            );
        }
    }

    #[test]
    fn fault_behind_complete_nbt_is_returned() {
        // A compound with the byte `a`.
        let nbt = b"\x0a\0\0\x01\0\x01a\x07\0";
        let packed = |data: &[u8]| {
            let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::fast());
            packer.write_all(data).unwrap();
            packer.flush().unwrap();
            packer.get_ref().clone()
        };
        let read = |packed: Vec<u8>| {
            let mut region =
                RegionReader::open(Cursor::new(region(packed.len() as u32, &packed))).unwrap();
            region
                .chunk(0, 0)
                .map(|chunk| chunk.unwrap().end_fault)
                .map_err(|error| error.reason().to_owned())
        };
        assert_eq!(read(packed(nbt)), Ok(Some(PackedStreamError::NotClosed)));
        assert_eq!(read([packed(nbt), vec![0; 5]].concat()), Ok(Some(PackedStreamError::Damaged)));
        let cut = read(packed(&nbt[..8])).unwrap_err();
        assert_eq!(cut, "the compressed data ends too early, after 8 unpacked bytes");
    }

    #[test]
    fn bad_file_of_a_large_chunk_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let read = || {
            let region = RegionReader::open(Cursor::new(region(1, &[EXTERNAL | 3]))).unwrap();
            region
                .with_external_chunks(&folder.path().join("r.0.0.mca"), 0, 0)
                .chunk(0, 0)
                .unwrap_err()
                .to_string()
        };
        let start = "byte 8192: the chunk's data is in c.0.0.mcc, which cannot be read: ";
        assert!(read().starts_with(start), "{}", read());
        let path = folder.path().join("c.0.0.mcc");
        std::fs::create_dir(&path).unwrap();
        assert_eq!(read(), format!("{start}it is not a file"));
        std::fs::remove_dir(&path).unwrap();
        // A sparse file takes no disk space.
        std::fs::File::create(&path).unwrap().set_len(MAX_EXTERNAL_BYTES + 1).unwrap();
        assert_eq!(read(), format!("{start}it has more than 67108864 bytes"));
    }
}
