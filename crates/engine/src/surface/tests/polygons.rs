//! The polygons of single edges against the mesh.

use super::worlds::{RandomWorld, chunks};
use super::{build, world_position};
use crate::contour::{CellVertices, EdgePolygon};
use crate::voxel::{ChunkPos, linear_offset};
use glam::IVec3;

/// Triangles of the edges that a chunk owns, made one edge at a time, in the world.
fn of_edges(RandomWorld { world, materials }: &RandomWorld, pos: ChunkPos) -> Vec<[[i32; 3]; 3]> {
    let voxel = |at: IVec3| materials.voxel(world.get(at));
    let corner = |number: i32| IVec3::new(number & 1, number >> 1 & 1, number >> 2);
    let cell = |at: IVec3| {
        let corners = std::array::from_fn(|number| voxel(at + corner(number as i32)));
        CellVertices::new(corners, materials, at, at)
    };
    let mut triangles = Vec::new();
    for low in (0..32 * 32 * 32).map(|index| pos.origin() + linear_offset(index)) {
        if low.max_element().max(-low.min_element()) > 9 {
            continue;
        }
        for polygon in (0..3).filter_map(|axis| EdgePolygon::new(low, axis, &voxel, cell)) {
            triangles.extend(polygon.triangles().map(|corners| corners.map(|at| at.to_array())));
        }
    }
    triangles.sort_unstable();
    triangles
}

/// Triangles of the mesh, in the world. Corners keep their order, so the diagonals count.
fn of_mesh(random: &RandomWorld, pos: ChunkPos) -> Vec<[[i32; 3]; 3]> {
    let mesh = build(&random.world, &random.materials, pos);
    let at = |corner: u32| world_position(pos, &mesh.vertices[corner as usize].unpack()).to_array();
    let mut triangles = Vec::new();
    for [a, b, c, d] in mesh.quads.iter().copied() {
        triangles.push([a, b, c].map(at));
        if c != d {
            triangles.push([a, c, d].map(at));
        }
    }
    triangles.sort_unstable();
    triangles
}

fn assert_equal(seeds: std::ops::Range<u64>) {
    let mut count = 0;
    for seed in seeds {
        let random = RandomWorld::new(seed);
        for pos in chunks() {
            let mesh = of_mesh(&random, pos);
            assert!(of_edges(&random, pos) == mesh, "seed {seed}, {pos}");
            count += mesh.len();
        }
    }
    assert!(count > 10_000, "{count} triangles");
}

#[test]
fn polygons_of_edges_are_the_triangles_of_the_mesh() {
    assert_equal(3000..3060);
}

#[test]
#[ignore = "two thousand worlds take a minute; run it after changes of surfaces"]
fn polygons_of_edges_are_the_triangles_of_the_mesh_in_many_worlds() {
    assert_equal(4000..6000);
}
