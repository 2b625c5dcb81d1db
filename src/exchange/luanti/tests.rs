//! What schematics of every version mean, and files that are damaged or made to hurt.

use super::*;
use crate::exchange::ignore_progress;
use crate::exchange::{Imported, chunk_store::in_memory};
use std::io::Write;

/// Imports bytes into memory.
pub(super) fn read(bytes: &[u8], progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| from_bytes(bytes, target, progress))
}

/// A schematic being made: every byte is the test's own, right or wrong.
#[derive(Clone)]
struct Writer {
    version: u16,
    size: [u16; 3],
    layers: Vec<u8>,
    names: Vec<&'static str>,
    contents: Vec<u16>,
    chances: Vec<u8>,
    params: Vec<u8>,
}

impl Writer {
    /// 3 x 2 x 2 nodes of different kinds, in version 4.
    fn new() -> Writer {
        Writer {
            version: 4,
            size: [3, 2, 2],
            layers: vec![127; 2],
            names: vec![
                "air",
                "default:stone",
                "default:dirt",
                "default:water_source",
                "stairs:slab_stone",
                "mod:thing",
            ],
            contents: vec![1, 2, 3, 4, 5, 0, 1, 1, 3, 3, 2, 2],
            chances: vec![127; 12],
            params: vec![0; 12],
        }
    }

    fn head(&self) -> Vec<u8> {
        let mut head = b"MTSM".to_vec();
        for n in [self.version, self.size[0], self.size[1], self.size[2]] {
            head.extend(n.to_be_bytes());
        }
        head.extend(&self.layers);
        head.extend((self.names.len() as u16).to_be_bytes());
        for name in &self.names {
            head.extend((name.len() as u16).to_be_bytes());
            head.extend(name.bytes());
        }
        head
    }

    fn nodes(&self) -> Vec<u8> {
        let contents = self.contents.iter().flat_map(|n| n.to_be_bytes());
        contents.chain(self.chances.iter().copied()).chain(self.params.iter().copied()).collect()
    }

    fn file(&self) -> Vec<u8> {
        let mut packer = flate2::write::ZlibEncoder::new(self.head(), flate2::Compression::none());
        packer.write_all(&self.nodes()).unwrap();
        packer.finish().unwrap()
    }
}

/// Name and occupancy of every voxel in a box that stands at the middle, x fastest, then z, then y.
fn all(imported: &Imported, size: [i32; 3]) -> Vec<(&str, u8)> {
    let [width, height, depth] = size;
    let at = |i: i32| {
        let at = IVec3::new(i % width - width / 2, i / (width * depth), i / width % depth - depth / 2);
        let voxel = imported.world.get(at);
        let name = imported.materials.get(voxel.material()).map_or("not loaded", |m| &*m.name);
        (name, voxel.occupancy())
    };
    (0..width * height * depth).map(at).collect()
}

fn imported(writer: &Writer) -> Imported {
    read(&writer.file(), &mut ignore_progress).unwrap_or_else(|flaw| panic!("{flaw:?}"))
}

fn flaw(file: &[u8]) -> String {
    let error = read(file, &mut ignore_progress).expect_err("the file is bad");
    let (place, reason) = (error.place(), error.reason());
    assert!(!place.is_empty() && !reason.contains(char::is_control), "{place}: {reason}");
    format!("{place}: {reason}")
}

#[test]
fn every_node_has_its_place() {
    // Written z = 0 (Luanti's south) first, in it y = 0 first; here north comes first, and y is outermost.
    let imported = imported(&Writer::new());
    assert_eq!(
        all(&imported, [3, 2, 2]),
        [
            // y = 0, north: z = 1 in the file.
            ("stone", 255),
            ("stone", 255),
            ("water", 223),
            // y = 0, south: z = 0. Water under nothing.
            ("stone", 255),
            ("dirt", 255),
            ("water", 223),
            // y = 1, north.
            ("water", 223),
            ("dirt", 255),
            ("dirt", 255),
            // y = 1, south.
            ("stairs:slab_stone", 127),
            ("mod:thing", 255),
            ("air", 0),
        ]
    );
    assert_eq!((imported.voxels, imported.bounds.size()), (11, IVec3::new(3, 2, 2)));
}

