//! Builder of small region files of every version, sound or damaged.

use super::region_writer::{PackedChunk, region_file};
use fastnbt::{ByteArray, LongArray, Value, nbt};

/// Layout of blocks in a chunk with palettes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockLayout {
    /// 1.13 to 1.15.
    Across,
    /// 1.16 and 1.17.
    Padded,
    /// 1.18 and later.
    Flat,
}

pub(super) const LAYOUTS: [BlockLayout; 3] =
    [BlockLayout::Across, BlockLayout::Padded, BlockLayout::Flat];

/// A palette entry.
pub(super) fn state(name: &str, properties: &[(&str, &str)]) -> Value {
    let mut entry = nbt!({ "Name": name });
    if !properties.is_empty() {
        let Value::Compound(map) = &mut entry else { unreachable!() };
        let properties =
            properties.iter().map(|(k, v)| ((*k).to_owned(), Value::String((*v).to_owned())));
        map.insert("Properties".to_owned(), Value::Compound(properties.collect()));
    }
    entry
}

/// Packs indices through 128-bit integers: a method used neither by the reader nor by the unit
/// tests of `packed_indices`.
fn pack(indices: &[u16], palette: usize, padded: bool) -> LongArray {
    let bits = (usize::BITS - (palette - 1).leading_zeros()).max(4);
    let mut longs = vec![];
    if padded {
        for group in indices.chunks((64 / bits) as usize) {
            longs
                .push(group.iter().rev().fold(0u64, |long, &i| long << bits | u64::from(i)) as i64);
        }
    } else {
        let mut held = 0u128;
        let mut count = 0;
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
pub(super) fn section(layout: BlockLayout, y: i8, palette: &[Value], indices: &[u16]) -> Value {
    let palette_list = Value::List(palette.to_vec());
    let data = Value::LongArray(pack(indices, palette.len(), layout != BlockLayout::Across));
    match layout {
        BlockLayout::Flat if palette.len() == 1 => {
            nbt!({ "Y": y, "block_states": { "palette": palette_list } })
        }
        BlockLayout::Flat => {
            nbt!({ "Y": y, "block_states": { "palette": palette_list, "data": data }, "biomes": {} })
        }
        _ => nbt!({ "Y": y, "Palette": palette_list, "BlockStates": data, "SkyLight": [B; 1, 2] }),
    }
}

/// A section from before 1.13.
pub(super) fn section_of_ids(y: i8, blocks: &[(u16, u8)]) -> Value {
    let nibbles = |nibble: fn(&(u16, u8)) -> u8| {
        ByteArray::new(
            blocks.chunks(2).map(|two| (nibble(&two[0]) | nibble(&two[1]) << 4) as i8).collect(),
        )
    };
    let ids = Value::ByteArray(ByteArray::new(blocks.iter().map(|b| b.0 as i8).collect()));
    let data = Value::ByteArray(nibbles(|b| b.1));
    let add = Value::ByteArray(nibbles(|b| (b.0 >> 8) as u8));
    if blocks.iter().any(|b| b.0 > 255) {
        nbt!({ "Y": y, "Blocks": ids, "Data": data, "Add": add })
    } else {
        nbt!({ "Y": y, "Blocks": ids, "Data": data })
    }
}

/// A finished chunk from before 1.2: y fastest, then z, then x.
pub(super) fn beta_chunk(blocks: &[(u16, u8)]) -> Value {
    let Value::Compound(mut level) = section_of_ids(0, blocks) else { unreachable!() };
    level.remove("Y");
    level.insert("TerrainPopulated".to_owned(), Value::Byte(1));
    level.insert("HeightMap".to_owned(), Value::ByteArray(ByteArray::new(vec![64; 256])));
    nbt!({ "Level": level })
}

/// A finished chunk of these sections.
pub(super) fn chunk(layout: Option<BlockLayout>, sections: Vec<Value>) -> Value {
    let sections = Value::List(sections);
    // Includes entries that the reader skips, as in real files.
    match layout {
        None => {
            nbt!({ "Level": { "xPos": 0, "Sections": sections, "TerrainPopulated": 1i8, "Entities": [] } })
        }
        Some(BlockLayout::Flat) => {
            nbt!({ "DataVersion": 2975, "Status": "minecraft:full", "sections": sections, "yPos": (-4) })
        }
        Some(_) => {
            nbt!({ "DataVersion": 2566, "Level": { "Status": "full", "Sections": sections, "Heightmaps": {} } })
        }
    }
}

/// A region file with these chunks at x, z.
pub(super) fn region<'a>(chunks: impl IntoIterator<Item = (usize, usize, &'a Value)>) -> Vec<u8> {
    region_of_bytes(
        chunks.into_iter().map(|(x, z, chunk)| (x, z, fastnbt::to_bytes(chunk).unwrap())),
    )
}

/// A region file with chunks of any content at x, z, compressed alternately with zlib and gzip.
pub(super) fn region_of_bytes(
    chunks: impl IntoIterator<Item = (usize, usize, Vec<u8>)>,
) -> Vec<u8> {
    region_file(chunks.into_iter().enumerate().map(|(i, (x, z, data))| {
        let packed = if i % 2 == 0 { PackedChunk::zlib(&data) } else { PackedChunk::gzip(&data) };
        (x, z, packed)
    }))
}
