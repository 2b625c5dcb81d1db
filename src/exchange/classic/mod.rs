//! The worlds of Minecraft's first year: ClassicWorld (`.cw`, what ClassiCube writes) and Indev (`.mclevel`).
//!
//! Both are one box of numbered blocks in NBT data under gzip, x fastest, then z, then y; both number the first 49 blocks as
//! Classic did (`names`). What later versions numbered otherwise is told apart in `cw` and `mclevel`.
//!
//! x is east, y up and z south, as here. The box stands with its middle at x = z = 0 and its lowest layer at y = 0. Where
//! the player stood is not taken over: an import begins above the land, or in front of the model.

mod cw;
mod mclevel;
mod names;

pub(super) use cw::import as import_cw;
pub(super) use mclevel::import as import_mclevel;

use super::bounded_read::{gunzip, read_whole, short_reason};
use super::minecraft::{nbt, with_surface};
use super::voxel_box::VoxelBox;
use super::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::{MaterialTable, Voxel};
use fastnbt::DeOpts;
use glam::{I64Vec3, IVec3};
use serde::Deserialize;
use std::path::Path;

/// The most bytes of a file, packed. Its blocks pack well: real ones have some hundred thousand.
const MOST_PACKED: u64 = 64 << 20;
/// The most bytes it unpacks to: a world of 512 x 256 x 512.
const MOST_UNPACKED: u64 = 64 << 20;

/// Reads the file at `path` and gives its NBT data, once its structure is known to be sound, to `parse`.
fn import_nbt(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
    parse: fn(&[u8], ImportTarget, &mut Progress) -> Result<ImportSummary, FormatError>,
) -> Result<ImportSummary, ImportError> {
    let bytes = read_whole(path, MOST_PACKED)?;
    gunzip(bytes, MOST_UNPACKED).and_then(|data| parse(&data, target, progress)).map_err(|flaw| flaw.in_file(path))
}

/// Deserializes NBT data, after a look at its structure.
fn from_nbt<'a, T: Deserialize<'a>>(data: &'a [u8]) -> Result<T, FormatError> {
    nbt::check(data).map_err(|(at, reason)| FormatError::new(format!("byte {at} of its unpacked data"), reason))?;
    // The data is the bound: nothing that is read here needs more memory than it has bytes there.
    let options = DeOpts::new().max_seq_len(MOST_UNPACKED as usize);
    fastnbt::from_bytes_with_opts(data, options).map_err(|e| FormatError::new("NBT", short_reason(e)))
}

/// Says if an array has not one entry for each block of the box.
fn check_length(name: &str, length: usize, size: I64Vec3) -> Result<(), FormatError> {
    // At most 65535 each.
    match size.element_product() {
        blocks if blocks == length as i64 => Ok(()),
        blocks => Err(FormatError::new(name, format!("it has {length} bytes, but the world has {blocks} blocks"))),
    }
}

/// Fills a box from its blocks' voxels, by their index: x fastest, then z, then y. Full liquids with none of their kind
/// above get a surface.
fn filled(
    mut model: VoxelBox,
    materials: MaterialTable,
    voxel: impl Fn(usize) -> Voxel,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    /// Rows that are read together, so that the chunks they lie in are filled and done with.
    const ROWS: i32 = 32;
    let size = model.size();
    let liquids = ["water", "lava"].map(|name| materials.find(name).map(Voxel::full));
    let layer = size.x as usize * size.z as usize;
    let blocks = layer * size.y as usize;
    for first in (0..size.z).step_by(ROWS as usize) {
        report(progress, first as f32 / size.z as f32)?;
        for y in 0..size.y {
            for z in first..(first + ROWS).min(size.z) {
                let row = y as usize * layer + z as usize * size.x as usize;
                for x in 0..size.x {
                    let index = row + x as usize;
                    let mut here = voxel(index);
                    if here.is_air() {
                        continue;
                    }
                    if liquids.contains(&Some(here)) {
                        let above = Some(index + layer).filter(|above| *above < blocks).map_or(Voxel::AIR, &voxel);
                        here = with_surface(here, above);
                    }
                    model.set(IVec3::new(x, y, z), here, &materials)?;
                }
            }
        }
    }
    report(progress, 1.0)?;
    model.finish(materials)
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
