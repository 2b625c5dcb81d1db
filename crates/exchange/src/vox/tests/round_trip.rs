//! Round trips through `.vox` files, which must keep voxels, names and positions.

use super::imported;
use super::real::data;
use crate::scene::{ExportLosses, Scene, SceneBuilder, WriterError, WriterReport};
use crate::vox::chunk_writer::head;
use crate::vox::write;
use crate::{Imported, ignore_progress};
use glam::IVec3;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Cursor, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use stonerun_engine::voxel::{
    Box3, ChunkPos, Material, MaterialTable, Opacity, Voxel, linear_offset,
};
use stonerun_engine::world::{Chunk, World};

/// Material name of each voxel, by position.
type Named = BTreeMap<[i32; 3], String>;

fn named(world: &World, materials: &MaterialTable) -> Named {
    let mut named = Named::new();
    for (pos, chunk) in world.chunks() {
        for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
            let name = &materials.get(run.voxel.material()).unwrap().name;
            let positions =
                (run.start..run.end()).map(|i| pos.origin() + linear_offset(i as usize));
            named.extend(positions.map(|at| (at.to_array(), name.clone())));
        }
    }
    named
}

fn moved(cells: &Named, by: IVec3) -> Named {
    cells
        .iter()
        .map(|(&at, name)| ((IVec3::from_array(at) + by).to_array(), name.clone()))
        .collect()
}

pub(super) fn scene(world: &World, materials: &MaterialTable) -> Scene {
    let mut builder = SceneBuilder::new(None);
    for (pos, chunk) in world.chunks() {
        builder.add(pos, chunk.clone());
    }
    builder.finish(materials.clone()).expect("there is matter")
}

fn written(scene: &Scene) -> (Vec<u8>, WriterReport) {
    let mut out = Cursor::new(vec![]);
    let written = write(scene, &mut ignore_progress, &mut out).unwrap();
    (out.into_inner(), written)
}

fn figure(written: &WriterReport, name: &str) -> u64 {
    written.figures.iter().find(|figure| figure.name == name).unwrap().count
}

