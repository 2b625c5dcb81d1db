//! Imports of region files of every version: voxels, positions and omitted parts.

mod extras;
mod hostile;
mod modded;
mod real;
mod region_files;
mod region_writer;

use super::import::{WorldImport, centring_offset};
use super::region_file::{REGION_SIDE, RegionReader};
use super::world_folder::RegionFile;
use crate::chunk_store::{ImportTarget, Imported, in_memory};
use crate::error::ImportError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::numeric_ids;
use crate::progress::ignore_progress;
use fastnbt::{Value, nbt};
use glam::{IVec2, IVec3};
use region_files::{
    BlockLayout, LAYOUTS, beta_chunk, chunk, region, section, section_of_ids, state,
};
use std::io::Cursor;
use std::path::Path;
use stonerun_engine::voxel::{Box3, Voxel};

/// Imports the bytes of a region file called `r.X.Z.mca`.
fn import_at(file: Vec<u8>, x: i32, z: i32) -> Result<Imported, ImportError> {
    let path = Path::new("test.mca");
    in_memory(|target: ImportTarget| {
        let region = RegionReader::open(Cursor::new(file)).map_err(|error| error.in_file(path))?;
        let bounds = region.bounds().map(|bounds| bounds.offset(IVec2::new(x, z) * REGION_SIDE));
        let mut import = WorldImport::new(target, centring_offset(bounds.into_iter()));
        let file = RegionFile { path: path.to_owned(), x, z };
        import.region(region, &file, &mut ignore_progress).map_err(|error| error.in_file(path))?;
        import.finish(path)
    })
}

fn imported(file: Vec<u8>) -> Imported {
    import_at(file, 0, 0).unwrap_or_else(|error| panic!("{error}"))
}

/// Name and occupancy of the voxel at a position in Minecraft, which the import moved by `offset`.
fn at(imported: &Imported, offset: IVec3, pos: [i32; 3]) -> (&str, u8) {
    let voxel = imported.world.get(IVec3::from(pos) + offset);
    (imported.materials.get(voxel.material()).map_or("not loaded", |m| &m.name), voxel.occupancy())
}

/// Pseudorandom indices of a section, into a palette of `palette` entries.
fn random(palette: usize, seed: usize) -> Vec<u16> {
    (0..4096).map(|i: usize| (((i + seed) * 2_654_435_761) >> 9) as u16 % palette as u16).collect()
}

#[test]
fn palette_sections_of_every_layout_keep_every_block() {
    let names: Vec<String> = (0..300).map(|i| format!("mod:block_{i}")).collect();
    for layout in LAYOUTS {
        // Indices of 5 and 9 bits cross the borders of longs; 4 and 8 bits do not.
        for entries in [1, 2, 16, 17, 200, 300] {
            let palette: Vec<Value> =
                names[..entries].iter().map(|name| state(name, &[])).collect();
            let heights: &[i8] =
                if layout == BlockLayout::Flat { &[-4, -1, 19] } else { &[0, 3, 15] };
            let sections = heights
                .iter()
                .map(|&y| section(layout, y, &palette, &random(entries, y as usize & 31)))
                .collect();
            let imported = imported(region([(5, 30, &chunk(Some(layout), sections))]));
            assert_eq!(
                (imported.voxels, imported.warnings.len()),
                (3 * 4096, 0),
                "{layout:?} {entries}"
            );
            // Blocks 80..96 and 480..496 lie in the chunks that begin at 64 and 480.
            let offset = IVec3::new(-64, 0, -480);
            assert_eq!(
                imported.bounds.min,
                IVec3::new(80, i32::from(heights[0]) * 16, 480) + offset
            );
            assert_eq!(
                imported.bounds.max,
                IVec3::new(96, i32::from(heights[2]) * 16 + 16, 496) + offset
            );
            for &y in heights {
                for (i, &index) in random(entries, y as usize & 31).iter().enumerate() {
                    let i = i as i32;
                    let pos = [80 + (i & 15), i32::from(y) * 16 + (i >> 8), 480 + (i >> 4 & 15)];
                    assert_eq!(
                        at(&imported, offset, pos),
                        (&*names[usize::from(index)], 255),
                        "{layout:?} {pos:?}"
                    );
                }
            }
            for (_, chunk) in imported.world.chunks() {
                chunk.check().unwrap();
            }
        }
    }
}

