//! Rules act only where an edit has woken them. Their changes belong to the edit that caused them,
//! in the same run of the program and in later runs.

use glam::IVec3;
use std::path::{Path, PathBuf};
use stonerun_engine::edit::{AwakeBlocks, EditableWorld};
use stonerun_engine::history::{ChunkChange, History};
use stonerun_engine::rules::{OpenColumns, RuleSet, Rules};
use stonerun_engine::save::{Header, MapChanges, MapFile, SaveError, verify};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};

/// An open map in one run of the program.
struct Run {
    file: MapFile,
    world: EditableWorld,
    rules: Rules,
}

fn missing(_: ChunkPos) -> Result<Option<Chunk>, SaveError> {
    Ok(None)
}

fn material(name: &str) -> Voxel {
    Voxel::full(MaterialTable::builtin().find(name).expect("a builtin material"))
}

fn around() -> impl Iterator<Item = ChunkPos> {
    (0..27).map(|i| ChunkPos::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1))
}

/// A map of 27 chunks: stone below y = 0, air above, and sand that hangs in the air.
fn map_at(folder: &Path) -> PathBuf {
    let path = folder.join("home.stonerun");
    let mut world = World::new();
    for pos in around() {
        drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    let ground = Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::new(64, 0, 64) };
    world.fill(ground, material("stone"));
    world.fill(Box3 { min: IVec3::new(8, 20, 8), max: IVec3::new(10, 21, 10) }, material("sand"));
    let mut file =
        MapFile::create(&path, &Header::new(1, "void", 1000), &MaterialTable::builtin()).unwrap();
    let chunks = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    file.save(&MapChanges::new(chunks, file.header().clone(), file.materials().clone())).unwrap();
    file.close().unwrap();
    path
}

impl Run {
    fn open(path: &Path) -> Run {
        let file = MapFile::open(path).unwrap().map;
        let saved = file.history().unwrap();
        let history =
            History::from_saved(saved, file.materials().len(), usize::MAX, file.reader().unwrap());
        let open: OpenColumns = file.positions().into_iter().collect();
        let mut world = EditableWorld::new(history).with_awake(&file.awake().unwrap(), Some(open));
        for pos in file.positions() {
            world.load_chunk(pos, file.load(pos).unwrap().unwrap());
        }
        let rules = Rules::new(RuleSet::builtin(file.materials()).unwrap(), 1, 0);
        let mut run = Run { file, world, rules };
        run.restart();
        run
    }

    /// Restarts the rules with all awake blocks, as the game does after an undo.
    fn restart(&mut self) {
        self.rules =
            Rules::new(RuleSet::builtin(self.file.materials()).unwrap(), 1, self.rules.next_step());
        self.rules.set_open(self.world.open_columns().cloned());
        self.world.take_woken();
        let awake: Vec<_> = self.world.awake().collect();
        self.wake(awake);
    }

    fn wake(&mut self, woken: Vec<(ChunkPos, AwakeBlocks)>) {
        for (pos, AwakeBlocks { edited, pending }) in woken {
            self.rules.wake_blocks(pos, edited);
            self.rules.resume(pos, pending);
        }
    }

    fn steps(&mut self, steps: u32) {
        for _ in 0..steps {
            let woken = self.world.take_woken();
            self.wake(woken);
            let world = self.world.world().clone();
            let revision = self.world.revision();
            self.rules.step(&world);
            let change = |(pos, after)| {
                ChunkChange::new(pos, world.chunk(pos).expect("loaded").clone(), after)
            };
            let changes: Vec<ChunkChange> =
                self.rules.take_changes().into_iter().filter_map(change).collect();
            self.world.apply_rules(changes, revision, missing).unwrap();
            self.world.set_awake(self.rules.awake_blocks(), revision);
        }
    }

    fn set(&mut self, at: [i32; 3], name: &str) {
        assert!(!self.world.set(IVec3::from(at), material(name)).parts.is_empty());
    }

    fn undo(&mut self) {
        let file = &self.file;
        assert!(self.world.undo(|pos| file.load(pos)).unwrap().is_some());
        self.restart();
    }

    fn redo(&mut self) {
        let file = &self.file;
        assert!(self.world.redo(|pos| file.load(pos)).unwrap().is_some());
        self.restart();
    }

    fn save(&mut self) {
        let chunks = self.world.world().chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
        let changes = MapChanges {
            history: self.world.take_history_change(),
            awake: self.world.take_unsaved_awake(),
            ..MapChanges::new(chunks, self.file.header().clone(), self.file.materials().clone())
        };
        self.file.save(&changes).unwrap();
    }

    /// Ends the run, and begins another run with the same map.
    fn reopen(mut self, path: &Path) -> Run {
        self.save();
        self.file.close().unwrap();
        assert!(verify(path).unwrap().is_sound());
        Run::open(path)
    }

    fn content(&self) -> World {
        self.world.world().clone()
    }

    fn is(&self, content: &World) -> bool {
        content.chunks().all(|(pos, chunk)| self.world.world().chunk(pos) == Some(chunk))
    }

