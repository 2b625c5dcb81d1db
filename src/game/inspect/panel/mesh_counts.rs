//! Counts of the page *Mesh*: quads of the crosshair's chunk with different ways of merging.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::session::{Edits, OpenMap};
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun_engine::mesh::{ChunkMesh, build};
use stonerun_engine::voxel::ChunkPos;

/// Counts of one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergeCounts {
    /// Visible unit faces.
    pub faces: u64,
    /// Quads if shade limited merging, as in a mesh whose vertices store ambient occlusion.
    pub merged_by_shade: u64,
    /// Quads of the game's mesh.
    pub quads: u64,
    /// Bytes of the game's mesh.
    pub bytes: u64,
    /// Time to build the game's mesh.
    pub time: Duration,
}

impl MergeCounts {
    /// Counts a mesh that took `time`.
    #[must_use]
    pub fn new(mesh: &ChunkMesh, time: Duration) -> MergeCounts {
        let faces = |list: &[stonerun_engine::mesh::PackedQuad]| {
            list.iter().map(|quad| u64::from(quad.unpack().unit_faces())).sum::<u64>()
        };
        MergeCounts {
            faces: mesh.lists().map(faces).iter().sum(),
            merged_by_shade: mesh
                .lists()
                .map(|list| mesh.split_by_shade(list).len() as u64)
                .iter()
                .sum(),
            quads: mesh.quad_count() as u64,
            bytes: mesh.gpu_bytes() as u64,
            time,
        }
    }
}

/// The counts of the crosshair's chunk.
#[derive(Resource, Default)]
pub struct CountedMesh {
    /// The counts, if the chunk is loaded.
    pub counts: Option<MergeCounts>,
    /// Chunk, and version of its mesh, for which it was counted.
    key: Option<(ChunkPos, u32)>,
}

/// Counts again when the crosshair's chunk or its mesh has changed.
pub(super) fn count(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    meshes: Res<ChunkMeshes>,
    crosshair: Res<Crosshair>,
    mut counted: ResMut<CountedMesh>,
) {
    let pos = crosshair.chunk;
    let key = Some((pos, meshes.version_of(pos)));
    if counted.key == key {
        return;
    }
    let neighbourhood = edits.world().neighbourhood(pos);
    let start = Instant::now();
    let mesh = build(pos, &neighbourhood.borrowed(), &map.face_materials);
    let time = start.elapsed();
    let counts = edits.world().is_loaded(pos).then(|| MergeCounts::new(&mesh, time));
    *counted = CountedMesh { counts, key };
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::mesh::FaceMaterials;
    use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
    use stonerun_engine::world::{Chunk, World};

    #[test]
    fn shade_costs_quads() {
        let table = MaterialTable::builtin();
        let mut world = World::new();
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        // A floor with a block on it, which darkens the floor around it.
        let stone = Voxel::full(table.find("stone").unwrap());
        world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 0, 31)), stone);
        world.set(IVec3::new(9, 1, 9), stone);
        let mesh = build(
            ChunkPos::default(),
            &world.neighbourhood(ChunkPos::default()).borrowed(),
            &FaceMaterials::new(&table),
        );
        let counts = MergeCounts::new(&mesh, Duration::ZERO);
        // Faces of the floor: top, bottom and four sides. The block adds five and covers one.
        assert_eq!(counts.faces, 1024 + 1024 - 1 + 4 * 32 + 5);
        assert!(counts.quads < 16 && counts.merged_by_shade > counts.quads + 8, "{counts:?}");
        assert_eq!(counts.bytes, mesh.gpu_bytes() as u64);
    }
}
