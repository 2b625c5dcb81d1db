//! Backups of a map: the last three states that saves replaced.
//!
//! [`MapWriter`](crate::save::MapWriter) makes a backup before the first save of a session that
//! overwrites chunks, and later before such a save if ten minutes have passed. A failed backup is
//! retried a minute later.
//!
//! Backups are for mistakes of the player, such as a wrong import; damage is repaired from the map
//! itself. SQLite's backup interface copies the open map as of one moment. The copy gets its name
//! when it is complete.
//!
//! The backups of `NAME.stonerun` are in `NAME.stonerun.backups/`. Each is a complete map, with a
//! number in its name that orders them (`backup_name.rs`), so no wrong clock can make a new backup
//! look old. The title screen does not list that folder, but each backup can be opened like any
//! map.

use super::backup_name::BackupName;
use super::map_name::EXTENSION;
use crate::save::check::compare::have_same_rows;
use crate::save::check::verify::verify;
use crate::save::error::SaveError;
use crate::save::file::companion_files::{follow_link, remove_logs, with_suffix};
use crate::save::file::connection::{end_writing, open_read_only};
use crate::save::file::lock::MapLock;
use crate::save::file::publish::{publish, require_file, sync_folder};
use crate::save::map::map_file::MapFile;
use crate::save::recovery::rebuild::keep_damaged;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum number of backups kept per map.
pub(crate) const MAX_BACKUPS: usize = 3;
/// Number of pages copied in one step.
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
    /// Number of the backup, which gives the order; `None` for a backup of an earlier version,
    /// which is older than all with a number.
    pub number: Option<u64>,
    /// Time of the save that it holds, in seconds since 1970 UTC. Only for display, because the
    /// clock may have been wrong.
    pub saved_unix: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl BackupFile {
    /// Describes the backup at `path`; `None` if that is not a file, or not named like a backup.
    fn from_path(path: PathBuf) -> Option<BackupFile> {
        let BackupName { number, saved_unix } = BackupName::from_path(&path)?;
        let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(BackupFile { path, number, saved_unix, bytes: metadata.len() })
    }

    fn name(&self) -> BackupName {
        BackupName { number: self.number, saved_unix: self.saved_unix }
    }
}

fn folder_of(map: &Path) -> PathBuf {
    with_suffix(map, FOLDER_SUFFIX)
}

/// Returns the map whose backups the folder `path` is for, judged by its name. The map need not
/// exist.
pub(super) fn map_of_folder(path: &Path) -> Option<PathBuf> {
    let map = path.with_file_name(path.file_name()?.to_str()?.strip_suffix(FOLDER_SUFFIX)?);
    (map.extension() == Some(OsStr::new(EXTENSION))).then_some(map)
}

/// True if the map at `map` is gone but has backups.
pub(super) fn only_backups_left(map: &Path) -> bool {
    matches!(map.try_exists(), Ok(false)) && list(map).is_ok_and(|backups| !backups.is_empty())
}

/// Lists the backups of the map at `map`, the latest first; empty if there is no folder of backups.
/// The backups of a linked map are next to its file.
///
/// # Errors
/// The folder cannot be read.
pub fn list(map: &Path) -> Result<Vec<BackupFile>, SaveError> {
    list_folder(&folder_of(&follow_link(map)))
}

/// Lists the backups in `folder`, which need not exist, the latest first.
fn list_folder(folder: &Path) -> Result<Vec<BackupFile>, SaveError> {
    let fail = |e| SaveError::io(folder, "list the map's backups")(e);
    let files = match fs::read_dir(folder) {
        Ok(files) => files,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => return Err(fail(e)),
    };
    let mut all = Vec::new();
    for file in files {
        all.extend(BackupFile::from_path(file.map_err(fail)?.path()));
    }
    all.sort_by(|a, b| b.name().cmp(&a.name()).then_with(|| b.path.cmp(&a.path)));
    Ok(all)
}

/// Backs up the map as of its last save, and deletes the oldest backups until three are left. Does
/// nothing if the latest backup holds the same content.
///
/// # Errors
/// The backup cannot be written. The map and the other backups are unchanged.
pub fn create(map: &MapFile) -> Result<BackupFile, SaveError> {
    let NewBackup { backup, older } = add(map, |_| Ok(()))?;
    prune(older);
    Ok(backup)
}

/// Result of [`add`].
struct NewBackup {
    backup: BackupFile,
    /// All other backups, the latest first.
    older: Vec<BackupFile>,
}

