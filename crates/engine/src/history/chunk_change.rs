//! The change of one chunk by an edit.

use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::Chunk;
use std::ops::Range;
use std::sync::OnceLock;

/// A chunk before and after an edit. Both are shared handles, so a change copies no voxels.
#[derive(Clone, Debug)]
pub struct ChunkChange {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// Box around the voxels that differ, in world coordinates: the smallest one, or the whole
    /// chunk if the change was not measured.
    pub area: Box3,
    /// The chunk before the edit.
    pub before: Chunk,
    /// The chunk after the edit.
    pub after: Chunk,
    /// Number of voxels that differ, once it has been counted.
    volume: OnceLock<u64>,
}

impl PartialEq for ChunkChange {
    fn eq(&self, other: &ChunkChange) -> bool {
        self.pos == other.pos && self.before == other.before && self.after == other.after
    }
}

impl Eq for ChunkChange {}

impl ChunkChange {
    /// Measures the change of a chunk; `None` if no voxel differs. Walks the runs of both chunks.
    #[must_use]
    pub fn new(pos: ChunkPos, before: Chunk, after: Chunk) -> Option<ChunkChange> {
        if before.shares_runs(&after) {
            return None;
        }
        let mut volume = 0;
        let mut area = None::<Box3>;
        before.for_each_differing(&after, |range| {
            volume += range.len() as u64;
            let part = Box3::around_range(range);
            area = Some(area.map_or(part, |area| area.around(part)));
        });
        let Box3 { min, max } = area?;
        let area = Box3 { min: pos.origin() + min, max: pos.origin() + max };
        Some(ChunkChange { pos, area, before, after, volume: volume.into() })
    }

    /// Creates the change of a chunk without measuring it: its box is the whole chunk. `None` if no
    /// voxel differs. Faster than [`ChunkChange::new`], because it stops at the first difference.
    #[must_use]
    pub fn unmeasured(pos: ChunkPos, before: Chunk, after: Chunk) -> Option<ChunkChange> {
        let differs = before != after;
        differs.then(|| ChunkChange {
            pos,
            area: pos.bounds(),
            before,
            after,
            volume: OnceLock::new(),
        })
    }

    /// Returns the change from `after` to `before`.
    #[must_use]
    pub fn reversed(&self) -> ChunkChange {
        let ChunkChange { pos, area, before, after, volume } = self.clone();
        ChunkChange { pos, area, before: after, after: before, volume }
    }

    /// Returns the number of voxels that differ. The first call may walk the runs of both chunks.
    #[must_use]
    pub fn volume(&self) -> u64 {
        *self.volume.get_or_init(|| {
            let mut volume = 0;
            self.before.for_each_differing(&self.after, |range| volume += range.len() as u64);
            volume
        })
    }

    /// Returns the number of voxels that differ, if it has been counted.
    #[must_use]
    pub(crate) fn known_volume(&self) -> Option<u64> {
        self.volume.get().copied()
    }

    /// Applies the change to `current`, which other edits have changed since `before`: voxels that
    /// differ between `before` and `after` get their value in `after`, the others stay. `None` if
    /// no voxel changes.
    #[must_use]
    pub fn rebased_on(&self, current: Chunk) -> Option<ChunkChange> {
        let mut after = current.clone();
        let changed =
            self.before.stretches(&self.after).filter(|(_, before, after)| before != after);
        after.set_ranges(changed.map(|(range, _, after)| (range, after)));
        ChunkChange::new(self.pos, current, after)
    }

    /// Takes this change back in `current`, within `allowed` ranges of linear indices. Voxels that
    /// still have their value in `after` get their value in `before`; voxels that later edits have
    /// changed stay. `None` if no voxel changes.
    #[must_use]
    pub(crate) fn taken_back_in(
        &self,
        current: Chunk,
        allowed: impl IntoIterator<Item = Range<usize>>,
    ) -> Option<ChunkChange> {
        let mut ranges: Vec<(Range<usize>, Voxel)> = Vec::new();
        let mut allowed = allowed.into_iter().peekable();
        for (range, before, after) in
            self.before.stretches(&self.after).filter(|(_, before, after)| before != after)
        {
            while let Some(part) = allowed.peek() {
                let inside = range.start.max(part.start)..range.end.min(part.end);
                if !inside.is_empty() {
                    let kept = current.runs_in(inside).filter(|run| run.voxel == after);
                    ranges.extend(kept.map(|run| (run.start as usize..run.end() as usize, before)));
                }
                if part.end >= range.end {
                    break;
                }
                allowed.next();
            }
        }
        let mut after = current.clone();
        after.set_ranges(ranges);
        ChunkChange::new(self.pos, current, after)
    }
}
