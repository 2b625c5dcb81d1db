//! Imports of any size into a map: memory does not grow with the import, the map equals an import
//! into memory, and a cancelled import leaves no file.
//!
//! SQLite's allocations are counted too. SQLite counts per process, so these tests take turns.

use crate::fuzzing::{counting, import_extensions};
use crate::sqlite_turn;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stonerun_engine::save::{MapFile, SaveError};
use stonerun_exchange::heightmap::HeightmapOptions;
use stonerun_exchange::{ImportError, ImportToMapError, Imported, import_to_map};

/// Maximum memory of a map's index per chunk, in bytes: 40 in a table that doubles, and the
/// positions for the search of a spawn point.
const MAX_INDEX_BYTES_PER_CHUNK: u64 = 200;
/// Allowed difference of memory between two imports, apart from their index, in bytes.
const SLACK: u64 = 2 << 20;
/// Maximum memory of an import, in bytes: chunks that wait to be written, and 8 MiB of SQLite's
/// pages.
const MAX_IMPORT_BYTES: u64 = 40 << 20;

/// Pseudorandom numbers.
fn random(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| {
        i.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ i.wrapping_mul(0xD1B5_4A32_D192_ED03).rotate_left(29)
    })
}

/// A region full of chunks of eight sections, each block one of 16 kinds at random: the worst case
/// for memory and for writing.
fn region() -> Vec<u8> {
    use fastnbt::{LongArray, Value, nbt};
    let palette: Vec<Value> =
        (0..16).map(|i| nbt!({ "Name": (format!("mod:kind_{i}")) })).collect();
    let data = LongArray::new(random(256).map(|long| long as i64).collect());
    let sections = (0..8i8).map(|y| {
        let palette = Value::List(palette.clone());
        let data = Value::LongArray(data.clone());
        nbt!({ "Y": y, "block_states": { "palette": palette, "data": data } })
    });
    let chunk = nbt!({ "Status": "full", "sections": (Value::List(sections.collect())) });
    let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::fast());
    packer.write_all(&fastnbt::to_bytes(&chunk).unwrap()).unwrap();
    let packed = packer.finish().unwrap();
    let sectors = (packed.len() + 4).div_ceil(4096);
    let mut file = vec![0; 8192];
    for entry in 0..1024 {
        let place = ((2 + entry * sectors) << 8 | sectors) as u32;
        file[entry * 4..entry * 4 + 4].copy_from_slice(&place.to_be_bytes());
        file.extend((packed.len() as u32).to_be_bytes());
        file.extend(&packed);
        file.resize(8192 + (entry + 1) * sectors * 4096, 0);
    }
    file
}

/// A world folder with `regions` copies of [`region`].
fn world(folder: &Path, regions: usize) -> PathBuf {
    let world = folder.join(format!("world_{regions}"));
    std::fs::create_dir_all(world.join("region")).unwrap();
    let region = region();
    for x in 0..regions {
        std::fs::write(world.join(format!("region/r.{x}.0.mca")), &region).unwrap();
    }
    world
}

/// A square of raw heights that is as rough as possible.
fn heights(folder: &Path, side: usize) -> PathBuf {
    let path = folder.join(format!("{side}.r16"));
    let height = |i: usize| (i % side + i / side) as u16 % 2 * 380;
    std::fs::write(
        &path,
        (0..side * side).flat_map(|i| height(i).to_le_bytes()).collect::<Vec<u8>>(),
    )
    .unwrap();
    path
}

/// Heap memory of an import's chunks, in bytes.
fn held(imported: &Imported) -> u64 {
    imported.world.chunks().map(|(_, chunk)| chunk.heap_bytes() as u64).sum()
}

/// Imports into a map. Returns the peak memory and the number of chunks.
fn taken(source: &Path, map: &Path) -> (u64, u64) {
    let (made, most) = counting::most_with_sqlite(|| {
        import_to_map(
            source,
            map,
            HeightmapOptions::default(),
            &mut stonerun_exchange::ignore_progress,
        )
        .unwrap()
    });
    assert!(made.voxels > 0 && made.warnings.is_empty());
    let chunks = MapFile::open_read_only(map).unwrap().map.positions().len() as u64;
    println!("{}: {most} bytes for {chunks} chunks", source.display());
    (most, chunks)
}

