//! Names of maps that are valid file names on every system.

use crate::save::error::SaveError;
use std::path::{Path, PathBuf};

/// File extension of a map.
pub const EXTENSION: &str = "stonerun";

/// Maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 100;
/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// Characters that at least one system forbids in a file name.
const FORBIDDEN: &str = "/\\:*?\"<>|";

/// Returns a valid map name as close to `wish` as possible.
#[must_use]
pub fn name_from(wish: &str) -> String {
    let name: String = wish
        .chars()
        .map(|c| if c.is_control() || FORBIDDEN.contains(c) { '_' } else { c })
        .collect();
    let name = name.trim_matches([' ', '.']);
    // Leaves room for a number at the end of the name.
    let end = name.floor_char_boundary(MAX_NAME_BYTES - 5);
    let name = name[..end].trim_end_matches([' ', '.']);
    if valid_name(name).is_ok() { name.to_owned() } else { "map".to_owned() }
}

/// Checks that a map may have this name, so that its file can be copied to any system.
///
/// # Errors
/// [`SaveError::Name`] with the reason.
pub fn valid_name(name: &str) -> Result<(), SaveError> {
    let lower = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = |kind| {
        lower.strip_prefix(kind).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
    let reason = if name.trim().is_empty() {
        "it is empty"
    } else if name.len() > MAX_NAME_BYTES {
        "it is too long"
    } else if name.chars().any(|c| c.is_control() || FORBIDDEN.contains(c)) {
        "it contains one of / \\ : * ? \" < > | or a control character"
    } else if name.starts_with([' ', '.']) || name.ends_with([' ', '.']) {
        "it begins or ends with a space or a dot"
    } else if DEVICES.contains(&lower.as_str()) || port("com") || port("lpt") {
        "Windows reserves it for a device"
    } else {
        return Ok(());
    };
    Err(SaveError::Name { name: short_name(name), reason })
}

/// Returns `name` as error messages quote it: on one line, without control characters, and cut off
/// after 24 characters.
#[must_use]
pub fn short_name(name: &str) -> String {
    const MAX_QUOTED_CHARS: usize = 24;
    let name = &name.replace(char::is_control, "\u{FFFD}");
    match name.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns the path of the map `name` in `folder`.
///
/// # Errors
/// The name is not valid.
pub fn path_of(folder: &Path, name: &str) -> Result<PathBuf, SaveError> {
    valid_name(name)?;
    Ok(folder.join(format!("{name}.{EXTENSION}")))
}

/// Returns the name of the map at `path`: its file name without the extension.
pub(super) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_and_made_valid() {
        for good in ["home", "Mein Haus 2", "my.map", "コン", "console", "com10"] {
            assert!(valid_name(good).is_ok(), "{good}");
        }
        let long = "x".repeat(101);
        for bad in [
            "", " ", ".hidden", "a/b", "..", "a\\b", "x:y", "a\n", "end.", "nul", "COM1",
            "con.txt", &long,
        ] {
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
        let error = valid_name(&long).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("\"{}...\" is not a valid map name: it is too long", "x".repeat(24))
        );
        let error = valid_name("a\nb\"c\\").unwrap_err().to_string();
        assert!(error.starts_with("\"a\u{FFFD}b\"c\\\" is not a valid map name"), "{error}");
        assert_eq!(
            (short_name("home"), short_name(&"ö".repeat(25))),
            ("home".into(), "ö".repeat(24) + "...")
        );
    }
}
