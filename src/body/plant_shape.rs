//! The outlines of plants, for picking: a flower is targeted where it is drawn, not in its whole
//! voxel.

use crate::voxel::{Face, Material, MaterialTable, Shape, Voxel};
use glam::{DVec3, IVec3};

/// The part of its voxel that a full plant fills: an upright box in the middle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlantShape {
    /// Distance of the box from the voxel's sides, 0 to 0.5 voxels.
    pub inset: f64,
    /// Height in voxels.
    pub height: f64,
}

/// The shapes of a map's plants.
#[derive(Clone, Debug, Default)]
pub struct PlantShapes(Vec<Option<PlantShape>>);

/// Margin around a plant in voxels, so that thin stalks can be hit.
const MARGIN: f64 = 0.08;

impl PlantShapes {
    /// The shapes of all materials that are drawn as crossed sheets. `extent` gives, for the name
    /// of a texture, the distance of its visible texels from the left and right edges and their
    /// height, as fractions of the texture.
    #[must_use]
    pub fn new(materials: &MaterialTable, extent: impl Fn(&str) -> Option<[f64; 3]>) -> PlantShapes {
        let shape = |material: &Material| {
            let [left, right, height] = extent(material.faces.texture(Face::East))?;
            let inset = (left.min(right) - MARGIN).clamp(0.0, 0.4);
            Some(PlantShape { inset, height: (height + MARGIN).clamp(0.2, 1.0) })
        };
        let shapes = materials.iter().map(|(_, m)| if m.shape == Shape::Cross { shape(m) } else { None });
        PlantShapes(shapes.collect())
    }

    /// The shape of a voxel; `None` for materials without a plant shape.
    #[must_use]
    pub fn of(&self, voxel: Voxel) -> Option<PlantShape> {
        let shape = (*self.0.get(usize::from(voxel.material()))?)?;
        Some(PlantShape { height: shape.height * f64::from(voxel.fill()), ..shape })
    }
}

impl PlantShape {
    /// True if a ray meets the plant in the voxel at `at`.
    #[must_use]
    pub fn is_hit(self, at: IVec3, origin: DVec3, direction: DVec3) -> bool {
        let corner = at.as_dvec3();
        let low = corner + DVec3::new(self.inset, 0.0, self.inset);
        let high = corner + DVec3::new(1.0 - self.inset, self.height, 1.0 - self.inset);
        let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            if direction[axis] == 0.0 {
                if origin[axis] < low[axis] || origin[axis] > high[axis] {
                    return false;
                }
                continue;
            }
            let [a, b] = [low[axis], high[axis]].map(|side| (side - origin[axis]) / direction[axis]);
            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
        }
        enter <= leave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ray_passes_beside_and_above_a_flower() {
        let materials = MaterialTable::builtin();
        let flower = Voxel::full(materials.find("flower_red").unwrap());
        let shapes = PlantShapes::new(&materials, |name| (name == "flower_red").then_some([0.4, 0.3, 0.5]));
        let shape = shapes.of(flower).unwrap();
        assert!((shape.inset - 0.22).abs() < 1e-9 && (shape.height - 0.58).abs() < 1e-9, "{shape:?}");
        let at = IVec3::new(4, 2, -7);
        let hit = |x: f64, y: f64| shape.is_hit(at, DVec3::new(4.0 + x, 2.0 + y, 0.0), DVec3::NEG_Z);
        assert_eq!(
            [(0.5, 0.3), (0.5, 0.7), (0.1, 0.3), (0.9, 0.3)].map(|(x, y)| hit(x, y)),
            [true, false, false, false]
        );
        assert!(!shape.is_hit(at, DVec3::new(4.5, 2.3, -9.0), DVec3::NEG_Z), "the plant is behind");
        assert_eq!(shapes.of(Voxel::full(materials.find("stone").unwrap())), None);
        assert_eq!(shapes.of(Voxel::NOT_LOADED), None);
    }
}
