//! A writer of NBT data.

use super::block_state::BlockState;
use super::nbt_format::tags;
use std::io::{self, Write};

/// Writes NBT data, value by value.
pub(crate) struct NbtWriter<W: Write>(W);

impl<W: Write> NbtWriter<W> {
    pub(crate) fn new(target: W) -> NbtWriter<W> {
        NbtWriter(target)
    }

    /// Writes the tag and the name of a value.
    fn header(&mut self, tag: u8, name: &str) -> io::Result<()> {
        self.0.write_all(&[tag])?;
        self.text(name)
    }

    /// Writes the content of a string, which has at most 64 KiB: names of the format, block states,
    /// and names of files.
    fn text(&mut self, text: &str) -> io::Result<()> {
        let bytes = java_utf8(text);
        self.0.write_all(&(bytes.len() as u16).to_be_bytes())?;
        self.0.write_all(&bytes)
    }

    /// Starts a compound. [`NbtWriter::end_compound`] must follow its entries.
    pub(crate) fn begin_compound(&mut self, name: &str) -> io::Result<()> {
        self.header(tags::COMPOUND, name)
    }

    /// Ends a compound, also one that is an element of a list.
    pub(crate) fn end_compound(&mut self) -> io::Result<()> {
        self.0.write_all(&[tags::END])
    }

    pub(crate) fn byte(&mut self, name: &str, value: i8) -> io::Result<()> {
        self.header(tags::BYTE, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    pub(crate) fn short(&mut self, name: &str, value: u16) -> io::Result<()> {
        self.header(tags::SHORT, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    pub(crate) fn int(&mut self, name: &str, value: i32) -> io::Result<()> {
        self.header(tags::INT, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    pub(crate) fn long(&mut self, name: &str, value: i64) -> io::Result<()> {
        self.header(tags::LONG, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    pub(crate) fn string(&mut self, name: &str, value: &str) -> io::Result<()> {
        self.header(tags::STRING, name)?;
        self.text(value)
    }

    /// Writes an array of three integers.
    pub(crate) fn int_triple(&mut self, name: &str, values: [i32; 3]) -> io::Result<()> {
        self.header(tags::INT_ARRAY, name)?;
        self.0.write_all(&3i32.to_be_bytes())?;
        for value in values {
            self.0.write_all(&value.to_be_bytes())?;
        }
        Ok(())
    }

    /// Starts an array of `length` bytes. The caller must pass exactly that many to
    /// [`NbtWriter::array_bytes`].
    pub(crate) fn begin_byte_array(&mut self, name: &str, length: i32) -> io::Result<()> {
        self.header(tags::BYTE_ARRAY, name)?;
        self.0.write_all(&length.to_be_bytes())
    }

    /// Starts an array of `length` longs. The caller must pass exactly that many to
    /// [`NbtWriter::array_long`].
    pub(crate) fn begin_long_array(&mut self, name: &str, length: i32) -> io::Result<()> {
        self.header(tags::LONG_ARRAY, name)?;
        self.0.write_all(&length.to_be_bytes())
    }

    pub(crate) fn array_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    pub(crate) fn array_long(&mut self, long: u64) -> io::Result<()> {
        self.0.write_all(&long.to_be_bytes())
    }

    /// Starts a list of `length` compounds, which have no names. The entries of each and
    /// [`NbtWriter::end_compound`] must follow.
    pub(crate) fn begin_compounds(&mut self, name: &str, length: i32) -> io::Result<()> {
        self.header(tags::LIST, name)?;
        self.0.write_all(&[tags::COMPOUND])?;
        self.0.write_all(&length.to_be_bytes())
    }

    /// Writes an element of a list: the entry of a palette for a block state, as
    /// `minecraft:oak_log[axis=x]`.
    pub(crate) fn block_state(&mut self, state: &str) -> io::Result<()> {
        let parsed = BlockState::parse(state).map_err(io::Error::other)?;
        self.string("Name", &parsed.name)?;
        let properties = parsed.properties();
        if properties.pairs().next().is_some() {
            self.begin_compound("Properties")?;
            for (name, value) in properties.pairs() {
                self.string(name, value)?;
            }
            self.end_compound()?;
        }
        self.end_compound()
    }

    /// Writes a list of strings.
    pub(crate) fn strings(&mut self, name: &str, values: &[&str]) -> io::Result<()> {
        self.header(tags::LIST, name)?;
        self.0.write_all(&[tags::STRING])?;
        self.0.write_all(&(values.len() as i32).to_be_bytes())?;
        values.iter().try_for_each(|value| self.text(value))
    }

    /// Writes an empty list of compounds.
    pub(crate) fn empty_list(&mut self, name: &str) -> io::Result<()> {
        self.begin_compounds(name, 0)
    }

    pub(crate) fn into_inner(self) -> W {
        self.0
    }
}

/// Text in Java's modified UTF-8: NUL takes two bytes, and characters of four bytes are written as
/// two surrogates of three bytes each.
fn java_utf8(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' => bytes.extend([0xc0, 0x80]),
            '\u{10000}'.. => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let unit = *unit;
                    let [high, middle, low] = [unit >> 12, unit >> 6 & 0x3f, unit & 0x3f];
                    bytes.extend([0xe0 | high as u8, 0x80 | middle as u8, 0x80 | low as u8]);
                }
            }
            _ => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastnbt::{LongArray, Value, nbt};

    #[test]
    fn values_are_read_back_by_another_reader() {
        let mut nbt = NbtWriter::new(vec![]);
        let odd = "Größe \u{1F600}\0 \u{FFFF}";
        let write = |nbt: &mut NbtWriter<Vec<u8>>| -> io::Result<()> {
            nbt.begin_compound("")?;
            nbt.byte("byte", -4)?;
            nbt.short("short", 7)?;
            nbt.int("int", -70_000)?;
            nbt.long("long", i64::MIN)?;
            nbt.string("string", odd)?;
            nbt.string(odd, "")?;
            nbt.begin_long_array("longs", 2)?;
            nbt.array_long(1)?;
            nbt.array_long(u64::MAX)?;
            nbt.begin_compounds("compounds", 2)?;
            nbt.end_compound()?;
            nbt.int("x", 1)?;
            nbt.end_compound()?;
            nbt.strings("strings", &["a", ""])?;
            nbt.empty_list("empty")?;
            nbt.end_compound()
        };
        write(&mut nbt).unwrap();
        let longs = Value::LongArray(LongArray::new(vec![1, -1]));
        let mut expected = nbt!({
            "byte": (-4i8), "short": 7i16, "int": (-70_000), "long": (i64::MIN), "string": odd, "longs": longs,
            "compounds": [{}, { "x": 1 }], "strings": ["a", ""], "empty": [],
        });
        let Value::Compound(map) = &mut expected else { unreachable!() };
        map.insert(odd.to_owned(), Value::String(String::new()));
        assert_eq!(fastnbt::from_bytes::<Value>(&nbt.into_inner()).unwrap(), expected);
    }
}
