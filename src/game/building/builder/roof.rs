//! Roofs on top of a box.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use stonerun_engine::edit::region::Shape;
use stonerun_engine::voxel::Box3;

/// Form of a roof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum RoofForm {
    /// Two slopes, and a wall below them at both ends. The ridge runs along the longer side.
    #[default]
    Gable,
    /// Four slopes.
    Hip,
}

/// A roof of one voxel thickness, each layer one voxel narrower on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roof {
    /// Box that the roof covers.
    pub below: Box3,
    /// Form of the roof.
    pub form: RoofForm,
    /// Overhang beyond the walls, in voxels.
    pub overhang: i32,
}

impl Roof {
    /// True if the ridge of a gable runs along x.
    pub(super) fn runs_along_x(&self) -> bool {
        self.below.size().x >= self.below.size().z
    }

    /// The box of the lowest layer, with the overhang.
    fn eaves(&self) -> Box3 {
        let mut eaves = Box3 {
            min: self.below.min.with_y(self.below.max.y),
            max: self.below.max.with_y(self.below.max.y + 1),
        };
        for axis in [0, 2] {
            eaves.min[axis] -= self.overhang;
            eaves.max[axis] += self.overhang;
        }
        eaves
    }

    /// Number of layers.
    fn height(&self) -> i32 {
        let size = self.eaves().size();
        let across = match self.form {
            RoofForm::Hip => size.x.min(size.z),
            RoofForm::Gable if self.runs_along_x() => size.z,
            RoofForm::Gable => size.x,
        };
        (across + 1) / 2
    }

    /// The rectangle of a layer.
    pub(super) fn layer(&self, layer: i32) -> Box3 {
        let mut area = self.eaves();
        let shrinks = match self.form {
            RoofForm::Hip => [true, true],
            RoofForm::Gable => [!self.runs_along_x(), self.runs_along_x()],
        };
        for (axis, _) in [0, 2].into_iter().zip(shrinks).filter(|(_, shrinks)| *shrinks) {
            area.min[axis] += layer;
            area.max[axis] -= layer;
        }
        area
    }

    /// True if this row or column of a gable is the wall below the slopes.
    fn is_gable_wall(&self, along: i32) -> bool {
        let axis = if self.runs_along_x() { 0 } else { 2 };
        self.form == RoofForm::Gable
            && (along == self.below.min[axis] || along == self.below.max[axis] - 1)
    }
}

impl Shape for Roof {
    fn bounds(&self) -> Box3 {
        let eaves = self.eaves();
        Box3 { min: eaves.min, max: eaves.max.with_y(eaves.min.y + self.height()) }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        let number = y - self.below.max.y;
        if !(0..self.height()).contains(&number) {
            return;
        }
        let layer = self.layer(number);
        if !(layer.min.z..layer.max.z).contains(&z) {
            return;
        }
        let is_edge = z == layer.min.z || z == layer.max.z - 1;
        let xs = layer.min.x..layer.max.x;
        let has_slopes_across_z = self.form == RoofForm::Hip || self.runs_along_x();
        let has_slopes_across_x = self.form == RoofForm::Hip || !self.runs_along_x();
        let is_whole = is_edge && has_slopes_across_z
            || !self.runs_along_x() && self.is_gable_wall(z)
            || xs.len() <= 2 && has_slopes_across_x;
        if is_whole {
            return each(xs);
        }
        if has_slopes_across_x {
            each(xs.start..xs.start + 1);
            each(xs.end - 1..xs.end);
        } else {
            // The two walls below a ridge along x.
            let mut ends: Vec<i32> = xs.filter(|&x| self.is_gable_wall(x)).collect();
            ends.dedup();
            for x in ends {
                each(x..x + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::edit::region::Region;

    /// Highest layer of a roof in a column, counted from the top of the box; -1 for none.
    fn top(region: &Region, x: i32, z: i32) -> i32 {
        (0..40).rev().find(|&y| region.contains(IVec3::new(x, y, z))).unwrap_or(-1)
    }

    #[test]
    fn roof_has_one_slope_per_column_over_its_box() {
        for (width, depth) in [(20, 20), (9, 14), (15, 6), (1, 1), (2, 5), (7, 7)] {
            for form in [RoofForm::Gable, RoofForm::Hip] {
                for overhang in [0, 1] {
                    let below = Box3 {
                        min: IVec3::new(-3, -10, 28),
                        max: IVec3::new(width - 3, 0, 28 + depth),
                    };
                    let roof = Roof { below, form, overhang };
                    let region = Region::from_shape(&roof);
                    let eaves = roof.eaves();
                    for x in eaves.min.x..eaves.max.x {
                        for z in eaves.min.z..eaves.max.z {
                            // A slope is as high as its column is far from the nearest eaves.
                            let [to_x, to_z] = [
                                (x - eaves.min.x).min(eaves.max.x - 1 - x),
                                (z - eaves.min.z).min(eaves.max.z - 1 - z),
                            ];
                            let expected = match form {
                                RoofForm::Hip => to_x.min(to_z),
                                RoofForm::Gable if width >= depth => to_z,
                                RoofForm::Gable => to_x,
                            };
                            assert_eq!(top(&region, x, z), expected, "{roof:?} {x} {z}");
                            // Below a slope there is nothing but the walls of a gable.
                            let along = if width >= depth { x } else { z };
                            let is_wall = roof.is_gable_wall(along);
                            for y in 0..expected {
                                assert_eq!(
                                    region.contains(IVec3::new(x, y, z)),
                                    is_wall,
                                    "{roof:?} {x} {y} {z}"
                                );
                            }
                        }
                    }
                    assert_eq!(
                        region.bounds().map(|b| (b.min, b.max)),
                        Some((roof.bounds().min, roof.bounds().max))
                    );
                }
            }
        }
    }
}
