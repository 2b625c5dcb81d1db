//! Faults of an open map, and of a map that another program changed. These tests use the map's
//! connection directly.

use super::*;
use crate::save::file::companion_files::{has_log, with_suffix};
use crate::save::format::frame::{self, RecordKind};
use crate::save::recovery::rebuild;
use crate::save::tables::inspect::{InspectError, check_schema};
use crate::save::tables::rows::{put_chunk, put_meta};
use crate::voxel::{ChunkPos, MaterialTable, Voxel, WORLD_LIMIT};
use crate::world::Chunk;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

mod baked;
#[cfg(unix)]
mod links;
mod surface_steps;
mod surfaces;

fn striped(material: u16) -> Chunk {
    Chunk::from_runs((0..512).map(|i| (64, Voxel::full(material + i % 2))))
}

fn changes(map: &MapFile, chunks: Vec<(ChunkPos, Chunk)>) -> MapChanges {
    MapChanges::new(chunks, map.header().clone(), map.materials().clone())
}

fn row(material: u16) -> Vec<(ChunkPos, Chunk)> {
    (0..40).map(|x| (ChunkPos::new(x, 0, 0), striped(material))).collect()
}

/// Creates a map of 40 chunks.
fn map_at(path: &Path) -> MapFile {
    let mut map =
        MapFile::create(path, &Header::new(1, "flat", 0), &MaterialTable::builtin()).unwrap();
    let all = changes(&map, row(1));
    map.save(&all).unwrap();
    map
}

#[test]
fn reader_during_saves_sees_one_consistent_map() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for i in 0..60 {
                // With new materials, because a chunk may name one that an older table lacks.
                let mut next = changes(&map, Vec::new());
                let id = next
                    .materials
                    .add(crate::voxel::Material::unknown(&format!("new {i}")))
                    .unwrap();
                next.chunks = row(id - 1);
                map.save(&next).unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut read = 0;
        while !done.load(Ordering::Relaxed) {
            let report = verify(&path).unwrap();
            assert!(report.is_sound(), "{report:?}");
            let opened = MapFile::open_read_only(&path).unwrap();
            let reader = opened.map.reader().unwrap();
            let first = opened.map.load(ChunkPos::new(0, 0, 0)).unwrap();
            for x in 0..40 {
                assert_eq!(
                    reader.load(ChunkPos::new(x, 0, 0)).unwrap(),
                    first,
                    "all chunks are of one save"
                );
            }
            read += 1;
        }
        assert!(read > 0, "nothing was read");
    });
}

#[test]
fn save_with_the_file_replaced_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    map_at(&folder.path().join("other.stonerun")).close().unwrap();
    std::fs::rename(folder.path().join("other.stonerun"), &path).unwrap();
    let all = changes(&map, row(3));
    if cfg!(unix) {
        let error = map.save(&all).unwrap_err().to_string();
        assert!(error.contains("another file has taken the map's name"), "{error}");
    }
}

#[test]
fn save_on_full_disk_loses_nothing_and_the_next_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let pages: i64 =
        map.state().conn.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    map.state().conn.pragma_update(None, "max_page_count", pages).unwrap();
    let more: Vec<_> = (0..400).map(|x| (ChunkPos::new(x, 5, 0), striped(7))).collect();
    let more = changes(&map, more);
    let error = map.save(&more).unwrap_err().to_string();
    assert!(error.contains("home.stonerun: cannot save") && error.contains("full"), "{error}");
    assert!(verify(&path).unwrap().is_sound());
    assert_eq!(map.load(ChunkPos::new(0, 5, 0)).unwrap(), None);
    map.state().conn.pragma_update(None, "max_page_count", 1_000_000).unwrap();
    assert_eq!(map.save(&more).unwrap().chunks_written, 400);
    map.close().unwrap();
    assert_eq!(verify(&path).unwrap().totals.chunks, 440);
}

#[test]
fn chunk_whose_row_was_deleted_is_saved_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    map.state().conn.execute("DELETE FROM chunk WHERE x = 7", []).unwrap();
    assert!(matches!(map.load(ChunkPos::new(7, 0, 0)), Err(SaveError::BadChunk { .. })));
    let again = changes(&map, vec![(ChunkPos::new(7, 0, 0), striped(9))]);
    map.save(&again).unwrap();
    map.close().unwrap();
    let opened = MapFile::open(&path).unwrap();
    assert_eq!(opened.damage, None);
    assert_eq!(opened.map.load(ChunkPos::new(7, 0, 0)).unwrap().as_ref(), Some(&striped(9)));
}

