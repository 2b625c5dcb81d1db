//! Sponge exports, read back by the importer and decoded as other programs do.

use super::{import, real};
use crate::chunk_store::Imported;
use crate::progress::ignore_progress;
use crate::scene::ExportLosses;
use crate::schematic::sponge::{WriteError, write};
use fastnbt::Value;
use glam::IVec3;
use proptest::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::ops::ControlFlow;
use stonerun_engine::random::Random;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, ChunkPos, Material, MaterialTable, SurfaceRule, Voxel};
use stonerun_engine::world::{Chunk, World};

pub(super) fn export(world: &World, materials: &MaterialTable, bounds: Box3) -> Vec<u8> {
    export_with_losses(world, materials, bounds).0
}

pub(super) fn export_with_losses(
    world: &World,
    materials: &MaterialTable,
    bounds: Box3,
) -> (Vec<u8>, ExportLosses) {
    let mut file = vec![];
    let losses = write(world, materials, bounds, &mut ignore_progress, &mut file);
    (file, losses.unwrap_or_else(|error| panic!("{error}")))
}

/// The root compound of an export.
pub(super) fn unpacked(file: &[u8]) -> HashMap<String, Value> {
    let mut bytes = vec![];
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    let Value::Compound(root) = fastnbt::from_bytes::<Value>(&bytes).unwrap() else {
        panic!("no compound")
    };
    root
}

/// The block states of an export by index.
pub(super) fn states(root: &HashMap<String, Value>) -> Vec<&str> {
    let Value::Compound(palette) = &root["Palette"] else { panic!("no palette") };
    let mut states: Vec<(i64, &str)> =
        palette.iter().map(|(state, i)| (i.as_i64().unwrap(), &**state)).collect();
    states.sort_unstable();
    assert!(states.iter().map(|(index, _)| *index).eq(0..states.len() as i64));
    states.into_iter().map(|(_, state)| state).collect()
}

/// Name and occupancy of a voxel; air where no chunk is loaded.
pub(super) fn at<'m>(world: &World, materials: &'m MaterialTable, at: IVec3) -> (&'m str, u8) {
    match world.get(at) {
        Voxel::NOT_LOADED => ("air", 0),
        voxel => (&materials.get(voxel.material()).unwrap().name, voxel.occupancy()),
    }
}

/// Asserts that export and import of `bounds` give the same voxels.
pub(super) fn assert_round_trip(
    world: &World,
    materials: &MaterialTable,
    bounds: Box3,
) -> Imported {
    let back = import(export(world, materials, bounds), &mut ignore_progress).unwrap();
    let offset = IVec3::new(-bounds.size().x / 2, 0, -bounds.size().z / 2) - bounds.min;
    let mut matter = 0;
    for y in bounds.min.y..bounds.max.y {
        for (z, x) in (bounds.min.z..bounds.max.z)
            .flat_map(|z| (bounds.min.x..bounds.max.x).map(move |x| (z, x)))
        {
            let here = IVec3::new(x, y, z);
            let expected = at(world, materials, here);
            assert_eq!(at(&back.world, &back.materials, here + offset), expected, "{here}");
            let liquids = [back.world.get(here + offset), world.get(here)].map(Voxel::liquid);
            assert_eq!(liquids[0], liquids[1], "{here}");
            let surface = |world: &World, table: &MaterialTable, at: IVec3| {
                let material = table.get(world.get(at).material());
                material.map_or(SurfaceRule::Cube, |material| material.surface)
            };
            let surfaces = [
                surface(&back.world, &back.materials, here + offset),
                surface(world, materials, here),
            ];
            assert_eq!(surfaces[0], surfaces[1], "{here}");
            matter += u64::from(expected.0 != "air");
        }
    }
    assert_eq!(back.voxels, matter);
    back
}

/// A world of air.
pub(super) fn loaded(bounds: Box3) -> World {
    let mut world = World::new();
    for pos in bounds.chunks() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    world
}

/// The built-in materials, and some with difficult names.
fn materials() -> MaterialTable {
    let mut materials = MaterialTable::builtin();
    for name in [
        "minecraft:diorite",
        "minecraft:oak_slab",
        "minecraft:oak_trapdoor",
        "minecraft:jungle_leaves",
        "minecraft:stone",
        "minecraft:air",
        "minecraft:tube_coral",
        "mod:machine",
        "vox:#ff8000+light15",
        "stonerun:marble",
        "Größe [2]",
        "Stone",
    ] {
        materials.add(Material::unknown(name)).unwrap();
    }
    materials
}

