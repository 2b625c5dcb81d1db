//! The container: a region file's table of chunks, and their bytes.
//!
//! Read here and not by `fastanvil`, whose reader unpacks a chunk into as much memory as the chunk says (a megabyte of
//! zlib data can become a gigabyte) and subtracts from a length that may be 0. The format, from the Minecraft wiki's
//! "Region file format": 1024 places of 4 bytes (sector, sectors), 4096 bytes of times, then chunks in sectors of
//! 4096 bytes: length, kind of compression, data.

use crate::exchange::FormatError;
use flate2::read::{GzDecoder, ZlibDecoder};
use glam::IVec2;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// Columns along each side of a region.
pub(super) const SIDE: i32 = 32;
/// Bytes of a sector.
const SECTOR: u64 = 4096;
/// Bytes before the first chunk.
const HEADER: u64 = 2 * SECTOR;
/// The most bytes of a chunk, packed or unpacked. Real ones have up to some hundred thousand.
const MOST_BYTES: u64 = 16 << 20;

/// An open region.
pub(super) struct Region<F> {
    file: F,
    /// Bytes of the file.
    length: u64,
    /// First byte of each chunk, x fastest, then z; 0 where there is none.
    starts: Vec<u64>,
}

impl<F: Read + Seek> Region<F> {
    /// Reads the table of chunks.
    ///
    /// # Errors
    /// The file is too short to have one, or cannot be read.
    pub(super) fn open(mut file: F) -> Result<Region<F>, FormatError> {
        let broken = |error: std::io::Error| FormatError::new("header", error.to_string());
        let length = file.seek(SeekFrom::End(0)).map_err(broken)?;
        if length < HEADER {
            return Err(FormatError::new(
                "header",
                format!("the file is cut off: {} bytes are missing", HEADER - length),
            ));
        }
        let mut table = [0; SECTOR as usize];
        file.rewind().and_then(|()| file.read_exact(&mut table)).map_err(broken)?;
        // The fourth byte counts sectors; what counts is the length that stands with the chunk.
        let starts =
            table.chunks_exact(4).map(|e| u64::from(u32::from_be_bytes([0, e[0], e[1], e[2]])) * SECTOR).collect();
        Ok(Region { file, length, starts })
    }

