//! The structure of all packages: floors of modules, and folders without import cycles.
//!
//! The imports are read from the sources with `syn`: `use` items, and paths in code that start at a
//! module. Test code does not count. A `mod.rs` that only declares and re-exports its children does
//! not depend on them: an import through a re-export is an import of the file that defines the
//! item.

mod imports;
mod sources;
mod voxel_api;

use sources::{FileId, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Top-level modules from the bottom up. A module may use those of the rows before its own, and
/// none of its own row.
const FLOORS: [&[&str]; 14] = [
    &["random", "ron_text"],
    &["voxel"],
    &["runs"],
    &["world"],
    &["codec"],
    &["metrics"],
    &["body", "creatures", "light", "mesh", "rules", "terrain", "visibility"],
    &["save"],
    &["history"],
    &["edit", "exchange"],
    &["lab"],
    &["game"],
    &["cli"],
    &["main"],
];

/// Folders in which no file may reach itself through the imports of others. The subcommands and the
/// lab's benchmarks use what their parent module defines, so `cli` and `lab` are not among them.
const WITHOUT_CYCLES: [&str; 17] = [
    "body",
    "codec",
    "creatures",
    "edit",
    "exchange",
    "game",
    "history",
    "light",
    "mesh",
    "metrics",
    "rules",
    "runs",
    "save",
    "terrain",
    "visibility",
    "voxel",
    "world",
];

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|row| row.contains(&module))
        .unwrap_or_else(|| panic!("`{module}` is on no floor: add it to FLOORS and to ARCHITECTURE.md"))
}

#[test]
fn no_module_imports_upward() {
    let source = Sources::read();
    let mut upward = BTreeSet::new();
    for (from, to) in source.imports() {
        let (a, b) = (source.top_module(from), source.top_module(to));
        if a != b && b != "lib" && a != "lib" && floor(b) >= floor(a) {
            upward.insert(format!("{} imports {}", source.name(from), source.name(to)));
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

#[test]
fn folders_have_no_import_cycles() {
    let source = Sources::read();
    let mut cycles = Vec::new();
    for folder in WITHOUT_CYCLES {
        let inside = |file: &FileId| source.top_module(*file) == folder;
        let mut edges: BTreeMap<FileId, BTreeSet<FileId>> = BTreeMap::new();
        for (from, to) in source.imports().into_iter().filter(|(from, to)| from != to && inside(from) && inside(to)) {
            edges.entry(from).or_default().insert(to);
        }
        for group in strongly_connected(&edges) {
            let names: Vec<_> = group.iter().map(|file| source.name(*file)).collect();
            let arrows: Vec<_> = group
                .iter()
                .flat_map(|from| edges[from].iter().map(move |to| (*from, *to)))
                .filter(|(_, to)| group.contains(to))
                .map(|(from, to)| format!("{} -> {}", source.name(from), source.name(to)))
                .collect();
            cycles.push(format!("{folder}: {} files: {names:?}\n    {}", names.len(), arrows.join("\n    ")));
        }
    }
    assert!(cycles.is_empty(), "import cycles:\n{}", cycles.join("\n"));
}

/// Detects import cycles and upward imports, also through re-exports.
#[test]
fn cycle_and_upward_import_are_found() {
    let source = Sources::from_files([
        ("lib.rs", "mod save; mod voxel;"),
        ("save/mod.rs", "mod a; mod b; mod c; pub use b::B;"),
        ("save/a.rs", "use super::B; pub struct A;"),
        ("save/b.rs", "pub struct B; fn f() { let _ = vec![super::a::A]; }"),
        ("save/c.rs", "use super::{B, a}; fn f() -> a::A { a::A } #[cfg(test)] mod tests { use super::*; }"),
        ("voxel.rs", "pub fn f(_: &crate::save::B) {}"),
    ]);
    let imports: Vec<_> =
        source.imports().into_iter().map(|(from, to)| format!("{} {}", source.name(from), source.name(to))).collect();
    let expected = [
        "save/a.rs save/b.rs",
        "save/b.rs save/a.rs",
        "save/c.rs save/a.rs",
        "save/c.rs save/b.rs",
        "voxel.rs save/b.rs",
    ];
    assert_eq!(imports, expected);
}

/// The groups of two and more files that reach each other (Tarjan's algorithm is not needed for a
/// few hundred files).
fn strongly_connected(edges: &BTreeMap<FileId, BTreeSet<FileId>>) -> Vec<BTreeSet<FileId>> {
    let reach = |start: FileId| {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![start]);
        while let Some(at) = stack.pop() {
            stack.extend(edges.get(&at).into_iter().flatten().copied().filter(|next| seen.insert(*next)));
        }
        seen
    };
    let reached: BTreeMap<FileId, BTreeSet<FileId>> = edges.keys().map(|&file| (file, reach(file))).collect();
    let groups: BTreeSet<BTreeSet<FileId>> = reached
        .iter()
        .filter(|(file, seen)| seen.contains(file))
        .map(|(file, seen)| seen.iter().copied().filter(|b| reached.get(b).is_some_and(|r| r.contains(file))).collect())
        .collect();
    groups.into_iter().collect()
}
