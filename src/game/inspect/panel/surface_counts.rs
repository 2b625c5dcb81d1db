//! Counts of the page *Surface*: the surface of the crosshair's chunk.

use crate::game::drawing::chunk_drawing::SurfaceWords;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::session::{Edits, OpenMap};
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::surface::{self, SurfaceMesh};
use stonerun_engine::voxel::ChunkPos;

/// Counts of one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SurfaceCounts {
    /// Cells that the surface crosses, those around the chunk included.
    pub cells: u64,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of triangles.
    pub triangles: u64,
    /// Number of triangles that merging level parts saved.
    pub merged: u64,
    /// Bytes on the graphics card.
    pub bytes: u64,
    /// Time to build the surface.
    pub time: Duration,
}

impl SurfaceCounts {
    /// Counts a surface that took `time`.
    fn new(surface: &SurfaceMesh, materials: &FaceMaterials, time: Duration) -> SurfaceCounts {
        SurfaceCounts {
            cells: u64::from(surface.cells),
            vertices: surface.vertices.len() as u64,
            triangles: surface.triangle_count() as u64,
            merged: u64::from(surface.merged),
            bytes: SurfaceWords::new(surface, materials).gpu_bytes() as u64,
            time,
        }
    }
}

/// The counts of the crosshair's chunk.
#[derive(Resource, Default)]
pub struct CountedSurface {
    /// The counts, if the chunk is loaded.
    pub counts: Option<SurfaceCounts>,
    /// Chunk, and version of its mesh, for which it was counted.
    key: Option<(ChunkPos, u32)>,
}

/// Counts again when the crosshair's chunk or its mesh has changed.
pub(super) fn count(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    meshes: Res<ChunkMeshes>,
    crosshair: Res<Crosshair>,
    mut counted: ResMut<CountedSurface>,
) {
    let pos = crosshair.chunk;
    let key = Some((pos, meshes.version_of(pos)));
    if counted.key == key {
        return;
    }
    let neighbourhood = edits.world().neighbourhood(pos);
    let materials = &map.face_materials;
    let start = Instant::now();
    let surface = surface::build(pos, &neighbourhood.borrowed(), materials.contour());
    let time = start.elapsed();
    let is_loaded = edits.world().is_loaded(pos);
    let counts = is_loaded.then(|| SurfaceCounts::new(&surface, materials, time));
    *counted = CountedSurface { counts, key };
}
