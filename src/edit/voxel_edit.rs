//! The public voxel API: reads and changes voxels inside one edit.

use super::region::Region;
use super::{ChunkSource, EditError, Fill, JobProgress, Mask, Operation, Pattern, PreparedEdit, Regeneration};
use crate::history::ChunkChange;
use crate::runs::Run;
use crate::voxel::{ChunkPos, MaterialId, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// An edit in the making, on a snapshot of a map. Tools, console commands and scripts change voxels
/// through this type only.
///
/// Reads return the voxels as edited so far. Nothing reaches the world before
/// [`EditableWorld::commit`](super::EditableWorld::commit) applies the finished edit, at one moment
/// and as one step of the undo history.
///
/// ```
/// use glam::IVec3;
/// use stonerun::edit::region::Region;
/// use stonerun::edit::{EditableWorld, JobProgress, Mask, Pattern, VoxelEdit};
/// use stonerun::history::History;
/// use stonerun::voxel::{Box3, ChunkPos, Voxel};
/// use stonerun::world::Chunk;
///
/// let mut world = EditableWorld::new(History::new(usize::MAX));
/// world.load_chunk(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::AIR));
///
/// let progress = JobProgress::default();
/// let snapshot = world.world().clone();
/// let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
/// let floor = Region::from_shape(&Box3::spanning(IVec3::ZERO, IVec3::new(9, 0, 9)));
/// let voxels = edit.fill(&floor, &Mask::Any, &Pattern::Voxel(Voxel::full(1)))?;
/// assert_eq!((voxels, edit.voxel(IVec3::ZERO)?), (100, Voxel::full(1)));
///
/// world.commit(edit.finish("floor"), |_| Ok(None))?;
/// assert_eq!(world.world().get(IVec3::ZERO), Voxel::full(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VoxelEdit<'a> {
    world: &'a dyn ChunkSource,
    revision: u64,
    progress: &'a JobProgress,
    /// Voxels that its operations may change, judged before each of them.
    mask: Mask,
    /// Changed chunks: before the edit, and as edited so far. The volume of a chunk that changed
    /// more than once is 0 until the edit is finished.
    changes: Vec<ChunkChange>,
    /// Where the change of a chunk is in the list.
    index_of: FxHashMap<ChunkPos, u32>,
}

