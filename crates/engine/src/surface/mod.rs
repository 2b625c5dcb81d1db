//! The mesh of smooth ground: the [contour](crate::contour) of a chunk as triangles.
//!
//! Runs become one word per row for matter and one for ground; a few word operations find the
//! cells that the surface crosses, 32 at a time, so most of a chunk costs nothing. Each of these
//! cells has a vertex per sheet, and each crossed edge between two voxels has a quad between the
//! four cells around it. A chunk makes the quads of the edges whose lower voxel it holds.
//!
//! The mesh is a function of the chunk and its 26 neighbours. Vertices at a border are the same in
//! both chunks, with their normals: positions are whole numbers, and normals are sums of whole
//! numbers, equal in every order.
//!
//! Each edge of the mesh belongs to two triangles, except at *seams*, where ground ends at the side
//! of a cube. Where two sheets of a cell touch a face that both cells at it see as one
//! ([`ContourSheets::doubled`](crate::contour::ContourSheets)), four quads would share an edge: a vertex
//! on the face keeps them apart.
//!
//! - `field`: the voxels of a chunk and around it.
//! - `cells`: cells that the surface crosses, and their vertices.
//! - `quads`: the quads around crossed edges.
//! - [`SurfaceVertex`], [`SurfaceMesh`]: the result.

mod cells;
mod field;
mod mesh;
mod quads;
mod vertex;

pub use mesh::SurfaceMesh;
pub use vertex::{PackedSurfaceVertex, SurfaceVertex};

use crate::contour::ContourMaterials;
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, MOORE_CENTRE};
use cells::{Cells, LAYERS};
use field::Field;
use quads::Quads;
use std::cell::RefCell;

/// Buffers of a mesher, kept between chunks.
#[derive(Default)]
struct Mesher {
    field: Field,
    cells: Cells,
    quads: Quads,
    /// Number of each point in the mesh.
    numbers: Vec<u32>,
}

thread_local! {
    static MESHER: RefCell<Mesher> = RefCell::default();
}

/// Builds the surface of the chunk at `pos`, the middle of `neighbourhood`; empty if that chunk is
/// not loaded.
///
/// Chunks that are not loaded are empty: ground ends at them. Build a chunk once its neighbours are
/// loaded, and again when one of them changes within two voxels of the common border.
#[must_use]
pub fn build(
    pos: ChunkPos,
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    materials: &ContourMaterials,
) -> SurfaceMesh {
    if neighbourhood.chunks[MOORE_CENTRE].is_none() || !materials.any_ground() {
        return SurfaceMesh::default();
    }
    MESHER.with_borrow_mut(|Mesher { field, cells, quads, numbers }| {
        if !field.read(neighbourhood, materials) {
            return SurfaceMesh::default();
        }
        cells.begin(field);
        quads.begin();
        // Layer by layer, so that the cells of a quad are still in the processor's cache.
        cells.add_crossings(0, field);
        for y in 0..LAYERS {
            cells.add_crossings(y + 1, field);
            cells.find_in_layer(y, field, materials, pos);
            quads.find_in_layer(y, field, cells);
        }
        SurfaceMesh::new(cells, quads, materials, numbers)
    })
}

#[cfg(test)]
mod tests;
