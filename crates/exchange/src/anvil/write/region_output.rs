//! Writes a region file: chunks in sectors, then the table at its beginning.

use crate::anvil::region_file::{HEADER_BYTES, REGION_SIDE, SECTOR_BYTES};
use crate::scene::WriterError;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use glam::IVec2;
use std::io::{self, Seek, SeekFrom, Write};

/// Number of zlib, the compression that Minecraft itself uses.
const ZLIB: u8 = 2;
/// Largest number of sectors of a chunk: the table counts them in a byte.
const MAX_SECTORS: u64 = u8::MAX as u64;

/// A region file that is being written.
pub(super) struct RegionOutput<W> {
    out: W,
    /// Number of sectors written so far.
    sectors: u64,
    /// First sector and number of sectors of each chunk, x fastest, then z; 0 for a missing chunk.
    table: Vec<u32>,
}

impl<W: Write + Seek> RegionOutput<W> {
    /// Begins a file with an empty table.
    pub(super) fn begin(mut out: W) -> io::Result<RegionOutput<W>> {
        out.write_all(&[0; HEADER_BYTES as usize])?;
        let table = vec![0; (REGION_SIDE * REGION_SIDE) as usize];
        Ok(RegionOutput { out, sectors: HEADER_BYTES / SECTOR_BYTES, table })
    }

    /// Adds the chunk at `place` (x, z) in the world with this NBT data.
    ///
    /// # Errors
    /// The chunk is too large for a region file, or the target fails.
    pub(super) fn chunk(&mut self, place: IVec2, nbt: &[u8]) -> Result<(), WriterError> {
        let mut packer = ZlibEncoder::new(vec![ZLIB], Compression::default());
        packer.write_all(nbt)?;
        let packed = packer.finish()?;
        // Four bytes state the length.
        let bytes = packed.len() as u64 + 4;
        let sectors = bytes.div_ceil(SECTOR_BYTES);
        if sectors > MAX_SECTORS {
            let limit = MAX_SECTORS * SECTOR_BYTES;
            return Err(WriterError::Unfit(format!(
                "chunk ({}, {}): it has {bytes} bytes; a region file holds chunks of at most {limit}",
                place.x, place.y
            )));
        }
        self.out.write_all(&(packed.len() as u32).to_be_bytes())?;
        self.out.write_all(&packed)?;
        let padding = (sectors * SECTOR_BYTES - bytes) as usize;
        self.out.write_all(&[0; SECTOR_BYTES as usize][..padding])?;
        let entry = place.rem_euclid(IVec2::splat(REGION_SIDE));
        // A region has at most 1024 chunks of 255 sectors, so the first sector fits into 24 bits.
        self.table[(entry.x + REGION_SIDE * entry.y) as usize] =
            (self.sectors << 8 | sectors) as u32;
        self.sectors += sectors;
        Ok(())
    }

    /// Writes the table.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(0))?;
        for entry in &self.table {
            self.out.write_all(&entry.to_be_bytes())?;
        }
        self.out.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anvil::region_file::RegionReader;
    use stonerun_engine::random::Random;

    #[test]
    fn chunks_are_read_back_from_their_places() {
        let mut file = io::Cursor::new(vec![]);
        let mut region = RegionOutput::begin(&mut file).unwrap();
        let mut random = Random::new(3);
        let mut noise =
            |length: usize| -> Vec<u8> { (0..length).map(|_| random.draw() as u8).collect() };
        let contents = [noise(5), noise(4096 * 3), noise(4000), noise(1_040_000)];
        let places = [[-32, 0], [-1, 31], [-31, 0], [-32, 1]].map(IVec2::from);
        for (place, content) in places.into_iter().zip(&contents) {
            region.chunk(place, content).unwrap();
        }
        let WriterError::Unfit(error) = region.chunk(IVec2::ONE, &noise(1_048_576)).unwrap_err()
        else {
            panic!("it is not too large")
        };
        assert!(error.starts_with("chunk (1, 1): it has 10"), "{error}");
        assert!(error.ends_with("holds chunks of at most 1044480"), "{error}");
        region.finish().unwrap();
        assert_eq!(file.get_ref().len() % 4096, 0);
        let mut reader = RegionReader::open(file).unwrap();
        let places = [[0, 0], [31, 31], [1, 0], [0, 1]];
        for ([x, z], content) in places.into_iter().zip(contents) {
            let compressed = reader.chunk(x, z).unwrap().expect("it was written");
            assert_eq!(compressed.nbt, content, "{x} {z}");
        }
        assert_eq!(reader.chunk(1, 1).unwrap(), None);
    }
}
