//! Block states in exported files, decoded without the importers.

use fastnbt::Value;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::Path;

/// States of the blocks that are not air, by position.
pub(super) type States = BTreeMap<[i32; 3], String>;

type Compound = HashMap<String, Value>;

fn compound(value: &Value) -> &Compound {
    let Value::Compound(map) = value else { panic!("no compound: {value:?}") };
    map
}

fn list(value: &Value) -> &[Value] {
    let Value::List(list) = value else { panic!("no list: {value:?}") };
    list
}

fn int(value: &Value) -> i32 {
    value.as_i64().unwrap() as i32
}

fn root(bytes: &[u8]) -> Compound {
    compound(&fastnbt::from_bytes::<Value>(bytes).unwrap()).clone()
}

pub(super) fn gzipped(file: &Path) -> Compound {
    let mut bytes = vec![];
    flate2::read::GzDecoder::new(&std::fs::read(file).unwrap()[..])
        .read_to_end(&mut bytes)
        .unwrap();
    root(&bytes)
}

/// The text of a palette entry.
fn state(entry: &Value) -> String {
    let entry = compound(entry);
    let name = entry["Name"].as_str().unwrap();
    let Some(properties) = entry.get("Properties") else { return name.to_owned() };
    let pair = |(name, value): (&String, &Value)| format!("{name}={}", value.as_str().unwrap());
    let mut pairs: Vec<_> = compound(properties).iter().map(pair).collect();
    pairs.sort_unstable();
    format!("{name}[{}]", pairs.join(","))
}

fn number(longs: &[i64], bit: usize, bits: usize) -> usize {
    (0..bits).map(|i| ((longs[(bit + i) / 64] >> ((bit + i) % 64) & 1) as usize) << i).sum()
}

fn insert(states: &mut States, at: [i32; 3], state: &str) {
    if state != "minecraft:air" {
        assert_eq!(states.insert(at, state.to_owned()), None, "{at:?}");
    }
}

/// The states of a Sponge schematic.
pub(super) fn schem(file: &Path) -> States {
    let root = gzipped(file);
    let palette: HashMap<i32, &String> =
        compound(&root["Palette"]).iter().map(|(state, index)| (int(index), state)).collect();
    let [width, length] = ["Width", "Length"].map(|name| int(&root[name]));
    let Value::ByteArray(data) = &root["BlockData"] else { panic!() };
    let mut states = States::new();
    let mut index = 0;
    let mut shift = 0;
    let mut block = 0;
    for &byte in data.iter() {
        index |= i32::from(byte & 127) << shift;
        shift += 7;
        if byte >= 0 {
            let at = [block % width, block / width / length, block / width % length];
            insert(&mut states, at, palette[&index]);
            index = 0;
            shift = 0;
            block += 1;
        }
    }
    states
}

/// The states of the only region of a Litematica schematic.
pub(super) fn litematic(file: &Path) -> States {
    let root = gzipped(file);
    let regions = compound(&root["Regions"]);
    assert_eq!(regions.len(), 1);
    let region = compound(regions.values().next().unwrap());
    let size = compound(&region["Size"]);
    let [x, y, z] = ["x", "y", "z"].map(|axis| int(&size[axis]));
    let palette: Vec<String> = list(&region["BlockStatePalette"]).iter().map(state).collect();
    assert_eq!(palette[0], "minecraft:air", "Litematica counts on it");
    let mut bits = 2;
    while 1 << bits < palette.len() {
        bits += 1;
    }
    let Value::LongArray(longs) = &region["BlockStates"] else { panic!() };
    let blocks = (x * y * z) as usize;
    assert_eq!(longs.len(), (blocks * bits).div_ceil(64));
    let mut states = States::new();
    for block in 0..blocks {
        let i = block as i32;
        let at = [i % x, i / x / z, i / x % z];
        insert(&mut states, at, &palette[number(longs, block * bits, bits)]);
    }
    states
}

/// The chunks of a region file.
pub(super) fn chunks(file: &Path) -> Vec<Compound> {
    let bytes = std::fs::read(file).unwrap();
    assert_eq!(bytes.len() % 4096, 0);
    let mut chunks = vec![];
    for entry in bytes[..4096].chunks_exact(4).filter(|entry| **entry != [0; 4]) {
        let start = u32::from_be_bytes([0, entry[0], entry[1], entry[2]]) as usize * 4096;
        let length = u32::from_be_bytes(bytes[start..start + 4].try_into().unwrap()) as usize;
        assert!(length + 4 <= usize::from(entry[3]) * 4096 && bytes[start + 4] == 2);
        let mut nbt = vec![];
        let packed = &bytes[start + 5..start + 4 + length];
        flate2::read::ZlibDecoder::new(packed).read_to_end(&mut nbt).unwrap();
        chunks.push(root(&nbt));
    }
    chunks
}

/// The states of region files.
pub(super) fn mca(files: &[impl AsRef<Path>]) -> States {
    let mut states = States::new();
    for chunk in files.iter().flat_map(|file| chunks(file.as_ref())) {
        let [x, z] = ["xPos", "zPos"].map(|name| int(&chunk[name]) * 16);
        for section in list(&chunk["sections"]) {
            let section = compound(section);
            let y = int(&section["Y"]) * 16;
            let blocks = compound(&section["block_states"]);
            let palette: Vec<String> = list(&blocks["palette"]).iter().map(state).collect();
            let mut bits = 4;
            while 1 << bits < palette.len() {
                bits += 1;
            }
            let per_long = 64 / bits;
            for block in 0..4096 {
                let index = match blocks.get("data") {
                    None => 0,
                    Some(Value::LongArray(longs)) => {
                        assert_eq!(longs.len(), 4096usize.div_ceil(per_long));
                        number(longs, block / per_long * 64 + block % per_long * bits, bits)
                    }
                    _ => panic!("no long array"),
                };
                let i = block as i32;
                insert(&mut states, [x + i % 16, y + i / 256, z + i / 16 % 16], &palette[index]);
            }
        }
    }
    states
}

/// The states moved to where the lowest coordinates are 0.
pub(super) fn from_corner(states: &States) -> States {
    let low = |axis: usize| states.keys().map(|at| at[axis]).min().unwrap();
    let low = [0, 1, 2].map(low);
    let moved = |at: &[i32; 3]| [at[0] - low[0], at[1] - low[1], at[2] - low[2]];
    states.iter().map(|(at, state)| (moved(at), state.clone())).collect()
}
