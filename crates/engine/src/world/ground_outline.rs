//! The outline of smooth ground in a voxel.

use super::World;
use super::ground_patch::GroundPatch;
use crate::contour::{ContourRules, EdgePolygon};
use glam::{IVec3, Vec3};

/// The polygons of the surface around the six edges from the middle of a voxel to the middles of
/// its neighbours, as offsets from the lowest corner of the voxel, counterclockwise as seen from
/// outside. Empty where no surface of smooth ground is drawn, for example next to a cube.
#[must_use]
pub fn ground_outline(world: &World, rules: &impl ContourRules, at: IVec3) -> Vec<Vec<Vec3>> {
    if !rules.any_ground() {
        return Vec::new();
    }
    let mut patch = GroundPatch::default();
    patch.read(world, at - IVec3::ONE, at + IVec3::ONE, |_, voxel| rules.contour_voxel(voxel));
    let edges =
        (0..3).flat_map(|axis| [IVec3::ONE - IVec3::AXES[axis], IVec3::ONE].map(|low| (low, axis)));
    let polygons = edges.filter_map(|(low, axis)| patch.polygon(rules, low, axis));
    polygons.map(|polygon| offsets(&polygon)).collect()
}

/// Corners of a polygon in a patch as offsets from the lowest corner of the voxel at 1, 1, 1.
fn offsets(polygon: &EdgePolygon) -> Vec<Vec3> {
    // Corners count from the middle of the voxel at 0, 0, 0.
    polygon.corners().iter().map(|corner| corner.as_vec3() / 256.0 - 0.5).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos, Material, MaterialTable, SurfaceRule, Voxel};
    use crate::world::{Chunk, cast_ray_over_ground};
    use glam::DVec3;

    /// A world with smooth ground up to layer 4, and its material.
    fn plain() -> (World, MaterialTable, u16) {
        let mut table = MaterialTable::builtin();
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let hill = table.add(hill).unwrap();
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 4, 31)), Voxel::full(hill));
        (world, table, hill)
    }

    #[test]
    fn flat_ground_is_outlined_by_a_square_at_its_height() {
        let (mut world, table, hill) = plain();
        let at = IVec3::new(9, 4, 7);
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
        for (remains, height) in [(None, 1.0), (Some(90), 1.0 + 65.0 / 256.0)] {
            if let Some(occupancy) = remains {
                let layer = Box3::spanning(IVec3::new(0, 5, 0), IVec3::new(31, 5, 31));
                world.fill(layer, Voxel::new(hill, occupancy));
            }
            let outline = ground_outline(&world, &table, at);
            assert_eq!(outline.len(), 1);
            let is_near = |corner: Vec3, [x, z]: [f32; 2]| {
                (corner - Vec3::new(x, height, z)).abs().max_element() < 0.3
            };
            for corner in corners {
                assert!(outline[0].iter().any(|&other| is_near(other, corner)), "{outline:?}");
            }
        }
        let remains = ground_outline(&world, &table, at + IVec3::Y);
        let above = ground_outline(&world, &table, at);
        let lowered: Vec<Vec3> = above[0].iter().map(|&corner| corner - Vec3::Y).collect();
        assert_eq!(remains, [lowered], "remains have the surface of the ground below");
        assert!(ground_outline(&world, &table, at + IVec3::Y * 2).is_empty());
        assert!(ground_outline(&world, &table, at - IVec3::Y).is_empty());
    }

    #[test]
    fn outline_of_the_voxel_that_a_ray_meets_holds_the_point_where_it_meets() {
        let (mut world, table, hill) = plain();
        for (number, step) in (0u8..).zip(0..28) {
            let at = IVec3::new(2 + step, 5 + step % 3, 3 + step * 5 % 25);
            world.fill(Box3::spanning(at.with_y(5), at), Voxel::new(hill, 90 + number * 5));
        }
        let full = |_, voxel: Voxel| (!voxel.is_air()).then_some(1.0);
        let mut met = 0;
        for step in 0..400 {
            let eyes = DVec3::new(2.1 + 0.067 * f64::from(step), 12.0, 2.0 + f64::from(step % 27));
            let direction = DVec3::new(0.2, -1.0, 0.1);
            let hit = cast_ray_over_ground(&world, &table, eyes, direction, 20.0, full).hit;
            let Some(hit) = hit.filter(|hit| hit.ground_normal.is_some()) else { continue };
            let point = eyes + direction.normalize() * hit.distance;
            let point = (point - hit.voxel_pos.as_dvec3()).as_vec3();
            let outline = ground_outline(&world, &table, hit.voxel_pos);
            let holds = |corners: &Vec<Vec3>| {
                let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min) - 0.01;
                let high = corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max) + 0.01;
                point.cmpge(low).all() && point.cmple(high).all()
            };
            assert!(outline.iter().any(holds), "{point} of {hit:?}: {outline:?}");
            met += 1;
        }
        assert!(met > 100, "{met}");
    }
}