#[test]
fn every_material_and_occupancy_round_trips() {
    let materials = materials();
    // One row per material, across several chunks.
    let bounds =
        Box3 { min: IVec3::new(-7, 5, -40), max: IVec3::new(249, 7, -40 + materials.len() as i32) };
    let mut world = loaded(bounds);
    for (id, material) in materials.iter() {
        for occupancy in 0..=255u8 {
            let at = bounds.min + IVec3::new(i32::from(occupancy), 0, i32::from(id));
            let voxel = Voxel::new(id, occupancy);
            world.set(at, voxel);
            let liquid = if occupancy % 3 == 0 { 255 } else { 40 };
            let wet = if material.is_fluid() { voxel } else { voxel.with_liquid(liquid) };
            world.set(at + IVec3::Y, wet);
        }
    }
    let back = assert_round_trip(&world, &materials, bounds);
    // Built-in materials stay themselves.
    assert!(MaterialTable::builtin().iter().all(|(id, m)| back.materials.get(id) == Some(m)));
}

#[test]
fn water_in_slabs_is_waterlogged_and_other_water_is_lost_to_minecraft() {
    let materials = materials();
    let id = |name: &str| materials.find(name).unwrap();
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 1, 1) };
    let mut world = loaded(bounds);
    for (x, voxel) in (0..).zip([
        Voxel::new(id("minecraft:oak_slab"), 127).with_liquid(128),
        Voxel::new(id("minecraft:oak_trapdoor"), 47).with_liquid(100),
        Voxel::new(id("dirt"), 127).with_liquid(128),
        Voxel::new(id("minecraft:oak_slab"), 127),
    ]) {
        world.set(IVec3::new(x, 0, 0), voxel);
    }
    let (file, losses) = export_with_losses(&world, &materials, bounds);
    let root = unpacked(&file);
    let states = states(&root);
    for state in [
        "minecraft:oak_slab[type=bottom,waterlogged=true]",
        "minecraft:oak_slab[type=bottom,waterlogged=false]",
        "minecraft:oak_trapdoor[waterlogged=true]",
        "minecraft:dirt",
    ] {
        assert!(states.contains(&state), "{state}: {states:?}");
    }
    assert_eq!(losses, ExportLosses { heights: 1, water: 1, ..ExportLosses::default() });
    let Value::Compound(metadata) = &root["Metadata"] else { panic!() };
    let Value::Compound(stonerun) = &metadata["Stonerun"] else { panic!() };
    // Skips the slab, which is full of water, then one of 100 and one of 128.
    assert_eq!(stonerun["Liquids"], super::bytes(&[1, 1, 100, 0, 1, 128]));
    assert_round_trip(&world, &materials, bounds);
}

#[test]
fn palette_with_three_byte_indices_round_trips() {
    let mut materials = MaterialTable::builtin();
    let bounds = Box3 { min: IVec3::new(-3, 2, 5), max: IVec3::new(22, 32, 29) };
    let mut world = loaded(bounds);
    // 18,000 materials: 128 have indices of one byte, 16,256 of two, the rest of three.
    for i in 0..25 * 30 * 24 {
        let id = materials.add(Material::unknown(&format!("mod:{i}"))).unwrap();
        world.set(bounds.min + IVec3::new(i % 25, i / 600, i / 25 % 24), Voxel::full(id));
    }
    assert_round_trip(&world, &materials, bounds);
}

#[test]
fn real_schematic_round_trips() {
    let Some(folder) = real::data_folder() else { return };
    for name in ["prismarine_smallhouse1.schem", "prismarine_viking-house1.schematic"] {
        let imported = crate::import(&folder.join(name), &mut ignore_progress).unwrap();
        let back = assert_round_trip(&imported.world, &imported.materials, imported.bounds);
        assert_eq!(back.voxels, imported.voxels, "{name}");
    }
}

