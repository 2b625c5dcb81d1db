//! Named places of a map are saved, kept, backed up and salvaged. A damaged record costs only
//! itself.

use crate::bake::make_old;
use crate::damage::destroy_header;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::save::{
    Header, MapChanges, MapFile, NamedPlace, Places, backup, repair, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

const POS: ChunkPos = ChunkPos { x: 0, y: 2, z: -1 };

fn place(name: &str, x: f64) -> NamedPlace {
    NamedPlace { name: name.to_owned(), position: [x, 64.0, -7.5], yaw: 1.25, pitch: -0.5 }
}

fn places(names: &[&str]) -> Places {
    let mut places = Places::default();
    for (name, i) in names.iter().zip(0..) {
        places.add(place(name, f64::from(i) + 0.5)).unwrap();
    }
    places
}

fn changes(map: &MapFile) -> MapChanges {
    let chunks = vec![(POS, Chunk::uniform(Voxel::full(3)))];
    MapChanges::new(chunks, map.header().clone(), map.materials().clone())
}

/// Saves `names` into the map.
fn save(map: &mut MapFile, names: &[&str]) {
    map.save(&MapChanges { places: Some(places(names)), ..changes(map) }).unwrap();
}

/// A map of one chunk with two places.
fn map_at(path: &Path) -> MapFile {
    let mut map =
        MapFile::create(path, &Header::new(1, "flat", 1000), &MaterialTable::builtin()).unwrap();
    assert_eq!(map.places(), Ok(Places::default()));
    save(&mut map, &["Mill", "Bay"]);
    map
}

fn execute(path: &Path, sql: &str) {
    assert_eq!(rusqlite::Connection::open(path).unwrap().execute(sql, []).unwrap(), 1);
}

#[test]
fn places_survive_other_saves_reopening_compaction_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    map.save(&changes(&map)).unwrap();
    map.compact(&mut |_| ControlFlow::Continue(())).unwrap();
    let copy = backup::create(&map).unwrap().path;
    save(&mut map, &["Bay"]);
    map.close().unwrap();
    assert_eq!(MapFile::open(&path).unwrap().map.places(), Ok(places(&["Bay"])));
    assert!(verify(&path).unwrap().is_sound());
    backup::restore(&path, &copy).unwrap();
    assert_eq!(MapFile::open_read_only(&path).unwrap().map.places(), Ok(places(&["Mill", "Bay"])));
}

#[test]
fn damaged_places_cost_nothing_else_and_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let break_record =
        || execute(&path, "UPDATE meta SET record = substr(record, 1, 40) WHERE kind = 8");
    map_at(&path).close().unwrap();
    break_record();
    let mut opened = MapFile::open(&path).unwrap();
    assert_eq!(
        (opened.damage, opened.map.load(POS).unwrap()),
        (None, Some(Chunk::uniform(Voxel::full(3))))
    );
    assert!(opened.map.places().is_err());
    let report = verify(&path).unwrap();
    assert_eq!(report.bad.iter().map(|bad| &*bad.place).collect::<Vec<_>>(), ["places"]);
    // A save that does not change the places does not write their record.
    opened.map.save(&changes(&opened.map)).unwrap();
    assert!(opened.map.places().is_err());
    save(&mut opened.map, &["Bay"]);
    assert_eq!(opened.map.places(), Ok(places(&["Bay"])));
    opened.map.close().unwrap();
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.quarantined == 1, "{report:?}");

    break_record();
    let report = repair(&path).unwrap();
    assert_eq!(report.set_aside.iter().map(|bad| &*bad.place).collect::<Vec<_>>(), ["places"]);
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.quarantined == 2, "{report:?}");
    assert_eq!(MapFile::open(&path).unwrap().map.places(), Ok(Places::default()));
}

#[test]
fn places_of_a_broken_file_are_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    save(&mut map, &["Mill", "Bay", "Cave"]);
    map.close().unwrap();
    destroy_header(&path);
    let opened = MapFile::open(&path).unwrap();
    assert!(opened.damage.unwrap().structure.is_some());
    assert_eq!(opened.map.places(), Ok(places(&["Mill", "Bay", "Cave"])));
    drop(opened.map);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn maps_of_older_formats_have_no_places_and_take_them() {
    let folder = tempfile::tempdir().unwrap();
    for version in [1, 2] {
        let path = folder.path().join(format!("{version}.stonerun"));
        MapFile::create(&path, &Header::new(1, "flat", 0), &MaterialTable::builtin())
            .unwrap()
            .close()
            .unwrap();
        make_old(&path, version);
        let opened = MapFile::open(&path).unwrap();
        assert_eq!((opened.damage, opened.map.places()), (None, Ok(Places::default())));
        let mut map = opened.map;
        save(&mut map, &["Mill"]);
        map.close().unwrap();
        assert_eq!(MapFile::open(&path).unwrap().map.places(), Ok(places(&["Mill"])));
        assert!(verify(&path).unwrap().is_sound());
    }
}

#[test]
fn failed_save_does_not_lose_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let map = map_at(&folder.path().join("home.stonerun"));
    let with = |names: &[&str]| MapChanges { places: Some(places(names)), ..changes(&map) };
    let merged = changes(&map).merged_after(with(&["Mill"]));
    assert_eq!(merged.places, Some(places(&["Mill"])));
    assert_eq!(with(&["Bay"]).merged_after(merged).places, Some(places(&["Bay"])));
}
