//! The class of a voxel: the properties that decide its faces, as a set of bits.

use super::face_materials::{FaceMaterials, VoxelGeometry};
use super::face_surface::height;
use super::quad::STEPS;
use crate::voxel::Voxel;

/// A bit of [`VoxelClass`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum ClassBit {
    /// Drawn as a box.
    Cube,
    /// An opaque box of any height.
    Opaque,
    /// An opaque box of full height: hides all faces next to it.
    Wall,
    /// Darkens the corners next to it.
    Dark,
    /// A box lower than its voxel.
    Low,
    /// A liquid.
    Liquid,
    /// Drawn as crossed sheets.
    Cross,
}

impl ClassBit {
    /// All bits.
    pub const ALL: [ClassBit; 7] = [
        ClassBit::Cube,
        ClassBit::Opaque,
        ClassBit::Wall,
        ClassBit::Dark,
        ClassBit::Low,
        ClassBit::Liquid,
        ClassBit::Cross,
    ];
}

/// The class of a voxel: a set of [`ClassBit`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct VoxelClass(pub u8);

impl VoxelClass {
    /// A full opaque block: nearly all voxels that are drawn.
    const BLOCK: u8 =
        1 << ClassBit::Cube as u8 | 1 << ClassBit::Opaque as u8 | 1 << ClassBit::Wall as u8 | 1 << ClassBit::Dark as u8;

    /// The class of `voxel`. Uses a liquid's own height, even below the same liquid.
    pub fn new(materials: &FaceMaterials, voxel: Voxel) -> VoxelClass {
        let traits = materials.traits(voxel.material());
        let bit = |bit: ClassBit, set: bool| u8::from(set) << bit as u8;
        match traits.geometry {
            VoxelGeometry::Nothing => VoxelClass(0),
            VoxelGeometry::Cross => VoxelClass(bit(ClassBit::Cross, true)),
            VoxelGeometry::Cube => {
                let full = height(voxel) == STEPS;
                VoxelClass(
                    bit(ClassBit::Cube, true)
                        | bit(ClassBit::Opaque, traits.hides)
                        | bit(ClassBit::Wall, traits.hides && full)
                        | bit(ClassBit::Dark, traits.casts_occlusion && full)
                        | bit(ClassBit::Low, !full)
                        | bit(ClassBit::Liquid, traits.liquid),
                )
            }
        }
    }

    /// True if the class has this bit.
    pub fn has(self, bit: ClassBit) -> bool {
        self.0 >> bit as u8 & 1 == 1
    }

    /// True for invisible voxels, and for full opaque blocks that darken the corners next to them.
    pub fn is_plain(self) -> bool {
        self.0 == 0 || self.0 == VoxelClass::BLOCK
    }
}
