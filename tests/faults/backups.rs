//! Backups on a disk that changes stored bytes.

use super::disk::{Disk, Image};
use super::maps::{NAME, base, changes, compare, lay_out};
use super::vfs;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stonerun_engine::save::{MapFile, backup};

/// A map after its third save, with a backup of the second.
struct MapWithBackup {
    path: PathBuf,
    backup: PathBuf,
    disk: Arc<Disk>,
}

impl MapWithBackup {
    /// Creates map and backup in `folder`. The disk watches the folder of backups.
    fn new(folder: &Path) -> MapWithBackup {
        lay_out(&base(2), folder);
        let path = folder.canonicalize().unwrap().join(NAME);
        let mut map = MapFile::open(&path).unwrap().map;
        let backup = backup::create(&map).unwrap().path;
        map.save(&changes(3)).unwrap();
        map.close().unwrap();
        let disk = Arc::new(Disk::new(1, &Image::new()));
        vfs::watch(backup.parent().unwrap(), &disk);
        MapWithBackup { path, backup, disk }
    }

    fn held_save(&self) -> u64 {
        compare(&MapFile::open_read_only(&self.path).unwrap(), 2, 3).unwrap()
    }

    fn backup_count(&self) -> usize {
        backup::list(&self.path).unwrap().len()
    }
}

/// Flips a bit in the checksum of every chunk record of a map file.
fn spoil(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let records: Vec<usize> =
        (0..bytes.len() - 32).filter(|at| bytes[*at..].starts_with(b"SR\x03")).collect();
    assert!(!records.is_empty());
    for record in records {
        bytes[record + 28] ^= 0x10;
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn backup_that_changes_on_the_disk_stops_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let map = MapWithBackup::new(folder.path());
    backup::restore(&map.path, &map.backup).unwrap();
    assert_eq!((map.held_save(), map.backup_count()), (2, 2));
    let last_change = map.disk.changes() - 1;

    let folder = tempfile::tempdir().unwrap();
    let map = MapWithBackup::new(folder.path());
    let unfinished = map.backup.with_file_name("unfinished");
    map.disk.run_before(last_change, move || spoil(&unfinished));
    let error = backup::restore(&map.path, &map.backup).unwrap_err().to_string();
    assert!(error.contains("the backup that was just made differs from the map"), "{error}");
    assert_eq!((map.held_save(), map.backup_count()), (3, 1));
    assert_eq!(fs::read_dir(map.backup.parent().unwrap()).unwrap().count(), 1);
    backup::restore(&map.path, &map.backup).unwrap();
    assert_eq!((map.held_save(), map.backup_count()), (2, 2));
}
