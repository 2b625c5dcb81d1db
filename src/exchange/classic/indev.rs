//! Indev worlds (`.mclevel`): Minecraft of January and February 2010.
//!
//! Source: "Indev level file format" of the Minecraft developers' wiki. `Data` has one byte per
//! block: the upper half is the block's data, the lower half its light. Numbers are Classic's up to
//! 49, then Minecraft's up to 1.12, with three exceptions: 52 and 53 are infinite sources, and 55
//! is a cog, which was planned but never made.

use super::classic_ids;
use super::level::{KeyVoxels, check_length, deserialize, fill, import_with, used_keys};
use crate::exchange::chunk_store::{ImportSummary, ImportTarget};
use crate::exchange::error::{FormatError, ImportError};
use crate::exchange::minecraft::block_error::BlockError;
use crate::exchange::minecraft::block_mapper::BlockMapper;
use crate::exchange::progress::Progress;
use crate::exchange::voxel_box::VoxelBox;
use crate::voxel::{Material, Voxel};
use glam::I64Vec3;
use serde::Deserialize;
use std::path::Path;

/// First number that Classic does not have.
const FIRST_NEW_ID: u16 = 50;

#[derive(Deserialize)]
struct IndevLevelNbt<'a> {
    #[serde(borrow, rename = "Map")]
    map: IndevMapNbt<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct IndevMapNbt<'a> {
    width: i64,
    height: i64,
    length: i64,
    #[serde(borrow)]
    blocks: &'a [u8],
    #[serde(borrow)]
    data: Option<&'a [u8]>,
}

/// Imports a `.mclevel` file.
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
    let IndevLevelNbt { map } = deserialize(data)?;
    let size = I64Vec3::new(map.width, map.height, map.length);
    let voxel_box = VoxelBox::new(size, target)?;
    check_length("Blocks", map.blocks, size)?;
    if let Some(data) = map.data {
        check_length("Data", data, size)?;
    }
    // Number and data.
    let key = |index: usize| u16::from(map.blocks[index]) << 4 | map.data.map_or(0, |data| u16::from(data[index] >> 4));
    let mut blocks = BlockMapper::new();
    let mut voxels = KeyVoxels::new();
    for key in used_keys(map.blocks.len(), key) {
        let (id, data) = (key >> 4, (key & 15) as u8);
        let voxel = indev_voxel(&mut blocks, id, data);
        voxels.set(key, voxel.map_err(|error| FormatError::new(format!("block {id}"), error.to_string()))?);
    }
    fill(voxel_box, blocks.into_materials(), |index| voxels.get(key(index)), progress)
}

fn indev_voxel(blocks: &mut BlockMapper, id: u16, data: u8) -> Result<Voxel, BlockError> {
    match id {
        8..=11 => blocks.voxel_for_id(id, data),
        ..FIRST_NEW_ID => Ok(classic_ids::voxel(blocks, id)?.unwrap_or(Voxel::AIR)),
        52 => blocks.voxel_for_id(9, 0),
        53 => blocks.voxel_for_id(11, 0),
        55 => blocks.add_material(Material::plain("indev:cog", [110, 104, 96])).map(Voxel::full),
        _ => blocks.voxel_for_id(id, data),
    }
}
