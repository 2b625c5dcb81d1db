//! MCEdit's and WorldEdit's `.schematic`: block numbers from before Minecraft 1.13.
//!
//! | entry | content |
//! |---|---|
//! | `Blocks` | low 8 bits of each number, one byte per block |
//! | `Data` | 4 bits of data, one byte per block |
//! | `AddBlocks` | bits 8 to 11 of each number, two blocks per byte |
//! | `Add` | bits 8 to 15, one byte per block; old versions of Schematica |
//! | `SchematicaMapping`, `Mapping` | numbers of blocks by name |
//! | `BlockIDs` | names of blocks by number; MCEdit |
//!
//! Writers disagree on the order of the halves of a byte in `AddBlocks`. The Minecraft wiki
//! ("Schematic file format") and Schematica give the upper half to the first block, WorldEdit to
//! the second. Files with WorldEdit's entries are read in WorldEdit's order.
//!
//! Numbers are Minecraft's own unless a mapping gives them a name. Then the name decides, which may
//! be from any version.

use super::block_data::BlockDataError;
use super::dimensions::{Dimensions, saturating_volume};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::array_bytes::{ArrayBytes, ArrayError};
use crate::minecraft::block_error::{BlockError, MAX_NAME_BYTES};
use crate::minecraft::block_mapper::{BlockMapper, NumberNames};
use crate::minecraft::entities::{count_block_entities, count_elements, skip_value};
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_format::tags;
use crate::minecraft::nbt_stream::{ArraySpan, NbtStream};
use crate::progress::{Progress, report};
use crate::unread_parts::UnreadParts;
use crate::voxel_box::VoxelBox;
use glam::{I64Vec3, IVec3};
use rustc_hash::{FxHashMap, FxHashSet};
use stonerun_engine::voxel::Voxel;

/// The parts of a schematic, found by the first pass over the file.
#[derive(Default)]
struct McEditHeader {
    dimensions: Dimensions,
    blocks: Option<ArraySpan>,
    data: Option<ArraySpan>,
    /// `AddBlocks`.
    add_nibbles: Option<ArraySpan>,
    /// `Add`.
    add_bytes: Option<ArraySpan>,
    /// Edition of Minecraft whose numbers are used.
    materials: Option<String>,
    /// Numbers and names of blocks.
    mapping: Vec<(i64, String)>,
    has_mapping: bool,
    by_world_edit: bool,
    losses: ImportLosses,
    unread: UnreadParts,
}

/// Names of entries that do not describe the blocks.
const IGNORED: [&str; 9] = [
    "TileTicks",
    "ItemIDs",
    "ItemStackVersion",
    "Icon",
    "Metadata",
    "ExtendedMetadata",
    "Version",
    "Name",
    "Author",
];

/// Maximum number of entries of a mapping.
const MAX_MAPPING: usize = 1 << 16;

