//! Real worlds compared with figures from an independent reader.
//!
//! The regions are in `../shared/data/minecraft` (or `STONERUN_DATA`), which is not part of the
//! project. Without it the tests print a note and pass. The figures come from a Python script (zlib
//! and struct of its standard library; NBT and palettes decoded in the script). It writes the class
//! of each block (below) to an array of 512 x 512 x height bytes, x fastest, then z, then y, from
//! the lowest block that is not air, and takes CRC-32 and counts of the array.

use crate::anvil::chunk_nbt::read_column;
use crate::anvil::import::WorldImport;
use crate::anvil::region_file::{REGION_SIDE, RegionReader};
use crate::anvil::world_folder::RegionFile;
use crate::chunk_store::{ImportTarget, MemoryStore};
use crate::losses::ImportLosses;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_names::without_state;
use crate::progress::ignore_progress;
use glam::IVec3;
use std::path::PathBuf;
use stonerun_engine::random::Random;

/// Classes and their materials. Class 0 is air, class 10 every other material.
const CLASSES: [(u8, &str); 12] = [
    (1, "stone"),
    (2, "dirt"),
    (3, "gravel"),
    (4, "coal_ore"),
    (5, "water"),
    (6, "lava"),
    (7, "oak_leaves"),
    (8, "birch_leaves"),
    (9, "birch_log"),
    (11, "minecraft:diorite"),
    (12, "granite"),
    (13, "minecraft:andesite"),
];

struct Expected {
    name: &'static str,
    /// Bounds of the blocks that are not air, in coordinates of the region.
    min: [i32; 3],
    max: [i32; 3],
    crc: u32,
    counts: [u64; 14],
}

const REGIONS: [Expected; 3] = [
    Expected {
        name: "prismarine_1.12.2_r.0.-1.mca",
        min: [32, 0, 432],
        max: [415, 82, 511],
        crc: 0xefa0_e3e5,
        counts: [
            20_111_773, 1_204_125, 79_263, 17_204, 15_921, 4_369, 10_474, 19_351, 4_220, 504,
            113_445, 56_505, 57_226, 63_572,
        ],
    },
    Expected {
        name: "prismarine_1.16_r.0.-1.mca",
        min: [48, 0, 336],
        max: [415, 124, 511],
        crc: 0x7083_271c,
        counts: [
            27_685_492, 3_713_516, 227_597, 59_543, 58_994, 6_963, 23_981, 52_658, 14_999, 1_714,
            314_953, 203_787, 195_302, 208_501,
        ],
    },
    Expected {
        name: "prismarine_1.18.2_r.0.0.mca",
        min: [0, -64, 0],
        max: [143, 62, 47],
        crc: 0xd0df_8aaf,
        counts: [
            32_438_748, 180_007, 4_431, 18_074, 1_246, 156_741, 679, 0, 0, 0, 432_903, 19_544,
            17_948, 21_967,
        ],
    },
];

fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        PathBuf::from,
    );
    Some(folder.join("minecraft")).filter(|folder| folder.is_dir())
}

