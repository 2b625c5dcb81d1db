//! The public voxel API: reads and changes voxels inside one edit.

use super::region::Region;
use super::{ChunkSource, EditError, Fill, JobProgress, Mask, Operation, Pattern, PreparedEdit};
use crate::history::ChunkChange;
use crate::runs::Run;
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

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
    /// Changed chunks: before the edit, and as edited so far.
    changed: FxHashMap<ChunkPos, [Chunk; 2]>,
}

impl<'a> VoxelEdit<'a> {
    /// An edit without changes, on a snapshot taken at `revision` of the world. `progress` is counted
    /// up by its operations, and can cancel them.
    #[must_use]
    pub fn new(world: &'a dyn ChunkSource, revision: u64, progress: &'a JobProgress) -> VoxelEdit<'a> {
        VoxelEdit { world, revision, progress, changed: FxHashMap::default() }
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

    /// Calls `each` with the runs of a region, chunk by chunk: the chunk, and runs of its linear order.
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
            Ok(ChunkChange::new(pos, before, after))
        };
        let changes = self.progress.map(&chunks, change)?;
        let mut voxels = 0;
        for ChunkChange { pos, before, after, volume, .. } in changes.into_iter().flatten() {
            voxels += volume;
            self.changed.entry(pos).or_insert_with(|| [before, Chunk::uniform(Voxel::AIR)])[1] = after;
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
            let runs = region.ranges(pos).flat_map(|range| chunk.runs_in(range));
            Ok(runs.filter(|run| mask.accepts(run.voxel)).map(|run| u64::from(run.len)).sum::<u64>())
        })?;
        Ok(counts.into_iter().sum())
    }

    /// The finished edit: one step of the history, named `name`.
    #[must_use]
    pub fn finish(self, name: impl Into<String>) -> PreparedEdit {
        let change = |(pos, [before, after]): (ChunkPos, [Chunk; 2])| ChunkChange::new(pos, before, after);
        let mut changes: Vec<ChunkChange> = self.changed.into_iter().filter_map(change).collect();
        changes.sort_unstable_by_key(|change| change.pos);
        PreparedEdit { name: name.into(), changes, revision: self.revision }
    }
}

/// The chunks as edited so far.
impl ChunkSource for VoxelEdit<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        match self.changed.get(&pos) {
            Some([_, after]) => Ok(after.clone()),
            None => self.world.chunk(pos),
        }
    }
}
