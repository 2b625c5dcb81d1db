//! The maps in a folder: what the title screen lists, renames and deletes.

use super::backup;
use super::check;
use super::error::SaveError;
use super::frame::{self, Kind};
use super::lock::MapLock;
use super::map::{MapFile, must_be_file};
use super::schema::{self, beside};
use crate::voxel::ChunkPos;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// What a map's file name ends in.
pub const EXTENSION: &str = "stonerun";

/// One map of a folder.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MapEntry {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Last save, seconds since 1970 UTC; 0 if not known.
    pub saved_unix: u64,
    /// The picture, PNG.
    pub picture: Option<Vec<u8>>,
    /// The terrain's kind.
    pub terrain: String,
    /// The terrain's seed.
    pub seed: u64,
    /// Why what is above could not all be read. The map may open all the same: opening mends.
    pub problem: Option<String>,
    /// True if somebody took the file away and only backups are left: size, picture and figures are those of the latest.
    pub gone: bool,
}

/// The maps in `folder`, the last saved first, and those of which there are only backups. Reads only each map's header and picture.
///
/// # Errors
/// The folder cannot be read. A map that cannot be is listed, with its problem.
pub fn list(folder: &Path) -> Result<Vec<MapEntry>, SaveError> {
    let fail = |e| SaveError::io(folder, "list the maps in it")(e);
    let mut maps = Vec::new();
    for file in fs::read_dir(folder).map_err(fail)? {
        let path = file.map_err(fail)?.path();
        if path.extension() == Some(OsStr::new(EXTENSION)) && path.is_file() {
            maps.push(entry(path));
        } else if let Some(map) = backup::map_of(&path).filter(|map| !map.exists()) {
            maps.extend(gone(map));
        }
    }
    maps.sort_by(|a, b| b.saved_unix.cmp(&a.saved_unix).then_with(|| a.name.cmp(&b.name)));
    Ok(maps)
}

fn entry(path: PathBuf) -> MapEntry {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::metadata(&path).map_or(0, |m| m.len()) + schema::log_bytes(&path);
    let mut entry = MapEntry { name, bytes, path, ..MapEntry::default() };
    if let Err(problem) = read_front(&mut entry) {
        entry.problem = Some(problem);
    }
    entry
}

/// A map whose file is not there, if it has backups.
fn gone(path: PathBuf) -> Option<MapEntry> {
    let latest = backup::list(&path).ok()?.into_iter().next()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let problem = Some("its file is gone; its backups are not".to_owned());
    Some(MapEntry { name, path, problem, gone: true, ..entry(latest.path) })
}

fn read_front(entry: &mut MapEntry) -> Result<(), String> {
    let conn = schema::for_reading(&entry.path).map_err(|e| e.to_string())?;
    let explain = |trouble| match trouble {
        check::Trouble::Broken(reason) => format!("the file is damaged or not a map: {reason}"),
        check::Trouble::TooNew(found) => format!("its format {found} is newer than this program's"),
        check::Trouble::Outside(e) => e.to_string(),
    };
    check::identity(&conn).map_err(explain)?;
    let (_, header) = check::header(&conn).map_err(explain)?;
    (entry.saved_unix, entry.terrain, entry.seed) = (header.saved_unix, header.terrain, header.seed);
    if let Ok(Some(bytes)) = check::meta(&conn, Kind::Picture)
        && let Ok(record) = frame::parse_as(&bytes, Kind::Picture, ChunkPos::default())
    {
        entry.picture = Some(record.data.to_vec());
    }
    Ok(())
}

/// The longest name, in bytes.
const LONGEST_NAME: usize = 100;
/// Names that Windows gives to devices, whatever follows after a dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Characters that some system does not take in a name.
const REFUSED: &str = "/\\:*?\"<>|";

/// A name for a map that is as much like `wish` as can be.
#[must_use]
pub fn name_from(wish: &str) -> String {
    let name: String = wish.chars().map(|c| if c.is_control() || REFUSED.contains(c) { '_' } else { c }).collect();
    let name = name.trim_matches([' ', '.']);
    // With room for a number behind it.
    let end = name.floor_char_boundary(LONGEST_NAME - 5);
    let name = name[..end].trim_end_matches([' ', '.']);
    if valid_name(name).is_ok() { name.to_owned() } else { "map".to_owned() }
}

/// Whether a map may be called `name`, on any system.
///
/// # Errors
/// Why it may not.
pub fn valid_name(name: &str) -> Result<(), SaveError> {
    let lower = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = |kind| lower.strip_prefix(kind).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    let reason = if name.trim().is_empty() {
        "it is empty"
    } else if name.len() > LONGEST_NAME {
        "it is too long"
    } else if name.chars().any(|c| c.is_control() || REFUSED.contains(c)) {
        "it holds one of / \\ : * ? \" < > | or a control character"
    } else if name.starts_with([' ', '.']) || name.ends_with([' ', '.']) {
        "it begins or ends with a space or a dot"
    } else if DEVICES.contains(&lower.as_str()) || port("com") || port("lpt") {
        "Windows keeps it for a device"
    } else {
        return Ok(());
    };
    Err(SaveError::Name { name: name.to_owned(), reason })
}

