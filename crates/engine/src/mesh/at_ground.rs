//! Boxes and models at smooth ground: liquids that end at it, models that stand on it.

use super::face_finder::ChunkFaces;
use super::face_materials::MeshTraits;
use super::face_surface::{FaceSurface, Stacked};
use super::merge::{FaceMerger, StripSink};
use super::quad::HalvedSide;
use super::soaking::top;
use super::voxel_class::ClassBit;
use crate::bits::set_bits;
use crate::contour::standing_height_in_sixteenths;
use crate::runs::bit_rows::{SIDE, inner};
use crate::voxel::MaterialId;
use glam::IVec3;

/// The sides of a voxel on its level.
const SIDES: [(IVec3, HalvedSide); 4] = [
    (IVec3::NEG_X, HalvedSide::West),
    (IVec3::X, HalvedSide::East),
    (IVec3::NEG_Z, HalvedSide::North),
    (IVec3::Z, HalvedSide::South),
];
/// The voxels on the same level around one, those at its sides first.
const AROUND: [IVec3; 8] = [
    IVec3::X,
    IVec3::NEG_X,
    IVec3::Z,
    IVec3::NEG_Z,
    IVec3::new(1, 0, 1),
    IVec3::new(1, 0, -1),
    IVec3::new(-1, 0, 1),
    IVec3::new(-1, 0, -1),
];

impl ChunkFaces<'_> {
    /// Finds the dry ground at `y` next to open liquids, wet ground or wet models, which gets a top
    /// face of the liquid: the surface may lie farther back than the ground's voxel, and is drawn
    /// over the rest of the face. The face ends in the middle of the voxel towards sides without
    /// matter, unless the same liquid is as high there: the surface lies between the middles of
    /// both voxels, and the face would protrude from the back of a thin wall.
    pub(super) fn find_shores<S: StripSink>(&self, y: usize, merger: &mut FaceMerger<S>) {
        let stacks = self.bits.layer(y + 1, ClassBit::Stacks);
        let above = self.bits.layer(y + 2, ClassBit::Stacks);
        let dark = self.bits.layer(y + 1, ClassBit::Dark);
        let walls = self.bits.layer(y + 1, ClassBit::Wall);
        let open = |row: usize| stacks[row] & !above[row];
        for z in 0..SIDE {
            let near = open(z) | open(z + 1) | open(z + 2);
            let ground = dark[z + 1] & !walls[z + 1];
            for x in set_bits(inner((near | near << 1 | near >> 1) & ground)) {
                let at = IVec3::new(x as i32, y as i32, z as i32);
                if let Some(surface) = self.shore(at) {
                    merger.add([x as u8, y as u8, z as u8], surface);
                }
            }
        }
    }

    /// The top of the liquid next to the ground at `at`; of several, the highest one, and of
    /// equally high ones the first in [`AROUND`]. `None` if what lies on the ground hides it, or if
    /// the ground is wet and so has a top of its own.
    fn shore(&self, at: IVec3) -> Option<FaceSurface> {
        if self.voxel(at).is_wet() {
            return None;
        }
        let around = AROUND.into_iter().map(|offset| self.stacked(at + offset));
        let open = around.filter(|next| !self.materials.fills_below(next.above));
        let tops = open.filter_map(|next| self.liquid_top(next));
        let (liquid, high) = tops.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let surface = top(self.materials, liquid, high, self.stacked(at + IVec3::Y))?;
        let contour = self.materials.contour();
        let is_halved = |offset: IVec3| {
            let next = self.stacked(at + offset);
            let is_level = |(other, top)| other == liquid && top >= high;
            !contour.voxel(next.voxel).is_inside() && !self.liquid_top(next).is_some_and(is_level)
        };
        let halved = SIDES.into_iter().filter(|(offset, _)| is_halved(*offset));
        Some(surface.with_halved_sides(halved.fold(0, |sides, (_, side)| sides | side as u8)))
    }

    /// The liquid at the bottom of a voxel, and its upper edge in sixteenths above it.
    fn liquid_top(&self, next: Stacked) -> Option<(MaterialId, u8)> {
        let material = self.materials.liquid_at_bottom(next.voxel)?;
        let high = next.soaking(self.materials).map(|soaking| soaking.high);
        Some((material, high.unwrap_or_else(|| next.height(self.materials))))
    }

    /// Height of the ground below a model, in sixteenths above the bottom of its voxel: 0 unless it
    /// stands on smooth ground.
    pub(super) fn standing_height(&self, traits: &MeshTraits, at: IVec3) -> i16 {
        let contour = self.materials.contour();
        if !contour.any_ground() || !traits.shape.stands() {
            return 0;
        }
        let origin = self.pos.origin();
        standing_height_in_sixteenths(origin + at, contour, |place| {
            contour.voxel(self.voxel(place - origin))
        })
    }
}
