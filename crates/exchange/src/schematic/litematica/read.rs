//! Reads Litematica's schematics.
//!
//! Where regions overlap, the later one in the file wins, except where it has air: a region is more
//! often a box around a building than a box of air on purpose.

use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::array_bytes::ArrayBytes;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::entities::{count_block_entities, count_elements, skip_value};
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_stream::{ArraySpan, NbtStream};
use crate::minecraft::palette_entry::read_state;
use crate::progress::{Progress, report};
use crate::schematic::block_data::{BlockDataError, MAX_PALETTE_LEN, SchematicPaletteError};
use crate::voxel_box::VoxelBox;
use glam::{I64Vec3, IVec3};
use stonerun_engine::voxel::{MaterialTable, Voxel};

/// Maximum number of regions of a file.
const MAX_REGIONS: usize = 1 << 14;
/// Maximum number of blocks of all regions together. Regions may overlap, so the size of the outer
/// box does not limit this number.
const MAX_BLOCKS: i64 = 1 << 28;

/// The entries of a region, as far as read.
#[derive(Default)]
struct RegionEntries {
    /// Place for errors. Holds only the beginning of the name, because a hostile file may have many
    /// names of 64 KiB.
    place: String,
    position: Option<I64Vec3>,
    size: Option<I64Vec3>,
    palette: Vec<Voxel>,
    /// True for a block that loses its shape, by palette index.
    loses_shape: Vec<bool>,
    indices: Option<ArraySpan>,
    losses: ImportLosses,
}

/// A region whose entries are complete and consistent.
struct CheckedRegion {
    place: String,
    /// Lowest corner.
    min: I64Vec3,
    size: I64Vec3,
    palette: Vec<Voxel>,
    loses_shape: Vec<bool>,
    indices: ArraySpan,
    /// Bits per index.
    index_bits: u32,
}

/// The place of a region, for errors, without control characters.
fn region_place(name: &str) -> String {
    let name: String =
        name.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("region \"{name}\"")
}

impl RegionEntries {
    /// Reads an entry. The palette may have at most `max_palette` entries.
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
        blocks: &mut BlockMapper,
        max_palette: usize,
    ) -> Result<(), FormatError> {
        match name {
            "Position" => self.position = Some(read_vector(stream, tag)?),
            "Size" => self.size = Some(read_vector(stream, tag)?),
            "BlockStates" => self.indices = Some(stream.long_array(tag)?),
            "BlockStatePalette" => {
                self.palette.clear();
                self.loses_shape.clear();
                stream.list(tag, &mut |stream, tag| {
                    if self.palette.len() == max_palette {
                        return Err(stream.error(SchematicPaletteError::TooLong));
                    }
                    let state = read_state(stream, tag)?
                        .ok_or_else(|| stream.error(SchematicPaletteError::NoName))?;
                    self.palette
                        .push(blocks.voxel_for_state(&state).map_err(|error| stream.error(error))?);
                    self.loses_shape.push(state.is_lost());
                    Ok(())
                })?;
            }
            "Entities" => self.losses.entities += count_elements(stream, tag)?,
            "TileEntities" => self.losses.contents += count_block_entities(stream, tag)?,
            "PendingBlockTicks" | "PendingFluidTicks" => stream.skip(tag)?,
            _ => {
                let is_filled = skip_value(stream, tag)?;
                blocks.unread.note(&format!("entry {name} of a region"), is_filled.into());
            }
        }
        Ok(())
    }

    fn check(self) -> Result<CheckedRegion, FormatError> {
        let error = |reason: String| FormatError::new(self.place.as_str(), reason);
        let missing = |part: &str| error(format!("there is no {part}"));
        let position = self.position.ok_or_else(|| missing("Position"))?;
        let size = self.size.ok_or_else(|| missing("Size"))?;
        let indices = self.indices.ok_or_else(|| missing("BlockStates"))?;
        if self.palette.is_empty() {
            return Err(missing("BlockStatePalette"));
        }
        // All coordinates have 32 bits, so sums fit into 64 bits.
        let min = position + (size + I64Vec3::ONE).min(I64Vec3::ZERO);
        let size = size.abs();
        let [x, y, z] = size.to_array();
        // The product of two 32-bit sides fits as well.
        let blocks = (x * y).checked_mul(z).filter(|blocks| (1..=MAX_BLOCKS).contains(blocks));
        let blocks = blocks.ok_or_else(|| {
            error(format!("it is {x} x {y} x {z} blocks large; 1 to {MAX_BLOCKS} blocks are read"))
        })?;
        let index_bits = (usize::BITS - (self.palette.len() - 1).leading_zeros()).max(2);
        let longs = (blocks as u64 * u64::from(index_bits)).div_ceil(64);
        if indices.bytes != longs * 8 {
            return Err(error(format!(
                "{x} x {y} x {z} blocks with a palette of {} entries need {longs} longs of indices, not {}",
                self.palette.len(),
                indices.bytes / 8
            )));
        }
        let RegionEntries { place, palette, loses_shape, .. } = self;
        Ok(CheckedRegion { place, min, size, palette, loses_shape, indices, index_bits })
    }
}

