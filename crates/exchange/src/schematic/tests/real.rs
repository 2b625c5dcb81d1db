//! Real schematics compared with figures from an independent reader.
//!
//! The files are in `../shared/data/schematics` (or `STONERUN_DATA`), which is not part of the
//! project. Without it the tests print a note and pass. The figures come from a Python script (gzip
//! and struct of its standard library; NBT, varints and palettes decoded in the script). It writes
//! the class of each block (below) to an array, x fastest, then z, then y, and takes CRC-32 and
//! counts of the array, and the bounds of the blocks that are not air.

use super::import;
use crate::minecraft::block_names::without_state;
use crate::progress::ignore_progress;
use glam::IVec3;
use std::path::PathBuf;
use stonerun_engine::random::Random;
use stonerun_engine::voxel::Box3;

/// Number, material and occupancy of a class of blocks.
type Class = (u8, &'static str, u8);

struct Expected {
    name: &'static str,
    size: IVec3,
    /// Bounds of the blocks that are not air.
    min: [i32; 3],
    max: [i32; 3],
    crc: u32,
    counts: [u64; 23],
    /// Classes of blocks; every other block has class 10, and air has class 0.
    classes: &'static [Class],
}

const SPONGE: &[Class] = &[
    (1, "minecraft:spruce_stairs", 255),
    (2, "pine_planks", 255),
    (3, "minecraft:polished_diorite", 255),
    (4, "pine_log", 255),
    (5, "stone_bricks", 255),
    (6, "oak_leaves", 255),
    (7, "bookshelf", 255),
    (8, "minecraft:spruce_slab", 127),
    (9, "minecraft:spruce_slab", 255),
    (11, "minecraft:oak_trapdoor", 47),
    (12, "minecraft:red_carpet", 15),
    (13, "minecraft:cobblestone_slab", 127),
    (14, "minecraft:cobblestone_slab", 255),
    (15, "minecraft:glowstone", 255),
];

const MCEDIT: &[Class] = &[
    (1, "stone", 255),
    (2, "stone_bricks", 255),
    (3, "oak_log", 255),
    (4, "minecraft:bedrock", 255),
    (5, "glass", 255),
    (6, "bricks", 255),
    (7, "minecraft:oak_fence", 15),
    (8, "dirt", 255),
    (9, "grass", 255),
    (11, "minecraft:oak_slab", 127),
    (12, "minecraft:oak_slab", 255),
    (13, "minecraft:stone_brick_slab", 127),
    (14, "minecraft:stone_brick_slab", 255),
    (15, "minecraft:smooth_stone_slab", 127),
    (16, "minecraft:smooth_stone_slab", 255),
    (17, "lava", 255),
    (18, "lava", 191),
    (19, "lava", 127),
    (20, "water", 255),
    (21, "lava", 63),
    (22, "gravel", 255),
];

const FILES: [Expected; 3] = [
    Expected {
        name: "prismarine_smallhouse1.schem",
        size: IVec3::new(21, 28, 20),
        min: [1, 0, 1],
        max: [19, 26, 19],
        crc: 0xf6b7_e0ed,
        counts: [
            8559, 513, 330, 128, 126, 59, 56, 49, 32, 59, 1790, 39, 2, 1, 0, 17, 0, 0, 0, 0, 0, 0,
            0,
        ],
        classes: SPONGE,
    },
    Expected {
        name: "prismarine_viking-house1.schematic",
        size: IVec3::new(23, 35, 23),
        min: [0, 0, 0],
        max: [22, 24, 22],
        crc: 0x5a9b_09f7,
        counts: [
            16_023, 0, 140, 0, 0, 0, 0, 150, 97, 292, 1638, 136, 39, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ],
        classes: MCEDIT,
    },
    Expected {
        name: "pymclevel_Station.schematic",
        size: IVec3::new(113, 121, 227),
        min: [0, 0, 0],
        max: [112, 120, 226],
        crc: 0xd2e4_5b50,
        counts: [
            2_306_029, 357_085, 270_682, 41, 17_551, 10_214, 10_944, 337, 13_228, 288, 86_945, 0,
            0, 14_174, 2685, 1533, 10_777, 21, 21, 20, 15, 13, 1168,
        ],
        classes: MCEDIT,
    },
];

/// The folder with the schematics; `None` if it is missing, with a printed note.
pub(super) fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        PathBuf::from,
    );
    let folder = folder.join("schematics");
    if !folder.is_dir() {
        println!("skipped: there is no shared/data/schematics");
    }
    Some(folder).filter(|folder| folder.is_dir())
}

#[test]
fn real_schematics_match_independent_reader() {
    let Some(folder) = data_folder() else { return };
    for Expected { name, size, min, max, crc, counts, classes } in &FILES {
        let imported = crate::import(&folder.join(name), &mut ignore_progress).unwrap();
        let offset = IVec3::new(-size.x / 2, 0, -size.z / 2);
        let expected = Box3::spanning(IVec3::from(*min) + offset, IVec3::from(*max) + offset);
        assert_eq!(
            (imported.bounds, imported.warnings.len(), imported.unfinished),
            (expected, 0, 0),
            "{name}"
        );
        let mut all = Vec::new();
        for y in 0..size.y {
            for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
                let voxel = imported.world.get(IVec3::new(x, y, z) + offset);
                let material = imported.materials.get(voxel.material());
                let Some(material) = material.filter(|material| material.name != "air") else {
                    all.push(0);
                    continue;
                };
                // Stairs and upper slabs are full in the classes.
                let block = without_state(&material.name);
                let is_full = material.name.contains("type=top") || block.ends_with("_stairs");
                let key = (block, if is_full { u8::MAX } else { voxel.occupancy() });
                let class = classes.iter().find(|class| (class.1, class.2) == key);
                all.push(class.map_or(10, |class| class.0));
            }
        }
        let mut found = [0; 23];
        for &class in &all {
            found[usize::from(class)] += 1;
        }
        assert_eq!(found, *counts, "{name}");
        assert_eq!(crc32fast::hash(&all), *crc, "{name}");
        assert_eq!(imported.voxels, counts[1..].iter().sum::<u64>());
        for (_, chunk) in imported.world.chunks() {
            chunk.check().unwrap();
        }
    }
}

#[test]
fn damaged_real_schematics_never_panic() {
    let Some(folder) = data_folder() else { return };
    for Expected { name, .. } in &FILES[..2] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        for length in (0..bytes.len()).step_by(37) {
            assert!(
                import(bytes[..length].to_vec(), &mut ignore_progress).is_err(),
                "{name}: {length}"
            );
        }
        // Uncompressed, because a checksum would detect the damage first.
        let mut unpacked = vec![];
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut unpacked)
            .unwrap();
        let mut random = Random::new(1);
        for _ in 0..300 {
            let mut bytes = unpacked.clone();
            for _ in 0..=random.below(3) {
                let at = random.index(bytes.len());
                bytes[at] = random.draw() as u8;
            }
            let _ = import(bytes, &mut ignore_progress);
        }
    }
}
