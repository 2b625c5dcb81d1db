//! Block states in exports to Minecraft: every state survives every format, and files have the form
//! that Minecraft reads.

mod decode;
mod gallery;

use super::*;
use crate::chunk_store::Imported;
use crate::ignore_progress;
use decode::{States, chunks, from_corner, gzipped, litematic, mca, schem};
use fastnbt::Value;
use gallery::{place, scene_of, states};
use glam::IVec3;
use stonerun_engine::voxel::{Material, MaterialTable, Voxel};

/// Exports `scene` to a file of a folder.
fn export(scene: &Scene, file: &Path) -> Exported {
    let export = Export::begin(file, false).unwrap();
    export.write(scene, &mut ignore_progress).unwrap_or_else(|error| panic!("{error}"))
}

fn scene_from(imported: Imported) -> Scene {
    let mut builder = SceneBuilder::new(None);
    for (pos, chunk) in imported.world.chunks() {
        builder.add(pos, chunk.clone());
    }
    builder.finish(imported.materials).unwrap()
}

/// Imports a file without warnings about what it holds.
fn import(file: &Path) -> Scene {
    let imported = crate::import(file, &mut ignore_progress).unwrap();
    assert_eq!((&imported.warnings, imported.losses.unread), (&vec![], 0), "{}", file.display());
    scene_from(imported)
}

/// Fails with the first differences, because there are thousands of states.
fn assert_same(found: &States, expected: &States, what: &str) {
    let differs = |at: &&[i32; 3]| found.get(*at) != expected.get(*at);
    let places: std::collections::BTreeSet<_> = found.keys().chain(expected.keys()).collect();
    let all: Vec<_> = places.into_iter().filter(differs).collect();
    let line = |at: &&&[i32; 3]| {
        format!("{at:?}: {:?} instead of {:?}", found.get(**at), expected.get(**at))
    };
    let lines: Vec<String> = all.iter().take(12).map(|at| line(&at)).collect();
    assert!(all.is_empty(), "{what}: {} states changed:\n{}", all.len(), lines.join("\n"));
}

/// Exports and imports a scene in turn as a schematic, in Litematica's format, as a region and again
/// as a schematic, and returns the states of the first file.
fn assert_survives_formats(scene: &Scene) -> States {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let losses = export(scene, &path("first.schem")).losses;
    assert!(losses.is_empty(), "{losses}");
    let first = from_corner(&schem(&path("first.schem")));
    export(&import(&path("first.schem")), &path("second.litematic"));
    assert_same(&from_corner(&litematic(&path("second.litematic"))), &first, "litematic");
    export(&import(&path("second.litematic")), &path("third.mca"));
    assert_same(&from_corner(&mca(&[path("third.mca")])), &first, "mca");
    export(&import(&path("third.mca")), &path("fourth.schem"));
    assert_same(&from_corner(&schem(&path("fourth.schem"))), &first, "schem");
    first
}

#[test]
fn every_state_survives_every_format() {
    let scene = gallery::scene();
    let found = assert_survives_formats(&scene);
    let states = states();
    let min = scene.matter.min;
    let mut changed = vec![];
    for (index, state) in states.iter().enumerate() {
        let at = (place(index) - min).to_array();
        if found.get(&at).is_none_or(|found| found != state) {
            changed.push(format!("{state}: {:?}", found.get(&at)));
        }
    }
    assert!(changed.is_empty(), "{} states changed:\n{}", changed.len(), changed.join("\n"));
}

#[test]
fn built_shapes_have_the_sides_that_minecraft_stores() {
    let folder = tempfile::tempdir().unwrap();
    let scene = gallery::scene();
    let target = folder.path().join("all.mca");
    export(&scene, &target);
    let states = mca(&[target]);
    // A file without a place begins with the first chunk, whose lowest corner is (-16, -16).
    let at = |[x, y, z]: [i32; 3]| states[&[x + 16, 260 + y, z + 16]].as_str();
    for (place, state) in [
        ([0, 0, 0], "oak_stairs[facing=north,half=top,shape=straight,waterlogged=false]"),
        ([4, 0, 0], "stone_brick_slab[type=top,waterlogged=false]"),
        ([6, 0, 0], "oak_fence[east=true,north=false,south=false,waterlogged=false,west=false]"),
        ([7, 0, 0], "oak_fence[east=true,north=false,south=true,waterlogged=false,west=true]"),
        ([7, 0, 1], "birch_fence[east=false,north=true,south=false,waterlogged=false,west=false]"),
        (
            [10, 0, 0],
            "cobblestone_wall[east=low,north=none,south=none,up=true,waterlogged=false,west=none]",
        ),
        (
            [11, 0, 0],
            "cobblestone_wall[east=tall,north=none,south=none,up=false,waterlogged=false,west=tall]",
        ),
        ([14, 0, 0], "glass_pane[east=true,north=false,south=false,waterlogged=false,west=false]"),
        ([15, 0, 0], "iron_bars[east=false,north=false,south=false,waterlogged=false,west=true]"),
    ] {
        assert_eq!(at(place), format!("minecraft:{state}"), "{place:?}");
    }
}

