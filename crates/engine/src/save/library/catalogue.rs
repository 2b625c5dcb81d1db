//! The catalogue of a folder: its maps, which the title screen lists, renames and deletes.

use super::backup;
use super::map_name::name_of;
use crate::save::error::SaveError;
use crate::save::file::companion_files::{
    follow_link, has_log, log_bytes, remove_logs, with_suffix,
};
use crate::save::file::connection::open_read_only;
use crate::save::file::file_identity::FileId;
use crate::save::file::lock::MapLock;
use crate::save::file::publish::{is_taken, require_file};
use crate::save::format::unix_time::unix_now;
use crate::save::map::map_file::MapFile;
use crate::save::tables::inspect::{InspectError, check_schema, header};
use crate::save::tables::rows::read_picture;
use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

pub use super::map_name::{EXTENSION, name_from, path_of, short_name, valid_name};

/// Maximum number of seconds that a save may lie in the future, for clocks of other computers and
/// for time zones. A save still later was made while a clock was wrong.
const MAX_CLOCK_ERROR: u64 = 24 * 3600;

/// A map in a folder.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MapEntry {
    /// Name of the map: the file's name without its extension.
    pub name: String,
    /// The map's file.
    pub path: PathBuf,
    /// Size of the file and its log in bytes.
    pub bytes: u64,
    /// Time of the last save, in seconds since 1970 UTC; 0 if unknown.
    pub saved_unix: u64,
    /// Number of the last save; 0 if unknown.
    pub revision: u32,
    /// Picture for the title screen, as PNG.
    pub picture: Option<Vec<u8>>,
    /// Kind of terrain.
    pub terrain: String,
    /// Seed of the terrain.
    pub seed: u64,
    /// The word that the seed was made from, if any.
    pub seed_word: String,
    /// True if the file is write-protected: the map is read-only.
    pub read_only: bool,
    /// Reason why some of these fields are unknown. The map may still open, because opening repairs
    /// it.
    pub problem: Option<String>,
    /// True if the file is gone and only backups are left. The other fields then describe the
    /// latest backup.
    pub gone: bool,
}

impl MapEntry {
    /// Returns a number that changes with every save, even within a second, so that callers can
    /// invalidate caches of the map's content.
    #[must_use]
    pub fn version(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.revision, self.saved_unix, self.bytes).hash(&mut hasher);
        hasher.finish()
    }
}

/// Lists the maps in `folder`, the last saved first, with maps of which only backups are left. Maps
/// with a save in the future come after all others. Reads only the header and the picture of each
/// map.
///
/// # Errors
/// The folder cannot be read. An unreadable map is no error: its entry has a problem.
pub fn list(folder: &Path) -> Result<Vec<MapEntry>, SaveError> {
    let fail = |e| SaveError::io(folder, "list the maps in it")(e);
    let mut maps = Vec::new();
    for file in fs::read_dir(folder).map_err(fail)? {
        let path = file.map_err(fail)?.path();
        if path.extension() == Some(OsStr::new(EXTENSION)) && path.is_file() {
            maps.push(read_entry(path));
        } else if let Some(map) = backup::map_of_folder(&path).filter(|map| !map.exists()) {
            maps.extend(gone_map(map));
        }
    }
    sort(&mut maps, unix_now());
    Ok(maps)
}

/// Sorts maps by their last save, the latest first, at the time `now`.
///
/// A map that was saved while the clock was ahead must not precede a map that was saved since, so
/// maps with a save in the future come last.
fn sort(maps: &mut [MapEntry], now: u64) {
    let latest = now.saturating_add(MAX_CLOCK_ERROR);
    maps.sort_by(|a, b| {
        let is_future = |map: &MapEntry| map.saved_unix > latest;
        let by_time =
            is_future(a).cmp(&is_future(b)).then(Reverse(a.saved_unix).cmp(&Reverse(b.saved_unix)));
        by_time.then_with(|| a.name.cmp(&b.name))
    });
}

