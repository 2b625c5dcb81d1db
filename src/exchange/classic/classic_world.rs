//! ClassicWorld (`.cw`), written by ClassiCube and servers of its kind.
//!
//! Sources: "ClassicWorld file format" of the Minecraft developers' wiki, and ClassiCube's
//! extensions. `BlockArray2` holds the upper eight bits of each number.
//! `Metadata.CPE.BlockDefinitions` defines blocks that Classic does not have, and redefines blocks
//! that it has.

use super::block_definition::{BlockDefinition, DefinitionError, block_definitions};
use super::classic_ids;
use super::level::{KeyVoxels, check_length, deserialize, fill, import_with, used_keys};
use crate::exchange::chunk_store::{ImportSummary, ImportTarget};
use crate::exchange::error::{FormatError, ImportError};
use crate::exchange::minecraft::block_mapper::BlockMapper;
use crate::exchange::progress::Progress;
use crate::exchange::voxel_box::VoxelBox;
use crate::voxel::{Material, Voxel};
use glam::I64Vec3;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ClassicWorldNbt<'a> {
    format_version: i64,
    x: i64,
    y: i64,
    z: i64,
    #[serde(borrow)]
    block_array: &'a [u8],
    #[serde(borrow)]
    block_array2: Option<&'a [u8]>,
    #[serde(borrow)]
    metadata: Option<MetadataNbt<'a>>,
}

#[derive(Deserialize)]
struct MetadataNbt<'a> {
    #[serde(borrow, rename = "CPE")]
    cpe: Option<CpeNbt<'a>>,
}

/// The protocol extensions of the clients.
#[derive(Deserialize)]
struct CpeNbt<'a> {
    #[serde(borrow, rename = "BlockDefinitions", default, deserialize_with = "block_definitions")]
    definitions: Vec<BlockDefinition<'a>>,
}

/// Imports a `.cw` file.
///
/// # Errors
/// The file cannot be read, is malformed or too large, or holds nothing but air; or `progress`
/// cancels.
pub(in crate::exchange) fn import(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    import_with(read, path, target, progress)
}

pub(super) fn read(data: &[u8], target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, FormatError> {
    let world: ClassicWorldNbt = deserialize(data)?;
    if world.format_version != 1 {
        let reason = format!("its version is {}; version 1 is read", world.format_version);
        return Err(FormatError::new("FormatVersion", reason));
    }
    // Unsigned shorts.
    let size = I64Vec3::new(world.x, world.y, world.z) & 0xFFFF;
    let voxel_box = VoxelBox::new(size, target)?;
    check_length("BlockArray", world.block_array, size)?;
    if let Some(upper) = world.block_array2 {
        check_length("BlockArray2", upper, size)?;
    }
    let id = |index: usize| {
        let upper = world.block_array2.map_or(0, |upper| upper[index]);
        u16::from_be_bytes([upper, world.block_array[index]])
    };
    let definitions = world.metadata.and_then(|metadata| metadata.cpe).map_or(vec![], |cpe| cpe.definitions);
    // As in the client, the last definition of a number counts, and air stays air.
    let definition = |id: u16| definitions.iter().rev().find(|definition| id > 0 && definition.id() == Some(id));
    // Blocks with Classic's names come first, so that no defined block takes such a name.
    let used = used_keys(world.block_array.len(), id);
    let (classic, defined): (Vec<_>, Vec<_>) =
        used.into_iter().map(|id| (id, definition(id))).partition(|(_, definition)| definition.is_none());
    let mut blocks = BlockMapper::new();
    let mut voxels = KeyVoxels::new();
    for (id, definition) in classic.into_iter().chain(defined) {
        let voxel = match definition {
            Some(definition) => definition.voxel(id, &mut blocks),
            None => classic_voxel(id, &mut blocks),
        };
        voxels.set(id, voxel.map_err(|error| FormatError::new(format!("block {id}"), error.to_string()))?);
    }
    fill(voxel_box, blocks.into_materials(), |index| voxels.get(id(index)), progress)
}

/// The voxel of a block that the file does not define.
fn classic_voxel(id: u16, blocks: &mut BlockMapper) -> Result<Voxel, DefinitionError> {
    Ok(match classic_ids::voxel(blocks, id)? {
        Some(voxel) => voxel,
        None => Voxel::full(blocks.add_material(Material::unknown(&format!("classic:id_{id}")))?),
    })
}
