//! Encoding of regions for maps and files.
//!
//! ```text
//! version  u8: 1
//! count    number of chunks, u32 (all numbers are little-endian), at most 2^18
//! chunks   sorted by x, y, z; each is
//!   position  x, y, z, i32 each
//!   length    bytes of `voxels`, u16; 0 if every voxel of the chunk belongs to the region
//!   voxels    bit-packed RLE: material 1 belongs to the region, air does not
//! ```

use super::tree_bits::{INSIDE, is_empty, is_full};
use super::{MAX_CHUNKS, Region, RegionBytesError};
use crate::codec::bit_rle;
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Voxel};

/// Version that this program writes, and the only one that it reads.
const VERSION: u8 = 1;
/// Bytes of a chunk before its voxels.
const CHUNK_HEAD: usize = 14;

impl Region {
    /// Encodes the region. Equal regions have equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend((self.chunks.len() as u32).to_le_bytes());
        for pos in self.sorted_chunks() {
            let tree = &self.chunks[&pos];
            bytes.extend([pos.x, pos.y, pos.z].into_iter().flat_map(i32::to_le_bytes));
            let voxels = if is_full(tree) { Vec::new() } else { bit_rle::encode(tree) };
            // Cannot overflow: with two values, a voxel takes at most 2 bits, so a chunk takes at
            // most 8 KiB.
            bytes.extend((voxels.len() as u16).to_le_bytes());
            bytes.extend(voxels);
        }
        bytes
    }

    /// Decodes the bytes of [`Region::to_bytes`].
    ///
    /// # Errors
    /// Fails if the bytes are not a region. Never allocates more memory than valid bytes would
    /// need.
    pub fn from_bytes(bytes: &[u8]) -> Result<Region, RegionBytesError> {
        #[cfg(test)]
        super::made::note();
        let mut input = Input { bytes, at: 0 };
        let [version] = input.take()?;
        if version != VERSION {
            return Err(RegionBytesError::Version(version));
        }
        let count = u32::from_le_bytes(input.take()?);
        if u64::from(count) > MAX_CHUNKS {
            return Err(RegionBytesError::TooLarge(count));
        }
        if count as usize * CHUNK_HEAD > bytes.len() {
            return Err(RegionBytesError::Truncated(bytes.len()));
        }
        let mut region = Region::default();
        region.chunks.reserve(count as usize);
        let mut last = None;
        for _ in 0..count {
            let at = input.at;
            let [x, y, z] = [input.take()?, input.take()?, input.take()?].map(i32::from_le_bytes);
            let pos = ChunkPos::new(x, y, z);
            if !pos.in_world() || last.replace(pos) >= Some(pos) {
                return Err(RegionBytesError::Position(at));
            }
            let len = u16::from_le_bytes(input.take()?);
            region.chunks.insert(pos, input.voxels(len.into())?);
        }
        if input.at < bytes.len() {
            return Err(RegionBytesError::Trailing(input.at));
        }
        Ok(region)
    }
}

/// Cursor over the bytes to decode.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    /// Reads the next `N` bytes.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], RegionBytesError> {
        let rest = &self.bytes[self.at..];
        let taken = rest.first_chunk().ok_or(RegionBytesError::Truncated(self.bytes.len()))?;
        self.at += N;
        Ok(*taken)
    }

    /// Reads the voxels of a chunk from the next `len` bytes.
    fn voxels(&mut self, len: usize) -> Result<RunTree, RegionBytesError> {
        let at = self.at;
        let voxels =
            self.bytes.get(at..at + len).ok_or(RegionBytesError::Truncated(self.bytes.len()))?;
        self.at += len;
        if len == 0 {
            return Ok(RunTree::uniform(INSIDE));
        }
        let tree =
            bit_rle::decode(voxels).map_err(|reason| RegionBytesError::Voxels { at, reason })?;
        let is_sound = !is_empty(&tree)
            && !is_full(&tree)
            && tree.values().all(|v| v == INSIDE || v == Voxel::AIR);
        if is_sound { Ok(tree) } else { Err(RegionBytesError::Values(at)) }
    }
}
