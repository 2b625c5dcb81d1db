//! Boxes in a voxel.

use glam::DVec3;

/// A box in a voxel, in sixteenths from its lowest corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeBox {
    /// Lowest corner.
    pub low: [u8; 3],
    /// Highest corner.
    pub high: [u8; 3],
}

impl ShapeBox {
    /// Sixteenths per voxel, the grid of boxes.
    pub(crate) const GRID: u8 = 16;

    /// Lowest and highest corner, in voxels.
    #[must_use]
    pub fn corners(self) -> [DVec3; 2] {
        [self.low, self.high]
            .map(|corner| DVec3::from_array(corner.map(f64::from)) / f64::from(ShapeBox::GRID))
    }
}

/// Boxes of a shape that stop bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolidBoxes {
    /// One box over the whole floor of the voxel; its height is the fill of the voxel.
    Filled,
    /// Fixed boxes that do not depend on the voxel's occupancy. Empty only for models that bodies
    /// pass through.
    Boxes(&'static [ShapeBox]),
}

impl SolidBoxes {
    /// Smallest box around all boxes; `None` if there are none, or if the height depends on the
    /// occupancy.
    #[must_use]
    pub const fn bounds(self) -> Option<ShapeBox> {
        let SolidBoxes::Boxes(boxes) = self else { return None };
        if boxes.is_empty() {
            return None;
        }
        let mut bounds = ShapeBox { low: [ShapeBox::GRID; 3], high: [0; 3] };
        let mut index = 0;
        while index < boxes.len() {
            let mut axis = 0;
            while axis < 3 {
                if boxes[index].low[axis] < bounds.low[axis] {
                    bounds.low[axis] = boxes[index].low[axis];
                }
                if boxes[index].high[axis] > bounds.high[axis] {
                    bounds.high[axis] = boxes[index].high[axis];
                }
                axis += 1;
            }
            index += 1;
        }
        Some(bounds)
    }

    /// Height of the highest box above the voxel's bottom. `filled` is the filled height of the
    /// voxel. Both are in voxels.
    #[must_use]
    pub const fn top(self, filled: f32) -> f32 {
        match self.bounds() {
            None => filled,
            Some(bounds) => bounds.high[1] as f32 / ShapeBox::GRID as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_boxes_contain_each_of_them() {
        const STEP: [ShapeBox; 2] = [
            ShapeBox { low: [0, 0, 2], high: [16, 8, 16] },
            ShapeBox { low: [8, 8, 4], high: [16, 12, 14] },
        ];
        let solid = SolidBoxes::Boxes(&STEP);
        assert_eq!(solid.bounds(), Some(ShapeBox { low: [0, 0, 2], high: [16, 12, 16] }));
        assert_eq!([solid.top(0.25), SolidBoxes::Filled.top(0.25)], [0.75, 0.25]);
        assert_eq!(SolidBoxes::Filled.bounds(), None);
        assert_eq!(STEP[1].corners(), [DVec3::new(0.5, 0.5, 0.25), DVec3::new(1.0, 0.75, 0.875)]);
    }
}
