//! The public voxel API.

use crate::edit::region::Region;
use crate::edit::{
    ChunkSource, EditError, Fill, JobProgress, Mask, Operation, Pattern, PreparedEdit, Regeneration,
};
use crate::history::ChunkChange;
use crate::runs::Run;
use crate::voxel::{ChunkPos, MaterialId, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

/// Maximum number of chunks of an operation for which changed voxels are counted at once. In larger
/// operations, which mostly replace whole chunks, counting would take longer than everything else,
/// so it is left to [`PreparedEdit::volume`].
const MEASURED_CHUNKS: usize = 256;

/// An edit in progress, on a snapshot of a map. Tools, console commands and scripts change voxels
/// only through this type.
///
/// Reads return the voxels as edited so far. The world changes only when
/// [`EditableWorld::commit`](crate::edit::EditableWorld::commit) applies the finished edit, at one
/// moment and as one step of the undo history.
///
/// ```
/// use glam::IVec3;
/// use stonerun_engine::edit::region::Region;
/// use stonerun_engine::edit::{EditableWorld, JobProgress, Mask, Pattern, VoxelEdit};
/// use stonerun_engine::history::History;
/// use stonerun_engine::voxel::{Box3, ChunkPos, Voxel};
/// use stonerun_engine::world::Chunk;
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
    /// Mask of the voxels that operations may change. It sees the voxels before each operation.
    mask: Mask,
    /// Changed chunks: before the edit, and as edited so far.
    changes: Vec<ChunkChange>,
    /// Index in `changes` of each changed chunk. Built on first use, because many edits consist of
    /// one operation and never need it.
    index_of: OnceLock<FxHashMap<ChunkPos, u32>>,
    /// Chunks that more than one operation has changed, and that may therefore be back in their
    /// original state.
    changed_again: FxHashSet<ChunkPos>,
    /// True if the edit restores generated terrain, so that states of grown blocks are kept as
    /// generated.
    keeps_states: bool,
}

/// Counts of voxels by content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CountedVoxels {
    /// Number of voxels, air included.
    pub voxels: u64,
    /// Voxels of air.
    pub air: u64,
    /// Content of all voxels except air, in 256ths of a voxel.
    pub parts: u64,
}

impl CountedVoxels {
    fn add(&mut self, run: Run) {
        let voxels = u64::from(run.len);
        self.voxels += voxels;
        if run.voxel.is_air() {
            self.air += voxels;
        } else {
            self.parts += voxels * (u64::from(run.voxel.occupancy()) + 1);
        }
    }
}

