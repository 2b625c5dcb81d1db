//! Copies of a map beside it: the last three forms that saves replaced.
//!
//! The [`MapWriter`](super::MapWriter) makes one before the first save of a session that writes over what was there, and before one every ten
//! minutes after that: so a copy is of what there was before one began. One that fails is tried again a minute later.
//!
//! A map that is damaged is mended from itself; a copy is for what was lost by hand: a village dug away, a wrong import. SQLite's
//! own backup interface makes it, of one moment, while the map is open. It is written under another name first, so that a
//! copy is whole or not there.
//!
//! `NAME.stonerun` has its copies in `NAME.stonerun.backups/`, each a map of its own, called by the second of the save that
//! it holds. The title screen does not look there, and whoever finds one may open it.

use super::catalogue::EXTENSION;
use super::error::SaveError;
use super::files::{give_name, sync_folder};
use super::lock::MapLock;
use super::map::{MapFile, must_be_file};
use super::rebuild;
use super::schema::{self, beside};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Copies that are kept of a map.
pub const KEPT: usize = 3;
/// Pages copied at a time.
const STEP: i32 = 4096;
/// What a copy is called until it is whole.
const UNFINISHED: &str = "unfinished";

/// A copy of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackupFile {
    /// The file.
    pub path: PathBuf,
    /// When what it holds was saved, seconds since 1970 UTC.
    pub saved_unix: u64,
    /// Its size.
    pub bytes: u64,
}

/// What the folder of a map's copies is called, after the map's file.
const FOLDER: &str = ".backups";

fn folder_of(map: &Path) -> PathBuf {
    beside(map, FOLDER)
}

/// The map whose copies the folder `path` is for, by its name; whether there are such is another question.
pub(super) fn map_of(path: &Path) -> Option<PathBuf> {
    let map = path.with_file_name(path.file_name()?.to_str()?.strip_suffix(FOLDER)?);
    (map.extension() == Some(OsStr::new(EXTENSION))).then_some(map)
}

/// True if the map at `map` has copies and is not there itself.
pub(super) fn is_all_that_is_left(map: &Path) -> bool {
    matches!(map.try_exists(), Ok(false)) && list(map).is_ok_and(|copies| !copies.is_empty())
}

/// The copies of the map at `map`, the latest first; none where there is no folder of them.
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
    all.sort_by_key(|copy| std::cmp::Reverse(copy.saved_unix));
    Ok(all)
}

/// Copies the map as it was last saved, and deletes the oldest copies until three are left. Nothing is done where its last
/// save is copied already.
///
/// # Errors
/// The copy cannot be written; the map and the other copies are as they were.
pub fn create(map: &MapFile) -> Result<BackupFile, SaveError> {
    let folder = folder_of(map.path());
    match fs::create_dir(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(SaveError::io(&folder, "make a folder for backups")(e));
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
    schema::remove_logs(&unfinished);
    let copied = copy(&map.conn, &unfinished).and_then(|()| {
        give_name(&unfinished, &path)?;
        path.metadata().map_err(SaveError::io(&path, "read the backup's size"))
    });
    let meta = copied.inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
        schema::remove_logs(&unfinished);
    })?;
    // One that cannot be deleted now can be the next time.
    list(map.path())?.into_iter().skip(KEPT).for_each(|old| _ = fs::remove_file(old.path));
    Ok(BackupFile { path, saved_unix, bytes: meta.len() })
}
/// Copies the whole database into a new file.
fn copy(from: &Connection, to: &Path) -> Result<(), SaveError> {
    let fail = |e| SaveError::sqlite(to, "make a backup of the map")(e);
    let mut target = Connection::open(to).map_err(fail)?;
    target.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
    Backup::new(from, &mut target)
        .and_then(|backup| backup.run_to_completion(STEP, Duration::ZERO, None))
        .map_err(fail)?;
    // The copy of a map that is open says so; alone it is one plain file.
    schema::end_writing(&target).map_err(fail)?;
    target.close().map_err(|(_, e)| fail(e))
}

/// Puts a copy in the place of its map. The map as it is becomes a copy itself, so that one can go back; it need not be there.
///
/// # Errors
/// The map is open, the copy is no sound map, or a file cannot be written. Then the map is as it was.
pub fn restore(map: &Path, copy: &Path) -> Result<(), SaveError> {
    let gone = is_all_that_is_left(map);
    if !gone {
        must_be_file(map)?;
    }
    let opened = MapFile::open_read_only(copy)?;
    if let Some(damage) = opened.damage {
        return Err(SaveError::NotAMap { path: copy.to_owned(), reason: damage.to_string() });
    }
    opened.map.close()?;
    // In the map's own folder, from where it can take the map's place in one step.
    let fresh = beside(map, ".restored");
    let place = || {
        fs::copy(copy, &fresh)
            .and_then(|_| fs::File::open(&fresh)?.sync_all())
            .map_err(SaveError::io(&fresh, "copy the backup"))?;
        if !gone {
            keep_present(map)?;
        }
        let _lock = MapLock::take(map)?;
        if gone && map.exists() {
            return Err(SaveError::Exists { path: map.to_owned() });
        }
        schema::remove_logs(map);
        fs::rename(&fresh, map).map_err(SaveError::io(map, "put the backup in the map's place"))?;
        sync_folder(map);
        Ok(())
    };
    place().inspect_err(|_| _ = fs::remove_file(&fresh))
}

/// Makes a copy of the map as it is, what lies in its log included.
fn keep_present(map: &Path) -> Result<(), SaveError> {
    match MapFile::open(map) {
        Ok(now) => {
            create(&now.map)?;
            now.map.close()
        }
        // Nothing of it can be read, but it is not for us to throw away.
        Err(SaveError::NotAMap { .. }) => rebuild::keep(map).map(drop),
        Err(other) => Err(other),
    }
}

/// Moves the copies of a map with it to another name. Where that fails they stay where they are.
pub(super) fn renamed(from: &Path, to: &Path) {
    let _ = fs::rename(folder_of(from), folder_of(to));
}

/// Deletes the copies of a map that is deleted.
pub(super) fn delete_all(map: &Path) {
    for copy in list(map).unwrap_or_default() {
        let _ = fs::remove_file(copy.path);
    }
    // Whatever else somebody has put there stays, and the folder with it.
    let _ = fs::remove_dir(folder_of(map));
}