#[test]
fn id_sections_before_1_13_keep_every_block() {
    let blocks: Vec<(u16, u8)> =
        (0..4096u32).map(|i| ((i * 1021 % 4096) as u16, (i / 7) as u8 & 15)).collect();
    let low: Vec<(u16, u8)> = blocks.iter().map(|&(id, data)| (id & 255, data)).collect();
    let imported = imported(region([(
        0,
        0,
        &chunk(None, vec![section_of_ids(0, &blocks), section_of_ids(2, &low)]),
    )]));
    let offset = IVec3::ZERO;
    let mut expected = BlockMapper::new();
    for (y, blocks) in [(0, &blocks), (2, &low)] {
        for (i, &(id, data)) in blocks.iter().enumerate() {
            let i = i as i32;
            let voxel = expected.voxel_for_id(u32::from(id), data).unwrap();
            let name = &*expected.materials().get(voxel.material()).unwrap().name;
            // Liquids have lowered surfaces, and the upper half of a plant or a door gets the
            // material of its lower half.
            if !["water", "lava"].contains(&name)
                && !name.contains("half=upper")
                && !numeric_ids::is_upper_half(u32::from(id), data)
            {
                let pos = [i & 15, y * 16 + (i >> 8), i >> 4 & 15];
                assert_eq!(at(&imported, offset, pos), (name, voxel.occupancy()), "{id}:{data}");
            }
        }
    }
    assert!(imported.materials.find("unknown:4095").is_some());
}

/// Pseudorandom blocks of a chunk before 1.2, without liquids.
fn beta_blocks() -> Vec<(u16, u8)> {
    (0..32768u32)
        .map(|i| ((i.wrapping_mul(2_654_435_761) >> 13) as u16 % 7, (i / 7) as u8 & 15))
        .collect()
}

#[test]
fn beta_chunk_keeps_every_block() {
    let blocks = beta_blocks();
    let imported = imported(region([(3, 1, &beta_chunk(&blocks))]));
    let mut expected = BlockMapper::new();
    let offset = IVec3::new(-32, 0, 0);
    for x in 0..16 {
        for z in 0..16 {
            for y in 0..128 {
                // Index formula of the wiki's "Chunk format/McRegion": Blocks[y + (z * 128 + (x *
                // 128 * 16))].
                let (id, data) = blocks[(y + (z * 128 + (x * 128 * 16))) as usize];
                let voxel = expected.voxel_for_id(u32::from(id), data).unwrap();
                let name = &*expected.materials().get(voxel.material()).unwrap().name;
                assert_eq!(
                    at(&imported, offset, [48 + x, y, 16 + z]),
                    (name, voxel.occupancy()),
                    "{x} {y} {z}"
                );
            }
        }
    }
    let mut unpopulated = beta_chunk(&blocks);
    let Value::Compound(root) = &mut unpopulated else { unreachable!() };
    let Some(Value::Compound(level)) = root.get_mut("Level") else { unreachable!() };
    level.insert("TerrainPopulated".to_owned(), Value::Byte(0));
    assert!(import_at(region([(0, 0, &unpopulated)]), 0, 0).is_err());
}

#[test]
fn beta_world_is_imported_from_folder_and_file() {
    let world = tempfile::tempdir().unwrap();
    std::fs::create_dir(world.path().join("region")).unwrap();
    let file = region([(0, 0, &beta_chunk(&[(1, 0); 32768]))]);
    std::fs::write(world.path().join("region/r.0.0.mcr"), &file).unwrap();
    for path in [world.path().to_owned(), world.path().join("region/r.0.0.mcr")] {
        assert_eq!(crate::import(&path, &mut ignore_progress).unwrap().voxels, 32768);
    }
}