/// A full stone at each of these places.
fn stones(places: &[[i32; 3]]) -> Scene {
    let table = MaterialTable::builtin();
    let stone = Voxel::full(table.find("stone").unwrap());
    let voxels: Vec<_> = places.iter().map(|at| (IVec3::from(*at), stone)).collect();
    scene_of(&voxels, table)
}

fn error(scene: &Scene, target: &Path) -> String {
    let export = Export::begin(target, false).unwrap();
    export.write(scene, &mut ignore_progress).unwrap_err().to_string()
}

#[test]
fn regions_lie_next_to_each_other_at_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let places =
        [[-1, -64, -1], [511, 319, 0], [0, 0, 0], [3, 255, 511], [-512, 100, 3], [-500, 0, -512]];
    let scene = stones(&places);
    let exported = export(&scene, &path("r.0.0.mca"));
    assert_eq!(exported.warnings, Vec::<String>::new());
    let names = ["r.0.0.mca", "r.-1.-1.mca", "r.-1.0.mca"];
    assert_eq!(exported.files, names.map(path));
    let expected: States = places.map(|at| (at, "minecraft:stone".to_owned())).into();
    assert_same(&mca(&exported.files), &expected, "three regions");
    // The importer moves the world by whole chunks.
    let back = scene_from(crate::import(folder.path(), &mut ignore_progress).unwrap());
    assert_eq!(back.matter.size(), scene.matter.size());
    assert_eq!((back.matter.min.y, back.voxels), (-64, 6));

    let message = error(&scene, &path("r.1.0.mca"));
    let there = "r.-1.-1.mca or r.-1.0.mca or r.0.0.mca";
    assert!(message.ends_with(&format!("another region: the blocks lie in {there}")), "{message}");
    let message = error(&scene, &path("home.mca"));
    let reason = "64 x 64 chunks of Minecraft: a region file has 32 x 32 of them; name it";
    assert!(message.contains(reason) && message.contains(there), "{message}");
    // A file of another region must not be replaced unasked.
    std::fs::remove_file(path("r.0.0.mca")).unwrap();
    let message = error(&scene, &path("r.0.0.mca"));
    assert!(message.ends_with("r.-1.-1.mca: the file exists already"), "{message}");
    assert!(!path("r.0.0.mca").exists());
}

#[test]
fn file_without_a_place_begins_with_the_first_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("home.mca");
    let exported = export(&stones(&[[-17, 5, 30], [400, 6, 300]]), &target);
    let moved = "the blocks are moved by 32 along x and -16 along z, to where the file begins; a name \
                 such as r.0.0.mca keeps them at their place";
    assert_eq!(exported.warnings, [moved]);
    let expected = [[15, 5, 14], [432, 6, 284]].map(|at| (at, "minecraft:stone".to_owned()));
    assert_same(&mca(&[&target]), &expected.into(), "moved by chunks");
}

#[test]
fn heights_beyond_minecraft_are_refused_or_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let target = |name: &str| folder.path().join(name);
    for (low, high, outcome) in [(-2032, 2031, true), (-2033, 0, false), (0, 2032, false)] {
        let scene = stones(&[[0, low, 0], [1, high, 0]]);
        let export = Export::begin(&target(&format!("{low}.mca")), false).unwrap();
        let written = export.write(&scene, &mut ignore_progress).map_err(|error| error.to_string());
        match written {
            Ok(exported) => {
                let warning = "blocks from y = -2032 to 2031: without a data pack, Minecraft keeps \
                               those from y = -64 to 319";
                assert!(outcome && exported.warnings == [warning], "{:?}", exported.warnings);
            }
            Err(error) => {
                let reason = format!(
                    "blocks from y = {low} to {high}: a world of Minecraft has blocks from y = \
                     -2032 to 2031"
                );
                assert!(!outcome && error.ends_with(&reason), "{error}");
            }
        }
    }
    assert_eq!(mca(&[target("-2032.mca")]).len(), 2);
}

