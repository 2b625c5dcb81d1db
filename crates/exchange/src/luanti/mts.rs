//! The `.mts` file: header, names and packed nodes.

use super::node_arrays::{NodeArrays, is_placed};
use super::node_types::{NodeType, NodeTypeError};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::block_mapper::BlockMapper;
use crate::progress::Progress;
use crate::voxel_box::VoxelBox;
use glam::I64Vec3;

/// Largest file that is read, in bytes. Real schematics have a few thousand bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 64 << 20;
/// Newest version that is read.
const MAX_VERSION: u16 = 4;

/// Reads the part of a file that is not packed.
struct HeaderReader<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte to read.
    offset: usize,
}

impl<'a> HeaderReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let rest = &self.bytes[self.offset..];
        let truncated = || {
            let missing = count - rest.len();
            let reason = format!("the file is cut off: {missing} bytes are missing");
            FormatError::new(format!("byte {}", self.offset), reason)
        };
        let taken = rest.get(..count).ok_or_else(truncated)?;
        self.offset += count;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u16, FormatError> {
        self.take(2).map(|two| u16::from_be_bytes([two[0], two[1]]))
    }
}

/// Imports the bytes of a `.mts` file. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or too large, or holds nothing but air; or `progress` cancels.
pub(crate) fn import(
    bytes: &[u8],
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    if !bytes.starts_with(b"MTSM") {
        return Err(FormatError::new(
            "byte 0",
            "this is not a Luanti schematic: it does not begin with MTSM",
        ));
    }
    let mut header = HeaderReader { bytes, offset: 4 };
    let version = header.number()?;
    if !(1..=MAX_VERSION).contains(&version) {
        let reason = format!("its version is {version}; versions 1 to {MAX_VERSION} are read");
        return Err(FormatError::new("byte 4", reason));
    }
    let [x, y, z] = [header.number()?, header.number()?, header.number()?].map(i64::from);
    let mut voxels = VoxelBox::new(I64Vec3::new(x, y, z), target)?;
    let layers = match version {
        3.. => header.take(y as usize)?.iter().map(|chance| is_placed(*chance, version)).collect(),
        _ => vec![true; y as usize],
    };
    let mut blocks = BlockMapper::new();
    let mut types = Vec::new();
    // Bounded: each name takes at least two bytes of the file.
    for i in 0..header.number()? {
        let length = header.number()?;
        let name = header.take(usize::from(length))?;
        let bad_name =
            |error: NodeTypeError| FormatError::new(format!("name {i}"), error.to_string());
        let name = std::str::from_utf8(name).map_err(|_| bad_name(NodeTypeError::NotUtf8))?;
        types.push(NodeType::new(name, &mut blocks).map_err(bad_name)?);
    }
    let nodes = NodeArrays {
        version,
        layers,
        types,
        packed: &bytes[header.offset..],
        offset: header.offset,
    };
    let losses = nodes.place(&mut voxels, &blocks, progress)?;
    blocks.unread.note("direction or level (param2) of a node", losses.param2s);
    blocks.unread.note("chance of a node", losses.chances);
    let mut summary = voxels.finish_blocks(blocks)?;
    summary.losses += ImportLosses { shapes: losses.shapes, ..ImportLosses::default() };
    summary
        .warnings
        .extend(losses.end_fault.map(|fault| format!("{fault}; its nodes are complete")));
    Ok(summary)
}
