//! The voxel: a material and an occupancy; materials and their shapes; coordinates.
//!
//! The pair is the Roblox text's definition ("What's in a voxel?"): the material names the matter,
//! the occupancy says how much of the voxel it fills. Everything above this module stores, walks
//! and draws runs of this small value, so it has four bytes and is compared as one number.

mod box3;
mod coords;
mod face;
mod halves;
mod material;
mod shape;
mod transpose;

pub use box3::Box3;
pub use coords::{
    CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, MOORE_CENTRE, MOORE_LEN, WORLD_LIMIT, chunk_coord,
    linear_index, linear_offset, local, local_coord, neighbour_index, neighbour_offset,
    neighbour_offsets,
};
pub use face::Face;
pub(crate) use halves::{MAX_PAIRED_VOXELS, other_half_offset};
pub(crate) use material::MAX_SIGNAL;
pub use material::{
    Faces, MAX_LIGHT, Material, MaterialError, MaterialTable, Matter, Opacity, SurfaceChange,
    SurfaceRule,
};
pub use shape::{
    CornerRule, Likeness, ModelFace, MovedCorner, Shape, ShapeBox, ShapeFaces, ShapeIcon, ShapeRow,
    SolidBoxes, TargetPart, TexturePart, TorchMount,
};
pub(crate) use transpose::transpose;

/// Index of a material in a map's [`MaterialTable`]. 0 is always air.
pub type MaterialId = u16;

/// One voxel: material and occupancy.
///
/// Air with an occupancy other than 0 cannot exist: [`Voxel::new`] clears it, as the Roblox text
/// requires ("we make sure they never appear in the grid").
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Voxel(
    /// `material << 8 | occupancy`. One number rather than two fields, because walks mostly compare
    /// voxels.
    u32,
);

impl Voxel {
    /// Air: material 0, occupancy 0.
    pub const AIR: Voxel = Voxel(0);

    /// Marks a voxel of a chunk that is not loaded. Never stored in a chunk; reads outside the
    /// loaded world return it. It stops bodies and rays, and hides nothing.
    pub const NOT_LOADED: Voxel = Voxel((MaterialId::MAX as u32) << 8);

    /// Maximum number of materials of a map; the next index is reserved for [`Voxel::NOT_LOADED`].
    pub const MAX_MATERIALS: usize = MaterialId::MAX as usize;

    /// Voxel of `material` filled to `(occupancy + 1) / 256`. Drops the occupancy of air.
    #[must_use]
    pub const fn new(material: MaterialId, occupancy: u8) -> Voxel {
        // Branchless: an all-ones mask for matter, zero for air.
        let mask = 0u8.wrapping_sub((material != 0) as u8);
        Voxel((material as u32) << 8 | (occupancy & mask) as u32)
    }

    /// Voxel completely filled with `material`.
    #[must_use]
    pub const fn full(material: MaterialId) -> Voxel {
        Voxel::new(material, 255)
    }

    /// The voxel as two words, low word first.
    #[must_use]
    pub(crate) const fn to_words(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }

    /// Inverse of [`Voxel::to_words`].
    #[must_use]
    pub(crate) const fn from_words(words: [u16; 2]) -> Voxel {
        Voxel(words[0] as u32 | (words[1] as u32) << 16)
    }

    /// Hash with well-mixed low bits, so that masking it gives a table index.
    #[must_use]
    pub(crate) const fn hash(self) -> usize {
        (self.0.wrapping_mul(0x9E37_79B1) >> 20) as usize
    }

    /// Index into the map's material table.
    #[must_use]
    pub const fn material(self) -> MaterialId {
        (self.0 >> 8) as MaterialId
    }

    /// Stored occupancy, 0 to 255; [`Voxel::fill`] decodes it.
    #[must_use]
    pub const fn occupancy(self) -> u8 {
        self.0 as u8
    }

    /// Filled part of the voxel: 0 for air, else `(occupancy + 1) / 256`, exact in floating point.
    #[must_use]
    pub fn fill(self) -> f32 {
        if self.is_air() { 0.0 } else { (f32::from(self.occupancy()) + 1.0) / 256.0 }
    }

    /// True for air (not for [`Voxel::NOT_LOADED`]).
    #[must_use]
    pub const fn is_air(self) -> bool {
        self.0 == 0
    }

    /// True if matter fills the voxel completely.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.occupancy() == 255
    }
}

impl std::fmt::Debug for Voxel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Voxel::AIR => write!(f, "air"),
            Voxel::NOT_LOADED => write!(f, "not-loaded"),
            voxel if voxel.is_full() => write!(f, "m{}", voxel.material()),
            voxel => write!(f, "m{}@{}", voxel.material(), voxel.occupancy()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_has_no_occupancy() {
        assert_eq!(Voxel::new(0, 200), Voxel::AIR);
        assert_eq!(Voxel::new(0, 200).fill(), 0.0);
        assert_eq!(Voxel::new(7, 200).occupancy(), 200);
    }

    #[test]
    fn occupancy_decodes_to_256_levels() {
        assert_eq!(Voxel::full(3).fill(), 1.0);
        assert_eq!(Voxel::new(3, 0).fill(), 1.0 / 256.0);
        assert_eq!(Voxel::new(3, 127).fill(), 0.5);
    }
}
