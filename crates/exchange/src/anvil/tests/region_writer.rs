//! Writer of region files for tests. `tests/cli/region.rs` includes this file too.

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::io::Write;

/// Bytes of a sector.
const SECTOR_BYTES: usize = 4096;
/// Sectors of the table and of the times after it.
const HEADER_SECTORS: usize = 2;

/// A compressed chunk: the number of the compression, and the data.
pub struct PackedChunk {
    compression: u8,
    data: Vec<u8>,
}

impl PackedChunk {
    /// A chunk compressed with zlib.
    pub fn zlib(data: &[u8]) -> PackedChunk {
        let mut packer = ZlibEncoder::new(vec![], Compression::fast());
        packer.write_all(data).expect("a vector takes any bytes");
        PackedChunk { compression: 2, data: packer.finish().expect("a vector takes any bytes") }
    }

    /// A chunk compressed with gzip.
    #[allow(dead_code, reason = "not every test program uses it")]
    pub fn gzip(data: &[u8]) -> PackedChunk {
        let mut packer = GzEncoder::new(vec![], Compression::fast());
        packer.write_all(data).expect("a vector takes any bytes");
        PackedChunk { compression: 1, data: packer.finish().expect("a vector takes any bytes") }
    }
}

/// A region file with these chunks at x, z (0 to 31), in this order.
pub fn region_file(chunks: impl IntoIterator<Item = (usize, usize, PackedChunk)>) -> Vec<u8> {
    let mut file = vec![0; HEADER_SECTORS * SECTOR_BYTES];
    for (x, z, chunk) in chunks {
        let first = file.len() / SECTOR_BYTES;
        // The stored length includes the compression byte.
        file.extend((chunk.data.len() as u32 + 1).to_be_bytes());
        file.push(chunk.compression);
        file.extend(chunk.data);
        file.resize(file.len().next_multiple_of(SECTOR_BYTES), 0);
        let sectors = file.len() / SECTOR_BYTES - first;
        let entry = (first << 8 | sectors) as u32;
        let at = (x + 32 * z) * 4;
        file[at..at + 4].copy_from_slice(&entry.to_be_bytes());
    }
    file
}
