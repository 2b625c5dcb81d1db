//! Rules and creatures of a map are saved, kept, backed up and salvaged. A damaged record costs
//! only itself.

use crate::damage::destroy_header;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::save::{
    AwakeChunk, Header, MapChanges, MapFile, SavedAwake, SavedRules, backup, repair, verify,
};
use stonerun_engine::voxel::{ChunkPos, MaterialTable};

fn changes(map: &MapFile) -> MapChanges {
    MapChanges::new(Vec::new(), map.header().clone(), map.materials().clone())
}

fn rules(next_step: u64) -> SavedRules {
    SavedRules { next_step, text: "[Powder(name: \"ash\", materials: [\"ash\"])]".to_owned() }
}

fn save(map: &mut MapFile, step: u64) {
    let all = MapChanges {
        rules: Some(rules(step)),
        creatures: Some(vec![7; 9]),
        awake: Some(awake()),
        ..changes(map)
    };
    map.save(&all).unwrap();
}

fn map_at(path: &Path) -> MapFile {
    let mut map =
        MapFile::create(path, &Header::new(1, "flat", 1000), &MaterialTable::builtin()).unwrap();
    assert_eq!((map.rules(), map.creatures()), (Ok(SavedRules::default()), Ok(None)));
    save(&mut map, 5);
    map
}

fn awake() -> SavedAwake {
    SavedAwake {
        chunks: vec![AwakeChunk {
            pos: ChunkPos::new(3, -4, 5),
            edited: 6,
            pending: 7 << 100,
            step: 8,
        }],
    }
}

/// Rules and creatures of a map, after its awake blocks were checked.
fn kept(path: &Path) -> (SavedRules, Option<Vec<u8>>) {
    let map = MapFile::open_read_only(path).unwrap().map;
    let creatures = map.creatures().unwrap();
    let expected = if creatures.is_some() { awake() } else { SavedAwake::default() };
    assert_eq!(map.awake(), Ok(expected));
    (map.rules().unwrap(), creatures)
}

#[test]
fn rules_and_creatures_survive_other_saves_compaction_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    map.save(&changes(&map)).unwrap();
    map.compact(&mut |_| ControlFlow::Continue(())).unwrap();
    let copy = backup::create(&map).unwrap().path;
    map.save(&MapChanges { rules: Some(rules(9)), ..changes(&map) }).unwrap();
    map.close().unwrap();
    assert_eq!(kept(&path), (rules(9), Some(vec![7; 9])));
    assert!(verify(&path).unwrap().is_sound());
    backup::restore(&path, &copy).unwrap();
    assert_eq!(kept(&path), (rules(5), Some(vec![7; 9])));
}

#[test]
fn damaged_records_cost_nothing_else_and_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let break_records = || {
        let file = rusqlite::Connection::open(&path).unwrap();
        let sql = "UPDATE meta SET record = substr(record, 1, 33) WHERE kind IN (11, 12, 13)";
        assert_eq!(file.execute(sql, []).unwrap(), 3);
    };
    map_at(&path).close().unwrap();
    break_records();
    let mut opened = MapFile::open(&path).unwrap();
    assert_eq!(opened.damage, None);
    assert!(
        opened.map.rules().is_err()
            && opened.map.creatures().is_err()
            && opened.map.awake().is_err()
    );
    let bad: Vec<String> = verify(&path).unwrap().bad.into_iter().map(|bad| bad.place).collect();
    assert_eq!(bad, ["rules", "creatures", "awake blocks"]);
    save(&mut opened.map, 6);
    opened.map.close().unwrap();
    assert_eq!(kept(&path), (rules(6), Some(vec![7; 9])));
    assert_eq!(verify(&path).unwrap().quarantined, 3);

    break_records();
    assert_eq!(repair(&path).unwrap().set_aside.len(), 3);
    assert_eq!(kept(&path), (SavedRules::default(), None));
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn rules_and_creatures_of_a_broken_file_are_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let mut map = map_at(&path);
    save(&mut map, 8);
    map.close().unwrap();
    destroy_header(&path);
    MapFile::open(&path).unwrap().map.close().unwrap();
    assert_eq!(kept(&path), (rules(8), Some(vec![7; 9])));
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn rules_that_do_not_fit_fail_the_save_with_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = map_at(&folder.path().join("home.stonerun"));
    let huge = SavedRules { next_step: 0, text: " ".repeat(70_000) };
    let error =
        map.save(&MapChanges { rules: Some(huge), ..changes(&map) }).unwrap_err().to_string();
    assert!(error.contains("rules: "), "{error}");
    assert_eq!(map.rules(), Ok(rules(5)));
}