/// Reads the entries `x`, `y` and `z`, of 32 bits each.
fn read_vector(stream: &mut NbtStream, tag: u8) -> Result<I64Vec3, FormatError> {
    let mut parts = [None; 3];
    stream.compound(tag, &mut |stream, tag, name| {
        match ["x", "y", "z"].iter().position(|axis| *axis == name) {
            Some(axis) => parts[axis] = Some(stream.integer(tag)?),
            None => stream.skip(tag)?,
        }
        Ok(())
    })?;
    let fits = |part: Option<i64>| part.filter(|part| i32::try_from(*part).is_ok());
    match parts.map(fits) {
        [Some(x), Some(y), Some(z)] => Ok(I64Vec3::new(x, y, z)),
        _ => Err(stream.error("a position or size is not x, y and z of 32 bits")),
    }
}

/// Reads a Litematica schematic.
pub(in crate::schematic) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut blocks = BlockMapper::new();
    let mut regions: Vec<RegionEntries> = vec![];
    let mut palette_entries = 0;
    file.walk(&mut |stream, tag, name| {
        match name {
            "Regions" => {}
            "Version" | "SubVersion" | "MinecraftDataVersion" | "Metadata" => {
                return stream.skip(tag);
            }
            _ => {
                let is_filled = skip_value(stream, tag)?;
                blocks.unread.note(&format!("entry {name}"), is_filled.into());
                return Ok(());
            }
        }
        stream.compound(tag, &mut |stream, tag, name| {
            if regions.len() == MAX_REGIONS {
                return Err(stream.error(format!("there are more than {MAX_REGIONS} regions")));
            }
            let mut region =
                RegionEntries { place: region_place(name), ..RegionEntries::default() };
            let max_palette = MAX_PALETTE_LEN - palette_entries;
            stream.compound(tag, &mut |stream, tag, name| {
                region.read_entry(stream, tag, name, &mut blocks, max_palette)
            })?;
            palette_entries += region.palette.len();
            regions.push(region);
            Ok(())
        })
    })?;
    report(progress, 0.2)?;
    let mut losses = ImportLosses::default();
    for region in &regions {
        losses += region.losses;
    }
    let regions = regions.into_iter().map(RegionEntries::check).collect::<Result<Vec<_>, _>>()?;
    let Some(min) = regions.iter().map(|region| region.min).reduce(I64Vec3::min) else {
        return Err(FormatError::new("Regions", "there is none"));
    };
    // The sum of at most 2^14 regions of 2^28 blocks fits.
    let total: i64 = regions.iter().map(|region| region.size.element_product()).sum();
    if total > MAX_BLOCKS {
        return Err(FormatError::new(
            "Regions",
            format!("they hold {total} blocks; at most {MAX_BLOCKS} are read"),
        ));
    }
    let max = regions.iter().map(|region| region.min + region.size).fold(min, I64Vec3::max);
    let mut voxels = VoxelBox::new(max - min, target)?;
    let mut done = 0;
    let mut arrays = file.arrays();
    for region in &regions {
        let mut region_progress =
            |blocks: i64| report(progress, 0.2 + 0.8 * (done + blocks) as f32 / total as f32);
        let indices = arrays.array(region.indices)?;
        let corner = (region.min - min).as_ivec3();
        losses.shapes += set_blocks(
            indices,
            region,
            corner,
            (&mut voxels, blocks.materials()),
            &mut region_progress,
        )?;
        done += region.size.element_product();
    }
    let mut summary = voxels.finish_blocks(blocks)?;
    summary.losses += losses;
    Ok(summary)
}

/// Sets the blocks of a region that are not air, and counts the blocks that lose their shape.
/// `corner` is the region's lowest corner in the box.
fn set_blocks(
    mut indices: ArrayBytes,
    region: &CheckedRegion,
    corner: IVec3,
    (voxels, materials): (&mut VoxelBox, &MaterialTable),
    progress: &mut dyn FnMut(i64) -> Result<(), FormatError>,
) -> Result<u64, FormatError> {
    let mut lost_shapes = 0;
    // Bits that were read but not used yet, the next index in the lowest bits, and their number.
    let mut pending = 0u128;
    let mut pending_bits = 0;
    let size = region.size.as_ivec3();
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let error = |error: BlockDataError| {
                FormatError::new(
                    format!("{}, block ({x}, {y}, {z})", region.place),
                    error.to_string(),
                )
            };
            if pending_bits < region.index_bits {
                pending |= u128::from(indices.long().map_err(|e| error(e.into()))?) << pending_bits;
                pending_bits += 64;
            }
            let index = (pending & ((1 << region.index_bits) - 1)) as usize;
            pending >>= region.index_bits;
            pending_bits -= region.index_bits;
            let Some(&voxel) = region.palette.get(index) else {
                return Err(error(BlockDataError::IndexBeyondPalette {
                    index,
                    palette: region.palette.len(),
                }));
            };
            lost_shapes += u64::from(region.loses_shape[index]);
            if !voxel.is_air() {
                voxels.set(corner + IVec3::new(x, y, z), voxel, materials)?;
            }
        }
        progress(i64::from(y + 1) * i64::from(size.x) * i64::from(size.z))?;
    }
    Ok(lost_shapes)
}
