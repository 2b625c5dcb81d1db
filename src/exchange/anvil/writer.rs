//! Makes small region files for the tests, of every version, right or wrong.
//!
//! The container is written by `fastanvil`, so that ours is read against another's idea of it.

use fastanvil::{CompressionScheme, Region};
use fastnbt::{ByteArray, LongArray, Value, nbt};
use std::io::{Cursor, Write};

/// A version's way of writing blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Era {
    /// 1.13 to 1.15.
    Across,
    /// 1.16 and 1.17.
    Padded,
    /// 1.18 and later.
    Flat,
}

pub(super) const ERAS: [Era; 3] = [Era::Across, Era::Padded, Era::Flat];

/// A palette entry.
pub(super) fn state(name: &str, properties: &[(&str, &str)]) -> Value {
    let mut entry = nbt!({ "Name": name });
    if !properties.is_empty() {
        let Value::Compound(map) = &mut entry else { unreachable!() };
        let properties = properties.iter().map(|(k, v)| ((*k).to_owned(), Value::String((*v).to_owned())));
        map.insert("Properties".to_owned(), Value::Compound(properties.collect()));
    }
    entry
}

/// Indices packed by numbers of 128 bits: another way than the program's and than the bits of `chunk`'s test.
pub(super) fn packed(indices: &[u16], kinds: usize, padded: bool) -> LongArray {
    let bits = (usize::BITS - (kinds - 1).leading_zeros()).max(4);
    let mut longs = vec![];
    if padded {
        for group in indices.chunks((64 / bits) as usize) {
            longs.push(group.iter().rev().fold(0u64, |long, &i| long << bits | u64::from(i)) as i64);
        }
    } else {
        let (mut held, mut count) = (0u128, 0);
        for &index in indices {
            held |= u128::from(index) << count;
            count += bits;
            if count >= 64 {
                longs.push(held as u64 as i64);
                held >>= 64;
                count -= 64;
            }
        }
    }
    LongArray::new(longs)
}

/// A section with a palette.
pub(super) fn section(era: Era, y: i8, palette: &[Value], indices: &[u16]) -> Value {
    let palette_list = Value::List(palette.to_vec());
    let data = Value::LongArray(packed(indices, palette.len(), era != Era::Across));
    match era {
        Era::Flat if palette.len() == 1 => nbt!({ "Y": y, "block_states": { "palette": palette_list } }),
        Era::Flat => nbt!({ "Y": y, "block_states": { "palette": palette_list, "data": data }, "biomes": {} }),
        _ => nbt!({ "Y": y, "Palette": palette_list, "BlockStates": data, "SkyLight": [B; 1, 2] }),
    }
}

/// A section before 1.13.
pub(super) fn numbered(y: i8, blocks: &[(u16, u8)]) -> Value {
    let nibbles = |of: fn(&(u16, u8)) -> u8| {
        ByteArray::new(blocks.chunks(2).map(|two| (of(&two[0]) | of(&two[1]) << 4) as i8).collect())
    };
    let ids = Value::ByteArray(ByteArray::new(blocks.iter().map(|b| b.0 as i8).collect()));
    let (data, add) = (Value::ByteArray(nibbles(|b| b.1)), Value::ByteArray(nibbles(|b| (b.0 >> 8) as u8)));
    match blocks.iter().any(|b| b.0 > 255) {
        true => nbt!({ "Y": y, "Blocks": ids, "Data": data, "Add": add }),
        false => nbt!({ "Y": y, "Blocks": ids, "Data": data }),
    }
}

/// A finished chunk before there were sections: x slowest, then z, then y.
pub(super) fn old(blocks: &[(u16, u8)]) -> Value {
    let Value::Compound(mut level) = numbered(0, blocks) else { unreachable!() };
    level.remove("Y");
    level.insert("TerrainPopulated".to_owned(), Value::Byte(1));
    level.insert("HeightMap".to_owned(), Value::ByteArray(ByteArray::new(vec![64; 256])));
    nbt!({ "Level": level })
}

/// A finished chunk of these sections.
pub(super) fn chunk(era: Option<Era>, sections: Vec<Value>) -> Value {
    let sections = Value::List(sections);
    // What nobody reads is there too, as in real files.
    match era {
        None => nbt!({ "Level": { "xPos": 0, "Sections": sections, "TerrainPopulated": 1i8, "Entities": [] } }),
        Some(Era::Flat) => {
            nbt!({ "DataVersion": 2975, "Status": "minecraft:full", "sections": sections, "yPos": (-4) })
        }
        Some(_) => nbt!({ "DataVersion": 2566, "Level": { "Status": "full", "Sections": sections, "Heightmaps": {} } }),
    }
}

/// A region file of these chunks.
pub(super) fn region<'a>(chunks: impl IntoIterator<Item = (usize, usize, &'a Value)>) -> Vec<u8> {
    region_of_bytes(chunks.into_iter().map(|(x, z, chunk)| (x, z, fastnbt::to_bytes(chunk).unwrap())))
}

/// A region file of chunks with any content.
pub(super) fn region_of_bytes(chunks: impl IntoIterator<Item = (usize, usize, Vec<u8>)>) -> Vec<u8> {
    let mut region = Region::create(Cursor::new(vec![])).unwrap();
    for (i, (x, z, data)) in chunks.into_iter().enumerate() {
        if i % 2 == 0 {
            region.write_chunk(x, z, &data).unwrap();
        } else {
            let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
            gzip.write_all(&data).unwrap();
            region.write_compressed_chunk(x, z, CompressionScheme::Gzip, &gzip.finish().unwrap()).unwrap();
        }
    }
    region.into_inner().unwrap().into_inner()
}