#[test]
fn block_properties_and_liquid_surfaces_decide_occupancy() {
    let palette = [
        state("minecraft:air", &[]),
        state("minecraft:water", &[("level", "0")]),
        state("minecraft:oak_slab", &[("type", "bottom"), ("waterlogged", "true")]),
        state("minecraft:snow", &[("layers", "3")]),
        state("minecraft:water", &[("level", "4")]),
        state("minecraft:seagrass", &[]),
    ];
    let mut indices = vec![0; 4096];
    // A pool two blocks deep under air, a slab, more water and snow; then flowing water.
    indices[..4].fill(1);
    indices[256..260].fill(1);
    indices[513..516].copy_from_slice(&[2, 1, 3]);
    indices[8] = 4;
    // Grass at the bottom of the pool.
    indices[2] = 5;
    for layout in LAYOUTS {
        let imported = imported(region([(
            0,
            0,
            &chunk(Some(layout), vec![section(layout, 4, &palette, &indices)]),
        )]));
        let row = |y: i32| [0, 1, 2, 3].map(|x| at(&imported, IVec3::ZERO, [x, 64 + y, 0]));
        assert_eq!(row(0), [("water", 255); 4]);
        // The slab holds water, so the pool is deeper there.
        assert_eq!(row(1), [("water", 223), ("water", 255), ("water", 255), ("water", 223)]);
        assert_eq!(row(2), [("air", 0), ("minecraft:oak_slab", 127), ("water", 223), ("snow", 95)]);
        let liquids = [0, 1, 2, 3].map(|x| imported.world.get(IVec3::new(x, 66, 0)).liquid());
        assert_eq!(liquids, [0, 96, 0, 0]);
        assert_eq!(at(&imported, IVec3::ZERO, [8, 64, 0]), ("water", 127));
    }
}

#[test]
fn unfinished_chunks_are_left_out_without_warning() {
    let palette = [state("minecraft:stone", &[])];
    let finished =
        chunk(Some(BlockLayout::Flat), vec![section(BlockLayout::Flat, 0, &palette, &[0; 4096])]);
    let mut unfinished = finished.clone();
    let Value::Compound(map) = &mut unfinished else { unreachable!() };
    map.insert("Status".to_owned(), Value::String("minecraft:features".to_owned()));
    let light_only =
        chunk(Some(BlockLayout::Padded), vec![nbt!({ "Y": (-1i8), "SkyLight": [B; 0] })]);
    let no_sections = nbt!({ "Level": { "Status": "full" } });
    let unpopulated = nbt!({ "Level": { "TerrainPopulated": 0i8, "Sections": [{ "Y": 0i8, "Blocks": [B; 1] }] } });
    let mut upgraded = finished.clone();
    let Value::Compound(map) = &mut upgraded else { unreachable!() };
    map.insert("below_zero_retrogen".to_owned(), nbt!({ "target_status": "minecraft:carvers" }));
    let others = [&unfinished, &light_only, &no_sections, &unpopulated, &upgraded];
    let chunks = others.into_iter().enumerate().map(|(x, chunk)| (x, 0, chunk));
    let imported = imported(region(chunks.clone().chain([(9, 9, &finished)])));
    assert_eq!((imported.voxels, imported.warnings.len()), (4096, 0));
    let error = import_at(region(chunks), 0, 0).unwrap_err().to_string();
    assert_eq!(error, "test.mca: chunks: there is no finished chunk with anything but air");
}

#[test]
fn status_decides_whether_upgraded_chunk_is_imported() {
    let palette = [state("minecraft:stone", &[])];
    let old = |status: &str| {
        let sections = Value::List(vec![section(BlockLayout::Across, 0, &palette, &[0; 4096])]);
        nbt!({ "Level": { "Status": status, "Sections": sections } })
    };
    let new = |target: &str| {
        let sections = Value::List(vec![section(BlockLayout::Flat, 0, &palette, &[0; 4096])]);
        let retrogen = nbt!({ "target_status": target, "missing_bedrock": [L; 0] });
        nbt!({ "Status": "minecraft:empty", "below_zero_retrogen": retrogen, "sections": sections })
    };
    for (status, finished) in [
        ("full", true),
        ("fullchunk", true),
        ("postprocessed", true),
        ("mobs_spawned", true),
        ("finalized", true),
        ("spawn", true),
        ("heightmaps", true),
        ("light", true),
        ("lighted", true),
        ("initialize_light", true),
        ("features", false),
        ("decorated", false),
        ("carved", false),
        ("empty", false),
        ("spawning", false),
    ] {
        let namespaced = format!("minecraft:{status}");
        for (i, chunk) in
            [old(status), old(&namespaced), new(status), new(&namespaced)].into_iter().enumerate()
        {
            let read = import_at(region([(0, 0, &chunk)]), 0, 0);
            assert_eq!(
                read.map(|imported| imported.voxels).ok(),
                finished.then_some(4096),
                "{status}, shape {i}"
            );
        }
    }
}

