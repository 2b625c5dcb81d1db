//! Checks that tools change voxels only through `VoxelEdit`.
//!
//! The source is read without types. Methods with distinctive names count wherever they are called.
//! `set`, `fill` and other common names count if they are called on a value named `world`, `chunk`
//! or similar (`self.world`, `edit.chunk(pos)?` too), or on a value that the same file declares
//! with a type of [`OF_WORLDS`]. Worlds under other names are not detected.

use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// Files and folders of tools.
const TOOLS: [&str; 2] = ["crates/engine/src/edit/console", "src/game/building/builder"];

/// Types that no tool may name, because they hold voxels and can be changed.
const TYPES: [&str; 2] = ["RunTree", "RunBuilder"];
/// Methods of worlds and chunks that change voxels, by names that no other type has.
const METHODS: [&str; 5] = ["set_range", "set_ranges", "load_chunk", "unload_chunk", "commit"];
/// Types whose methods with [`COMMON`] names change voxels, such as `World::fill`.
const OF_WORLDS: [&str; 3] = ["World", "EditableWorld", "Chunk"];

/// Names of methods of these types that change voxels, but that other types have too.
const COMMON: [&str; 6] = ["insert", "set", "fill", "apply", "remove", "from_runs"];
/// Names of values that usually hold voxels.
const VALUES: [&str; 5] = ["world", "world_mut", "chunk", "chunk_mut", "editable"];

/// Last name in an expression: `c` of `a.b.c`, `a.b.c()?` and `(&mut a.b.c)`.
fn last_name(value: &syn::Expr) -> Option<String> {
    match value {
        syn::Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        syn::Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(name.to_string()),
            syn::Member::Unnamed(_) => None,
        },
        syn::Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "unwrap" | "expect" | "clone" | "as_mut" => last_name(&call.receiver),
            name => Some(name.to_owned()),
        },
        syn::Expr::Try(inner) => last_name(&inner.expr),
        syn::Expr::Paren(inner) => last_name(&inner.expr),
        syn::Expr::Reference(inner) => last_name(&inner.expr),
        syn::Expr::Unary(inner) => last_name(&inner.expr),
        syn::Expr::Index(inner) => last_name(&inner.expr),
        _ => None,
    }
}

/// True for a type of [`OF_WORLDS`], or a reference to one.
fn is_world(of: &syn::Type) -> bool {
    match of {
        syn::Type::Reference(reference) => is_world(&reference.elem),
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|segment| OF_WORLDS.contains(&segment.ident.to_string().as_str())),
        _ => false,
    }
}

/// Finds types and calls that a tool may not use.
#[derive(Default)]
struct Finder {
    found: Vec<String>,
    /// Names that are declared with a type of [`OF_WORLDS`].
    worlds: Vec<String>,
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
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.found.extend(names.iter().filter(|name| TYPES.contains(&name.as_str())).cloned());
        for pair in names.windows(2) {
            let changes = COMMON.contains(&pair[1].as_str());
            if OF_WORLDS.contains(&pair[0].as_str()) && changes {
                self.found.push(pair.join("::"));
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_type(&mut self, declared: &'ast syn::PatType) {
        if let syn::Pat::Ident(name) = &*declared.pat
            && is_world(&declared.ty)
        {
            self.worlds.push(name.ident.to_string());
        }
        visit::visit_pat_type(self, declared);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.worlds
            .extend(field.ident.iter().filter(|_| is_world(&field.ty)).map(ToString::to_string));
        visit::visit_field(self, field);
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.found
            .extend(Some(name.ident.to_string()).filter(|name| TYPES.contains(&name.as_str())));
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.found
            .extend(Some(rename.ident.to_string()).filter(|name| TYPES.contains(&name.as_str())));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = call.method.to_string();
        if METHODS.contains(&method.as_str()) {
            self.found.push(method);
        } else if COMMON.contains(&method.as_str())
            && let Some(value) = last_name(&call.receiver)
            && (VALUES.contains(&value.as_str()) || self.worlds.contains(&value))
        {
            self.found.push(format!("{value}.{method}"));
        }
        visit::visit_expr_method_call(self, call);
    }
}

fn found(text: &str) -> Vec<String> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text).expect("the source is Rust"));
    finder.found
}

/// Collects all Rust files of a file or folder, except files of tests.
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
        ("fn f() { world.set(at, voxel); }", "world.set"),
        ("fn f() { self.open.world.fill(area, voxel); }", "world.fill"),
        ("fn f() { edit.chunk(pos)?.clone().set(3, voxel); }", "chunk.set"),
        ("fn f(target: &mut crate::world::World) { target.fill(area, voxel); }", "target.fill"),
        (
            "struct S { map: World } impl S { fn f(&mut self) { self.map.set(at, voxel); } }",
            "map.set",
        ),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    assert!(
        found("fn f() { edit.fill(&region, &mask, &pattern); } #[cfg(test)] mod t { use super::RunTree; }").is_empty()
    );
}
