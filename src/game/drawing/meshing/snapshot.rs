//! Snapshots of the input of a chunk's mesh and light bricks.

use crate::game::drawing::chunk_drawing::{DrawnMesh, SurfaceWords};
use crate::game::drawing::lighting::{ChunkLights, LightNeighbourhood};
use crate::game::state::session::OpenMap;
use glam::{DVec3, Vec3};
use std::sync::Arc;
use stonerun_engine::light::{LightBricks, LightTraits};
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::surface;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::{ChunkNeighbourhood, World};

/// Input of all meshes.
pub(super) struct MeshSources<'a> {
    pub map: &'a OpenMap,
    pub world: &'a World,
    pub lights: &'a ChunkLights,
    /// The player's eyes, in voxels.
    pub eyes: DVec3,
}

/// Input of the mesh of one chunk.
pub(super) struct MeshSnapshot {
    pos: ChunkPos,
    chunks: ChunkNeighbourhood,
    lights: LightNeighbourhood,
    face_materials: Arc<FaceMaterials>,
    light_traits: Arc<LightTraits>,
    /// The player's eyes, in voxels from the chunk's lowest corner.
    eye: Vec3,
}

impl MeshSources<'_> {
    /// True if a chunk and its neighbours are loaded and lit.
    pub fn is_complete(&self, pos: ChunkPos) -> bool {
        // Checking the light is enough: light is forgotten in the frame that unloads the chunk.
        self.lights.is_lit_around(pos)
    }

    /// The chunk and its neighbours, if all 27 are loaded and lit.
    pub fn snapshot(&self, pos: ChunkPos) -> Option<MeshSnapshot> {
        let chunks = self.world.neighbourhood(pos);
        let lights = self.lights.neighbourhood(pos)?;
        chunks.chunks.iter().all(Option::is_some).then(|| MeshSnapshot {
            pos,
            chunks,
            lights,
            face_materials: Arc::clone(&self.map.face_materials),
            light_traits: Arc::clone(&self.lights.traits),
            eye: (self.eyes - pos.origin().as_dvec3()).as_vec3(),
        })
    }
}

impl MeshSnapshot {
    /// The mesh and the light bricks.
    pub fn mesh(&self) -> (DrawnMesh, LightBricks) {
        let chunks = self.chunks.borrowed();
        let mesh = DrawnMesh::new(build(self.pos, &chunks, &self.face_materials), self.eye);
        let surface = surface::build(self.pos, &chunks, self.face_materials.contour());
        let mesh = mesh.with_surface(SurfaceWords::new(&surface, &self.face_materials));
        let light = if mesh.is_empty() { LightBricks::default() } else { self.light() };
        (mesh, light)
    }

    /// The light bricks.
    pub fn light(&self) -> LightBricks {
        LightBricks::new(
            &self.chunks.borrowed(),
            &self.lights.each_ref().map(Some),
            &self.light_traits,
            self.face_materials.contour(),
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use stonerun_engine::light::{ChunkLight, LightLevels};
    use stonerun_engine::voxel::{MOORE_LEN, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    /// A snapshot of dark air.
    pub fn dark_snapshot(materials: &MaterialTable, lights: &ChunkLights) -> MeshSnapshot {
        let mut world = World::default();
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        MeshSnapshot {
            pos: ChunkPos::default(),
            chunks: world.neighbourhood(ChunkPos::default()),
            lights: [(); MOORE_LEN].map(|()| ChunkLight::uniform(LightLevels::DARK)),
            face_materials: Arc::new(FaceMaterials::new(materials)),
            light_traits: Arc::clone(&lights.traits),
            eye: Vec3::ZERO,
        }
    }
}