#[test]
fn world_import_memory_is_independent_of_its_size() {
    let _turn = sqlite_turn();
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = [1, 2, 3].map(|regions| world(folder.path(), regions));
    // One region fills a batch, so holding more regions would show. Two regions also fill SQLite's
    // pages.
    let held =
        held(&stonerun_exchange::import(&one, &mut stonerun_exchange::ignore_progress).unwrap());
    assert!(held > 17 << 20, "{held} bytes");
    let (most, _) = taken(&two, &folder.path().join("two.stonerun"));
    let (most_of_three, chunks) = taken(&three, &folder.path().join("three.stonerun"));
    assert_eq!(chunks, 3 * 256 * 4);
    assert!(
        most_of_three < most + SLACK + MAX_INDEX_BYTES_PER_CHUNK * chunks,
        "{most_of_three} bytes, of two regions {most}"
    );
    assert!(most_of_three < MAX_IMPORT_BYTES, "{most_of_three} bytes");
}

#[test]
fn height_import_memory_is_independent_of_its_size() {
    let _turn = sqlite_turn();
    let folder = tempfile::tempdir().unwrap();
    let small = heights(folder.path(), 320);
    let large = heights(folder.path(), 416);
    let held =
        held(&stonerun_exchange::import(&small, &mut stonerun_exchange::ignore_progress).unwrap());
    assert!(held > 17 << 20, "{held} bytes");
    // The heights themselves are in memory, at four bytes each.
    let (most, _) = taken(&small, &folder.path().join("small.stonerun"));
    let (most_of_large, chunks) = taken(&large, &folder.path().join("large.stonerun"));
    let allowance = 4 * (416 * 416 - 320 * 320) + SLACK + MAX_INDEX_BYTES_PER_CHUNK * chunks;
    assert!(most_of_large < most + allowance, "{most_of_large} bytes, of a smaller one {most}");
    assert!(most_of_large < MAX_IMPORT_BYTES, "{most_of_large} bytes");
}

/// A `.vox` file of models of 128 x 128 x 128 voxels in a row, each of a single colour.
fn models(folder: &Path, count: usize) -> PathBuf {
    let path = folder.join(format!("{count}.vox"));
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let chunk =
        |id: &[u8; 4], length: usize| [&id[..], &(length as u32).to_le_bytes(), &[0; 4]].concat();
    let voxels = 128usize.pow(3);
    let model =
        [chunk(b"SIZE", 12), 128u32.to_le_bytes().repeat(3), chunk(b"XYZI", 4 + 4 * voxels)]
            .concat();
    let children = count * (model.len() + 4 + 4 * voxels);
    file.write_all(b"VOX \x96\0\0\0MAIN\0\0\0\0").unwrap();
    file.write_all(&(children as u32).to_le_bytes()).unwrap();
    for colour in 1..=count {
        file.write_all(&[&model[..], &(voxels as u32).to_le_bytes()].concat()).unwrap();
        for at in 0..voxels {
            let [x, y, z] = [at & 127, at >> 7 & 127, at >> 14].map(|part| part as u8);
            file.write_all(&[x, y, z, colour as u8]).unwrap();
        }
    }
    file.flush().unwrap();
    path
}

#[test]
fn vox_import_memory_is_independent_of_the_file() {
    let _turn = sqlite_turn();
    let folder = tempfile::tempdir().unwrap();
    let path = models(folder.path(), 10);
    let bytes = path.metadata().unwrap().len();
    assert!(bytes > 80 << 20);
    let (most, chunks) = taken(&path, &folder.path().join("models.stonerun"));
    // Ten models, one voxel apart and centred, fill 42 chunks along x.
    assert_eq!(chunks, 42 * 4 * 4);
    // Memory of layers of chunks that wait to be merged (48 MiB), and of SQLite's pages.
    assert!(most < 72 << 20, "{most} bytes for a file of {bytes}");
}

