//! Rooms: the first folders below a module. No room may reach itself through imports, so that each
//! room can be read after the rooms that it uses.

use super::sources::{FileId, Sources};
use super::strongly_connected;
use std::collections::{BTreeMap, BTreeSet};

/// Modules whose rooms may use each other. The three forms of a run tree are one concept in three
/// files.
const EXEMPT: [&str; 1] = ["runs"];

/// An import of one room by another of the same module.
type RoomEdge<'a> = (&'a str, &'a str);

/// The imports between rooms of `module`, test code included, with the files of each.
fn edges<'a>(source: &'a Sources, module: &str) -> BTreeMap<RoomEdge<'a>, Vec<(FileId, FileId)>> {
    let mut edges: BTreeMap<RoomEdge, Vec<(FileId, FileId)>> = BTreeMap::new();
    for (from, to) in source.imports_with_tests() {
        if source.top_module(from) == module
            && source.top_module(to) == module
            && let Some(user) = source.room(from)
            && let Some(used) = source.room(to)
            && user != used
        {
            edges.entry((user, used)).or_default().push((from, to));
        }
    }
    edges
}

/// Cycles of rooms in all modules but [`EXEMPT`], as text: the rooms, then the imports between
/// them.
fn cycles(source: &Sources) -> Vec<String> {
    let modules: BTreeSet<&str> = source.ids().map(|file| source.top_module(file)).collect();
    let mut found = Vec::new();
    for module in modules.into_iter().filter(|module| !EXEMPT.contains(module)) {
        let edges = edges(source, module);
        let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (user, room) in edges.keys() {
            used.entry(user).or_default().insert(room);
        }
        for cycle in strongly_connected(&used) {
            let inside = edges
                .iter()
                .filter(|((user, room), _)| cycle.contains(user) && cycle.contains(room));
            let imports: Vec<String> = inside
                .flat_map(|(_, files)| files)
                .map(|(from, to)| format!("{} -> {}", source.name(*from), source.name(*to)))
                .collect();
            found.push(format!("{module}: {cycle:?}\n    {}", imports.join("\n    ")));
        }
    }
    found
}

#[test]
fn rooms_have_no_cycles() {
    let cycles = cycles(Sources::of_project());
    assert!(cycles.is_empty(), "cycles of rooms:\n{}", cycles.join("\n"));
}

#[test]
fn cycle_of_rooms_is_found() {
    let source = Sources::from_files([
        ("save/mod.rs", "mod a; mod b; pub use b::B;"),
        ("save/a/mod.rs", "mod deep; pub struct A;"),
        ("save/a/deep.rs", "use crate::save::B;"),
        ("save/b/mod.rs", "mod other; pub struct B;"),
        ("save/b/other.rs", "use crate::save::a::A;"),
    ]);
    assert_eq!(cycles(&source).len(), 1);
}

#[test]
fn cycle_through_test_code_is_found() {
    let source = Sources::from_files([
        ("save/mod.rs", "mod a; mod b;"),
        ("save/a.rs", "pub struct A; #[cfg(test)] mod tests { use super::super::b::B; }"),
        ("save/b.rs", "pub struct B(super::a::A);"),
    ]);
    assert_eq!(cycles(&source).len(), 1);
}

#[test]
fn files_of_one_room_may_use_each_other() {
    let source = Sources::from_files([
        ("save/mod.rs", "mod a;"),
        ("save/a/mod.rs", "mod x; mod y;"),
        ("save/a/x.rs", "pub struct X(super::y::Y);"),
        ("save/a/y.rs", "pub struct Y; fn f(_: &super::x::X) {}"),
    ]);
    assert_eq!(cycles(&source), [""; 0]);
}
