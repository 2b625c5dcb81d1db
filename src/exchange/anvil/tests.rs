//! What region files of every version mean, and where it lands.

use super::writer::{ERAS, Era, chunk, numbered, old, region, section, state};
use super::*;
use crate::exchange::{Imported, chunk_store::in_memory, ignore_progress};
use crate::voxel::Box3;
use fastnbt::{Value, nbt};
use std::io::Cursor;

/// Imports the bytes of a region file that is called `r.X.Z.mca`.
pub(super) fn read_at(file: Vec<u8>, x: i32, z: i32) -> Result<Imported, ImportError> {
    let path = Path::new("test.mca");
    in_memory(|target| {
        let region = Region::open(Cursor::new(file)).map_err(|flaw| flaw.in_file(path))?;
        let at = IVec2::new(x, z) * SIDE;
        let mut reading =
            Reading::new(target, shift(region.extent().map(|(min, max)| (at + min, at + max)).into_iter()));
        let file_at = RegionFile { path: path.to_owned(), x, z };
        reading.region(region, &file_at, &mut ignore_progress).map_err(|flaw| flaw.in_file(path))?;
        reading.finish(path)
    })
}

pub(super) fn imported(file: Vec<u8>) -> Imported {
    read_at(file, 0, 0).unwrap_or_else(|error| panic!("{error}"))
}

/// Name and occupancy of the voxel at a place of Minecraft's.
fn at(imported: &Imported, shift: IVec3, place: [i32; 3]) -> (&str, u8) {
    let voxel = imported.world.get(IVec3::from(place) + shift);
    (imported.materials.get(voxel.material()).map_or("not loaded", |m| &m.name), voxel.occupancy())
}

/// Indices of a section that look random, all below `kinds`.
fn random(kinds: usize, seed: usize) -> Vec<u16> {
    (0..4096).map(|i: usize| (((i + seed) * 2_654_435_761) >> 9) as u16 % kinds as u16).collect()
}

#[test]
fn every_block_of_every_era_with_a_palette() {
    let names: Vec<String> = (0..300).map(|i| format!("mod:block_{i}")).collect();
    for era in ERAS {
        // 5 and 9 bits cross the borders of longs; 4 and 8 do not.
        for kinds in [1, 2, 16, 17, 200, 300] {
            let palette: Vec<Value> = names[..kinds].iter().map(|name| state(name, &[])).collect();
            let heights: &[i8] = if era == Era::Flat { &[-4, -1, 19] } else { &[0, 3, 15] };
            let sections =
                heights.iter().map(|&y| section(era, y, &palette, &random(kinds, y as usize & 31))).collect();
            let imported = imported(region([(5, 30, &chunk(Some(era), sections))]));
            assert_eq!((imported.voxels, imported.warnings.len()), (3 * 4096, 0), "{era:?} {kinds}");
            // 80..96 and 480..496 are in the chunks from 64 and from 480.
            let shift = IVec3::new(-64, 0, -480);
            assert_eq!(imported.bounds.min, IVec3::new(80, i32::from(heights[0]) * 16, 480) + shift);
            assert_eq!(imported.bounds.max, IVec3::new(96, i32::from(heights[2]) * 16 + 16, 496) + shift);
            for &y in heights {
                for (i, &index) in random(kinds, y as usize & 31).iter().enumerate() {
                    let i = i as i32;
                    let place = [80 + (i & 15), i32::from(y) * 16 + (i >> 8), 480 + (i >> 4 & 15)];
                    assert_eq!(at(&imported, shift, place), (&*names[usize::from(index)], 255), "{era:?} {place:?}");
                }
            }
            imported.world.chunks().for_each(|(_, chunk)| chunk.check().unwrap());
        }
    }
}

#[test]
fn every_block_before_1_13() {
    let blocks: Vec<(u16, u8)> = (0..4096u32).map(|i| ((i * 1021 % 4096) as u16, (i / 7) as u8 & 15)).collect();
    let low: Vec<(u16, u8)> = blocks.iter().map(|&(id, data)| (id & 255, data)).collect();
    let imported = imported(region([(0, 0, &chunk(None, vec![numbered(0, &blocks), numbered(2, &low)]))]));
    let shift = IVec3::ZERO;
    let mut expected = Blocks::new();
    for (y, blocks) in [(0, &blocks), (2, &low)] {
        for (i, &(id, data)) in blocks.iter().enumerate() {
            let i = i as i32;
            let voxel = expected.numbered(id, data).unwrap();
            let name = &*expected.materials().get(voxel.material()).unwrap().name;
            // Surfaces of liquids are lowered.
            if !["water", "lava"].contains(&name) {
                let place = [i & 15, y * 16 + (i >> 8), i >> 4 & 15];
                assert_eq!(at(&imported, shift, place), (name, voxel.occupancy()), "{id}:{data}");
            }
        }
    }
    assert!(imported.materials.find("minecraft:id_4095").is_some());
}

