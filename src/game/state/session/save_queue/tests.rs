//! Saves of an opened map.

use super::*;
use crate::game::state::session::opening::{OpenPurpose, open};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::save::{Header, MapFile, NamedPlace};
use stonerun_engine::voxel::{MaterialTable, Voxel};

impl SaveQueue {
    /// Treats all chunks as saved.
    pub(in crate::game) fn forget_unsaved(&mut self) {
        self.unsaved.clear();
    }
}

/// Creates a map and opens it.
pub(in crate::game) fn opened(folder: &Path) -> (OpenMap, Edits, SaveQueue) {
    let path = folder.join("stone.stonerun");
    MapFile::create(&path, &Header::new(1, "void", 0), &MaterialTable::builtin())
        .unwrap()
        .close()
        .unwrap();
    let opened = open(&path, OpenPurpose::Play).unwrap();
    assert_eq!(opened.warnings, [""; 0]);
    (opened.map, opened.edits, opened.saves)
}

fn edit(edits: &mut Edits, saves: &mut SaveQueue, at: IVec3) {
    for part in edits.world.set(at, Voxel::AIR).parts.iter() {
        saves.note_edit(part.pos);
    }
}

/// Waits for the outcome of the running save.
fn finished(saves: &mut SaveQueue) -> SaveOutcome {
    loop {
        match saves.next_outcome() {
            Some(outcome) => return outcome,
            None => std::thread::yield_now(),
        }
    }
}

/// Measures the part of a save that runs in a frame; the writer's thread does the rest.
/// `--nocapture` prints the time.
#[test]
fn play_goes_on_while_a_save_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let mut work = WorkCounters::default();
    for x in 0..10_000 {
        edits.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1)));
        edit(&mut edits, &mut saves, IVec3::new(32 * x, 5, 5));
    }
    let start = Instant::now();
    saves.begin(&mut map, &mut edits, &mut work);
    println!("10,000 chunks of an edit each: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    assert_eq!((saves.unsaved(), saves.saving()), (0, 10_000));
    edit(&mut edits, &mut saves, IVec3::new(0, 6, 5));
    assert_eq!(saves.unsaved(), 1);
    assert_eq!(saves.writer.get().close().unwrap().report.unwrap().chunks_written, 10_000);
}

#[test]
fn chunk_is_needed_until_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let pos = ChunkPos::new(0, 0, 0);
    edits.load_chunk(pos, Chunk::uniform(Voxel::full(1)));
    edit(&mut edits, &mut saves, IVec3::ZERO);
    assert!(saves.needs(pos) && saves.states().eq([(pos, SaveState::Unsaved)]));
    saves.begin(&mut map, &mut edits, &mut WorkCounters::default());
    assert!(saves.needs(pos) && saves.states().eq([(pos, SaveState::Saving)]));
    assert_eq!(finished(&mut saves).result.unwrap().chunks_written, 1);
    assert!(!saves.needs(pos) && saves.states().eq([(pos, SaveState::Saved)]));
    edit(&mut edits, &mut saves, IVec3::ONE);
    assert!(saves.states().eq([(pos, SaveState::Unsaved)]), "changed again it is unsaved again");
}

#[test]
fn named_places_are_saved_also_after_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let path = folder.path().join("stone.stonerun");
    let away = folder.path().join("away");
    let home = NamedPlace { name: "Home".into(), position: [1.0, 2.0, 3.0], yaw: 0.0, pitch: 0.0 };
    map.places.add(home).unwrap();
    saves.set_places(map.places.clone());
    assert!(saves.edit_times.is_some());
    std::fs::rename(&path, &away).unwrap();
    saves.begin(&mut map, &mut edits, &mut WorkCounters::default());
    assert!(finished(&mut saves).result.is_err());
    std::fs::rename(&away, &path).unwrap();
    saves.close(&mut map, &mut edits, &mut WorkCounters::default()).unwrap();
    let opened = open(&path, OpenPurpose::Picture).unwrap();
    assert_eq!(opened.map.places, map.places);
}

#[test]
fn chunks_are_saving_until_the_last_running_save_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let mut work = WorkCounters::default();
    let [first, second] = [0, 1].map(|x| ChunkPos::new(x, 0, 0));
    for pos in [first, second] {
        edits.load_chunk(pos, Chunk::uniform(Voxel::full(1)));
    }
    edit(&mut edits, &mut saves, IVec3::ZERO);
    saves.begin(&mut map, &mut edits, &mut work);
    while saves.is_busy() {
        std::thread::yield_now();
    }
    // A lock of another program delays the second save.
    let other = rusqlite::Connection::open(folder.path().join("stone.stonerun")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    edit(&mut edits, &mut saves, second.origin());
    saves.begin(&mut map, &mut edits, &mut work);
    assert!(finished(&mut saves).result.is_ok(), "the first save");
    assert!(saves.states().all(|(_, state)| state == SaveState::Saving) && saves.saving() == 2);
    other.execute_batch("ROLLBACK").unwrap();
    assert!(finished(&mut saves).result.is_ok(), "the second save");
    assert!(saves.states().all(|(_, state)| state == SaveState::Saved) && saves.saved() == 2);
}

#[test]
fn failed_save_leaves_its_chunks_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let pos = ChunkPos::new(0, 0, 0);
    edits.load_chunk(pos, Chunk::uniform(Voxel::full(1)));
    edit(&mut edits, &mut saves, IVec3::ZERO);
    std::fs::remove_file(folder.path().join("stone.stonerun")).unwrap();
    saves.begin(&mut map, &mut edits, &mut WorkCounters::default());
    let error = finished(&mut saves).result.unwrap_err().to_string();
    assert_eq!(saves.failure(), Some(error.as_str()));
    assert!(saves.states().eq([(pos, SaveState::Unsaved)]), "the next save takes it again");
    // On a full disk, the number of unsaved chunks alone must not request a save every second.
    saves.unsaved.extend((0..autosave::MAX_UNSAVED_CHUNKS as i32).map(|x| ChunkPos::new(x, 0, 0)));
    assert!(!saves.is_due(Duration::from_secs(2)) && saves.is_due(autosave::INTERVAL));
}

/// A save frees some of the memory that edits have left, and quiet frames the rest.
#[test]
fn memory_of_edited_chunks_is_freed_a_few_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (mut map, mut edits, mut saves) = opened(folder.path());
    let chunks: Vec<ChunkPos> = (0..40).map(|x| ChunkPos::new(x, 0, 0)).collect();
    for pos in &chunks {
        edits.load_chunk(*pos, Chunk::uniform(Voxel::full(1)));
        for z in 0..20 {
            edit(&mut edits, &mut saves, pos.origin() + IVec3::new(3, 0, z));
        }
    }
    let loose = |edits: &Edits| {
        let is_loose = |pos: &&ChunkPos| {
            let chunk = edits.world().chunk(**pos).unwrap();
            let mut tight = chunk.clone();
            tight.shrink_to_fit();
            chunk.heap_bytes() > tight.heap_bytes()
        };
        chunks.iter().filter(is_loose).count()
    };
    saves.shrink_some(&mut edits);
    assert_eq!(loose(&edits), 40, "the player is building");
    saves.begin(&mut map, &mut edits, &mut WorkCounters::default());
    assert_eq!(loose(&edits), 40 - SHRUNK_PER_SAVE);
    saves.shrink_some(&mut edits);
    assert_eq!(loose(&edits), 40 - SHRUNK_PER_SAVE - SHRUNK_PER_FRAME);
    for _ in 0..10 {
        saves.shrink_some(&mut edits);
    }
    assert_eq!(loose(&edits), 0);
}
