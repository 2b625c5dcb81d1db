//! Smooth ground in Sponge exports: whole blocks for other programs, exact heights for this one.

use super::sponge_round_trip::{assert_round_trip, export_with_losses, loaded, states, unpacked};
use crate::scene::ExportLosses;
use fastnbt::Value;
use glam::IVec3;
use stonerun_engine::voxel::{Box3, Material, MaterialTable, SurfaceRule, Voxel};
use stonerun_engine::world::World;

/// A row of these voxels.
fn row(voxels: &[Voxel]) -> (World, Box3) {
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(voxels.len() as i32, 1, 1) };
    let mut world = loaded(bounds);
    for (x, &voxel) in (0..).zip(voxels) {
        world.set(IVec3::new(x, 0, 0), voxel);
    }
    (world, bounds)
}

/// Block states and losses of an export of these voxels. Checks that an import gives them again.
fn exported(voxels: &[Voxel], materials: &MaterialTable) -> (Vec<String>, ExportLosses) {
    let (world, bounds) = row(voxels);
    assert_round_trip(&world, materials, bounds);
    let (file, losses) = export_with_losses(&world, materials, bounds);
    let root = unpacked(&file);
    let names = states(&root);
    let Value::ByteArray(data) = &root["BlockData"] else { panic!("no blocks") };
    let written = data.iter().map(|&index| names[index as usize].to_owned());
    (written.collect(), losses)
}

#[test]
fn smooth_ground_is_a_block_from_half_a_voxel_on() {
    let materials = MaterialTable::builtin_smooth();
    let id = |name: &str| materials.find(name).unwrap();
    let sand = |occupancy: u8| Voxel::new(id("sand"), occupancy);
    let voxels = [
        sand(255),
        sand(240),
        sand(127),
        sand(126),
        sand(0),
        // Wet: up to the top, up to the surface of a sea, and with more ground than half a voxel.
        sand(60).with_liquid(195),
        sand(60).with_liquid(163),
        sand(127).with_liquid(128),
        // Nothing of it is written, so no similar block either.
        Voxel::new(id("marble"), 60),
        Voxel::new(id("marble"), 200),
        Voxel::AIR,
    ];
    let (written, losses) = exported(&voxels, &materials);
    assert_eq!(
        written,
        [
            "minecraft:sand",
            "minecraft:sand",
            "minecraft:sand",
            "minecraft:air",
            "minecraft:air",
            "minecraft:water[level=0]",
            "minecraft:water[level=0]",
            "minecraft:sand",
            "minecraft:air",
            "minecraft:calcite",
            "minecraft:air",
        ]
    );
    let expected = ExportLosses {
        substituted: 1,
        heights: 4,
        shallow_ground: 5,
        water: 1,
        ..ExportLosses::default()
    };
    assert_eq!(losses, expected);
}

#[test]
fn blocks_that_are_no_smooth_ground_keep_their_form() {
    let materials = MaterialTable::builtin_smooth();
    let id = |name: &str| materials.find(name).unwrap();
    let voxels = [
        // Minecraft's snow has layers.
        Voxel::new(id("snow"), 63),
        Voxel::new(id("oak_planks"), 63),
        Voxel::new(id("water"), 95),
    ];
    let (written, losses) = exported(&voxels, &materials);
    let states = ["minecraft:snow[layers=2]", "minecraft:oak_planks", "minecraft:water[level=5]"];
    assert_eq!(written, states);
    assert_eq!(losses, ExportLosses { heights: 1, ..ExportLosses::default() });
    // The same ground in a map of blocks.
    let materials = MaterialTable::builtin();
    let (written, _) = exported(&[Voxel::new(id("sand"), 20)], &materials);
    assert_eq!(written, ["minecraft:sand"]);
}

#[test]
fn ground_that_is_left_out_does_not_raise_the_data_version() {
    let mut materials = MaterialTable::builtin();
    let mut mud = Material::plain("minecraft:mud", [60, 57, 61]);
    mud.surface = SurfaceRule::Smooth;
    let mud = materials.add(mud).unwrap();
    let version = |occupancy: u8| {
        let (world, bounds) = row(&[Voxel::new(mud, occupancy), Voxel::full(1)]);
        unpacked(&export_with_losses(&world, &materials, bounds).0)["DataVersion"].clone()
    };
    assert_eq!(version(126), Value::Int(2730));
    assert_ne!(version(127), Value::Int(2730));
}
