//! Reads Sponge schematics of versions 1 to 3.

use super::exception_runs::{RunDecoder, ValueForm};
use super::material_list::{self, MAX_TEXT_BYTES};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::BlockState;
use crate::minecraft::entities::{count_block_entities, count_elements, skip_value};
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_format::tags;
use crate::minecraft::nbt_stream::{ArraySpan, NbtStream};
use crate::progress::{Progress, report};
use crate::schematic::block_data::{BlockDataError, MAX_PALETTE_LEN, SchematicPaletteError};
use crate::schematic::dimensions::{Dimensions, saturating_volume};
use crate::voxel_box::VoxelBox;
use glam::IVec3;
use stonerun_engine::voxel::{MaterialId, Voxel};

/// The parts of a schematic, found by the first pass over the file.
struct SpongeHeader {
    version: Option<i64>,
    dimensions: Dimensions,
    blocks: BlockMapper,
    /// Voxels by index; [`Voxel::NOT_LOADED`] where the palette has no entry.
    palette: Vec<Voxel>,
    /// True for each block that loses its shape, by palette index. May be shorter than the palette.
    loses_shape: Vec<bool>,
    losses: ImportLosses,
    data: Option<ArraySpan>,
    occupancies: Option<ArraySpan>,
    liquids: Option<ArraySpan>,
    materials: Option<ArraySpan>,
    material_runs: Option<ArraySpan>,
    /// Checksum that the block data must have for occupancies, materials and material runs to
    /// apply.
    checksum: Option<u32>,
}

impl SpongeHeader {
    fn new() -> SpongeHeader {
        SpongeHeader {
            version: None,
            dimensions: Dimensions::default(),
            blocks: BlockMapper::new(),
            palette: vec![],
            loses_shape: vec![],
            losses: ImportLosses::default(),
            data: None,
            occupancies: None,
            liquids: None,
            materials: None,
            material_runs: None,
            checksum: None,
        }
    }

    /// Reads an entry of the root compound, or in version 3 of the compound `Schematic`, which
    /// holds all others.
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
        outermost: bool,
    ) -> Result<(), FormatError> {
        if self.dimensions.read_entry(stream, tag, name)? {
            return Ok(());
        }
        match (name, tag) {
            ("Schematic", tags::COMPOUND) if outermost => stream
                .compound(tag, &mut |stream, tag, name| self.read_entry(stream, tag, name, false)),
            ("Version", _) => {
                self.version = Some(stream.integer(tag)?);
                Ok(())
            }
            ("Blocks", tags::COMPOUND) => {
                stream.compound(tag, &mut |stream, tag, name| match name {
                    "Palette" => self.read_palette(stream, tag),
                    "Data" => self.find_data(stream, tag),
                    _ => self.count_losses(stream, tag, name),
                })
            }
            ("DataVersion" | "Offset" | "PaletteMax" | "BiomePaletteMax" | "BiomePalette", _) => {
                stream.skip(tag)
            }
            ("Palette", _) => self.read_palette(stream, tag),
            ("BlockData", _) => self.find_data(stream, tag),
            ("Metadata", tags::COMPOUND) => {
                stream.compound(tag, &mut |stream, tag, name| match (name, tag) {
                    ("Stonerun", tags::COMPOUND) => stream
                        .compound(tag, &mut |stream, tag, name| {
                            self.read_own_entry(stream, tag, name)
                        }),
                    _ => stream.skip(tag),
                })
            }
            ("Metadata", _) => stream.skip(tag),
            _ => self.count_losses(stream, tag, name),
        }
    }

    /// Counts the parts of the entry `name` that are not imported, whether their meaning is known
    /// or not.
    fn count_losses(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "Entities" => self.losses.entities += count_elements(stream, tag)?,
            "BlockEntities" | "TileEntities" => {
                self.losses.contents += count_block_entities(stream, tag)?
            }
            "BiomeData" | "Biomes" => {
                self.losses.biomes = 1;
                stream.skip(tag)?;
            }
            _ => {
                let is_filled = skip_value(stream, tag)?;
                self.blocks.unread.note(&format!("entry {name}"), is_filled.into());
            }
        }
        Ok(())
    }

    fn read_palette(&mut self, stream: &mut NbtStream, tag: u8) -> Result<(), FormatError> {
        stream.compound(tag, &mut |stream, tag, name| {
            let index = stream.integer(tag)?;
            let Some(index) = usize::try_from(index).ok().filter(|index| *index < MAX_PALETTE_LEN)
            else {
                return Err(stream.error(SchematicPaletteError::Index(index)));
            };
            let state = BlockState::parse(name).map_err(|error| stream.error(error))?;
            let voxel = self.blocks.voxel_for_state(&state).map_err(|error| stream.error(error))?;
            if index >= self.palette.len() {
                self.palette.resize(index + 1, Voxel::NOT_LOADED);
            }
            self.palette[index] = voxel;
            if state.is_lost() || index < self.loses_shape.len() {
                self.loses_shape.resize(self.loses_shape.len().max(index + 1), false);
                self.loses_shape[index] = state.is_lost();
            }
            Ok(())
        })
    }

    fn find_data(&mut self, stream: &mut NbtStream, tag: u8) -> Result<(), FormatError> {
        self.data = Some(stream.byte_array(tag)?);
        Ok(())
    }

    fn read_own_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "Occupancies" => self.occupancies = Some(stream.byte_array(tag)?),
            "Liquids" => self.liquids = Some(stream.byte_array(tag)?),
            "Materials" => self.materials = Some(stream.byte_array(tag)?),
            "MaterialRuns" => self.material_runs = Some(stream.byte_array(tag)?),
            // The CRC-32 is stored as a signed 32-bit integer.
            "Checksum" => self.checksum = Some(stream.integer(tag)? as u32),
            _ => stream.skip(tag)?,
        }
        Ok(())
    }

    /// Adds the materials of Stonerun's own list, and returns their ids in the order of the list.
    fn add_materials(
        &mut self,
        file: &NbtFile,
        span: ArraySpan,
    ) -> Result<Vec<MaterialId>, FormatError> {
        let bad = |reason: String| {
            let printable = |c: char| if c.is_control() { '?' } else { c };
            FormatError::new(
                "Metadata.Stonerun.Materials",
                reason.chars().take(200).map(printable).collect::<String>(),
            )
        };
        if span.bytes > MAX_TEXT_BYTES as u64 {
            return Err(bad(format!(
                "it has {} bytes; at most {MAX_TEXT_BYTES} are read",
                span.bytes
            )));
        }
        let mut bytes = file.array(span)?;
        let mut text = Vec::with_capacity(span.bytes as usize);
        while !bytes.is_done() {
            text.push(bytes.byte().map_err(|error| bad(error.to_string()))?);
        }
        let list = material_list::from_text(&text).map_err(|error| bad(error.to_string()))?;
        // Dropped early, because the table takes as much memory again.
        drop(text);
        let ids = list.into_iter().map(|material| {
            let surface = material.surface;
            let id = self.blocks.add_material(material)?;
            if !surface.is_cube() {
                self.blocks.set_surface(id, surface)?;
            }
            Ok(id)
        });
        ids.collect::<Result<_, BlockError>>().map_err(|error| bad(error.to_string()))
    }
}

