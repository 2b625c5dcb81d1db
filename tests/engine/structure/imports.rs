//! Reader of one file's imports, as absolute paths.

use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// Modules that are packages of their own, so that `crate` in their files means the module. Modules
/// of the engine and of the program have no such prefix.
const PACKAGES: [&str; 2] = ["exchange", "lab"];

/// Imports and re-exports of a file. Paths start at a module of the project, without `crate`.
#[derive(Default)]
pub struct Imports {
    /// Items that are used outside of tests, and imported modules.
    pub paths: BTreeSet<Vec<String>>,
    /// The same including the file's test modules.
    pub paths_with_tests: BTreeSet<Vec<String>>,
    /// Re-exported names, with the paths that they stand for.
    pub reexports: BTreeMap<String, Vec<String>>,
    /// Modules that are compiled only for tests.
    pub test_modules: Vec<Vec<String>>,
}

/// Reads the imports of one file of the module `module`.
pub fn read_imports(name: &str, text: &str, module: &[String]) -> Imports {
    let file: File = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let with_tests = read_file(&file, module, true).paths;
    Imports { paths_with_tests: with_tests, ..read_file(&file, module, false) }
}

fn read_file(file: &File, module: &[String], reads_tests: bool) -> Imports {
    let mut reader = Reader {
        reads_tests,
        module: module.to_vec(),
        aliases: BTreeMap::new(),
        children: BTreeSet::new(),
        found: Imports::default(),
    };
    for item in &file.items {
        if let Item::Mod(child) = item {
            reader.children.insert(child.ident.to_string());
            if is_test(&child.attrs) {
                reader.found.test_modules.push([module, &[child.ident.to_string()]].concat());
            }
        }
    }
    // Aliases come first, because a function may stand before the import that it uses.
    Aliases(&mut reader).visit_file(file);
    reader.visit_file(file);
    reader.found
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

struct Reader {
    /// True if test modules are read, too.
    reads_tests: bool,
    /// Path of the file's module and of the modules in it that are being read.
    module: Vec<String>,
    /// Names that `use` items bring into scope. One map serves the whole file, because names of
    /// inner scopes are rare and never contradict.
    aliases: BTreeMap<String, Vec<String>>,
    children: BTreeSet<String>,
    found: Imports,
}

impl Reader {
    fn enters(&self, module: &ItemMod) -> bool {
        self.reads_tests || !is_test(&module.attrs)
    }

    /// The absolute form of a path; `None` for paths outside the project.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => self
                .module
                .iter()
                .take(1)
                .filter(|top| PACKAGES.contains(&top.as_str()))
                .cloned()
                .collect(),
            "stonerun" | "stonerun_engine" => Vec::new(),
            "stonerun_exchange" => vec!["exchange".to_owned()],
            "stonerun_lab" => vec!["lab".to_owned()],
            "self" => self.module.clone(),
            "super" => {
                let mut up = self.module.clone();
                up.pop();
                let mut rest = rest;
                while let Some((_, after)) = rest.split_first().filter(|(next, _)| *next == "super")
                {
                    up.pop();
                    rest = after;
                }
                return Some([up.as_slice(), rest].concat());
            }
            name if self.children.contains(name) => {
                return Some([self.module.as_slice(), path].concat());
            }
            _ => return None,
        };
        Some([start.as_slice(), rest].concat())
    }

    fn expanded(&self, path: &[String]) -> Option<Vec<String>> {
        match self.aliases.get(path.first()?) {
            Some(target) => Some([target.as_slice(), &path[1..]].concat()),
            None => self.absolute(path),
        }
    }
}

/// Calls `each` for every leaf of a use tree, with its path and the name that it brings into scope.
fn leaves(tree: &UseTree, prefix: &[String], each: &mut impl FnMut(Vec<String>, Option<String>)) {
    let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), each),
        UseTree::Name(name) if name.ident == "self" => {
            each(prefix.to_vec(), prefix.last().cloned())
        }
        UseTree::Name(name) => each(with(&name.ident), Some(name.ident.to_string())),
        UseTree::Rename(rename) if rename.ident == "self" => {
            each(prefix.to_vec(), Some(rename.rename.to_string()))
        }
        UseTree::Rename(rename) => each(with(&rename.ident), Some(rename.rename.to_string())),
        UseTree::Glob(_) => each(prefix.to_vec(), None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, prefix, each)),
    }
}

/// First pass, which collects the names in scope and the re-exports.
struct Aliases<'a>(&'a mut Reader);

impl<'ast> Visit<'ast> for Aliases<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if self.0.enters(module) {
            self.0.module.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
            self.0.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        leaves(&item.tree, &[], &mut |path, name| {
            let Some(path) = self.0.absolute(&path) else { return };
            let Some(name) = name else { return };
            if !matches!(item.vis, Visibility::Inherited) {
                self.0.found.reexports.insert(name.clone(), path.clone());
            }
            self.0.aliases.insert(name, path);
        });
    }
}

/// Second pass, which collects the used paths.
impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if self.enters(module) {
            self.module.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            leaves(&item.tree, &[], &mut |path, _| {
                if let Some(path) = self.absolute(&path) {
                    self.found.paths.insert(path);
                }
            });
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(path) = self.expanded(&segments) {
            self.found.paths.insert(path);
        }
        visit::visit_path(self, path);
    }

    // Most arguments of macros such as `format!` and `vec!` are expressions. Others are skipped.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = mac.parse_body_with(parser) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
        visit::visit_macro(self, mac);
    }
}
