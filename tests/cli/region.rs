//! A Minecraft region to import.

/// A region file whose `chunks` are stone from y = -64 up to -32; the chunk `bad` is not NBT.
pub fn region(chunks: &[(usize, usize)], bad: (usize, usize)) -> Vec<u8> {
    let section = |y: i8| {
        let mut section = fastnbt::nbt!({ "block_states": { "palette": [{ "Name": "minecraft:stone" }] } });
        let fastnbt::Value::Compound(map) = &mut section else { unreachable!() };
        map.insert("Y".to_owned(), fastnbt::Value::Byte(y));
        section
    };
    let sections = fastnbt::Value::List(vec![section(-4), section(-3)]);
    let chunk = fastnbt::to_bytes(&fastnbt::nbt!({ "Status": "minecraft:full", "sections": sections })).unwrap();
    let mut region = fastanvil::Region::create(std::io::Cursor::new(vec![])).unwrap();
    for &(x, z) in chunks.iter() {
        region.write_chunk(x, z, &chunk).unwrap();
    }
    region.write_chunk(bad.0, bad.1, b"not NBT").unwrap();
    region.into_inner().unwrap().into_inner()
}