#[test]
fn generated_world_round_trips() {
    let materials = materials();
    let terrain = Generator::new(11, TerrainKind::Continents, &materials);
    // The box contains a piece of sea.
    let bounds = Box3 { min: IVec3::new(-90, -20, -64), max: IVec3::new(37, 61, 70) };
    let mut world = World::new();
    for pos in bounds.chunks() {
        world.insert(pos, terrain.chunk(pos));
    }
    // Every material in many occupancies at pseudorandom positions.
    let mut random = Random::new(1);
    for (id, _) in materials.iter() {
        for occupancy in (0..=255).step_by(3) {
            let by = [(); 3].map(|()| random.below(1 << 14) as i32);
            world.set(bounds.min + IVec3::from(by) % bounds.size(), Voxel::new(id, occupancy));
        }
    }
    assert_round_trip(&world, &materials, bounds);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn any_small_world_round_trips(
        corner in prop::array::uniform3(-70i32..70),
        size in prop::array::uniform3(1i32..45),
        fills in prop::collection::vec(
            (prop::array::uniform3(0i32..45), prop::array::uniform3(1i32..20), 0u16..76, prop_oneof![Just(255u8), any::<u8>()]),
            0..12,
        ),
        unloaded in prop::collection::vec(0usize..27, 0..3),
    ) {
        let materials = materials();
        let bounds = Box3 { min: corner.into(), max: IVec3::from(corner) + IVec3::from(size) };
        let mut world = loaded(bounds);
        let chunks: Vec<ChunkPos> = bounds.chunks().collect();
        for (from, extent, material, occupancy) in fills {
            prop_assert!(usize::from(material) < materials.len());
            let min = bounds.min + IVec3::from(from);
            world.fill(Box3 { min, max: min + IVec3::from(extent) }, Voxel::new(material, occupancy));
        }
        for index in unloaded {
            world.remove(chunks[index % chunks.len()]);
        }
        world.insert(ChunkPos::containing(bounds.min), Chunk::uniform(Voxel::AIR));
        world.set(bounds.min, Voxel::full(3));
        assert_round_trip(&world, &materials, bounds);
    }
}

#[test]
fn export_has_format_of_other_programs() {
    let materials = materials();
    let find = |name: &str| materials.find(name).unwrap();
    let bounds = Box3 { min: IVec3::new(-1, 60, 31), max: IVec3::new(2, 62, 33) };
    let mut world = loaded(bounds);
    let blocks = [
        Voxel::full(find("stone")),
        Voxel::new(find("stone"), 9),
        Voxel::new(find("stone"), 9),
        Voxel::new(find("minecraft:oak_slab"), 127),
        Voxel::new(find("water"), 223),
        Voxel::new(find("water"), 95),
        Voxel::AIR,
        Voxel::full(find("marble")),
        Voxel::AIR,
        Voxel::AIR,
        Voxel::new(find("snow"), 63),
        Voxel::full(find("stone")),
    ];
    for (i, &voxel) in (0..).zip(&blocks) {
        world.set(bounds.min + IVec3::new(i % 3, i / 6, i / 3 % 2), voxel);
    }
    let (file, losses) = export_with_losses(&world, &materials, bounds);
    let mut bytes = vec![];
    flate2::read::GzDecoder::new(&file[..]).read_to_end(&mut bytes).unwrap();
    assert!(bytes.starts_with(b"\x0a\0\x09Schematic"), "WorldEdit requires this name");
    let root = unpacked(&file);
    assert_eq!((&root["Version"], &root["DataVersion"]), (&Value::Int(2), &Value::Int(2730)));
    assert_eq!(
        [&root["Width"], &root["Height"], &root["Length"]],
        [&Value::Short(3), &Value::Short(2), &Value::Short(2)]
    );
    let empty = Value::List(vec![]);
    assert_eq!(
        [&root["Entities"], &root["BlockEntities"]],
        [&empty; 2],
        "litemapy requires these lists"
    );
    let names = states(&root);
    assert_eq!(root["PaletteMax"], Value::Int(names.len() as i32));
    let Value::ByteArray(data) = &root["BlockData"] else { panic!() };
    let read: Vec<&str> = data.iter().map(|&index| names[index as usize]).collect();
    assert_eq!(
        read,
        [
            "minecraft:stone",
            "minecraft:stone",
            "minecraft:stone",
            "minecraft:oak_slab[type=bottom,waterlogged=false]",
            "minecraft:water[level=0]",
            "minecraft:water[level=5]",
            "minecraft:air",
            "minecraft:calcite",
            "minecraft:air",
            "minecraft:air",
            "minecraft:snow[layers=2]",
            "minecraft:stone",
        ]
    );
    let Value::IntArray(offset) = &root["Offset"] else { panic!() };
    assert_eq!(offset[..], [-1, 60, 31]);
    let Value::Compound(metadata) = &root["Metadata"] else { panic!() };
    let Value::Compound(stonerun) = &metadata["Stonerun"] else { panic!() };
    // Skips one block, then two of occupancy 9; skips one, then one of 223.
    assert_eq!(stonerun["Occupancies"], super::bytes(&[1, 2, 9, 1, 1, 223]));
    // Skips seven blocks, then one of marble.
    assert_eq!(stonerun["MaterialRuns"], super::bytes(&[7, 1, 0]));
    assert_eq!(losses, ExportLosses { substituted: 1, heights: 2, ..ExportLosses::default() });
    assert_round_trip(&world, &materials, bounds);
}

