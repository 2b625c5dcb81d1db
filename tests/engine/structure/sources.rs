//! The files of all packages as modules of one tree, and the resolution of their paths.

use super::imports::{Imports, read_imports};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

/// Index of a file in [`Sources::files`].
pub type FileId = usize;

/// Folders with sources, and the module path of their root. The program and the engine share the
/// top of the tree, because none of their modules have equal names.
const ROOTS: [(&str, &str); 4] = [
    ("src", ""),
    ("crates/engine/src", ""),
    ("crates/exchange/src", "exchange/"),
    ("crates/lab/src", "lab/"),
];

/// A module path from the top of the tree, without `crate`.
type ModulePath = Vec<String>;

struct SourceFile {
    /// Path of the file from the top of the module tree.
    name: String,
    imports: Imports,
}

/// All files of the project.
pub struct Sources {
    files: Vec<SourceFile>,
    modules: BTreeMap<ModulePath, FileId>,
}

impl Sources {
    /// The sources of all packages, read only once.
    pub fn of_project() -> &'static Sources {
        static SOURCES: OnceLock<Sources> = OnceLock::new();
        SOURCES.get_or_init(|| {
            let mut files = Vec::new();
            for (folder, module) in ROOTS {
                read_folder(
                    &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
                    module,
                    &mut files,
                );
            }
            Sources::from_files(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
        })
    }

    /// Builds the tree from pairs of a file's path, from the top of the module tree, and its text.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Sources {
        let mut texts: Vec<_> = files.into_iter().collect();
        texts.sort_unstable();
        let module_of = |name: &str| -> ModulePath {
            let stem = name.strip_suffix(".rs").expect("only Rust files are read");
            let stem = stem.strip_suffix("/mod").unwrap_or(stem);
            if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
        };
        let modules =
            texts.iter().enumerate().map(|(id, (name, _))| (module_of(name), id)).collect();
        let files = texts
            .iter()
            .map(|(name, text)| SourceFile {
                name: (*name).to_owned(),
                imports: read_imports(name, text, &module_of(name)),
            })
            .collect();
        Sources { files, modules }
    }

    /// All files.
    pub fn ids(&self) -> impl Iterator<Item = FileId> {
        0..self.files.len()
    }

    /// A file's path from the top of the module tree.
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file].name
    }

    /// The top-level module of a file; `lib` for the root of the program.
    pub fn top_module(&self, file: FileId) -> &str {
        let name = self.name(file);
        name.split('/').next().unwrap_or(name).trim_end_matches(".rs")
    }

    /// The room of a file in its top-level module: the first folder below the module, or the file
    /// itself. `None` for the module's own file, which declares and re-exports.
    pub fn room(&self, file: FileId) -> Option<&str> {
        let below = self.name(file).strip_prefix(self.top_module(file))?.strip_prefix('/')?;
        let room = below.split('/').next()?.trim_end_matches(".rs");
        Some(room).filter(|room| *room != "mod")
    }

    /// Pairs of a file and a file that it uses, test code included.
    pub fn imports_with_tests(&self) -> BTreeSet<(FileId, FileId)> {
        let mut pairs = BTreeSet::new();
        for (from, file) in self.files.iter().enumerate() {
            for path in &file.imports.paths_with_tests {
                if let Some(to) = self.definition(path, 0).filter(|to| *to != from) {
                    pairs.insert((from, to));
                }
            }
        }
        pairs
    }

    /// Pairs of a file and a file that it uses. Test code does not count, and neither do files that
    /// only tests declare.
    pub fn imports(&self) -> BTreeSet<(FileId, FileId)> {
        let test_modules = self.files.iter().flat_map(|file| &file.imports.test_modules);
        let test_files: BTreeSet<FileId> = test_modules
            .flat_map(|test| self.modules.iter().filter(|(path, _)| path.starts_with(test)))
            .map(|(_, file)| *file)
            .collect();
        let is_test = |file: &FileId| test_files.contains(file);
        let mut pairs = BTreeSet::new();
        for from in (0..self.files.len()).filter(|file| !is_test(file)) {
            for path in &self.files[from].imports.paths {
                if let Some(to) = self.definition(path, 0).filter(|to| *to != from && !is_test(to))
                {
                    pairs.insert((from, to));
                }
            }
        }
        pairs
    }

    /// The file that defines the item at an absolute path; `None` for a module itself, and outside
    /// the project.
    fn definition(&self, path: &[String], depth: usize) -> Option<FileId> {
        assert!(depth < 20, "re-exports in a cycle: {path:?}");
        let len = (0..=path.len()).rev().find(|&len| self.modules.contains_key(&path[..len]))?;
        let file = self.modules[&path[..len]];
        let item = path.get(len)?;
        match self.files[file].imports.reexports.get(item) {
            Some(target) => {
                let mut full = target.clone();
                full.extend_from_slice(&path[len + 1..]);
                self.definition(&full, depth + 1)
            }
            None => Some(file),
        }
    }
}

/// Reads the Rust files of a folder. The root of a package is a module like any other.
fn read_folder(root: &Path, module: &str, files: &mut Vec<(String, String)>) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("sources are readable") {
            let path = entry.expect("sources are readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(root)
                    .expect("it is in the folder")
                    .to_str()
                    .expect("names are UTF-8");
                let name = format!("{module}{}", name.replace('\\', "/"));
                let name =
                    if module.is_empty() { name } else { name.replace("/lib.rs", "/mod.rs") };
                files.push((name, std::fs::read_to_string(&path).expect("sources are readable")));
            }
        }
    }
}
