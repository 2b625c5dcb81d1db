//! What maps need of a folder: names that are given at once and never taken from another file, and that outlive a power loss.

use super::error::SaveError;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Removes a file of no value, if there is one.
pub(super) fn remove_if_there(path: &Path) -> Result<(), SaveError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SaveError::io(path, "remove it")(e)),
        _ => Ok(()),
    }
}

/// Calls the whole file `unfinished` `path`, and waits until both are on the disk. Unlike a rename alone, this never replaces a
/// file that was put there meanwhile, where the file system has hard links.
pub(super) fn give_name(unfinished: &Path, path: &Path) -> Result<(), SaveError> {
    let file = OpenOptions::new().write(true).open(unfinished);
    file.and_then(|f| f.sync_all()).map_err(SaveError::io(path, "write the map"))?;
    match fs::hard_link(unfinished, path) {
        Ok(()) => remove_if_there(unfinished)?,
        Err(_) if path.exists() => return Err(SaveError::Exists { path: path.to_owned() }),
        // File systems that have no hard links.
        Err(_) => fs::rename(unfinished, path).map_err(SaveError::io(path, "give the map its name"))?,
    }
    sync_folder(path);
    Ok(())
}

/// Makes names in the folder of `path` survive a power loss, where the system lets one ask for that.
pub(super) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
}
