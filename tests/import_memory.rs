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

/// Imports a region whose first chunk unpacks to `data`.
fn import(what: &str, data: &[u8]) -> Result<u64, String> {
    let mut packer = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    let packed = packer.finish().unwrap();
    let mut file = vec![0; 8192];
    file[2..4].copy_from_slice(&[2, 1]);
    file.extend((packed.len() as u32).to_be_bytes());
    file.extend(packed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.0.0.mca");
    std::fs::write(&path, file).unwrap();
    let before = LIVE.get();
    MOST.set(before);
    let imported = exchange::import(&path, &mut exchange::go_on);
    let most = MOST.get() - before;
    assert!(most < MOST_BYTES, "{what} took {most} bytes");
    imported.map(|i| i.voxels).map_err(|e| e.to_string())
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
