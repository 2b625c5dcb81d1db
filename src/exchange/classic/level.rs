//! Reading a level: what ClassicWorld and Indev share.

use crate::exchange::bounded_read::{gunzip, read_whole};
use crate::exchange::chunk_store::{ImportSummary, ImportTarget};
use crate::exchange::error::{FormatError, ImportError};
use crate::exchange::minecraft::liquid::with_surface;
use crate::exchange::minecraft::nbt_check;
use crate::exchange::progress::{Progress, report};
use crate::exchange::voxel_box::VoxelBox;
use crate::voxel::{MaterialTable, Voxel};
use glam::{I64Vec3, IVec3};
use serde::Deserialize;
use std::path::Path;

/// Largest file that is read, in bytes. Real ones have some hundred thousand.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Most unpacked bytes: a world of 512 x 256 x 512.
const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// Reads the NBT data of one format.
pub(super) type LevelReader = fn(&[u8], ImportTarget, &mut Progress) -> Result<ImportSummary, FormatError>;

/// Reads and unpacks a file and passes its data to `read`.
///
/// # Errors
/// The file cannot be read or is too large, or `read` fails.
pub(super) fn import_with(
    read: LevelReader,
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    let bytes = read_whole(path, MAX_FILE_BYTES)?;
    let data = gunzip(bytes, MAX_UNPACKED_BYTES);
    data.and_then(|data| read(&data, target, progress)).map_err(|error| error.in_file(path))
}

/// Deserialises NBT data. The length of the data bounds the memory.
///
/// # Errors
/// The data is not sound NBT, or is not a `T`.
pub(super) fn deserialize<'a, T: Deserialize<'a>>(data: &'a [u8]) -> Result<T, FormatError> {
    nbt_check::deserialize(data, MAX_UNPACKED_BYTES as usize)
}

/// Checks that an array has one byte per block.
///
/// # Errors
/// It has another length.
pub(super) fn check_length(name: &str, array: &[u8], size: I64Vec3) -> Result<(), FormatError> {
    // Sides have at most 16 bits, so the product fits.
    match size.element_product() {
        blocks if blocks == array.len() as i64 => Ok(()),
        blocks => {
            Err(FormatError::new(name, format!("it has {} bytes, but the world has {blocks} blocks", array.len())))
        }
    }
}

/// The voxels of block keys. A key is all that a level stores about a block.
pub(super) struct KeyVoxels(Vec<Voxel>);

impl KeyVoxels {
    pub(super) fn new() -> KeyVoxels {
        KeyVoxels(vec![Voxel::AIR; 1 << 16])
    }

    pub(super) fn set(&mut self, key: u16, voxel: Voxel) {
        self.0[usize::from(key)] = voxel;
    }

    pub(super) fn get(&self, key: u16) -> Voxel {
        self.0[usize::from(key)]
    }
}

/// The keys of `blocks` blocks, each once, in ascending order.
pub(super) fn used_keys(blocks: usize, key: impl Fn(usize) -> u16) -> Vec<u16> {
    let mut used = vec![false; 1 << 16];
    (0..blocks).for_each(|index| used[usize::from(key(index))] = true);
    (0..=u16::MAX).filter(|key| used[usize::from(*key)]).collect()
}

/// Fills a box with voxels by block index: x fastest, then z, then y. Full liquids get a surface
/// under other voxels.
///
/// # Errors
/// The target has no room, everything is air, or `progress` cancels.
pub(super) fn fill(
    mut voxels: VoxelBox,
    materials: MaterialTable,
    voxel: impl Fn(usize) -> Voxel,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    /// Rows filled together, so that the chunks they lie in are completed before the next ones
    /// begin.
    const ROWS: i32 = 32;
    let size = voxels.size();
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
                    voxels.set(IVec3::new(x, y, z), here, &materials)?;
                }
            }
        }
    }
    report(progress, 1.0)?;
    voxels.finish(materials)
}