impl<'a> VoxelEdit<'a> {
    /// An edit without changes, on a snapshot taken at `revision` of the world. `progress` is
    /// counted up by its operations, and can cancel them.
    #[must_use]
    pub fn new(world: &'a dyn ChunkSource, revision: u64, progress: &'a JobProgress) -> VoxelEdit<'a> {
        let (changes, index_of) = (Vec::new(), FxHashMap::default());
        VoxelEdit { world, revision, progress, mask: Mask::Any, changes, index_of }
    }

    /// Restricts all operations that follow: only voxels that the mask accepts change, judged by
    /// the voxels before each operation.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// The progress that the edit's operations count up.
    #[must_use]
    pub fn progress(&self) -> &'a JobProgress {
        self.progress
    }

    /// The voxel at `at`.
    ///
    /// # Errors
    /// Its chunk cannot be read.
    pub fn voxel(&self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }

    /// Calls `each` with the runs of a region, chunk by chunk: the chunk, and runs of its linear
    /// order.
    ///
    /// # Errors
    /// A chunk cannot be read.
    pub fn for_each_run(&self, region: &Region, mut each: impl FnMut(ChunkPos, Run)) -> Result<(), EditError> {
        for pos in region.sorted_chunks() {
            let chunk = self.chunk(pos)?;
            region.ranges(pos).flat_map(|range| chunk.runs_in(range)).for_each(|run| each(pos, run));
        }
        Ok(())
    }

    /// Carries out an operation. Returns the number of voxels that it changed.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled. Nothing has changed.
    pub fn apply(&mut self, operation: &dyn Operation) -> Result<u64, EditError> {
        let chunks: Vec<ChunkPos> = operation.chunks().into_iter().filter(|pos| pos.in_world()).collect();
        let this: &VoxelEdit<'_> = self;
        let change = |&pos: &ChunkPos| -> Result<Option<ChunkChange>, EditError> {
            let before = this.chunk(pos)?;
            let after = operation.apply(pos, &before, this)?;
            let after = this.mask.limited(pos, &before, after, this)?;
            Ok(ChunkChange::new(pos, before, after))
        };
        let changes = self.progress.map(&chunks, change)?;
        self.changes.reserve(changes.len());
        self.index_of.reserve(changes.len());
        let mut voxels = 0;
        for change in changes.into_iter().flatten() {
            voxels += change.volume;
            match self.index_of.entry(change.pos) {
                Entry::Vacant(entry) => {
                    // A world has fewer than 2^32 chunks in memory.
                    entry.insert(self.changes.len() as u32);
                    self.changes.push(change);
                }
                Entry::Occupied(entry) => {
                    let all = &mut self.changes[*entry.get() as usize];
                    (all.after, all.volume) = (change.after, 0);
                }
            }
        }
        Ok(voxels)
    }

    /// Puts a pattern into the voxels of a region that a mask accepts. Returns the number of voxels
    /// that changed.
    ///
    /// # Errors
    /// Like [`VoxelEdit::apply`].
    pub fn fill(&mut self, region: &Region, mask: &Mask, pattern: &Pattern) -> Result<u64, EditError> {
        self.apply(&Fill { region: region.clone(), mask: mask.clone(), pattern: pattern.clone() })
    }

    /// Number of voxels of a region that a mask accepts.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled.
    pub fn count(&self, region: &Region, mask: &Mask) -> Result<u64, EditError> {
        let chunks: Vec<ChunkPos> = region.chunks().collect();
        let counts = self.progress.map(&chunks, |&pos| {
            let chunk = self.chunk(pos)?;
            let ranges = mask.ranges(region, pos, &chunk, self)?;
            Ok(ranges.into_iter().map(|range| range.len() as u64).sum::<u64>())
        })?;
        Ok(counts.into_iter().sum())
    }

    /// Materials of the voxels of a region that a mask accepts, with their numbers of voxels, the
    /// most frequent first.
    ///
    /// # Errors
    /// Like [`VoxelEdit::count`].
    pub fn distribution(&self, region: &Region, mask: &Mask) -> Result<Vec<(MaterialId, u64)>, EditError> {
        let chunks: Vec<ChunkPos> = region.chunks().collect();
        let counts = self.progress.map(&chunks, |&pos| {
            let chunk = self.chunk(pos)?;
            let mut counts: FxHashMap<MaterialId, u64> = FxHashMap::default();
            let ranges = mask.ranges(region, pos, &chunk, self)?;
            for run in ranges.into_iter().flat_map(|range| chunk.runs_in(range)) {
                *counts.entry(run.voxel.material()).or_default() += u64::from(run.len);
            }
            Ok(counts)
        })?;
        let mut sums: FxHashMap<MaterialId, u64> = FxHashMap::default();
        counts.into_iter().flatten().for_each(|(material, count)| *sums.entry(material).or_default() += count);
        let mut sums: Vec<(MaterialId, u64)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|&(material, count)| (std::cmp::Reverse(count), material));
        Ok(sums)
    }

    /// Gives the voxels of a region the content that the terrain generator gives them. Returns the
    /// number of voxels that changed: none where there is no generator.
    ///
    /// # Errors
    /// Like [`VoxelEdit::apply`].
    pub fn regenerate(&mut self, region: &Region) -> Result<u64, EditError> {
        self.apply(&Regeneration { region: region.clone() })
    }

    /// The finished edit: one step of the history, named `name`.
    #[must_use]
    pub fn finish(mut self, name: impl Into<String>) -> PreparedEdit {
        self.changes.retain_mut(|change| {
            if change.volume > 0 {
                return true;
            }
            let changed = ChunkChange::new(change.pos, change.before.clone(), change.after.clone());
            changed.map(|changed| *change = changed).is_some()
        });
        self.changes.sort_unstable_by_key(|change| change.pos);
        PreparedEdit { name: name.into(), changes: self.changes, revision: self.revision }
    }
}

/// The chunks as edited so far.
impl ChunkSource for VoxelEdit<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        match self.index_of.get(&pos) {
            Some(&index) => Ok(self.changes[index as usize].after.clone()),
            None => self.world.chunk(pos),
        }
    }

    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        self.world.generated(pos)
    }
}