    fn count(&self, name: &str) -> usize {
        let wanted = material(name).material();
        let runs = self.world.world().chunks().flat_map(|(_, chunk)| chunk.runs());
        runs.filter(|run| run.voxel.material() == wanted).map(|run| run.len as usize).sum()
    }
}

#[test]
fn opened_map_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    let before = run.content();
    run.steps(300);
    assert!(run.is(&before));
    let mut run = run.reopen(&path);
    run.steps(10);
    assert!(run.is(&before) && run.world.history().undo_count() == 0);
}

#[test]
fn changes_by_rules_in_later_runs_are_undone_with_their_edit() {
    for (name, least) in [("sand", 1), ("water", 9)] {
        let folder = tempfile::tempdir().unwrap();
        let path = map_at(folder.path());
        let mut run = Run::open(&path);
        let before = run.content();
        run.set([-5, 15, -5], name);
        // As after `stonerun edit`, no rule acts in this run. The next run ends before the rules
        // have finished.
        let mut run = run.reopen(&path);
        run.steps(7);
        let mut run = run.reopen(&path);
        run.steps(100);
        let after = run.content();
        let on_ground = (-32..0).flat_map(|x| (-32..0).map(move |z| IVec3::new(x, 0, z)));
        let fallen =
            on_ground.filter(|&at| after.get(at).material() == material(name).material()).count();
        assert!(fallen >= least, "{name}: {fallen}");
        assert_eq!(run.world.history().undo_count(), 1);
        run.undo();
        assert!(run.is(&before), "{name}");
        run.redo();
        assert!(run.is(&after), "{name}");
        run.steps(100);
        let mut run = run.reopen(&path);
        run.undo();
        run.steps(50);
        assert!(run.is(&before), "{name}");
    }
}

#[test]
fn signal_that_is_saved_on_its_way_opens_both_halves_of_a_door() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    // The lower half of the door is the highest voxel of its chunk.
    run.set([0, 31, 0], "door");
    run.set([0, 32, 0], "door");
    for x in 1..9 {
        run.set([x, 32, 0], "wire");
    }
    run.steps(40);
    run.set([9, 32, 0], "lever_on");
    run.steps(4);
    assert_eq!(run.count("door"), 2);
    let mut run = run.reopen(&path);
    run.steps(3);
    let mut run = run.reopen(&path);
    run.steps(40);
    assert_eq!([run.count("door"), run.count("door_open")], [0, 2]);
    run.set([9, 32, 0], "lever");
    let mut run = run.reopen(&path);
    run.steps(60);
    assert_eq!([run.count("door"), run.count("door_open")], [2, 0]);
}

#[test]
fn changes_after_another_edit_belong_to_the_edit_that_caused_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    let before = run.content();
    run.set([-31, 25, -31], "water");
    run.steps(3);
    // In a chunk that is not next to the water's chunk.
    run.set([63, 30, 63], "stone");
    run.steps(200);
    run.undo();
    assert!(run.count("water") > 9, "the flood does not belong to the second edit");
    run.undo();
    assert!(run.is(&before));

    // The same edits, both in earlier runs.
    run.set([-31, 25, -31], "water");
    run.steps(3);
    run.set([63, 30, 63], "stone");
    let mut run = run.reopen(&path);
    run.steps(20);
    let mut run = run.reopen(&path);
    run.steps(200);
    run.undo();
    run.undo();
    run.steps(50);
    assert!(run.is(&before));
}

#[test]
fn changes_after_an_undo_belong_to_the_step_that_caused_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    let before = run.content();
    run.set([-5, 20, -5], "water");
    run.steps(8);
    run.set([-5, 3, -5], "glass");
    run.steps(2);
    run.undo();
    run.steps(100);
    assert!(run.count("water") > 9, "the water fell on after the undo");
    let mut run = run.reopen(&path);
    assert_eq!((run.world.history().undo_count(), run.world.history().redo_count()), (1, 1));
    run.undo();
    run.steps(50);
    assert!(run.is(&before));
}

#[test]
fn undo_leaves_blocks_that_hung_in_the_air_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    let before = run.content();
    run.set([9, 19, 9], "glass");
    run.steps(60);
    assert!(!run.is(&before), "the edit has woken the sand");
    run.undo();
    run.steps(60);
    assert!(run.is(&before));
}

#[test]
fn liquid_does_not_flow_over_the_edge_of_an_import() {
    let folder = tempfile::tempdir().unwrap();
    let path = map_at(folder.path());
    let mut run = Run::open(&path);
    for pos in around().map(|pos| pos.offset(IVec3::new(3, 0, 0))) {
        run.world.load_chunk(pos, Chunk::uniform(Voxel::AIR));
    }
    let parts = (40..64).map(|x| [x, 0, 5]);
    for at in parts {
        run.set(at, "water");
    }
    run.steps(300);
    let outside = run.world.world().chunks().filter(|(pos, _)| pos.x > 1);
    assert!(outside.into_iter().all(|(_, chunk)| chunk.as_uniform() == Some(Voxel::AIR)));
}
