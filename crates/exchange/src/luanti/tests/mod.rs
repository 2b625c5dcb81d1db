//! Imports of schematics of every version, and of damaged and hostile files.

use super::mts::import as import_bytes;
use crate::chunk_store::{Imported, in_memory};
use crate::error::{FormatError, ImportError};
use crate::progress::{Progress, ignore_progress};
use glam::IVec3;
use std::io::Write;
use std::path::Path;

/// Imports bytes into memory.
fn import(bytes: &[u8], progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| import_bytes(bytes, target, progress))
}

/// Builder of a schematic, sound or damaged.
#[derive(Clone)]
struct MtsBuilder {
    version: u16,
    size: [u16; 3],
    layers: Vec<u8>,
    names: Vec<&'static str>,
    indices: Vec<u16>,
    chances: Vec<u8>,
    param2s: Vec<u8>,
}

impl MtsBuilder {
    /// 3 x 2 x 2 nodes of different types, in version 4.
    fn new() -> MtsBuilder {
        MtsBuilder {
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
            indices: vec![1, 2, 3, 4, 5, 0, 1, 1, 3, 3, 2, 2],
            chances: vec![127; 12],
            param2s: vec![0; 12],
        }
    }

    fn header(&self) -> Vec<u8> {
        let mut header = b"MTSM".to_vec();
        for n in [self.version, self.size[0], self.size[1], self.size[2]] {
            header.extend(n.to_be_bytes());
        }
        header.extend(&self.layers);
        header.extend((self.names.len() as u16).to_be_bytes());
        for name in &self.names {
            header.extend((name.len() as u16).to_be_bytes());
            header.extend(name.bytes());
        }
        header
    }

    fn nodes(&self) -> Vec<u8> {
        let indices = self.indices.iter().flat_map(|n| n.to_be_bytes());
        indices.chain(self.chances.iter().copied()).chain(self.param2s.iter().copied()).collect()
    }

    fn file(&self) -> Vec<u8> {
        let mut packer =
            flate2::write::ZlibEncoder::new(self.header(), flate2::Compression::none());
        packer.write_all(&self.nodes()).unwrap();
        packer.finish().unwrap()
    }
}

/// Names and occupancies of all voxels of a box with its middle at x = z = 0, x fastest, then z,
/// then y.
fn all(imported: &Imported, size: [i32; 3]) -> Vec<(&str, u8)> {
    let [width, height, depth] = size;
    let at = |i: i32| {
        let at =
            IVec3::new(i % width - width / 2, i / (width * depth), i / width % depth - depth / 2);
        let voxel = imported.world.get(at);
        let name = imported.materials.get(voxel.material()).map_or("not loaded", |m| &*m.name);
        (name, voxel.occupancy())
    };
    (0..width * height * depth).map(at).collect()
}

fn imported(builder: &MtsBuilder) -> Imported {
    import(&builder.file(), &mut ignore_progress).unwrap_or_else(|error| panic!("{error}"))
}

fn error_text(file: &[u8]) -> String {
    let error = import(file, &mut ignore_progress).expect_err("the file is bad");
    assert!(!error.place().is_empty() && !error.reason().contains(char::is_control), "{error}");
    error.to_string()
}

#[test]
fn import_reverses_z_and_keeps_every_node() {
    // The file begins with z = 0, Luanti's south; the imported rows begin in the north.
    let imported = imported(&MtsBuilder::new());
    assert_eq!(
        all(&imported, [3, 2, 2]),
        [
            // y = 0 in the north, z = 1 in the file.
            ("stone", 255),
            ("stone", 255),
            ("water", 223),
            // y = 0 in the south, z = 0 in the file; water is under air.
            ("stone", 255),
            ("dirt", 255),
            ("water", 223),
            // y = 1 in the north.
            ("water", 223),
            ("dirt", 255),
            ("dirt", 255),
            // y = 1 in the south.
            ("stairs:slab_stone", 127),
            ("mod:thing", 255),
            ("air", 0),
        ]
    );
    assert_eq!((imported.voxels, imported.bounds.size()), (11, IVec3::new(3, 2, 2)));
}

#[test]
fn node_without_chance_is_not_placed() {
    let placed = |version: u16, chance: u8| {
        let mut builder = MtsBuilder { version, ..MtsBuilder::new() };
        if version < 3 {
            builder.layers.clear();
        } else {
            builder.layers = vec![255 >> u8::from(version == 4); 2];
        }
        builder.chances = vec![if version == 4 { 127 } else { 255 }; 12];
        builder.chances[0] = chance;
        imported(&builder).voxels == 11
    };
    // Bit 7 forces the placement and is not part of the chance.
    assert_eq!(
        [0, 1, 64, 127, 128, 129, 255].map(|c| placed(4, c)),
        [false, true, true, true, false, true, true]
    );
    for version in [2, 3] {
        assert_eq!(
            [0, 1, 2, 255].map(|c| placed(version, c)),
            [false, false, true, true],
            "{version}"
        );
    }
    assert_eq!([0, 1, 2, 255].map(|c| placed(1, c)), [true, false, true, true]);
    let mut ignored =
        MtsBuilder { version: 1, layers: vec![], chances: vec![0; 12], ..MtsBuilder::new() };
    ignored.names[1] = "ignore";
    assert_eq!(imported(&ignored).voxels, 8, "three ignored nodes and one of air");
}

