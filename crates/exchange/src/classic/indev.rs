//! Indev worlds (`.mclevel`): Minecraft of January and February 2010.
//!
//! Source: "Indev level file format" of the Minecraft developers' wiki. `Data` has one byte per
//! block: the upper half is the block's data, the lower half its light. Numbers are Classic's up to
//! 49, then Minecraft's up to 1.12, with three exceptions: 52 and 53 are infinite sources, and 55
//! is a cog, which was planned but never made.

use super::classic_ids;
use super::level::{BlockKeys, KeyVoxels, check_length, fill, require};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::entities::{count_block_entities, count_elements};
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_stream::{ArraySpan, NbtStream};
use crate::progress::Progress;
use crate::voxel_box::VoxelBox;
use glam::I64Vec3;
use stonerun_engine::voxel::{Material, Voxel};

/// Lowest block number that Classic does not have.
const FIRST_NEW_ID: u16 = 50;

/// The entries of `Map`, found by the first pass over the file.
#[derive(Default)]
struct MapParts {
    width: Option<i64>,
    height: Option<i64>,
    length: Option<i64>,
    blocks: Option<ArraySpan>,
    data: Option<ArraySpan>,
    losses: ImportLosses,
}

impl MapParts {
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "Width" => self.width = Some(stream.integer(tag)?),
            "Height" => self.height = Some(stream.integer(tag)?),
            "Length" => self.length = Some(stream.integer(tag)?),
            "Blocks" => self.blocks = Some(stream.byte_array(tag)?),
            "Data" => self.data = Some(stream.byte_array(tag)?),
            _ => stream.skip(tag)?,
        }
        Ok(())
    }
}

/// Imports a `.mclevel` file. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or too large, or holds nothing but air; or `progress` cancels.
pub(crate) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    file.check_first_tag("an Indev world")?;
    let mut map = MapParts::default();
    file.walk(&mut |stream, tag, name| match name {
        "Map" => stream.compound(tag, &mut |stream, tag, name| map.read_entry(stream, tag, name)),
        "Entities" => count_elements(stream, tag).map(|count| map.losses.entities += count),
        "TileEntities" => {
            count_block_entities(stream, tag).map(|count| map.losses.contents += count)
        }
        _ => stream.skip(tag),
    })?;
    let sides = [("Width", map.width), ("Height", map.height), ("Length", map.length)];
    let [x, y, z] = sides.map(|(name, side)| require(name, side));
    let size = I64Vec3::new(x?, y?, z?);
    let voxel_box = VoxelBox::new(size, target)?;
    let first = require("Blocks", map.blocks)?;
    check_length("Blocks", first, size)?;
    if let Some(data) = map.data {
        check_length("Data", data, size)?;
    }
    // Twelve bits: eight of the number, four of the data.
    let key = |id: u8, data: u8| u16::from(id) << 4 | u16::from(data >> 4);
    let keys = BlockKeys { file, first, second: map.data, key };
    let mut blocks = BlockMapper::new();
    let mut voxels = KeyVoxels::new();
    for key in keys.used(progress)? {
        let id = key >> 4;
        let data = (key & 15) as u8;
        let voxel = indev_voxel(&mut blocks, id, data);
        voxels.set(
            key,
            voxel.map_err(|error| FormatError::new(format!("block {id}"), error.to_string()))?,
        );
    }
    let mut summary = fill(voxel_box, blocks, keys, &voxels, progress)?;
    summary.losses += map.losses;
    Ok(summary)
}

fn indev_voxel(blocks: &mut BlockMapper, id: u16, data: u8) -> Result<Voxel, BlockError> {
    match id {
        8..=11 => blocks.voxel_for_id(u32::from(id), data),
        ..FIRST_NEW_ID => Ok(classic_ids::voxel(blocks, id)?.unwrap_or(Voxel::AIR)),
        52 => blocks.voxel_for_id(9, 0),
        53 => blocks.voxel_for_id(11, 0),
        55 => blocks.add_material(Material::plain("indev:cog", [110, 104, 96])).map(Voxel::full),
        _ => blocks.voxel_for_id(u32::from(id), data),
    }
}
