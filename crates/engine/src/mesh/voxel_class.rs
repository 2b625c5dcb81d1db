//! The class of a voxel: the properties that decide its faces, as a set of bits.

use super::face_materials::{FaceMaterials, VoxelGeometry};
use super::face_surface::height;
use super::quad::STEPS;
use crate::voxel::Voxel;

/// A bit of [`VoxelClass`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum ClassBit {
    /// An opaque box of any height.
    Opaque,
    /// An opaque box of full height: hides all faces next to it.
    Wall,
    /// Darkens the corners next to it.
    Dark,
    /// Equal to the chunk's *common* voxel: the first full special box of its palette, usually
    /// water. Faces between two of them are hidden.
    Common,
    /// Full where the same material lies above: a liquid or a wire. Also ground and models with
    /// liquid in them.
    Stacks,
    /// Drawn as a box.
    Cube,
    /// A box lower than its voxel.
    Low,
    /// Drawn with faces of its own shape: crossed sheets, a torch.
    Model,
}

impl ClassBit {
    /// The bits that matter beyond a voxel, for the faces and the shade of adjacent voxels. Must be
    /// the first variants: `BitRows` indexes by them.
    pub(crate) const OUTWARD: [ClassBit; 5] = [
        ClassBit::Opaque,
        ClassBit::Wall,
        ClassBit::Dark,
        ClassBit::Common,
        // Only next to ground.
        ClassBit::Stacks,
    ];
}

const _: () = {
    let mut i = 0;
    while i < ClassBit::OUTWARD.len() {
        assert!(ClassBit::OUTWARD[i] as usize == i);
        i += 1;
    }
};

/// The class of a voxel: a set of [`ClassBit`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct VoxelClass(pub u8);

impl VoxelClass {
    /// The class of `voxel`. Uses the voxel's own height, even for liquids and wires that fill
    /// their voxel because the same material lies above.
    pub fn new(materials: &FaceMaterials, voxel: Voxel) -> VoxelClass {
        let traits = materials.traits(voxel.material());
        let bit = |bit: ClassBit, set: bool| u8::from(set) << bit as u8;
        match traits.geometry {
            VoxelGeometry::Nothing => VoxelClass(0),
            VoxelGeometry::Model => VoxelClass(
                bit(ClassBit::Model, true) | bit(ClassBit::Stacks, materials.fills_below(voxel)),
            ),
            VoxelGeometry::Ground => {
                let is_inside = materials.contour().voxel(voxel).is_inside();
                VoxelClass(
                    bit(ClassBit::Dark, traits.casts_occlusion && is_inside)
                        | bit(ClassBit::Stacks, materials.fills_below(voxel)),
                )
            }
            VoxelGeometry::Cube => {
                let full = height(traits, voxel) == STEPS;
                VoxelClass(
                    bit(ClassBit::Cube, true)
                        | bit(ClassBit::Opaque, traits.hides)
                        | bit(ClassBit::Wall, traits.hides && full)
                        | bit(ClassBit::Dark, traits.casts_occlusion && full)
                        | bit(ClassBit::Low, !full)
                        | bit(ClassBit::Stacks, traits.stacks()),
                )
            }
        }
    }

    /// True for ground that darkens corners.
    pub(crate) fn is_ground(self) -> bool {
        self.has(ClassBit::Dark) && !self.has(ClassBit::Cube)
    }

    /// True if the class has this bit.
    pub fn has(self, bit: ClassBit) -> bool {
        self.0 >> bit as u8 & 1 == 1
    }

    /// True for voxels that are drawn, but not as full opaque blocks.
    pub(crate) fn is_special(self) -> bool {
        let is_block = self.has(ClassBit::Wall) && !self.has(ClassBit::Stacks);
        self.has(ClassBit::Model) || self.has(ClassBit::Cube) && !is_block
    }

    /// The class with the bit `Common` added.
    pub(crate) fn as_common(self) -> VoxelClass {
        VoxelClass(self.0 | 1 << ClassBit::Common as u8)
    }

    /// True for special boxes of full height.
    pub(crate) fn can_be_common(self) -> bool {
        self.is_special() && self.has(ClassBit::Cube) && !self.has(ClassBit::Low)
    }

    /// True for opaque boxes that are lower than their voxel unless the same material lies above,
    /// such as flowing lava.
    pub(crate) fn is_low_opaque_stack(self) -> bool {
        [ClassBit::Opaque, ClassBit::Stacks, ClassBit::Low].iter().all(|&bit| self.has(bit))
    }
}
