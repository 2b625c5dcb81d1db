//! The files of the crate as modules, and what a path in one of them means.

use super::imports::{Imports, read_imports};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file's place in [`Crate::files`].
pub type FileId = usize;

/// A module path from the crate's root, without `crate`.
type ModulePath = Vec<String>;

struct SourceFile {
    /// Relative to `src`.
    name: String,
    imports: Imports,
}

/// All files of the crate.
pub struct Crate {
    files: Vec<SourceFile>,
    modules: BTreeMap<ModulePath, FileId>,
}

impl Crate {
    /// Reads `src`.
    pub fn read() -> Crate {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("src is readable") {
                let path = entry.expect("src is readable").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let name = path.strip_prefix(&root).expect("it is below src").to_str().expect("names are UTF-8");
                    files.push((name.replace('\\', "/"), std::fs::read_to_string(&path).expect("src is readable")));
                }
            }
        }
        Crate::from_files(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// A crate of files by name, relative to `src`, and text.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Crate {
        let mut texts: Vec<_> = files.into_iter().collect();
        texts.sort_unstable();
        let module_of = |name: &str| -> ModulePath {
            let stem = name.strip_suffix(".rs").expect("only Rust files are read");
            let stem = stem.strip_suffix("/mod").unwrap_or(stem);
            if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
        };
        let modules = texts.iter().enumerate().map(|(id, (name, _))| (module_of(name), id)).collect();
        let files = texts
            .iter()
            .map(|(name, text)| SourceFile {
                name: (*name).to_owned(),
                imports: read_imports(name, text, &module_of(name)),
            })
            .collect();
        Crate { files, modules }
    }

    /// A file's name, relative to `src`.
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file].name
    }

    /// The top-level module a file belongs to; `lib` for the crate's root.
    pub fn top_module(&self, file: FileId) -> &str {
        let name = self.name(file);
        name.split('/').next().unwrap_or(name).trim_end_matches(".rs")
    }

    /// Which file uses which, each pair once. Test code and files that only tests declare do not
    /// count.
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
                if let Some(to) = self.definition(path, 0).filter(|to| *to != from && !is_test(to)) {
                    pairs.insert((from, to));
                }
            }
        }
        pairs
    }

    /// The file that defines what an absolute path names; `None` for a module itself, and outside
    /// the crate.
    fn definition(&self, path: &[String], depth: usize) -> Option<FileId> {
        assert!(depth < 20, "re-exports in a circle: {path:?}");
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
