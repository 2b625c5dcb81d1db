//! Roofs of stairs: which way each voxel of a roof slopes, and the shape that it gets.

use crate::game::building::builder::roof::{Roof, RoofForm};
use crate::game::state::session::growing_materials::GrowingMaterials;
use glam::IVec3;
use std::ops::Range;
use stonerun_engine::edit::Pattern;
use stonerun_engine::edit::region::{Region, Shape};
use stonerun_engine::voxel::{
    Box3, Face, HewnEighths, HewnForm, MaterialError, Shape as VoxelShape, StairCorner, Stairs,
    Voxel,
};

/// Part of a roof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoofPart {
    /// The wall below the slopes of a gable.
    Wall,
    /// A slope that rises to a side.
    Slope(Face),
    /// The edge between two slopes, which rise to east or west and to north or south.
    Edge { x: Face, z: Face },
    /// The top row of a roof of odd width.
    Ridge,
}

impl RoofPart {
    /// All parts.
    fn all() -> impl Iterator<Item = RoofPart> {
        let edges = [Face::East, Face::West]
            .into_iter()
            .flat_map(|x| [Face::North, Face::South].map(|z| RoofPart::Edge { x, z }));
        [RoofPart::Wall, RoofPart::Ridge]
            .into_iter()
            .chain(Face::SIDES.map(RoofPart::Slope))
            .chain(edges)
    }

    /// The shape of the part in a roof of stairs; a cube for the wall.
    fn shape(self) -> VoxelShape {
        let eighths = match self {
            RoofPart::Wall => return VoxelShape::Cube,
            RoofPart::Slope(rises_to) => {
                Stairs { rises_to, is_hanging: false, corner: StairCorner::Straight }.eighths()
            }
            RoofPart::Edge { x, z } => {
                let [x, z] = [x, z].map(|side| HewnEighths::slab(side).bits());
                let base = HewnEighths::slab(Face::Down);
                // A half and an eighth of the other half are neither empty nor full.
                HewnEighths::new(base.bits() | x & z).unwrap_or(base)
            }
            RoofPart::Ridge => HewnEighths::slab(Face::Down),
        };
        VoxelShape::Hewn(eighths)
    }
}

/// The voxels of the parts of a roof of stairs.
#[derive(Clone, Debug)]
pub struct RoofStairs(Vec<(RoofPart, Voxel)>);

impl RoofStairs {
    /// The voxels of a roof that is built with `pattern`; `None` if the pattern is no stairs of a
    /// block. The map gets the shapes that it lacks.
    ///
    /// # Errors
    /// The map has no room for the materials.
    pub fn new(
        pattern: &Pattern,
        materials: &GrowingMaterials,
    ) -> Result<Option<RoofStairs>, MaterialError> {
        let table = materials.table();
        let stairs = pattern.as_uniform().and_then(|voxel| table.get(voxel.material()));
        let is_stairs = |eighths| matches!(HewnForm::of(eighths), HewnForm::Stairs(_));
        let Some(stairs) = stairs
            .filter(|material| material.block_of_shape().is_some())
            .filter(|material| material.shape.hewn_eighths().is_some_and(is_stairs))
        else {
            return Ok(None);
        };
        let liquid = pattern.as_uniform().map_or(0, Voxel::liquid);
        let mut parts = Vec::new();
        for part in RoofPart::all() {
            let Some(material) = stairs.reshaped(part.shape()) else { continue };
            let fill = material.shape.row().fill.unwrap_or(u8::MAX);
            let voxel = Voxel::new(materials.index_of(material)?, fill);
            parts.push((part, voxel.with_liquid(liquid)));
        }
        Ok(Some(RoofStairs(parts)))
    }

    /// The region of each voxel in a roof.
    pub fn regions(&self, roof: Roof) -> impl Iterator<Item = (Region, Voxel)> {
        self.0
            .iter()
            .map(move |&(part, voxel)| (Region::from_shape(&PartOfRoof { roof, part }), voxel))
    }
}

/// The voxels of one part of a roof.
struct PartOfRoof {
    roof: Roof,
    part: RoofPart,
}

impl Shape for PartOfRoof {
    fn bounds(&self) -> Box3 {
        self.roof.bounds()
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        self.roof.row(y, z, &mut |xs| {
            for x in xs {
                if part_at(&self.roof, IVec3::new(x, y, z)) == self.part {
                    each(x..x + 1);
                }
            }
        });
    }
}

