//! Grains of sets: one bit per chunk, or per section of 16^3 voxels.
//!
//! The eight sections of a chunk are the bits of one byte, so one load gives all hidden sections of
//! a chunk. Sections are numbered as in `Cell::section`: 1 adds x, 2 adds z, 4 adds y.

use crate::visibility::bitset;
use crate::visibility::cell::{SECTION_SHIFT, section_index, section_offset};
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// Unit of the bits of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grain {
    /// A chunk, by slot.
    Chunks,
    /// A section: eight per slot.
    Sections,
}

/// The hidden voxels of a row, indexed by whether its lower (1) and upper (2) half are hidden.
const HALVES: [u32; 4] = [0, 0xFFFF, 0xFFFF_0000, u32::MAX];

impl Grain {
    /// Binary logarithm of [`Grain::side`].
    #[inline]
    pub fn shift(self) -> i32 {
        match self {
            Grain::Chunks => 5,
            Grain::Sections => SECTION_SHIFT,
        }
    }

    /// Side of a chunk or section, in voxels.
    #[inline]
    pub fn side(self) -> i32 {
        match self {
            Grain::Chunks => CHUNK_SIDE,
            Grain::Sections => CHUNK_SIDE / 2,
        }
    }

    /// The bit of a section of the chunk in a slot.
    #[inline]
    pub fn index(self, slot: usize, section: usize) -> usize {
        match self {
            Grain::Chunks => slot,
            Grain::Sections => slot * 8 + section,
        }
    }

    /// The slot and the section that a bit stands for.
    #[inline]
    pub fn parts(self, index: usize) -> (usize, usize) {
        match self {
            Grain::Chunks => (index, 0),
            Grain::Sections => (index / 8, index % 8),
        }
    }

    /// The position of a section of a chunk, in chunks or sections.
    #[inline]
    pub fn offset(self, chunk: IVec3, section: usize) -> IVec3 {
        match self {
            Grain::Chunks => chunk,
            Grain::Sections => chunk * 2 + section_offset(section as u8),
        }
    }

    /// The chunk and the section at a position in chunks or sections.
    #[inline]
    pub fn split(self, offset: IVec3) -> (IVec3, usize) {
        match self {
            Grain::Chunks => (offset, 0),
            Grain::Sections => (offset >> 1, usize::from(section_index(offset & 1))),
        }
    }

    /// The sections of the chunk in a slot that are not in `open`, one bit each.
    #[inline]
    pub fn hidden(self, open: &[u64], slot: usize) -> u8 {
        match self {
            Grain::Chunks if bitset::contains(open, slot) => 0,
            Grain::Chunks => u8::MAX,
            Grain::Sections => !(open[slot / 8] >> (slot % 8 * 8)) as u8,
        }
    }
}

/// The voxels of a row along x that lie in hidden sections.
#[inline]
pub(crate) fn hidden_row(hidden: u8, y: i32, z: i32) -> u32 {
    HALVES[usize::from(hidden >> (z >> SECTION_SHIFT << 1 | y >> SECTION_SHIFT << 2) & 3)]
}

/// Exchanges x and z of sections.
#[inline]
pub(crate) fn transposed(sections: u8) -> u8 {
    sections & 0b1001_1001 | (sections & 0b0010_0010) << 1 | (sections & 0b0100_0100) >> 1
}
