//! Backups of maps: they are made while the map is open, the last three are kept, and restored.

use std::fs;
use std::path::Path;
use stonerun_engine::save::{
    Header, MapBuilder, MapChanges, MapFile, MapWriter, SaveError, backup, catalogue, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

const PLACE: ChunkPos = ChunkPos::new(1, -2, 3);

/// Saves one chunk of this material, with this save time.
fn save(map: &mut MapFile, material: u16, second: u64) {
    let header = Header { saved_unix: second, ..map.header().clone() };
    let chunks = vec![(PLACE, Chunk::uniform(Voxel::full(material)))];
    let materials = map.materials().clone();
    map.save(&MapChanges::new(chunks, header, materials)).unwrap();
}

fn home(folder: &Path) -> MapFile {
    let path = catalogue::path_of(folder, "home").unwrap();
    MapFile::create(&path, &Header::new(1, "void", 100), &MaterialTable::builtin()).unwrap()
}

fn material(path: &Path) -> u16 {
    let chunk = MapFile::open_read_only(path).unwrap().map.load(PLACE).unwrap().unwrap();
    chunk.as_uniform().unwrap().material()
}

fn seconds(path: &Path) -> Vec<u64> {
    backup::list(path).unwrap().iter().map(|copy| copy.saved_unix).collect()
}

#[test]
fn last_three_backups_are_kept_and_each_is_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(folder.path());
    let path = map.path().to_owned();
    assert!(seconds(&path).is_empty());
    for n in 1..6 {
        save(&mut map, n, 1000 + u64::from(n));
        let copy = backup::create(&map).unwrap();
        assert_eq!(backup::create(&map).unwrap(), copy, "an unchanged map needs no second backup");
    }
    assert_eq!(seconds(&path), [1005, 1004, 1003]);
    for copy in backup::list(&path).unwrap() {
        assert!(verify(&copy.path).unwrap().is_sound());
        assert_eq!(u64::from(material(&copy.path)) + 1000, copy.saved_unix);
        assert_eq!(copy.bytes, fs::metadata(&copy.path).unwrap().len());
    }
    // The title screen lists only the map, and other files in the folder are not backups.
    assert_eq!(catalogue::list(folder.path()).unwrap().len(), 1);
    let copies = folder.path().join("home.stonerun.backups");
    fs::write(copies.join("mine.stonerun"), "something").unwrap();
    assert_eq!(seconds(&path).len(), 3);
    assert_eq!(fs::read_dir(&copies).unwrap().count(), 4, "no unfinished copy may be left");
    // Backups move with the map.
    map.close().unwrap();
    let renamed = catalogue::rename(&path, "house").unwrap();
    assert_eq!((seconds(&path).len(), seconds(&renamed).len()), (0, 3));
    catalogue::delete(&renamed).unwrap();
    let left = folder.path().join("house.stonerun.backups");
    assert_eq!(fs::read_dir(left).unwrap().count(), 1, "files that are not backups stay");
}

#[test]
fn restoring_keeps_the_present_state_as_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(folder.path());
    let path = map.path().to_owned();
    save(&mut map, 1, 1001);
    backup::create(&map).unwrap();
    save(&mut map, 2, 1002);
    let first = backup::list(&path).unwrap().remove(0).path;
    assert!(
        matches!(backup::restore(&path, &first), Err(SaveError::InUse { .. })),
        "an open map cannot be restored"
    );
    assert_eq!((material(&path), seconds(&path)), (2, vec![1001]));
    map.close().unwrap();
    backup::restore(&path, &first).unwrap();
    assert!(verify(&path).unwrap().is_sound());
    assert_eq!((material(&path), seconds(&path)), (1, vec![1002, 1001]));
    let second = backup::list(&path).unwrap().remove(0).path;
    backup::restore(&path, &second).unwrap();
    assert_eq!(material(&path), 2);
    // An unreadable map can be replaced by a backup too, and is kept as a file.
    fs::write(&path, "nothing").unwrap();
    backup::restore(&path, &first).unwrap();
    assert_eq!(material(&path), 1);
    assert_eq!(fs::read(folder.path().join("home.stonerun.damaged")).unwrap(), b"nothing");
    // A damaged backup is not restored.
    fs::write(&second, "nothing").unwrap();
    assert!(backup::restore(&path, &second).is_err());
    assert_eq!(material(&path), 1);
    assert!(!folder.path().join("home.stonerun.restored").exists());
}