#[test]
fn chunks_have_what_minecraft_needs_to_load_them() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("r.-1.0.mca");
    export(&stones(&[[-1, 70, 20]]), &target);
    let chunks = chunks(&target);
    assert_eq!(chunks.len(), 1);
    let chunk = &chunks[0];
    for (name, value) in [
        ("DataVersion", Value::Int(2860)),
        ("xPos", Value::Int(-1)),
        ("yPos", Value::Int(-4)),
        ("zPos", Value::Int(1)),
        ("Status", Value::String("minecraft:full".to_owned())),
        ("isLightOn", Value::Byte(0)),
        ("block_entities", Value::List(vec![])),
    ] {
        assert_eq!(chunk[name], value, "{name}");
    }
    let Value::List(sections) = &chunk["sections"] else { panic!() };
    assert_eq!(sections.len(), 24);
    for (y, section) in (-4..).zip(sections) {
        let Value::Compound(section) = section else { panic!() };
        assert_eq!(section["Y"], Value::Byte(y));
        let biomes = fastnbt::nbt!({ "palette": ["minecraft:plains"] });
        assert_eq!(section["biomes"], biomes);
    }
}

#[test]
fn litematic_has_what_litematica_shows() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("my house.litematic");
    export(&stones(&[[-5, 60, 7], [-3, 61, 9]]), &target);
    let root = gzipped(&target);
    assert_eq!(root["MinecraftDataVersion"], Value::Int(2730));
    assert_eq!((&root["Version"], &root["SubVersion"]), (&Value::Int(6), &Value::Int(1)));
    let Value::Compound(metadata) = &root["Metadata"] else { panic!() };
    for (name, value) in [
        ("Name", Value::String("my_house".to_owned())),
        ("RegionCount", Value::Int(1)),
        ("TotalBlocks", Value::Int(2)),
        ("TotalVolume", Value::Int(18)),
        ("EnclosingSize", fastnbt::nbt!({ "x": 3, "y": 2, "z": 3 })),
    ] {
        assert_eq!(metadata[name], value, "{name}");
    }
    let Value::Compound(regions) = &root["Regions"] else { panic!() };
    let Value::Compound(region) = &regions["my_house"] else { panic!() };
    assert_eq!(region["Position"], fastnbt::nbt!({ "x": 0, "y": 0, "z": 0 }));
    let states = litematic(&target);
    assert!(states.keys().eq([[0, 0, 0], [2, 1, 2]].iter()), "{states:?}");
}

#[test]
fn blocks_of_mods_are_written_and_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = MaterialTable::builtin();
    let names = ["create:shaft[axis=x]", "mod:thing", "stone", "mcl_core:thing", "mod:other"];
    let mut voxels = vec![];
    for (x, name) in (0..).zip(names) {
        let id = table.add(Material::unknown(name)).unwrap();
        voxels.push((IVec3::X * x, Voxel::full(id)));
    }
    let scene = scene_of(&voxels, table);
    for format in ["schem", "litematic", "mca"] {
        let target = folder.path().join(format!("mods.{format}"));
        let exported = export(&scene, &target);
        let warning = "3 voxels of mods, which Minecraft lacks without them: create, mod";
        assert_eq!(exported.warnings, [warning]);
        assert_eq!(exported.losses.substituted, 1);
        let states = match format {
            "schem" => schem(&target),
            "litematic" => litematic(&target),
            _ => mca(&[target]),
        };
        let found: Vec<&str> = states.values().map(String::as_str).collect();
        assert_eq!((found[0], found[1], found[4]), (names[0], names[1], names[4]), "{format}");
        assert!(found[3].starts_with("minecraft:"), "{found:?}");
    }
}

#[test]
fn real_buildings_survive_every_format() {
    let Some(folder) = real_schematics() else {
        println!("skipped: there is no shared/data/schematics");
        return;
    };
    for name in ["prismarine_smallhouse1.schem", "prismarine_viking-house1.schematic"] {
        let imported = crate::import(&folder.join(name), &mut ignore_progress).unwrap();
        let states = assert_survives_formats(&scene_from(imported));
        if name.ends_with(".schem") {
            assert_same(&states, &from_corner(&schem(&folder.join(name))), name);
        }
    }
}

fn real_schematics() -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        PathBuf::from,
    );
    Some(folder.join("schematics")).filter(|folder| folder.is_dir())
}