impl McEditHeader {
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        if self.dimensions.read_entry(stream, tag, name)? {
            return Ok(());
        }
        match name {
            "Blocks" => self.blocks = Some(stream.byte_array(tag)?),
            "Data" => self.data = Some(stream.byte_array(tag)?),
            "AddBlocks" => self.add_nibbles = Some(stream.byte_array(tag)?),
            "Add" => self.add_bytes = Some(stream.byte_array(tag)?),
            "Materials" => self.materials = Some(stream.string(tag)?),
            "SchematicaMapping" | "Mapping" | "BlockIDs" => {
                self.has_mapping |= name != "BlockIDs";
                stream
                    .compound(tag, &mut |stream, tag, name| self.read_mapped(stream, tag, name))?;
            }
            "Entities" => self.losses.entities += count_elements(stream, tag)?,
            "TileEntities" => self.losses.contents += count_block_entities(stream, tag)?,
            "Biomes" => {
                self.losses.biomes = 1;
                stream.skip(tag)?;
            }
            _ if name.starts_with("WEO") => {
                self.by_world_edit |= matches!(name, "WEOffsetX" | "WEOriginX");
                stream.skip(tag)?;
            }
            _ if IGNORED.contains(&name) => stream.skip(tag)?,
            _ => {
                let is_filled = skip_value(stream, tag)?;
                self.unread.note(&format!("entry {name}"), is_filled.into());
            }
        }
        Ok(())
    }

    /// Reads an entry of a mapping: a name with its number, or a number with its name.
    fn read_mapped(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        key: &str,
    ) -> Result<(), FormatError> {
        let (id, name) = match key.parse() {
            Ok(id) if tag == tags::STRING => (id, stream.string(tag)?),
            _ => (stream.integer(tag)?, key.to_owned()),
        };
        if name.len() > MAX_NAME_BYTES {
            return Err(stream.error(BlockError::NameLength(name.len())));
        }
        match self.mapping.len() {
            // There are 65536 numbers, so a longer list repeats some.
            MAX_MAPPING => self.unread.note("entry of a long mapping", 1),
            _ => self.mapping.push((id, name)),
        }
        Ok(())
    }

    /// Checks that the numbers belong to the Java Edition.
    fn check_edition(&self) -> Result<(), FormatError> {
        match &self.materials {
            Some(other) if other != "Alpha" => {
                let other: String = other.chars().filter(|c| !c.is_control()).take(20).collect();
                let reason = format!(
                    "block numbers of \"{other}\" are not read, only those of \"Alpha\" (Java Edition)"
                );
                Err(FormatError::new("Materials", reason))
            }
            _ => Ok(()),
        }
    }

    /// Checks the lengths of the arrays against the size.
    fn check_lengths(&self, size: I64Vec3) -> Result<(), FormatError> {
        // A saturated volume matches no array. A size out of range is refused later.
        let blocks = saturating_volume(size) as u64;
        for (name, span, expected) in [
            ("Blocks", self.blocks, blocks),
            ("Data", self.data, blocks),
            ("Add", self.add_bytes, blocks),
            ("AddBlocks", self.add_nibbles, blocks.div_ceil(2)),
        ] {
            if let Some(ArraySpan { bytes, .. }) = span.filter(|span| span.bytes != expected) {
                let reason = format!(
                    "{} x {} x {} blocks need {expected} bytes, not {bytes}",
                    size.x, size.y, size.z
                );
                return Err(FormatError::new(name, reason));
            }
        }
        Ok(())
    }
}

/// Reader of the bits of each number from bit 8 on.
enum HighBits<'a> {
    Absent,
    Bytes(ArrayBytes<'a>),
    Nibbles {
        array: ArrayBytes<'a>,
        /// True if the upper half of a byte belongs to the first of its two blocks.
        high_first: bool,
        /// The unused half of the last byte.
        pending: Option<u8>,
    },
}

impl HighBits<'_> {
    fn next(&mut self) -> Result<u32, ArrayError> {
        Ok(u32::from(match self {
            HighBits::Absent => 0,
            HighBits::Bytes(array) => array.byte()?,
            HighBits::Nibbles { array, high_first, pending } => match pending.take() {
                Some(nibble) => nibble,
                None => {
                    let byte = array.byte()?;
                    let (first, second) =
                        if *high_first { (byte >> 4, byte & 15) } else { (byte & 15, byte >> 4) };
                    *pending = Some(second);
                    first
                }
            },
        }))
    }
}

