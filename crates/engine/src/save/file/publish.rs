//! Publication of a complete file under its name: in one step, durably, and never over another
//! file.

use crate::save::error::{SaveError, StructureError};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Checks that `path` is a file.
pub(in crate::save) fn require_file(path: &Path) -> Result<(), SaveError> {
    match fs::metadata(path) {
        Ok(m) if m.is_file() => Ok(()),
        Ok(_) => {
            Err(SaveError::NotAMap { path: path.to_owned(), reason: StructureError::NotAFile })
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            Err(SaveError::NotFound { path: path.to_owned() })
        }
        Err(e) => Err(SaveError::io(path, "open the map")(e)),
    }
}

/// True if anything has the name `path`, even a link to a file that does not exist or is on a disk
/// that is not there.
pub(in crate::save) fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Removes a file, if it exists.
pub(in crate::save) fn remove_if_exists(path: &Path) -> Result<(), SaveError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SaveError::io(path, "remove it")(e)),
        _ => Ok(()),
    }
}

/// Gives the complete file `unfinished` the name `path`, and waits until file and name are on the
/// disk.
///
/// On a file system with hard links this never replaces a file that has appeared at `path`; a plain
/// rename would.
pub(in crate::save) fn publish(unfinished: &Path, path: &Path) -> Result<(), SaveError> {
    let file = OpenOptions::new().write(true).open(unfinished);
    file.and_then(|f| f.sync_all()).map_err(SaveError::io(path, "write the map"))?;
    match fs::hard_link(unfinished, path) {
        Ok(()) => remove_if_exists(unfinished)?,
        Err(_) if is_taken(path) => return Err(SaveError::Exists { path: path.to_owned() }),
        // The file system has no hard links.
        Err(_) => {
            fs::rename(unfinished, path).map_err(SaveError::io(path, "give the map its name"))?
        }
    }
    sync_folder(path);
    Ok(())
}

/// Makes changes of names in the folder of `path` survive a power loss, where the system supports
/// that.
pub(in crate::save) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
}
