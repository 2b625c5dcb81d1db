//! Import of a schematic: detects the format and reads it.

use super::{litematica, mcedit, sponge};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_format::tags;
use crate::progress::Progress;

/// Imports a schematic. Warnings do not name the file.
///
/// # Errors
/// The file is not a schematic, is malformed, holds nothing but air, or is too large; or
/// `progress` cancels.
pub(crate) fn import(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    match detect_format(file)? {
        SchematicFormat::Sponge => sponge::read(file, target, progress),
        SchematicFormat::McEdit => mcedit::read(file, target, progress),
        SchematicFormat::Litematica => litematica::read(file, target, progress),
    }
}

/// Format of a schematic. A file with parts of several formats counts as the last of them in the
/// order of the variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SchematicFormat {
    Sponge,
    McEdit,
    Litematica,
}

/// Detects the format by the names of the entries in the root compound.
fn detect_format(file: &NbtFile) -> Result<SchematicFormat, FormatError> {
    file.check_first_tag("a schematic")?;
    let mut found = None;
    file.walk(&mut |stream, tag, name| {
        let format = match (name, tag) {
            ("Regions", tags::COMPOUND) => Some(SchematicFormat::Litematica),
            ("Blocks", tags::BYTE_ARRAY) => Some(SchematicFormat::McEdit),
            ("Palette" | "Schematic" | "Blocks", tags::COMPOUND)
            | ("BlockData", tags::BYTE_ARRAY) => Some(SchematicFormat::Sponge),
            _ => None,
        };
        found = found.max(format);
        stream.skip(tag)
    })?;
    let reason = "this is not a schematic: it has neither Regions nor Blocks nor a Palette";
    found.ok_or_else(|| FormatError::new("content", reason))
}
