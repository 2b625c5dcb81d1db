//! Neither the import of a small file nor the export of a large world can take much memory.
//!
//! Files that claim to hold far more than they do must never make an import allocate more than a
//! fixed amount at once.

use crate::fuzzing::counting;
use fastnbt::{Value, nbt};
use glam::IVec3;
use std::io::Write;
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};
use stonerun_exchange::schematic::sponge;

/// Maximum peak allocation of a region's import. A chunk unpacks to at most 16 MiB, and growing to
/// that size needs as much again.
const MAX_BYTES: u64 = 128 << 20;

/// Imports a file with this name. Returns the result and the peak allocation.
fn import_file(name: &str, file: &[u8]) -> (Result<u64, String>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, file).unwrap();
    let (imported, most) = counting::most(|| {
        stonerun_exchange::import(&path, &mut stonerun_exchange::ignore_progress)
    });
    (imported.map(|i| i.voxels).map_err(|e| e.to_string()), most)
}

/// Imports a region whose first chunk unpacks to `data`.
fn import(what: &str, data: &[u8]) -> Result<u64, String> {
    let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    let packed = packer.finish().unwrap();
    let mut file = vec![0; 8192];
    file[2..4].copy_from_slice(&[2, 1]);
    file.extend((packed.len() as u32).to_be_bytes());
    file.extend(packed);
    let (imported, most) = import_file("r.0.0.mca", &file);
    assert!(most < MAX_BYTES, "{what} took {most} bytes");
    imported
}

/// Maximum peak allocation for a small file in any other format.
const MAX_BYTES_OF_SMALL_FILE: u64 = 64 << 20;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

/// An entry of a TIFF directory: a tag and one long value.
fn tag(tag: u16, value: u32) -> Vec<u8> {
    [&tag.to_le_bytes()[..], &[4, 0, 1, 0, 0, 0], &value.to_le_bytes()].concat()
}

/// A TIFF of this width and height without data, in strips or tiles.
fn tiff(width: u32, height: u32, parts: [Vec<u8>; 3]) -> Vec<u8> {
    let mut entries =
        vec![tag(256, width), tag(257, height), tag(258, 16), tag(259, 8), tag(262, 1)];
    entries.extend(parts);
    entries.sort_by_key(|entry| u16::from_le_bytes([entry[0], entry[1]]));
    [
        b"II*\0\x08\0\0\0".to_vec(),
        (entries.len() as u16).to_le_bytes().to_vec(),
        entries.concat(),
        vec![0; 4],
    ]
    .concat()
}

