//! Indev worlds (`.mclevel`): Minecraft of January and February 2010.
//!
//! From "Indev level file format" of the Minecraft developers' wiki. `Data` has a byte for each block: the upper half says more
//! of the block, the lower half is its light. Numbers are Classic's up to 49, then those of Minecraft up to 1.12, but for three:
//! 52 and 53 are springs that never end, and 55 is a cog, which was never more than planned.

use super::{
    FormatError, ImportError, ImportSummary, ImportTarget, Progress, VoxelBox, check_length, filled, from_nbt,
    import_nbt, names,
};
use crate::exchange::minecraft::blocks::Blocks;
use crate::voxel::{Material, Voxel};
use glam::I64Vec3;
use serde::Deserialize;
use std::path::Path;

/// The first number that Classic did not have.
const LATER: u16 = 50;

#[derive(Deserialize)]
struct Level<'a> {
    #[serde(borrow, rename = "Map")]
    map: Map<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Map<'a> {
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
/// The file cannot be read, is malformed or too large, holds nothing but air, or it was cancelled.
pub(in crate::exchange) fn import(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    import_nbt(path, target, progress, parse)
}

pub(super) fn parse(data: &[u8], target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, FormatError> {
    let Level { map } = from_nbt(data)?;
    let size = I64Vec3::new(map.width, map.height, map.length);
    let model = VoxelBox::new(size, target)?;
    check_length("Blocks", map.blocks.len(), size)?;
    if let Some(data) = map.data {
        check_length("Data", data.len(), size)?;
    }
    // By number and data.
    let key =
        |index: usize| usize::from(map.blocks[index]) << 4 | map.data.map_or(0, |data| usize::from(data[index] >> 4));
    let mut used = vec![false; 1 << 12];
    (0..map.blocks.len()).for_each(|index| used[key(index)] = true);
    let mut blocks = Blocks::new();
    let mut voxels = vec![Voxel::AIR; 1 << 12];
    for key in (0..used.len()).filter(|key| used[*key]) {
        let (id, data) = ((key >> 4) as u16, (key & 15) as u8);
        voxels[key] = voxel(&mut blocks, id, data).map_err(|reason| FormatError::new(format!("block {id}"), reason))?;
    }
    filled(model, blocks.into_materials(), |index| voxels[key(index)], progress)
}

fn voxel(blocks: &mut Blocks, id: u16, data: u8) -> Result<Voxel, String> {
    match id {
        8..=11 => blocks.numbered(id, data),
        ..LATER => Ok(names::voxel(blocks, id)?.unwrap_or(Voxel::AIR)),
        52 => blocks.numbered(9, 0),
        53 => blocks.numbered(11, 0),
        55 => blocks.add(Material::plain("indev:cog", [110, 104, 96])).map(Voxel::full),
        _ => blocks.numbered(id, data),
    }
}
