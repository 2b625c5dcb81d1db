//! The surface against its promises, on random worlds across the borders of chunks.

mod closed;
mod merged;
mod plain;
mod polygons;
mod rays;
mod shade;
mod worlds;

use super::{SurfaceMesh, SurfaceVertex};
use crate::contour::ContourMaterials;
use crate::voxel::ChunkPos;
use crate::world::World;
use glam::IVec3;

/// Builds the surface of a loaded chunk, without merging.
fn build(world: &World, materials: &ContourMaterials, pos: ChunkPos) -> SurfaceMesh {
    super::build_with(pos, &world.neighbourhood(pos).borrowed(), materials, |_, _| 0)
}

/// Position of a vertex in the world, in 256ths of a voxel from the centre of the voxel at 0.
fn world_position(pos: ChunkPos, vertex: &SurfaceVertex) -> IVec3 {
    (pos.origin() - IVec3::ONE) * 256 + vertex.at
}

/// The triangles of a chunk's surface, in the world, as the game draws them.
fn triangles(
    world: &World,
    materials: &ContourMaterials,
    pos: ChunkPos,
) -> impl Iterator<Item = [IVec3; 3]> {
    let mesh = super::build(pos, &world.neighbourhood(pos).borrowed(), materials);
    triangles_of(mesh, pos)
}

/// The triangles of a mesh, in the world.
fn triangles_of(mesh: SurfaceMesh, pos: ChunkPos) -> impl Iterator<Item = [IVec3; 3]> {
    let vertices: Vec<IVec3> =
        mesh.vertices.iter().map(|vertex| world_position(pos, &vertex.unpack())).collect();
    mesh.quads.into_iter().flat_map(move |[a, b, c, d]| {
        let corners = |triangle: [u32; 3]| triangle.map(|corner| vertices[corner as usize]);
        [Some([a, b, c]), (c != d).then_some([a, c, d])]
            .into_iter()
            .flatten()
            .map(corners)
            .collect::<Vec<_>>()
    })
}