#[test]
fn hostile_worlds_and_heights_need_little_memory() {
    // Arrays that worlds of this kind do not have, and arrays that do not match the stated size.
    let bomb = |arrays: [&str; 2]| {
        let mut data = [head(10, "ClassicWorld"), head(1, "FormatVersion"), vec![1]].concat();
        for side in ["X", "Y", "Z"].iter() {
            data.extend([head(2, side), vec![0, 1]].concat());
        }
        for array in arrays {
            data.extend(
                [head(7, array), (1u32 << 27).to_be_bytes().to_vec(), vec![0; 1 << 27]].concat(),
            );
        }
        gzip(&[data, vec![0]].concat())
    };
    let mut array = vec![10, 0, 0, 7, 0, 10];
    array.extend(b"BlockArray\x7f\xff\xff\xff");
    // More block definitions than are read, each as small as possible.
    let many = fastnbt::to_bytes(&nbt!({ "FormatVersion": 1i8, "X": 1i16, "Y": 1i16, "Z": 1i16, "BlockArray": [B; 1],
        "Metadata": { "CPE": { "BlockDefinitions": (Value::Compound((0..1 << 20).map(|i| (format!("Block{i}"), nbt!({ "Name": "" }))).collect())) } } }))
    .unwrap();
    let schematic = |size: [u16; 3]| {
        let mut file = b"MTSM\0\x02".to_vec();
        for n in size {
            file.extend(n.to_be_bytes());
        }
        file.extend(b"\0\x01\0\x03air");
        let mut packer = flate2::write::ZlibEncoder::new(file, flate2::Compression::fast());
        packer.write_all(&vec![0; 1 << 28]).unwrap();
        packer.finish().unwrap()
    };
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x10\0\0\0\0".to_vec();
    png.extend(crc32fast::hash(&png[12..]).to_be_bytes());
    png.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    let strips = || [tag(273, 8), tag(278, 3300), tag(279, 100)];
    for (name, file, message) in [
        (
            "zeros.cw",
            gzip(&vec![0; 1 << 28]),
            "this is not a ClassicWorld file: NBT data begins with 10, not with 0",
        ),
        (
            "bomb.cw",
            bomb(["Junk", "BlockArray"]),
            "BlockArray: it has 134217728 bytes, but the world has 1 blocks",
        ),
        ("bomb.mclevel", bomb(["Blocks", "Data"]), "Width: it is missing"),
        ("array.cw", gzip(&array), "the data is cut off"),
        ("many.cw", gzip(&many), "more than 4096 blocks are defined"),
        ("much.mts", schematic([400, 400, 400]), "there is nothing but air"),
        ("huge.mts", schematic([65535, 65535, 65535]), "blocks large; at most"),
        ("huge.png", png, "it is 65535 x 65535 cells large; of a file of "),
        (
            "huge.tif",
            tiff(60_000, 60_000, strips()),
            "it is 60000 x 60000 cells large; of a file of ",
        ),
        (
            "tile.tif",
            tiff(3300, 3300, [tag(324, 8), tag(322, 1 << 20), tag(323, 1 << 20)]),
            "TIFF: ",
        ),
        ("empty.tif", tiff(3300, 3300, strips()), "TIFF: "),
        ("part.r16", vec![0; 3], "are not a square of heights"),
    ] {
        let bound = MAX_BYTES_OF_SMALL_FILE + 16 * file.len() as u64;
        let (imported, most) = import_file(name, &file);
        assert!(most < bound, "{name} took {most} bytes, of {} bytes", file.len());
        assert!(
            imported.as_ref().is_err_and(|error| error.contains(message)),
            "{name}: {imported:?}"
        );
    }
}

#[test]
fn largest_classic_world_needs_little_memory() {
    // 2^26 blocks, as in the largest worlds of ClassiCube.
    let mut data = [head(10, "ClassicWorld"), head(1, "FormatVersion"), vec![1]].concat();
    for (side, length) in [("X", 512u16), ("Y", 256), ("Z", 512)] {
        data.extend([head(2, side), length.to_be_bytes().to_vec()].concat());
    }
    data.extend([head(7, "BlockArray"), (1u32 << 26).to_be_bytes().to_vec()].concat());
    let blocks = data.len();
    data.resize(blocks + (1 << 26), 0);
    // A floor of stone, a row of water on it, and a block in the last corner.
    data[blocks..blocks + 512 * 512].fill(1);
    data[blocks + 512 * 512..blocks + 512 * 513].fill(9);
    data[blocks + (1 << 26) - 1] = 49;
    data.extend([head(7, "UUID"), 16u32.to_be_bytes().to_vec(), vec![7; 16], vec![0]].concat());
    let file = gzip(&data);
    let (imported, most) = import_file("large.cw", &file);
    assert_eq!(imported, Ok(512 * 513 + 1));
    println!("{most} bytes for {} bytes, which unpack to {}", file.len(), data.len());
    assert!(most < MAX_BYTES_OF_SMALL_FILE + 16 * file.len() as u64, "{most} bytes");
}

/// `count` sections at height 0, each with this content.
fn sections(count: usize, section: &Value) -> Vec<u8> {
    fastnbt::to_bytes(
        &nbt!({ "Status": "full", "sections": (Value::List(vec![section.clone(); count])) }),
    )
    .unwrap()
}

