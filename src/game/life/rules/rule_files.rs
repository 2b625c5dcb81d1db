//! The files with the rules of a map. They are read again when they change.

use bevy::prelude::Resource;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use stonerun_engine::rules::{RuleError, RuleSet, RuleSource};
use stonerun_engine::save::catalogue::own_rules_path;
use stonerun_engine::save::{MAX_RULES_BYTES, WatchedTextFile};
use stonerun_engine::voxel::MaterialTable;

/// File of the game's rules, relative to the working directory. Without it, the built-in rules are
/// used.
const SHIPPED: &str = "assets/rules.ron";
/// Maximum size of that file, in bytes.
const MAX_SHIPPED_BYTES: usize = 256 << 10;
/// Text of a new file of a map's own rules.
const TEMPLATE: &str = r#"// Rules of this map alone: docs/rules.md. A rule replaces the game's rule of the same name.
// The file is read again when it changes. An example: without its two slashes, clay next to
// water becomes dirt.
[
    // Change(name: "clay softens", of: ["clay"], when: [Near(of: ["water"], among: Faces)], becomes: "dirt"),
]
"#;

/// The files of the open map.
#[derive(Resource)]
pub struct RuleFiles {
    shipped: WatchedTextFile,
    own: WatchedTextFile,
    /// Text of the map's own rules as saved in the map.
    saved: String,
    /// True if a file has changed since the rules were read.
    is_due: bool,
}

/// Rules that were read.
pub struct ReadRules {
    /// The rules.
    pub rules: RuleSet,
    /// Text of the map's own rules; empty if it has none.
    pub own: String,
    /// Reasons why a file is not used, one line each.
    pub problems: Vec<String>,
}

/// A rule source from the name of a file and its text.
fn source((file, text): &(String, String)) -> RuleSource<'_> {
    RuleSource { file, text }
}

impl RuleFiles {
    /// The files of the map at `map`, in which the text `saved` of its own rules is saved.
    #[must_use]
    pub fn new(map: &Path, saved: String) -> RuleFiles {
        let shipped = WatchedTextFile::new(PathBuf::from(SHIPPED), MAX_SHIPPED_BYTES);
        let own = WatchedTextFile::new(own_rules_path(map), MAX_RULES_BYTES);
        RuleFiles { shipped, own, saved, is_due: false }
    }

    /// Checks whether one of the files has changed since the last check.
    pub fn look(&mut self) {
        // `|` without short-circuit: both files must be checked.
        self.is_due |= self.shipped.has_changed() | self.own.has_changed();
    }

    /// Returns whether a file has changed since the last call.
    pub fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Reads the rules for these materials. If the game's file has a defect, the built-in rules are
    /// used; if the map's own file has one, the rules saved in the map are used.
    ///
    /// # Errors
    /// The map lacks materials of the built-in rules.
    pub fn read(&self, materials: &MaterialTable) -> Result<ReadRules, RuleError> {
        let mut problems = Vec::new();
        let mut text = |file: &WatchedTextFile| match file.read() {
            Ok(text) => text.map(|text| (file.path().display().to_string(), text)),
            Err(error) => {
                problems.push(error.to_string());
                None
            }
        };
        let shipped = text(&self.shipped);
        let file = text(&self.own);
        let saved = ("the map's own rules".to_owned(), self.saved.clone());
        for own in file.iter().chain([&saved]) {
            for game in shipped.iter().map(Some).chain([None]) {
                let own_rules = Some(own).filter(|(_, text)| !text.is_empty());
                match RuleSet::combined(game.map(source), own_rules.map(source), materials) {
                    Ok(rules) => return Ok(ReadRules { rules, own: own.1.clone(), problems }),
                    Err(error) if problems.contains(&error.to_string()) => {}
                    Err(error) => problems.push(error.to_string()),
                }
            }
        }
        let rules = RuleSet::combined(None, None, materials)?;
        Ok(ReadRules { rules, own: self.saved.clone(), problems })
    }

    /// Sets the text of the own rules that is saved in the map.
    pub fn keep(&mut self, own: &str) {
        own.clone_into(&mut self.saved);
    }

    /// Creates the file of the map's own rules, unless it exists. Returns its path.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create_own(&self) -> io::Result<&Path> {
        let text = if self.saved.is_empty() { TEMPLATE } else { &self.saved };
        match fs::OpenOptions::new().write(true).create_new(true).open(self.own.path()) {
            Ok(mut file) => file.write_all(text.as_bytes())?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        Ok(self.own.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_rules_count_until_they_have_a_defect() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("home.stonerun");
        let materials = MaterialTable::builtin();
        let own = "[Change(name: \"stone melts\", of: [\"stone\"], becomes: \"lava\")]";
        let has_own = |rules: &RuleSet| rules.names().iter().any(|name| name == "stone melts");
        let mut files = RuleFiles::new(&map, own.to_owned());
        let read = files.read(&materials).unwrap();
        assert!(has_own(&read.rules) && read.own == own && read.problems.is_empty());

        let has_changed = |files: &mut RuleFiles| {
            files.look();
            files.take_due()
        };
        assert!(!has_changed(&mut files));
        let path = files.create_own().unwrap().to_owned();
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
        assert!(has_changed(&mut files) && !has_changed(&mut files));
        // Writing the same text again changes only the time of the file, which does not count.
        fs::write(&path, own).unwrap();
        assert!(!has_changed(&mut files));

        fs::write(&path, " ".repeat(MAX_RULES_BYTES + 1)).unwrap();
        let read = files.read(&materials).unwrap();
        assert!(
            has_own(&read.rules)
                && read.problems.len() == 1
                && read.problems[0].contains("larger than")
        );

        // If the file has a defect, the rules saved in the map are used.
        fs::write(
            &path,
            "[\n  Change(name: \"stone melts\", of: [\"cheese\"], becomes: \"air\"),\n]",
        )
        .unwrap();
        assert!(has_changed(&mut files));
        let read = files.read(&materials).unwrap();
        assert!(has_own(&read.rules) && read.own == own);
        let [problem] = &read.problems[..] else { panic!("{:?}", read.problems) };
        assert!(
            problem.contains("home.rules.ron:2:36: ") && problem.contains("cheese"),
            "{problem}"
        );

        fs::write(&path, "[]").unwrap();
        let read = files.read(&materials).unwrap();
        assert_eq!(
            (has_own(&read.rules), read.own.as_str(), read.problems.len()),
            (false, "[]", 0)
        );
        files.keep(&read.own);
        // Without the file, the rules saved in the map are used.
        fs::remove_file(&path).unwrap();
        let read = files.read(&materials).unwrap();
        assert_eq!((has_own(&read.rules), read.own.as_str()), (false, "[]"));
    }
}
