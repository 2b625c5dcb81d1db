//! Changes by rules.

use super::change::Change;
use super::editable_world::{EditableWorld, Fetch, UndoError};
use crate::history::ChunkChange;

impl EditableWorld {
    /// Applies changes that rules have computed on a snapshot of `revision`. Voxels that edits have
    /// changed since then keep the edits' values. A chunk that was unloaded since then is loaded
    /// again; `fetch` reads it if it was edited before it was unloaded. Changes next to the last
    /// edit are undone with it, see [`History::follow`].
    ///
    /// The caller should measure the changes beforehand on another thread: a step of rules may
    /// change hundreds of chunks, and this call is part of a frame.
    ///
    /// # Errors
    /// A chunk cannot be read. The world is then unchanged.
    ///
    /// [`History::follow`]: crate::history::History::follow
    pub fn apply_rules(
        &mut self,
        changed: impl IntoIterator<Item = ChunkChange>,
        revision: u64,
        mut fetch: impl Fetch,
    ) -> Result<Change, UndoError> {
        let mut changes = Vec::new();
        for change in changed {
            let pos = change.pos;
            // Compares revisions instead of handles, because a save may have rebuilt the runs.
            if self.is_unedited_since(pos, revision) {
                changes.push(change);
                continue;
            }
            let current = self.current_chunk(pos, &mut fetch)?;
            let ChunkChange { before, after, .. } = change;
            let after = match ChunkChange::new(pos, before, current.clone()) {
                None => after,
                Some(edit) => edit.rebased_on(after.clone()).map_or(after, |change| change.after),
            };
            changes.extend(ChunkChange::new(pos, current, after));
        }
        let followed: Vec<_> = changes
            .iter()
            .map(|change| (change.pos, [change.before.clone(), change.after.clone()]))
            .collect();
        self.history.follow(&followed);
        Ok(self.put(changes.iter().map(|change| (change.area, change.pos, &change.after))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::BoxPatch;
    use crate::history::History;
    use crate::save::SaveError;
    use crate::voxel::{Box3, ChunkPos, Voxel};
    use crate::world::{Chunk, World};
    use glam::IVec3;

    const STONE: Voxel = Voxel::full(1);
    const SAND: Voxel = Voxel::full(11);
    const WATER: Voxel = Voxel::full(17);

    /// A row of air chunks along x.
    fn world() -> EditableWorld {
        let mut world = EditableWorld::new(History::new(usize::MAX));
        for x in 0..8 {
            world.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
        }
        world
    }

    /// A step of rules that changes the given voxels.
    fn rules(world: &EditableWorld, voxels: &[(i32, Voxel)]) -> Vec<ChunkChange> {
        let mut after: World = world.world().clone();
        for &(x, voxel) in voxels {
            after.set(IVec3::new(x, 5, 5), voxel);
        }
        let chunk = |world: &World, x| world.chunk(ChunkPos::new(x, 0, 0)).expect("loaded").clone();
        let changed = (0..8).filter(|&x| chunk(world.world(), x) != chunk(&after, x));
        let change =
            |x| ChunkChange::new(ChunkPos::new(x, 0, 0), chunk(world.world(), x), chunk(&after, x));
        changed.filter_map(change).collect()
    }

    fn row(world: &EditableWorld) -> Vec<Voxel> {
        (0..256).map(|x| world.world().get(IVec3::new(x, 5, 5))).collect()
    }

    /// Applies a step of rules to the world that it was computed from.
    fn put(world: &mut EditableWorld, step: Vec<ChunkChange>) {
        let revision = world.revision();
        world.apply_rules(step, revision, missing).expect("in memory");
    }

    fn missing(_: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        Ok(None)
    }

    /// Makes an edit at 40 and lets rules act next to it and far away. Returns the rows before the
    /// edit, and after it without the changes far away.
    fn edited(edit: impl Fn(&mut EditableWorld)) -> (EditableWorld, [Vec<Voxel>; 2]) {
        let mut world = world();
        world.set(IVec3::new(60, 5, 5), SAND);
        let before = row(&world);
        edit(&mut world);
        for (x, to) in [(60, 70), (70, 95), (95, 100)] {
            let step = rules(&world, &[(x, Voxel::AIR), (to, SAND)]);
            put(&mut world, step);
            world.take_history_change();
        }
        let after = row(&world);
        let far = rules(&world, &[(230, WATER)]);
        put(&mut world, far);
        (world, [before, after])
    }

    #[test]
    fn what_follows_from_an_edit_is_undone_with_it_and_the_rest_stays() {
        let set = |world: &mut EditableWorld| drop(world.set(IVec3::new(40, 5, 5), STONE));
        let apply = |world: &mut EditableWorld| {
            let area = Box3 { min: IVec3::new(40, 5, 5), max: IVec3::new(42, 6, 6) };
            world.apply(&BoxPatch::fill(area, STONE).into());
        };
        let stroke = |world: &mut EditableWorld| {
            world.begin_stroke();
            set(world);
            world.set(IVec3::new(41, 5, 5), STONE);
        };
        for edit in [&set as &dyn Fn(&mut EditableWorld), &apply, &stroke] {
            let (mut world, [mut before, mut after]) = edited(edit);
            (before[230], after[230]) = (WATER, WATER);
            assert_eq!(world.history().undo_count(), 2);
            world.undo(missing).expect("in memory");
            assert_eq!(row(&world), before);
            world.redo(missing).expect("in memory");
            assert_eq!(row(&world), after);
            world.undo(missing).expect("in memory");
            // Rules that act after an undo do not follow the undone edit.
            let step = rules(&world, &[(50, SAND)]);
            put(&mut world, step);
            assert_eq!((world.history().undo_count(), world.history().redo_count()), (1, 1));
            world.redo(missing).expect("in memory");
            after[50] = SAND;
            assert_eq!(row(&world), after);
        }
    }

    #[test]
    fn rules_near_a_stroke_that_was_painted_back_follow_from_the_older_edit() {
        let mut world = world();
        world.set(IVec3::new(40, 5, 5), STONE);
        world.begin_stroke();
        for voxel in [STONE, Voxel::AIR] {
            world.set(IVec3::new(45, 5, 5), voxel);
            // A save records the stroke as a step, and the next one removes that step.
            world.take_history_change().expect("the stroke has changed");
        }
        world.end_stroke();
        assert_eq!(world.history().undo_count(), 1);
        let step = rules(&world, &[(50, SAND)]);
        put(&mut world, step);
        world.undo(missing).expect("in memory");
        assert!(row(&world).iter().all(|&voxel| voxel == Voxel::AIR));
    }

    #[test]
    fn edits_during_a_step_of_rules_win() {
        let mut world = world();
        let step = rules(&world, &[(3, SAND), (4, SAND), (40, WATER)]);
        let revision = world.revision();
        world.set(IVec3::new(4, 5, 5), STONE);
        world.unload_chunk(ChunkPos::new(1, 0, 0));
        let change = world.apply_rules(step, revision, missing).expect("in memory");
        let row = row(&world);
        assert_eq!([row[3], row[4], row[40]], [SAND, STONE, WATER]);
        assert_eq!(change.loaded, [ChunkPos::new(1, 0, 0)]);
        let areas = change.parts.iter().map(|part| (part.area.min.x, part.area.max.x));
        assert_eq!(areas.collect::<Vec<_>>(), [(3, 4), (40, 41)]);
        world.undo(missing).expect("in memory");
        assert_eq!(world.world().get(IVec3::new(4, 5, 5)), Voxel::AIR);
    }

    #[test]
    fn chunk_that_was_edited_saved_and_unloaded_keeps_the_edit() {
        let mut world = world();
        let step = rules(&world, &[(40, WATER)]);
        let revision = world.revision();
        let pos = ChunkPos::new(1, 0, 0);
        world.set(IVec3::new(50, 5, 5), STONE);
        let saved = world.world().chunk(pos).cloned();
        world.unload_chunk(pos);
        let error = world
            .apply_rules(step.clone(), revision, missing)
            .expect_err("the map does not hold the chunk");
        assert!(matches!(error, UndoError::Missing(at) if at == pos), "{error}");
        world.apply_rules(step, revision, |_| Ok(saved.clone())).expect("the map holds the chunk");
        assert_eq!([row(&world)[40], row(&world)[50]], [WATER, STONE]);
    }
}
