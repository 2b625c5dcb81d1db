//! Surfaces of materials: a save replaces the record of a material whose surface has changed.

use super::{changes, map_at, row};
use crate::save::error::StructureError;
use crate::save::file::companion_files::with_suffix;
use crate::save::recovery::rebuild;
use crate::save::{MapFile, repair, verify};
use crate::voxel::{MaterialError, MaterialTable, SurfaceRule};
use std::path::Path;

/// The records of all materials, by index.
fn records(map: &MapFile) -> Vec<Vec<u8>> {
    let conn = &map.state().conn;
    let mut statement = conn.prepare("SELECT record FROM material ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Saves `map` with this surface of "stone", without chunks.
fn save_surface(map: &mut MapFile, surface: SurfaceRule) {
    let mut next = changes(map, Vec::new());
    let stone = next.materials.find("stone").unwrap();
    next.materials.set_surface(stone, surface).unwrap();
    map.save(&next).unwrap();
}

/// Surface of "stone" in the map at `path`, which must be sound.
fn saved_surface(path: &Path) -> SurfaceRule {
    let opened = MapFile::open_read_only(path).unwrap();
    assert_eq!(opened.damage, None);
    let materials = opened.map.materials();
    materials.get(materials.find("stone").unwrap()).unwrap().surface
}

#[test]
fn set_surface_returns_the_previous_and_refuses_what_cannot_be_shaped() {
    let mut table = MaterialTable::builtin();
    let stone = table.find("stone").unwrap();
    assert_eq!(table.set_surface(stone, SurfaceRule::Smooth).unwrap(), SurfaceRule::Cube);
    assert_eq!(table.set_surface(stone, SurfaceRule::Rough(9)).unwrap(), SurfaceRule::Smooth);
    let refused = table.set_surface(stone, SurfaceRule::Rough(128));
    assert!(matches!(refused, Err(MaterialError::Surface { .. })));
    assert_eq!(table.get(stone).unwrap().surface, SurfaceRule::Rough(9));
    for name in ["air", "water", "torch", "tall_grass"] {
        let id = table.find(name).unwrap();
        let refused = table.set_surface(id, SurfaceRule::Facet);
        assert!(matches!(refused, Err(MaterialError::NotShapeable(_))), "{name}");
        assert_eq!(table.set_surface(id, SurfaceRule::Cube).unwrap(), SurfaceRule::Cube);
    }
    let len = table.len() as u16;
    let refused = table.set_surface(len, SurfaceRule::Smooth);
    assert!(matches!(refused, Err(MaterialError::Unknown(id)) if id == len));
}

#[test]
fn save_replaces_only_the_record_of_the_changed_material() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let before = records(&map);
    save_surface(&mut map, SurfaceRule::Terrace(3));
    let stone = usize::from(map.materials().find("stone").unwrap());
    let after = records(&map);
    let differing: Vec<usize> = (0..before.len()).filter(|&id| before[id] != after[id]).collect();
    assert_eq!((differing, after.len()), (vec![stone], before.len()));
    assert_eq!(saved_surface(&path), SurfaceRule::Terrace(3));
    // The next save writes no record of a material.
    let more = changes(&map, row(4));
    map.save(&more).unwrap();
    assert_eq!(records(&map), after);
    save_surface(&mut map, SurfaceRule::Cube);
    // The record is as it was, apart from revision and checksum.
    assert_eq!(records(&map)[stone][32..], before[stone][32..]);
    map.close().unwrap();
    assert_eq!(saved_surface(&path), SurfaceRule::Cube);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn crash_leaves_the_surface_before_or_after_the_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    let copy_to = |name: &str| {
        let copy = folder.path().join(name);
        for suffix in ["", "-wal"] {
            std::fs::copy(with_suffix(&path, suffix), with_suffix(&copy, suffix)).unwrap();
        }
        copy
    };
    // A save that fails halfway.
    let pages: i64 =
        map.state().conn.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    map.state().conn.pragma_update(None, "max_page_count", pages).unwrap();
    let mut failing = changes(&map, (0..400).flat_map(|_| row(7)).collect());
    for (number, (pos, _)) in failing.chunks.iter_mut().enumerate() {
        pos.y = 1 + (number / 40) as i32;
    }
    let stone = failing.materials.find("stone").unwrap();
    failing.materials.set_surface(stone, SurfaceRule::Smooth).unwrap();
    assert!(map.save(&failing).is_err());
    assert_eq!(saved_surface(&copy_to("before.stonerun")), SurfaceRule::Cube);
    map.state().conn.pragma_update(None, "max_page_count", 1_000_000).unwrap();
    map.save(&failing).unwrap();
    let after = copy_to("after.stonerun");
    assert_eq!(saved_surface(&after), SurfaceRule::Smooth);
    let opened = MapFile::open(&after).unwrap();
    assert_eq!(opened.damage, None);
    opened.map.close().unwrap();
    assert!(repair(&after).unwrap().set_aside.is_empty());
    assert_eq!(saved_surface(&after), SurfaceRule::Smooth);
}

#[test]
fn rebuild_keeps_the_latest_surface() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    for surface in [SurfaceRule::Rough(5), SurfaceRule::Facet, SurfaceRule::Smooth] {
        save_surface(&mut map, surface);
    }
    // The log holds the pages with the earlier records, too.
    let copy = folder.path().join("copy.stonerun");
    for suffix in ["", "-wal"] {
        std::fs::copy(with_suffix(&path, suffix), with_suffix(&copy, suffix)).unwrap();
    }
    rebuild::in_place(&copy, StructureError::Empty).unwrap();
    assert_eq!(saved_surface(&copy), SurfaceRule::Smooth);
    assert!(verify(&copy).unwrap().is_sound());
}
