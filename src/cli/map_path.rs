//! Which file a MAP on the command line means.
//!
//! A map is named as the title screen names it, by its bare name, or by its file's path. What exists is
//! looked for both ways, path first. A new map goes into the maps folder when it has a bare name, so that
//! the title screen shows it, and else where its path says.

use crate::save::catalogue::{self, EXTENSION};
use std::path::{Component, Path, PathBuf};

/// `path` with the extension appended (not replacing another: "v1.2" is a fine name), if it is not there.
fn with_extension(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|e| e == EXTENSION) {
        return path.to_owned();
    }
    let mut text = path.as_os_str().to_owned();
    text.push(".");
    text.push(EXTENSION);
    text.into()
}

/// True for a name without any folder.
fn is_bare(map: &Path) -> bool {
    let mut parts = map.components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == map.as_os_str())
}

/// The file of the map that is called `map`.
pub(super) fn existing(map: &Path) -> Result<PathBuf, String> {
    let mut candidates = vec![map.to_owned(), with_extension(map)];
    if is_bare(map) {
        candidates.push(catalogue::maps_folder().0.join(with_extension(map)));
    }
    candidates.dedup();
    if let Some(file) = candidates.iter().find(|c| c.is_file()) {
        return Ok(file.clone());
    }
    if let Some(other) = candidates.iter().find(|c| c.exists()) {
        return Err(format!("{}: it is a folder or a device, not a map", other.display()));
    }
    let tried: Vec<_> = candidates.iter().map(|c| c.display().to_string()).collect();
    Err(format!("{}: there is no such map; looked for {}", map.display(), tried.join(", ")))
}

/// The file for a new map called `map`.
pub(super) fn fresh(map: &Path) -> Result<PathBuf, String> {
    let file = if is_bare(map) { catalogue::maps_folder().0.join(with_extension(map)) } else { with_extension(map) };
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    catalogue::valid_name(&name).map_err(super::line)?;
    if file.exists() {
        return Err(format!("{}: the file exists already", file.display()));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_added_not_replaced() {
        for (given, file) in
            [("home", "home.stonerun"), ("home.stonerun", "home.stonerun"), ("a/v1.2", "a/v1.2.stonerun")]
        {
            assert_eq!(with_extension(Path::new(given)), Path::new(file));
        }
    }

    #[test]
    fn bare_names() {
        for (given, bare) in [("home", true), ("./home", false), ("a/home", false), ("..", false), ("home/", false)] {
            assert_eq!(is_bare(Path::new(given)), bare, "{given}");
        }
    }

    #[test]
    fn folders_are_no_maps() {
        let folder = tempfile::tempdir().unwrap();
        let error = existing(folder.path()).unwrap_err();
        assert_eq!(error, format!("{}: it is a folder or a device, not a map", folder.path().display()));
        assert!(existing(&folder.path().join("x")).unwrap_err().contains("there is no such map"));
        std::fs::write(folder.path().join("x.stonerun"), "").unwrap();
        assert_eq!(existing(&folder.path().join("x")), Ok(folder.path().join("x.stonerun")));
        assert!(fresh(&folder.path().join("x")).unwrap_err().contains("the file exists already"));
        assert_eq!(fresh(&folder.path().join("y")), Ok(folder.path().join("y.stonerun")));
    }
}
