//! The kinds of creatures of an opened map.

use std::io::ErrorKind;
use std::path::Path;
use stonerun_engine::creatures::{CreatureKinds, KindError};
use stonerun_engine::save::read_text_file;
use stonerun_engine::voxel::MaterialTable;

/// File of the kinds, relative to the working directory. Without it, the built-in kinds are used.
pub(super) const FILE: &str = "assets/creatures.ron";
/// Maximum size of that file, in bytes.
const MAX_BYTES: usize = 256 << 10;

/// Reads the kinds from a file. Returns the built-in kinds if there is no such file, or if it has a
/// defect, which is returned as well.
///
/// # Errors
/// The map lacks materials of the built-in kinds.
pub(super) fn read(
    file: &Path,
    materials: &MaterialTable,
) -> (Result<CreatureKinds, KindError>, Option<String>) {
    let name = file.display().to_string();
    let kinds = match read_text_file(file, MAX_BYTES) {
        Ok(text) => {
            CreatureKinds::parse(&text, &name, materials).map_err(|error| error.to_string())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return (CreatureKinds::builtin(materials), None);
        }
        Err(error) => Err(format!("{name}: {error}")),
    };
    match kinds {
        Ok(kinds) => (Ok(kinds), None),
        Err(problem) => (CreatureKinds::builtin(materials), Some(problem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn file_replaces_the_built_in_kinds_unless_it_has_a_defect() {
        let folder = tempfile::tempdir().unwrap();
        let materials = MaterialTable::builtin();
        let file = folder.path().join("creatures.ron");
        let builtin = CreatureKinds::builtin(&materials).unwrap().list().len();
        let count = |file| {
            let (kinds, problem) = read(file, &materials);
            (kinds.unwrap().list().len(), problem)
        };
        assert_eq!(count(&file), (builtin, None));
        fs::write(&file, "[]").unwrap();
        assert_eq!(count(&file), (0, None));
        fs::write(&file, "[\n(name: 5)]").unwrap();
        let (kinds, problem) = count(&file);
        assert_eq!(kinds, builtin);
        assert!(
            problem.as_ref().is_some_and(|problem| problem.contains("creatures.ron:2:7: ")),
            "{problem:?}"
        );
        fs::write(&file, " ".repeat(MAX_BYTES + 1)).unwrap();
        assert!(
            matches!(count(&file), (kinds, Some(problem)) if kinds == builtin && problem.contains("larger than"))
        );
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(matches!(count(&file), (kinds, Some(_)) if kinds == builtin));
    }
}