/// The part of a roof to which one of its voxels belongs.
fn part_at(roof: &Roof, at: IVec3) -> RoofPart {
    let layer = roof.layer(at.y - roof.below.max.y);
    // The side to which the voxel's slope rises along an axis: none in the middle.
    let rises = |axis: usize, low: Face, high: Face| {
        let is_low = at[axis] == layer.min[axis];
        let is_high = at[axis] == layer.max[axis] - 1;
        match (is_low, is_high) {
            (true, false) => Some(high),
            (false, true) => Some(low),
            _ => None,
        }
    };
    let is_narrow = |axis: usize| layer.max[axis] - layer.min[axis] == 1;
    let x = rises(0, Face::West, Face::East);
    let z = rises(2, Face::North, Face::South);
    match roof.form {
        RoofForm::Gable => {
            let (across, rise) = if roof.runs_along_x() { (2, z) } else { (0, x) };
            match rise {
                Some(side) => RoofPart::Slope(side),
                None if is_narrow(across) => RoofPart::Ridge,
                None => RoofPart::Wall,
            }
        }
        RoofForm::Hip if is_narrow(0) || is_narrow(2) => RoofPart::Ridge,
        RoofForm::Hip => match (x, z) {
            (Some(x), Some(z)) => RoofPart::Edge { x, z },
            (Some(side), None) | (None, Some(side)) => RoofPart::Slope(side),
            (None, None) => RoofPart::Wall,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use stonerun_engine::voxel::MaterialTable;

    fn stairs() -> (RoofStairs, GrowingMaterials) {
        let materials = GrowingMaterials::new(Arc::new(MaterialTable::builtin()));
        let table = materials.table();
        let planks = table.get(table.find("oak_planks").expect("built in")).expect("it is there");
        let shape = VoxelShape::from_words("stairs").expect("a shape");
        let id = materials.index_of(planks.reshaped(shape).expect("a block")).expect("room");
        let pattern = Pattern::Voxel(Voxel::new(id, 191));
        let stairs = RoofStairs::new(&pattern, &materials).expect("room").expect("stairs");
        (stairs, materials)
    }

    #[test]
    fn every_voxel_of_a_roof_gets_one_shape_that_rises_inwards() {
        let (stairs, materials) = stairs();
        let table = materials.table();
        for (width, depth) in [(7, 12), (8, 5), (6, 6), (1, 4), (5, 5)] {
            for form in [RoofForm::Gable, RoofForm::Hip] {
                let below = Box3 { min: IVec3::ZERO, max: IVec3::new(width, 3, depth) };
                let roof = Roof { below, form, overhang: 1 };
                let whole = Region::from_shape(&roof);
                let mut volume = 0;
                for (region, voxel) in stairs.regions(roof) {
                    volume += region.volume();
                    let shape = table.get(voxel.material()).expect("added").shape;
                    let Some(eighths) = shape.hewn_eighths() else { continue };
                    let HewnForm::Stairs(found) = HewnForm::of(eighths) else { continue };
                    if found.corner == StairCorner::Straight && !region.is_empty() {
                        // One step further up, the roof goes on towards the middle.
                        let bounds = region.bounds().expect("it is used");
                        let middle = roof.bounds().min + roof.bounds().max;
                        let towards = middle - (bounds.min + bounds.max);
                        let along = found.rises_to.normal().dot(towards);
                        assert!(along > 0, "{roof:?} {found:?}");
                    }
                }
                assert_eq!(volume, whole.volume(), "{roof:?}");
            }
        }
    }

    #[test]
    fn hips_have_edges_and_odd_roofs_a_ridge_of_slabs() {
        let below = Box3 { min: IVec3::ZERO, max: IVec3::new(7, 3, 7) };
        let hip = Roof { below, form: RoofForm::Hip, overhang: 0 };
        let part = |x, y, z| part_at(&hip, IVec3::new(x, y, z));
        assert_eq!(part(0, 3, 0), RoofPart::Edge { x: Face::East, z: Face::South });
        assert_eq!(part(3, 3, 0), RoofPart::Slope(Face::South));
        assert_eq!(part(6, 3, 2), RoofPart::Slope(Face::West));
        assert_eq!(part(3, 6, 3), RoofPart::Ridge);
        let gable = Roof { below, form: RoofForm::Gable, overhang: 0 };
        let part = |x, y, z| part_at(&gable, IVec3::new(x, y, z));
        assert_eq!(part(2, 3, 0), RoofPart::Slope(Face::South));
        assert_eq!(part(2, 6, 3), RoofPart::Ridge);
        assert_eq!(part(0, 4, 3), RoofPart::Wall);
    }

    #[test]
    fn only_stairs_of_blocks_make_a_roof_of_stairs() {
        let (_, materials) = stairs();
        let stone = materials.table().find("stone").expect("built in");
        let pattern = Pattern::Voxel(Voxel::full(stone));
        assert!(RoofStairs::new(&pattern, &materials).expect("room").is_none());
    }
}
