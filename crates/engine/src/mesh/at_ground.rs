//! Boxes and models at smooth ground: liquids that end at it, models that stand on it.

use super::face_finder::ChunkFaces;
use super::face_materials::MeshTraits;
use super::face_surface::{FaceSurface, Stacked};
use super::merge::{FaceMerger, StripSink};
use super::quad::Cut;
use super::soaking::top;
use super::voxel_class::ClassBit;
use crate::bits::set_bits;
use crate::contour::standing_steps;
use crate::runs::bit_rows::{SIDE, inner};
use crate::voxel::Voxel;
use glam::IVec3;

/// The sides of a voxel, and the cuts at them.
const SIDES: [(IVec3, Cut); 4] = [
    (IVec3::NEG_X, Cut::West),
    (IVec3::X, Cut::East),
    (IVec3::NEG_Z, Cut::North),
    (IVec3::Z, Cut::South),
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
    /// over the rest of the face. The face ends halfway in the voxel towards sides without matter
    /// and liquid, where the surface lies between the middles of both voxels: otherwise it would
    /// come out of the back of a thin wall.
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
                    merger.add([x as u8, y as u8, z as u8], surface.cut(self.dry_sides(at)));
                }
            }
        }
    }

    /// The top of the liquid next to the ground at `at`; of several liquids, of the first one in
    /// [`AROUND`]. `None` if what lies on the ground hides it, or if the ground is wet and so has a
    /// top of its own.
    fn shore(&self, at: IVec3) -> Option<FaceSurface> {
        if self.voxel(at).is_wet() {
            return None;
        }
        let around = AROUND.into_iter().map(|offset| self.stacked(at + offset));
        let mut open = around.filter(|next| !self.materials.fills_below(next.above));
        let (liquid, high) = open.find_map(|next| {
            let material = self.materials.liquid_at_bottom(next.voxel)?;
            let alone = Stacked { above: Voxel::AIR, ..next };
            let high = alone.soaking(self.materials).map(|soaking| soaking.high);
            Some((material, high.unwrap_or_else(|| alone.height(self.materials))))
        })?;
        top(self.materials, liquid, high, self.stacked(at + IVec3::Y))
    }

    /// The sides of a voxel at which there is neither matter nor liquid, the bits of [`Cut`].
    fn dry_sides(&self, at: IVec3) -> u8 {
        let contour = self.materials.contour();
        let is_dry = |offset: IVec3| {
            let voxel = self.voxel(at + offset);
            !contour.voxel(voxel).is_inside() && self.materials.liquid_at_bottom(voxel).is_none()
        };
        SIDES.into_iter().filter(|side| is_dry(side.0)).fold(0, |cuts, side| cuts | side.1 as u8)
    }

    /// Height of the ground below a model, in sixteenths above the bottom of its voxel: 0 unless it
    /// stands on smooth ground.
    pub(super) fn standing_height(&self, traits: &MeshTraits, at: IVec3) -> i16 {
        let contour = self.materials.contour();
        if !contour.any_ground() || !traits.shape.stands() {
            return 0;
        }
        let origin = self.pos.origin();
        standing_steps(origin + at, contour, |place| contour.voxel(self.voxel(place - origin)))
    }
}
