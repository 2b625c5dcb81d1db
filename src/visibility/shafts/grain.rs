//! What a set's bits stand for: chunks, or their sections of 16^3 voxels.
//!
//! A chunk's eight sections have eight bits of one byte, so that what is hidden of a chunk is at hand at once. A section's place
//! in its chunk is counted as cells count it: 1 more x, 2 more z, 4 more y.

use crate::visibility::bitset;
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// What a bit of a set stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// A chunk, by its place.
    Chunks,
    /// A section: eight to a place.
    Sections,
}

/// What hides of a row of a section's voxels, by whether the lower and the higher half are hidden.
const HALVES: [u32; 4] = [0, 0xFFFF, 0xFFFF_0000, u32::MAX];

impl Grain {
    /// The side of one, in voxels, as a power of 2.
    #[inline]
    pub fn shift(self) -> i32 {
        match self {
            Grain::Chunks => 5,
            Grain::Sections => 4,
        }
    }

    /// The side of one, in voxels.
    #[inline]
    pub fn side(self) -> i32 {
        match self {
            Grain::Chunks => CHUNK_SIDE,
            Grain::Sections => CHUNK_SIDE / 2,
        }
    }

    /// The bit of a section of the chunk at a place.
    #[inline]
    pub fn index(self, chunk: usize, section: usize) -> usize {
        match self {
            Grain::Chunks => chunk,
            Grain::Sections => chunk * 8 + section,
        }
    }

    /// The place of the chunk and the section that a bit stands for.
    #[inline]
    pub fn parts(self, index: usize) -> (usize, usize) {
        match self {
            Grain::Chunks => (index, 0),
            Grain::Sections => (index / 8, index % 8),
        }
    }

    /// Where a section of a chunk lies, in what bits stand for.
    #[inline]
    pub fn offset(self, chunk: IVec3, section: usize) -> IVec3 {
        let section = section as i32;
        match self {
            Grain::Chunks => chunk,
            Grain::Sections => chunk * 2 + IVec3::new(section & 1, section >> 2, section >> 1 & 1),
        }
    }

    /// The chunk and the section that lie there.
    #[inline]
    pub fn split(self, offset: IVec3) -> (IVec3, usize) {
        match self {
            Grain::Chunks => (offset, 0),
            Grain::Sections => {
                let at = offset & 1;
                (offset >> 1, (at.x | at.z << 1 | at.y << 2) as usize)
            }
        }
    }

    /// The sections of a chunk that are not `open`, a bit each.
    #[inline]
    pub fn hidden(self, open: &[u64], chunk: usize) -> u8 {
        match self {
            Grain::Chunks if bitset::contains(open, chunk) => 0,
            Grain::Chunks => u8::MAX,
            Grain::Sections => !(open[chunk / 8] >> (chunk % 8 * 8)) as u8,
        }
    }
}

/// The voxels of a row along x that lie in hidden sections.
#[inline]
pub fn row(hidden: u8, y: i32, z: i32) -> u32 {
    HALVES[usize::from(hidden >> (z >> 4 << 1 | y >> 4 << 2) & 3)]
}

/// Sections with x and z exchanged.
#[inline]
pub fn turned(sections: u8) -> u8 {
    sections & 0b1001_1001 | (sections & 0b0010_0010) << 1 | (sections & 0b0100_0100) >> 1
}
