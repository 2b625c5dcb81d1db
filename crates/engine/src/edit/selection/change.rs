//! Moving and resizing selections.

use super::{Selection, SelectionError};
use crate::voxel::{Box3, WORLD_LIMIT};
use glam::{IVec2, IVec3};

impl Selection {
    /// Moves the selection by an offset.
    ///
    /// # Errors
    /// Fails if a point is missing, or if the selection would leave the world. The selection is
    /// then unchanged.
    pub fn shift(&mut self, by: IVec3) -> Result<(), SelectionError> {
        let bounds = self.bounds()?;
        check(bounds.min, by)?;
        check(bounds.max - 1, by)?;
        match self {
            Selection::Cuboid { corners, .. } => {
                for corner in corners.iter_mut().flatten() {
                    *corner += by;
                }
            }
            Selection::Polygon { corners, layers } => {
                for corner in corners.iter_mut() {
                    *corner += IVec2::new(by.x, by.z);
                }
                *layers = layers.map(|y| y + by.y);
            }
            Selection::Ellipsoid { centre, .. } => {
                for centre in centre.iter_mut() {
                    *centre += by;
                }
            }
            Selection::Cylinder { centre, layers, .. } => {
                for centre in centre.iter_mut() {
                    *centre += IVec2::new(by.x, by.z);
                }
                *layers = layers.map(|y| y + by.y);
            }
            Selection::Path { points } => {
                for point in points.iter_mut() {
                    *point += by;
                }
            }
            // Moving many voxels takes long, so they are moved only when the region is made.
            Selection::Region { bounds, shift, .. } => {
                *shift += by;
                *bounds = Box3 { min: bounds.min + by, max: bounds.max + by };
            }
        }
        Ok(())
    }

    /// Moves the sides of the selection outwards: the lower sides along x, y and z by `low`, the
    /// upper sides by `high`. Negative numbers move them inwards; at least one voxel stays. The
    /// radii of ellipsoids and cylinders grow by half of `low` + `high`, and the centre moves
    /// accordingly. Their centre is a whole voxel, so the sum must be even, as in WorldEdit.
    ///
    /// # Errors
    /// Fails if a point is missing, the selection would leave the world, the sum is odd, or the
    /// kind of selection cannot be resized this way. The selection is then unchanged.
    pub fn resize(&mut self, low: IVec3, high: IVec3) -> Result<(), SelectionError> {
        let bounds = self.bounds()?;
        check(bounds.min, IVec3::ZERO.saturating_sub(low))?;
        check(bounds.max - 1, high)?;
        match self {
            Selection::Cuboid { corners: [Some(a), Some(b)], .. } => {
                for axis in 0..3 {
                    let (lower, upper) =
                        if a[axis] <= b[axis] { (&mut *a, &mut *b) } else { (&mut *b, &mut *a) };
                    [lower[axis], upper[axis]] =
                        moved([lower[axis], upper[axis]], low[axis], high[axis]);
                }
            }
            Selection::Cuboid { .. } => return Err(SelectionError::Empty),
            Selection::Polygon { layers, .. } => {
                if [low.x, low.z, high.x, high.z] != [0; 4] {
                    return Err(SelectionError::Fixed);
                }
                *layers = moved(*layers, low.y, high.y);
            }
            Selection::Ellipsoid { centre, radii, is_sphere } => {
                let more = low.saturating_add(high);
                if *is_sphere && (more.x != more.y || more.y != more.z) {
                    return Err(SelectionError::Fixed);
                }
                check_even(&more.to_array())?;
                *radii = radii.saturating_add(more / 2).max(IVec3::ZERO);
                for centre in centre.iter_mut() {
                    *centre = centre.saturating_add(high.saturating_sub(low) / 2);
                }
            }
            Selection::Cylinder { centre, radii, layers } => {
                let [low_flat, high_flat] = [low, high].map(|v| IVec2::new(v.x, v.z));
                let more = low_flat.saturating_add(high_flat);
                check_even(&more.to_array())?;
                *radii = radii.saturating_add(more / 2).max(IVec2::ZERO);
                for centre in centre.iter_mut() {
                    *centre = centre.saturating_add(high_flat.saturating_sub(low_flat) / 2);
                }
                *layers = moved(*layers, low.y, high.y);
            }
            Selection::Path { .. } | Selection::Region { .. } => return Err(SelectionError::Fixed),
        }
        Ok(())
    }
}

/// Moves two ends outwards. Ends that would pass each other are replaced by one voxel midway
/// between them.
fn moved([first, last]: [i32; 2], low: i32, high: i32) -> [i32; 2] {
    let first = first - low;
    let last = last + high;
    if first <= last { [first, last] } else { [i32::midpoint(first, last); 2] }
}

/// Checks that diameters grow by even numbers of voxels.
fn check_even(growth: &[i32]) -> Result<(), SelectionError> {
    if growth.iter().all(|by| by % 2 == 0) { Ok(()) } else { Err(SelectionError::Odd) }
}

/// Checks that a voxel moved by `by` stays in the world.
fn check(at: IVec3, by: IVec3) -> Result<(), SelectionError> {
    let moved = at.saturating_add(by);
    let is_inside = moved.to_array().iter().all(|c| (-WORLD_LIMIT..WORLD_LIMIT).contains(c));
    if is_inside { Ok(()) } else { Err(SelectionError::OutsideWorld) }
}
