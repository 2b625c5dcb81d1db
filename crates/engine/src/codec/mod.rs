//! Codecs: chunks as bytes, for the map file, the undo history, the storage table and the network.
//!
//! - [`byte_rle`]: whole bytes per run, meant for a compressor behind it (Roblox text, "Disk
//!   format").
//! - [`predicted`]: each run as its difference from nearby runs, in fixed prefix codes.
//! - [`packed`]: each voxel as a digit of a number, for noise, where runs are too short to pay.
//! - [`palette`]: the list of voxels that precedes predicted runs and packed voxels.
//! - `bit_rle`: bit-packed runs without a compressor (Roblox text, "network replication").
//! - [`bit_mask`]: sets of voxels, for undo steps.
//! - `wet`: voxels with liquid, in all of these codecs.
//! - [`varint`]: LEB128 integers, shared by the codecs and by the Sponge schematic format.

pub mod bit_mask;
pub(crate) mod bit_rle;
pub mod byte_rle;
mod lsb_bits;
mod msb_bits;
pub mod packed;
pub mod palette;
pub mod predicted;
#[cfg(test)]
mod test_chunks;
pub mod varint;
mod wet;

pub use wet::LiquidError;
pub(crate) use wet::wet_voxel;
