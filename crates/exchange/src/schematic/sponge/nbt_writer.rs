//! A writer of NBT data.

use crate::minecraft::nbt_format::tags;
use std::io::{self, Write};

/// Writes NBT data, value by value.
pub(super) struct NbtWriter<W: Write>(W);

impl<W: Write> NbtWriter<W> {
    pub(super) fn new(target: W) -> NbtWriter<W> {
        NbtWriter(target)
    }

    /// Writes the tag and the name of a value. Names are entries of the format or block states, so
    /// they are at most three times 256 bytes of ASCII.
    fn header(&mut self, tag: u8, name: &str) -> io::Result<()> {
        self.0.write_all(&[tag])?;
        self.0.write_all(&(name.len() as u16).to_be_bytes())?;
        self.0.write_all(name.as_bytes())
    }

    /// Starts a compound. [`NbtWriter::end_compound`] must follow its entries.
    pub(super) fn begin_compound(&mut self, name: &str) -> io::Result<()> {
        self.header(tags::COMPOUND, name)
    }

    pub(super) fn end_compound(&mut self) -> io::Result<()> {
        self.0.write_all(&[tags::END])
    }

    pub(super) fn short(&mut self, name: &str, value: u16) -> io::Result<()> {
        self.header(tags::SHORT, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    pub(super) fn int(&mut self, name: &str, value: i32) -> io::Result<()> {
        self.header(tags::INT, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    /// Writes an array of three integers.
    pub(super) fn int_triple(&mut self, name: &str, values: [i32; 3]) -> io::Result<()> {
        self.header(tags::INT_ARRAY, name)?;
        self.0.write_all(&3i32.to_be_bytes())?;
        for value in values {
            self.0.write_all(&value.to_be_bytes())?;
        }
        Ok(())
    }

    /// Starts an array of `length` bytes. The caller must pass exactly that many to
    /// [`NbtWriter::array_bytes`].
    pub(super) fn begin_byte_array(&mut self, name: &str, length: i32) -> io::Result<()> {
        self.header(tags::BYTE_ARRAY, name)?;
        self.0.write_all(&length.to_be_bytes())
    }

    pub(super) fn array_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Writes an empty list of compounds.
    pub(super) fn empty_list(&mut self, name: &str) -> io::Result<()> {
        self.header(tags::LIST, name)?;
        self.0.write_all(&[tags::COMPOUND, 0, 0, 0, 0])
    }

    pub(super) fn into_inner(self) -> W {
        self.0
    }
}
