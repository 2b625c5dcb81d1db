//! The forms of the brush, and the path of a stroke.

use crate::game::building::builder::ray::axis_of;
use crate::game::building::builder::sketch::{GHOST, POINTED, Sketch};
use glam::{DVec3, IVec3};
use serde::{Deserialize, Serialize};
use stonerun_engine::edit::region::{Cylinder, Ellipsoid, Region};
use stonerun_engine::edit::shaping::BrushShape;
use stonerun_engine::voxel::{Box3, Face, WORLD_LIMIT};
use strum::{IntoStaticStr, VariantArray};

/// Maximum radius of a brush, in voxels.
pub const MAX_RADIUS: i32 = 48;
/// Maximum number of touches between two frames. A longer path comes from a jump of the view, which
/// must not paint across the map.
const MAX_TOUCHES: f64 = 256.0;

/// Shape of a brush.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
pub enum BrushForm {
    /// A ball.
    #[default]
    Ball,
    /// A cube.
    Cube,
    /// An upright cylinder, as high as wide.
    Cylinder,
    /// A disc of one layer, flat on the face that is pointed at.
    Disc,
}

impl BrushForm {
    /// Name in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The radii of the box around the form.
    #[must_use]
    pub fn radii(self, radius: i32, face: Face) -> IVec3 {
        let mut radii = IVec3::splat(radius);
        if self == BrushForm::Disc {
            radii[axis_of(face).0] = 0;
        }
        radii
    }

    /// Draws the outline of the form around a voxel. A disc lies flat on the face.
    pub fn draw(self, sketch: &mut Sketch, at: IVec3, radius: i32, face: Face, is_held: bool) {
        let colour = if is_held { POINTED } else { GHOST };
        let radii = self.radii(radius, face);
        let low = (at - radii).as_dvec3() - 0.004;
        let high = (at + radii + 1).as_dvec3() + 0.004;
        let centre = at.as_dvec3() + 0.5;
        let around = f64::from(radius) + 0.5;
        match self {
            _ if radius == 0 => sketch.outline(low, high, colour),
            BrushForm::Cube => sketch.outline(low, high, colour),
            BrushForm::Ball => {
                for axis in 0..3 {
                    sketch.ring(centre, around, axis, colour, 1.0);
                }
            }
            BrushForm::Disc => sketch.ring(centre, around, axis_of(face).0, colour, 1.0),
            BrushForm::Cylinder => {
                for y in [low.y, high.y] {
                    sketch.ring(DVec3::new(centre.x, y, centre.z), around, 1, colour, 1.0);
                }
            }
        }
    }

    /// The voxels of the form around a voxel.
    #[must_use]
    pub fn region(self, centre: IVec3, radius: i32, face: Face) -> Region {
        let radius = radius.clamp(0, MAX_RADIUS);
        let limit = IVec3::splat(WORLD_LIMIT - MAX_RADIUS - 1);
        let centre = centre.clamp(-limit, limit);
        let radii = self.radii(radius, face);
        match self {
            BrushForm::Ball | BrushForm::Disc => {
                Region::from_shape(&Ellipsoid { centre, radii: radii.as_dvec3() })
            }
            BrushForm::Cube => Region::from_shape(&Box3::spanning(centre - radii, centre + radii)),
            BrushForm::Cylinder => {
                let base = centre - IVec3::Y * radius;
                Region::from_shape(&Cylinder {
                    base,
                    radii: [f64::from(radius); 2],
                    height: 2 * radius + 1,
                })
            }
        }
    }
}

impl From<BrushShape> for BrushForm {
    fn from(shape: BrushShape) -> BrushForm {
        match shape {
            BrushShape::Ball => BrushForm::Ball,
            BrushShape::Cube => BrushForm::Cube,
            BrushShape::Cylinder => BrushForm::Cylinder,
        }
    }
}

/// Path of a stroke: the voxels that the brush touches, at even distances.
#[derive(Clone, Debug, Default)]
pub struct StrokePath {
    last: Option<IVec3>,
}

