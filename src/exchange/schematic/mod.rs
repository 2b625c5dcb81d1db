//! Minecraft schematics: Sponge `.schem`, MCEdit and WorldEdit `.schematic`, Litematica `.litematic`.
//!
//! All are gzipped NBT data, and what tells them apart is inside, so the extension is not asked: early Sponge schematics
//! are called `.schematic` too. A schematic of a few hundred kilobytes may unpack to hundreds of megabytes, and says
//! only behind its blocks how large it is; so it is unpacked twice, and never held: once to find what is where
//! (`stream`), once to take the blocks out.
//!
//! Axes are Minecraft's, which are ours: x east, y up, z south, and in that order (x fastest, then z, then y) the blocks lie
//! in all three. Block entities, entities and biomes are passed over. [`sponge::write`] is the way back.

mod litematica;
mod mcedit;
pub mod sponge;
mod stream;

use super::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, bounded_read};
use glam::I64Vec3;
use std::path::Path;
use stream::{Packed, Stream, tags};

/// The largest file read, packed. Most are below one megabyte.
const MOST_PACKED: u64 = 128 << 20;
/// The most kinds of blocks.
const MOST_KINDS: usize = 1 << 20;

/// Imports a schematic.
///
/// # Errors
/// The file cannot be read, is no schematic, is malformed, holds nothing but air, or is too large; or it was cancelled.
pub(super) fn import(path: &Path, target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, ImportError> {
    let bytes = bounded_read::read_whole(path, MOST_PACKED)?;
    from_bytes(bytes, target, progress).map_err(|flaw| flaw.in_file(path))
}

fn from_bytes(bytes: Vec<u8>, target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, FormatError> {
    let packed = Packed::new(bytes);
    match format(&packed)? {
        Format::Sponge => sponge::read(&packed, target, progress),
        Format::McEdit => mcedit::read(&packed, target, progress),
        Format::Litematica => litematica::read(&packed, target, progress),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Format {
    Sponge,
    McEdit,
    Litematica,
}

/// What the names of its parts say it is.
fn format(packed: &Packed) -> Result<Format, FormatError> {
    let mut found = None;
    packed.walk(&mut |stream, tag, name| {
        let format = match (name, tag) {
            ("Regions", tags::COMPOUND) => Some(Format::Litematica),
            ("Blocks", tags::BYTES) => Some(Format::McEdit),
            ("Palette" | "Schematic", tags::COMPOUND) | ("BlockData", tags::BYTES) => Some(Format::Sponge),
            _ => None,
        };
        found = found.max(format);
        stream.skip(tag)
    })?;
    let none = "this is no schematic: there are neither Regions nor Blocks nor a Palette in it";
    found.ok_or_else(|| FormatError::new("content", none))
}

/// Width, Height and Length, which stand at the end as well as at the beginning.
#[derive(Default)]
struct Sides([Option<i64>; 3]);

impl Sides {
    /// Reads the entry if it is a side; says whether it was.
    fn entry(&mut self, stream: &mut Stream, tag: u8, name: &str) -> Result<bool, FormatError> {
        let axis = match name {
            "Width" => 0,
            "Height" => 1,
            "Length" => 2,
            _ => return Ok(false),
        };
        // A short is unsigned here, against NBT's custom.
        let side = match stream.number(tag)? {
            short if tag == tags::SHORT => i64::from(short as u16),
            side => side,
        };
        self.0[axis] = Some(side);
        Ok(true)
    }

    /// The size in blocks: x, y, z.
    fn size(&self) -> Result<I64Vec3, FormatError> {
        let [x, y, z] = [(0, "Width"), (1, "Height"), (2, "Length")]
            .map(|(axis, name)| self.0[axis].ok_or_else(|| FormatError::new("size", format!("there is no {name}"))));
        Ok(I64Vec3::new(x?, y?, z?))
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod real;
#[cfg(test)]
mod tests;