fn read_entry(path: PathBuf) -> MapEntry {
    let metadata = fs::metadata(&path);
    let bytes = metadata.as_ref().map_or(0, fs::Metadata::len) + log_bytes(&follow_link(&path));
    let read_only = metadata.is_ok_and(|m| m.permissions().readonly());
    let mut entry =
        MapEntry { name: name_of(&path), bytes, read_only, path, ..MapEntry::default() };
    entry.problem = read_header_and_picture(&mut entry).err().map(|error| error.to_string());
    entry
}

/// Describes a map whose file is gone; `None` if it has no backups.
fn gone_map(path: PathBuf) -> Option<MapEntry> {
    let latest = backup::list(&path).ok()?.into_iter().next()?;
    let problem = Some("its file is gone; its backups are still there".to_owned());
    Some(MapEntry { name: name_of(&path), path, problem, gone: true, ..read_entry(latest.path) })
}

fn read_header_and_picture(entry: &mut MapEntry) -> Result<(), InspectError> {
    let conn = open_read_only(&entry.path)?;
    check_schema(&conn)?;
    let (revision, header) = header(&conn)?;
    (entry.revision, entry.saved_unix) = (revision, header.saved_unix);
    (entry.terrain, entry.seed) = (header.terrain, header.seed);
    entry.seed_word = header.seed_word;
    entry.picture = read_picture(&conn).ok().flatten();
    Ok(())
}

/// Reads the picture of the map or backup at `path`, as PNG; `None` if there is no readable one.
#[must_use]
pub fn picture(path: &Path) -> Option<Vec<u8>> {
    let conn = open_read_only(path).ok()?;
    check_schema(&conn).ok()?;
    read_picture(&conn).ok()?
}

/// Renames the map at `path` within its folder. Returns its new path. A link to a map elsewhere is
/// renamed itself, and the map keeps its name.
///
/// # Errors
/// The name is not valid or taken, the map is open, or it was damaged and has just been repaired.
pub fn rename(path: &Path, name: &str) -> Result<PathBuf, SaveError> {
    let target = path_of(path.parent().unwrap_or(Path::new("")), name)?;
    require_file(path)?;
    // After a crash, a part of the map is in its log, which is found by the map's name: fold it
    // into the file first.
    if has_log(path) || with_suffix(path, "-journal").exists() {
        let opened = MapFile::open(path)?;
        opened.map.close()?;
        if let Some(damage) = opened.damage {
            // Reported here, because the next open will find a sound map.
            return Err(SaveError::Repaired { path: path.to_owned(), damage: Box::new(damage) });
        }
    }
    // On systems that ignore case, the new name may be the same name in other letters. Its lock is
    // then the map's own.
    let is_same = is_same_name(path, &target);
    let _target_lock = (!is_same).then(|| reserve(&target)).transpose()?;
    let _lock = MapLock::acquire(&follow_link(path))?;
    fs::rename(path, &target).map_err(SaveError::io(path, "rename the map"))?;
    backup::rename_folder(path, &target);
    rename_own_rules(path, &target);
    Ok(target)
}

/// Locks the name `path`, which must be free, and removes logs that another map has left there.
fn reserve(path: &Path) -> Result<MapLock, SaveError> {
    let lock = MapLock::acquire(path)?;
    let path = path.to_owned();
    if is_taken(&path) {
        return Err(SaveError::Exists { path });
    }
    if backup::only_backups_left(&path) {
        return Err(SaveError::BackupsLeft { path });
    }
    // Rules of a map that was here before, or that the player has written for a new one.
    let rules = own_rules_path(&path);
    if rules.exists() {
        return Err(SaveError::Exists { path: rules });
    }
    remove_logs(&path);
    Ok(lock)
}

/// True if `a` and `b` are one name of one file. A link and its target are not: to rename the link
/// to the name of its target would delete the target.
fn is_same_name(a: &Path, b: &Path) -> bool {
    let entry = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok()?;
        Some((path.canonicalize().ok()?, metadata.is_symlink(), FileId::from(&metadata)))
    };
    entry(a).is_some_and(|found| Some(found) == entry(b))
}

/// Renames the file of a map's own rules with the map, if there is one. A failure loses nothing,
/// because the map holds the rules, too.
fn rename_own_rules(path: &Path, target: &Path) {
    let _ = fs::rename(own_rules_path(path), own_rules_path(target));
}