/// Backs up the map as of its last save, but deletes no older backup. Reuses the latest backup if
/// it has the same content. A new backup gets its name, and the latest one is reused, only if
/// `check` accepts the file.
fn add(
    map: &MapFile,
    check: impl Fn(&Path) -> Result<(), SaveError>,
) -> Result<NewBackup, SaveError> {
    let folder = folder_of(map.path());
    match fs::create_dir(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(SaveError::io(&folder, "create a folder for backups")(e));
        }
        _ => {}
    }
    let mut older = list(map.path())?;
    if older
        .first()
        .is_some_and(|latest| is_copy_of(map, &latest.path) && check(&latest.path).is_ok())
    {
        let backup = older.remove(0);
        return Ok(NewBackup { backup, older });
    }
    let saved_unix = map.header().saved_unix;
    let latest = older.first().map_or(BackupName { number: None, saved_unix }, BackupFile::name);
    let name = latest.next(saved_unix);
    let path = folder.join(name.file_name());
    let unfinished = folder.join(UNFINISHED);
    let _ = fs::remove_file(&unfinished);
    remove_logs(&unfinished);
    let copied = copy_database(&map.state().conn, &unfinished).and_then(|()| {
        check(&unfinished)?;
        publish(&unfinished, &path)?;
        path.metadata().map_err(SaveError::io(&path, "read the backup's size"))
    });
    let metadata = copied.inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
        remove_logs(&unfinished);
    })?;
    let backup = BackupFile { path, number: name.number, saved_unix, bytes: metadata.len() };
    Ok(NewBackup { backup, older })
}

/// Deletes the oldest backups of `older`, so that one later backup makes [`MAX_BACKUPS`]. If a file
/// cannot be deleted, the next call tries again.
fn prune(older: Vec<BackupFile>) {
    for backup in older.into_iter().skip(MAX_BACKUPS - 1) {
        let _ = fs::remove_file(backup.path);
    }
}

/// True if the file at `path` is readable and has the same content as the map.
fn is_copy_of(map: &MapFile, path: &Path) -> bool {
    let state = map.state();
    open_read_only(path)
        .and_then(|copy| have_same_rows(&state.conn, &copy, state.version))
        .unwrap_or(false)
}

/// Checks that the file at `path` can be opened and has the same content as the map. Damaged chunks
/// of the map are copied as they are, so they must be equal, too.
///
/// # Errors
/// The file cannot be read, its structure is damaged, or its content differs.
fn read_back(map: &MapFile, path: &Path) -> Result<(), SaveError> {
    let path = path.to_owned();
    if let Some(damage) = verify(&path)?.damage {
        return Err(SaveError::DamagedBackup { path, damage: Box::new(damage) });
    }
    if is_copy_of(map, &path) { Ok(()) } else { Err(SaveError::BackupDiffers { path }) }
}

/// Copies the whole database into a new file.
fn copy_database(from: &Connection, to: &Path) -> Result<(), SaveError> {
    let fail = |e| SaveError::sqlite(to, "make a backup of the map")(e);
    let mut target = Connection::open(to).map_err(fail)?;
    target.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
    Backup::new(from, &mut target)
        .and_then(|backup| backup.run_to_completion(PAGES_PER_STEP, Duration::ZERO, None))
        .map_err(fail)?;
    // The copy of an open map is in WAL mode, but a backup must be one plain file.
    end_writing(&target).map_err(fail)?;
    target.close().map_err(|(_, e)| fail(e))
}

/// Replaces a map, or restores a map whose file is gone, from a backup. The present map becomes a
/// backup itself, so a restore can be undone: the map is replaced only once that backup has its
/// name and was read back. Of a link to a map, the target is replaced.
///
/// # Errors
/// The map is open, the backup is damaged, the present map cannot be backed up and read back, or
/// another file cannot be written. The map is then unchanged, and no backup is deleted.
pub fn restore(map: &Path, backup: &Path) -> Result<(), SaveError> {
    let map = &follow_link(map);
    let gone = only_backups_left(map);
    if !gone {
        require_file(map)?;
    }
    let opened = MapFile::open_read_only(backup)?;
    if let Some(damage) = opened.damage {
        return Err(SaveError::DamagedBackup { path: backup.to_owned(), damage: Box::new(damage) });
    }
    opened.map.close()?;
    // In the same folder as the map, so that a rename puts it in place in one step.
    let restored = with_suffix(map, ".restored");
    let replace = || {
        fs::copy(backup, &restored)
            .and_then(|_| fs::File::open(&restored)?.sync_all())
            .map_err(SaveError::io(&restored, "copy the backup"))?;
        let present = if gone { PresentMap::lock(map)? } else { PresentMap::keep(map)? };
        if gone && map.exists() {
            return Err(SaveError::Exists { path: map.to_owned() });
        }
        // The name of a new folder of backups must be on the disk before the map is replaced.
        sync_folder(map);
        remove_logs(map);
        fs::rename(&restored, map)
            .map_err(SaveError::io(map, "put the backup in the map's place"))?;
        sync_folder(map);
        // Only now, because the restored backup may be the oldest.
        prune(present.older);
        Ok(())
    };
    replace().inspect_err(|_| _ = fs::remove_file(&restored))
}

