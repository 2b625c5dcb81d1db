//! Named regions of a map are saved, kept, backed up and salvaged. A damaged record costs only
//! itself.

use crate::bake::make_old;
use crate::damage::destroy_header;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::save::{
    Header, MAX_REGION_BYTES, MapChanges, MapFile, RegionChange, SaveError, backup, repair, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

const POS: ChunkPos = ChunkPos { x: 0, y: 2, z: -1 };

fn put(name: &str, bytes: &[u8]) -> RegionChange {
    RegionChange { name: name.to_owned(), bytes: Some(bytes.into()) }
}

fn delete(name: &str) -> RegionChange {
    RegionChange { name: name.to_owned(), bytes: None }
}

fn save(map: &mut MapFile, regions: &[RegionChange]) {
    try_save(map, regions).unwrap();
}

fn try_save(map: &mut MapFile, regions: &[RegionChange]) -> Result<(), SaveError> {
    let chunks = vec![(POS, Chunk::uniform(Voxel::full(3)))];
    let changes = MapChanges::new(chunks, map.header().clone(), map.materials().clone());
    map.save(&MapChanges { regions: regions.to_vec(), ..changes }).map(drop)
}

/// A map of one chunk with two regions.
fn map_at(path: &Path) -> MapFile {
    let mut map =
        MapFile::create(path, &Header::new(1, "flat", 1000), &MaterialTable::builtin()).unwrap();
    assert_eq!(map.regions().unwrap(), Default::default());
    save(&mut map, &[put("tower", b"first"), put("Hall", &[7; 100_000])]);
    map
}

/// Names and lengths of the sound regions. Asserts that each can be read.
fn regions(map: &MapFile) -> Vec<(String, u64)> {
    let found = map.regions().unwrap().regions;
    let reader = map.reader().unwrap();
    assert_eq!(found, reader.regions().unwrap().regions);
    for region in &found {
        assert_eq!(
            reader.region(&region.name.to_uppercase()).unwrap().unwrap().len() as u64,
            region.bytes
        );
    }
    found.into_iter().map(|region| (region.name, region.bytes)).collect()
}

fn named(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|&(name, bytes)| (name.to_owned(), bytes)).collect()
}

#[test]
fn regions_survive_other_saves_reopening_compaction_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    save(&mut map, &[]);
    map.compact(&mut |_| ControlFlow::Continue(())).unwrap();
    let copy = backup::create(&map).unwrap().path;
    save(
        &mut map,
        &[
            delete("HALL"),
            delete("none"),
            put("TOWER", b"two"),
            put("a", b""),
            put("b", b"x"),
            delete("b"),
        ],
    );
    assert_eq!(map.reader().unwrap().region("tower").unwrap().as_deref(), Some(&b"two"[..]));
    map.close().unwrap();
    assert_eq!(regions(&MapFile::open(&path).unwrap().map), named(&[("a", 0), ("TOWER", 3)]));
    assert!(verify(&path).unwrap().is_sound());
    backup::restore(&path, &copy).unwrap();
    assert_eq!(
        regions(&MapFile::open_read_only(&path).unwrap().map),
        named(&[("Hall", 100_000), ("tower", 5)])
    );
}

#[test]
fn damaged_region_costs_nothing_else_and_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let break_record = |id: i64| {
        let sql = "UPDATE region SET record = substr(record, 1, 36) WHERE id = ?1";
        assert_eq!(rusqlite::Connection::open(&path).unwrap().execute(sql, [id]).unwrap(), 1);
    };
    map_at(&path).close().unwrap();
    break_record(1);
    let mut opened = MapFile::open(&path).unwrap();
    assert_eq!(
        (opened.damage, opened.map.load(POS).unwrap()),
        (None, Some(Chunk::uniform(Voxel::full(3))))
    );
    assert_eq!(regions(&opened.map), named(&[("Hall", 100_000)]));
    assert_eq!(opened.map.regions().unwrap().bad.len(), 1);
    assert_eq!(opened.map.reader().unwrap().region("tower").unwrap(), None);
    let report = verify(&path).unwrap();
    let places = |bad: &[stonerun_engine::save::BadRecord]| {
        bad.iter().map(|bad| bad.place.clone()).collect::<Vec<_>>()
    };
    assert_eq!(places(&report.bad), ["region 1"]);
    // A save that changes no region leaves the damaged record as it is.
    save(&mut opened.map, &[]);
    assert_eq!(opened.map.regions().unwrap().bad.len(), 1);
    save(&mut opened.map, &[put("tower", b"again")]);
    assert_eq!(regions(&opened.map), named(&[("Hall", 100_000), ("tower", 5)]));
    opened.map.close().unwrap();
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.quarantined == 1, "{report:?}");

    break_record(2);
    let report = repair(&path).unwrap();
    assert_eq!(places(&report.set_aside), ["region 2"]);
    let report = verify(&path).unwrap();
    assert!(report.is_sound() && report.quarantined == 2, "{report:?}");
    assert_eq!(regions(&MapFile::open(&path).unwrap().map), named(&[("tower", 5)]));
}

#[test]
fn regions_of_a_broken_file_are_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    save(&mut map, &[put("Tower", b"latest")]);
    map.close().unwrap();
    destroy_header(&path);
    let opened = MapFile::open(&path).unwrap();
    assert!(opened.damage.unwrap().structure.is_some());
    assert_eq!(regions(&opened.map), named(&[("Hall", 100_000), ("Tower", 6)]));
    assert_eq!(opened.map.reader().unwrap().region("hall").unwrap(), Some(vec![7; 100_000]));
    drop(opened.map);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn maps_of_older_formats_have_no_regions_and_take_them() {
    let folder = tempfile::tempdir().unwrap();
    for version in 1..=4 {
        let path = folder.path().join(format!("{version}.stonerun"));
        MapFile::create(&path, &Header::new(1, "flat", 0), &MaterialTable::builtin())
            .unwrap()
            .close()
            .unwrap();
        make_old(&path, version);
        let opened = MapFile::open(&path).unwrap();
        assert_eq!((opened.damage, regions(&opened.map)), (None, named(&[])));
        assert!(verify(&path).unwrap().is_sound());
        let mut map = opened.map;
        save(&mut map, &[put("tower", b"first")]);
        map.close().unwrap();
        assert_eq!(regions(&MapFile::open(&path).unwrap().map), named(&[("tower", 5)]));
        assert!(verify(&path).unwrap().is_sound());
    }
}

#[test]
fn region_that_does_not_fit_fails_the_save_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = map_at(&folder.path().join("home.stonerun"));
    let too_large = put("huge", &vec![0; MAX_REGION_BYTES + 1]);
    for (change, reason) in [(too_large, "exceeds the limit"), (put(" x", b""), "no valid name")] {
        let error = try_save(&mut map, &[put("kept", b""), change]).unwrap_err().to_string();
        assert!(error.contains("region") && error.contains(reason), "{error}");
    }
    assert_eq!(regions(&map), named(&[("Hall", 100_000), ("tower", 5)]));
}

#[test]
fn failed_save_does_not_lose_its_regions() {
    let folder = tempfile::tempdir().unwrap();
    let map = map_at(&folder.path().join("home.stonerun"));
    let with = |regions: &[RegionChange]| MapChanges {
        regions: regions.to_vec(),
        ..MapChanges::new(Vec::new(), map.header().clone(), map.materials().clone())
    };
    let earlier = with(&[put("a", b"1"), put("b", b"1")]);
    let later = with(&[delete("A"), put("c", b"2")]);
    assert_eq!(later.merged_after(earlier).regions, [put("b", b"1"), delete("A"), put("c", b"2")]);
}
