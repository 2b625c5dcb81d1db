//! A small file cannot make the import take much memory.
//!
//! An allocator that counts stands under this whole test program: the import of files that say they hold far more
//! than they do must never have more than a fixed amount allocated at once.

use fastnbt::{Value, nbt};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use stonerun::exchange;

thread_local! {
    // Const and without a destructor, so that touching it never allocates.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed on to the system's allocator as it came; counting touches only numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        MOST.set(MOST.get().max(LIVE.get()));
        // SAFETY: the caller's promise is the system allocator's condition.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        // SAFETY: `at` came from `System` with this layout, through `alloc` above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the import may have allocated at once. A chunk unpacks to 16 MiB at most; growing to that needs as much again.
const MOST_BYTES: isize = 128 << 20;

/// Imports a file of this name, and says the most that was allocated at once.
fn import_file(name: &str, file: &[u8]) -> (Result<u64, String>, isize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, file).unwrap();
    let before = LIVE.get();
    MOST.set(before);
    let imported = exchange::import(&path, &mut exchange::go_on);
    (imported.map(|i| i.voxels).map_err(|e| e.to_string()), MOST.get() - before)
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
    assert!(most < MOST_BYTES, "{what} took {most} bytes");
    imported
}

/// What the import of a small file in one of the other formats may have allocated at once.
const MOST_OF_SMALL: isize = 64 << 20;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

/// An entry of a TIFF's directory: a tag and one long value.
fn tag(tag: u16, value: u32) -> Vec<u8> {
    [&tag.to_le_bytes()[..], &[4, 0, 1, 0, 0, 0], &value.to_le_bytes()].concat()
}

/// A TIFF of this width and height, in strips or tiles, with nothing in it.
fn tiff(width: u32, height: u32, parts: [Vec<u8>; 3]) -> Vec<u8> {
    let mut entries = vec![tag(256, width), tag(257, height), tag(258, 16), tag(259, 8), tag(262, 1)];
    entries.extend(parts);
    entries.sort_by_key(|entry| u16::from_le_bytes([entry[0], entry[1]]));
    [b"II*\0\x08\0\0\0".to_vec(), (entries.len() as u16).to_le_bytes().to_vec(), entries.concat(), vec![0; 4]].concat()
}

#[test]
fn small_files_of_worlds_and_heights_stay_small() {
    let bomb = gzip(&vec![0; 1 << 28]);
    let mut array = vec![10, 0, 0, 7, 0, 10];
    array.extend(b"BlockArray\x7f\xff\xff\xff");
    // As many definitions of blocks as fit, each as small as can be.
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
        ("bomb.cw", bomb.clone(), "unpacks to more than 67108864 bytes"),
        ("bomb.mclevel", bomb, "unpacks to more than 67108864 bytes"),
        ("array.cw", gzip(&array), "the data is cut off"),
        ("many.cw", gzip(&many), "more than 4096 blocks are defined"),
        ("much.mts", schematic([400, 400, 400]), "there is nothing but air"),
        ("huge.mts", schematic([65535, 65535, 65535]), "blocks large; at most"),
        ("huge.png", png, "it is 65535 x 65535 cells large; of a file of "),
        ("huge.tif", tiff(60_000, 60_000, strips()), "it is 60000 x 60000 cells large; of a file of "),
        ("tile.tif", tiff(3300, 3300, [tag(324, 8), tag(322, 1 << 20), tag(323, 1 << 20)]), "TIFF: "),
        ("empty.tif", tiff(3300, 3300, strips()), "TIFF: "),
        ("part.r16", vec![0; 3], "are no square of heights"),
    ] {
        let bound = MOST_OF_SMALL + 16 * file.len() as isize;
        let (imported, most) = import_file(name, &file);
        assert!(most < bound, "{name} took {most} bytes, of {} bytes", file.len());
        assert!(imported.as_ref().is_err_and(|error| error.contains(message)), "{name}: {imported:?}");
    }
}

/// `sections` sections at height 0, each with this content.
fn sections(count: usize, section: &Value) -> Vec<u8> {
    fastnbt::to_bytes(&nbt!({ "Status": "full", "sections": (Value::List(vec![section.clone(); count])) })).unwrap()
}

#[test]
fn what_is_small_stays_small() {
    assert!(import("a bomb", &vec![0; 1 << 30]).unwrap_err().contains("unpacks to more than"));
    let array = |tag: u8| {
        let mut data = vec![10, 0, 0, tag, 0, 6];
        data.extend(b"Blocks\x7f\xff\xff\xff");
        data
    };
    for tag in [7, 11, 12] {
        assert!(import("an array said to be long", &array(tag)).unwrap_err().contains("cut off"));
    }
    // Palettes as dense as they can be, up to what is unpacked at all.
    let entry = nbt!({ "Name": "a" });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry.clone(); 4096])) });
    assert!(import("palettes", &sections(370, &palette)).unwrap_err().contains("4096 kinds of blocks, but no indices"));
    let entry = nbt!({ "Name": "a", "Properties": { "type": "x" } });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry; 4096])) });
    assert!(import("palettes with properties", &sections(110, &palette)).unwrap_err().contains("but no indices"));
    // No properties at all: 25 bytes of data, and the most memory for each of them.
    let entry = nbt!({ "Name": "a", "Properties": {} });
    let palette = nbt!({ "Y": 0i8, "Palette": (Value::List(vec![entry; 4096])) });
    assert!(import("palettes without properties", &sections(163, &palette)).unwrap_err().contains("but no indices"));
    let empty = nbt!({ "Y": 0i8, "Palette": [{ "Name": "a" }] });
    assert_eq!(import("the same section again and again", &sections(4096, &empty)), Ok(4096));
    // What was needed shows that the counter counts.
    assert!(MOST.get() > 0);
}
