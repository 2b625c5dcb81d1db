//! Maps that are opened, renamed, deleted and restored by a symbolic link to them.

use super::*;
use crate::save::library::MapBuilder;
use std::fs;
use std::os::unix::fs::symlink;

/// Creates a map in a folder of its own, and returns its path and the path of a link to it.
fn linked_map(folder: &Path) -> (PathBuf, PathBuf) {
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let path = elsewhere.join("home.stonerun");
    map_at(&path).close().unwrap();
    let link = folder.join("link.stonerun");
    symlink(&path, &link).unwrap();
    (path, link)
}

#[test]
fn link_to_an_open_map_cannot_be_renamed_or_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = linked_map(folder.path());
    let map = MapFile::open(&link).unwrap().map;
    let renamed = catalogue::rename(&link, "new");
    assert!(matches!(renamed, Err(SaveError::InUse { .. })), "{renamed:?}");
    let deleted = catalogue::delete(&link);
    assert!(matches!(deleted, Err(SaveError::InUse { .. })), "{deleted:?}");
    assert_eq!(fs::read_link(&link).unwrap(), path);
    map.close().unwrap();
    let renamed = catalogue::rename(&link, "new").unwrap();
    assert_eq!(fs::read_link(&renamed).unwrap(), path);
    catalogue::delete(&renamed).unwrap();
    assert!(!renamed.is_symlink() && verify(&path).unwrap().is_sound());
}

#[test]
fn name_of_a_link_is_taken_for_the_map_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let map = map_at(&path);
    backup::create(&map).unwrap();
    map.close().unwrap();
    let link = folder.path().join("link.stonerun");
    symlink("home.stonerun", &link).unwrap();
    let other_link = folder.path().join("other.stonerun");
    symlink("home.stonerun", &other_link).unwrap();
    // A link to a disk that is not there.
    let away = folder.path().join("away.stonerun");
    symlink("/nowhere/away.stonerun", &away).unwrap();
    for (from, name) in
        [(&path, "link"), (&link, "home"), (&link, "other"), (&path, "away"), (&link, "away")]
    {
        let renamed = catalogue::rename(from, name);
        assert!(matches!(renamed, Err(SaveError::Exists { .. })), "{name}: {renamed:?}");
    }
    let begun = MapBuilder::new(&away, &Header::new(1, "void", 0), &MaterialTable::builtin());
    assert!(matches!(begun, Err(SaveError::Exists { .. })), "{begun:?}");
    assert!(verify(&path).unwrap().is_sound() && !path.is_symlink());
    assert!([&link, &other_link, &away].iter().all(|link| link.is_symlink()));
    assert_eq!(backup::list(&path).unwrap().len(), 1);
    // The present name is no other name.
    assert_eq!(catalogue::rename(&path, "home").unwrap(), path);
    assert_eq!(catalogue::rename(&link, "link").unwrap(), link);
}

#[test]
fn backups_of_a_linked_map_are_listed_and_restored_into_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = linked_map(folder.path());
    let mut map = MapFile::open(&link).unwrap().map;
    let copy = backup::create(&map).unwrap();
    let next = changes(&map, row(5));
    map.save(&next).unwrap();
    map.close().unwrap();
    assert_eq!(backup::list(&link).unwrap(), std::slice::from_ref(&copy));
    backup::restore(&link, &copy.path).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), path);
    let restored = MapFile::open(&path).unwrap().map;
    assert!(row(1).iter().all(|(pos, chunk)| restored.load(*pos).unwrap().as_ref() == Some(chunk)));
    restored.close().unwrap();
    assert_eq!(backup::list(&link).unwrap().len(), 2);
    // The backups belong to the map and not to the link.
    catalogue::delete(&link).unwrap();
    assert_eq!(backup::list(&path).unwrap().len(), 2);
}

#[test]
fn damaged_map_is_rebuilt_in_memory_with_the_log_next_to_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let copy = damaged_copy(folder.path());
    let link = folder.path().join("link.stonerun");
    symlink(&copy, &link).unwrap();
    let opened = MapFile::open_read_only(&link).unwrap();
    assert!(opened.damage.is_some());
    for (pos, chunk) in row(1) {
        assert_eq!(opened.map.load(pos).unwrap(), Some(chunk), "{pos}");
    }
}
