//! The analysis of edited chunks, spread over frames.

use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use stonerun_engine::visibility::{ChunkOcclusion, PvsCache};
use stonerun_engine::voxel::ChunkPos;

/// Edited chunks whose occlusion is not computed yet. They count as open, which makes visible sets
/// too large meanwhile, never too small.
#[derive(Default)]
pub(super) struct UnanalysedChunks(FxHashSet<ChunkPos>);

impl UnanalysedChunks {
    /// True if all edited chunks are analysed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds chunks whose occlusion has to be computed again because it hides more. They keep their
    /// present occlusion until then.
    pub(super) fn add(&mut self, chunks: impl Iterator<Item = ChunkPos>) {
        self.0.extend(chunks);
    }

    /// Adds the chunks that were edited in this frame, and analyses those nearest to `centre` until
    /// the time is up. Analyses no chunk if `time` is zero.
    pub(super) fn analyse(
        &mut self,
        pvs: &mut PvsCache,
        edited: &FxHashSet<ChunkPos>,
        centre: ChunkPos,
        time: Duration,
        occlusion: impl Fn(ChunkPos) -> Option<ChunkOcclusion>,
    ) {
        let start = Instant::now();
        self.0.extend(edited);
        let mut due: Vec<ChunkPos> = self.0.iter().copied().collect();
        due.sort_unstable_by_key(|pos| (pos.as_ivec3() - centre.as_ivec3()).length_squared());
        let mut done = 0;
        while done < due.len() && !time.is_zero() && (done == 0 || start.elapsed() < time) {
            self.0.remove(&due[done]);
            pvs.set_chunk(due[done], occlusion(due[done]));
            done += 1;
        }
        pvs.open_chunks(due[done..].iter().copied().filter(|pos| edited.contains(pos)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::visibility::bitset;
    use stonerun_engine::voxel::{Voxel, linear_offset};
    use stonerun_engine::world::Chunk;

    /// Time budget that is spent after one chunk, because every analysis takes longer.
    const ONE: Duration = Duration::from_nanos(1);

    /// A chunk of a tunnel along x, with a wall at x = 20 unless it is open.
    fn tunnel(pos: ChunkPos, is_open: bool) -> Option<ChunkOcclusion> {
        let is_rock = |at: IVec3| pos.y != 0 || pos.z != 0 || at.y == 0 || at.x == 20 && !is_open;
        let voxel = |index| if is_rock(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
        let chunk = Chunk::from_runs((0..32768).map(|index| (1, voxel(index))));
        Some(ChunkOcclusion::from_chunk(&chunk, Voxel::is_full))
    }

    #[test]
    fn chunks_count_as_open_until_they_are_analysed_nearest_first() {
        let centre = ChunkPos::default();
        let mut pvs = PvsCache::new(centre, 4, |pos| tunnel(pos, false));
        let sees = |pvs: &mut PvsCache, x| {
            pvs.select(IVec3::splat(5), true).unwrap();
            let slot = pvs.index().slot(ChunkPos::new(x, 0, 0)).unwrap();
            bitset::contains(pvs.current_set().unwrap().chunks, slot)
        };
        assert!(sees(&mut pvs, 0) && !sees(&mut pvs, 1));
        // The edit removes the wall of chunk 0. The walls of the other chunks stay.
        let edited: FxHashSet<ChunkPos> =
            [2, 0, 3, 1].map(|x| ChunkPos::new(x, 0, 0)).into_iter().collect();
        let occlusion = |pos: ChunkPos| tunnel(pos, pos.x == 0);
        let mut chunks = UnanalysedChunks::default();
        chunks.analyse(&mut pvs, &edited, centre, ONE, occlusion);
        assert!(sees(&mut pvs, 4) && !chunks.is_empty());
        // Each frame analyses one more; chunk 1 closes the view again.
        chunks.analyse(&mut pvs, &FxHashSet::default(), centre, ONE, occlusion);
        assert!(sees(&mut pvs, 1) && !sees(&mut pvs, 2) && !chunks.is_empty());
        // A frame without time left analyses no chunk.
        chunks.analyse(&mut pvs, &FxHashSet::default(), centre, Duration::ZERO, occlusion);
        assert_eq!(chunks.0.len(), 2);
        chunks.analyse(&mut pvs, &FxHashSet::default(), centre, Duration::MAX, occlusion);
        assert!(sees(&mut pvs, 1) && !sees(&mut pvs, 2) && chunks.is_empty());
    }
}