#[test]
fn open_removes_foreign_trigger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    map_at(&path).close().unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch(
        "CREATE TRIGGER gone AFTER INSERT ON quarantine BEGIN DELETE FROM chunk; END",
    )
    .unwrap();
    let foreign = StructureError::ForeignObject("trigger gone".to_owned());
    assert!(matches!(check_schema(&conn), Err(InspectError::Broken(reason)) if reason == foreign));
    drop(conn);
    let opened = MapFile::open(&path).unwrap();
    let damage = opened.damage.expect("the trigger is damage").to_string();
    assert!(
        damage.contains("trigger gone") && damage.contains("all 40 chunks are sound"),
        "{damage}"
    );
    opened.map.close().unwrap();
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.totals.chunks == 40, "{report:?}");
}

#[test]
fn chunk_outside_the_world_is_bad_and_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let far = ChunkPos::new(WORLD_LIMIT / 32, 0, 0);
    let with_far = changes(&map, vec![(far, striped(1))]);
    map.save(&with_far).unwrap();
    assert!(matches!(map.load(far), Err(SaveError::BadChunk { .. })));
    map.close().unwrap();
    let report = verify(&path).unwrap();
    assert_eq!(report.bad.len(), 1, "{report:?}");
    assert!(report.bad[0].reason.contains("outside the world"));
    assert_eq!(repair(&path).unwrap().set_aside.len(), 1);
    let report = verify(&path).unwrap();
    assert!(
        report.is_sound() && (report.totals.chunks, report.quarantined) == (40, 1),
        "{report:?}"
    );
}

#[test]
fn chunk_with_unreadable_frame_counts_for_no_codec() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let map = map_at(&path);
    let cut = "UPDATE chunk SET record = substr(record, 1, 40) WHERE x = 3";
    assert_eq!(map.state().conn.execute(cut, []).unwrap(), 1);
    map.close().unwrap();
    let totals = verify(&path).unwrap().totals;
    assert_eq!((totals.chunks, totals.bad), (40, 1));
    assert_eq!(totals.codecs.iter().map(|codec| codec.chunks).sum::<u64>(), 39);
}

#[test]
fn bad_picture_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let with_picture = MapChanges { picture: Some(vec![1, 2, 3]), ..changes(&map, Vec::new()) };
    map.save(&with_picture).unwrap();
    assert_eq!(map.picture(), Some(vec![1, 2, 3]));
    map.state()
        .conn
        .execute("UPDATE meta SET record = x'0102' WHERE kind = ?1", [RecordKind::Picture as u8])
        .unwrap();
    map.close().unwrap();
    let report = verify(&path).unwrap();
    assert_eq!(report.bad.iter().map(|b| b.place.as_str()).collect::<Vec<_>>(), ["picture"]);
    assert_eq!(repair(&path).unwrap().set_aside, report.bad);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn seed_word_is_kept_salvaged_and_costs_nothing_if_bad() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let seed = crate::terrain::seed::from_text("two words").unwrap();
    let header = Header { seed_word: "two words".to_owned(), ..Header::new(seed, "flat", 0) };
    let mut map = MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap();
    let all = changes(&map, row(1));
    map.save(&all).unwrap();
    map.close().unwrap();
    let word = || MapFile::open_read_only(&path).unwrap().map.header().seed_word.clone();
    assert_eq!(word(), "two words");
    assert_eq!(catalogue::list(folder.path()).unwrap()[0].seed_word, "two words");
    rebuild::in_place(&path, StructureError::Empty).unwrap();
    assert_eq!(word(), "two words");

    let map = MapFile::open(&path).unwrap().map;
    map.state()
        .conn
        .execute("UPDATE meta SET record = x'0102' WHERE kind = ?1", [RecordKind::SeedWord as u8])
        .unwrap();
    map.close().unwrap();
    assert_eq!(word(), "");
    let report = verify(&path).unwrap();
    assert_eq!(report.bad.iter().map(|b| b.place.as_str()).collect::<Vec<_>>(), ["seed word"]);
    assert_eq!(repair(&path).unwrap().set_aside, report.bad);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn rebuild_leaves_out_seed_word_that_is_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let map = map_at(&path);
    let data = [0xFF; RecordKind::SeedWord.max_data()];
    let record = frame::seal(RecordKind::SeedWord, 1, 1, ChunkPos::default(), data.len(), &data);
    put_meta(&map.state().conn, RecordKind::SeedWord, &record).unwrap();
    map.close().unwrap();
    rebuild::in_place(&path, StructureError::Empty).unwrap();
    assert_eq!(MapFile::open_read_only(&path).unwrap().map.header().seed_word, "");
    assert!(verify(&path).unwrap().is_sound());
}

