//! A map's file, log, lock or folder is moved, deleted or replaced while the map is open. This must
//! be reported, nothing may be lost, and other files must stay untouched. Windows does not allow
//! this for an open file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stonerun_engine::save::{
    Header, MapChanges, MapFile, MapWriter, SaveError, SaveReport, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

fn chunk(x: u16) -> Chunk {
    Chunk::uniform(Voxel::full(x))
}

fn at(x: u16) -> ChunkPos {
    ChunkPos::new(i32::from(x), 0, 0)
}

/// A change of only the chunk `x`.
fn changes(x: u16) -> MapChanges {
    let header = Header::new(1, "flat", 1000);
    let materials = MaterialTable::builtin();
    MapChanges::new(vec![(at(x), chunk(x))], header, materials)
}

/// An open map at `path` that holds chunk 1.
fn new_map(path: &Path) -> MapFile {
    let mut map =
        MapFile::create(path, &Header::new(1, "flat", 1000), &MaterialTable::builtin()).unwrap();
    map.save(&changes(1)).unwrap();
    map
}

/// Saves chunk `x`.
fn save(writer: &MapWriter, x: u16) -> Result<SaveReport, SaveError> {
    writer.save(changes(x));
    let started = Instant::now();
    loop {
        if let Some(result) = writer.poll() {
            return result;
        }
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Asserts that the map at `path` is sound and holds exactly the chunks 1 to `last`.
fn must_hold(path: &Path, last: u16) {
    assert!(verify(path).unwrap().is_sound());
    let opened = MapFile::open_read_only(path).unwrap();
    assert_eq!(opened.damage, None);
    assert!(opened.map.positions().into_iter().eq((1..=last).map(at)));
    for x in 1..=last {
        assert_eq!(opened.map.load(at(x)).unwrap(), Some(chunk(x)));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    all.sort();
    all
}

struct Sandbox {
    _folder: tempfile::TempDir,
    folder: PathBuf,
    path: PathBuf,
}

fn place() -> Sandbox {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("saves");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("home.stonerun");
    Sandbox { _folder: outside, folder, path }
}

#[test]
fn saving_continues_when_the_file_comes_back() {
    let Sandbox { folder, path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    let away = folder.join("away");
    fs::rename(path, &away).unwrap();
    let error = save(&writer, 2).unwrap_err();
    assert!(matches!(error, SaveError::Gone { .. }));
    let line = format!(
        "{}: cannot save: the map's file was moved or deleted; put it back, or the next save writes the whole map again",
        path.display()
    );
    assert_eq!((error.to_string(), writer.unsaved()), (line, 1));
    fs::rename(&away, path).unwrap();
    let report = save(&writer, 3).unwrap();
    assert_eq!((report.chunks_written, report.recreated, writer.unsaved()), (2, false, 0));
    writer.close().unwrap();
    must_hold(path, 3);
    assert_eq!(names(folder), ["home.stonerun"]);
}

#[test]
fn deleted_file_is_written_again() {
    let Sandbox { folder, path, .. } = &place();
    let map = new_map(path);
    let reader = map.reader().unwrap();
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    // Removes the file with its log, as `rm home*` does, and the lock that keeps other games out.
    for name in names(folder).iter() {
        fs::remove_file(folder.join(name)).unwrap();
    }
    assert!(matches!(save(&writer, 2), Err(SaveError::Gone { .. })));
    assert_eq!(reader.load(at(1)).unwrap(), Some(chunk(1)), "chunks must stay readable");
    let report = save(&writer, 3).unwrap();
    assert_eq!((report.chunks_written, report.totals.chunks, report.recreated), (2, 3, true));
    assert!(!save(&writer, 4).unwrap().recreated);
    for x in 1..=4 {
        assert_eq!(reader.load(at(x)).unwrap(), Some(chunk(x)));
    }
    must_hold(path, 4);
    assert!(
        matches!(MapFile::open(path), Err(SaveError::InUse { .. })),
        "the map must be locked again"
    );
    writer.close().unwrap();
    must_hold(path, 4);
    assert_eq!(names(folder), ["home.stonerun"]);
}

/// Leaving the map tries to save a last time, which writes the whole map.
#[test]
fn leaving_writes_a_deleted_map_again() {
    let Sandbox { path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    fs::remove_file(path).unwrap();
    writer.save(changes(2));
    assert!(writer.close().unwrap().report.unwrap().recreated);
    must_hold(path, 2);
}

/// If there is nothing to save, only closing detects the deletion.
#[test]
fn closing_a_deleted_map_reports_it() {
    let Sandbox { folder, path, .. } = &place();
    let map = new_map(path);
    fs::rename(path, folder.join("away.stonerun")).unwrap();
    assert!(matches!(map.close(), Err(SaveError::Gone { .. })));
    must_hold(&folder.join("away.stonerun"), 1);
}

#[test]
fn file_that_took_the_maps_place_is_not_touched() {
    let Sandbox { folder, path, .. } = &place();
    let other = folder.join("other.stonerun");
    let mut theirs = new_map(&other);
    theirs.save(&changes(9)).unwrap();
    theirs.close().unwrap();
    let bytes = fs::read(&other).unwrap();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    fs::rename(&other, path).unwrap();
    for _ in 0..3 {
        let error = save(&writer, 2).unwrap_err();
        let line = "cannot save: another file has taken the map's name; saving resumes when it is moved away";
        assert_eq!(error.to_string(), format!("{}: {line}", path.display()));
    }
    assert!(writer.close().is_err() && fs::read(path).unwrap() == bytes);
    // Files that belong to the other file, by their names, are left alone.
    fs::remove_file(folder.join("home.stonerun-wal")).unwrap();
    fs::write(folder.join("home.stonerun-wal"), b"theirs").unwrap();
    drop(writer);
    assert_eq!(
        (fs::read(path).unwrap(), fs::read(folder.join("home.stonerun-wal")).unwrap()),
        (bytes, b"theirs".into())
    );
}

#[test]
fn map_is_written_again_when_the_other_file_is_moved_away() {
    let Sandbox { folder, path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    fs::remove_file(path).unwrap();
    fs::write(path, b"something else").unwrap();
    assert!(matches!(save(&writer, 2), Err(SaveError::Replaced { .. })));
    fs::rename(path, folder.join("else")).unwrap();
    assert!(matches!(save(&writer, 3), Err(SaveError::Gone { .. })), "the file might come back");
    assert!(save(&writer, 4).unwrap().recreated);
    writer.close().unwrap();
    must_hold(path, 4);
    assert_eq!(names(folder), ["else", "home.stonerun"]);
}

/// A crash after the deletion loses content that was only in the log, but no later save.
#[test]
fn deleted_log_is_created_again() {
    let Sandbox { folder, path, .. } = &place();
    let map = new_map(path);
    let reader = map.reader().unwrap();
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    fs::remove_file(folder.join("home.stonerun-wal")).unwrap();
    save(&writer, 2).unwrap();
    assert_eq!(reader.load(at(1)).unwrap(), Some(chunk(1)));
    save(&writer, 3).unwrap();
    // The files that a crash would leave.
    let crashed = folder.join("crashed.stonerun");
    fs::copy(path, &crashed).unwrap();
    fs::copy(folder.join("home.stonerun-wal"), folder.join("crashed.stonerun-wal")).unwrap();
    must_hold(&crashed, 3);
    assert_eq!(reader.load(at(3)).unwrap(), Some(chunk(3)));
    writer.close().unwrap();
    must_hold(path, 3);
}

#[test]
fn saving_continues_when_the_folder_comes_back() {
    let Sandbox { folder, path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    let away = folder.with_file_name("away");
    fs::rename(folder, &away).unwrap();
    for _ in 0..3 {
        let error = save(&writer, 2).unwrap_err().to_string();
        let line = "cannot save: the map's folder or disk is gone; saving resumes when it is back";
        assert_eq!(error, format!("{}: {line}", path.display()));
    }
    fs::rename(&away, folder).unwrap();
    save(&writer, 3).unwrap();
    writer.close().unwrap();
    must_hold(path, 3);
}

#[test]
fn recreated_folder_gets_the_map() {
    let Sandbox { folder, path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    fs::remove_dir_all(folder).unwrap();
    assert!(matches!(save(&writer, 2), Err(SaveError::FolderGone { .. })));
    fs::create_dir(folder).unwrap();
    assert!(matches!(save(&writer, 3), Err(SaveError::Gone { .. })));
    assert!(save(&writer, 4).unwrap().recreated);
    writer.close().unwrap();
    must_hold(path, 4);
}

#[test]
fn deleted_lock_is_taken_again() {
    let Sandbox { folder, path, .. } = &place();
    let mut writer = MapWriter::spawn(new_map(path), || ()).unwrap();
    fs::remove_file(folder.join("home.stonerun-lock")).unwrap();
    save(&writer, 2).unwrap();
    assert!(matches!(MapFile::open(path), Err(SaveError::InUse { .. })));
    writer.close().unwrap();
    must_hold(path, 2);
}
