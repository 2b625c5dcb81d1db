//! Smaller visible sets, read from the map or refined on another thread.

use rustc_hash::FxHashSet;
use stonerun_engine::save::MapReader;
use stonerun_engine::visibility::{RefineJob, RefineResult, SetSource};
use stonerun_engine::voxel::ChunkPos;

/// Runs a job. A swept set is replaced with the map's baked set if there is one and none of its
/// chunks has changed since the map was opened. Without such a set, or without `reader`, it is
/// refined if `may_refine`, otherwise kept. A set of any other source is refined.
pub(super) fn run_job(
    job: RefineJob,
    reader: Option<&MapReader>,
    changed: &FxHashSet<ChunkPos>,
    may_refine: bool,
) -> RefineResult {
    if job.source() == SetSource::Swept {
        // If the baked set cannot be read, the set is computed instead.
        let baked = reader
            .and_then(|reader| reader.baked(job.chunk()).ok().flatten())
            .filter(|baked| !baked.holds_any(changed.iter()));
        let taken = match baked {
            Some(baked) => job.use_baked(&baked),
            None => Err(job),
        };
        return match taken {
            Ok(done) => done,
            Err(job) if may_refine => job.run(),
            Err(job) => job.keep_unchanged(),
        };
    }
    job.run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::IVec3;
    use stonerun_engine::save::{Header, MapChanges, MapFile};
    use stonerun_engine::visibility::bake::Baker;
    use stonerun_engine::visibility::{ChunkOcclusion, PortalGraph, PvsCache};
    use stonerun_engine::voxel::{Box3, MaterialTable, Voxel, linear_offset, local_coord};
    use stonerun_engine::world::Chunk;

    /// A chunk of a tunnel along x with a wall in its fourth chunk.
    fn chunk(pos: ChunkPos) -> Chunk {
        let wall = |at: IVec3| {
            at.x == 100
                || !(1..31).contains(&local_coord(at.y))
                || !(1..31).contains(&local_coord(at.z))
        };
        let voxel = |index| {
            if wall(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR }
        };
        Chunk::from_runs((0..32768).map(|index| (1, voxel(index))))
    }

    fn chunk_occlusion(pos: ChunkPos) -> Option<ChunkOcclusion> {
        let is_there = (0..8).contains(&pos.x) && (pos.y, pos.z) == (0, 0);
        is_there.then(|| ChunkOcclusion::from_chunk(&chunk(pos), Voxel::is_full))
    }

    #[test]
    fn baked_set_is_used_unless_a_chunk_in_it_changed() {
        let folder = tempfile::tempdir().unwrap();
        let header = Header::new(1, "void", 0);
        let mut map = MapFile::create(
            &folder.path().join("row.stonerun"),
            &header,
            &MaterialTable::builtin(),
        )
        .unwrap();
        let row: Vec<ChunkPos> = (0..8).map(|x| ChunkPos::new(x, 0, 0)).collect();
        let chunks = row.iter().map(|&pos| (pos, chunk(pos))).collect();
        let materials = map.materials().clone();
        map.save(&MapChanges::new(chunks, header, materials)).unwrap();
        let reader = map.reader().unwrap();
        let made = |changed: &[i32], may_refine| {
            let mut pvs = PvsCache::new(row[1], 4, chunk_occlusion);
            pvs.select(IVec3::new(40, 16, 16), true).unwrap();
            let changed = changed.iter().map(|&x| ChunkPos::new(x, 0, 0)).collect();
            let job = pvs.next_job().unwrap();
            pvs.finish_job(run_job(job, Some(&reader), &changed, may_refine));
            pvs.current_set().unwrap().source
        };
        assert_eq!(
            [false, true].map(|may| made(&[], may)),
            [SetSource::Swept, SetSource::Refined],
            "no set is baked yet"
        );
        let graph =
            PortalGraph::new(Box3 { min: IVec3::ZERO, max: IVec3::new(8, 1, 1) }, chunk_occlusion);
        let mut baker = Baker::new(4);
        let sets: Vec<_> = row.iter().map(|&pos| (pos, baker.bake(&graph, pos))).collect();
        map.save_visibility(&sets).unwrap();
        assert_eq!([false, true].map(|may| made(&[], may)), [SetSource::Baked; 2]);
        assert_eq!(
            made(&[5, 9], false),
            SetSource::Baked,
            "the set does not hold the changed chunks"
        );
        assert_eq!(
            [false, true].map(|may| made(&[5, 3], may)),
            [SetSource::Swept, SetSource::Refined]
        );
        assert_eq!(made(&[1], false), SetSource::Swept, "the cell's own chunk changed");
    }
}