/// A crash during a rebuild, just before the new file takes the map's name.
#[test]
fn interrupted_rebuild_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let late = changes(&map, vec![(ChunkPos::new(3, 0, 0), striped(9))]);
    map.save(&late).unwrap();
    // The state after a killed process, with the last save only in the log.
    let copy = folder.path().join("copy.stonerun");
    for suffix in ["", "-wal"] {
        std::fs::copy(with_suffix(&path, suffix), with_suffix(&copy, suffix)).unwrap();
    }
    let kept = rebuild::keep_damaged(&copy).unwrap();
    let opened = MapFile::open(&copy).unwrap();
    assert_eq!(opened.damage, None);
    assert_eq!(opened.map.load(ChunkPos::new(3, 0, 0)).unwrap().as_ref(), Some(&striped(9)));
    drop(opened);
    // The second name leads to the complete map, too.
    let kept = MapFile::open(&kept).unwrap();
    assert_eq!(kept.map.load(ChunkPos::new(3, 0, 0)).unwrap().as_ref(), Some(&striped(9)));
}

/// A crash during a rebuild, just after the new file has taken the map's name, next to the old log.
#[test]
fn rebuilt_file_next_to_the_old_log_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let copy = folder.path().join("copy.stonerun");
    let mut map = map_at(&path);
    let late = changes(&map, vec![(ChunkPos::new(3, 0, 0), striped(9))]);
    map.save(&late).unwrap();
    for suffix in ["", "-wal"] {
        std::fs::copy(with_suffix(&path, suffix), with_suffix(&copy, suffix)).unwrap();
    }
    let log = std::fs::read(with_suffix(&copy, "-wal")).unwrap();
    rebuild::in_place(&copy, StructureError::Empty).unwrap();
    assert!(!has_log(&copy));
    std::fs::write(with_suffix(&copy, "-wal"), log).unwrap();
    let opened = MapFile::open(&copy).unwrap();
    for (pos, chunk) in row(1) {
        let expected = if pos.x == 3 { striped(9) } else { chunk };
        assert_eq!(opened.map.load(pos).unwrap().as_ref(), Some(&expected), "{pos}");
    }
}

/// Creates a map whose page with the schema is damaged, both in the file and in the log. The log
/// holds the chunks.
fn damaged_copy(folder: &Path) -> PathBuf {
    let path = folder.join("home.stonerun");
    let copy = folder.join("copy.stonerun");
    let map = map_at(&path);
    for suffix in ["", "-wal"] {
        std::fs::copy(with_suffix(&path, suffix), with_suffix(&copy, suffix)).unwrap();
    }
    drop(map);
    // Damages the page with the schema, both in the file and in the log.
    let mut bytes = std::fs::read(&copy).unwrap();
    bytes[100..4000].fill(0xEE);
    std::fs::write(&copy, bytes).unwrap();
    let log = with_suffix(&copy, "-wal");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[32 + 24 + 100..32 + 24 + 300].fill(0xEE);
    std::fs::write(&log, bytes).unwrap();
    copy
}

#[test]
fn rename_of_damaged_map_reports_the_repair() {
    let folder = tempfile::tempdir().unwrap();
    let copy = damaged_copy(folder.path());
    let error = catalogue::rename(&copy, "new").unwrap_err();
    assert!(matches!(error, SaveError::Repaired { .. }), "{error}");
    // After the repair the map can be renamed.
    let renamed = catalogue::rename(&copy, "new").unwrap();
    assert!(verify(&renamed).unwrap().is_sound());
}

#[test]
fn save_after_writer_closed_reports_closed() {
    let folder = tempfile::tempdir().unwrap();
    let map = map_at(&folder.path().join("home.stonerun"));
    let all = changes(&map, row(2));
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    writer.close().unwrap();
    writer.save(all);
    assert!(matches!(writer.poll(), Some(Err(SaveError::Closed { .. }))));
    assert!(!writer.busy() && writer.poll().is_none());
}

#[test]
fn put_chunk_uses_its_row_or_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let map = map_at(&folder.path().join("home.stonerun"));
    let pos = ChunkPos::new(99, 0, 0);
    let id = put_chunk(&map.state().conn, None, pos, 1, b"a").unwrap();
    assert_eq!(put_chunk(&map.state().conn, Some(id), pos, 2, b"b").unwrap(), id);
    assert_ne!(
        put_chunk(&map.state().conn, Some(id + 1000), ChunkPos::new(98, 0, 0), 1, b"c").unwrap(),
        id + 1000
    );
}