/// A world with only these voxels.
fn world_of(voxels: impl IntoIterator<Item = (IVec3, Voxel)>) -> World {
    let mut world = World::new();
    for (at, voxel) in voxels {
        let pos = ChunkPos::containing(at);
        if !world.is_loaded(pos) {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world.set(at, voxel);
    }
    world
}

/// Exports a world and imports the result, which must be equal except for the position: the
/// importer centres it.
fn check_map_to_map(world: &World, materials: &MaterialTable) -> Imported {
    let scene = scene(world, materials);
    let back = imported(written(&scene).0);
    let middle = |a: i32, b: i32| (a + b).div_euclid(2);
    let min = scene.matter.min;
    let max = scene.matter.max;
    let by = IVec3::new(-middle(min.x, max.x), -min.y, -middle(min.z, max.z));
    assert_eq!(named(&back.world, &back.materials), moved(&named(world, materials), by));
    back
}

#[test]
fn one_voxel_is_written_byte_for_byte() {
    let materials = MaterialTable::builtin();
    let stone = materials.find("stone").unwrap();
    let world = world_of([(IVec3::new(70, -9, 33), Voxel::full(stone))]);
    let (file, _) = written(&scene(&world, &materials));
    let [r, g, b] = stonerun_engine::mesh::TextureStrip::embedded()
        .unwrap()
        .colour_of(materials.get(stone).unwrap());
    // Sizes and ids are little-endian. Each chunk has id, content length and children length.
    let mut expected = Vec::new();
    let mut add = |bytes: &[u8]| expected.extend_from_slice(bytes);
    add(b"SIZE\x0c\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0");
    add(b"XYZI\x08\0\0\0\0\0\0\0\x01\0\0\0\x00\x00\x00\x01");
    // Node 0: no attributes, child 1, reserved, no layer, one frame without attributes.
    add(b"nTRN\x1c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0\0\0\0\0");
    add(b"nGRP\x10\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0");
    // Node 2 places the voxel at x 0, y -1 (MagicaVoxel's y is the world's -z), z 0: a model of
    // size 1 is placed by its lowest corner.
    add(b"nTRN\x2c\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\xff\xff\xff\xff\0\0\0\0\x01\0\0\0\x01\0\0\0");
    add(b"\x02\0\0\0_t\x06\0\0\0");
    add(b"0 -1 0");
    add(b"nSHP\x14\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0");
    add(b"LAYR\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff");
    add(b"RGBA\0\x04\0\0\0\0\0\0");
    add(&[r, g, b, 255]);
    add(&[0; 1020]);
    let label = format!("#{r:02x}{g:02x}{b:02x} stone");
    assert_eq!(label.len(), 13);
    add(b"MATL\x3b\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0_type\x08\0\0\0_diffuse\x09\0\0\0_stonerun\x0d\0\0\0");
    add(label.as_bytes());
    assert_eq!(file[..20], head(expected.len() as u32));
    assert_eq!(file[..8], *b"VOX \x96\0\0\0");
    let differs = file[20..].iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!((differs, file.len() - 20), (None, expected.len()));
    // The importer centres the model; the middle of one voxel is rounded down.
    let back = check_map_to_map(&world, &materials);
    assert_eq!(back.bounds, Box3 { min: IVec3::new(0, 0, 0), max: IVec3::ONE });
}

#[test]
fn materials_keep_their_names() {
    let mut materials = MaterialTable::builtin();
    let colour = [10, 200, 30];
    for material in [
        Material::plain("minecraft:purpur_block", [171, 127, 171]),
        Material::plain("with a space, and ü", colour),
        Material { light: 7, ..Material::plain("lamp", colour) },
        Material { opacity: Opacity::Translucent, ..Material::plain("pane", colour) },
        Material {
            opacity: Opacity::Translucent,
            light: 3,
            ..Material::plain("glowing pane", colour)
        },
        Material::plain("vox:#0a0b0c", [10, 11, 12]),
    ] {
        materials.add(material).unwrap();
    }
    let all = (1..materials.len() as u16)
        .map(|id| (IVec3::new(i32::from(id) % 7, i32::from(id) / 7, 3), Voxel::full(id)));
    let back = check_map_to_map(&world_of(all), &materials);
    // Built-in materials come back as themselves; others keep everything that a colour can express.
    assert_eq!(back.materials.len(), materials.len());
    for name in ["lamp", "pane", "glowing pane", "minecraft:purpur_block", "vox:#0a0b0c", "grass"] {
        let of = |table: &MaterialTable| table.get(table.find(name).unwrap()).cloned();
        assert_eq!(of(&back.materials), of(&materials), "{name}");
    }
}

#[test]
fn partly_filled_voxels_become_full_and_are_counted() {
    let materials = MaterialTable::builtin();
    let snow = materials.find("snow").unwrap();
    let voxels = (0..256).map(|i| (IVec3::new(i, 0, 0), Voxel::new(snow, i as u8)));
    let scene = scene(&world_of(voxels), &materials);
    let (file, written) = written(&scene);
    assert_eq!((figure(&written, "partly_filled"), figure(&written, "models")), (255, 1));
    let back = imported(file);
    assert_eq!(back.voxels, 256);
    assert!((-128..128).all(|x| back.world.get(IVec3::new(x, 0, 0)) == Voxel::full(snow)));
}

#[test]
fn smooth_ground_is_written_from_half_a_voxel_on() {
    let materials = MaterialTable::builtin_smooth();
    let id = |name: &str| materials.find(name).unwrap();
    let sand = |occupancy: u8| Voxel::new(id("sand"), occupancy);
    let voxels = [
        sand(255),
        sand(127),
        sand(126),
        sand(60).with_liquid(195),
        sand(127).with_liquid(128),
        // Left out completely, so it takes no colour.
        Voxel::new(id("marble"), 20),
        // No smooth ground.
        Voxel::new(id("oak_planks"), 20).with_liquid(9),
        sand(255),
    ];
    let row = (0..).zip(voxels).map(|(x, voxel)| (IVec3::new(x, 0, 0), voxel));
    let (file, written) = written(&scene(&world_of(row), &materials));
    let back = imported(file);
    let named = named(&back.world, &back.materials);
    let at = |x: i32| named.get(&[x - 4, 0, 0]).map(String::as_str);
    let [sand, water, planks] = ["sand", "water", "oak_planks"].map(Some);
    let expected = [sand, sand, None, water, sand, None, planks, sand];
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(at), expected);
    assert_eq!((figure(&written, "partly_filled"), figure(&written, "colours")), (6, 3));
    let ExportLosses { heights, shallow_ground, water, .. } = written.losses;
    assert_eq!((heights, shallow_ground, water), (3, 3, 2));
}

