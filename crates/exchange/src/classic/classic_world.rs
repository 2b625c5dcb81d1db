//! ClassicWorld (`.cw`), written by ClassiCube and compatible servers.
//!
//! Sources: "ClassicWorld file format" of the Minecraft developers' wiki, and ClassiCube's
//! extensions. `BlockArray2` holds the upper eight bits of each number.
//! `Metadata.CPE.BlockDefinitions` defines blocks that Classic does not have, and redefines blocks
//! that it has.

use super::block_definition::{BlockDefinition, DefinitionError, read_definitions};
use super::classic_ids;
use super::level::{BlockKeys, KeyVoxels, check_length, fill, require};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_stream::{ArraySpan, NbtStream};
use crate::progress::Progress;
use crate::voxel_box::VoxelBox;
use glam::I64Vec3;
use stonerun_engine::voxel::{Material, Voxel};

/// The parts of a file, found by the first pass over it.
#[derive(Default)]
struct WorldParts {
    version: Option<i64>,
    /// x, y, z.
    sides: [Option<i64>; 3],
    blocks: Option<ArraySpan>,
    upper_bits: Option<ArraySpan>,
    definitions: Vec<BlockDefinition>,
}

impl WorldParts {
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "FormatVersion" => self.version = Some(stream.integer(tag)?),
            // Unsigned shorts.
            "X" => self.sides[0] = Some(stream.integer(tag)? & 0xFFFF),
            "Y" => self.sides[1] = Some(stream.integer(tag)? & 0xFFFF),
            "Z" => self.sides[2] = Some(stream.integer(tag)? & 0xFFFF),
            "BlockArray" => self.blocks = Some(stream.byte_array(tag)?),
            "BlockArray2" => self.upper_bits = Some(stream.byte_array(tag)?),
            "Metadata" => stream.compound(tag, &mut |stream, tag, name| match name {
                // Protocol extensions of the clients.
                "CPE" => stream.compound(tag, &mut |stream, tag, name| match name {
                    "BlockDefinitions" => {
                        read_definitions(stream, tag).map(|list| self.definitions = list)
                    }
                    _ => stream.skip(tag),
                }),
                _ => stream.skip(tag),
            })?,
            _ => stream.skip(tag)?,
        }
        Ok(())
    }
}

/// Imports a `.cw` file. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or too large, or holds nothing but air; or `progress` cancels.
pub(crate) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    file.check_first_tag("a ClassicWorld file")?;
    let mut world = WorldParts::default();
    file.walk(&mut |stream, tag, name| world.read_entry(stream, tag, name))?;
    let version = require("FormatVersion", world.version)?;
    if version != 1 {
        return Err(FormatError::new(
            "FormatVersion",
            format!("its version is {version}; version 1 is read"),
        ));
    }
    let [x, y, z] = world.sides;
    let size = I64Vec3::new(require("X", x)?, require("Y", y)?, require("Z", z)?);
    let voxel_box = VoxelBox::new(size, target)?;
    let first = require("BlockArray", world.blocks)?;
    check_length("BlockArray", first, size)?;
    if let Some(upper) = world.upper_bits {
        check_length("BlockArray2", upper, size)?;
    }
    let keys = BlockKeys {
        file,
        first,
        second: world.upper_bits,
        key: |low, high| u16::from_be_bytes([high, low]),
    };
    // As in the client, the last definition of a number wins, and air cannot be redefined.
    let definition = |id: u16| {
        world.definitions.iter().rev().find(|definition| id > 0 && definition.id() == Some(id))
    };
    // Blocks that the file does not define come first, so that no defined block takes the name of a
    // Classic block.
    let (classic, defined): (Vec<_>, Vec<_>) = keys
        .used(progress)?
        .into_iter()
        .map(|id| (id, definition(id)))
        .partition(|(_, definition)| definition.is_none());
    let mut blocks = BlockMapper::new();
    let mut voxels = KeyVoxels::new();
    for (id, definition) in classic.into_iter().chain(defined) {
        let voxel = match definition {
            Some(definition) => {
                if definition.is_invisible() {
                    blocks.unread.note(&format!("invisible block {id}"), 1);
                }
                definition.voxel(id, &mut blocks)
            }
            None => classic_voxel(id, &mut blocks),
        };
        voxels.set(
            id,
            voxel.map_err(|error| FormatError::new(format!("block {id}"), error.to_string()))?,
        );
    }
    fill(voxel_box, blocks, keys, &voxels, progress)
}

/// The voxel of a block that the file does not define.
fn classic_voxel(id: u16, blocks: &mut BlockMapper) -> Result<Voxel, DefinitionError> {
    Ok(match classic_ids::voxel(blocks, id)? {
        Some(voxel) => voxel,
        None => Voxel::full(blocks.add_material(Material::unknown(&format!("classic:id_{id}")))?),
    })
}