/// Asserts that the chunks and materials of a map equal an import into memory.
fn check_same(source: &Path, map: &Path) {
    let Imported { world, materials, bounds, voxels, unfinished, losses, warnings } =
        stonerun_exchange::import(source, &mut stonerun_exchange::ignore_progress).unwrap();
    let made = import_to_map(
        source,
        map,
        HeightmapOptions::default(),
        &mut stonerun_exchange::ignore_progress,
    )
    .unwrap();
    assert_eq!((made.bounds, made.voxels), (bounds, voxels), "{}", source.display());
    assert_eq!((made.unfinished, made.losses, made.warnings), (unfinished, losses, warnings));
    let opened = MapFile::open_read_only(map).unwrap();
    assert!(opened.damage.is_none());
    let mut positions: Vec<_> = world.chunks().map(|(pos, _)| pos).collect();
    positions.sort_unstable();
    assert_eq!(opened.map.positions(), positions, "{}", source.display());
    for (pos, chunk) in world.chunks() {
        assert_eq!(
            opened.map.load(pos).unwrap().as_ref(),
            Some(chunk),
            "{} {pos}",
            source.display()
        );
    }
    let names = |table: &stonerun_engine::voxel::MaterialTable| {
        table.iter().map(|(_, material)| material.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(opened.map.materials()), names(&materials));
}

#[test]
fn import_into_a_map_equals_import_into_memory() {
    let _turn = sqlite_turn();
    let folder = tempfile::tempdir().unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for kind in import_extensions() {
        let mut same = 0;
        for entry in std::fs::read_dir(corpus.join(kind)).unwrap() {
            let file = entry.unwrap().path();
            let source = folder
                .path()
                .join(format!("{}.{kind}", file.file_name().unwrap().to_string_lossy()));
            std::fs::copy(&file, &source).unwrap();
            if stonerun_exchange::import(&source, &mut stonerun_exchange::ignore_progress).is_ok() {
                check_same(&source, &source.with_extension(format!("{kind}.stonerun")));
                same += 1;
            }
        }
        assert!(same > 0, "no {kind} was imported");
    }
    // A world of many batches with many chunks each.
    check_same(&world(folder.path(), 1), &folder.path().join("world.stonerun"));
}

#[test]
fn cancelled_import_leaves_nothing() {
    let _turn = sqlite_turn();
    let sources = tempfile::tempdir().unwrap();
    let maps = tempfile::tempdir().unwrap();
    let names = || {
        std::fs::read_dir(maps.path()).unwrap().map(|e| e.unwrap().file_name()).collect::<Vec<_>>()
    };
    let source = world(sources.path(), 1);
    let map = maps.path().join("a.stonerun");
    // Cancelled at the beginning, after a batch, and after the last chunk.
    for end in [0.0, 0.9, 1.0] {
        let mut seen = vec![];
        let given_up = import_to_map(&source, &map, HeightmapOptions::default(), &mut |done| {
            seen = names();
            if done < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(
            matches!(given_up, Err(ImportToMapError::Import(ImportError::Cancelled { .. }))),
            "{given_up:?}"
        );
        assert!(seen.iter().any(|name| name == "a.stonerun.unfinished"), "{seen:?}");
        assert_eq!(names(), Vec::<std::ffi::OsString>::new(), "cancelled at {end}");
    }
    // Unreadable sources and invalid targets leave no file either.
    let bad = sources.path().join("bad.vox");
    std::fs::write(&bad, "no model").unwrap();
    import_to_map(&bad, &map, HeightmapOptions::default(), &mut stonerun_exchange::ignore_progress)
        .unwrap_err();
    assert_eq!(names(), Vec::<std::ffi::OsString>::new());
    std::fs::write(&map, "somebody's").unwrap();
    let taken = import_to_map(
        &source,
        &map,
        HeightmapOptions::default(),
        &mut stonerun_exchange::ignore_progress,
    );
    assert!(matches!(taken, Err(ImportToMapError::Save(SaveError::Exists { .. }))));
    assert_eq!((names().len(), std::fs::read(&map).unwrap()), (1, b"somebody's".to_vec()));
}