/// Blocks of a chunk before 1.2 that look random, no liquids among them.
fn beta() -> Vec<(u16, u8)> {
    (0..32768u32).map(|i| ((i.wrapping_mul(2_654_435_761) >> 13) as u16 % 7, (i / 7) as u8 & 15)).collect()
}

#[test]
fn every_block_before_1_2() {
    let blocks = beta();
    let imported = imported(region([(3, 1, &old(&blocks))]));
    let mut expected = Blocks::new();
    let shift = IVec3::new(-32, 0, 0);
    for x in 0..16 {
        for z in 0..16 {
            for y in 0..128 {
                // The wiki's "Chunk format/McRegion": Blocks[y + (z * 128 + (x * 128 * 16))].
                let (id, data) = blocks[(y + (z * 128 + (x * 128 * 16))) as usize];
                let voxel = expected.numbered(id, data).unwrap();
                let name = &*expected.materials().get(voxel.material()).unwrap().name;
                assert_eq!(at(&imported, shift, [48 + x, y, 16 + z]), (name, voxel.occupancy()), "{x} {y} {z}");
            }
        }
    }
    let mut unpopulated = old(&blocks);
    let Value::Compound(root) = &mut unpopulated else { unreachable!() };
    let Some(Value::Compound(level)) = root.get_mut("Level") else { unreachable!() };
    level.insert("TerrainPopulated".to_owned(), Value::Byte(0));
    assert!(read_at(region([(0, 0, &unpopulated)]), 0, 0).is_err());
}

#[test]
fn a_world_before_1_2_is_read_too() {
    let world = tempfile::tempdir().unwrap();
    std::fs::create_dir(world.path().join("region")).unwrap();
    let file = region([(0, 0, &old(&[(1, 0); 32768]))]);
    std::fs::write(world.path().join("region/r.0.0.mcr"), &file).unwrap();
    for path in [world.path().to_owned(), world.path().join("region/r.0.0.mcr")] {
        assert_eq!(crate::exchange::import(&path, &mut ignore_progress).unwrap().voxels, 32768);
    }
}

#[test]
fn properties_and_surfaces() {
    let palette = [
        state("minecraft:air", &[]),
        state("minecraft:water", &[("level", "0")]),
        state("minecraft:oak_slab", &[("type", "bottom"), ("waterlogged", "true")]),
        state("minecraft:snow", &[("layers", "3")]),
        state("minecraft:water", &[("level", "4")]),
        state("minecraft:tube_coral_fan", &[("waterlogged", "true")]),
    ];
    let mut indices = vec![0; 4096];
    // A pool two deep, and on it nothing, a slab, more water, snow; then water that flows.
    indices[..4].fill(1);
    indices[256..260].fill(1);
    indices[513..516].copy_from_slice(&[2, 1, 3]);
    indices[8] = 4;
    // Coral on the ground of the pool.
    indices[2] = 5;
    for era in ERAS {
        let imported = imported(region([(0, 0, &chunk(Some(era), vec![section(era, 4, &palette, &indices)]))]));
        let row = |y: i32| [0, 1, 2, 3].map(|x| at(&imported, IVec3::ZERO, [x, 64 + y, 0]));
        assert_eq!(row(0), [("water", 255); 4]);
        assert_eq!(row(1), [("water", 223), ("water", 223), ("water", 255), ("water", 223)]);
        assert_eq!(row(2), [("air", 0), ("minecraft:oak_slab", 127), ("water", 223), ("snow", 95)]);
        assert_eq!(at(&imported, IVec3::ZERO, [8, 64, 0]), ("water", 127));
    }
}

#[test]
fn what_is_not_finished_is_left_out_in_silence() {
    let palette = [state("minecraft:stone", &[])];
    let whole = chunk(Some(Era::Flat), vec![section(Era::Flat, 0, &palette, &[0; 4096])]);
    let mut unfinished = whole.clone();
    let Value::Compound(map) = &mut unfinished else { unreachable!() };
    map.insert("Status".to_owned(), Value::String("minecraft:features".to_owned()));
    let light_only = chunk(Some(Era::Padded), vec![nbt!({ "Y": (-1i8), "SkyLight": [B; 0] })]);
    let no_sections = nbt!({ "Level": { "Status": "full" } });
    let unpopulated = nbt!({ "Level": { "TerrainPopulated": 0i8, "Sections": [{ "Y": 0i8, "Blocks": [B; 1] }] } });
    let mut upgraded = whole.clone();
    let Value::Compound(map) = &mut upgraded else { unreachable!() };
    map.insert("below_zero_retrogen".to_owned(), nbt!({ "target_status": "minecraft:carvers" }));
    let others = [&unfinished, &light_only, &no_sections, &unpopulated, &upgraded];
    let chunks = others.into_iter().enumerate().map(|(x, chunk)| (x, 0, chunk));
    let imported = imported(region(chunks.clone().chain([(9, 9, &whole)])));
    assert_eq!((imported.voxels, imported.warnings.len()), (4096, 0));
    let error = read_at(region(chunks), 0, 0).unwrap_err().to_string();
    assert_eq!(error, "test.mca: chunks: there is no finished chunk with anything but air");
}

