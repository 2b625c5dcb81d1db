//! Boxes for picking: a flower or a torch is targeted where it is drawn, not in its whole voxel.

use crate::voxel::{Face, Material, MaterialTable, ShapeBox, SolidBoxes, TargetPart, Voxel};
use crate::world::{World, shape_at, standing_height};
use glam::{DVec3, IVec3};

/// Box inside a voxel that a ray must hit to pick the model in the voxel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetBox {
    /// Lowest corner, in voxels from the voxel's lowest corner; up to half a voxel below it on
    /// smooth ground.
    pub low: DVec3,
    /// Highest corner, likewise; less than half a voxel above the voxel on smooth ground.
    pub high: DVec3,
    /// True if the box is as high as the voxel is filled.
    follows_fill: bool,
    /// The parts that a ray must hit, in the voxel; empty for the whole box.
    parts: &'static [ShapeBox],
}

/// Target boxes of a map's models, by material.
#[derive(Clone, Debug, Default)]
pub struct TargetBoxes(Vec<Option<TargetBox>>);

/// Margin around a plant in voxels, so that thin stalks can be hit.
const MARGIN: f64 = 0.08;

impl TargetBoxes {
    /// Determines the target boxes of all materials. `extent` returns three fractions of a texture
    /// by name: the distance of the visible texels from the left edge and from the right edge, and
    /// their height.
    #[must_use]
    pub fn new(
        materials: &MaterialTable,
        extent: impl Fn(&str) -> Option<[f64; 3]>,
    ) -> TargetBoxes {
        let target = |material: &Material| {
            let row = material.shape.row();
            match row.target {
                TargetPart::Solid => match row.solid {
                    SolidBoxes::Boxes(parts) => around(parts),
                    SolidBoxes::Filled => None,
                },
                TargetPart::Boxes(parts) => around(parts),
                TargetPart::VisibleTexels => extent(material.faces.texture(Face::East)).map(plant),
                TargetPart::Bounds(corners) => Some(fixed(corners.map(|corner| corner.as_dvec3()))),
            }
        };
        TargetBoxes(materials.iter().map(|(_, material)| target(material)).collect())
    }

    /// Target box of the voxel at `at`, where the mesh draws its model; `None` for materials that
    /// are hit anywhere in their voxel.
    #[must_use]
    pub fn at(
        &self,
        world: &World,
        materials: &MaterialTable,
        at: IVec3,
        voxel: Voxel,
    ) -> Option<TargetBox> {
        let joins = materials.get(voxel.material()).is_some_and(|m| m.shape.row().joined.is_some());
        let target = match shape_at(world, materials, at).filter(|_| joins).map(|row| row.target) {
            Some(TargetPart::Boxes(parts)) => around(parts)?,
            _ => self.of(voxel)?,
        };
        let by = DVec3::Y * standing_height(world, materials, at, voxel);
        Some(TargetBox { low: target.low + by, high: target.high + by, ..target })
    }

    /// Target box of a voxel that does not stand on smooth ground.
    pub(super) fn of(&self, voxel: Voxel) -> Option<TargetBox> {
        let target = (*self.0.get(usize::from(voxel.material()))?)?;
        let fill = if target.follows_fill { f64::from(voxel.fill()) } else { 1.0 };
        Some(TargetBox { high: target.high * DVec3::new(1.0, fill, 1.0), ..target })
    }
}

/// Upright box around a plant in the middle of the voxel, from the extent of the visible texels.
fn plant([left, right, height]: [f64; 3]) -> TargetBox {
    let inset = (left.min(right) - MARGIN).clamp(0.0, 0.4);
    let height = (height + MARGIN).clamp(0.2, 1.0);
    let low = DVec3::new(inset, 0.0, inset);
    let high = DVec3::new(1.0 - inset, height, 1.0 - inset);
    TargetBox { low, high, follows_fill: true, parts: &[] }
}

/// Parts of a shape, and the box around them.
fn around(parts: &'static [ShapeBox]) -> Option<TargetBox> {
    let bounds = SolidBoxes::Boxes(parts).bounds()?;
    Some(TargetBox { parts, ..fixed(bounds.corners()) })
}

/// Box between two corners, independent of the occupancy.
fn fixed([low, high]: [DVec3; 2]) -> TargetBox {
    TargetBox { low, high, follows_fill: false, parts: &[] }
}

