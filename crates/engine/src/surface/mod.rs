//! The mesh of smooth ground: the [contour](crate::contour) of a chunk as triangles.
//!
//! Runs become one word per row for matter and one for ground; a few word operations find the cells
//! that the surface crosses, a row at a time. Other cells cost no more than that. Each crossed cell
//! has a vertex per sheet, and each crossed edge between two voxels has a quad between the four
//! cells around it. A chunk makes the quads of the edges whose lower voxel it holds.
//!
//! The mesh is a function of the chunk and its 26 neighbours. Vertices at a border are the same in
//! both chunks, with their normals: positions are whole numbers, and normals are sums of whole
//! numbers, equal in every order.
//!
//! Each edge of the mesh belongs to two triangles, except next to chunks that are not loaded and at
//! *seams*, where ground ends at the side of a cube. Where one sheet crosses a face in two lines,
//! in both cells at it ([`ContourSheets::doubled`](crate::contour::ContourSheets::doubled)), four
//! quads would share an edge: each line gets a vertex of its own on the face.
//!
//! - `field`: the voxels of a chunk and around it.
//! - `cells`: cells that the surface crosses, and their vertices.
//! - `quads`: the quads around crossed edges.
//! - `merge`: level quads become fans of fewer triangles.
//! - [`SurfaceVertex`], [`SurfaceMesh`]: the result.

mod cells;
mod field;
mod merge;
mod mesh;
mod quads;
mod vertex;

pub use mesh::SurfaceMesh;
pub use vertex::{PackedSurfaceVertex, SurfaceVertex};

use crate::contour::ContourMaterials;
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, MOORE_CENTRE};
use cells::{Cells, LAYERS, Point};
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
    /// Taken while a surface is built, so that a panic does not leave sums of half a chunk.
    static MESHER: RefCell<Option<Box<Mesher>>> = RefCell::default();
}

/// Builds the surface of the chunk at `pos`, the middle of `neighbourhood`; empty if that chunk is
/// not loaded.
///
/// Chunks that are not loaded are empty. Ground is closed towards those in the directions of east,
/// top and south, and open towards the others, whose quads belong to them. Build a chunk once its
/// neighbours are loaded, and again when one of them changes within two voxels of the common
/// border.
#[must_use]
pub fn build(
    pos: ChunkPos,
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    materials: &ContourMaterials,
) -> SurfaceMesh {
    if neighbourhood.chunks[MOORE_CENTRE].is_none() || !materials.any_ground() {
        return SurfaceMesh::default();
    }
    build_with(pos, neighbourhood, materials, merge::merge)
}

/// Builds a surface, and changes its quads by `merge`.
fn build_with(
    pos: ChunkPos,
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    materials: &ContourMaterials,
    merge: fn(&[Point], &mut Vec<[u32; 4]>) -> u32,
) -> SurfaceMesh {
    let mut mesher = MESHER.take().unwrap_or_default();
    let surface = mesher.build(pos, neighbourhood, materials, merge);
    MESHER.set(Some(mesher));
    surface
}

impl Mesher {
    fn build(
        &mut self,
        pos: ChunkPos,
        neighbourhood: &ChunkNeighbourhoodRef<'_>,
        materials: &ContourMaterials,
        merge: fn(&[Point], &mut Vec<[u32; 4]>) -> u32,
    ) -> SurfaceMesh {
        let Mesher { field, cells, quads, numbers } = self;
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
        let merged = merge(&cells.points, &mut quads.list);
        if merged > 0 {
            cells.use_only(&quads.list);
        }
        SurfaceMesh { merged, ..SurfaceMesh::new(cells, quads, materials, numbers) }
    }
}

#[cfg(test)]
mod tests;