#[test]
fn export_of_minecraft_blocks_has_no_own_metadata_and_no_losses() {
    let materials = MaterialTable::builtin();
    let mut world = World::new();
    world
        .insert(ChunkPos::default(), Chunk::uniform(Voxel::full(materials.find("stone").unwrap())));
    let (file, losses) = export_with_losses(&world, &materials, ChunkPos::default().bounds());
    let Value::Compound(metadata) = &unpacked(&file)["Metadata"] else { panic!("no metadata") };
    assert!(!metadata.contains_key("Stonerun"));
    assert!(losses.is_empty(), "{losses}");
}

#[test]
fn export_beyond_limits_is_refused() {
    let world = World::new();
    let mut materials = MaterialTable::builtin();
    let result = |world: &World, materials: &MaterialTable, size: [i32; 3]| {
        let bounds = Box3 { min: IVec3::splat(-9), max: IVec3::splat(-9) + IVec3::from(size) };
        write(world, materials, bounds, &mut ignore_progress, &mut std::io::sink())
            .map_err(|error| error.to_string())
    };
    for size in [[0, 1, 1], [65_536, 1, 1], [1, 1, 100_000], [2048, 1024, 1025]] {
        let error = result(&world, &materials, size).unwrap_err();
        let [x, y, z] = size;
        let most =
            "a schematic has 1 to 65535 on each side and at most 2147483647 bytes of blocks in all";
        assert_eq!(error, format!("{x} x {y} x {z} blocks: {most}"));
    }
    assert_eq!(result(&world, &materials, [65_535, 1, 1]), Ok(ExportLosses::default()));
    let long = materials.add(Material::unknown(&"x".repeat(257))).unwrap();
    let mut named = World::new();
    named.insert(ChunkPos::new(-1, -1, -1), Chunk::uniform(Voxel::full(long)));
    let error = result(&named, &materials, [1, 1, 1]).unwrap_err();
    assert!(error.ends_with("x\": a block's name is 257 bytes long; 1 to 256 are read"), "{error}");
}

#[test]
fn export_reports_progress_and_can_be_cancelled() {
    let world = World::new();
    let materials = MaterialTable::builtin();
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(1, 4, 1) };
    let mut steps = vec![];
    write(
        &world,
        &materials,
        bounds,
        &mut |done| {
            steps.push(done);
            ignore_progress(done)
        },
        &mut std::io::sink(),
    )
    .unwrap();
    assert_eq!(steps, [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]);
    for calls in 0..8 {
        let mut left = calls;
        let mut end = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let done = write(&world, &materials, bounds, &mut end, &mut std::io::sink());
        assert!(matches!(done, Err(WriteError::Cancelled)), "{calls}");
    }
}

#[test]
fn export_to_failing_target_reports_io_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let world = World::new();
    let materials = MaterialTable::builtin();
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(30) };
    let whole = export(&world, &materials, bounds).len();
    for room in 0..whole {
        let done = write(&world, &materials, bounds, &mut ignore_progress, &mut Full(room));
        assert!(matches!(done, Err(WriteError::Io(_))), "{room} of {whole}");
    }
}
