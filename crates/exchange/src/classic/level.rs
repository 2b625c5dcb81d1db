//! Level reading that ClassicWorld and Indev share.
//!
//! A level of a few hundred kilobytes may unpack to hundreds of megabytes. It is never held in
//! memory, but unpacked again for each pass: one finds its parts, one the numbers in use, one reads
//! the blocks. The last pass unpacks two streams, one layer apart, because the surface of a liquid
//! depends on the block above.

use crate::chunk_store::ImportSummary;
use crate::error::FormatError;
use crate::minecraft::array_bytes::{ArrayBytes, ArrayError};
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::liquid::LiquidSurfaces;
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_stream::ArraySpan;
use crate::progress::{Progress, report};
use crate::voxel_box::VoxelBox;
use glam::{I64Vec3, IVec3};
use stonerun_engine::voxel::Voxel;

/// Unwraps a part that a level must have.
///
/// # Errors
/// The part is missing.
pub(super) fn require<T>(name: &str, part: Option<T>) -> Result<T, FormatError> {
    part.ok_or_else(|| FormatError::new(name, "it is missing"))
}

/// Checks that an array has one byte per block.
///
/// # Errors
/// The array has another length.
pub(super) fn check_length(name: &str, array: ArraySpan, size: I64Vec3) -> Result<(), FormatError> {
    // Sides have at most 16 bits, so the product fits.
    match size.element_product() as u64 {
        blocks if blocks == array.bytes => Ok(()),
        blocks => Err(FormatError::new(
            name,
            format!("it has {} bytes, but the world has {blocks} blocks", array.bytes),
        )),
    }
}

/// Voxel of each block key. A key combines everything that a level stores about a block.
pub(super) struct KeyVoxels(Vec<Voxel>);

impl KeyVoxels {
    pub(super) fn new() -> KeyVoxels {
        KeyVoxels(vec![Voxel::AIR; 1 << 16])
    }

    pub(super) fn set(&mut self, key: u16, voxel: Voxel) {
        self.0[usize::from(key)] = voxel;
    }

    fn get(&self, key: u16) -> Voxel {
        self.0[usize::from(key)]
    }
}

/// The keys of a level's blocks: x fastest, then z, then y. Each combines one byte of each of two
/// arrays, whose lengths [`check_length`] has checked.
#[derive(Clone, Copy)]
pub(super) struct BlockKeys<'a> {
    pub file: &'a NbtFile,
    pub first: ArraySpan,
    /// The second array. Its bytes count as zeros if it is absent.
    pub second: Option<ArraySpan>,
    /// Combines a byte of each array to a key.
    pub key: fn(u8, u8) -> u16,
}

impl<'a> BlockKeys<'a> {
    /// The keys from block `start` on.
    fn read_from(&self, start: u64) -> Result<KeyReader<'a>, FormatError> {
        let rest = |span: ArraySpan| {
            let skipped = start.min(span.bytes);
            self.file.array(ArraySpan {
                start: span.start + skipped,
                bytes: span.bytes - skipped,
                ..span
            })
        };
        Ok(KeyReader {
            first: rest(self.first)?,
            second: self.second.map(rest).transpose()?,
            key: self.key,
        })
    }

    /// The keys in use, each once, in ascending order.
    ///
    /// # Errors
    /// The data cannot be unpacked, or `progress` cancels.
    pub(super) fn used(&self, progress: &mut Progress) -> Result<Vec<u16>, FormatError> {
        /// Number of blocks between two calls of `progress`.
        const STEP: u64 = 1 << 20;
        let mut used = vec![false; 1 << 16];
        let mut keys = self.read_from(0)?;
        let blocks = self.first.bytes;
        for block in 0..blocks {
            if block % STEP == 0 {
                report(progress, 0.3 * block as f32 / blocks as f32)?;
            }
            let key = keys
                .next()
                .map_err(|error| FormatError::new(format!("block {block}"), error.to_string()))?;
            used[usize::from(key)] = true;
        }
        Ok((0..=u16::MAX).filter(|key| used[usize::from(*key)]).collect())
    }
}

/// Reads keys in order.
struct KeyReader<'a> {
    first: ArrayBytes<'a>,
    second: Option<ArrayBytes<'a>>,
    key: fn(u8, u8) -> u16,
}

impl KeyReader<'_> {
    fn next(&mut self) -> Result<u16, ArrayError> {
        let second = self.second.as_mut().map_or(Ok(0), ArrayBytes::byte)?;
        Ok((self.key)(self.first.byte()?, second))
    }
}

/// Fills a box with the voxels of `keys`. `blocks` holds their materials. Full liquids get a
/// surface level under other voxels.
///
/// # Errors
/// The target has no room, everything is air, the data cannot be unpacked, or `progress` cancels.
pub(super) fn fill(
    mut voxels: VoxelBox,
    blocks: BlockMapper,
    keys: BlockKeys,
    key_voxels: &KeyVoxels,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let size = voxels.size();
    let materials = blocks.materials();
    let surfaces = LiquidSurfaces::new(materials);
    let layer = size.x as u64 * size.z as u64;
    let mut here = keys.read_from(0)?;
    let mut above = keys.read_from(layer)?;
    for y in 0..size.y {
        report(progress, 0.3 + 0.7 * y as f32 / size.y as f32)?;
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let mut next = || -> Result<Voxel, ArrayError> {
                let voxel = key_voxels.get(here.next()?);
                let above = if y + 1 < size.y { key_voxels.get(above.next()?) } else { Voxel::AIR };
                Ok(surfaces.lowered(voxel, above))
            };
            let voxel = next()
                .map_err(|e| FormatError::new(format!("block ({x}, {y}, {z})"), e.to_string()))?;
            if !voxel.is_air() {
                voxels.set(IVec3::new(x, y, z), voxel, materials)?;
            }
        }
    }
    report(progress, 1.0)?;
    voxels.finish_blocks(blocks)
}
