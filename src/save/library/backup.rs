//! Backups of a map: the last three states that saves replaced.
//!
//! [`MapWriter`](crate::save::MapWriter) makes a backup before the first save of a session that
//! overwrites chunks, and then before such a save every ten minutes. A failed backup is retried a
//! minute later.
//!
//! A damaged map is repaired from itself; backups are for what the player lost: a village dug away,
//! a wrong import. SQLite's own backup interface copies one moment of the open map. The copy gets
//! its name when it is complete.
//!
//! The backups of `NAME.stonerun` lie in `NAME.stonerun.backups/`. Each is a map of its own, named
//! after the second of the save that it holds. The title screen does not list that folder, but each
//! backup can be opened like any map.

use super::files::{publish, remove_logs, require_file, sync_folder, with_suffix};
use super::lock::MapLock;
use super::map_name::EXTENSION;
use crate::save::error::SaveError;
use crate::save::map::connection::end_writing;
use crate::save::map::map_file::MapFile;
use crate::save::recovery::rebuild::keep_damaged;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most backups kept per map.
pub const MAX_BACKUPS: usize = 3;
/// Pages copied at a time.
const PAGES_PER_STEP: i32 = 4096;
/// File name of a backup until it is complete.
const UNFINISHED: &str = "unfinished";
/// Suffix of the folder of a map's backups.
const FOLDER_SUFFIX: &str = ".backups";

/// A backup of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackupFile {
    /// The file.
    pub path: PathBuf,
    /// Time of the save that it holds, seconds since 1970 UTC.
    pub saved_unix: u64,
    /// Size of the file.
    pub bytes: u64,
}

fn folder_of(map: &Path) -> PathBuf {
    with_suffix(map, FOLDER_SUFFIX)
}

/// The map whose backups belong into the folder `path`, by the folder's name. The map need not
/// exist.
pub(super) fn map_of_folder(path: &Path) -> Option<PathBuf> {
    let map = path.with_file_name(path.file_name()?.to_str()?.strip_suffix(FOLDER_SUFFIX)?);
    (map.extension() == Some(OsStr::new(EXTENSION))).then_some(map)
}

/// True if the map at `map` is gone and has backups.
pub(super) fn only_backups_left(map: &Path) -> bool {
    matches!(map.try_exists(), Ok(false)) && list(map).is_ok_and(|backups| !backups.is_empty())
}

/// The backups of the map at `map`, the latest first; empty if there is no folder of backups.
///
/// # Errors
/// The folder cannot be read.
pub fn list(map: &Path) -> Result<Vec<BackupFile>, SaveError> {
    let folder = folder_of(map);
    let fail = |e| SaveError::io(&folder, "list the map's backups")(e);
    let files = match fs::read_dir(&folder) {
        Ok(files) => files,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => return Err(fail(e)),
    };
    let mut all = Vec::new();
    for file in files {
        let path = file.map_err(fail)?.path();
        let second = path.file_stem().and_then(OsStr::to_str).and_then(|name| name.parse().ok());
        if let (Some(saved_unix), Ok(meta)) =
            (second.filter(|_| path.extension() == Some(OsStr::new(EXTENSION))), path.metadata())
        {
            all.push(BackupFile { path, saved_unix, bytes: meta.len() });
        }
    }
    all.sort_by_key(|backup| std::cmp::Reverse(backup.saved_unix));
    Ok(all)
}