/// Checks that the map at `path` could be opened for writing.
///
/// # Errors
/// The map is open in another program, or its folder cannot be written.
pub fn must_be_free(path: &Path) -> Result<(), SaveError> {
    let target = path.canonicalize().map_err(SaveError::io(path, "find the map"))?;
    MapLock::acquire(&target).map(drop)
}

/// Deletes the map at `path`, with its logs and backups. Of a link to a map, deletes the link only.
///
/// # Errors
/// The map is open, or cannot be deleted.
pub fn delete(path: &Path) -> Result<(), SaveError> {
    require_file(path)?;
    let _lock = MapLock::acquire(&follow_link(path))?;
    fs::remove_file(path).map_err(SaveError::io(path, "delete the map"))?;
    remove_logs(path);
    backup::delete_all(path);
    // Only a map with its own rules has this file.
    let _ = fs::remove_file(own_rules_path(path));
    Ok(())
}

/// Returns the path of the file with a map's own rules, which is next to the map.
#[must_use]
pub fn own_rules_path(map: &Path) -> PathBuf {
    map.with_extension("rules.ron")
}

/// Deletes the backups of the map that was at `path`. Its logs stay, because the map's file may
/// come back.
///
/// # Errors
/// The file of the map has come back. Then nothing is deleted.
pub fn delete_backups(path: &Path) -> Result<(), SaveError> {
    let _lock = MapLock::acquire(path)?;
    if path.exists() {
        return Err(SaveError::Exists { path: path.to_owned() });
    }
    backup::delete_all(path);
    Ok(())
}

/// Deletes the map at `path`, which was just created. Backups with its name belong to another map
/// and stay.
///
/// # Errors
/// The map is open, or cannot be deleted.
pub fn delete_new(path: &Path) -> Result<(), SaveError> {
    let _lock = MapLock::acquire(path)?;
    fs::remove_file(path).map_err(SaveError::io(path, "delete the map"))
}

/// Returns the folder of the maps and the reason for the choice: `./saves` if it exists, else a
/// folder in the user's data, which is created if necessary.
#[must_use]
pub fn maps_folder() -> (PathBuf, &'static str) {
    let here = PathBuf::from("saves");
    if here.is_dir() {
        return (here, "where the game was started");
    }
    match directories::ProjectDirs::from("", "", "Stonerun") {
        Some(folders) => {
            let folder = folders.data_dir().join("saves");
            // If this fails, the list of the folder reports the reason.
            let _ = fs::create_dir_all(&folder);
            (folder, "your data folder")
        }
        None => {
            let _ = fs::create_dir_all(&here);
            (here, "where the game was started, as you have no home folder")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_in_the_future_come_after_all_others() {
        const HOUR: u64 = 3600;
        let now = 500_000 * HOUR;
        let sorted = |saves: &[(&str, u64)], now: u64| {
            let entry = |(name, saved_unix): &(&str, u64)| MapEntry {
                name: (*name).to_owned(),
                saved_unix: *saved_unix,
                ..MapEntry::default()
            };
            let mut maps: Vec<MapEntry> = saves.iter().map(entry).collect();
            sort(&mut maps, now);
            maps.into_iter().map(|map| map.name).collect::<Vec<_>>()
        };
        let saves = [
            ("years ahead", now + 44_000 * HOUR),
            ("years and an hour ahead", now + 44_001 * HOUR),
            ("unknown", 0),
            ("yesterday", now - 24 * HOUR),
            ("just now", now),
            ("an hour ahead", now + HOUR),
        ];
        let expected = [
            "an hour ahead",
            "just now",
            "yesterday",
            "unknown",
            "years and an hour ahead",
            "years ahead",
        ];
        assert_eq!(sorted(&saves, now), expected);
        // If the clock was reset, all saves lie in the future and keep their order.
        assert_eq!(sorted(&saves[3..], 5), ["an hour ahead", "just now", "yesterday"]);
        assert_eq!(sorted(&[("b", now), ("a", now), ("c", u64::MAX)], u64::MAX), ["c", "a", "b"]);
    }
}
