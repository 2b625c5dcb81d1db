//! Writes version 2.
//!
//! NBT says an array's length before its content, so the world is walked twice, row by row, in runs: once to find the
//! kinds of blocks and to count the bytes of their indices, once to write them through gzip. What is held beside the world
//! is a row, the palette, and the occupancies that have no name.
//!
//! Each kind of voxel gets the name that reads as its material again, which is found by reading it.

use super::occupancy::Collect;
use crate::codec::varint;
use crate::exchange::Progress;
use crate::exchange::minecraft::{blocks::Blocks, names};
use crate::runs::moore::RowSource;
use crate::voxel::{Box3, MaterialTable, Voxel};
use crate::world::World;
use flate2::Compression;
use flate2::write::GzEncoder;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The longest side: 16 bits.
const LONGEST: i32 = u16::MAX as i32;
/// Minecraft 1.17.1. Older than most that read it, whose own upgrade then makes `short_grass` of our `grass`; and the first
/// that has all blocks that are counterparts of ours.
const DATA_VERSION: i32 = 2730;

/// Why a world could not be written as a schematic.
#[derive(thiserror::Error, Debug)]
pub enum WriteError {
    /// It is empty, or larger than the format can say.
    #[error(
        "{} x {} x {} blocks: a schematic has 1 to {LONGEST} on each side and at most {} bytes of blocks in all",
        .0.x, .0.y, .0.z, i32::MAX
    )]
    Size(IVec3),
    /// A material's name cannot be written.
    #[error("the material \"{name}\": {reason}")]
    Material {
        /// The material.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The target cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Whoever was told of the progress wanted no more of it.
    #[error("the export was cancelled")]
    Cancelled,
}

/// Writes the voxels of `bounds` as a Sponge schematic of version 2; what is not loaded is air.
///
/// Materials become the Minecraft blocks they are counterparts of, or that they were imported from; all others become
/// `stonerun:NAME`, which Minecraft's programs take for a block of a mod that they do not have. Occupancy becomes the height
/// of slabs, snow and liquids, as near as these can say it; what it is exactly is kept where only we look. So
/// [`import`](super::super::import) gives the same voxels and names again, moved as its models are; which it does of 2^28 blocks at most.
///
/// MemoryStore beside the world's: a row, and what it takes to say which kinds of voxels there are and which of them are partly full.
///
/// # Errors
/// The box is empty or larger than the format can say, a name is too long, `target` fails, or it was cancelled; then
/// what has been written is no schematic.
pub fn write(
    world: &World,
    materials: &MaterialTable,
    bounds: Box3,
    progress: &mut Progress,
    target: &mut impl Write,
) -> Result<(), WriteError> {
    let size = bounds.size();
    // Each block takes a byte at least; the last word is had when they are counted.
    if size.min_element() < 1 || size.max_element() > LONGEST || bounds.volume() > i32::MAX as u64 {
        return Err(WriteError::Size(size));
    }
    let mut kinds =
        Kinds { materials, blocks: Blocks::new(), index_of: FxHashMap::default(), of: FxHashMap::default() };
    let (mut bytes, mut occupancies) = (0u64, Collect::default());
    each_row(world, bounds, &mut |done| progress(done / 2.0), |row| {
        for &(len, voxel) in row {
            let kind = kinds.of(voxel)?;
            bytes += u64::from(len) * u64::from(kind.bytes);
            occupancies.push(len, kind.occupancy);
        }
        Ok(())
    })?;
    let occupancies = occupancies.finish();
    let too_large = |_| WriteError::Size(size);
    let bytes = i32::try_from(bytes).map_err(too_large)?;
    let occupancy_bytes = i32::try_from(occupancies.len()).map_err(too_large)?;

    let mut nbt = Nbt(GzEncoder::new(target, Compression::default()));
    nbt.open("Schematic")?;
    nbt.int("Version", 2)?;
    nbt.int("DataVersion", DATA_VERSION)?;
    for (name, side) in [("Width", size.x), ("Height", size.y), ("Length", size.z)] {
        nbt.short(name, side as u16)?;
    }
    nbt.named(11, "Offset")?;
    [3, bounds.min.x, bounds.min.y, bounds.min.z].iter().try_for_each(|n| nbt.0.write_all(&n.to_be_bytes()))?;
    // No more kinds than blocks, so below 2^31.
    nbt.int("PaletteMax", kinds.index_of.len() as i32)?;
    nbt.open("Palette")?;
    for (text, &index) in &kinds.index_of {
        nbt.int(text, index as i32)?;
    }
    nbt.close()?;

    nbt.named(7, "BlockData")?;
    nbt.0.write_all(&bytes.to_be_bytes())?;
    let (mut checksum, mut data, mut one) = (crc32fast::Hasher::new(), vec![], vec![]);
    each_row(world, bounds, &mut |done| progress(0.5 + done / 2.0), |row| {
        data.clear();
        for &(len, voxel) in row {
            one.clear();
            varint::push(&mut one, kinds.of(voxel)?.index);
            (0..len).for_each(|_| data.extend_from_slice(&one));
        }
        checksum.update(&data);
        Ok(nbt.0.write_all(&data)?)
    })?;
    // Nobody's blocks here hold anything, but some readers want the list.
    nbt.named(9, "BlockEntities")?;
    nbt.0.write_all(&[10, 0, 0, 0, 0])?;
    nbt.open("Metadata")?;
    // What WorldEdit writes, and some readers rely on: one who pastes it stands at its lowest corner.
    ["WEOffsetX", "WEOffsetY", "WEOffsetZ"].iter().try_for_each(|name| nbt.int(name, 0))?;
    if occupancy_bytes > 0 {
        nbt.open("Stonerun")?;
        nbt.int("Checksum", checksum.finalize() as i32)?;
        nbt.named(7, "Occupancies")?;
        nbt.0.write_all(&occupancy_bytes.to_be_bytes())?;
        nbt.0.write_all(&occupancies)?;
        nbt.close()?;
    }
    nbt.close()?;
    nbt.close()?;
    nbt.0.finish()?.flush()?;
    Ok(())
}

