//! A new map's file while it is made. It gets its name when it is whole, so that who is killed leaves no map that lacks
//! something; nor does who fails.

use super::error::SaveError;
use super::files::{give_name, remove_if_there};
use super::map::MapFile;
use super::schema;
use super::types::Changes;
use std::path::Path;

/// Makes the map's file at `path` and saves `all` into it.
///
/// # Errors
/// A file is there already, or the folder cannot be written. Nothing is left then.
pub fn write_new(path: &Path, all: &Changes) -> Result<(), SaveError> {
    let unfinished = path.with_extension("unfinished");
    remove_if_there(&unfinished)?;
    let written = MapFile::create(&unfinished, &all.header, &all.materials).and_then(|mut map| {
        map.save(all)?;
        map.close()?;
        give_name(&unfinished, path)
    });
    if written.is_err() {
        // Most often there is none of these any more.
        let _ = std::fs::remove_file(&unfinished);
        schema::remove_logs(&unfinished);
    }
    written
}