#[test]
fn what_has_no_chance_is_not_placed() {
    let placed = |version: u16, chance: u8| {
        let mut writer = Writer { version, ..Writer::new() };
        if version < 3 {
            writer.layers.clear();
        } else {
            writer.layers = vec![255 >> u8::from(version == 4); 2];
        }
        writer.chances = vec![if version == 4 { 127 } else { 255 }; 12];
        writer.chances[0] = chance;
        imported(&writer).voxels == 11
    };
    // The eighth bit forces the node, and says nothing of its chance.
    assert_eq!([0, 1, 64, 127, 128, 129, 255].map(|c| placed(4, c)), [false, true, true, true, false, true, true]);
    for version in [2, 3] {
        assert_eq!([0, 1, 2, 255].map(|c| placed(version, c)), [false, false, true, true], "{version}");
    }
    assert_eq!([0, 1, 2, 255].map(|c| placed(1, c)), [true, false, true, true]);
    let mut ignored = Writer { version: 1, layers: vec![], chances: vec![0; 12], ..Writer::new() };
    ignored.names[1] = "ignore";
    assert_eq!(imported(&ignored).voxels, 8, "three nodes of that name, and air");
}

#[test]
fn layers_without_a_chance_are_left_out() {
    let mut writer = Writer { layers: vec![0, 127], ..Writer::new() };
    let upper =
        all(&imported(&Writer::new()), [3, 2, 2])[6..].iter().map(|(n, o)| (n.to_string(), *o)).collect::<Vec<_>>();
    let made = imported(&writer);
    let lower: Vec<_> = all(&made, [3, 1, 2]).iter().map(|(n, o)| (n.to_string(), *o)).collect();
    assert_eq!(lower, upper, "the upper layer comes down");
    // What is above water that was left out is not what the water ends at.
    writer.layers = vec![127, 0];
    assert_eq!(imported(&writer).voxels, 6);
    writer.layers = vec![128, 0];
    assert!(flaw(&writer.file()).contains("there is nothing but air"));
}

#[test]
fn flowing_water_and_hanging_slabs() {
    let mut writer = Writer::new();
    writer.names[5] = "default:water_flowing";
    writer.params[4] = 2;
    writer.params[3] = 20;
    let imported = imported(&writer);
    assert_eq!(all(&imported, [3, 2, 2])[9..11], [("stairs:slab_stone", 255), ("water", 95)]);
}

#[test]
fn cut_off_anywhere() {
    let file = Writer::new().file();
    for length in 0..file.len() {
        let cut = read(&file[..length], &mut ignore_progress);
        // The last four bytes are zlib's checksum, which nobody waits for.
        assert!(cut.is_err() || length + 4 >= file.len(), "{length}");
        if let Err(FormatError::Malformed { reason, .. }) = cut {
            let known = ["this is no Luanti schematic", "the file is cut off", "end too early"];
            assert!(known.iter().any(|message| reason.contains(message)), "{length}: {reason}");
        }
    }
}

#[test]
fn any_byte_changed() {
    let file = Writer::new().file();
    for at in 0..file.len() {
        for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80, file[at].wrapping_add(1)] {
            let mut file = file.clone();
            file[at] = with;
            match read(&file, &mut ignore_progress) {
                Ok(imported) => imported.world.chunks().for_each(|(_, chunk)| chunk.check().unwrap()),
                Err(FormatError::Cancelled) => panic!("nothing cancels the import"),
                Err(FormatError::Malformed { place, reason }) => {
                    assert!(!place.is_empty() && reason.len() < 200, "{reason}")
                }
            }
        }
    }
}

#[test]
fn schematics_that_go_wrong() {
    let with = |change: fn(&mut Writer)| {
        let mut writer = Writer::new();
        change(&mut writer);
        writer.file()
    };
    for (file, message) in [
        (b"MTSX".to_vec(), "byte 0: this is no Luanti schematic"),
        (with(|w| w.version = 5), "byte 4: its version is 5; versions 1 to 4 are read"),
        (with(|w| w.version = 0), "byte 4: its version is 0"),
        (with(|w| w.size = [0, 2, 2]), "size: it is 0 x 2 x 2 blocks large"),
        (with(|w| w.size = [65535; 3]), "size: it is 65535 x 65535 x 65535 blocks large"),
        (with(|w| w.size = [4, 2, 2]), "its packed nodes end too early"),
        (with(|w| w.contents[4] = 6), "node (1, 1, 0): it is of kind 6, but there are 6 names"),
        (with(|w| w.names[2] = ""), "name 2: a node's name is 0 bytes long"),
        (Writer::new().head(), "its packed nodes end too early"),
        ([Writer::new().head(), vec![9; 100]].concat(), "its nodes cannot be unpacked"),
    ] {
        let error = flaw(&file);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
    let mut latin = Writer::new().file();
    let at = latin.windows(4).position(|w| w == b"dirt").unwrap();
    latin[at] = 0xE4;
    assert!(flaw(&latin).contains("name 2: it is not UTF-8"));
}

#[test]
fn an_import_can_be_cancelled() {
    let end = |_| std::ops::ControlFlow::Break(());
    let flaw = read(&Writer::new().file(), &mut { end }).unwrap_err();
    assert!(matches!(flaw.in_file(Path::new("a.mts")), ImportError::Cancelled { .. }));
}
