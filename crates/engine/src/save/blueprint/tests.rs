//! Tests: blueprints are read back exactly, and damaged or hostile files are refused.

use super::*;
use crate::voxel::{CHUNK_VOLUME, Matter, SurfaceRule, Voxel};
use std::path::Path;

fn blueprint() -> Blueprint {
    let noise = |i: usize| Voxel::new((i * i / 7 % 3) as u16, (i % 200) as u8);
    let mut inside = Chunk::uniform(Voxel::AIR);
    inside.set_range(100..3000, Voxel::full(1));
    let chunk = |pos, voxels, inside| BlueprintChunk { pos, voxels, inside };
    Blueprint {
        materials: vec![
            Material::unknown("air"),
            Material::unknown("a"),
            Material::plain("minecraft:b", [1, 2, 3]),
        ],
        origin: IVec3::new(-5, 70, 1 << 20),
        chunks: vec![
            chunk(
                ChunkPos::new(-1, 2, 3),
                Chunk::uniform(Voxel::full(2)),
                Chunk::uniform(Voxel::full(1)),
            ),
            chunk(
                ChunkPos::new(0, 0, 0),
                Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, noise(i)))),
                inside,
            ),
        ],
    }
}

fn save(blueprint: &Blueprint, path: &Path) -> Vec<u8> {
    assert_eq!(blueprint.save(path, true).unwrap(), path.metadata().unwrap().len());
    std::fs::read(path).unwrap()
}

#[test]
fn blueprint_round_trips_and_replaces_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blueprint");
    let blueprint = blueprint();
    blueprint.save(&path, false).unwrap();
    assert_eq!(Blueprint::load(&path).unwrap(), blueprint);
    let empty = Blueprint { chunks: vec![], ..blueprint.clone() };
    assert!(matches!(empty.save(&path, false), Err(BlueprintError::Exists { .. })));
    assert_eq!(Blueprint::load(&path).unwrap(), blueprint);
    empty.save(&path, true).unwrap();
    assert_eq!(Blueprint::load(&path).unwrap(), empty);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    let error = empty.save(&folder.path().join("no/such/b.blueprint"), false).unwrap_err();
    assert!(
        error.to_string().contains("b.blueprint: cannot write it: there is no such"),
        "{error}"
    );
    let error = Blueprint::load(&folder.path().join("c.blueprint")).unwrap_err();
    assert!(error.to_string().contains("c.blueprint: cannot read it: there is no such"), "{error}");
}

#[test]
fn only_blueprint_with_a_surface_has_the_new_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blueprint");
    let mut blueprint = blueprint();
    assert_eq!(save(&blueprint, &path)[8], 1);
    blueprint.materials[1].surface = SurfaceRule::Terrace(4);
    assert_eq!(save(&blueprint, &path)[8], 2);
    assert_eq!(Blueprint::load(&path).unwrap(), blueprint);
}

#[test]
fn blueprint_with_liquid_has_the_new_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blueprint");
    let mut blueprint = blueprint();
    blueprint.chunks[1].voxels.set(200, Voxel::new(1, 99).with_liquid(100));
    assert_eq!(save(&blueprint, &path)[8], 2);
    assert_eq!(Blueprint::load(&path).unwrap(), blueprint);
}

#[test]
fn changed_and_truncated_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blueprint");
    let good = save(&blueprint(), &path);
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Blueprint::load(&path).unwrap_err().to_string()
    };
    for at in (0..good.len()).filter(|at| *at < 400 || at % 61 == 0) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        refused(&bad);
        refused(&good[..at]);
    }
    assert!(refused(&[&good[..], b"x"].concat()).contains("a.blueprint: end: bytes follow"));
    assert!(refused(b"").contains("not a blueprint"));
    let mut newer = good.clone();
    newer[8] = 9;
    assert!(refused(&newer).contains("format 9 is newer than this program's, 2"));
    let mut last = good;
    *last.last_mut().unwrap() ^= 1;
    assert!(refused(&last).contains("chunk (0, 0, 0): checksum mismatch"), "{}", refused(&last));
}

#[test]
fn content_that_contradicts_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.blueprint");
    let refused = |change: &dyn Fn(&mut Blueprint)| {
        let mut bad = blueprint();
        change(&mut bad);
        save(&bad, &path);
        Blueprint::load(&path).unwrap_err().to_string()
    };
    for (change, expected) in [
        (
            &(|b: &mut Blueprint| b.chunks.swap(0, 1)) as &dyn Fn(&mut Blueprint),
            "chunk (-1, 2, 3): it is not in its place",
        ),
        (&|b| b.chunks[1].pos = b.chunks[0].pos, "it is not in its place"),
        (&|b| b.chunks[1].pos = ChunkPos::new(i32::MAX, 0, 0), "it is not in its place"),
        (&|b| b.chunks[0].voxels = Chunk::uniform(Voxel::full(3)), "material 3"),
        (&|b| b.chunks[0].inside = Chunk::uniform(Voxel::full(2)), "material 2"),
        (&|b| b.chunks[0].inside = Chunk::uniform(Voxel::new(1, 5)), "not full"),
        (
            &|b| {
                b.materials[2].matter = Matter::Liquid;
                b.chunks[0].voxels = Chunk::uniform(Voxel::new(2, 5).with_liquid(6));
            },
            "chunk (-1, 2, 3): material 2 is a gas or a liquid but holds liquid",
        ),
        (&|b| b.materials[2].name = "a".to_owned(), "material 2: \"a\" is not in its place"),
        (&|b| b.materials[2].name = "air".to_owned(), "material 2: \"air\" is not in its place"),
        (&|b| b.materials[0].name = "b".to_owned(), "material 0: \"b\" is not in its place"),
        (&|b| b.origin.x = i32::MIN, "header: the origin lies outside the world"),
    ] {
        let error = refused(change);
        assert!(error.contains(expected), "{error}");
    }
    let none = Blueprint { materials: vec![], ..blueprint() };
    assert!(none.save(&path, true).unwrap_err().to_string().contains("0 materials"));
    let long = Blueprint { materials: vec![Material::unknown(&"x".repeat(5000))], ..blueprint() };
    assert!(long.save(&path, true).unwrap_err().to_string().contains("exceeds the limit"));
}
