//! Rays over smooth ground against all triangles of the mesh.

use super::triangles;
use super::worlds::{RandomWorld, chunks, materials};
use crate::random::Random;
use crate::voxel::{MaterialTable, Voxel, neighbour_offsets};
use crate::world::{RayHit, cast_ray, cast_ray_over_ground};
use glam::{DVec3, IVec3};

/// The drawn triangles of a world, in voxels.
fn drawn(random: &RandomWorld) -> Vec<[DVec3; 3]> {
    let in_voxels = |at: IVec3| at.as_dvec3() / 256.0 + 0.5;
    let all = chunks().flat_map(|pos| triangles(&random.world, &random.materials, pos));
    all.map(|corners| corners.map(in_voxels)).collect()
}

/// Distance to the nearest of the triangles that a ray meets: from outside, and from inside.
fn nearest(triangles: &[[DVec3; 3]], origin: DVec3, direction: DVec3) -> [f64; 2] {
    let mut nearest = [f64::INFINITY; 2];
    for &[a, b, c] in triangles {
        let [ab, ac] = [b - a, c - a];
        // Möller and Trumbore, "Fast, minimum storage ray/triangle intersection" (1997).
        let p = direction.cross(ac);
        let determinant = ab.dot(p);
        if determinant == 0.0 {
            continue;
        }
        let from = origin - a;
        let u = from.dot(p) / determinant;
        let q = from.cross(ab);
        let v = direction.dot(q) / determinant;
        let along = ac.dot(q) / determinant;
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && along >= 0.0 {
            let side = &mut nearest[usize::from(determinant < 0.0)];
            *side = side.min(along);
        }
    }
    nearest
}

/// True for hits next to a cube, at whose corners there are gaps between it and the surface: a ray
/// that passes through one ends in the matter behind it.
fn is_next_to_cube(RandomWorld { world, materials }: &RandomWorld, hit: RayHit) -> bool {
    let mut around = neighbour_offsets().map(|by| world.get(hit.voxel_pos + by));
    around.any(|voxel| materials.voxel(voxel).is_cube())
}

/// Height of boxes: of all that is solid.
fn height(table: &MaterialTable, voxel: Voxel) -> Option<f64> {
    let material = table.get(voxel.material())?;
    material.is_solid().then(|| f64::from(voxel.fill()))
}

/// A part of a coordinate in -`reach` to `reach`.
fn coordinate(random: &mut Random, reach: f64) -> f64 {
    (f64::from(random.below(2_000_001)) / 1e6 - 1.0) * reach
}

fn vector(random: &mut Random, reach: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| coordinate(random, reach)))
}

/// Casts rays in random worlds and compares them with the meshes. Returns the largest difference of
/// the distances.
fn assert_rays_hit_the_mesh(seeds: std::ops::Range<u64>, rays: usize) -> f64 {
    let table = materials();
    let mut on_ground = 0;
    let mut started_inside = 0;
    let mut through_gaps = 0;
    let mut largest: f64 = 0.0;
    for seed in seeds.clone() {
        let world = RandomWorld::new(seed);
        let triangles = drawn(&world);
        let mut random = Random::new(seed);
        for _ in 0..rays {
            let origin = vector(&mut random, 9.0);
            let direction = (vector(&mut random, 8.0) - origin).normalize();
            let hit: Option<RayHit> =
                cast_ray_over_ground(&world.world, &table, origin, direction, 40.0, |_, voxel| {
                    height(&table, voxel)
                })
                .hit;
            let boxes = cast_ray(&world.world, origin, direction, 40.0, |voxel| {
                if world.materials.is_ground(voxel) { None } else { height(&table, voxel) }
            });
            let to_box = boxes.map_or(f64::INFINITY, |hit| hit.distance);
            let [outside, inside] = nearest(&triangles, origin, direction);
            // Where parts of the surface cross each other, a ray from the ground meets an outer
            // side first. It begins in a cell of matter, or looking back it meets an inner side.
            let is_in_matter = hit.is_some_and(|hit| hit.face.is_none() && hit.distance < to_box);
            let [behind, behind_inside] = nearest(&triangles, origin, -direction);
            let is_inside = inside < outside.min(to_box)
                || is_in_matter && hit.is_some_and(|hit| hit.distance == 0.0)
                || is_in_matter && behind_inside < behind;
            if !is_inside && is_in_matter && hit.is_some_and(|hit| is_next_to_cube(&world, hit)) {
                through_gaps += 1;
                continue;
            }
            if is_inside {
                started_inside += 1;
                continue;
            }
            let expected = outside.min(to_box);
            let place = format!("seed {seed}: from {origin} along {direction}");
            if expected > 40.0 {
                assert_eq!(hit, None, "{place}");
                continue;
            }
            let hit = hit.unwrap_or_else(|| panic!("{place}: nothing hit, not {expected}"));
            let difference = (hit.distance - expected).abs();
            assert!(difference < 1e-6, "{place}: {hit:?}, not at {expected}");
            largest = largest.max(difference);
            if let Some(normal) = hit.ground_normal {
                on_ground += 1;
                assert!(world.materials.is_ground(hit.voxel), "{place}: {hit:?}");
                assert!(normal.dot(direction) < 0.0 && (normal.length() - 1.0).abs() < 1e-9);
                // The surface at an edge lies within a voxel of it.
                let at = origin + direction * hit.distance;
                let away = (at - hit.voxel_pos.as_dvec3() - 0.5).abs().max_element();
                assert!(away <= 1.0, "{place}: {hit:?}");
            }
        }
    }
    let count = seeds.count() * rays;
    println!(
        "{count} rays, {on_ground} hit ground, {started_inside} began in it, {through_gaps} passed \
         between it and a cube; distances differ by at most {largest:.1e}"
    );
    assert!(on_ground > count / 8 && started_inside < count / 2 && through_gaps < count / 500);
    largest
}

#[test]
fn rays_hit_what_is_drawn() {
    assert_rays_hit_the_mesh(5000..5040, 400);
}

#[test]
#[ignore = "a million rays take two minutes; run it after changes of rays"]
fn million_rays_hit_what_is_drawn() {
    assert_rays_hit_the_mesh(6000..6500, 2000);
}
