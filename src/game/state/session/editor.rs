//! The only way to change voxels in the game.

use super::edits::Edits;
use super::open_map::OpenMap;
use super::save_queue::SaveQueue;
use super::work_counters::WorkCounters;
use crate::game::state::frame::chunk_messages::{ChunkEdited, ChunkLoaded};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::time::Instant;
use stonerun_engine::edit::{
    AwakeBlocks, Change, Edit, EditMerge, PreparedEdit, PreparedStep, StepJob, TakeBackJob,
    UndoError,
};
use stonerun_engine::history::{ChunkChange, Direction};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::rules::BlockSet;
use stonerun_engine::save::RegionChange;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialId, SurfaceChange, SurfaceRule, Voxel};

/// Changes voxels of the open map. Every change goes to the undo history and to the next save, and
/// is sent as messages to meshing and culling, which draw it in the same frame.
#[derive(SystemParam)]
pub struct Editor<'w> {
    edits: ResMut<'w, Edits>,
    map: Res<'w, OpenMap>,
    saves: ResMut<'w, SaveQueue>,
    work: ResMut<'w, WorkCounters>,
    loaded: MessageWriter<'w, ChunkLoaded>,
    edited: MessageWriter<'w, ChunkEdited>,
}

impl Editor<'_> {
    /// The open map.
    #[must_use]
    pub fn map(&self) -> &OpenMap {
        &self.map
    }

    /// The loaded world.
    #[must_use]
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Counts voxel operations of a task.
    pub fn count(&mut self, task: VoxelTask, ops: VoxelOps) {
        self.work.add(task, ops);
    }

    /// Sets the memory limit of the undo history, in bytes.
    pub fn set_history_limit(&mut self, bytes: usize) {
        if self.edits.history().memory_limit() != bytes {
            self.edits.world.set_history_limit(bytes);
        }
    }

    /// Passes the number of the next step of the rules to the next save.
    pub fn set_next_step(&mut self, step: u64) {
        self.saves.set_next_step(step);
    }

    /// Passes the map's own rules to the next save.
    pub fn set_own_rules(&mut self, text: String) {
        self.saves.set_own_rules(text);
    }

    /// Passes a change of a named region to the next save.
    pub fn change_region(&mut self, change: RegionChange) {
        self.saves.change_region(change);
    }

    /// Sets the limit of the undo history that the map holds, in packed bytes.
    pub fn set_history_total_limit(&mut self, bytes: u64) {
        if self.edits.history().total_limit() != bytes {
            self.edits.world.set_history_total_limit(bytes);
        }
    }

    /// Begins a stroke, unless one is open. See
    /// [`EditableWorld::begin_stroke`](stonerun_engine::edit::EditableWorld::begin_stroke).
    pub fn begin_stroke(&mut self) {
        if !self.edits.history().in_stroke() {
            self.edits.world.begin_stroke();
        }
    }

    /// Ends the open stroke, if any.
    pub fn end_stroke(&mut self) {
        if self.edits.history().in_stroke() {
            self.edits.world.end_stroke();
        }
    }

    /// Sets one voxel. Returns false if its chunk is not loaded.
    pub fn set(&mut self, at: IVec3, voxel: Voxel) -> bool {
        if self.edits.world().get(at) == Voxel::NOT_LOADED {
            return false;
        }
        self.work.add(VoxelTask::Placing, VoxelOps::writes(1));
        let start = Instant::now();
        let change = self.edits.world.set(at, voxel);
        self.edits.last_took = Some(start.elapsed());
        self.publish(&change);
        true
    }

    /// Applies an edit of any size as one step of the undo history. Chunks that are not loaded are
    /// left unchanged.
    pub fn apply(&mut self, edit: &Edit) {
        let start = Instant::now();
        let change = self.edits.world.apply(edit);
        self.edits.last_took = Some(start.elapsed());
        self.publish_counted(&change);
    }

    /// Commits a finished edit at one moment, as one step of the undo history. Loads the chunks
    /// that it changes if necessary. Returns the number of voxels that the edit changes.
    ///
    /// # Errors
    /// The map is read-only, or a chunk that was changed and unloaded since the edit began cannot
    /// be read. Nothing is changed.
    pub fn commit(&mut self, edit: PreparedEdit) -> Result<u64, UndoError> {
        let map = &self.map;
        let voxels = edit.volume();
        if map.read_only.is_some() {
            return Err(UndoError::ReadOnly);
        }
        let start = Instant::now();
        let change = self.edits.world.commit(edit, |pos| map.reader.load(pos))?;
        self.edits.last_took = Some(start.elapsed());
        self.work.add(VoxelTask::Placing, VoxelOps::writes(voxels));
        self.publish(&change);
        Ok(voxels)
    }

    /// Prepares an edit for merging with changes made since. See
    /// [`EditableWorld::merge`](stonerun_engine::edit::EditableWorld::merge).
    ///
    /// # Errors
    /// Returns the errors of [`Editor::commit`].
    pub fn merge(&self, edit: PreparedEdit) -> Result<EditMerge, UndoError> {
        if self.map.read_only.is_some() {
            return Err(UndoError::ReadOnly);
        }
        self.edits.world.merge(edit, |pos| self.map.reader.load(pos))
    }

    /// Applies changes by rules, which were computed from the snapshot at `revision`. Each change
    /// holds the chunk before and after.
    ///
    /// # Errors
    /// A chunk that was edited and unloaded since cannot be read. Nothing is changed.
    pub fn apply_rules(
        &mut self,
        changes: Vec<ChunkChange>,
        revision: u64,
    ) -> Result<(), UndoError> {
        let map = &self.map;
        let change = self.edits.world.apply_rules(changes, revision, |pos| map.reader.load(pos))?;
        self.report(&change, false);
        Ok(())
    }

    /// Replaces the awake blocks after steps of rules. See
    /// [`EditableWorld::set_awake`](stonerun_engine::edit::EditableWorld::set_awake).
    pub fn set_awake(&mut self, blocks: Vec<(ChunkPos, BlockSet)>, revision: u64) {
        self.edits.world.set_awake(blocks, revision);
    }

    /// Makes rules act on all blocks of a box. See
    /// [`EditableWorld::wake_area`](stonerun_engine::edit::EditableWorld::wake_area).
    pub fn wake(&mut self, area: Box3) -> usize {
        self.edits.world.wake_area(area)
    }

    /// Removes and returns the blocks that have woken, for the rules.
    pub fn take_woken(&mut self) -> Vec<(ChunkPos, AwakeBlocks)> {
        self.edits.world.take_woken()
    }

    /// Removes and returns the chunks that edits have opened, for the rules.
    pub fn take_opened(&mut self) -> Vec<ChunkPos> {
        self.edits.world.take_opened()
    }

    /// Undoes the last edit. Returns false if there is nothing to undo. Chunks that are not loaded
    /// are read from the map in this frame, which takes less than a millisecond each.
    ///
    /// # Errors
    /// A chunk cannot be read; nothing is changed.
    pub fn undo(&mut self) -> Result<bool, UndoError> {
        self.step(Direction::Undo)
    }

    /// Redoes the edit that was undone last. Returns false if there is nothing to redo.
    ///
    /// # Errors
    /// Returns the errors of [`Editor::undo`].
    pub fn redo(&mut self) -> Result<bool, UndoError> {
        self.step(Direction::Redo)
    }

    /// Undoes or redoes one step. See [`Editor::undo`] and [`Editor::redo`].
    ///
    /// # Errors
    /// Returns the errors of [`Editor::undo`].
    pub fn step(&mut self, direction: Direction) -> Result<bool, UndoError> {
        let map = &self.map;
        let start = Instant::now();
        let change = self.edits.world.step(direction, |pos| map.reader.load(pos))?;
        self.edits.last_took = Some(start.elapsed());
        if let Some(change) = &change {
            self.publish_counted(change);
        }
        Ok(change.is_some())
    }

    /// The job that prepares the next undo or redo; `None` if there is none.
    pub fn step_job(&mut self, direction: Direction) -> Option<StepJob> {
        self.edits.world.step_job(direction)
    }

    /// Applies an undo or redo that a job has prepared.
    ///
    /// # Errors
    /// The step is no longer the next one, or a chunk cannot be read. Nothing is changed.
    pub fn commit_step(&mut self, step: PreparedStep) -> Result<(), UndoError> {
        let map = &self.map;
        let start = Instant::now();
        let change = self.edits.world.commit_step(step, |pos| map.reader.load(pos))?;
        self.edits.last_took = Some(start.elapsed());
        self.publish_counted(&change);
        Ok(())
    }

    /// Surface of a material, with the changes that the material table gets later in the frame.
    #[must_use]
    pub fn surface(&self, material: MaterialId) -> Option<SurfaceRule> {
        let latest = self.edits.surfaces.iter().rev().find(|change| change.material == material);
        latest
            .map(|change| change.after)
            .or_else(|| self.map.materials.get(material).map(|material| material.surface))
    }

    /// Changes the surface of a material, as one step of the undo history.
    ///
    /// # Errors
    /// The map is read-only. Nothing is changed.
    pub fn change_surface(&mut self, name: String, change: SurfaceChange) -> Result<(), UndoError> {
        if self.map.read_only.is_some() {
            return Err(UndoError::ReadOnly);
        }
        let change = self.edits.world.change_surface(name, change);
        self.publish(&change);
        Ok(())
    }

    /// The job that takes back one step, and keeps the changes of later steps; `None` if there is
    /// no such step, or it is undone.
    pub fn take_back_job(&mut self, number: u64) -> Option<TakeBackJob> {
        self.edits.world.take_back_job(number)
    }

    /// Reports a change by the player, and counts all voxels of its boxes as written.
    fn publish_counted(&mut self, change: &Change) {
        self.work.add(VoxelTask::Placing, VoxelOps::writes(change.volume()));
        self.publish(change);
    }

    /// Reports a change by the player.
    fn publish(&mut self, change: &Change) {
        self.report(change, true);
    }

    /// Reports a change to the save queue and to the readers of messages.
    fn report(&mut self, change: &Change, is_asked: bool) {
        for &pos in &change.loaded {
            self.loaded.write(ChunkLoaded { pos, occlusion: None });
        }
        for part in &change.parts {
            self.edits.extend_void(part.area);
            self.saves.note_edit(part.pos);
            self.edited.write(ChunkEdited { pos: part.pos, area: part.area, is_asked });
        }
        if let Some(surface) = change.surface {
            // The material table gets it after all edits of the frame, because systems that edit
            // also read the open map.
            self.edits.surfaces.push(surface);
            self.saves.note_surface();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::frame::chunk_messages;
    use crate::game::state::session::ReadOnlyReason;
    use crate::game::state::session::save_queue::tests::opened;
    use bevy::ecs::message::Messages;
    use bevy::ecs::system::RunSystemOnce;
    use stonerun_engine::edit::region::Region;
    use stonerun_engine::edit::{BoxPatch, JobProgress, Mask, Pattern, VoxelEdit};
    use stonerun_engine::world::Chunk;

    /// A game with an open map of stone chunks along x.
    fn game(folder: &std::path::Path, chunks: std::ops::Range<i32>) -> App {
        let (map, mut edits, saves) = opened(folder);
        for x in chunks {
            assert!(edits.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1))));
        }
        let mut app = App::new();
        chunk_messages::add(&mut app);
        app.insert_resource(map)
            .insert_resource(edits)
            .insert_resource(saves)
            .init_resource::<WorkCounters>();
        app
    }

    fn edited(app: &mut App) -> Vec<ChunkPos> {
        app.world_mut()
            .resource_mut::<Messages<ChunkEdited>>()
            .drain()
            .map(|message| message.pos)
            .collect()
    }

    #[test]
    fn every_way_to_edit_is_saved_and_published() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path(), 0..3);
        let two = [ChunkPos::new(0, 0, 0), ChunkPos::new(1, 0, 0)];
        let edits: [fn(Editor); 4] = [
            |mut editor| assert!(editor.set(IVec3::new(5, 5, 5), Voxel::AIR)),
            |mut editor| {
                let area = Box3 { min: IVec3::new(30, 0, 0), max: IVec3::new(34, 1, 1) };
                editor.apply(&BoxPatch::fill(area, Voxel::AIR).into());
            },
            |mut editor| assert!(editor.undo().unwrap()),
            |mut editor| assert!(editor.redo().unwrap()),
        ];
        for (edit, expected) in edits.into_iter().zip([&two[..1], &two, &two, &two]) {
            app.world_mut().resource_mut::<SaveQueue>().forget_unsaved();
            app.world_mut().run_system_once(edit).unwrap();
            assert_eq!(edited(&mut app), expected);
            let saves = app.world().resource::<SaveQueue>();
            assert!(
                expected.iter().all(|pos| saves.is_unsaved(*pos))
                    && saves.unsaved() == expected.len()
            );
        }
        // Writes: one voxel is set, then a box of four is filled, undone and redone.
        let placing = app.world().resource::<WorkCounters>().get(VoxelTask::Placing);
        assert_eq!(placing.random_writes, 1 + 3 * 4);
    }

    /// An edit that fills the box of two chunks, and one chunk that is not loaded, with air.
    fn prepared(edits: &Edits) -> PreparedEdit {
        let progress = JobProgress::default();
        let mut edit = VoxelEdit::new(edits.world(), edits.revision(), &progress);
        let area = Box3 { min: IVec3::new(30, 0, 0), max: IVec3::new(34, 1, 1) };
        let unloaded = Box3 { min: IVec3::new(-1, 0, 0), max: IVec3::new(0, 1, 2) };
        edit.fill(&Region::from_shape(&area), &Mask::Any, &Pattern::Voxel(Voxel::AIR)).unwrap();
        edit.fill(&Region::from_shape(&unloaded), &Mask::Any, &Pattern::Voxel(Voxel::full(2)))
            .unwrap();
        edit.finish("prepared")
    }

    #[test]
    fn committed_edit_is_saved_published_and_undone_as_one_step() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path(), 0..3);
        let edit = prepared(app.world().resource::<Edits>());
        let before = app.world().resource::<Edits>().world().get(IVec3::new(30, 0, 0));
        let commit = move |mut editor: Editor| editor.commit(edit.clone()).unwrap();
        assert_eq!(app.world_mut().run_system_once(commit).unwrap(), 4 + 2);
        let changed = [-1, 0, 1].map(|x| ChunkPos::new(x, 0, 0));
        assert_eq!(edited(&mut app), changed);
        let mut loaded = app.world_mut().resource_mut::<Messages<ChunkLoaded>>();
        assert_eq!(loaded.drain().map(|message| message.pos).collect::<Vec<_>>(), [changed[0]]);
        let saves = app.world().resource::<SaveQueue>();
        assert!(changed.iter().all(|pos| saves.is_unsaved(*pos)) && saves.unsaved() == 3);
        assert_eq!(app.world().resource::<WorkCounters>().get(VoxelTask::Placing).random_writes, 6);
        let voxels = |app: &App| {
            [-1, 30, 33].map(|x| app.world().resource::<Edits>().world().get(IVec3::new(x, 0, 0)))
        };
        assert_eq!(voxels(&app), [Voxel::full(2), Voxel::AIR, Voxel::AIR]);
        app.world_mut()
            .run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap()))
            .unwrap();
        assert_eq!(voxels(&app), [Voxel::AIR, before, before]);
        assert_eq!(app.world().resource::<Edits>().history().undo_count(), 0);
    }

    #[test]
    fn nothing_is_committed_to_a_read_only_map() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path(), 0..3);
        app.world_mut().resource_mut::<OpenMap>().read_only = Some(ReadOnlyReason::InUse);
        let edit = prepared(app.world().resource::<Edits>());
        let commit = move |mut editor: Editor| editor.commit(edit.clone()).unwrap_err().to_string();
        let error = app.world_mut().run_system_once(commit).unwrap();
        assert_eq!(error, "the map is read-only");
        assert_eq!((edited(&mut app), app.world().resource::<SaveQueue>().unsaved()), (vec![], 0));
    }

    #[test]
    fn edits_without_a_change_publish_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path(), 0..1);
        let set = |mut editor: Editor| {
            [editor.set(IVec3::ZERO, Voxel::full(1)), editor.set(IVec3::new(99, 0, 0), Voxel::AIR)]
        };
        assert_eq!(app.world_mut().run_system_once(set).unwrap(), [true, false]);
        assert_eq!(edited(&mut app), []);
        assert_eq!(app.world().resource::<SaveQueue>().unsaved(), 0);
    }
}
