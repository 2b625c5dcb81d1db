//! Resolves the MAP argument to a file.
//!
//! MAP is the path of a file, or a bare name as on the title screen. An existing map is looked up
//! as a path first. A new map with a bare name goes into the maps folder, so that the title screen
//! lists it; any other path is used as it is.

use std::path::{Component, Path, PathBuf};
use stonerun_engine::save::catalogue::{self, EXTENSION};

/// Appends the extension of maps if `path` has none. Keeps any other extension: "v1.2" is a valid
/// name.
fn with_extension(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|e| e == EXTENSION) {
        return path.to_owned();
    }
    let mut text = path.as_os_str().to_owned();
    text.push(".");
    text.push(EXTENSION);
    text.into()
}

/// True for a name without a folder part.
fn is_bare(map: &Path) -> bool {
    let mut parts = map.components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == map.as_os_str())
}

/// Finds the file of an existing map.
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
        return Err(format!("{}: a folder or a device, not a map", other.display()));
    }
    let tried: Vec<_> = candidates.iter().map(|c| c.display().to_string()).collect();
    Err(format!("{}: there is no such map; looked for {}", map.display(), tried.join(", ")))
}

/// Chooses the file of a new map.
pub(super) fn new(map: &Path) -> Result<PathBuf, String> {
    let file = if is_bare(map) {
        catalogue::maps_folder().0.join(with_extension(map))
    } else {
        with_extension(map)
    };
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
    fn extension_is_appended_if_missing() {
        for (given, file) in [
            ("home", "home.stonerun"),
            ("home.stonerun", "home.stonerun"),
            ("a/v1.2", "a/v1.2.stonerun"),
        ] {
            assert_eq!(with_extension(Path::new(given)), Path::new(file));
        }
    }

    #[test]
    fn bare_names_have_no_folder() {
        for (given, bare) in
            [("home", true), ("./home", false), ("a/home", false), ("..", false), ("home/", false)]
        {
            assert_eq!(is_bare(Path::new(given)), bare, "{given}");
        }
    }

    #[test]
    fn map_paths_are_files() {
        let folder = tempfile::tempdir().unwrap();
        let error = existing(folder.path()).unwrap_err();
        assert_eq!(error, format!("{}: a folder or a device, not a map", folder.path().display()));
        assert!(existing(&folder.path().join("x")).unwrap_err().contains("there is no such map"));
        std::fs::write(folder.path().join("x.stonerun"), "").unwrap();
        assert_eq!(existing(&folder.path().join("x")), Ok(folder.path().join("x.stonerun")));
        assert!(new(&folder.path().join("x")).unwrap_err().contains("the file exists already"));
        assert_eq!(new(&folder.path().join("y")), Ok(folder.path().join("y.stonerun")));
    }
}
