//! Bits of the voxels of a chunk and around it, one word per row, read from runs.
//!
//! The mesher and light compute with 32 voxels at a time. They map each palette entry to a few bits
//! and get words of these bits: [`ChunkPart`] reads the part of one of 27 chunks, by
//! [`RowToggles`].

mod chunk_part;
mod layout;
mod row_toggles;

pub(crate) use chunk_part::ChunkPart;
pub(crate) use layout::{AREA, LAYER, SIDE, Words, boxed, inner, row_number};
pub(crate) use row_toggles::{BitMasks, RowToggles};