#[test]
fn distant_region_keeps_heights_and_is_centred() {
    let palette = [state("minecraft:stone", &[])];
    let one =
        chunk(Some(BlockLayout::Flat), vec![section(BlockLayout::Flat, -4, &palette, &[0; 4096])]);
    let file = region([(0, 0, &one), (31, 31, &one)]);
    for (x, z) in [(0, 0), (-1, 7), (58_593, -58_594), (2_097_151, -2_097_152)] {
        let imported = import_at(file.clone(), x, z).unwrap();
        assert_eq!(
            imported.bounds,
            Box3 { min: IVec3::new(-256, -64, -256), max: IVec3::new(256, -48, 256) }
        );
        assert_eq!(imported.world.get(IVec3::new(-256, -64, -256)), Voxel::full(1));
        assert_eq!(imported.world.get(IVec3::new(255, -49, 255)), Voxel::full(1));
        assert!(imported.world.chunks().all(|(pos, _)| pos.in_world()));
    }
}

#[test]
fn centre_counts_every_chunk_in_the_table() {
    let palette = [state("minecraft:stone", &[])];
    let one =
        chunk(Some(BlockLayout::Flat), vec![section(BlockLayout::Flat, 0, &palette, &[0; 4096])]);
    let mut unfinished = one.clone();
    let Value::Compound(map) = &mut unfinished else { unreachable!() };
    map.insert("Status".to_owned(), Value::String("minecraft:features".to_owned()));
    let both = imported(region([(0, 0, &one), (31, 31, &unfinished)]));
    assert_eq!(both.bounds.min, IVec3::new(-256, 0, -256));
    // A table entry that points past the file or into its header does not count.
    for entry in [[0xff, 0xff, 0xff, 1], [0, 0, 1, 1]] {
        let mut file = region([(0, 0, &one)]);
        file[1023 * 4..4096].copy_from_slice(&entry);
        let alone = imported(file);
        assert_eq!((alone.bounds.min, alone.warnings.len()), (IVec3::ZERO, 1));
    }
}

#[test]
fn world_folder_imports_all_regions_and_warns_of_bad_one() {
    let world = tempfile::tempdir().unwrap();
    std::fs::create_dir(world.path().join("region")).unwrap();
    let palette = [state("minecraft:stone", &[])];
    let one = chunk(
        Some(BlockLayout::Padded),
        vec![section(BlockLayout::Padded, 3, &palette, &[0; 4096])],
    );
    for name in ["r.0.0.mca", "r.-1.0.mca", "r.-1.-1.mca"] {
        std::fs::write(world.path().join("region").join(name), region([(0, 0, &one)])).unwrap();
    }
    std::fs::write(world.path().join("region/r.5.5.mca"), [0; 100]).unwrap();
    std::fs::write(world.path().join("region/r.6.6.mca"), []).unwrap();
    let mut steps = vec![];
    let imported = crate::import(world.path(), &mut |done| {
        steps.push(done);
        ignore_progress(done)
    })
    .unwrap();
    assert_eq!((imported.voxels, imported.world.len()), (3 * 4096, 3));
    assert_eq!(imported.bounds.size(), IVec3::new(528, 16, 528));
    assert_eq!(imported.warnings.len(), 1);
    assert!(
        imported.warnings[0].ends_with(
            "r.5.5.mca: header: the file is cut off: 8092 bytes are missing; it is left out"
        ),
        "{:?}",
        imported.warnings
    );
    assert!(
        steps.is_sorted() && steps.len() > 500 && steps.iter().all(|s| (0.0..=1.0).contains(s))
    );
}