#[test]
fn real_regions_match_independent_reader() {
    let Some(folder) = data_folder() else {
        println!("skipped: there is no shared/data/minecraft");
        return;
    };
    for expected in &REGIONS {
        let imported = crate::import(&folder.join(expected.name), &mut ignore_progress).unwrap();
        let min = IVec3::from(expected.min);
        let max = IVec3::from(expected.max);
        assert_eq!(imported.warnings, Vec::<String>::new(), "{}", expected.name);
        // Players of the 1.18.2 server visited few places; the chunks around those places were
        // never finished.
        let unfinished = [("1.12.2", 6), ("1.16", 0), ("1.18.2", 253)];
        let expected_unfinished =
            unfinished.iter().find(|(version, _)| expected.name.contains(version));
        assert_eq!(
            Some(imported.unfinished),
            expected_unfinished.map(|(_, n)| *n),
            "{}",
            expected.name
        );
        if expected.name.contains("1.18.2") {
            // 1600 halves of tall seagrass, 192 blocks of seagrass and 2068 blocks of kelp, which
            // become water.
            let losses = ImportLosses { shapes: 3860, biomes: 27, ..ImportLosses::default() };
            assert_eq!(imported.losses, losses);
        }
        let offset = imported.bounds.min - min;
        assert_eq!(
            (stonerun_engine::voxel::local(offset), offset.y),
            (IVec3::ZERO, 0),
            "moved by whole chunks"
        );
        assert_eq!(imported.bounds.max, max + offset + 1);
        // The centre is computed from all chunks, also unfinished ones.
        assert!(
            (imported.bounds.min + imported.bounds.max).abs().max_element() <= 256,
            "{:?}",
            imported.bounds
        );

        let class_of: Vec<u8> = imported
            .materials
            .iter()
            .map(|(id, m)| {
                // Classes know no states, and infested stone only as stone.
                let block = match without_state(&m.name) {
                    "minecraft:infested_stone" => "stone",
                    block => block,
                };
                CLASSES
                    .iter()
                    .find(|(_, name)| *name == block)
                    .map_or(if id == 0 { 0 } else { 10 }, |c| c.0)
            })
            .collect();
        let height = (max.y - min.y + 1) as usize;
        let mut classes = vec![0u8; 512 * 512 * height];
        for (pos, chunk) in imported.world.chunks() {
            chunk.check().unwrap();
            for run in chunk.runs().filter(|run| !run.voxel.is_air()) {
                for index in run.start..run.end() {
                    let at = pos.origin() + stonerun_engine::voxel::linear_offset(index as usize)
                        - offset
                        - IVec3::new(0, min.y, 0);
                    classes[(at.y as usize * 512 + at.z as usize) * 512 + at.x as usize] =
                        class_of[usize::from(run.voxel.material())];
                }
            }
        }
        let mut counts = [0; 14];
        for &class in &classes {
            counts[usize::from(class)] += 1;
        }
        assert_eq!(counts, expected.counts, "{}", expected.name);
        assert_eq!(crc32fast::hash(&classes), expected.crc, "{}", expected.name);
        assert_eq!(imported.voxels, counts[1..].iter().sum::<u64>());
        for (_, material) in imported.materials.iter() {
            let unknown = stonerun_engine::voxel::Material::unknown(&material.name);
            assert!(
                !material.name.starts_with("minecraft:") || material.tint != unknown.tint,
                "{}",
                material.name
            );
        }
    }
}

#[test]
fn damaged_real_regions_never_panic() {
    let Some(folder) = data_folder() else {
        println!("skipped: there is no shared/data/minecraft");
        return;
    };
    for (i, expected) in REGIONS.iter().enumerate() {
        let file = std::fs::read(folder.join(expected.name)).unwrap();
        // A single chunk, so that thousands of damaged versions take only seconds.
        let mut open = RegionReader::open(std::io::Cursor::new(&file)).unwrap();
        let mut chunks = (0..REGION_SIDE * REGION_SIDE)
            .filter_map(|at| open.chunk(at % REGION_SIDE, at / REGION_SIDE).unwrap());
        let mut blocks = BlockMapper::new();
        let sound = |data: &[u8]| {
            read_column(data, &mut BlockMapper::new())
                .unwrap()
                .is_some_and(|column| !column.sections.is_empty())
        };
        let data = chunks.find(|chunk| sound(&chunk.nbt)).unwrap().nbt;
        let mut random = Random::new(i as u64);
        for _ in 0..3000 {
            let mut data = data.clone();
            for _ in 0..=random.below(3) {
                let at = random.index(data.len());
                data[at] = random.draw() as u8;
            }
            if random.below(16) == 0 {
                data.truncate(random.index(data.len()));
            }
            let _ = read_column(&data, &mut blocks);
        }
        for length in (0..file.len()).step_by(file.len() / 10) {
            let cut = RegionReader::open(std::io::Cursor::new(&file[..length]));
            let region_file = RegionFile { path: "cut.mca".into(), x: 0, z: 0 };
            let mut memory = MemoryStore::with_limit(usize::MAX);
            let mut import = WorldImport::new(ImportTarget::new(&mut memory), IVec3::ZERO);
            if let Ok(cut) = cut {
                import.region(cut, &region_file, &mut ignore_progress).unwrap();
                assert!(!import.damaged.is_empty() || length + 8192 > file.len(), "{length}");
            }
        }
    }
}
