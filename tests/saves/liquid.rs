//! Liquid in voxels of a map: it survives, and a map in which a liquid itself holds liquid is bad.

use super::lifecycle::{changes, new_map};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::history::History;
use stonerun_engine::save::{MapChanges, MapFile, repair, verify};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, Voxel};
use stonerun_engine::world::Chunk;

const POS: ChunkPos = ChunkPos::new(1, 0, -2);

/// A chunk of `material` under water up to its middle.
fn flooded(material: u16) -> Chunk {
    let dry = Voxel::new(material, 99);
    Chunk::from_runs([(CHUNK_VOLUME as u32 / 2, dry.with_liquid(156)), (16384, dry)])
}

fn open(path: &Path) -> (MapFile, EditableWorld) {
    let map = MapFile::open(path).unwrap().map;
    let saved = map.history().unwrap();
    let count = map.materials().len();
    let history = History::from_saved(saved, count, usize::MAX, map.reader().unwrap());
    (map, EditableWorld::new(history))
}

#[test]
fn edits_with_liquid_survive_saving_and_undo() {
    let folder = tempfile::tempdir().unwrap();
    let path = new_map(folder.path(), "home").path().to_owned();
    let (mut map, mut world) = open(&path);
    let sand = map.materials().find("sand").unwrap();
    let before = flooded(sand);
    world.load_chunk(POS, before.clone());
    let at = POS.origin() + IVec3::new(3, 2, 1);
    for voxel in [Voxel::new(sand, 20).with_liquid(200), Voxel::full(sand), Voxel::AIR] {
        world.set(at, voxel);
    }
    let after = world.world().chunk(POS).unwrap().clone();
    let history = world.take_history_change();
    map.save(&MapChanges { history, ..changes(&map, vec![(POS, after.clone())]) }).unwrap();
    map.close().unwrap();

    let (map, mut world) = open(&path);
    assert_eq!(map.load(POS).unwrap(), Some(after.clone()));
    for expected in [Voxel::full(sand), Voxel::new(sand, 20).with_liquid(200)] {
        world.undo(|pos| map.load(pos)).unwrap().unwrap();
        assert_eq!(world.world().get(at), expected);
    }
    world.undo(|pos| map.load(pos)).unwrap().unwrap();
    assert!(world.world().chunk(POS) == Some(&before));
    while world.redo(|pos| map.load(pos)).unwrap().is_some() {}
    assert!(world.world().chunk(POS) == Some(&after));
}

#[test]
fn chunk_with_liquid_in_a_liquid_is_bad() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    let water = map.materials().find("water").unwrap();
    map.save(&changes(&map, vec![(POS, flooded(water)), (ChunkPos::default(), flooded(1))]))
        .unwrap();
    let reason =
        format!("chunk (1, 0, -2): material {water} is a gas or a liquid but holds liquid");
    let errors = [map.load(POS).unwrap_err(), map.reader().unwrap().load(POS).unwrap_err()]
        .map(|e| e.to_string());
    for error in errors {
        assert!(error.ends_with(&reason), "{error}");
    }
    map.close().unwrap();
    let bad = verify(&path).unwrap().bad;
    assert!(bad.len() == 1 && format!("{:?}", bad[0]).contains("holds liquid"), "{bad:?}");
    assert_eq!(repair(&path).unwrap().set_aside.len(), 1);
    assert!(verify(&path).unwrap().is_sound());
    let map = MapFile::open(&path).unwrap().map;
    assert_eq!(map.load(ChunkPos::default()).unwrap(), Some(flooded(1)));
}

#[test]
fn undo_step_with_liquid_in_a_liquid_is_malformed() {
    let folder = tempfile::tempdir().unwrap();
    let path = new_map(folder.path(), "home").path().to_owned();
    let (mut map, mut world) = open(&path);
    let water = map.materials().find("water").unwrap();
    world.load_chunk(POS, Chunk::uniform(Voxel::full(1)));
    let at = POS.origin();
    world.set(at, Voxel::new(water, 20).with_liquid(9));
    world.set(at, Voxel::AIR);
    let chunk = world.world().chunk(POS).unwrap().clone();
    let history = world.take_history_change();
    map.save(&MapChanges { history, ..changes(&map, vec![(POS, chunk)]) }).unwrap();
    map.close().unwrap();
    let (map, mut world) = open(&path);
    let error = world.undo(|pos| map.load(pos)).unwrap_err().to_string();
    let reason = format!("material {water} is a gas or a liquid but holds liquid");
    assert_eq!(error, format!("step 2 of the undo history: chunk (1, 0, -2): {reason}"));
    assert!(world.world().is_empty());
}
