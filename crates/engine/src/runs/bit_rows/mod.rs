//! Bits of the voxels of a chunk and its border, one word per row, read from runs.
//!
//! The mesher and light compute with 32 voxels at a time. They map each palette entry to a few
//! bits, and [`ChunkPart`] reads these bits of one of 27 chunks as words, with [`RowToggles`].

mod chunk_part;
mod layout;
mod row_toggles;

pub(crate) use chunk_part::ChunkPart;
pub(crate) use layout::{AREA, LAYER, SIDE, Words, boxed, inner, row_number};
pub(crate) use row_toggles::{BitMasks, RowToggles};
