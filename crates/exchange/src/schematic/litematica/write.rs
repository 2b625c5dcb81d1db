//! Writes Litematica's schematics: one region with all blocks of the box.
//!
//! Version 6 is written, which Litematica for Minecraft 1.17 to the newest reads. Version 7 changes
//! only items. The first block of a palette is air, because Litematica counts on it.

use crate::minecraft::block_versions::OLDEST_DATA_VERSION;
use crate::minecraft::export_rows::ExportRows;
use crate::minecraft::nbt_writer::NbtWriter;
use crate::minecraft::state_palette::StatePalette;
use crate::progress::Progress;
use crate::scene::{Scene, WriterError, WriterReport};
use flate2::Compression;
use flate2::write::GzEncoder;
use glam::IVec3;
use std::io::{self, Write};
use std::time::SystemTime;

/// Maximum number of blocks: Litematica counts them in 32 bits.
const MAX_BLOCKS: u64 = i32::MAX as u64;

/// Writes `scene` as a schematic called `name`. Air and voxels that are not loaded become air.
///
/// # Errors
/// The box is too large, a name is too long, `target` fails, or `progress` cancels.
pub(crate) fn write(
    scene: &Scene,
    name: &str,
    progress: &mut Progress,
    target: &mut impl Write,
) -> Result<WriterReport, WriterError> {
    let size = scene.bounds.size();
    if scene.bounds.volume() > MAX_BLOCKS {
        let IVec3 { x, y, z } = size;
        return Err(WriterError::Unfit(format!(
            "{x} x {y} x {z} blocks: a schematic of Litematica has at most {MAX_BLOCKS} blocks"
        )));
    }
    let rows = ExportRows::new(&scene.world, &scene.materials, scene.bounds);
    let counts = rows.counts(&mut |done| progress(done / 2.0))?;
    let palette = AirFirst(StatePalette::new(&scene.materials, &counts, OLDEST_DATA_VERSION)?);
    let mut nbt = NbtWriter::new(GzEncoder::new(target, Compression::default()));
    nbt.begin_compound("")?;
    nbt.int("MinecraftDataVersion", palette.0.data_version)?;
    nbt.int("Version", 6)?;
    nbt.int("SubVersion", 1)?;
    write_metadata(&mut nbt, name, size, palette.solid_blocks())?;
    nbt.begin_compound("Regions")?;
    nbt.begin_compound(name)?;
    write_vector(&mut nbt, "Position", IVec3::ZERO)?;
    write_vector(&mut nbt, "Size", size)?;
    palette.write(&mut nbt)?;
    let bits = palette.index_bits();
    // At most 2^31 blocks with 32 bits are 2^30 longs.
    let longs = (scene.bounds.volume() * u64::from(bits)).div_ceil(64) as i32;
    nbt.begin_long_array("BlockStates", longs)?;
    let mut packer = LongPacker::new(bits);
    rows.for_each(&mut |done| progress(0.5 + done / 2.0), |row| {
        for &(len, voxel) in row {
            let index = palette.index(palette.0.entry(voxel).index);
            for _ in 0..len {
                packer.push(index, |long| nbt.array_long(long))?;
            }
        }
        Ok(())
    })?;
    packer.finish(|long| nbt.array_long(long))?;
    // Block entities and entities of the region go here.
    nbt.empty_list("TileEntities")?;
    nbt.empty_list("Entities")?;
    nbt.empty_list("PendingBlockTicks")?;
    nbt.empty_list("PendingFluidTicks")?;
    for _ in ["the region", "Regions", "the root"] {
        nbt.end_compound()?;
    }
    nbt.into_inner().finish()?.flush()?;
    Ok(WriterReport { losses: palette.0.losses, ..WriterReport::default() })
}

/// Writes what Litematica shows in its list of schematics.
fn write_metadata<W: Write>(
    nbt: &mut NbtWriter<W>,
    name: &str,
    size: IVec3,
    solid_blocks: u64,
) -> io::Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let milliseconds = i64::try_from(now.as_millis()).unwrap_or_default();
    nbt.begin_compound("Metadata")?;
    nbt.string("Name", name)?;
    nbt.string("Author", "")?;
    nbt.string("Description", "")?;
    nbt.int("RegionCount", 1)?;
    // Both numbers are below 2^31, as the volume is.
    nbt.int("TotalBlocks", solid_blocks as i32)?;
    nbt.int("TotalVolume", size.as_i64vec3().element_product() as i32)?;
    nbt.long("TimeCreated", milliseconds)?;
    nbt.long("TimeModified", milliseconds)?;
    write_vector(nbt, "EnclosingSize", size)?;
    nbt.end_compound()
}

fn write_vector<W: Write>(nbt: &mut NbtWriter<W>, name: &str, vector: IVec3) -> io::Result<()> {
    nbt.begin_compound(name)?;
    for (axis, value) in ["x", "y", "z"].into_iter().zip(vector.to_array()) {
        nbt.int(axis, value)?;
    }
    nbt.end_compound()
}

/// A palette whose air is moved to the front.
struct AirFirst(StatePalette);

impl AirFirst {
    /// The index in the file for an index of the palette.
    fn index(&self, index: u32) -> u32 {
        let air = self.0.air();
        match index {
            _ if index == air => 0,
            _ if index < air => index + 1,
            _ => index,
        }
    }

    /// Bits of an index in the file.
    fn index_bits(&self) -> u32 {
        let highest = self.0.states.len() as u32 - 1;
        (u32::BITS - highest.leading_zeros()).max(2)
    }

    /// Number of blocks that are not air.
    fn solid_blocks(&self) -> u64 {
        self.0.counts.iter().sum::<u64>() - self.0.counts[self.0.air() as usize]
    }

    fn write<W: Write>(&self, nbt: &mut NbtWriter<W>) -> io::Result<()> {
        let air = self.0.air() as usize;
        nbt.begin_compounds("BlockStatePalette", self.0.states.len() as i32)?;
        let others = self.0.states.iter().enumerate().filter(|(index, _)| *index != air);
        let states = std::iter::once(&self.0.states[air]).chain(others.map(|(_, state)| state));
        states.into_iter().try_for_each(|state| nbt.block_state(state))
    }
}

/// Packs indices into longs, the first in the lowest bits. An index may continue in the next long.
struct LongPacker {
    bits: u32,
    pending: u128,
    /// Number of bits in `pending`, less than 64.
    pending_bits: u32,
}

impl LongPacker {
    fn new(bits: u32) -> LongPacker {
        LongPacker { bits, pending: 0, pending_bits: 0 }
    }

    fn push(&mut self, index: u32, write: impl FnOnce(u64) -> io::Result<()>) -> io::Result<()> {
        self.pending |= u128::from(index) << self.pending_bits;
        self.pending_bits += self.bits;
        if self.pending_bits < u64::BITS {
            return Ok(());
        }
        let long = self.pending as u64;
        self.pending >>= u64::BITS;
        self.pending_bits -= u64::BITS;
        write(long)
    }

    fn finish(self, write: impl FnOnce(u64) -> io::Result<()>) -> io::Result<()> {
        if self.pending_bits == 0 { Ok(()) } else { write(self.pending as u64) }
    }
}