/// Reads a Sponge schematic.
pub(in crate::schematic) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut header = SpongeHeader::new();
    file.walk(&mut |stream, tag, name| header.read_entry(stream, tag, name, true))?;
    report(progress, 0.2)?;
    match header.version {
        Some(1..=3) => {}
        Some(other) => {
            return Err(FormatError::new(
                "Version",
                format!("it is {other}; versions 1 to 3 are read"),
            ));
        }
        None => return Err(FormatError::new("Version", "it is missing")),
    }
    let size = header.dimensions.size()?;
    let span = header.data.ok_or_else(|| FormatError::new("blocks", "there are none"))?;
    // Each block needs at least one byte, so a false size is refused before memory is allocated.
    if u64::try_from(saturating_volume(size)).is_ok_and(|blocks| span.bytes < blocks) {
        let reason = format!(
            "{} x {} x {} blocks do not fit into {} bytes",
            size.x, size.y, size.z, span.bytes
        );
        return Err(FormatError::new("blocks", reason));
    }
    let mut voxels = VoxelBox::new(size, target)?;
    let mut data = file.array(span)?;
    // If another program has changed the blocks, the runs do not apply.
    let is_ours = header.checksum == Some(span.checksum);
    let runs = |form, span: Option<ArraySpan>| -> Result<RunDecoder, FormatError> {
        Ok(RunDecoder::new(
            form,
            span.filter(|_| is_ours).map(|span| file.array(span)).transpose()?,
        ))
    };
    let mut occupancies = runs(ValueForm::Byte, header.occupancies)?;
    let mut liquids = runs(ValueForm::Byte, header.liquids)?;
    let mut material_runs = runs(ValueForm::Varint, header.material_runs)?;
    let materials = match header.materials.filter(|_| is_ours) {
        Some(span) => header.add_materials(file, span)?,
        None => vec![],
    };
    let size = voxels.size();
    let mut shapes = 0;
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let mut next = || -> Result<Voxel, BlockDataError> {
                let index = data.varint()?;
                let voxel =
                    header.palette.get(index as usize).filter(|voxel| **voxel != Voxel::NOT_LOADED);
                let voxel = *voxel.ok_or(BlockDataError::NotInPalette(index))?;
                shapes += u64::from(header.loses_shape.get(index as usize) == Some(&true));
                let material = match material_runs.next()? {
                    Some(place) => {
                        *materials.get(place as usize).ok_or(BlockDataError::NoMaterial(place))?
                    }
                    None => voxel.material(),
                };
                // The runs store occupancies and liquids as bytes.
                let occupancy =
                    occupancies.next()?.map_or(voxel.occupancy(), |occupancy| occupancy as u8);
                let liquid = liquids.next()?.map_or(voxel.liquid(), |liquid| liquid as u8);
                Ok(header.blocks.with_liquid(Voxel::new(material, occupancy), liquid))
            };
            let voxel = next()
                .map_err(|e| FormatError::new(format!("block ({x}, {y}, {z})"), e.to_string()))?;
            if !voxel.is_air() {
                voxels.set(IVec3::new(x, y, z), voxel, header.blocks.materials())?;
            }
        }
        report(progress, 0.2 + 0.8 * (y + 1) as f32 / size.y as f32)?;
    }
    if !data.is_done() {
        let reason = format!("there are more than {} x {} x {} of them", size.x, size.y, size.z);
        return Err(FormatError::new("blocks", reason));
    }
    let mut summary = voxels.finish_blocks(header.blocks)?;
    summary.losses += ImportLosses { shapes, ..header.losses };
    Ok(summary)
}