    /// The least and the greatest x and z (each 0..32) of the chunks that the table has at a place within the file; none if there
    /// are none.
    pub(super) fn extent(&self) -> Option<(IVec2, IVec2)> {
        let there = self.starts.iter().enumerate().filter(|(_, start)| (HEADER..self.length).contains(start));
        let places = there.map(|(entry, _)| IVec2::new(entry as i32 % SIDE, entry as i32 / SIDE));
        places.map(|at| (at, at)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The unpacked NBT data of the chunk at `x`, `z` (each 0..32), and the byte where it begins in the file; none where
    /// there is no chunk.
    ///
    /// # Errors
    /// Its bytes are not where the table says, or cannot be unpacked, or are those of another chunk.
    pub(super) fn chunk(&mut self, x: i32, z: i32) -> Result<Option<(u64, Vec<u8>)>, FormatError> {
        let entry = (x + SIDE * z) as usize;
        let start = self.starts[entry];
        if start == 0 {
            return Ok(None);
        }
        let flaw = |reason: String| FormatError::new(format!("byte {start}"), reason);
        // Read for each of the table's entries, one small chunk could be made to be unpacked a thousand times.
        if let Some(first) = self.starts[..entry].iter().position(|&earlier| earlier == start) {
            return Err(flaw(format!("the file's table has entry {entry} where entry {first} is already")));
        }
        self.packed(start).and_then(|packed| unpacked(&packed)).map(|data| Some((start, data))).map_err(flaw)
    }

    /// The kind of compression, and the packed data.
    fn packed(&mut self, start: u64) -> Result<Vec<u8>, String> {
        if start < HEADER {
            return Err("the chunk lies in the file's header".to_owned());
        }
        let room = self.length.saturating_sub(start).checked_sub(4).ok_or("the chunk begins behind the file's end")?;
        let mut length = [0; 4];
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.read_exact(&mut length))
            .map_err(|e| e.to_string())?;
        let length = u64::from(u32::from_be_bytes(length));
        match length {
            0 => return Err("the chunk has no content".to_owned()),
            _ if length > room => return Err(format!("the chunk is cut off: {} bytes are missing", length - room)),
            _ if length > MOST_BYTES => {
                return Err(format!("the chunk has {length} bytes; at most {MOST_BYTES} are read"));
            }
            _ => {}
        }
        let mut packed = vec![0; length as usize];
        self.file.read_exact(&mut packed).map_err(|e| e.to_string())?;
        Ok(packed)
    }
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, String> {
    let Some((&kind, packed)) = packed.split_first() else {
        return Err("the chunk has no content".to_owned());
    };
    match kind {
        1 => limited(GzDecoder::new(packed)),
        2 => limited(ZlibDecoder::new(packed)),
        3 => limited(packed),
        4 => Err("it is packed with LZ4, which is not read; let Minecraft write it with zlib".to_owned()),
        127 => Err("it is packed in a way of some server's own, which is not read".to_owned()),
        128.. => Err("it is too large for the region, in a file of its own (.mcc), which is not read".to_owned()),
        _ => Err(format!("it is packed in the unknown way {kind}")),
    }
}

fn limited(unpacking: impl Read) -> Result<Vec<u8>, String> {
    let mut data = Vec::new();
    match unpacking.take(MOST_BYTES + 1).read_to_end(&mut data) {
        Ok(_) if data.len() as u64 > MOST_BYTES => Err(format!("it unpacks to more than {MOST_BYTES} bytes")),
        Ok(_) => Ok(data),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Err(format!("its packed data ends too early, after {} bytes", data.len()))
        }
        Err(error) => Err(format!("it cannot be unpacked: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};

    /// A region whose first chunk has these bytes, and a length of `length`.
    fn region(length: u32, content: &[u8]) -> Vec<u8> {
        let mut file = vec![0; HEADER as usize];
        file[..4].copy_from_slice(&[0, 0, 2, 1]);
        file.extend(length.to_be_bytes());
        file.extend(content);
        file
    }

    fn reason(file: Vec<u8>) -> String {
        let flaw = Region::open(Cursor::new(file)).and_then(|mut r| r.chunk(0, 0)).expect_err("the file is bad");
        format!("{}: {}", flaw.place(), flaw.reason())
    }

    #[test]
    fn chunks_that_go_wrong() {
        let mut far = region(0, &[]);
        far[..4].copy_from_slice(&[255, 255, 255, 1]);
        let mut inside = region(0, &[]);
        inside[..4].copy_from_slice(&[0, 0, 1, 1]);
        for (file, message) in [
            (vec![0; 8191], "header: the file is cut off: 1 bytes are missing"),
            (far, "byte 68719472640: the chunk begins behind the file's end"),
            (inside, "byte 4096: the chunk lies in the file's header"),
            (region(0, &[2]), "byte 8192: the chunk has no content"),
            (region(9, &[2, 0]), "byte 8192: the chunk is cut off: 7 bytes are missing"),
            (region(u32::MAX, &[2, 0]), "the chunk is cut off: 4294967293 bytes are missing"),
            (region(1 + MOST_BYTES as u32, &vec![3; 1 + MOST_BYTES as usize]), "at most 16777216 are read"),
            (region(2, &[4, 0]), "it is packed with LZ4"),
            (region(2, &[127, 0]), "a way of some server's own"),
            (region(1, &[130]), "in a file of its own (.mcc)"),
            (region(2, &[9, 0]), "it is packed in the unknown way 9"),
            (region(2, &[2, 0x78]), "its packed data ends too early, after 0 bytes"),
            (region(3, &[2, 1, 1]), "it cannot be unpacked"),
        ] {
            let error = reason(file);
            assert!(error.contains(message), "{error:?} instead of {message:?}");
        }
    }

    #[test]
    fn a_bomb_is_not_set_off() {
        let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::best());
        (0..64).for_each(|_| packer.write_all(&[0; 1 << 20]).unwrap());
        let bomb = packer.finish().unwrap();
        assert!(bomb.len() < 100_000);
        assert_eq!(reason(region(bomb.len() as u32, &bomb)), "byte 8192: it unpacks to more than 16777216 bytes");
    }

    #[test]
    fn many_entries_for_one_chunk() {
        let mut file = region(3, &[3, 1, 2]);
        let first: [u8; 4] = file[..4].try_into().unwrap();
        [33, 1023].into_iter().for_each(|at: usize| file[at * 4..at * 4 + 4].copy_from_slice(&first));
        let mut region = Region::open(Cursor::new(file)).unwrap();
        for (x, z, entry) in [(1, 1, 33), (31, 31, 1023)] {
            let flaw = region.chunk(x, z).unwrap_err();
            assert_eq!(flaw.place(), "byte 8192");
            assert_eq!(flaw.reason(), format!("the file's table has entry {entry} where entry 0 is already"));
        }
        assert_eq!(region.chunk(0, 0).unwrap(), Some((8192, vec![1, 2])));
        assert_eq!(region.chunk(2, 2).unwrap(), None, "what is absent is at 0 for all");
    }

    #[test]
    fn every_kind_of_packing() {
        let plain = b"a chunk's data".to_vec();
        let level = flate2::Compression::fast();
        let mut zlib = flate2::write::ZlibEncoder::new(vec![2], level);
        let mut gzip = flate2::write::GzEncoder::new(vec![1], level);
        zlib.write_all(&plain).unwrap();
        gzip.write_all(&plain).unwrap();
        for packed in [zlib.finish().unwrap(), gzip.finish().unwrap(), [&[3][..], &plain].concat()] {
            let mut region = Region::open(Cursor::new(region(packed.len() as u32, &packed))).unwrap();
            assert_eq!(region.chunk(0, 0).unwrap(), Some((8192, plain.clone())));
            assert_eq!(region.chunk(31, 31).unwrap(), None);
        }
    }
}