#[test]
fn hostile_regions_need_little_memory() {
    assert!(import("a bomb", &vec![0; 1 << 30]).unwrap_err().contains("unpacks to more than"));
    let array = |tag: u8| {
        let mut data = vec![10, 0, 0, tag, 0, 6];
        data.extend(b"Blocks\x7f\xff\xff\xff");
        data
    };
    for tag in [7, 11, 12] {
        assert!(
            import("an array with a false length", &array(tag)).unwrap_err().contains("cut off")
        );
    }
    // Palettes as dense as possible, up to the limit of unpacked data.
    let entry = nbt!({ "Name": "a" });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry.clone(); 4096])) });
    assert!(
        import("palettes", &sections(370, &palette))
            .unwrap_err()
            .contains("its palette has 4096 entries, but there are no indices")
    );
    let entry = nbt!({ "Name": "a", "Properties": { "type": "x" } });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry; 4096])) });
    assert!(
        import("palettes with properties", &sections(110, &palette))
            .unwrap_err()
            .contains("but there are no indices")
    );
    // Without properties an entry takes 25 bytes of data, and the most memory per byte.
    let entry = nbt!({ "Name": "a", "Properties": {} });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry; 4096])) });
    assert!(
        import("palettes without properties", &sections(163, &palette))
            .unwrap_err()
            .contains("but there are no indices")
    );
    let empty = nbt!({ "Y": 0i8, "Palette": [{ "Name": "a" }] });
    assert_eq!(import("the same section again and again", &sections(4096, &empty)), Ok(4096));
    // Checks that the counter works.
    assert_eq!(counting::most(|| vec![0u8; 1 << 20].len()), (1 << 20, 1 << 20));
}

/// Maximum peak allocation of a schematic's import beyond 16 times the size of the file. The
/// schematic is never held unpacked.
const MAX_BYTES_OF_SCHEMATIC: u64 = 64 << 20;

/// Imports a schematic with the data that `write` produces.
fn schematic(what: &str, name: &str, write: impl FnOnce(&mut dyn Write)) -> Result<u64, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    write(&mut packer);
    packer.finish().unwrap().into_inner().unwrap();
    let most = MAX_BYTES_OF_SCHEMATIC + 16 * std::fs::metadata(&path).unwrap().len() as u64;
    let (imported, taken) = counting::most(|| {
        stonerun_exchange::import(&path, &mut stonerun_exchange::ignore_progress)
    });
    println!("{what}: {taken} of {most} bytes");
    assert!(taken < most, "{what} took {taken} bytes, more than {most}");
    imported.map(|i| i.voxels).map_err(|e| e.to_string())
}

/// The header of an NBT value.
fn head(tag: u8, name: &str) -> Vec<u8> {
    [&[tag][..], &(name.len() as u16).to_be_bytes(), name.as_bytes()].concat()
}

fn int(name: &str, value: i32) -> Vec<u8> {
    [head(3, name), value.to_be_bytes().to_vec()].concat()
}

/// A Sponge schematic of this size, with these kinds of blocks in its palette, and this many bytes
/// of data, all 0.
fn filled(out: &mut dyn Write, size: [i32; 3], kinds: impl Iterator<Item = String>, bytes: i32) {
    let sides = [int("Width", size[0]), int("Height", size[1]), int("Length", size[2])].concat();
    out.write_all(&[head(10, "Schematic"), int("Version", 2), sides, head(10, "Palette")].concat())
        .unwrap();
    for (index, kind) in (0..).zip(kinds) {
        out.write_all(&int(&kind, index)).unwrap();
    }
    out.write_all(&[&[0][..], &head(7, "BlockData"), &bytes.to_be_bytes()].concat()).unwrap();
    let zeros = [0; 1 << 16];
    let mut left = bytes as usize;
    while left > 0 {
        let part = left.min(zeros.len());
        out.write_all(&zeros[..part]).unwrap();
        left -= part;
    }
    out.write_all(&[0]).unwrap();
}

