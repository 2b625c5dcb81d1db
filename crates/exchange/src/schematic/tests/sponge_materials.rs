//! Materials of Sponge exports: only Minecraft's blocks are written, and the true materials are
//! read back.

use super::sponge_round_trip::{
    assert_round_trip, at, export, export_with_losses, loaded, states, unpacked,
};
use crate::minecraft::block_versions::first_data_version;
use crate::progress::ignore_progress;
use crate::scene::ExportLosses;
use fastnbt::Value;
use glam::IVec3;
use std::collections::HashMap;
use stonerun_engine::voxel::{Box3, Faces, Material, MaterialTable, Opacity, Voxel};
use stonerun_engine::world::World;

/// A row of full voxels of these materials.
fn row(materials: &[Material]) -> (World, MaterialTable, Box3) {
    let mut table = MaterialTable::builtin();
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(materials.len() as i32, 1, 1) };
    let mut world = loaded(bounds);
    for (x, material) in (0..).zip(materials) {
        let id = table.add(material.clone()).unwrap();
        world.set(IVec3::new(x, 0, 0), Voxel::full(id));
    }
    (world, table, bounds)
}

#[test]
fn every_exported_block_is_of_minecraft() {
    let named = |name: &str| Material::plain(name, [250, 10, 10]);
    let other = [
        "vox:#fa0a0a",
        "mcl_core:thing",
        "classic:teal_wool",
        "minecraft:id_256",
        "mcl_core:diorite",
        "Größe [2]",
    ];
    let materials: Vec<_> = MaterialTable::builtin()
        .iter()
        .skip(1)
        .map(|(_, m)| m.clone())
        .chain(other.map(named))
        .collect();
    let (world, table, bounds) = row(&materials);
    let (file, losses) = export_with_losses(&world, &table, bounds);
    let root = unpacked(&file);
    for state in states(&root) {
        let block = state.strip_prefix("minecraft:").and_then(|block| block.split('[').next());
        assert!(
            block.is_some_and(|block| block == "air" || first_data_version(block) == Some(2730)),
            "{state}"
        );
    }
    // 45 built-in materials have no equivalent.
    let substituted = 45 + other.len() as u64;
    assert_eq!(losses, ExportLosses { substituted, ..ExportLosses::default() });
    assert_eq!(root["DataVersion"], Value::Int(2730));
    assert_round_trip(&world, &table, bounds);
}

#[test]
fn data_version_is_that_of_the_newest_block() {
    for (names, version, newest) in [
        (&["stone", "tall_grass"][..], 2730, "minecraft:grass"),
        (&["minecraft:mud", "tall_grass"], 3105, "minecraft:mud"),
        (&["minecraft:cherry_planks", "minecraft:mud"], 3463, "minecraft:cherry_planks"),
        (&["tall_grass", "minecraft:crafter"], 3953, "minecraft:short_grass"),
        (&["minecraft:chain", "minecraft:iron_chain"], 4554, "minecraft:iron_chain"),
        // A substitute and a mod's block do not raise the version. A block with an old name is
        // renamed and needs no substitute.
        (&["mymod:cherry_planks", "minecraft:grass_path"], 2730, "mymod:cherry_planks"),
        (&["mcl_trees:cherry_planks", "minecraft:grass_path"], 2730, "minecraft:dirt_path"),
    ] {
        let (world, table, bounds) =
            row(&names.iter().map(|name| Material::unknown(name)).collect::<Vec<_>>());
        let (file, losses) = export_with_losses(&world, &table, bounds);
        let root = unpacked(&file);
        assert_eq!(root["DataVersion"], Value::Int(version), "{names:?}");
        assert!(states(&root).contains(&newest), "{names:?}: {:?}", states(&root));
        assert_eq!(
            losses.substituted,
            names.iter().filter(|name| name.starts_with("mcl_")).count() as u64
        );
        assert_round_trip(&world, &table, bounds);
    }
}

#[test]
fn materials_that_minecraft_lacks_come_back_with_their_looks() {
    let materials = [
        Material {
            opacity: Opacity::Translucent,
            light: 9,
            ..Material::plain("vox:#010203+glass+light9", [1, 2, 3])
        },
        Material {
            faces: Faces::Same("granite".to_owned()),
            ..Material::plain("mcl_core:diorite", [9, 8, 7])
        },
        Material::plain("\u{1F600} \"\\\0", [5, 5, 5]),
    ];
    let (world, table, bounds) = row(&materials);
    let back = assert_round_trip(&world, &table, bounds);
    for material in materials {
        let id = back.materials.find(&material.name).unwrap();
        assert_eq!(back.materials.get(id), Some(&material));
    }
}

#[test]
fn own_metadata_is_ignored_where_blocks_changed_and_refused_where_damaged() {
    let (world, table, bounds) =
        row(&[Material::unknown("mcl_core:x"), Material::unknown("stone")]);
    let root = unpacked(&export(&world, &table, bounds));
    let names_after =
        |change: &dyn Fn(&mut HashMap<String, Value>)| {
            let mut root = root.clone();
            change(&mut root);
            let imported = super::import(super::file(&Value::Compound(root)), &mut ignore_progress);
            let imported = imported.map_err(|error| error.to_string())?;
            Ok::<_, String>([-1, 0].map(|x| {
                at(&imported.world, &imported.materials, IVec3::new(x, 0, 0)).0.to_owned()
            }))
        };
    fn own(root: &mut HashMap<String, Value>) -> &mut HashMap<String, Value> {
        let Some(Value::Compound(metadata)) = root.get_mut("Metadata") else {
            panic!("no metadata")
        };
        let Some(Value::Compound(own)) = metadata.get_mut("Stonerun") else {
            panic!("no metadata of our own")
        };
        own
    }
    assert_eq!(names_after(&|_| {}).unwrap(), ["mcl_core:x", "stone"]);
    let changed =
        names_after(&|root| drop(root.insert("BlockData".to_owned(), super::bytes(&[0, 0]))))
            .unwrap();
    assert_eq!(changed[0], "stone", "another program has changed the blocks");
    let damaged = |name: &str, bytes: &[u8]| {
        names_after(&|root| drop(own(root).insert(name.to_owned(), super::bytes(bytes))))
            .unwrap_err()
    };
    let error = damaged("MaterialRuns", &[0, 1, 7]);
    assert!(
        error.contains("block (0, 0, 0): it has the material 7, which is not in the list"),
        "{error}"
    );
    assert!(damaged("MaterialRuns", &[0, 1]).contains("the array ends before it"));
    assert!(damaged("Materials", b"[(").contains("Metadata.Stonerun.Materials: "));
}
