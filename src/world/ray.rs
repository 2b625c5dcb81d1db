//! Rays: what the player looks at, to a voxel and a face.
//!
//! A walk from voxel border to voxel border (Amanatides and Woo), so no voxel on the line is missed.
//! Voxels that are not full are hit only in their filled part.

use super::World;
use crate::voxel::{Face, Voxel};
use glam::{DVec3, IVec3};

/// Where a ray met something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// The voxel met.
    pub voxel_pos: IVec3,
    /// What it is; [`Voxel::NOT_LOADED`] where the ray left the loaded world.
    pub voxel: Voxel,
    /// The face the ray came in by; none if it started inside.
    pub face: Option<Face>,
    /// Distance from the ray's start, in voxels.
    pub distance: f64,
}

/// Follows a ray from `origin` along `direction` (any length but 0) for at most `reach` voxels, to the first
/// voxel for which `height` gives the height of its matter above its floor: 1 for a full voxel, none for what
/// the ray passes through. A voxel that is not loaded ends the ray, whatever `height` says.
pub fn cast_ray(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
) -> Option<RayHit> {
    let direction = direction.try_normalize()?;
    let mut at = origin.floor().as_ivec3();
    let step = direction.signum().as_ivec3();
    let per_voxel = direction.abs().recip();
    let next_border = at.as_dvec3() + direction.signum().max(DVec3::ZERO);
    // Distances to the next border on each axis; infinite along axes the ray does not move on.
    let mut border = DVec3::select(direction.cmpeq(DVec3::ZERO), DVec3::INFINITY, (next_border - origin) / direction);
    let mut face = None;
    let mut distance = 0.0;
    loop {
        let voxel = world.get(at);
        if voxel == Voxel::NOT_LOADED {
            return Some(RayHit { voxel_pos: at, voxel, face, distance });
        }
        if let Some(top) = height(voxel) {
            if top >= 1.0 {
                return Some(RayHit { voxel_pos: at, voxel, face, distance });
            }
            let leave = border.min_element();
            if let Some((distance, face)) = enter_layer(origin, direction, at, top, distance, leave, face) {
                return (distance <= reach).then_some(RayHit { voxel_pos: at, voxel, face, distance });
            }
        }
        let axis = border.min_position();
        distance = border[axis];
        if distance > reach {
            return None;
        }
        at[axis] += step[axis];
        border[axis] += per_voxel[axis];
        let faces = [[Face::East, Face::West], [Face::Up, Face::Down], [Face::South, Face::North]];
        face = Some(faces[axis][usize::from(step[axis] > 0)]);
    }
}

/// Where a ray that is inside voxel `at` between the distances `enter` and `leave` meets its matter, which
/// fills it up to `top`; none if it passes above.
fn enter_layer(
    origin: DVec3,
    direction: DVec3,
    at: IVec3,
    top: f64,
    enter: f64,
    leave: f64,
    face: Option<Face>,
) -> Option<(f64, Option<Face>)> {
    let surface = f64::from(at.y) + top;
    if origin.y + direction.y * enter <= surface {
        return Some((enter, face));
    }
    let down = (surface - origin.y) / direction.y;
    (direction.y < 0.0 && down <= leave).then_some((down, Some(Face::Up)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::ChunkPos;
    use crate::world::Chunk;
    use std::sync::Arc;

    fn matter(voxel: Voxel) -> Option<f64> {
        (!voxel.is_air()).then(|| f64::from(voxel.fill()))
    }

    fn world(voxels: &[(IVec3, Voxel)]) -> World {
        let mut world = World::new();
        world.insert(ChunkPos::default(), Arc::new(Chunk::uniform(Voxel::AIR)));
        for &(pos, voxel) in voxels {
            world.set(pos, voxel);
        }
        world
    }

    #[test]
    fn meets_the_near_face() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1))]);
        let hit = cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X * 3.0, 20.0, matter);
        let hit = hit.expect("a block stands in the way");
        assert_eq!((hit.voxel_pos, hit.face, hit.distance), (IVec3::new(10, 5, 5), Some(Face::West), 7.5));
        assert_eq!(cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X, 7.0, matter), None);
    }

    #[test]
    fn passes_over_a_half_voxel_and_meets_it_from_above() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::new(1, 127))]);
        let over = cast_ray(&world, DVec3::new(2.5, 5.75, 5.5), DVec3::X, 15.0, matter);
        assert_eq!(over, None);
        let down = cast_ray(&world, DVec3::new(10.5, 9.0, 5.5), DVec3::NEG_Y, 15.0, matter).expect("down");
        assert_eq!((down.face, down.distance), (Some(Face::Up), 3.5));
        let low = cast_ray(&world, DVec3::new(2.5, 5.25, 5.5), DVec3::X, 15.0, matter).expect("low");
        assert_eq!((low.face, low.distance), (Some(Face::West), 7.5));
    }

    #[test]
    fn the_edge_of_the_loaded_world_ends_it() {
        let hit = cast_ray(&world(&[]), DVec3::splat(16.0), DVec3::Y, 100.0, matter).expect("edge");
        assert_eq!((hit.voxel, hit.voxel_pos.y, hit.distance), (Voxel::NOT_LOADED, 32, 16.0));
    }

    #[test]
    fn misses_no_voxel_on_the_line() {
        // Against a slow walk in tiny steps, for many directions.
        let blocks: Vec<_> =
            (0..400).map(|i| (IVec3::new(i * 7 % 32, i * 13 % 32, i * 29 % 32), Voxel::full(1))).collect();
        let world = world(&blocks);
        let origin = DVec3::new(16.31, 16.47, 16.83);
        for i in 0..500 {
            let a = f64::from(i) * 0.37;
            let direction = DVec3::new(a.sin(), (a * 1.7).sin(), (a * 0.61).cos()).normalize();
            let hit = cast_ray(&world, origin, direction, 60.0, matter).expect("edge at the latest");
            let slow = (0..600_000).map(|s| f64::from(s) * 1e-4).find_map(|d| {
                let at = (origin + direction * d).floor().as_ivec3();
                (world.get(at) != Voxel::AIR).then_some((at, d))
            });
            let (_, d) = slow.expect("edge at the latest");
            assert!((hit.distance - d).abs() < 2e-4, "direction {direction}: {} and {d}", hit.distance);
        }
    }
}