impl TargetBox {
    /// Multiple of `direction` at which a ray enters the box in the voxel at `at`, or one of its
    /// parts, and the face; no face if it starts inside. `None` if it misses.
    #[must_use]
    pub fn entry(self, at: IVec3, origin: DVec3, direction: DVec3) -> Option<(f64, Option<Face>)> {
        let corner = at.as_dvec3();
        let entry =
            |low: DVec3, high: DVec3| box_entry(corner + low, corner + high, origin, direction);
        if self.parts.is_empty() {
            return entry(self.low, self.high);
        }
        let parts = self.parts.iter().map(|part| part.corners());
        let entries = parts.filter_map(|[low, high]| entry(low, high));
        entries.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Multiple of `direction` at which a ray enters a box, and the face; no face if it starts inside.
fn box_entry(
    low: DVec3,
    high: DVec3,
    origin: DVec3,
    direction: DVec3,
) -> Option<(f64, Option<Face>)> {
    let mut enter = 0.0f64;
    let mut leave = f64::INFINITY;
    let mut face = None;
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if origin[axis] < low[axis] || origin[axis] > high[axis] {
                return None;
            }
            continue;
        }
        let [a, b] = [low[axis], high[axis]].map(|side| (side - origin[axis]) / direction[axis]);
        if a.min(b) > enter {
            enter = a.min(b);
            face = Some(Face::ALL[2 * axis + usize::from(direction[axis] > 0.0)]);
        }
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then_some((enter, face))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Shape, StairCorner, Stairs};

    fn full(materials: &MaterialTable, name: &str) -> Voxel {
        Voxel::full(materials.find(name).expect(name))
    }

    #[test]
    fn ray_passes_beside_and_above_a_flower() {
        let materials = MaterialTable::builtin();
        let flower = full(&materials, "flower_red");
        let boxes =
            TargetBoxes::new(&materials, |name| (name == "flower_red").then_some([0.4, 0.3, 0.5]));
        let target = boxes.of(flower).unwrap();
        assert!(
            (target.low.x - 0.22).abs() < 1e-9 && (target.high.y - 0.58).abs() < 1e-9,
            "{target:?}"
        );
        let at = IVec3::new(4, 2, -7);
        let hit = |x: f64, y: f64| {
            target.entry(at, DVec3::new(4.0 + x, 2.0 + y, 0.0), DVec3::NEG_Z).is_some()
        };
        assert_eq!(
            [(0.5, 0.3), (0.5, 0.7), (0.1, 0.3), (0.9, 0.3)].map(|(x, y)| hit(x, y)),
            [true, false, false, false]
        );
        assert!(
            target.entry(at, DVec3::new(4.5, 2.3, -9.0), DVec3::NEG_Z).is_none(),
            "the plant is behind"
        );
        let half = boxes.of(Voxel::new(flower.material(), 127)).unwrap();
        assert!((half.high.y - 0.29).abs() < 1e-9, "{half:?}");
        assert_eq!(boxes.of(full(&materials, "stone")), None);
        assert_eq!(boxes.of(Voxel::NOT_LOADED), None);
    }

    #[test]
    fn torch_is_hit_at_its_wall_only() {
        let materials = MaterialTable::builtin();
        let boxes = TargetBoxes::new(&materials, |_| None);
        let hit = |name: &str, x: f64, y: f64| {
            let target = boxes.of(full(&materials, name)).unwrap();
            target.entry(IVec3::ZERO, DVec3::new(x, y, 5.0), DVec3::NEG_Z).is_some()
        };
        assert!(hit("torch", 0.5, 0.3) && !hit("torch", 0.2, 0.3) && !hit("torch", 0.5, 0.9));
        assert!(hit("torch_wall_east", 0.9, 0.3) && !hit("torch_wall_east", 0.2, 0.3));
        assert!(hit("torch_wall_west", 0.1, 0.3) && !hit("torch_wall_west", 0.8, 0.3));
    }

    #[test]
    fn rays_hit_the_parts_of_hewn_blocks() {
        let mut materials = MaterialTable::builtin();
        let stairs =
            Stairs { rises_to: Face::East, is_hanging: false, corner: StairCorner::Straight };
        let shape = Shape::Hewn(stairs.eighths());
        let id = materials.add(Material { shape, ..Material::plain("stairs", [9; 3]) }).unwrap();
        let target = TargetBoxes::new(&materials, |_| None).of(Voxel::full(id)).unwrap();
        assert_eq!([target.low, target.high], [DVec3::ZERO, DVec3::ONE]);
        let entry = |height: f64, along: DVec3| {
            let from = DVec3::new(if along.x > 0.0 { -1.0 } else { 2.0 }, height, 0.5);
            target.entry(IVec3::ZERO, from, along)
        };
        assert_eq!(entry(0.25, DVec3::X), Some((1.0, Some(Face::West))));
        assert_eq!(entry(0.75, DVec3::X), Some((1.5, Some(Face::West))), "the riser");
        assert_eq!(entry(0.75, DVec3::NEG_X), Some((1.0, Some(Face::East))));
        let down = target.entry(IVec3::ZERO, DVec3::new(0.25, 3.0, 0.5), DVec3::NEG_Y);
        assert_eq!(down, Some((2.5, Some(Face::Up))), "the tread");
        let past =
            target.entry(IVec3::ZERO, DVec3::new(-0.5, 1.4, 0.5), DVec3::new(1.0, -1.0, 0.0));
        assert_eq!(
            past.map(|(times, face)| ((times * 10.0).round(), face)),
            Some((9.0, Some(Face::Up)))
        );
    }
}
