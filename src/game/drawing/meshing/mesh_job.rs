//! Background jobs that make meshes, and their results.

use super::snapshot::MeshSnapshot;
use crate::game::drawing::chunk_drawing::DrawnMesh;
use crate::game::state::frame::caught::Panicked;
use std::time::{Duration, Instant};
use stonerun_engine::light::LightBricks;
use stonerun_engine::voxel::ChunkPos;

/// Parts of a chunk to rebuild.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Remake {
    /// The light bricks.
    Light,
    /// The mesh and the light bricks.
    Mesh,
}

/// A job that makes a mesh, or only light bricks.
pub(super) struct MeshJob {
    pub pos: ChunkPos,
    pub version: u32,
    pub remake: Remake,
    pub snapshot: MeshSnapshot,
}

/// The result of a [`MeshJob`].
pub(super) struct FinishedMesh {
    pub pos: ChunkPos,
    pub version: u32,
    /// `None` if only the light was made.
    pub mesh: Option<DrawnMesh>,
    pub light: LightBricks,
    pub time: Duration,
    /// Reason why the job has no result.
    pub failure: Option<Panicked>,
}

impl FinishedMesh {
    /// The result of a job that has panicked.
    pub fn failed(pos: ChunkPos, version: u32, failure: Panicked) -> FinishedMesh {
        let light = LightBricks::default();
        FinishedMesh {
            pos,
            version,
            mesh: None,
            light,
            time: Duration::ZERO,
            failure: Some(failure),
        }
    }
}

impl MeshJob {
    /// Carries the job out.
    pub fn run(self) -> FinishedMesh {
        let MeshJob { pos, version, remake, snapshot } = self;
        let start = Instant::now();
        let (mesh, light) = match remake {
            Remake::Mesh => {
                let (mesh, light) = snapshot.mesh();
                (Some(mesh), light)
            }
            Remake::Light => (None, snapshot.light()),
        };
        FinishedMesh { pos, version, mesh, light, time: start.elapsed(), failure: None }
    }
}