#[test]
fn scene_of_only_shallow_smooth_ground_is_refused() {
    let materials = MaterialTable::builtin_smooth();
    let sand = Voxel::new(materials.find("sand").unwrap(), 126);
    let scene = scene(&world_of([(IVec3::ZERO, sand)]), &materials);
    let mut out = Cursor::new(vec![]);
    let error = write(&scene, &mut ignore_progress, &mut out).unwrap_err();
    let reason = "it holds only smooth ground of less than half a voxel, which is left out";
    assert!(matches!(&error, WriterError::Unfit(text) if text == reason), "{error:?}");
    assert!(out.into_inner().is_empty());
}

#[test]
fn scene_wider_than_a_model_is_split() {
    let materials = MaterialTable::builtin();
    let stone = materials.find("stone").unwrap();
    let sand = materials.find("sand").unwrap();
    // Odd widths and positions, and model boxes without voxels.
    let mut world = world_of([]);
    let mut fill = |area: Box3, id| {
        for pos in area.chunks() {
            if !world.is_loaded(pos) {
                world.insert(pos, Chunk::uniform(Voxel::AIR));
            }
        }
        world.fill(area, Voxel::full(id));
    };
    let at = IVec3::new(-133, 17, 1001);
    fill(Box3 { min: at, max: at + IVec3::new(601, 3, 2) }, stone);
    fill(Box3 { min: at + IVec3::new(255, 0, 0), max: at + IVec3::new(257, 259, 1) }, sand);
    fill(Box3 { min: at + IVec3::new(600, 2, 1), max: at + IVec3::new(601, 3, 300) }, sand);
    let scene = scene(&world, &materials);
    assert_eq!(scene.matter.size(), IVec3::new(601, 259, 300));
    let (file, written) = written(&scene);
    // Three boxes along x, one above each of the first two, one south of the third.
    assert_eq!((figure(&written, "models"), written.warnings.len()), (6, 0));
    let read = dot_vox::load_bytes(&file).unwrap();
    assert!(read.models.iter().all(|m| m.size.x.max(m.size.y).max(m.size.z) <= 256));
    check_map_to_map(&world, &materials);
}

#[test]
fn wide_scene_is_written_with_a_warning_and_too_wide_one_is_refused() {
    let materials = MaterialTable::builtin();
    let pair = |x: i32| {
        world_of([
            (IVec3::new(-x, 0, 0), Voxel::full(1)),
            (IVec3::new(x - 1, 5, 9), Voxel::full(1)),
        ])
    };
    let (_, wide) = written(&scene(&pair(5000), &materials));
    let line = "it is 10000 x 6 x 10 voxels large; MagicaVoxel itself shows at most 2000 per side";
    assert_eq!(wide.warnings, [line]);
    check_map_to_map(&pair(1 << 19), &materials);
    for x in [(1 << 19) + 1, stonerun_engine::voxel::WORLD_LIMIT] {
        let error =
            write(&scene(&pair(x), &materials), &mut ignore_progress, &mut Cursor::new(vec![]))
                .unwrap_err();
        let WriterError::Unfit(reason) = error else { panic!("{error:?}") };
        assert!(
            reason.ends_with("voxels large; a .vox file holds at most 1048576 per side"),
            "{reason}"
        );
    }
}

#[test]
fn oversized_scene_is_refused_before_anything_is_written() {
    let materials = MaterialTable::builtin();
    let mut world = World::new();
    // More than 2^30 voxels, which take little memory as runs.
    let all = Box3 { min: IVec3::ZERO, max: IVec3::new(1024 + 32, 1024, 1024) };
    for pos in all.chunks() {
        world.insert(pos, Chunk::uniform(Voxel::full(1)));
    }
    let mut out = Cursor::new(vec![]);
    let error = write(&scene(&world, &materials), &mut ignore_progress, &mut out).unwrap_err();
    let WriterError::Unfit(reason) = error else { panic!("{error:?}") };
    assert!(
        reason.starts_with("it holds 1107296256 voxels; a .vox file has room for 10734"),
        "{reason}"
    );
    assert!(out.into_inner().is_empty());
    // One voxel in each of very many models.
    let scattered =
        (0..(1 << 16) + 1).map(|i| (IVec3::new(i % 1000, 0, i / 1000) * 256, Voxel::full(1)));
    let error = write(
        &scene(&world_of(scattered), &materials),
        &mut ignore_progress,
        &mut Cursor::new(vec![]),
    )
    .unwrap_err();
    assert!(
        matches!(&error, WriterError::Unfit(r) if r.contains("65537 models") && r.contains("at most 65536")),
        "{error:?}"
    );
}

