//! Tools change voxels through `VoxelEdit` only.

use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// Files and folders of tools, relative to `src`.
const TOOLS: [&str; 3] = ["edit/console", "game/builder", "script"];

/// Types that no tool may name: they hold voxels and can be changed.
const TYPES: [&str; 2] = ["RunTree", "RunBuilder"];
/// Methods of worlds and chunks that change voxels.
const METHODS: [&str; 5] = ["set_range", "set_ranges", "load_chunk", "unload_chunk", "commit"];
/// Methods that change voxels when they are called on a type of this name: `World::fill`.
const OF_WORLDS: [&str; 3] = ["World", "EditableWorld", "Chunk"];

/// Finds what a tool may not use.
#[derive(Default)]
struct Finder {
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
        };
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.found.extend(names.iter().filter(|name| TYPES.contains(&name.as_str())).cloned());
        for pair in names.windows(2) {
            let changes = ["insert", "set", "fill", "apply", "remove", "from_runs"].contains(&pair[1].as_str());
            if OF_WORLDS.contains(&pair[0].as_str()) && changes {
                self.found.push(pair.join("::"));
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.found.extend(Some(name.ident.to_string()).filter(|name| TYPES.contains(&name.as_str())));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.found.extend(Some(call.method.to_string()).filter(|name| METHODS.contains(&name.as_str())));
        visit::visit_expr_method_call(self, call);
    }
}

fn found(text: &str) -> Vec<String> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text).expect("the source is Rust"));
    finder.found
}

/// All Rust files of a file or folder, without files of tests.
fn sources(path: &Path, into: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        entries.for_each(|entry| sources(&entry.expect("src is readable").path(), into));
    } else if path.extension().is_some_and(|extension| extension == "rs")
        && path.file_stem().is_some_and(|stem| !stem.to_string_lossy().ends_with("tests"))
    {
        into.push(path.to_owned());
    }
}

#[test]
fn tools_change_voxels_through_the_voxel_api_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    TOOLS.iter().for_each(|tool| sources(&root.join(tool), &mut files));
    assert!(files.len() > 10, "the console alone has more files");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("src is readable");
        assert_eq!(found(&text), [""; 0], "{}", file.display());
    }
}

#[test]
fn direct_changes_are_found() {
    for (text, expected) in [
        ("use crate::runs::{Run, RunTree};", "RunTree"),
        ("fn f(chunk: &mut crate::runs::RunTree) {}", "RunTree"),
        ("fn f() { World::set(&mut world, at, voxel); }", "World::set"),
        ("fn f() { let _ = crate::world::Chunk::from_runs([]); }", "Chunk::from_runs"),
        ("fn f() { chunk.set_ranges([]); }", "set_ranges"),
        ("fn f() { world.commit(edit, fetch); }", "commit"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    assert!(
        found("fn f() { edit.fill(&region, &mask, &pattern); } #[cfg(test)] mod t { use super::RunTree; }").is_empty()
    );
}
