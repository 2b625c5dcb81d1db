//! Writes version 2.
//!
//! NBT stores the length of an array before its content, so the world is walked twice in runs, row
//! by row. The first walk collects the palette and counts the bytes of the indices; the second
//! writes the indices through gzip. Apart from the world, memory holds a row, the palette, and the
//! occupancies that block states cannot express.

use super::nbt_writer::NbtWriter;
use super::occupancy::OccupancyEncoder;
use super::palette::{PaletteBuilder, UnwritableMaterial};
use crate::codec::varint;
use crate::exchange::progress::Progress;
use crate::runs::moore::RowSource;
use crate::voxel::{Box3, MaterialTable, Voxel};
use crate::world::World;
use flate2::Compression;
use flate2::write::GzEncoder;
use glam::IVec3;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Longest side: 16 bits.
const MAX_SIDE: i32 = u16::MAX as i32;
/// Minecraft 1.17.1, the first version with all blocks that are equivalents of built-in materials.
/// Newer programs upgrade `grass` of this version to `short_grass`.
const DATA_VERSION: i32 = 2730;

/// Reason why a world cannot be written as a schematic.
#[derive(thiserror::Error, Debug)]
pub enum WriteError {
    /// The box is empty or exceeds the limits of the format.
    #[error(
        "{} x {} x {} blocks: a schematic has 1 to {MAX_SIDE} on each side and at most {} bytes of blocks in all",
        .0.x, .0.y, .0.z, i32::MAX
    )]
    Size(IVec3),
    /// A material's name cannot be written.
    #[error("the material \"{name}\": {reason}")]
    Material {
        /// Name of the material.
        name: String,
        /// Reason why the name is refused.
        reason: String,
    },
    /// The target cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The progress callback asked to stop.
    #[error("the export was cancelled")]
    Cancelled,
}

impl From<UnwritableMaterial> for WriteError {
    fn from(UnwritableMaterial { name, reason }: UnwritableMaterial) -> WriteError {
        WriteError::Material { name, reason: reason.to_string() }
    }
}

/// Writes the voxels of `bounds` as a Sponge schematic of version 2. Voxels that are not loaded
/// become air.
///
/// Materials become their equivalent Minecraft blocks or the blocks they were imported from; all
/// others become `stonerun:NAME`, a mod block to Minecraft programs. Occupancy becomes the height
/// of slabs, snow and liquids, rounded to what these have. The exact values go into metadata that
/// only this program reads, so an [`import`](crate::exchange::import()) of at most 2^28 blocks
/// gives the same voxels and names, moved to the place of models.
///
/// Apart from the world, memory holds a row, the palette and the occupancies of partly filled
/// voxels.
///
/// # Errors
/// The box is empty or exceeds the limits of the format, a name is too long, `target` fails, or
/// `progress` cancels. The bytes written so far are not a schematic then.
pub fn write(
    world: &World,
    materials: &MaterialTable,
    bounds: Box3,
    progress: &mut Progress,
    target: &mut impl Write,
) -> Result<(), WriteError> {
    let size = bounds.size();
    // Each block takes at least one byte. The exact number follows below.
    if size.min_element() < 1 || size.max_element() > MAX_SIDE || bounds.volume() > i32::MAX as u64 {
        return Err(WriteError::Size(size));
    }
    let mut palette = PaletteBuilder::new(materials);
    let (mut data_bytes, mut occupancies) = (0u64, OccupancyEncoder::default());
    for_each_row(world, bounds, &mut |done| progress(done / 2.0), |row| {
        for &(len, voxel) in row {
            let entry = palette.entry(voxel)?;
            data_bytes += u64::from(len) * u64::from(entry.index_bytes);
            occupancies.push(len, entry.occupancy);
        }
        Ok(())
    })?;
    let occupancies = occupancies.finish();
    let too_large = |_| WriteError::Size(size);
    let data_bytes = i32::try_from(data_bytes).map_err(too_large)?;
    let occupancy_bytes = i32::try_from(occupancies.len()).map_err(too_large)?;

    let mut nbt = NbtWriter::new(GzEncoder::new(target, Compression::default()));
    nbt.begin_compound("Schematic")?;
    nbt.int("Version", 2)?;
    nbt.int("DataVersion", DATA_VERSION)?;
    for (name, side) in [("Width", size.x), ("Height", size.y), ("Length", size.z)] {
        nbt.short(name, side as u16)?;
    }
    nbt.int_triple("Offset", bounds.min.to_array())?;
    // There are at most as many entries as blocks, so fewer than 2^31.
    nbt.int("PaletteMax", palette.len() as i32)?;
    nbt.begin_compound("Palette")?;
    for (state, index) in palette.states() {
        nbt.int(state, index as i32)?;
    }
    nbt.end_compound()?;

    nbt.begin_byte_array("BlockData", data_bytes)?;
    let (mut checksum, mut data, mut index) = (crc32fast::Hasher::new(), vec![], vec![]);
    for_each_row(world, bounds, &mut |done| progress(0.5 + done / 2.0), |row| {
        data.clear();
        for &(len, voxel) in row {
            index.clear();
            varint::push(&mut index, palette.entry(voxel)?.index);
            (0..len).for_each(|_| data.extend_from_slice(&index));
        }
        checksum.update(&data);
        Ok(nbt.array_bytes(&data)?)
    })?;
    // Always empty, but some readers require it.
    nbt.empty_list("BlockEntities")?;
    nbt.begin_compound("Metadata")?;
    // WorldEdit's entries, which some readers require: the lowest corner is pasted at the player.
    ["WEOffsetX", "WEOffsetY", "WEOffsetZ"].iter().try_for_each(|name| nbt.int(name, 0))?;
    if occupancy_bytes > 0 {
        nbt.begin_compound("Stonerun")?;
        nbt.int("Checksum", checksum.finalize() as i32)?;
        nbt.begin_byte_array("Occupancies", occupancy_bytes)?;
        nbt.array_bytes(&occupancies)?;
        nbt.end_compound()?;
    }
    nbt.end_compound()?;
    nbt.end_compound()?;
    nbt.into_inner().finish()?.flush()?;
    Ok(())
}

/// Passes the runs of each row of `bounds` to `visit`, in file order. Neighbouring runs may be
/// equal.
fn for_each_row(
    world: &World,
    bounds: Box3,
    progress: &mut Progress,
    mut visit: impl FnMut(&[(u32, Voxel)]) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let (size, mut row) = (bounds.size(), vec![]);
    for y in bounds.min.y..bounds.max.y {
        for z in bounds.min.z..bounds.max.z {
            row.clear();
            world.row_runs(IVec3::new(bounds.min.x, y, z), size.x as u32, |len, voxel| row.push((len, voxel)));
            visit(&row)?;
        }
        let done = (y - bounds.min.y + 1) as f32 / size.y as f32;
        if let ControlFlow::Break(()) = progress(done) {
            return Err(WriteError::Cancelled);
        }
    }
    Ok(())
}
