//! A Minecraft region to import.

#[path = "../../crates/exchange/src/anvil/tests/region_writer.rs"]
mod region_writer;

use region_writer::{PackedChunk, region_file};

/// A region file whose `chunks` are stone from y = -64 up to -32. The chunk `bad` is not NBT.
pub fn region(chunks: &[(usize, usize)], bad: (usize, usize)) -> Vec<u8> {
    let section = |y: i8| {
        let mut section =
            fastnbt::nbt!({ "block_states": { "palette": [{ "Name": "minecraft:stone" }] } });
        let fastnbt::Value::Compound(map) = &mut section else { unreachable!() };
        map.insert("Y".to_owned(), fastnbt::Value::Byte(y));
        section
    };
    let sections = fastnbt::Value::List(vec![section(-4), section(-3)]);
    let chunk =
        fastnbt::to_bytes(&fastnbt::nbt!({ "Status": "minecraft:full", "sections": sections }))
            .unwrap();
    let sound = chunks.iter().map(|&(x, z)| (x, z, PackedChunk::zlib(&chunk)));
    region_file(sound.chain([(bad.0, bad.1, PackedChunk::zlib(b"not NBT"))]))
}