/// Gives the runs of each row of `bounds`, in the file's order; neighbouring ones may be equal.
fn each_row(
    world: &World,
    bounds: Box3,
    progress: &mut Progress,
    mut each: impl FnMut(&[(u32, Voxel)]) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let (size, mut row) = (bounds.size(), vec![]);
    for y in bounds.min.y..bounds.max.y {
        for z in bounds.min.z..bounds.max.z {
            row.clear();
            world.row_runs(IVec3::new(bounds.min.x, y, z), size.x as u32, |len, voxel| row.push((len, voxel)));
            each(&row)?;
        }
        let done = (y - bounds.min.y + 1) as f32 / size.y as f32;
        if let ControlFlow::Break(()) = progress(done) {
            return Err(WriteError::Cancelled);
        }
    }
    Ok(())
}

/// How a kind of voxel is written.
#[derive(Clone, Copy)]
struct Kind {
    index: u32,
    /// Bytes of the index.
    bytes: u32,
    /// Its occupancy, if its name says another.
    occupancy: Option<u8>,
}

/// The kinds of voxels met so far.
struct Kinds<'a> {
    materials: &'a MaterialTable,
    /// As a reader of the file will know them.
    blocks: Blocks,
    index_of: FxHashMap<String, u32>,
    of: FxHashMap<Voxel, Kind>,
}

impl Kinds<'_> {
    fn of(&mut self, voxel: Voxel) -> Result<Kind, WriteError> {
        if let Some(&kind) = self.of.get(&voxel) {
            return Ok(kind);
        }
        let (text, occupancy) = self.text(voxel)?;
        let next = self.index_of.len() as u32;
        let index = *self.index_of.entry(text).or_insert(next);
        let bytes = (u32::BITS - index.leading_zeros()).div_ceil(7).max(1);
        let kind = Kind { index, bytes, occupancy };
        self.of.insert(voxel, kind);
        Ok(kind)
    }

    /// The block with its properties, and the occupancy where these say another.
    fn text(&mut self, voxel: Voxel) -> Result<(String, Option<u8>), WriteError> {
        if voxel.is_air() || voxel == Voxel::NOT_LOADED {
            return Ok(("minecraft:air".to_owned(), None));
        }
        let name = match self.materials.get(voxel.material()) {
            Some(material) => Cow::Borrowed(material.name.as_str()),
            None => format!("unknown_{}", voxel.material()).into(),
        };
        let text = names::text(&name, voxel.occupancy());
        let (text, read) = match self.reads_as(&text) {
            Ok((same, read)) if same == name => (text, read),
            _ => {
                let own = names::own(&name);
                let read = self.reads_as(&own);
                let read = read.map_err(|reason| WriteError::Material { name: name.clone().into_owned(), reason })?;
                (own, read.1)
            }
        };
        Ok((text, (read != voxel.occupancy()).then_some(voxel.occupancy())))
    }

    /// The material's name and the occupancy that a reader makes of it.
    fn reads_as(&mut self, text: &str) -> Result<(&str, u8), String> {
        let voxel = names::state(text).and_then(|state| self.blocks.state(&state))?;
        let name = self.blocks.materials().get(voxel.material()).map_or("", |material| &material.name);
        Ok((name, voxel.occupancy()))
    }
}

/// Writes NBT data.
struct Nbt<W: Write>(W);

impl<W: Write> Nbt<W> {
    /// The head of a value. Names are ours, or of blocks, and these are at most three times 256 bytes and ASCII.
    fn named(&mut self, tag: u8, name: &str) -> io::Result<()> {
        self.0.write_all(&[tag])?;
        self.0.write_all(&(name.len() as u16).to_be_bytes())?;
        self.0.write_all(name.as_bytes())
    }

    fn open(&mut self, name: &str) -> io::Result<()> {
        self.named(10, name)
    }

    fn close(&mut self) -> io::Result<()> {
        self.0.write_all(&[0])
    }

    fn short(&mut self, name: &str, value: u16) -> io::Result<()> {
        self.named(2, name)?;
        self.0.write_all(&value.to_be_bytes())
    }

    fn int(&mut self, name: &str, value: i32) -> io::Result<()> {
        self.named(3, name)?;
        self.0.write_all(&value.to_be_bytes())
    }
}
