//! The mesher: turns the voxels of one chunk and its neighbours into quads.
//!
//! The runs of the chunk and of its neighbours' borders become one word per row and class bit: each
//! run toggles bits where it starts. A few word operations find the faces of 32 voxels. Single
//! voxels are read only at visible faces. Equal faces are merged in both directions of their plane;
//! shade does not matter, because it is drawn per fragment.
//!
//! # The promise: strips are unions of fused runs
//!
//! The 0fps text finds faces per fused run: a run of voxels with equal Moore neighbourhoods. This
//! mesher finds the same faces 32 voxels at a time. Which faces a voxel has, and how they look,
//! depends on its Moore neighbourhood alone, so in each row along x, the direction of runs, all
//! voxels of a fused run have the same faces. The *strips* ([`strips`]), which are all that goes
//! into the two-dimensional merge, are therefore unions of fused runs: inside a row, no strip
//! begins or ends within a fused run. East and west faces end where the voxel changes, so only
//! fused runs of one voxel have them, and their strips lie along z. Models (crossed sheets,
//! torches) are not merged at all. `tests/engine/mesh/fused_runs.rs` checks this against the Moore
//! walk on all terrains, on random worlds and after edits.
//!
//! Ground, the materials whose surface is no cube, has no quads: [`surface`](crate::surface) draws
//! it.
//!
//! Quads may be shorter than strips: a rectangle from earlier rows may have taken a part of one.
//! `docs/measurements.md` compares the mesher with one that meshes each fused run by itself.
//!
//! - [`FaceMaterials`]: the appearance of the faces of each material.
//! - `voxel_class`: the properties of a voxel that decide its faces.
//! - `bit_rows`: from runs to rows of bits, for the chunk and around it.
//! - `run_rows`, `special_rows`: look-up of single voxels, and the voxels that are no full blocks.
//! - `face_surface`: the rules of the visibility, height and shade of faces.
//! - `face_finder`, `layer_bits`: the faces of a chunk.
//! - `at_ground`: liquids that end at smooth ground, models that stand on it.
//! - `model_quads`: models, by the faces of their [`ShapeRow`](crate::voxel::ShapeRow).
//! - `block_faces`, `merge`: faces of full opaque blocks, and of other boxes, become `face_rect`s.
//! - [`FaceStrip`]: the input of the merge.
//! - [`quad`]: the quad and its packed form. `chunk_mesh`: the result.
//! - [`DarkBricks`]: the voxels that darken corners. [`ShadedQuad`]: shade per vertex, for files.
//! - [`TextureStrip`]: the textures.

mod at_ground;
mod bit_rows;
mod block_faces;
mod chunk_mesh;
mod dark_bricks;
mod face_finder;
mod face_materials;
mod face_rect;
mod face_strip;
mod face_surface;
mod layer_bits;
mod merge;
mod model_quads;
pub mod quad;
mod run_rows;
mod shaded_quad;
mod soaking;
mod special_rows;
mod texture_strip;
mod voxel_class;

pub use chunk_mesh::ChunkMesh;
pub use dark_bricks::DarkBricks;
pub use face_materials::{FaceMaterial, FaceMaterialId, FaceMaterials};
pub use face_strip::FaceStrip;
pub use quad::{PackedQuad, Quad};
pub use shaded_quad::ShadedQuad;
pub use texture_strip::{TextureStrip, TextureStripError, linear_to_srgb, srgb_to_linear};

use crate::runs::moore::{ChunkNeighbourhoodRef, Neighbourhood};
use crate::voxel::{ChunkPos, Face, MOORE_CENTRE, Voxel, neighbour_index};
use face_finder::FaceFinder;
use face_materials::VoxelGeometry;
use face_surface::{Stacked, surface};
use glam::IVec3;
use std::cell::RefCell;

thread_local! {
    static FINDER: RefCell<FaceFinder> = RefCell::default();
}

/// Builds the mesh of the chunk at `pos`, the middle of `neighbourhood`; empty if that chunk is not
/// loaded.
///
/// A chunk of air has no quads, but may have dark voxels, for the surface of its neighbours'
/// ground.
///
/// Chunks that are not loaded hide nothing, so faces towards them are visible. Shade depends on all
/// 26 neighbours. Mesh a chunk once its neighbours are loaded, and again when one of them changes
/// at the common border.
#[must_use]
pub fn build(
    pos: ChunkPos,
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    materials: &FaceMaterials,
) -> ChunkMesh {
    match neighbourhood.chunks[MOORE_CENTRE] {
        None => ChunkMesh::default(),
        Some(middle)
            if middle.as_uniform() == Some(Voxel::AIR)
                && !may_have_surface(neighbourhood, materials) =>
        {
            ChunkMesh { runs: 1, ..ChunkMesh::default() }
        }
        Some(_) => FINDER.with_borrow_mut(|finder| finder.mesh(pos, neighbourhood, materials)),
    }
}

/// True if the middle chunk, of air, may have a part of the [surface](crate::surface) of its
/// neighbours' ground: next to its upper borders. Neighbours at the lower borders draw the surface
/// there themselves.
fn may_have_surface(neighbourhood: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) -> bool {
    let contour = materials.contour();
    contour.any_ground()
        && IVec3::AXES
            .into_iter()
            .filter_map(|offset| neighbourhood.chunks[neighbour_index(offset)])
            .any(|tree| tree.values().any(|voxel| contour.is_ground(voxel)))
}

/// The strips of faces that [`build`] merges into the quads of the middle chunk; empty if that
/// chunk is not loaded. Only for tests of the promise in the module documentation.
#[must_use]
pub fn strips(
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    materials: &FaceMaterials,
) -> Vec<FaceStrip> {
    match neighbourhood.chunks[MOORE_CENTRE] {
        None => Vec::new(),
        Some(_) => FINDER.with_borrow_mut(|finder| finder.strips(neighbourhood, materials)),
    }
}

/// True if a voxel with this neighbourhood has a visible face.
#[must_use]
pub fn has_face(materials: &FaceMaterials, around: &Neighbourhood) -> bool {
    let stacked = |offset: IVec3| Stacked {
        voxel: around[neighbour_index(offset)],
        // Up faces do not depend on the voxel two above.
        above: if offset == IVec3::Y {
            Voxel::AIR
        } else {
            around[neighbour_index(offset + IVec3::Y)]
        },
    };
    match materials.traits(around[MOORE_CENTRE].material()).geometry {
        VoxelGeometry::Nothing | VoxelGeometry::Ground => false,
        VoxelGeometry::Model => true,
        VoxelGeometry::Cube => Face::ALL.into_iter().any(|face| {
            surface(materials, face, stacked(IVec3::ZERO), stacked(face.normal())).is_some()
        }),
    }
}
