//! The parts of a chunk's NBT data that are not blocks: entities, block entities and biomes.
//!
//! These parts are counted, because voxels cannot hold them. Plants in flower pots are the
//! exception: until 1.12 the pot's block entity names the plant.

use super::sections::{LAYER_BLOCKS, SectionColumn, SectionVoxels};
use crate::error::FormatError;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::BlockState;
use crate::minecraft::entities::{count_elements, has_content, skip_value};
use crate::minecraft::nbt_format::tags;
use crate::minecraft::nbt_stream::NbtStream;
use crate::minecraft::numeric_ids;
use crate::unread_parts::UnreadParts;

/// Parts of a chunk in addition to its blocks.
#[derive(Default, PartialEq, Debug)]
pub(super) struct ChunkExtras {
    pub entities: u64,
    /// Block entities with content, without flower pots.
    pub contents: u64,
    pub has_biomes: bool,
    /// Flower pots with a plant, until 1.12.
    pub pots: Vec<FlowerPot>,
    /// Entries of unknown meaning that hold something.
    pub unread: UnreadParts,
}

/// Names of chunk entries that are ignored here: they describe no blocks, entities or biomes, or
/// `chunk_nbt` reads them.
const KNOWN: [&str; 43] = [
    "DataVersion",
    "xPos",
    "yPos",
    "zPos",
    "Position",
    "Status",
    "status",
    "LastUpdate",
    "InhabitedTime",
    "Heightmaps",
    "HeightMap",
    "TerrainPopulated",
    "LightPopulated",
    "TileTicks",
    "LiquidTicks",
    "block_ticks",
    "fluid_ticks",
    "ToBeTicked",
    "LiquidsToBeTicked",
    "PostProcessing",
    "CarvingMasks",
    "carving_mask",
    "Lights",
    "Structures",
    "structures",
    "Sections",
    "V",
    "Blocks",
    "Data",
    "SkyLight",
    "BlockLight",
    "isLightOn",
    "starlight.light_version",
    "UpgradeData",
    "blending_data",
    "below_zero_retrogen",
    "hasLegacyStructureData",
    "ForgeDataVersion",
    "shouldSave",
    "noSave",
    "light_correct",
    "ChunkBukkitValues",
    "LightingVersion",
];

/// A flower pot with a plant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FlowerPot {
    /// Position in the world: x, y, z.
    pub pos: [i64; 3],
    /// Name of the block, with its plant.
    pub name: String,
}

impl ChunkExtras {
    /// Reads the extras of a chunk.
    ///
    /// # Errors
    /// The data is malformed.
    pub(super) fn read(data: &[u8]) -> Result<ChunkExtras, FormatError> {
        let mut extras = ChunkExtras::default();
        NbtStream::new(Box::new(data)).root(&mut |stream, tag, name| match (name, tag) {
            // The compound around all data before 1.18.
            ("Level", tags::COMPOUND) => {
                stream.compound(tag, &mut |stream, tag, name| extras.read_entry(stream, tag, name))
            }
            _ => extras.read_entry(stream, tag, name),
        })?;
        Ok(extras)
    }

    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match (name, tag) {
            ("Entities" | "entities", _) => self.entities += count_elements(stream, tag)?,
            ("TileEntities" | "block_entities", tags::LIST) => {
                stream.list(tag, &mut |stream, tag| self.read_block_entity(stream, tag))?;
            }
            ("Biomes" | "Biomes16" | "Biomes16v2", _) => {
                self.has_biomes = true;
                stream.skip(tag)?;
            }
            ("sections", tags::LIST) => stream.list(tag, &mut |stream, tag| match tag {
                tags::COMPOUND => stream.compound(tag, &mut |stream, tag, name| {
                    self.has_biomes |= name == "biomes";
                    stream.skip(tag)
                }),
                _ => stream.skip(tag),
            })?,
            (name, _) if KNOWN.contains(&name) => stream.skip(tag)?,
            (name, _) => {
                let is_filled = skip_value(stream, tag)?;
                self.unread.note(&format!("entry {name} of a chunk"), is_filled.into());
            }
        }
        Ok(())
    }

    fn read_block_entity(&mut self, stream: &mut NbtStream, tag: u8) -> Result<(), FormatError> {
        if tag != tags::COMPOUND {
            return stream.skip(tag);
        }
        let mut pos = [0; 3];
        let mut is_pot = false;
        let mut plant = None;
        let mut data = 0;
        let mut content = false;
        stream.compound(tag, &mut |stream, tag, name| {
            match (name, tag) {
                ("x", tags::INT) => pos[0] = stream.integer(tag)?,
                ("y", tags::INT) => pos[1] = stream.integer(tag)?,
                ("z", tags::INT) => pos[2] = stream.integer(tag)?,
                ("id", tags::STRING) => {
                    is_pot = matches!(
                        stream.string(tag)?.as_str(),
                        "FlowerPot" | "minecraft:flower_pot"
                    );
                }
                // The plant is a name since 1.8, a number before.
                ("Item", tags::STRING) => {
                    let item = stream.string(tag)?;
                    plant = numeric_ids::plant_id(item.strip_prefix("minecraft:").unwrap_or(&item));
                    content |= !item.is_empty();
                }
                ("Item", tags::INT) => {
                    let item = stream.integer(tag)?;
                    plant = u32::try_from(item).ok();
                    content |= item != 0;
                }
                ("Data", tags::INT) => {
                    data = stream.integer(tag)?;
                    content |= data != 0;
                }
                _ => content |= has_content(stream, tag, name)?,
            }
            Ok(())
        })?;
        match plant.and_then(|plant| numeric_ids::potted(plant, data as u8 & 15)) {
            Some(name) if is_pot => self.pots.push(FlowerPot { pos, name }),
            _ => self.contents += u64::from(content),
        }
        Ok(())
    }

    /// Puts the plants into the flower pots of a chunk.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(super) fn fill_pots(
        &self,
        column: &mut SectionColumn,
        blocks: &mut BlockMapper,
    ) -> Result<(), BlockError> {
        // A damaged file can have a pot's block entity where there is no pot.
        let empty = blocks.voxel_for_vanilla_id(140, 0)?;
        for FlowerPot { pos: [x, y, z], name } in &self.pots {
            let section = i32::try_from(y >> 4).ok().and_then(|height| column.get_mut(&height));
            if let Some(SectionVoxels::Each(voxels)) = section {
                let index =
                    (y & 15) as usize * LAYER_BLOCKS + (z & 15) as usize * 16 + (x & 15) as usize;
                if voxels[index] == empty {
                    let state = BlockState { name: name.as_str().into(), properties: None };
                    voxels[index] = blocks.voxel_for_state(&state)?;
                }
            }
        }
        Ok(())
    }
}