/// Reads an MCEdit schematic.
pub(super) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut header = McEditHeader::default();
    file.walk(&mut |stream, tag, name| header.read_entry(stream, tag, name))?;
    report(progress, 0.2)?;
    header.check_edition()?;
    let size = header.dimensions.size()?;
    let blocks = header.blocks.ok_or_else(|| FormatError::new("Blocks", "it is missing"))?;
    header.check_lengths(size)?;
    let mut voxels = VoxelBox::new(size, target)?;

    let mut low_bits = file.array(blocks)?;
    let mut data = header.data.map(|span| file.array(span)).transpose()?;
    let mut high_bits = match (header.add_nibbles, header.add_bytes) {
        (Some(nibbles), _) => {
            let high_first = header.has_mapping || !header.by_world_edit;
            HighBits::Nibbles { array: file.array(nibbles)?, high_first, pending: None }
        }
        (None, Some(bytes)) => HighBits::Bytes(file.array(bytes)?),
        (None, None) => HighBits::Absent,
    };
    let mut ids = IdMapper::new(header.mapping, &header.unread);
    let size = voxels.size();
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let mut next = || -> Result<Voxel, BlockDataError> {
                let id = u32::from(low_bits.byte()?) | high_bits.next()? << 8;
                let data = data.as_mut().map_or(Ok(0), ArrayBytes::byte)?;
                Ok(ids.voxel((x, z), id, data)?)
            };
            let voxel = next()
                .map_err(|e| FormatError::new(format!("block ({x}, {y}, {z})"), e.to_string()))?;
            if !voxel.is_air() {
                voxels.set(IVec3::new(x, y, z), voxel, ids.blocks.materials())?;
            }
        }
        ids.next_layer();
        report(progress, 0.2 + 0.8 * (y + 1) as f32 / size.y as f32)?;
    }
    let mut summary = voxels.finish_blocks(ids.blocks)?;
    summary.losses += header.losses;
    Ok(summary)
}

/// Maximum number of two-block plants per layer that are remembered for their upper halves. The
/// upper halves of further plants become tall grass.
const MAX_TALL_PLANTS: usize = 1 << 16;

/// Maps the block numbers of one file to voxels.
struct IdMapper {
    blocks: BlockMapper,
    last: Option<MappedBlock>,
    /// Numbers and data that were noted as unread.
    noted: FxHashSet<(u32, u8)>,
    /// Plants and doors of this layer whose upper half is in the layer above, by x and z.
    plants: FxHashMap<(i32, i32), Voxel>,
    /// Plants of the layer below, by x and z.
    plants_below: FxHashMap<(i32, i32), Voxel>,
}

/// The last mapped block. Neighbouring blocks are often equal.
#[derive(Clone, Copy)]
struct MappedBlock {
    id: u32,
    data: u8,
    voxel: Voxel,
}

impl IdMapper {
    fn new(mapping: Vec<(i64, String)>, unread: &UnreadParts) -> IdMapper {
        let mut blocks = BlockMapper::new();
        blocks.unread.merge(unread);
        blocks.name_numbers(NumberNames::Mapping, mapping);
        IdMapper {
            blocks,
            last: None,
            noted: FxHashSet::default(),
            plants: FxHashMap::default(),
            plants_below: FxHashMap::default(),
        }
    }

    /// The voxel of the block at x, z of the current layer.
    fn voxel(&mut self, at: (i32, i32), id: u32, data: u8) -> Result<Voxel, BlockError> {
        let low = data & 15;
        let block = match self.last {
            Some(last) if (last.id, last.data) == (id, data) => last,
            _ => {
                if data != low && self.noted.insert((id, data)) {
                    self.blocks.unread.note(&format!("data {data} of block number {id}"), 1);
                }
                let voxel = self.blocks.voxel_for_id(id, low)?;
                *self.last.insert(MappedBlock { id, data, voxel })
            }
        };
        let mut voxel = block.voxel;
        if self.blocks.is_upper_half(id, low) {
            voxel = self.plants_below.get(&at).copied().unwrap_or(voxel);
        } else if self.blocks.is_upper_door(voxel) {
            let lower = self.plants_below.get(&at).copied().unwrap_or_default();
            voxel = self.blocks.upper_door(lower, voxel)?;
        } else if (self.blocks.is_tall_plant(voxel) || self.blocks.is_lower_door(voxel))
            && self.plants.len() < MAX_TALL_PLANTS
        {
            self.plants.insert(at, voxel);
        }
        Ok(voxel)
    }

    /// Goes on to the layer above.
    fn next_layer(&mut self) {
        std::mem::swap(&mut self.plants, &mut self.plants_below);
        self.plants.clear();
    }
}
