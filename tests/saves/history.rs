//! The undo history between memory and map: the saving thread packs steps, packed steps give up
//! their memory, an undo reads them again, and they are complete after a killed edit.

use glam::IVec3;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditableWorld, JobProgress, Mask, Pattern, VoxelEdit};
use stonerun_engine::history::{Direction, History};
use stonerun_engine::random::Random;
use stonerun_engine::save::{Header, MapChanges, MapFile, MapWriter, verify};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

type Chunks = BTreeMap<ChunkPos, Chunk>;

/// Positions of the chunks in a box of 3 x 2 x 15 chunks.
fn positions() -> impl Iterator<Item = ChunkPos> {
    Box3 { min: IVec3::new(-40, 0, 0), max: IVec3::new(50, 64, 480) }.chunks()
}

fn open(path: &Path, memory_limit: usize) -> (MapFile, EditableWorld) {
    let map = MapFile::open(path).unwrap().map;
    let saved = map.history().unwrap();
    let history =
        History::from_saved(saved, map.materials().len(), memory_limit, map.reader().unwrap());
    (map, EditableWorld::new(history))
}

/// All chunks of the map.
fn stored(map: &MapFile) -> Chunks {
    map.positions().into_iter().map(|pos| (pos, map.load(pos).unwrap().unwrap())).collect()
}

/// All loaded chunks.
fn loaded(world: &EditableWorld) -> Chunks {
    world.world().chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect()
}

/// Fills layers of the box with a wet material.
fn layers(world: &mut EditableWorld, material: u16) {
    let snapshot = world.world().clone();
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    let all_at = |y| Box3 { min: IVec3::new(-40, y, 0), max: IVec3::new(50, y + 1, 480) };
    let voxel = Voxel::new(material, 99).with_liquid(7 * material as u8);
    let stripes: Vec<Box3> = (0..57).step_by(material.into()).map(|y| all_at(3 + y)).collect();
    for stripe in stripes {
        let region = Region::from_shape(&stripe);
        edit.fill(&region, &Mask::Any, &Pattern::Voxel(voxel)).unwrap();
    }
    world.commit(edit.finish(format!("material {material}")), |_| Ok(None)).unwrap();
}