/// Backs up the map as of its last save, and deletes the oldest backups until three are left. Does
/// nothing if the last save is already backed up.
///
/// # Errors
/// The backup cannot be written. The map and the other backups are unchanged.
pub fn create(map: &MapFile) -> Result<BackupFile, SaveError> {
    let folder = folder_of(map.path());
    match fs::create_dir(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(SaveError::io(&folder, "create a folder for backups")(e));
        }
        _ => {}
    }
    let saved_unix = map.header().saved_unix;
    let path = folder.join(format!("{saved_unix}.{EXTENSION}"));
    if let Ok(meta) = path.metadata() {
        return Ok(BackupFile { path, saved_unix, bytes: meta.len() });
    }
    let unfinished = folder.join(UNFINISHED);
    let _ = fs::remove_file(&unfinished);
    remove_logs(&unfinished);
    let copied = copy_database(&map.state().conn, &unfinished).and_then(|()| {
        publish(&unfinished, &path)?;
        path.metadata().map_err(SaveError::io(&path, "read the backup's size"))
    });
    let meta = copied.inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
        remove_logs(&unfinished);
    })?;
    // If one cannot be deleted, the next backup tries again.
    list(map.path())?.into_iter().skip(MAX_BACKUPS).for_each(|old| _ = fs::remove_file(old.path));
    Ok(BackupFile { path, saved_unix, bytes: meta.len() })
}

/// Copies the whole database into a new file.
fn copy_database(from: &Connection, to: &Path) -> Result<(), SaveError> {
    let fail = |e| SaveError::sqlite(to, "make a backup of the map")(e);
    let mut target = Connection::open(to).map_err(fail)?;
    target.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
    Backup::new(from, &mut target)
        .and_then(|backup| backup.run_to_completion(PAGES_PER_STEP, Duration::ZERO, None))
        .map_err(fail)?;
    // The copy of an open map is in WAL mode; the backup is one plain file.
    end_writing(&target).map_err(fail)?;
    target.close().map_err(|(_, e)| fail(e))
}

/// Puts a backup in the place of its map. The present map becomes a backup itself, so restoring can
/// be undone. The map need not exist.
///
/// # Errors
/// The map is open, the backup is damaged, or a file cannot be written. The map is unchanged then.
pub fn restore(map: &Path, backup: &Path) -> Result<(), SaveError> {
    let gone = only_backups_left(map);
    if !gone {
        require_file(map)?;
    }
    let opened = MapFile::open_read_only(backup)?;
    if let Some(damage) = opened.damage {
        return Err(SaveError::DamagedBackup { path: backup.to_owned(), damage: Box::new(damage) });
    }
    opened.map.close()?;
    // In the map's own folder, so that it can take the map's name in one step.
    let restored = with_suffix(map, ".restored");
    let replace = || {
        fs::copy(backup, &restored)
            .and_then(|_| fs::File::open(&restored)?.sync_all())
            .map_err(SaveError::io(&restored, "copy the backup"))?;
        if !gone {
            back_up_present(map)?;
        }
        let _lock = MapLock::acquire(map)?;
        if gone && map.exists() {
            return Err(SaveError::Exists { path: map.to_owned() });
        }
        remove_logs(map);
        fs::rename(&restored, map).map_err(SaveError::io(map, "put the backup in the map's place"))?;
        sync_folder(map);
        Ok(())
    };
    replace().inspect_err(|_| _ = fs::remove_file(&restored))
}

/// Backs up the present map, including its log.
fn back_up_present(map: &Path) -> Result<(), SaveError> {
    match MapFile::open(map) {
        Ok(present) => {
            create(&present.map)?;
            present.map.close()
        }
        // Nothing in it is readable, but it must not be thrown away.
        Err(SaveError::NotAMap { .. }) => keep_damaged(map).map(drop),
        Err(other) => Err(other),
    }
}

/// Renames the folder of backups along with its map. If that fails, the backups stay where they
/// are.
pub(super) fn rename_folder(from: &Path, to: &Path) {
    let _ = fs::rename(folder_of(from), folder_of(to));
}

/// Deletes the backups of a deleted map.
pub(super) fn delete_all(map: &Path) {
    for backup in list(map).unwrap_or_default() {
        let _ = fs::remove_file(backup.path);
    }
    // Files of other programs stay, and with them the folder.
    let _ = fs::remove_dir(folder_of(map));
}