#[test]
fn layer_without_chance_is_left_out() {
    let mut builder = MtsBuilder { layers: vec![0, 127], ..MtsBuilder::new() };
    let upper = all(&imported(&MtsBuilder::new()), [3, 2, 2])[6..]
        .iter()
        .map(|(n, o)| (n.to_string(), *o))
        .collect::<Vec<_>>();
    let made = imported(&builder);
    let lower: Vec<_> = all(&made, [3, 1, 2]).iter().map(|(n, o)| (n.to_string(), *o)).collect();
    assert_eq!(lower, upper, "the upper layer moves down");
    // Only the upper layer is left out.
    builder.layers = vec![127, 0];
    assert_eq!(imported(&builder).voxels, 6);
    builder.layers = vec![128, 0];
    assert!(error_text(&builder.file()).contains("there is nothing but air"));
}

#[test]
fn param2_sets_height_of_flowing_water_and_slabs() {
    let mut builder = MtsBuilder::new();
    builder.names[5] = "default:water_flowing";
    builder.param2s[4] = 2;
    builder.param2s[3] = 20;
    let imported = imported(&builder);
    assert_eq!(all(&imported, [3, 2, 2])[9..11], [("stairs:slab_stone", 255), ("water", 95)]);
}

#[test]
fn losses_and_faults_of_the_end_are_reported() {
    let sound = imported(&MtsBuilder::new());
    assert_eq!((sound.losses.unread, sound.losses.shapes, sound.warnings.len()), (0, 0, 0));
    let mut builder = MtsBuilder::new();
    (builder.param2s[0], builder.param2s[3], builder.chances[1]) = (2, 20, 5);
    let made = imported(&builder);
    assert_eq!((made.losses.unread, made.losses.shapes), (2, 1));
    let warning = "not read: chance of a node, direction or level (param2) of a node";
    assert_eq!(made.warnings, [warning]);
    let file = MtsBuilder::new().file();
    for (file, fault) in [
        (file[..file.len() - 4].to_vec(), "the packed data has no end"),
        ([&file[..], &[0; 3]].concat(), "the packed data is followed by 3 bytes"),
    ] {
        let made = import(&file, &mut ignore_progress).unwrap();
        assert_eq!(
            (made.voxels, made.warnings),
            (sound.voxels, vec![format!("{fault}; its nodes are complete")])
        );
    }
}

#[test]
fn file_truncated_anywhere_is_refused() {
    let file = MtsBuilder::new().file();
    for length in 0..file.len() {
        let result = import(&file[..length], &mut ignore_progress);
        // The last six bytes are the end of the last block and zlib's checksum; without them the
        // nodes are complete.
        assert!(result.is_err() || length + 6 >= file.len(), "{length}");
        assert!(
            result.as_ref().is_ok_and(|made| made.warnings.len() == 1) || result.is_err(),
            "{length}"
        );
        if let Err(error) = result {
            let known = ["this is not a Luanti schematic", "the file is cut off", "end too early"];
            assert!(
                known.iter().any(|message| error.reason().contains(message)),
                "{length}: {error}"
            );
        }
    }
}

#[test]
fn file_with_changed_byte_never_panics() {
    let file = MtsBuilder::new().file();
    for at in 0..file.len() {
        for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80, file[at].wrapping_add(1)] {
            let mut file = file.clone();
            file[at] = with;
            match import(&file, &mut ignore_progress) {
                Ok(imported) => {
                    for (_, chunk) in imported.world.chunks() {
                        chunk.check().unwrap();
                    }
                }
                Err(error) => {
                    assert!(!error.place().is_empty() && error.reason().len() < 200, "{error}")
                }
            }
        }
    }
}

#[test]
fn malformed_schematic_is_refused_with_place_and_reason() {
    let with = |change: fn(&mut MtsBuilder)| {
        let mut builder = MtsBuilder::new();
        change(&mut builder);
        builder.file()
    };
    for (file, message) in [
        (b"MTSX".to_vec(), "byte 0: this is not a Luanti schematic"),
        (with(|w| w.version = 5), "byte 4: its version is 5; versions 1 to 4 are read"),
        (with(|w| w.version = 0), "byte 4: its version is 0"),
        (with(|w| w.size = [0, 2, 2]), "size: it is 0 x 2 x 2 blocks large"),
        (with(|w| w.size = [65535; 3]), "size: it is 65535 x 65535 x 65535 blocks large"),
        (with(|w| w.size = [4, 2, 2]), "its packed nodes end too early"),
        (
            with(|w| w.indices[4] = 6),
            "node (1, 1, 0): it has the name index 6, but there are 6 names",
        ),
        (with(|w| w.names[2] = ""), "name 2: a node's name is 0 bytes long"),
        (MtsBuilder::new().header(), "its packed nodes end too early"),
        ([MtsBuilder::new().header(), vec![9; 100]].concat(), "its nodes cannot be unpacked"),
    ] {
        let error = error_text(&file);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
    let mut latin = MtsBuilder::new().file();
    let at = latin.windows(4).position(|w| w == b"dirt").unwrap();
    latin[at] = 0xE4;
    assert!(error_text(&latin).contains("name 2: it is not UTF-8"));
}

#[test]
fn import_can_be_cancelled() {
    let end = |_| std::ops::ControlFlow::Break(());
    let error = import(&MtsBuilder::new().file(), &mut { end }).unwrap_err();
    assert!(matches!(error.in_file(Path::new("a.mts")), ImportError::Cancelled { .. }));
}
