//! Steps that change the surface of a material, among edits of voxels.

use super::*;
use crate::history::EditStep;
use crate::save::{Header, MapChanges, MapFile, repair, verify};
use crate::voxel::{MaterialTable, SurfaceChange, SurfaceRule};
use std::ops::ControlFlow;
use std::path::Path;

/// A world and the material table of its map.
struct EditedMap {
    world: EditableWorld,
    materials: MaterialTable,
}

impl EditedMap {
    fn new() -> EditedMap {
        EditedMap { world: stone(0..2), materials: MaterialTable::builtin() }
    }

    /// Makes what an edit has changed in the table.
    fn take(&mut self, change: &Change) {
        if let Some(change) = change.surface {
            let before = self.materials.set_surface(change.material, change.after).unwrap();
            assert_eq!(before, change.before, "the changes are in order");
        }
    }

    fn surface(&self) -> SurfaceRule {
        self.materials.get(STONE.material()).unwrap().surface
    }

    fn change_surface(&mut self, after: SurfaceRule) {
        let change = SurfaceChange { material: STONE.material(), before: self.surface(), after };
        let change = self.world.change_surface(format!("//surface stone {after}"), change);
        self.take(&change);
    }

    fn step(&mut self, direction: Direction) -> Option<Change> {
        let change = self.world.step(direction, empty_map).unwrap();
        if let Some(change) = &change {
            self.take(change);
        }
        change
    }

    /// Surface, and the voxel that [`EditedMap::edit`] changes.
    fn state(&self) -> (SurfaceRule, Voxel) {
        (self.surface(), self.world.world().get(IVec3::ONE))
    }

    fn edit(&mut self, voxel: Voxel) {
        self.world.set(IVec3::ONE, voxel);
    }
}

#[test]
fn changes_of_surfaces_are_undone_in_order_with_edits_of_voxels() {
    let mut map = EditedMap::new();
    let mut states = vec![map.state()];
    map.change_surface(SurfaceRule::Facet);
    states.push(map.state());
    map.edit(SAND);
    states.push(map.state());
    map.change_surface(SurfaceRule::Rough(40));
    states.push(map.state());
    map.change_surface(SurfaceRule::Cube);
    states.push(map.state());
    map.edit(Voxel::AIR);
    states.push(map.state());
    assert_eq!(steps(&map.world), (5, 0));
    let revision = map.world.revision();
    for expected in states.iter().rev().skip(1) {
        let change = map.step(Direction::Undo).expect("a step");
        assert!(!change.is_empty() && (change.surface.is_none() || change.parts.is_empty()));
        assert_eq!(map.state(), *expected);
    }
    assert!(map.step(Direction::Undo).is_none());
    for expected in &states[1..] {
        map.step(Direction::Redo).expect("a step");
        assert_eq!(map.state(), *expected);
    }
    assert_eq!(map.world.revision(), revision + 4, "two voxels, undone and redone");
    // Another change drops what could be redone.
    map.step(Direction::Undo);
    map.step(Direction::Undo);
    map.change_surface(SurfaceRule::Smooth);
    assert_eq!(steps(&map.world), (4, 0));
    // The present surface again is no step.
    map.change_surface(SurfaceRule::Smooth);
    assert_eq!(steps(&map.world), (4, 0));
    let info = map.world.history().steps().next_back().unwrap();
    assert_eq!((info.name, info.voxels, info.chunks), ("//surface stone smooth", 0, 0));
    let change = info.surface.expect("a change of a surface");
    assert_eq!((change.before, change.after), (SurfaceRule::Rough(40), SurfaceRule::Smooth));
}

#[test]
fn change_of_a_surface_ends_a_stroke() {
    let mut map = EditedMap::new();
    map.world.begin_stroke();
    map.edit(SAND);
    map.change_surface(SurfaceRule::Smooth);
    assert_eq!((steps(&map.world), map.world.history().in_stroke()), ((2, 0), false));
    map.step(Direction::Undo);
    assert_eq!(map.state(), (SurfaceRule::Cube, SAND));
}

#[test]
fn job_undoes_a_change_of_a_surface() {
    let mut map = EditedMap::new();
    map.change_surface(SurfaceRule::Facet);
    assert!(!map.world.needs_step_job(Direction::Undo));
    let job = map.world.step_job(Direction::Undo).unwrap();
    let prepared = job.run(map.world.world(), &JobProgress::default()).unwrap();
    let change = map.world.commit_step(prepared, empty_map).unwrap();
    map.take(&change);
    assert_eq!((map.surface(), steps(&map.world)), (SurfaceRule::Cube, (0, 1)));
}

