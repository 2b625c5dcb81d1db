//! Imports of small valid files of unusual form, from the stored corpus.

use super::{Imported, ignore_progress, import};
use glam::IVec3;
use std::path::{Path, PathBuf};
use stonerun_engine::voxel::Voxel;

/// A file of the corpus.
fn corpus(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(kind).join(name)
}

/// Imports a file of the corpus, which gets its kind as its extension.
fn imported(kind: &str, name: &str) -> Imported {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("input.{kind}"));
    std::fs::copy(corpus(kind, name), &path).unwrap();
    import(&path, &mut ignore_progress).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Imports a world whose only region is the file `name` of the corpus, at 0, 0.
fn imported_world(region_folder: &str, name: &str) -> Imported {
    let world = tempfile::tempdir().unwrap();
    let folder = world.path().join(region_folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(corpus("mca", name), folder.join("r.0.0.mca")).unwrap();
    import(world.path(), &mut ignore_progress).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn name_and_occupancy(imported: &Imported, voxel: Voxel) -> (&str, u8) {
    (
        imported.materials.get(voxel.material()).map_or("not loaded", |material| &material.name),
        voxel.occupancy(),
    )
}

/// Names without `minecraft:` and occupancies of the row along x that begins at the lowest corner.
fn row(imported: &Imported) -> Vec<(&str, u8)> {
    let start = imported.bounds.min;
    let voxels = (0..imported.bounds.size().x).map(|x| imported.world.get(start + IVec3::X * x));
    voxels
        .map(|voxel| {
            let (name, occupancy) = name_and_occupancy(imported, voxel);
            (name.trim_start_matches("minecraft:"), occupancy)
        })
        .collect()
}

/// True if nothing was left out.
fn is_complete(imported: &Imported) -> bool {
    imported.warnings.is_empty() && imported.losses.unread == 0
}

#[test]
fn entries_without_properties_are_default_states() {
    let made = imported("schem", "sound-default-states");
    let slab = ("oak_slab", 127);
    let expected =
        [slab, ("snow", 31), ("torch_wall_south", 255), ("water", 255), slab, ("grass", 255)];
    assert_eq!(row(&made), expected);
    assert!(is_complete(&made), "{:?}", made.warnings);
}

#[test]
fn bytes_behind_gzip_data_are_a_warning() {
    for (name, bytes) in [("sound-bytes-behind-the-end", 5), ("sound-zeros-behind-the-end", 6)] {
        let made = imported("schem", name);
        assert_eq!(row(&made), [("stone", 255), ("dirt", 255)], "{name}");
        let end = format!(
            "input.schem: the packed data is followed by {bytes} bytes; its content is complete"
        );
        assert!(
            made.warnings.len() == 1 && made.warnings[0].ends_with(&end),
            "{:?}",
            made.warnings
        );
    }
}

#[test]
fn palettes_of_strings_are_read() {
    let overworld = "dimensions/minecraft/overworld/region";
    for (made, chunks) in [
        (imported_world(overworld, "sound-palette-of-strings"), 1),
        (imported_world("", "sound-palettes-of-both-kinds"), 3),
    ] {
        let size = IVec3::new(16 * chunks, 2, 16);
        assert_eq!((made.voxels, made.bounds.size()), (512 * chunks as u64, size));
        assert!(is_complete(&made), "{:?}", made.warnings);
        for at in 0..size.x * size.z {
            let place = made.bounds.min.with_y(0) + IVec3::new(at % size.x, 0, at / size.x);
            assert_eq!(name_and_occupancy(&made, made.world.get(place)), ("stone", 255), "{place}");
            let above = made.world.get(place + IVec3::Y);
            assert_eq!(name_and_occupancy(&made, above), ("minecraft:oak_slab", 127), "{place}");
        }
    }
}

#[test]
fn block_numbers_of_16_bits_are_read() {
    let made = imported_world("region", "sound-numbers-of-16-bits");
    assert_eq!((made.voxels, made.bounds.size()), (512, IVec3::new(16, 17, 16)));
    for y in [0, 16] {
        let voxel = made.world.get(made.bounds.min.with_y(y) + IVec3::new(3, 0, 5));
        assert_eq!(name_and_occupancy(&made, voxel), ("stone", 255), "{y}");
    }
    assert!(is_complete(&made), "{:?}", made.warnings);
}

#[test]
fn zlib_data_without_its_end_is_a_warning() {
    let made = imported_world("", "sound-zlib-without-end");
    assert_eq!(made.voxels, 512);
    let end = "chunk (0, 0) at byte 8192: the packed data has no end; its content is complete";
    assert!(made.warnings.len() == 1 && made.warnings[0].ends_with(end), "{:?}", made.warnings);
}

#[test]
fn flat_schematic_of_version_3_is_read() {
    let made = imported("schem", "sound-version-3-flat");
    assert_eq!(row(&made), [("stone", 255), ("cobblestone", 255)]);
    assert!(is_complete(&made), "{:?}", made.warnings);
}

#[test]
fn mapping_of_new_names_decides_what_numbers_mean() {
    let made = imported("schematic", "sound-mapping-of-new-names");
    assert_eq!(
        row(&made),
        [("acacia_planks", 255), ("red_terracotta", 255), ("warped_hyphae", 255)]
    );
    assert!(is_complete(&made), "{:?}", made.warnings);
}

#[test]
fn palettes_shorter_than_256_colours_are_read() {
    let made = imported("vox", "sound-palette-of-64-colours");
    assert_eq!(row(&made), [("vox:#010203", 255), ("vox:#4080c0", 255)]);
    assert!(is_complete(&made), "{:?}", made.warnings);
    let made = imported("vox", "sound-palette-of-255-colours");
    assert_eq!((made.voxels, made.materials.find("vox:#102030").is_some()), (5, true));
    assert_eq!(
        made.materials.iter().filter(|(_, material)| material.name.starts_with("vox:")).count(),
        1
    );
    assert!(is_complete(&made), "{:?}", made.warnings);
}

#[test]
fn kinds_in_states_of_the_bedrock_edition_are_read() {
    let made = imported("mcstructure", "sound-kinds-in-states");
    let expected = [
        ("quartz_slab", 127),
        ("brick_slab", 127),
        ("purpur_slab", 127),
        ("purpur_slab", 255),
        ("stone_slab", 127),
        ("granite_wall", 63),
        ("dark_prismarine", 255),
        ("smooth_quartz", 255),
        ("fire_coral_block", 255),
        ("tube_coral_block", 255),
        ("cut_sandstone", 255),
        ("smooth_red_sandstone", 255),
        ("stripped_birch_wood", 255),
        ("oak_log", 255),
        ("wet_sponge", 255),
        ("purpur_pillar", 255),
        ("dirt", 255),
        ("tall_grass", 255),
        ("oak_slab", 127),
        ("oak_slab", 255),
        ("light_gray_glazed_terracotta[facing=north]", 255),
        ("flower_pot", 13),
        ("repeater[facing=south]", 31),
        ("cobblestone_stairs[facing=east]", 191),
        ("water", 255),
        ("water", 255),
        ("water", 255),
        ("hard_glass", 255),
        ("red_concrete_powder", 255),
        ("shulker_box", 255),
    ];
    assert_eq!(row(&made), expected);
    assert!(is_complete(&made), "{:?}", made.warnings);
}