#[test]
fn steps_beyond_the_memory_limit_are_read_from_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spill.stonerun");
    let header = Header::new(1, "void", 0);
    let materials = MaterialTable::builtin();
    MapFile::create(&path, &header, &materials).unwrap().close().unwrap();
    let (map, mut world) = open(&path, 0);
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    for pos in positions() {
        assert!(world.load_chunk(pos, Chunk::uniform(Voxel::full(1))));
    }
    let save = |world: &mut EditableWorld, writer: &MapWriter| {
        let chunks = world.world().chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
        let changes = MapChanges::new(chunks, header.clone(), materials.clone());
        writer.save(MapChanges { history: world.take_history_change(), ..changes });
        while writer.busy() {
            std::thread::sleep(Duration::from_millis(1));
        }
        writer.poll().unwrap().unwrap();
        world.set_history_limit(0);
    };
    let mut states = vec![loaded(&world)];
    for material in 2..6 {
        layers(&mut world, material);
        states.push(loaded(&world));
        assert!(world.history().steps().next_back().unwrap().is_in_memory, "it is not saved yet");
        if material % 2 == 0 {
            save(&mut world, &writer);
            assert!(world.history().steps().all(|step| !step.is_in_memory && step.bytes.is_some()));
        }
    }
    save(&mut world, &writer);
    // Far less memory than the chunks of the steps.
    assert!(world.history().memory_bytes() < 4096, "{}", world.history().memory_bytes());
    let names: Vec<String> = world.history().steps().map(|step| step.name.to_owned()).collect();
    assert_eq!(names, ["material 2", "material 3", "material 4", "material 5"]);
    assert!(world.needs_step_job(Direction::Undo), "90 chunks are unpacked in the background");
    let job = world.step_job(Direction::Undo).unwrap();
    let prepared = job.run(&world.world().clone(), &JobProgress::default()).unwrap();
    world.commit_step(prepared, |_| Ok(None)).unwrap();
    assert!(loaded(&world) == states[3]);
    world.undo(|_| Ok(None)).unwrap().unwrap();
    assert!(loaded(&world) == states[2]);
    save(&mut world, &writer);
    writer.close().unwrap();
    assert!(verify(&path).unwrap().is_sound());

    // In another session no step is in memory, and chunks are read from the map.
    let (map, mut world) = open(&path, usize::MAX);
    assert!(world.history().steps().all(|step| !step.is_in_memory));
    assert_eq!((world.history().undo_count(), world.history().redo_count()), (2, 2));
    for (direction, expected) in [
        (Direction::Redo, 3),
        (Direction::Redo, 4),
        (Direction::Undo, 3),
        (Direction::Undo, 2),
        (Direction::Undo, 1),
        (Direction::Undo, 0),
    ] {
        world.step(direction, |pos| map.load(pos)).unwrap().unwrap();
        assert!(loaded(&world) == states[expected], "{expected}");
    }
    drop(world);

    // Undoing a malformed step is an error, and changes nothing.
    map.close().unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    let record: Vec<u8> =
        conn.query_row("SELECT record FROM history WHERE id = 2", [], |row| row.get(0)).unwrap();
    let mut bad = record.clone();
    bad[32 + 25 + "material 3".len()..].fill(1);
    let sum = crc32fast::hash(&[&bad[..28], &bad[32..]].concat());
    bad[28..32].copy_from_slice(&sum.to_le_bytes());
    conn.execute("UPDATE history SET record = ?1 WHERE id = 2", [bad]).unwrap();
    drop(conn);
    let (map, mut world) = open(&path, usize::MAX);
    let error = world.undo(|pos| map.load(pos)).unwrap_err().to_string();
    assert!(error.starts_with("step 2 of the undo history: "), "{error}");
    assert!(world.world().is_empty());
}

#[test]
fn undone_steps_stay_in_the_map_when_all_done_ones_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("limit.stonerun");
    let header = Header::new(1, "void", 0);
    let materials = MaterialTable::builtin();
    MapFile::create(&path, &header, &materials).unwrap().close().unwrap();
    let (mut map, mut world) = open(&path, 0);
    for pos in positions() {
        assert!(world.load_chunk(pos, Chunk::uniform(Voxel::full(1))));
    }
    let save = |map: &mut MapFile, world: &mut EditableWorld| {
        let changes =
            MapChanges::new(loaded(world).into_iter().collect(), header.clone(), materials.clone());
        map.save(&MapChanges { history: world.take_history_change(), ..changes }).unwrap();
        world.set_history_limit(0);
    };
    let mut states = Vec::new();
    for material in 2..5 {
        layers(&mut world, material);
        states.push(loaded(&world));
    }
    save(&mut map, &mut world);
    assert!(world.history().steps().all(|step| !step.is_in_memory));
    for _ in 0..2 {
        world.undo(|_| Ok(None)).unwrap().unwrap();
    }
    let undone = world.history().steps().skip(1).map(|step| step.bytes.unwrap()).sum();
    world.set_history_total_limit(undone);
    assert_eq!((world.history().undo_count(), world.history().redo_count()), (0, 2));
    save(&mut map, &mut world);
    map.close().unwrap();

    let (map, mut world) = open(&path, usize::MAX);
    assert_eq!((world.history().undo_count(), world.history().redo_count()), (0, 2));
    for expected in [1, 2] {
        world.redo(|pos| map.load(pos)).unwrap().unwrap();
        assert!(loaded(&world) == states[expected], "{expected}");
    }
}