/// The map that a backup replaces, locked so that no other program can save into it meanwhile.
struct PresentMap {
    _lock: Option<MapLock>,
    /// Backups older than the backup of the present map, the latest first.
    older: Vec<BackupFile>,
}

impl PresentMap {
    /// Locks the name without a backup: the map is gone, or its damaged file is kept.
    fn lock(map: &Path) -> Result<PresentMap, SaveError> {
        Ok(PresentMap { _lock: Some(MapLock::acquire(map)?), older: Vec::new() })
    }

    /// Backs up the map, including its log, and reads the backup back.
    fn keep(map: &Path) -> Result<PresentMap, SaveError> {
        let present = match MapFile::open(map) {
            Ok(opened) => opened.map,
            // No record in it is readable here, but another program may recover something from it.
            Err(SaveError::NotAMap { .. }) => {
                let locked = PresentMap::lock(map)?;
                keep_damaged(map)?;
                return Ok(locked);
            }
            Err(other) => return Err(other),
        };
        let older = add(&present, |copy| read_back(&present, copy))?.older;
        Ok(PresentMap { _lock: present.close_and_keep_lock()?, older })
    }
}

/// Renames the folder of backups along with its map. If that fails, the folder keeps its name.
pub(super) fn rename_folder(from: &Path, to: &Path) {
    let _ = fs::rename(folder_of(from), folder_of(to));
}

/// Deletes the backups of a deleted map. Backups of the target of a deleted link stay.
pub(super) fn delete_all(map: &Path) {
    let folder = folder_of(map);
    for backup in list_folder(&folder).unwrap_or_default() {
        let _ = fs::remove_file(backup.path);
    }
    // Fails if other programs have put files there, which then stay.
    let _ = fs::remove_dir(folder);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::{Header, MapChanges};
    use crate::voxel::{ChunkPos, MaterialTable, Voxel};
    use crate::world::Chunk;

    const PLACE: ChunkPos = ChunkPos::new(0, 1, 2);

    fn save(map: &mut MapFile, material: u16) {
        let chunks = vec![(PLACE, Chunk::uniform(Voxel::full(material)))];
        let header = map.header().clone();
        let materials = map.materials().clone();
        map.save(&MapChanges::new(chunks, header, materials)).unwrap();
    }

    fn map_with_backups(folder: &Path, backups: u16) -> MapFile {
        let header = Header::new(1, "void", 1000);
        let mut map =
            MapFile::create(&folder.join("a.stonerun"), &header, &MaterialTable::builtin())
                .unwrap();
        for material in 1..=backups {
            save(&mut map, material);
            create(&map).unwrap();
        }
        map
    }

    #[test]
    fn rejected_backup_gets_no_name_and_deletes_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut map = map_with_backups(folder.path(), 3);
        save(&mut map, 9);
        let before = list(map.path()).unwrap();
        let reject = |path: &Path| Err(SaveError::BackupDiffers { path: path.to_owned() });
        assert!(matches!(add(&map, reject), Err(SaveError::BackupDiffers { .. })));
        assert_eq!(list(map.path()).unwrap(), before);
        assert_eq!(
            fs::read_dir(folder_of(map.path())).unwrap().count(),
            3,
            "no unfinished copy may be left"
        );
        // An existing backup must be accepted by the check, too.
        create(&map).unwrap();
        assert!(add(&map, reject).is_err());
        // An accepted backup deletes nothing before `prune`.
        let before = list(map.path()).unwrap();
        save(&mut map, 10);
        let NewBackup { backup, older } = add(&map, |copy| read_back(&map, copy)).unwrap();
        assert_eq!((older, list(map.path()).unwrap()[0].clone()), (before, backup));
        assert_eq!(list(map.path()).unwrap().len(), 4);
    }

    #[test]
    fn reading_back_detects_every_difference() {
        let folder = tempfile::tempdir().unwrap();
        let mut map = map_with_backups(folder.path(), 1);
        let copy = list(map.path()).unwrap().remove(0).path;
        read_back(&map, &copy).unwrap();
        let sound = fs::read(&copy).unwrap();
        for cut in [0, 1000, sound.len() / 2] {
            fs::write(&copy, &sound[..cut]).unwrap();
            assert!(read_back(&map, &copy).is_err(), "{cut} bytes");
        }
        fs::write(&copy, &sound).unwrap();
        // Sound, but from another save.
        save(&mut map, 2);
        assert!(matches!(read_back(&map, &copy), Err(SaveError::BackupDiffers { .. })));
        // A damaged chunk is copied as it is.
        map.state().conn.execute("UPDATE chunk SET record = x'00'", []).unwrap();
        let backup = add(&map, |copy| read_back(&map, copy)).unwrap().backup;
        assert!(!verify(&backup.path).unwrap().is_sound());
        fs::remove_file(&copy).unwrap();
        assert!(read_back(&map, &copy).is_err());
    }
}
