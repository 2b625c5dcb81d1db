//! The queue of mesh jobs, from which background workers take the next one.

use super::mesh_job::{FinishedMesh, MeshJob};
use crate::game::state::frame::caught::caught;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use stonerun_engine::voxel::ChunkPos;

/// Jobs in order.
#[derive(Default)]
pub(super) struct MeshQueue {
    state: Mutex<MeshQueueState>,
}

#[derive(Default)]
struct MeshQueueState {
    /// The jobs, the next one last.
    jobs: Vec<MeshJob>,
    /// Chunk from which distances count.
    centre: ChunkPos,
}

impl MeshQueue {
    /// Adds jobs. Jobs nearest to `centre` are taken first, earlier ones included.
    pub fn add(&self, jobs: Vec<MeshJob>, centre: ChunkPos) {
        let mut state = self.lock();
        if jobs.is_empty() && state.centre == centre {
            return;
        }
        state.centre = centre;
        state.jobs.extend(jobs);
        state.jobs.sort_by_key(|job| -(job.pos.as_ivec3() - centre.as_ivec3()).length_squared());
    }

    /// Takes the next job, carries it out and sends the result. Returns false if there is none, or
    /// if the map was closed.
    pub fn work(&self, sender: &mpsc::Sender<FinishedMesh>) -> bool {
        self.work_by(sender, MeshJob::run)
    }

    /// Does the same as [`MeshQueue::work`], but carries the job out with `run`. A job that panics
    /// also sends a result, so that its chunk does not wait for ever.
    fn work_by(
        &self,
        sender: &mpsc::Sender<FinishedMesh>,
        run: impl FnOnce(MeshJob) -> FinishedMesh,
    ) -> bool {
        let Some(job) = self.lock().jobs.pop() else { return false };
        let pos = job.pos;
        let version = job.version;
        let finished = caught(|| run(job))
            .unwrap_or_else(|failure| FinishedMesh::failed(pos, version, failure));
        sender.send(finished).is_ok()
    }

    /// Number of jobs that no worker has taken.
    pub fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    fn lock(&self) -> MutexGuard<'_, MeshQueueState> {
        // A poisoned lock is usable: every change of the state is complete before anything can
        // panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::drawing::lighting::ChunkLights;
    use crate::game::drawing::meshing::mesh_job::Remake;
    use crate::game::drawing::meshing::snapshot::tests::dark_snapshot;
    use stonerun_engine::terrain::TerrainKind;
    use stonerun_engine::voxel::MaterialTable;

    #[test]
    fn nearest_jobs_are_done_first_also_after_the_player_has_moved() {
        let materials = MaterialTable::builtin();
        let lights = ChunkLights::new(&materials, TerrainKind::Flat);
        let job = |x| MeshJob {
            pos: ChunkPos::new(x, 0, 0),
            version: 1,
            remake: Remake::Light,
            snapshot: dark_snapshot(&materials, &lights),
        };
        let (sender, receiver) = mpsc::channel();
        let queue = MeshQueue::default();
        queue.add([5, 1, 3].map(job).into(), ChunkPos::default());
        assert!(queue.work(&sender));
        queue.add([0, 8].map(job).into(), ChunkPos::default());
        assert!(queue.work(&sender));
        queue.add(Vec::new(), ChunkPos::new(9, 0, 0));
        while queue.work(&sender) {}
        let order: Vec<i32> = receiver.try_iter().map(|finished| finished.pos.x).collect();
        assert_eq!((order, queue.len()), (vec![1, 0, 8, 5, 3], 0));
    }

    #[test]
    fn job_that_panics_has_a_result() {
        let materials = MaterialTable::builtin();
        let lights = ChunkLights::new(&materials, TerrainKind::Flat);
        let pos = ChunkPos::new(4, 0, -2);
        let snapshot = dark_snapshot(&materials, &lights);
        let (sender, receiver) = mpsc::channel();
        let queue = MeshQueue::default();
        queue.add(vec![MeshJob { pos, version: 7, remake: Remake::Mesh, snapshot }], pos);
        assert!(queue.work_by(&sender, |_| panic!("too many quads")));
        let FinishedMesh { pos: of, version, mesh, failure, .. } = receiver.try_recv().unwrap();
        assert_eq!((of, version, mesh.is_none()), (pos, 7, true));
        assert!(failure.is_some_and(|failure| failure.to_string().contains("too many quads")));
    }
}
