//! The height of the surface in the middle of a column of voxels.

use super::polygon::{CellVertices, EdgePolygon};
use super::rules::ContourRules;
use super::voxel::ContourVoxel;
use glam::IVec3;

/// Height of the highest surface of smooth ground in the middle of the column of the voxel `at`,
/// between half a voxel below its bottom and its top, in voxels above its bottom. `None` without
/// such a surface. `voxel` reads the voxels around, by position in the world.
///
/// Models in voxels above smooth ground (plants, torches, layers of snow) stand at this height.
///
/// In a column's middle only the surface around the column's own edges can lie, because each
/// vertex is inside of its cell, so two edges are looked at.
#[must_use]
pub fn surface_height(
    at: IVec3,
    rules: &impl ContourRules,
    voxel: impl Fn(IVec3) -> ContourVoxel,
) -> Option<f32> {
    let voxel = |local: IVec3| voxel(at + local);
    let corner = |number: i32| IVec3::new(number & 1, number >> 1 & 1, number >> 2);
    let cell = |local: IVec3| {
        let corners = std::array::from_fn(|number| voxel(local + corner(number as i32)));
        CellVertices::new(corners, rules, local, at + local)
    };
    // The upper edge begins in the middle of the voxel.
    [IVec3::ZERO, IVec3::NEG_Y].into_iter().find_map(|low| {
        let polygon = EdgePolygon::new(low, 1, &voxel, cell)?;
        let is_floor = polygon.inner == low;
        let height = polygon.triangles().filter_map(height_at_origin).reduce(f32::max)?;
        (is_floor && height <= 1.0).then_some(height)
    })
}

/// Sixteenths in half of a voxel.
const HALF_VOXEL: i16 = 8;

/// Height of the ground below a model in the voxel at `at`, in sixteenths above the bottom of the
/// voxel: [`surface_height`], at most half a voxel up or down, so that the model's middle stays in
/// its voxel. 0 without such a surface.
#[must_use]
pub fn standing_height_in_sixteenths(
    at: IVec3,
    rules: &impl ContourRules,
    voxel: impl Fn(IVec3) -> ContourVoxel,
) -> i16 {
    let height = surface_height(at, rules, voxel).unwrap_or(0.0);
    ((height * 16.0).round() as i16).clamp(-HALF_VOXEL, HALF_VOXEL - 1)
}

/// Height at which a triangle crosses the line along y through the centre of the voxel at 0, in
/// voxels above that voxel's bottom.
fn height_at_origin([a, b, c]: [IVec3; 3]) -> Option<f32> {
    let side = |from: IVec3, to: IVec3| from.z * to.x - from.x * to.z;
    // Areas between the origin and each side, opposite to a corner. Positive within a triangle
    // that faces up.
    let [area_c, area_a, area_b] = [side(a, b), side(b, c), side(c, a)];
    let area = area_a + area_b + area_c;
    if area <= 0 || area_a < 0 || area_b < 0 || area_c < 0 {
        return None;
    }
    let sum = [(area_a, a), (area_b, b), (area_c, c)].map(|(part, at)| part as f32 * at.y as f32);
    Some(sum.iter().sum::<f32>() / area as f32 / 256.0 + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Material, MaterialTable, Matter, SurfaceRule, Voxel};

    fn table() -> MaterialTable {
        MaterialTable::from_list(vec![
            Material { matter: Matter::Gas, ..Material::plain("air", [0; 3]) },
            Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) },
            Material::plain("stone", [9; 3]),
        ])
        .unwrap()
    }

    /// Height in the voxel at 0 over level ground: full below `top`, then one layer of `occupancy`.
    fn level(top: i32, occupancy: u8) -> Option<f32> {
        let table = table();
        let ground = |at: IVec3| match at.y - top {
            ..0 => ContourVoxel::ground(1, 255),
            0 => ContourVoxel::ground(1, occupancy),
            _ => ContourVoxel::EMPTY,
        };
        surface_height(IVec3::ZERO, &table, ground)
    }

    #[test]
    fn level_ground_has_its_height_in_the_voxel_above_and_below() {
        assert_eq!((level(-1, 255), level(0, 255)), (Some(0.0), Some(1.0)));
        assert_eq!(level(1, 255), None, "above the voxel");
        // Half full, the surface is at the voxel's centre: seen from there and from above.
        let near = |height: Option<f32>, wanted: f32| (height.unwrap() - wanted).abs() < 0.01;
        assert!(near(level(0, 127), 0.5) && near(level(-1, 127), -0.5));
        assert_eq!(level(-2, 255), None, "a voxel further down");
    }

    #[test]
    fn ceilings_and_cubes_are_no_floor() {
        let table = table();
        let roof = |at: IVec3| {
            if at.y > 0 { ContourVoxel::ground(1, 255) } else { ContourVoxel::EMPTY }
        };
        assert_eq!(surface_height(IVec3::ZERO, &table, roof), None);
        let cubes =
            |at: IVec3| table.contour_voxel(if at.y < 0 { Voxel::full(2) } else { Voxel::AIR });
        assert_eq!(surface_height(IVec3::ZERO, &table, cubes), None);
    }
}