/// A box of 2^21 voxels, killed 12 times. The full test: `cargo test --release
/// --no-default-features --test saves -- --ignored killed_edit_of_a_billion`.
#[test]
fn rebuilt_map_reports_the_number_of_lost_undo_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.stonerun");
    MapFile::create(&path, &Header::new(1, "void", 0), &MaterialTable::builtin())
        .unwrap()
        .close()
        .unwrap();
    let (mut map, mut world) = open(&path, usize::MAX);
    for pos in positions() {
        world.load_chunk(pos, Chunk::uniform(Voxel::AIR));
    }
    for material in [2, 3, 4] {
        layers(&mut world, material);
    }
    let chunks = loaded(&world).into_iter().collect();
    let changes = MapChanges::new(chunks, Header::new(1, "void", 0), MaterialTable::builtin());
    map.save(&MapChanges { history: world.take_history_change(), ..changes }).unwrap();
    map.close().unwrap();
    super::damage::destroy_header(&path);
    let line = MapFile::open_read_only(&path).unwrap().damage.unwrap().to_string();
    assert!(line.contains("the undo history is lost (3 steps were found)"), "{line}");
}

#[test]
fn killed_edit_leaves_the_map_before_or_after_it_and_a_complete_history() {
    kill_edits(128, 12, ["50%stone,50%granite", "sand"]);
}

#[test]
#[ignore = "100 edits of 10^9 voxels take an hour; run it with --release after changes of saves or history"]
fn killed_edit_of_a_billion_voxels_leaves_a_complete_history() {
    // A checker pattern, because a random mix of 10^9 voxels would take half a gigabyte, 50 times.
    kill_edits(1000, 100, ["#checker[45][stone,granite]", "sand"]);
}

/// Kills a process at random moments while it fills a cube of terrain with two patterns
/// alternately.
fn kill_edits(side: i32, kills: u64, patterns: [&str; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kill.stonerun");
    MapFile::create(&path, &Header::new(1, "continents", 0), &MaterialTable::builtin())
        .unwrap()
        .close()
        .unwrap();
    let edit = |pattern: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stonerun"));
        let corners =
            ["//pos1 0,-64,0".to_owned(), format!("//pos2 {0},{1},{0}", side - 1, side - 65)];
        command
            .arg("edit")
            .arg(&path)
            .args(corners)
            .arg(format!("//set {pattern}"))
            .stdout(Stdio::null());
        command.stderr(Stdio::null());
        command
    };
    // The first edit also generates the terrain, so it takes longer than the others.
    assert!(edit(patterns[0]).status().unwrap().success());
    let started = Instant::now();
    assert!(edit(patterns[1]).status().unwrap().success());
    let duration = started.elapsed();
    let mut random = Random::new(1);
    let mut after_kills = 0usize;
    let (map, world) = open(&path, 0);
    let mut before = stored(&map);
    let mut steps = world.history().undo_count();
    drop((map, world));
    for round in 0..kills {
        // The pattern that the box does not hold yet.
        let mut child = edit(patterns[after_kills % 2]).spawn().unwrap();
        // Usually late, when the process saves.
        let part = 0.3 + 1.1 * f64::from(random.below(1000)) / 1000.0;
        std::thread::sleep(duration.mul_f64(part));
        let _ = child.kill();
        child.wait().unwrap();

        let report = verify(&path).unwrap();
        assert!(report.is_sound(), "round {round}: {report:?}");
        let (map, mut world) = open(&path, 0);
        let now = stored(&map);
        match world.history().undo_count() - steps {
            0 => assert!(now == before, "round {round}: the map is as before"),
            1 => {
                after_kills += 1;
                assert!(now != before);
                let change = world.undo(|pos| map.load(pos)).unwrap().unwrap();
                assert_eq!(change.loaded.len(), change.parts.len());
                assert!(
                    before
                        .iter()
                        .all(|(pos, chunk)| world.world().chunk(*pos).or(now.get(pos))
                            == Some(chunk))
                );
                before = now;
                steps += 1;
            }
            other => panic!("round {round}: {other} steps"),
        }
        map.close().unwrap();
    }
    println!(
        "killed {kills} times within {duration:?}, {after_kills} times after the edit was saved"
    );
}
