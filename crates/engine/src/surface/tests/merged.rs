//! Merged level quads cover what they replace.

use super::worlds::{chunks, materials};
use super::{build, triangles, triangles_of};
use crate::contour::ContourMaterials;
use crate::random::Random;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Boxes of ground with level sides, some of them partly filled, around the corner of eight chunks.
fn boxes(seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut world = World::new();
    for pos in chunks() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    for _ in 0..1 + random.below(4) {
        let mut part = |low: i32, range: u32| low + random.below(range) as i32;
        let min = IVec3::new(part(-14, 16), part(-14, 16), part(-14, 16));
        let size = IVec3::new(part(1, 14), part(1, 14), part(1, 14));
        let occupancy = [255, 255, 200, 140][random.index(4)];
        let voxel = Voxel::new(1 + random.below(3) as u16, occupancy);
        world.fill(Box3 { min, max: (min + size).min(IVec3::splat(15)) }, voxel);
    }
    world
}

/// Twice the areas of triangles along each axis, by the plane that they lie in: the sums of their
/// normals, and the moments that tell apart where they lie.
fn areas(triangles: impl Iterator<Item = [IVec3; 3]>) -> FxHashMap<(usize, i32), [i64; 3]> {
    let mut sums: FxHashMap<(usize, i32), [i64; 3]> = FxHashMap::default();
    for [a, b, c] in triangles {
        let normal = (b - a).as_i64vec3().cross((c - a).as_i64vec3());
        let middle = (a + b + c).as_i64vec3();
        for axis in 0..3 {
            if a[axis] == b[axis] && b[axis] == c[axis] {
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let sum = sums.entry((axis, a[axis])).or_default();
                let area = normal[axis];
                sum[0] += area;
                sum[1] += area * middle[u];
                sum[2] += area * middle[v];
            }
        }
    }
    sums
}

#[test]
fn merged_quads_cover_the_same_area_and_stay_closed() {
    let materials = ContourMaterials::new(&materials());
    let mut saved = 0;
    for seed in 0..60 {
        let world = boxes(seed);
        for pos in chunks() {
            let before = build(&world, &materials, pos);
            let mesh = super::super::build(pos, &world.neighbourhood(pos).borrowed(), &materials);
            assert_eq!(
                mesh.triangle_count() + mesh.merged as usize,
                before.triangle_count(),
                "seed {seed}, {pos}"
            );
            assert!(mesh.vertices.len() <= before.vertices.len());
            saved += mesh.merged;
            let after = areas(triangles_of(mesh, pos));
            assert_eq!(after, areas(triangles_of(before, pos)), "seed {seed}, {pos}");
        }
        let mut edges: FxHashMap<[IVec3; 2], i32> = FxHashMap::default();
        for [a, b, c] in chunks().flat_map(|pos| triangles(&world, &materials, pos)) {
            for edge in [[a, b], [b, c], [c, a]] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        for ([from, to], count) in &edges {
            assert_eq!((*count, edges.get(&[*to, *from])), (1, Some(&1)), "seed {seed}");
        }
    }
    assert!(saved > 10_000, "{saved}");
}

#[test]
fn level_ground_of_a_chunk_is_one_fan() {
    let materials = ContourMaterials::new(&materials());
    let mut world = World::new();
    for pos in ChunkPos::default().moore_neighbourhood() {
        let is_low = pos.y < 0;
        world.insert(pos, Chunk::uniform(if is_low { Voxel::full(1) } else { Voxel::AIR }));
    }
    let ground = ChunkPos::new(0, -1, 0);
    let mesh = super::super::build(ground, &world.neighbourhood(ground).borrowed(), &materials);
    // The outermost quads of the world are missing: its vertices are no ground there.
    assert_eq!((mesh.triangle_count(), mesh.vertices.len()), (128, 129));
}