#[test]
fn single_change_of_a_surface_is_taken_back() {
    let mut map = EditedMap::new();
    map.change_surface(SurfaceRule::Facet);
    map.edit(SAND);
    let numbers: Vec<u64> = map.world.history().steps().map(|step| step.number).collect();
    let back = SurfaceChange {
        material: STONE.material(),
        before: SurfaceRule::Facet,
        after: SurfaceRule::Cube,
    };
    assert_eq!(map.world.surface_taken_back(numbers[0]), Some(back));
    assert_eq!(map.world.surface_taken_back(numbers[1]), None, "an edit of a voxel");
    map.step(Direction::Undo);
    map.step(Direction::Undo);
    assert_eq!(map.world.surface_taken_back(numbers[0]), None, "the step is undone");
}

#[test]
fn step_with_a_change_of_a_surface_keeps_it_when_rules_follow() {
    let change = SurfaceChange {
        material: STONE.material(),
        before: SurfaceRule::Cube,
        after: SurfaceRule::Smooth,
    };
    let mut world = stone(0..2);
    world.change_surface("//surface stone smooth", change);
    let number = world.history().steps().next().unwrap().number;
    // Only a map that another program wrote names such a step as the origin of awake blocks.
    let awake = crate::save::AwakeChunk { pos: at(0), edited: 0, pending: 1, step: number };
    let mut world = EditableWorld::new(world.history().clone())
        .with_awake(&crate::save::SavedAwake { chunks: vec![awake] }, None);
    world.load_chunk(at(0), Chunk::uniform(STONE));
    let mut fallen = Chunk::uniform(STONE);
    fallen.set(5, SAND);
    let changed = crate::history::ChunkChange::new(at(0), Chunk::uniform(STONE), fallen);
    world.apply_rules(changed, world.revision(), empty_map).unwrap();
    world.end_stroke();
    let info = world.history().steps().next().unwrap();
    assert_eq!((info.chunks, info.surface), (1, Some(change)));
    let undone = world.undo(empty_map).unwrap().unwrap();
    assert_eq!((undone.parts.len(), undone.surface), (1, Some(change.reversed())));
}

/// Opens a map to edit it.
fn open(path: &Path) -> (MapFile, EditedMap) {
    let file = MapFile::open(path).unwrap().map;
    let materials = file.materials().clone();
    let saved = file.history().unwrap();
    let reader = file.reader().unwrap();
    let history = History::from_saved(saved, materials.len(), usize::MAX, reader);
    let mut world = EditableWorld::new(history);
    for x in 0..2 {
        let chunk = file.load(at(x)).unwrap().unwrap_or(Chunk::uniform(STONE));
        world.load_chunk(at(x), chunk);
    }
    (file, EditedMap { world, materials })
}

/// Saves everything, and closes the map.
fn close(mut file: MapFile, mut map: EditedMap) {
    let chunks = contents(&map.world).into_iter().collect();
    let changes = MapChanges::new(chunks, file.header().clone(), map.materials);
    let history = map.world.take_history_change();
    file.save(&MapChanges { history, ..changes }).unwrap();
    file.close().unwrap();
}

#[test]
fn later_sessions_undo_and_redo_changes_of_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let header = Header::new(1, "void", 0);
    MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap().close().unwrap();
    let (file, mut map) = open(&path);
    let mut states = vec![map.state()];
    map.edit(SAND);
    states.push(map.state());
    map.change_surface(SurfaceRule::Terrace(3));
    states.push(map.state());
    map.edit(Voxel::AIR);
    states.push(map.state());
    close(file, map);
    assert!(verify(&path).unwrap().is_sound());
    assert!(repair(&path).unwrap().deleted.is_empty());

    let (file, mut map) = open(&path);
    assert_eq!((map.state(), steps(&map.world)), (states[3], (3, 0)));
    for expected in [2, 1] {
        map.step(Direction::Undo).unwrap();
        assert_eq!(map.state(), states[expected]);
    }
    close(file, map);

    let (file, mut map) = open(&path);
    assert_eq!((map.state(), steps(&map.world)), (states[1], (1, 2)));
    let info = map.world.history().steps().nth(1).unwrap();
    assert_eq!((info.name, info.bytes), ("//surface stone terrace 3", Some(0)));
    for direction in [Direction::Undo, Direction::Redo, Direction::Redo] {
        map.step(direction).unwrap();
    }
    assert_eq!(map.state(), states[2]);
    // Compacting keeps the step.
    close(file, map);
    let mut file = MapFile::open(&path).unwrap().map;
    file.compact(&mut |_| ControlFlow::Continue(())).unwrap();
    file.close().unwrap();
    let (_file, mut map) = open(&path);
    map.step(Direction::Undo).unwrap();
    assert_eq!(map.state(), states[1]);
}

#[test]
fn step_without_any_change_does_not_exist() {
    let same =
        SurfaceChange { material: 1, before: SurfaceRule::Smooth, after: SurfaceRule::Smooth };
    assert!(EditStep::from_surface("nothing", 0, same).is_none());
}
