//! The voxel: a material, an occupancy and a liquid; materials and their shapes; coordinates.
//!
//! Material and occupancy are the Roblox text's definition ("What's in a voxel?"): the material
//! names the matter, the occupancy says how much of the voxel it fills. The liquid is the water in
//! the rest. Everything above this module stores, walks and draws runs of this small value, so it
//! has four bytes and is compared as one number.

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
    Faces, LyingAxis, MAX_LIGHT, Material, MaterialError, MaterialTable, Matter, Opacity,
    SurfaceChange, SurfaceRule,
};
pub use shape::{
    CornerRule, HewnEighths, HewnForm, JoinedForms, Joint, Likeness, ModelFace, ModelForm,
    ModelFormError, MovedCorner, PartFace, PlacingAim, Shape, ShapeBox, ShapeEdge, ShapeFaces,
    ShapeIcon, ShapeRow, ShapeWordError, SideCover, SolidBoxes, StairCorner, Stairs, TargetPart,
    TexturePart, TorchMount, Turn, TurnError, shape_edges,
};
pub(crate) use transpose::transpose;

/// Index of a material in a map's [`MaterialTable`]. 0 is always air.
pub type MaterialId = u16;

/// One voxel: material, occupancy and liquid.
///
/// Air with an occupancy other than 0 cannot exist: [`Voxel::new`] clears it, as the Roblox text
/// requires ("we make sure they never appear in the grid"). Nor can more liquid than the matter
/// leaves free, or liquid in air, where water is a material. No function of the engine puts liquid
/// into a voxel whose material is itself a gas or a liquid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Voxel(
    /// `liquid << 24 | material << 8 | occupancy`. One number rather than three fields, because
    /// walks mostly compare voxels.
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

    /// Dry voxel of `material` filled to `(occupancy + 1) / 256`. Drops the occupancy of air.
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

    /// The same matter with `liquid` 256ths of the voxel under water, or as much as is free.
    #[must_use]
    pub const fn with_liquid(self, liquid: u8) -> Voxel {
        let free = self.free();
        let liquid = if liquid < free { liquid } else { free };
        Voxel(self.0 & 0x00FF_FFFF | (liquid as u32) << 24)
    }

    /// The same occupancy and liquid of another material; air if that is air.
    #[must_use]
    pub const fn with_material(self, material: MaterialId) -> Voxel {
        Voxel::new(material, self.occupancy()).with_liquid(self.liquid())
    }

    /// The same voxel without its liquid.
    #[must_use]
    pub const fn dry(self) -> Voxel {
        Voxel(self.0 & 0x00FF_FFFF)
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

    /// True for the voxels that the constructors make; other words may hold anything.
    #[must_use]
    pub(crate) const fn is_valid(self) -> bool {
        let valid = Voxel::new(self.material(), self.occupancy()).with_liquid(self.liquid());
        self.0 == valid.0
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

    /// Water in what the matter leaves free, in 256ths of the voxel; 0 for air and liquids.
    #[must_use]
    pub const fn liquid(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// True if liquid stands in what the matter leaves free.
    #[must_use]
    pub const fn is_wet(self) -> bool {
        self.0 >> 24 != 0
    }

    /// Maximum liquid of the voxel, in 256ths: the part that the matter leaves free. 0 for air,
    /// which holds none.
    #[must_use]
    pub const fn free(self) -> u8 {
        if self.is_air() { 0 } else { 255 - self.occupancy() }
    }

    /// Filled part of the voxel: 0 for air, else `(occupancy + 1) / 256`, exact in floating point.
    #[must_use]
    pub fn fill(self) -> f32 {
        if self.is_air() { 0.0 } else { (f32::from(self.occupancy()) + 1.0) / 256.0 }
    }

    /// Matter and liquid together, in 256ths of the voxel: the height of the liquid in a wet voxel.
    /// 0 for air.
    #[must_use]
    pub const fn parts(self) -> u16 {
        if self.is_air() { 0 } else { self.occupancy() as u16 + 1 + self.liquid() as u16 }
    }

    /// Lowest occupancy of a voxel that is at least half full. From it on, smooth ground is drawn.
    pub const HALF: u8 = 127;

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
            voxel if voxel.is_wet() => {
                write!(f, "m{}@{}~{}", voxel.material(), voxel.occupancy(), voxel.liquid())
            }
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
    fn liquid_never_exceeds_the_free_part() {
        let half = Voxel::new(7, 127);
        assert_eq!((half.free(), half.liquid()), (128, 0));
        let wet = half.with_liquid(100);
        assert_eq!((wet.material(), wet.occupancy(), wet.liquid()), (7, 127, 100));
        assert_eq!((wet.parts(), half.parts(), Voxel::AIR.parts()), (228, 128, 0));
        assert_eq!(half.with_liquid(200), half.with_liquid(128));
        assert_eq!(wet.dry(), half);
        assert_eq!(wet.with_material(65534), Voxel::new(65534, 127).with_liquid(100));
        assert_eq!(wet.with_material(0), Voxel::AIR);
        for dry in [Voxel::AIR, Voxel::full(7)] {
            assert_eq!(dry.with_liquid(255), dry);
        }
        assert!(wet != half && !half.is_wet() && wet.is_wet() && !wet.is_full());
        assert_eq!(format!("{wet:?}"), "m7@127~100");
        assert_eq!(Voxel::from_words(wet.to_words()), wet);
        for voxel in [wet, half, Voxel::AIR, Voxel::full(7), Voxel::NOT_LOADED] {
            assert!(voxel.is_valid());
        }
        for [low, high] in [[9, 0], [0, 9 << 8], [7 << 8 | 127, 129 << 8]] {
            assert!(!Voxel::from_words([low, high]).is_valid(), "{low:x} {high:x}");
        }
    }

    #[test]
    fn occupancy_decodes_to_256_levels() {
        assert_eq!(Voxel::full(3).fill(), 1.0);
        assert_eq!(Voxel::new(3, 0).fill(), 1.0 / 256.0);
        assert_eq!(Voxel::new(3, 127).fill(), 0.5);
    }
}