#[test]
fn backups_outlive_a_deleted_map() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(folder.path());
    let path = map.path().to_owned();
    for n in [1, 2] {
        save(&mut map, n, 1000 + u64::from(n));
        backup::create(&map).unwrap();
    }
    map.close().unwrap();
    let take_away = || fs::remove_file(&path).unwrap();
    assert!(!catalogue::list(folder.path()).unwrap().remove(0).gone);
    take_away();
    // A folder with a matching name but without backups does not count as a deleted map.
    for other in ["a.backups", "b.stonerun.backups"] {
        fs::create_dir(folder.path().join(other)).unwrap();
    }
    let listed = catalogue::list(folder.path()).unwrap();
    let [gone] = &listed[..] else { panic!("{listed:?}") };
    // A map builder refuses the name, so that it does not take over the backups. Deleting a new map
    // leaves them.
    let header = Header::new(1, "void", 100);
    let begun = MapBuilder::new(&path, &header, &MaterialTable::builtin());
    assert!(matches!(begun, Err(SaveError::BackupsLeft { .. })), "{begun:?}");
    MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap().close().unwrap();
    catalogue::delete_new(&path).unwrap();
    assert_eq!((path.exists(), seconds(&path)), (false, vec![1002, 1001]));
    assert!(
        gone.gone && gone.path == path && gone.name == "home" && gone.saved_unix == 1002,
        "{gone:?}"
    );
    let oldest = backup::list(&path).unwrap().pop().unwrap().path;
    backup::restore(&path, &oldest).unwrap();
    assert_eq!((material(&path), seconds(&path)), (1, vec![1002, 1001]));
    assert!(!catalogue::list(folder.path()).unwrap().remove(0).gone);
    // Deleting removes the backups. Without backups there is nothing to delete or restore.
    take_away();
    // The map's file may have come back, which prevents the deletion.
    let there = |name: &str| fs::write(folder.path().join(name), "something").unwrap();
    there("home.stonerun");
    assert!(matches!(catalogue::delete_backups(&path), Err(SaveError::Exists { .. })));
    take_away();
    there("home.stonerun-wal");
    catalogue::delete_backups(&path).unwrap();
    assert!(catalogue::list(folder.path()).unwrap().is_empty());
    assert!(folder.path().join("home.stonerun-wal").exists());
    assert!(matches!(catalogue::delete(&path), Err(SaveError::NotFound { .. })));
    assert!(matches!(backup::restore(&path, &oldest), Err(SaveError::NotFound { .. })));
}

#[test]
fn backup_is_made_before_a_session_overwrites_anything() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = home(folder.path());
    let path = map.path().to_owned();
    save(&mut map, 1, 1001);
    let header = map.header().clone();
    let materials = map.materials().clone();
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    let save = |second, pos, material| {
        let header = Header { saved_unix: second, ..header.clone() };
        let chunks = vec![(pos, Chunk::uniform(Voxel::full(material)))];
        writer.save(MapChanges::new(chunks, header, materials.clone()));
    };
    // A new chunk overwrites nothing, so no backup is made.
    save(1002, ChunkPos::new(7, 7, 7), 5);
    save(1003, PLACE, 2);
    save(1004, PLACE, 3);
    let closed = writer.close().unwrap();
    assert!(closed.backup_error.is_none() && closed.report.is_some());
    assert_eq!((material(&path), seconds(&path)), (3, vec![1002]));
    assert_eq!(material(&backup::list(&path).unwrap()[0].path), 1);
}