#[test]
fn hostile_schematics_need_little_memory() {
    let air = || std::iter::once("minecraft:air".to_owned());
    let error =
        schematic("a bomb", "a.schem", |out| filled(out, [1; 3], air(), i32::MAX)).unwrap_err();
    assert!(error.contains("size: it unpacks to more than 1073741824 bytes"), "{error}");
    let error =
        schematic("sizes without data", "a.schem", |out| filled(out, [65_535; 3], air(), 1))
            .unwrap_err();
    assert!(error.contains("65535 x 65535 x 65535 blocks do not fit into 1 bytes"), "{error}");
    let error =
        schematic("all of nothing", "a.schem", |out| filled(out, [1 << 9; 3], air(), 1 << 27))
            .unwrap_err();
    assert!(error.contains("there is nothing but air"), "{error}");
    // A million kinds: different blocks, blocks with the longest names, states of one block, and
    // states of a block that makes no materials of them.
    let error = schematic("a million blocks", "a.schem", |out| {
        filled(out, [1; 3], (0..1 << 20).map(|i| format!("mod:{i}")), 1);
    });
    assert!(error.unwrap_err().contains("more than 65535 materials"));
    let error = schematic("long names", "a.schem", |out| {
        filled(out, [1; 3], (0..1 << 20).map(|i| format!("mod:{i:0252}")), 1);
    });
    assert!(error.unwrap_err().contains("more than 65535 materials"));
    let error = schematic("one block's states", "a.schem", |out| {
        filled(out, [1; 3], (0..1 << 20).map(|i| format!("stone[type={i}]")), 1);
    });
    assert!(error.unwrap_err().contains("more than 65535 materials"));
    let water = |count: usize| (0..count).map(|i| format!("water[level={i}]"));
    assert_eq!(
        schematic("levels of water", "a.schem", |out| filled(out, [1; 3], water(1 << 20), 1)),
        Ok(1)
    );
    let error =
        schematic("one level more", "a.schem", |out| filled(out, [1; 3], water((1 << 20) + 1), 1));
    assert!(error.unwrap_err().contains("the palette index 1048576 is not between"));
    // Other formats, where long names are held besides the arrays.
    let long = "x".repeat(65_000);
    let error = schematic("regions with long names", "a.litematic", |out| {
        out.write_all(&[head(10, ""), head(10, "Regions")].concat()).unwrap();
        for _ in 0..1 << 14 {
            out.write_all(&[head(10, &long), vec![0]].concat()).unwrap();
        }
        out.write_all(&[0, 0]).unwrap();
    });
    assert!(error.as_ref().unwrap_err().contains("there is no Position"), "{error:?}");
    let error = schematic("a mapping with long names", "a.schematic", |out| {
        out.write_all(
            &[head(10, ""), head(7, "Blocks"), vec![0; 4], head(10, "SchematicaMapping")].concat(),
        )
        .unwrap();
        for number in 0..4096u16 {
            out.write_all(&[head(2, &long), number.to_be_bytes().to_vec()].concat()).unwrap();
        }
        out.write_all(&[0, 0]).unwrap();
    });
    assert!(
        error.as_ref().unwrap_err().contains("a block's name is 65000 bytes long"),
        "{error:?}"
    );
    let error = schematic("a material spelled in many ways", "a.schem", |out| {
        let size =
            ["Width", "Height", "Length"].map(|side| [head(2, side), vec![0, 1]].concat()).concat();
        out.write_all(
            &[head(10, ""), head(3, "Version"), vec![0, 0, 0, 2], size, head(10, "Palette")]
                .concat(),
        )
        .unwrap();
        for number in 0..400_000u32 {
            let spelled: String =
                (0..19).map(|bit| if number >> bit & 1 == 0 { "a" } else { ".61" }).collect();
            out.write_all(
                &[head(3, &format!("stonerun:{spelled}")), number.to_be_bytes().to_vec()].concat(),
            )
            .unwrap();
        }
        out.write_all(&[vec![0], head(7, "BlockData"), vec![0, 0, 0, 1, 0, 0]].concat()).unwrap();
    });
    assert!(error.as_ref().is_err_and(|error| error.contains("materials")), "{error:?}");
    let error = schematic("an array with a false length", "a.schematic", |out| {
        out.write_all(&[head(10, ""), head(7, "Blocks"), i32::MAX.to_be_bytes().to_vec()].concat())
            .unwrap();
    });
    assert!(error.unwrap_err().contains("the data is cut off"));
}

#[test]
fn export_of_a_large_world_needs_little_memory() {
    let mut world = World::new();
    let materials = MaterialTable::builtin();
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(512, 128, 512) };
    // Every voxel is half full, so every voxel has an occupancy to export.
    for pos in bounds.chunks() {
        world.insert(pos, Chunk::uniform(Voxel::new(1, 127)));
    }
    let write = || {
        sponge::write(
            &world,
            &materials,
            bounds,
            &mut stonerun_exchange::ignore_progress,
            &mut std::io::sink(),
        )
    };
    let (written, taken) = counting::most(write);
    written.unwrap();
    println!("{taken} bytes");
    assert!(taken < 1 << 20, "the export took {taken} bytes");
}
