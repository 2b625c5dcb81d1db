//! The structure of all packages: floors of modules, and folders without import cycles.
//!
//! The imports are read from the sources with `syn`: `use` items, and paths in code that start at a
//! module. Test code counts for floors and rooms, but not for cycles between files: tests of a file
//! may use the files above it in its own room. A `mod.rs` that only declares and re-exports its
//! children does not depend on them: an import through a re-export is an import of the file that
//! defines the item.

mod imports;
mod rooms;
mod sources;
mod voxel_api;

use sources::{FileId, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Top-level modules from the bottom up. A module may use the modules of earlier rows, and no other
/// module of its own row.
const FLOORS: [&[&str]; 16] = [
    &["bits", "random", "ron_text", "variants"],
    &["voxel"],
    &["contour"],
    &["runs"],
    &["world"],
    &["codec"],
    &["metrics"],
    &["body", "creatures", "light", "mesh", "rules", "surface", "terrain", "visibility"],
    &["save"],
    &["history"],
    &["edit", "exchange"],
    &["lab"],
    &["views"],
    &["game"],
    &["cli"],
    &["main"],
];

/// Folders in which no file may reach itself through imports. The subcommands and the lab's
/// benchmarks use items that their parent module defines, so `cli` and `lab` are not listed.
const WITHOUT_CYCLES: [&str; 19] = [
    "body",
    "codec",
    "contour",
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
    "surface",
    "terrain",
    "visibility",
    "voxel",
    "world",
];

/// Modules above their own floor that the tests of a module use.
const TESTS_USE: [(&str, &str); 10] = [
    // Tests of movement compare the ground under a body with the drawn surface.
    ("body", "surface"),
    // Tests of surfaces compare light and shade in front of them with the world.
    ("surface", "light"),
    ("surface", "mesh"),
    // Tests of creatures and rules use generated terrain.
    ("creatures", "terrain"),
    ("rules", "terrain"),
    // Tests of sizes in memory compare them with the bytes that a save writes.
    ("metrics", "save"),
    // The cost of fractions is measured as bytes of a save.
    ("terrain", "save"),
    // Tests of the RON reader check the errors of all its callers.
    ("ron_text", "creatures"),
    ("ron_text", "rules"),
    ("ron_text", "voxel"),
];

fn floor(module: &str) -> usize {
    FLOORS.iter().position(|row| row.contains(&module)).unwrap_or_else(|| {
        panic!("`{module}` is on no floor: add it to FLOORS and to ARCHITECTURE.md")
    })
}

/// Imports of a module on the same floor or a higher one.
fn upward(source: &Sources, imports: BTreeSet<(FileId, FileId)>) -> BTreeSet<(FileId, FileId)> {
    let is_upward = |(from, to): &(FileId, FileId)| {
        let (user, used) = (source.top_module(*from), source.top_module(*to));
        user != used && user != "lib" && used != "lib" && floor(used) >= floor(user)
    };
    imports.into_iter().filter(is_upward).collect()
}

#[test]
fn no_module_imports_upward() {
    let source = Sources::of_project();
    let found: Vec<String> = upward(source, source.imports())
        .into_iter()
        .map(|(from, to)| format!("{} imports {}", source.name(from), source.name(to)))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn tests_import_upward_only_what_is_listed() {
    let source = Sources::of_project();
    let found: BTreeSet<(&str, &str)> = upward(source, source.imports_with_tests())
        .into_iter()
        .map(|(from, to)| (source.top_module(from), source.top_module(to)))
        .collect();
    assert_eq!(found, BTreeSet::from(TESTS_USE));
}

#[test]
fn folders_have_no_import_cycles() {
    let source = Sources::of_project();
    let mut cycles = Vec::new();
    for folder in WITHOUT_CYCLES {
        let inside = |file: &FileId| source.top_module(*file) == folder;
        let mut edges: BTreeMap<FileId, BTreeSet<FileId>> = BTreeMap::new();
        for (from, to) in source
            .imports()
            .into_iter()
            .filter(|(from, to)| from != to && inside(from) && inside(to))
        {
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
            cycles.push(format!(
                "{folder}: {} files: {names:?}\n    {}",
                names.len(),
                arrows.join("\n    ")
            ));
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
        (
            "save/c.rs",
            "use super::{B, a}; fn f() -> a::A { a::A } #[cfg(test)] mod tests { use super::*; }",
        ),
        ("voxel.rs", "pub fn f(_: &crate::save::B) {}"),
    ]);
    let imports: Vec<_> = source
        .imports()
        .into_iter()
        .map(|(from, to)| format!("{} {}", source.name(from), source.name(to)))
        .collect();
    let expected = [
        "save/a.rs save/b.rs",
        "save/b.rs save/a.rs",
        "save/c.rs save/a.rs",
        "save/c.rs save/b.rs",
        "voxel.rs save/b.rs",
    ];
    assert_eq!(imports, expected);
}

/// Groups of two or more nodes that reach each other. Tarjan's algorithm is not needed for a few
/// hundred nodes.
fn strongly_connected<N: Copy + Ord>(edges: &BTreeMap<N, BTreeSet<N>>) -> Vec<BTreeSet<N>> {
    let reached: BTreeMap<N, BTreeSet<N>> =
        edges.keys().map(|&node| (node, reachable(edges, node))).collect();
    let groups: BTreeSet<BTreeSet<N>> = reached
        .iter()
        .filter(|(node, seen)| seen.contains(node))
        .map(|(node, seen)| {
            seen.iter()
                .copied()
                .filter(|b| reached.get(b).is_some_and(|r| r.contains(node)))
                .collect()
        })
        .collect();
    groups.into_iter().collect()
}

/// The nodes that a path of at least one edge reaches.
fn reachable<N: Copy + Ord>(edges: &BTreeMap<N, BTreeSet<N>>, start: N) -> BTreeSet<N> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![start];
    while let Some(at) = stack.pop() {
        stack.extend(
            edges.get(&at).into_iter().flatten().copied().filter(|next| seen.insert(*next)),
        );
    }
    seen
}