impl<'a> VoxelEdit<'a> {
    /// Edit without changes, on a snapshot of the world at `revision`. Operations report to
    /// `progress`, which can also cancel them.
    #[must_use]
    pub fn new(
        world: &'a dyn ChunkSource,
        revision: u64,
        progress: &'a JobProgress,
    ) -> VoxelEdit<'a> {
        let changes = Vec::new();
        let index_of = OnceLock::new();
        let changed_again = FxHashSet::default();
        VoxelEdit {
            world,
            revision,
            progress,
            mask: Mask::Any,
            changes,
            index_of,
            changed_again,
            keeps_states: false,
        }
    }

    /// Continues a finished edit on a snapshot of the world that may be newer. The result is one
    /// edit with the changes of both.
    #[must_use]
    pub fn resume(
        world: &'a dyn ChunkSource,
        progress: &'a JobProgress,
        edit: PreparedEdit,
    ) -> VoxelEdit<'a> {
        // The older revision: a commit then merges all changes made since with the whole edit.
        let PreparedEdit { changes, revision, .. } = edit;
        VoxelEdit { changes, ..VoxelEdit::new(world, revision, progress) }
    }

    /// Restricts all later operations to voxels that the mask accepts. The mask sees the voxels
    /// before each operation.
    pub fn set_mask(&mut self, mask: Mask) {
        self.mask = mask;
    }

    /// Mask of the voxels that operations may change.
    pub(in crate::edit) fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Progress that the edit's operations report to.
    #[must_use]
    pub fn progress(&self) -> &'a JobProgress {
        self.progress
    }

    /// The voxel at `at`.
    ///
    /// # Errors
    /// The chunk of the voxel cannot be read.
    pub fn voxel(&self, at: IVec3) -> Result<Voxel, EditError> {
        Ok(self.chunk(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }

    /// Number of voxels that differ from the voxels before the edit.
    pub(in crate::edit) fn changed_voxels(&self) -> u64 {
        let changed = |change: &ChunkChange| {
            let ChunkChange { pos, before, after, .. } = change.clone();
            ChunkChange::new(pos, before, after).map_or(0, |change| change.volume())
        };
        self.changes.par_iter().map(changed).sum()
    }

    /// Carries out an operation. Returns the number of changed voxels.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled. The edit is then unchanged.
    pub fn apply(&mut self, operation: &dyn Operation) -> Result<u64, EditError> {
        let changes = self.changes_by(operation)?;
        let voxels = changes.par_iter().map(ChunkChange::volume).sum();
        self.add(changes);
        Ok(voxels)
    }

    /// Carries out an operation like [`VoxelEdit::apply`]. Returns its changes.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::apply`].
    pub(in crate::edit) fn changed_by(
        &mut self,
        operation: &dyn Operation,
    ) -> Result<Vec<ChunkChange>, EditError> {
        let changes = self.changes_by(operation)?;
        self.add(changes.clone());
        Ok(changes)
    }

    /// Carries out an operation like [`VoxelEdit::apply`], without counting the changed voxels.
    /// Counting may take longer than the operation; [`PreparedEdit::volume`] counts on demand.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::apply`].
    pub fn carry_out(&mut self, operation: &dyn Operation) -> Result<(), EditError> {
        let changes = self.changes_by(operation)?;
        self.add(changes);
        Ok(())
    }

    /// Changes that an operation would make to the current voxels, sorted by position.
    fn changes_by(&self, operation: &dyn Operation) -> Result<Vec<ChunkChange>, EditError> {
        let mut chunks = operation.chunks();
        chunks.retain(|pos| pos.in_world());
        if !chunks.is_sorted() {
            chunks.par_sort_unstable();
        }
        let is_measured = chunks.len() <= MEASURED_CHUNKS;
        let this: &VoxelEdit<'_> = self;
        let change = |&pos: &ChunkPos| -> Result<Option<ChunkChange>, EditError> {
            let before = this.chunk(pos)?;
            let after = operation.apply(pos, &before, this)?;
            let after = this.mask.limited(pos, &before, after, this)?;
            Ok(if is_measured {
                ChunkChange::new(pos, before, after)
            } else {
                ChunkChange::unmeasured(pos, before, after)
            })
        };
        self.progress.filter_map(&chunks, change)
    }

    /// Adds the changes of an operation to the edit.
    fn add(&mut self, changes: Vec<ChunkChange>) {
        if self.changes.is_empty() {
            (self.changes, self.index_of) = (changes, OnceLock::new());
            return;
        }
        self.index_of();
        let Some(index_of) = self.index_of.get_mut() else { return };
        for change in changes {
            match index_of.entry(change.pos) {
                Entry::Vacant(entry) => {
                    // Fits, because fewer than 2^32 chunks are in memory.
                    entry.insert(self.changes.len() as u32);
                    self.changes.push(change);
                }
                Entry::Occupied(entry) => {
                    self.changed_again.insert(change.pos);
                    self.changes[*entry.get() as usize].after = change.after;
                }
            }
        }
    }

    /// Index in `changes` of each changed chunk.
    fn index_of(&self) -> &FxHashMap<ChunkPos, u32> {
        // Fits, because fewer than 2^32 chunks are in memory.
        let places = || (0..).zip(&self.changes).map(|(index, change)| (change.pos, index));
        self.index_of.get_or_init(|| places().collect())
    }

    /// Fills the voxels of a region that a mask accepts with a pattern. Returns the number of
    /// changed voxels.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::apply`].
    pub fn fill(
        &mut self,
        region: &Region,
        mask: &Mask,
        pattern: &Pattern,
    ) -> Result<u64, EditError> {
        self.apply(&Fill { region: region.clone(), mask: mask.clone(), pattern: pattern.clone() })
    }

    /// Counts the voxels of a region that a mask accepts, and their content.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled.
    pub fn content(&self, region: &Region, mask: &Mask) -> Result<CountedVoxels, EditError> {
        let chunks: Vec<ChunkPos> = region.chunks().collect();
        let contents = self.progress.map(&chunks, |&pos| {
            let chunk = self.chunk(pos)?;
            let ranges = mask.ranges(region, pos, &chunk, self)?;
            let runs = ranges.into_iter().flat_map(|range| chunk.runs_in(range));
            let mut content = CountedVoxels::default();
            for run in runs {
                content.add(run);
            }
            Ok(content)
        })?;
        let sum = |a: CountedVoxels, b: CountedVoxels| CountedVoxels {
            voxels: a.voxels + b.voxels,
            air: a.air + b.air,
            parts: a.parts + b.parts,
        };
        Ok(contents.into_iter().fold(CountedVoxels::default(), sum))
    }

    /// Replaces the voxels of a region by generated terrain. Returns the number of changed voxels,
    /// which is 0 if the map has no generator.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::apply`].
    pub(crate) fn regenerate(&mut self, region: &Region) -> Result<u64, EditError> {
        self.keeps_states = true;
        self.apply(&Regeneration { region: region.clone() })
    }

    /// Finishes the edit, which becomes one step of the history with this name.
    #[must_use]
    pub fn finish(mut self, name: impl Into<String>) -> PreparedEdit {
        if !self.changed_again.is_empty() {
            let is_measured = self.changes.len() <= MEASURED_CHUNKS;
            let changed = |change: ChunkChange| {
                let ChunkChange { pos, before, after, .. } = change;
                if is_measured {
                    ChunkChange::new(pos, before, after)
                } else {
                    ChunkChange::unmeasured(pos, before, after)
                }
            };
            let changed_again = &self.changed_again;
            let changes = self.changes.into_par_iter();
            let changes = changes.filter_map(|change| {
                if changed_again.contains(&change.pos) { changed(change) } else { Some(change) }
            });
            self.changes = changes.collect();
        }
        if !self.changes.is_sorted_by_key(|change| change.pos) {
            self.changes.sort_unstable_by_key(|change| change.pos);
        }
        let states = if self.keeps_states { &[] } else { self.world.placed_states() };
        let changes =
            self.changes.into_par_iter().filter_map(|change| placed(change, states)).collect();
        PreparedEdit { name: name.into(), changes, revision: self.revision }
    }
}

/// Replaces states that rules may remove by permanent states where the change sets them; `None` if
/// no voxel changes then.
fn placed(change: ChunkChange, states: &[(MaterialId, MaterialId)]) -> Option<ChunkChange> {
    let state_of = |voxel: Voxel| {
        states.iter().find(|(grown, _)| *grown == voxel.material()).map(|&(_, id)| id)
    };
    if !change.after.values().any(|voxel| state_of(voxel).is_some()) {
        return Some(change);
    }
    let ChunkChange { pos, before, after, .. } = change;
    let put = before.stretches(&after).filter(|(_, before, after)| before != after);
    let ranges: Vec<_> = put
        .filter_map(|(range, _, after)| Some((range, after.with_material(state_of(after)?))))
        .collect();
    let mut placed = after.clone();
    placed.set_ranges(ranges);
    ChunkChange::new(pos, before, placed)
}

/// The chunks as edited so far.
impl ChunkSource for VoxelEdit<'_> {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        if self.changes.is_empty() {
            return self.world.chunk(pos);
        }
        match self.index_of().get(&pos) {
            Some(&index) => Ok(self.changes[index as usize].after.clone()),
            None => self.world.chunk(pos),
        }
    }

    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        self.world.generated(pos)
    }

    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        self.world.placed_states()
    }
}
