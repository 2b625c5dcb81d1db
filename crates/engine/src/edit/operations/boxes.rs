//! Boxes around a voxel and in the middle of a region.

use crate::voxel::Box3;
use glam::IVec3;

/// Box of `//removeabove`: `height` layers from `at` upwards, and `size` - 1 voxels to each side,
/// as in WorldEdit. A `size` of 1 is a single column.
#[must_use]
pub(crate) fn box_above(at: IVec3, size: u32, height: u32) -> Box3 {
    let Box3 { min, max } = box_near(at, size.saturating_sub(1));
    Box3 { min: min.with_y(at.y), max: max.with_y(at.y.saturating_add_unsigned(height)) }
}

/// Box of `//removebelow`: `height` layers from `at` downwards, and `size` - 1 voxels to each side.
#[must_use]
pub(crate) fn box_below(at: IVec3, size: u32, height: u32) -> Box3 {
    let Box3 { min, max } = box_near(at, size.saturating_sub(1));
    let top = at.y.saturating_add(1);
    Box3 { min: min.with_y(top.saturating_sub_unsigned(height)), max: max.with_y(top) }
}

/// Box of `//replacenear`, with `radius` voxels to each side. `//removenear` uses it with a radius
/// of its size - 1.
#[must_use]
pub(crate) fn box_near(at: IVec3, radius: u32) -> Box3 {
    let radius = IVec3::splat(i32::try_from(radius).unwrap_or(i32::MAX));
    Box3::spanning(at.saturating_sub(radius), at.saturating_add(radius))
}

/// Middle of a box (`//center`): one voxel along axes of odd length, two along axes of even length.
#[must_use]
pub(crate) fn centre_box(area: Box3) -> Box3 {
    // Adds as `i64`, because the sum of two coordinates may overflow an `i32`.
    let sum = area.min.as_i64vec3() + area.max.as_i64vec3();
    let half = |sum: i64| sum.div_euclid(2) as i32;
    let low = IVec3::new(half(sum.x - 1), half(sum.y - 1), half(sum.z - 1));
    Box3 { min: low, max: IVec3::new(half(sum.x), half(sum.y), half(sum.z)) + 1 }
}
