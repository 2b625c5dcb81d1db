//! Writes Sponge schematics of version 2.
//!
//! NBT stores the length of an array before its content, so two passes walk over the world in runs,
//! row by row. The first pass counts the voxels of each kind, which decides the palette and the
//! size of the indices; the second writes the indices through gzip. Apart from the world, memory
//! holds a row, the palette, and the occupancies, liquids and materials that block states
//! cannot express.

use super::exception_runs::{RunEncoder, ValueForm};
use super::material_list::{self, MaterialListError};
use crate::minecraft::block_error::{BlockError, MAX_NAME_BYTES};
use crate::minecraft::block_versions::OLDEST_DATA_VERSION;
use crate::minecraft::export_rows::{ExportRows, RowsError};
use crate::minecraft::nbt_writer::NbtWriter;
use crate::minecraft::state_palette::{StatePalette, UnwritableMaterial};
use crate::progress::Progress;
use crate::scene::ExportLosses;
use flate2::Compression;
use flate2::write::GzEncoder;
use glam::IVec3;
use std::io::{self, Write};
use stonerun_engine::codec::varint;
use stonerun_engine::voxel::{Box3, MaterialTable};
use stonerun_engine::world::World;

/// Longest side: 16 bits.
const MAX_SIDE: i32 = u16::MAX as i32;

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
    /// The materials that Minecraft lacks cannot be kept.
    #[error(transparent)]
    MaterialList(#[from] MaterialListError),
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

impl From<RowsError> for WriteError {
    fn from(error: RowsError) -> WriteError {
        match error {
            RowsError::Io(error) => WriteError::Io(error),
            RowsError::Cancelled => WriteError::Cancelled,
        }
    }
}

/// Writes the voxels of `bounds` as a Sponge schematic of version 2. Voxels that are not loaded
/// become air.
///
/// Materials become their equivalent Minecraft blocks or the blocks they were imported from; all
/// others become similar blocks. The file has the data version of its newest block. Occupancy
/// becomes the height of slabs, snow and liquids, rounded to their steps, and liquid in slabs and
/// trapdoors makes them waterlogged. The true materials, occupancies and liquids go into metadata
/// that only this program reads, so an [`import`](crate::import()) of at most 2^28 blocks gives the
/// same voxels and materials, centred like every imported model.
///
/// Apart from the world, memory holds a row, the palette, and the runs of true materials,
/// occupancies and liquids. Returns the losses that other Minecraft programs see.
///
/// # Errors
/// The box is empty or exceeds the limits of the format, a name or all names together are too long,
/// `target` fails, or `progress` cancels. The bytes written so far are not a schematic then.
pub fn write(
    world: &World,
    materials: &MaterialTable,
    bounds: Box3,
    progress: &mut Progress,
    target: &mut impl Write,
) -> Result<ExportLosses, WriteError> {
    let size = bounds.size();
    // Each block takes at least one byte. The exact size is checked below.
    if size.min_element() < 1 || size.max_element() > MAX_SIDE || bounds.volume() > i32::MAX as u64
    {
        return Err(WriteError::Size(size));
    }
    let rows = ExportRows::new(world, materials, bounds);
    let counts = rows.counts(&mut |done| progress(done / 2.0))?;
    let palette = StatePalette::new(materials, &counts, OLDEST_DATA_VERSION)?;
    check_names(&palette)?;
    let too_large = |_| WriteError::Size(size);
    let data_bytes = i32::try_from(data_bytes(&palette)).map_err(too_large)?;

    let mut nbt = NbtWriter::new(GzEncoder::new(target, Compression::default()));
    nbt.begin_compound("Schematic")?;
    nbt.int("Version", 2)?;
    nbt.int("DataVersion", palette.data_version)?;
    for (name, side) in [("Width", size.x), ("Height", size.y), ("Length", size.z)] {
        nbt.short(name, side as u16)?;
    }
    nbt.int_triple("Offset", bounds.min.to_array())?;
    // There are at most as many entries as blocks, so the number is below 2^31.
    nbt.int("PaletteMax", palette.states.len() as i32)?;
    nbt.begin_compound("Palette")?;
    for (index, state) in (0..).zip(&palette.states) {
        nbt.int(state, index)?;
    }
    nbt.end_compound()?;

    nbt.begin_byte_array("BlockData", data_bytes)?;
    let mut checksum = crc32fast::Hasher::new();
    let mut data = vec![];
    let mut index = vec![];
    let mut occupancies = RunEncoder::new(ValueForm::Byte);
    let mut liquids = RunEncoder::new(ValueForm::Byte);
    let mut material_runs = RunEncoder::new(ValueForm::Varint);
    rows.for_each(&mut |done| progress(0.5 + done / 2.0), |row| {
        data.clear();
        for &(len, voxel) in row {
            let entry = palette.entry(voxel);
            index.clear();
            varint::push(&mut index, entry.index);
            occupancies.push(len, entry.occupancy.map(u32::from));
            liquids.push(len, entry.liquid.map(u32::from));
            material_runs.push(len, entry.material);
            for _ in 0..len {
                data.extend_from_slice(&index);
            }
        }
        checksum.update(&data);
        nbt.array_bytes(&data)
    })?;
    // Some readers require these lists, which are always empty.
    nbt.empty_list("BlockEntities")?;
    nbt.empty_list("Entities")?;
    nbt.begin_compound("Metadata")?;
    // Some readers require these entries of WorldEdit. 0 pastes the lowest corner at the player.
    for name in ["WEOffsetX", "WEOffsetY", "WEOffsetZ"] {
        nbt.int(name, 0)?;
    }
    let occupancies = occupancies.finish();
    let liquids = liquids.finish();
    let material_runs = material_runs.finish();
    let runs = [&occupancies, &liquids, &material_runs];
    if !palette.materials.is_empty() || runs.iter().any(|runs| !runs.is_empty()) {
        nbt.begin_compound("Stonerun")?;
        nbt.int("Checksum", checksum.finalize() as i32)?;
        let list = match palette.materials.as_slice() {
            [] => String::new(),
            materials => material_list::to_text(materials)?,
        };
        let arrays = [
            ("Occupancies", &*occupancies),
            ("Liquids", &*liquids),
            ("Materials", list.as_bytes()),
            ("MaterialRuns", &*material_runs),
        ];
        for (name, bytes) in arrays.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
            nbt.begin_byte_array(name, i32::try_from(bytes.len()).map_err(too_large)?)?;
            nbt.array_bytes(bytes)?;
        }
        nbt.end_compound()?;
    }
    nbt.end_compound()?;
    nbt.end_compound()?;
    nbt.into_inner().finish()?.flush()?;
    Ok(palette.losses)
}

/// Checks that the names of the materials that block states do not express can be read back.
fn check_names(palette: &StatePalette) -> Result<(), WriteError> {
    let is_readable = |length: usize| (1..=MAX_NAME_BYTES).contains(&length);
    match palette.materials.iter().find(|material| !is_readable(material.name.len())) {
        None => Ok(()),
        Some(material) => Err(WriteError::Material {
            name: material.name.clone(),
            reason: BlockError::NameLength(material.name.len()).to_string(),
        }),
    }
}

/// Total size of all indices as varints, in bytes.
fn data_bytes(palette: &StatePalette) -> u64 {
    let bytes = |index: u32| u64::from((u32::BITS - index.leading_zeros()).div_ceil(7).max(1));
    (0..).zip(&palette.counts).map(|(index, count)| count * bytes(index)).sum()
}
