//! Blueprints: copied voxels as a file of their own, `NAME.blueprint`.
//!
//! A blueprint is self-contained, like a map: it holds the materials of its voxels with their
//! names. It uses the records of maps, each in a frame with kind, key and checksum
//! (`format/frame.rs`).
//!
//! ```text
//! offset size
//!  0     8    magic "SRBLUEPR"
//!  8     2    version of the format, u16 (numbers are little-endian): 2 if a material has a
//!             surface other than a cube's, or a voxel has liquid, else 1
//! 10     2    number of materials, u16, at least 1
//! 12     4    number of chunks, u32
//! 16    12    origin: x, y, z as i32; the voxel that a paste puts at its target
//! 28     4    CRC-32 (IEEE) of bytes 0 to 27
//! 32          material records by index, from 0: air
//!             per chunk, positions ascending by x, then y, then z:
//!               chunk record: the voxels
//!               chunk record: 1 where a voxel belongs to the blueprint, else air
//! ```

mod error;
mod read;
mod write;

pub use error::BlueprintError;

use crate::voxel::{ChunkPos, Material};
use crate::world::Chunk;
use glam::IVec3;

/// Extension of blueprint files, without a dot.
pub const BLUEPRINT_EXTENSION: &str = "blueprint";

const MAGIC: [u8; 8] = *b"SRBLUEPR";
/// Version of the format of most blueprints, which earlier versions of the program read.
const FIRST_VERSION: u16 = 1;
/// Highest version of the format that this program reads and writes.
const VERSION: u16 = 2;
/// Bytes before the records.
const HEADER_BYTES: usize = 32;
/// Maximum number of chunks, the limit of one edit.
const MAX_CHUNKS: u32 = 1 << 18;
/// Maximum heap size in bytes of the chunks of a blueprint, the same as for imports into memory.
const MAX_HEAP_BYTES: usize = 2 << 30;

/// Copied voxels with their materials.
#[derive(Clone, PartialEq, Debug)]
pub struct Blueprint {
    /// Materials of the voxels: air first, and no name twice.
    pub materials: Vec<Material>,
    /// The voxel that a paste puts at its target, in the same coordinates as the chunks.
    pub origin: IVec3,
    /// The chunks, sorted by position.
    pub chunks: Vec<BlueprintChunk>,
}

/// A chunk of a blueprint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlueprintChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// The voxels, whose materials are indices into `materials` of the blueprint.
    pub voxels: Chunk,
    /// Mask of the voxels that belong to the blueprint: full voxels of material 1; the others are
    /// air.
    pub inside: Chunk,
}

#[cfg(test)]
mod tests;
