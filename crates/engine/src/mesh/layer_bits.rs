//! Bits of a layer of voxels and of the layers next to it.

use super::bit_rows::BitRows;
use super::voxel_class::ClassBit;
use crate::runs::bit_rows::{LAYER, SIDE, inner};

/// Words of a layer and of the layers above and below. Words have the number z + 1; bit x + 1
/// belongs to the voxel at x.
#[derive(Clone, Copy)]
pub(super) struct LayerBits<'a> {
    pub here: &'a [u64; LAYER],
    above: &'a [u64; LAYER],
    below: &'a [u64; LAYER],
}

impl LayerBits<'_> {
    /// The voxels that hide faces of the layer at `y`: full opaque boxes, and above it opaque boxes
    /// of any height, which rest on it.
    pub fn walls(bits: &BitRows, y: usize) -> LayerBits<'_> {
        // Layers are numbered from -1.
        let layer = |number: usize, bit| bits.layer(y + number, bit);
        LayerBits {
            here: layer(1, ClassBit::Wall),
            above: layer(2, ClassBit::Opaque),
            below: layer(0, ClassBit::Wall),
        }
    }

    /// The voxels equal to the chunk's [common voxel](ClassBit::Common), in the layer at `y` and in
    /// the layers above and below.
    pub fn common(bits: &BitRows, y: usize) -> LayerBits<'_> {
        let layer = |number: usize| bits.layer(y + number, ClassBit::Common);
        LayerBits { here: layer(1), above: layer(2), below: layer(0) }
    }

    /// Bits of the neighbours of the voxels in row `z`: bit x of word f belongs to the voxel across
    /// [`Face`](crate::voxel::Face) f (east, west, up, down, south, north) of the voxel at x.
    #[inline(always)]
    pub fn next(&self, z: usize) -> [u32; 6] {
        let LayerBits { here, above, below } = self;
        let row = here[z + 1];
        [row >> 1, row << 1, above[z + 1], below[z + 1], here[z + 2], here[z]].map(inner)
    }

    /// The faces of `boxes` towards voxels that are not set, by face and z. `boxes` has one row per
    /// z.
    #[inline(always)]
    pub fn open_faces(&self, boxes: &[u32; SIDE]) -> [[u32; SIDE]; 6] {
        let LayerBits { here, above, below } = self;
        // A loop per face, so that each is a few vector instructions.
        [
            std::array::from_fn(|z| boxes[z] & !inner(here[z + 1] >> 1)),
            std::array::from_fn(|z| boxes[z] & !inner(here[z + 1] << 1)),
            std::array::from_fn(|z| boxes[z] & !inner(above[z + 1])),
            std::array::from_fn(|z| boxes[z] & !inner(below[z + 1])),
            std::array::from_fn(|z| boxes[z] & !inner(here[z + 2])),
            std::array::from_fn(|z| boxes[z] & !inner(here[z])),
        ]
    }
}