/// The file of the map called `name` in `folder`.
///
/// # Errors
/// The name cannot be a map's.
pub fn path_of(folder: &Path, name: &str) -> Result<PathBuf, SaveError> {
    valid_name(name)?;
    Ok(folder.join(format!("{name}.{EXTENSION}")))
}

/// Gives the map at `path` another name in its folder; returns its new file.
///
/// # Errors
/// The name cannot be a map's or is taken, the map is open, or it was found to be damaged (and is mended now).
pub fn rename(path: &Path, name: &str) -> Result<PathBuf, SaveError> {
    let target = path_of(path.parent().unwrap_or(Path::new("")), name)?;
    must_be_file(path)?;
    // After a crash part of the map is in its log, which goes by the map's name: fold it in first.
    if schema::has_log(path) || beside(path, "-journal").exists() {
        let opened = MapFile::open(path)?;
        opened.map.close()?;
        if let Some(damage) = opened.damage {
            // Said here, since the next opening finds a sound map.
            return Err(SaveError::Repaired { path: path.to_owned(), damage: damage.to_string() });
        }
    }
    let _lock = MapLock::take(path)?;
    // Its own name in capitals is no other name where the system does not tell them apart.
    let itself = target.exists() && path.canonicalize().ok() == target.canonicalize().ok();
    if !itself {
        let _target_lock = MapLock::take(&target)?;
        if target.exists() {
            return Err(SaveError::Exists { path: target });
        }
        if backup::is_all_that_is_left(&target) {
            return Err(SaveError::BackupsLeft { path: target });
        }
        schema::remove_logs(&target);
        fs::rename(path, &target).map_err(SaveError::io(path, "rename the map"))?;
        backup::renamed(path, &target);
        return Ok(target);
    }
    fs::rename(path, &target).map_err(SaveError::io(path, "rename the map"))?;
    Ok(target)
}

/// Makes sure that the map at `path` could be opened for writing now.
///
/// # Errors
/// It is open in another program, or its folder cannot be written.
pub fn must_be_free(path: &Path) -> Result<(), SaveError> {
    let target = path.canonicalize().map_err(SaveError::io(path, "find the map"))?;
    MapLock::take(&target).map(drop)
}

/// Deletes the map at `path`, with its logs and backups.
///
/// # Errors
/// It is open, or may not be deleted.
pub fn delete(path: &Path) -> Result<(), SaveError> {
    must_be_file(path)?;
    let _lock = MapLock::take(path)?;
    fs::remove_file(path).map_err(SaveError::io(path, "delete the map"))?;
    schema::remove_logs(path);
    backup::delete_all(path);
    Ok(())
}

/// Deletes the backups of the map that was at `path`. A log that lies there stays: the map may come back to it.
///
/// # Errors
/// The map is there again: then nothing is deleted.
pub fn delete_backups(path: &Path) -> Result<(), SaveError> {
    let _lock = MapLock::take(path)?;
    if path.exists() {
        return Err(SaveError::Exists { path: path.to_owned() });
    }
    backup::delete_all(path);
    Ok(())
}

/// Deletes the map at `path`, which was just made: backups there are not its own.
///
/// # Errors
/// It is open, or may not be deleted.
pub fn delete_new(path: &Path) -> Result<(), SaveError> {
    let _lock = MapLock::take(path)?;
    fs::remove_file(path).map_err(SaveError::io(path, "delete the map"))
}

/// The folder of the maps, and why it is that one: `./saves` where that exists, else in the user's data
/// folder, made if need be.
#[must_use]
pub fn maps_folder() -> (PathBuf, &'static str) {
    let here = PathBuf::from("saves");
    if here.is_dir() {
        return (here, "the folder \"saves\" where the game was started");
    }
    match directories::ProjectDirs::from("", "", "Stonerun") {
        Some(folders) => {
            let folder = folders.data_dir().join("saves");
            // If it cannot be made, listing it says so, with the reason.
            let _ = fs::create_dir_all(&folder);
            (folder, "your data folder")
        }
        None => {
            let _ = fs::create_dir_all(&here);
            (here, "the folder where the game was started, as you have no home folder")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["home", "Mein Haus 2", "my.map", "コン", "console", "com10"] {
            assert!(valid_name(good).is_ok(), "{good}");
        }
        let long = "x".repeat(101);
        for bad in ["", " ", ".hidden", "a/b", "..", "a\\b", "x:y", "a\n", "end.", "nul", "COM1", "con.txt", &long] {
            assert!(valid_name(bad).is_err(), "{bad:?}");
        }
        let long_end = format!("{}ö", "x".repeat(94));
        for (wish, name) in [
            ("home", "home"),
            ("a \"q\" <x>:", "a _q_ _x__"),
            (" .a. ", "a"),
            ("COM1", "map"),
            ("...", "map"),
            (&long_end, &long_end[..94]),
        ] {
            assert_eq!(name_from(wish), name);
            assert!(valid_name(name).is_ok());
        }
        assert_eq!(path_of(Path::new("maps"), "home").unwrap(), Path::new("maps/home.stonerun"));
    }
}