#[test]
fn what_minecraft_upgraded_is_finished() {
    let palette = [state("minecraft:stone", &[])];
    let old = |status: &str| {
        let sections = Value::List(vec![section(Era::Across, 0, &palette, &[0; 4096])]);
        nbt!({ "Level": { "Status": status, "Sections": sections } })
    };
    let new = |target: &str| {
        let sections = Value::List(vec![section(Era::Flat, 0, &palette, &[0; 4096])]);
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
        for (i, chunk) in [old(status), old(&namespaced), new(status), new(&namespaced)].into_iter().enumerate() {
            let read = read_at(region([(0, 0, &chunk)]), 0, 0);
            assert_eq!(read.map(|imported| imported.voxels).ok(), finished.then_some(4096), "{status}, shape {i}");
        }
    }
}

#[test]
fn worlds_keep_their_heights_and_come_near() {
    let palette = [state("minecraft:stone", &[])];
    let one = chunk(Some(Era::Flat), vec![section(Era::Flat, -4, &palette, &[0; 4096])]);
    let file = region([(0, 0, &one), (31, 31, &one)]);
    for (x, z) in [(0, 0), (-1, 7), (58_593, -58_594), (2_097_151, -2_097_152)] {
        let imported = read_at(file.clone(), x, z).unwrap();
        assert_eq!(imported.bounds, Box3 { min: IVec3::new(-256, -64, -256), max: IVec3::new(256, -48, 256) });
        assert_eq!(imported.world.get(IVec3::new(-256, -64, -256)), Voxel::full(1));
        assert_eq!(imported.world.get(IVec3::new(255, -49, 255)), Voxel::full(1));
        assert!(imported.world.chunks().all(|(pos, _)| pos.in_world()));
    }
}

#[test]
fn the_middle_is_that_of_all_that_the_tables_name() {
    let palette = [state("minecraft:stone", &[])];
    let one = chunk(Some(Era::Flat), vec![section(Era::Flat, 0, &palette, &[0; 4096])]);
    let mut unfinished = one.clone();
    let Value::Compound(map) = &mut unfinished else { unreachable!() };
    map.insert("Status".to_owned(), Value::String("minecraft:features".to_owned()));
    let both = imported(region([(0, 0, &one), (31, 31, &unfinished)]));
    assert_eq!(both.bounds.min, IVec3::new(-256, 0, -256));
    // A place outside the file, or in its head, is none.
    for place in [[0xff, 0xff, 0xff, 1], [0, 0, 1, 1]] {
        let mut file = region([(0, 0, &one)]);
        file[1023 * 4..4096].copy_from_slice(&place);
        let alone = imported(file);
        assert_eq!((alone.bounds.min, alone.warnings.len()), (IVec3::ZERO, 1));
    }
}

#[test]
fn a_world_is_all_regions_of_its_folder() {
    let world = tempfile::tempdir().unwrap();
    std::fs::create_dir(world.path().join("region")).unwrap();
    let palette = [state("minecraft:stone", &[])];
    let one = chunk(Some(Era::Padded), vec![section(Era::Padded, 3, &palette, &[0; 4096])]);
    for name in ["r.0.0.mca", "r.-1.0.mca", "r.-1.-1.mca"] {
        std::fs::write(world.path().join("region").join(name), region([(0, 0, &one)])).unwrap();
    }
    std::fs::write(world.path().join("region/r.5.5.mca"), [0; 100]).unwrap();
    std::fs::write(world.path().join("region/r.6.6.mca"), []).unwrap();
    let mut steps = vec![];
    let imported = crate::exchange::import(world.path(), &mut |done| {
        steps.push(done);
        ignore_progress(done)
    })
    .unwrap();
    assert_eq!((imported.voxels, imported.world.len()), (3 * 4096, 3));
    assert_eq!(imported.bounds.size(), IVec3::new(528, 16, 528));
    assert_eq!(imported.warnings.len(), 1);
    assert!(
        imported.warnings[0]
            .ends_with("r.5.5.mca: header: the file is cut off: 8092 bytes are missing; it is left out"),
        "{:?}",
        imported.warnings
    );
    assert!(steps.is_sorted() && steps.len() > 500 && steps.iter().all(|s| (0.0..=1.0).contains(s)));
}