impl StrokePath {
    /// The next touches up to `to`, at least `spacing` voxels apart. The first voxel of a path is
    /// always touched.
    pub fn advance(&mut self, to: IVec3, spacing: f64) -> Vec<IVec3> {
        let Some(from) = self.last else {
            self.last = Some(to);
            return vec![to];
        };
        let spacing = spacing.max(1.0);
        let way = (to - from).as_dvec3();
        let steps = (way.length() / spacing).floor();
        if steps < 1.0 {
            return Vec::new();
        }
        let first = if steps > MAX_TOUCHES { steps } else { 1.0 };
        let direction = way.normalize_or_zero();
        let mut places = Vec::new();
        let mut step = first;
        while step <= steps {
            places.push(
                (from.as_dvec3() + direction * spacing * step + DVec3::splat(1e-9))
                    .round()
                    .as_ivec3(),
            );
            step += 1.0;
        }
        self.last = places.last().copied().or(self.last);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voxels(region: &Region) -> Vec<IVec3> {
        let bounds = region.bounds().expect("some voxels");
        let mut found = Vec::new();
        for y in bounds.min.y..bounds.max.y {
            for z in bounds.min.z..bounds.max.z {
                found.extend(
                    (bounds.min.x..bounds.max.x)
                        .map(|x| IVec3::new(x, y, z))
                        .filter(|at| region.contains(*at)),
                );
            }
        }
        found
    }

    #[test]
    fn forms_are_symmetric_and_as_wide_as_their_radius() {
        let centre = IVec3::new(-3, 31, 64);
        for &form in BrushForm::VARIANTS {
            let name = form.name();
            for radius in [0, 1, 4, 17] {
                for face in [Face::Up, Face::West, Face::South] {
                    let region = form.region(centre, radius, face);
                    let radii = form.radii(radius, face);
                    assert_eq!(
                        region.bounds(),
                        Some(Box3::spanning(centre - radii, centre + radii)),
                        "{name} {radius}"
                    );
                    for at in voxels(&region) {
                        assert!(region.contains(centre * 2 - at), "{name} {radius} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn regions_of_forms_equal_a_test_of_each_voxel() {
        let centre = IVec3::new(30, -2, 5);
        let radius = 6;
        let is_inside = |form, offset: IVec3| {
            let flat = offset.with_y(0).as_dvec3().length();
            match form {
                BrushForm::Ball => offset.as_dvec3().length() <= 6.5,
                BrushForm::Cube => true,
                BrushForm::Cylinder => flat <= 6.5,
                BrushForm::Disc => flat <= 6.5 && offset.y == 0,
            }
        };
        for &form in BrushForm::VARIANTS {
            let name = form.name();
            let region = form.region(centre, radius, Face::Down);
            for y in -6..=6 {
                for z in -6..=6 {
                    for x in -6..=6 {
                        let offset = IVec3::new(x, y, z);
                        assert_eq!(
                            region.contains(centre + offset),
                            is_inside(form, offset),
                            "{name} {offset}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn stroke_has_no_gaps_and_keeps_its_spacing() {
        let mut path = StrokePath::default();
        assert_eq!(path.advance(IVec3::new(0, 5, 0), 3.0), [IVec3::new(0, 5, 0)]);
        assert!(path.advance(IVec3::new(2, 5, 0), 3.0).is_empty(), "too near");
        let on: Vec<i32> = path.advance(IVec3::new(20, 5, 0), 3.0).iter().map(|at| at.x).collect();
        assert_eq!(on, [3, 6, 9, 12, 15, 18]);
        let diagonal = path.advance(IVec3::new(38, 25, -20), 2.0);
        for pair in diagonal.windows(2) {
            let gap = (pair[1] - pair[0]).as_dvec3().length();
            assert!((0.9..3.8).contains(&gap), "{gap}");
        }
        assert_eq!(path.advance(IVec3::new(100_000, 0, 0), 2.0).len(), 1, "a jump");
    }
}