/// Exports an import again; colours and voxels must be equal.
fn check_file_to_file(first: &Imported) {
    let scene = scene(&first.world, &first.materials);
    let (file, written) = written(&scene);
    assert!(written.warnings.is_empty());
    let again = imported(file);
    // The importer keeps a centred position, so nothing moves.
    assert_eq!(named(&again.world, &again.materials), named(&first.world, &first.materials));
    assert_eq!((again.bounds, again.voxels), (first.bounds, first.voxels));
    let list =
        |imported: &Imported| imported.materials.iter().map(|(_, m)| m.clone()).collect::<Vec<_>>();
    let mut before = list(first);
    let mut after = list(&again);
    before.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    after.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(after, before);
}

#[test]
fn real_files_round_trip() {
    for name in ["dotvox_axes.vox", "dotvox_placeholder-with-materials.vox"] {
        let Some(path) = data(name) else { continue };
        check_file_to_file(&crate::import(&path, &mut ignore_progress).unwrap());
    }
}

#[test]
fn glass_and_light_round_trip() {
    use crate::vox::chunk_writer::VoxChunkWriter;
    let file = VoxChunkWriter::default()
        .model([3, 1, 2], &[[0, 0, 0, 1], [1, 0, 0, 2], [2, 0, 0, 3], [0, 0, 1, 4]])
        .chunk(
            "RGBA",
            &[[200, 100, 50, 255], [1, 2, 3, 100], [9, 9, 9, 255], [200, 100, 50, 9]]
                .as_flattened()
                .repeat(64),
        )
        .material(1, &[("_type", "_glass")])
        .material(3, &[("_type", "_emit"), ("_emit", "0.31")])
        .material(4, &[("_type", "_emit"), ("_emit", "1")])
        .file();
    let first = imported(file);
    for name in [
        "vox:#c86432+glass",
        "vox:#010203+glass",
        "vox:#090909+light5",
        "vox:#c86432+glass+light15",
    ] {
        assert!(first.materials.find(name).is_some(), "{name}");
    }
    check_file_to_file(&first);
}

#[test]
fn export_stops_when_cancelled_or_when_the_disk_is_full() {
    let materials = MaterialTable::builtin();
    let scene = scene(&world_of([(IVec3::ZERO, Voxel::full(1))]), &materials);
    let error =
        write(&scene, &mut |_| ControlFlow::Break(()), &mut Cursor::new(vec![])).unwrap_err();
    assert!(matches!(error, WriterError::Cancelled), "{error:?}");

    /// A target with room for a fixed number of bytes.
    struct Full(Cursor<Vec<u8>>, usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.get_ref().len() + bytes.len() > self.1 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Full {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }
    let length = written(&scene).0.len();
    for room in (0..length).step_by(97) {
        let error =
            write(&scene, &mut ignore_progress, &mut Full(Cursor::new(vec![]), room)).unwrap_err();
        assert!(
            matches!(&error, WriterError::Io(e) if e.kind() == std::io::ErrorKind::StorageFull),
            "{room}: {error:?}"
        );
    }
}

/// Positions near each other on both sides of chunk borders, and sometimes far away.
fn position() -> impl Strategy<Value = IVec3> {
    let part = || prop_oneof![8 => -40i32..40, 1 => 200i32..600];
    (part(), part(), part()).prop_map(|(x, y, z)| IVec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_small_world_round_trips(voxels in prop::collection::vec((position(), 1u16..60, any::<u8>()), 1..60)) {
        let materials = MaterialTable::builtin();
        prop_assert!(materials.len() >= 60);
        let world = world_of(voxels.iter().map(|&(at, id, fill)| (at, Voxel::new(id, fill))));
        check_map_to_map(&world, &materials);
    }
}
