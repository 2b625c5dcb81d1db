//! Structures of the Bedrock Edition (`.mcstructure`): NBT data, little-endian and uncompressed.
//!
//! | entry | content |
//! |---|---|
//! | `size` | x, y, z |
//! | `structure.block_indices` | lists of indices, z fastest, then y, then x; -1 is no block |
//! | `structure.palette.default.block_palette` | `name` and `states` of each block |
//! | `structure.entities` | entities |
//! | `structure.palette.default.block_position_data` | block entities by block number |
//!
//! The second list of indices is the water around blocks. Version 2 leaves that list out if there
//! is no water, and has arrays instead of the lists. The palette comes after the indices, and the
//! water after the blocks, so the file is read three times: for the palette, the water and the
//! blocks.
//!
//! Sources: ".mcstructure" of the Bedrock wiki, and files that Amulet has written.

use super::bedrock::{MAX_STATES, java_state};
use super::block_data::{BlockDataError, MAX_PALETTE_LEN, SchematicPaletteError};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::BlockState;
use crate::minecraft::entities::{count_elements, has_content, skip_value};
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_format::tags;
use crate::minecraft::nbt_stream::NbtStream;
use crate::progress::{Progress, report};
use crate::unread_parts::UnreadParts;
use crate::voxel_box::VoxelBox;
use glam::{I64Vec3, IVec3};
use stonerun_engine::voxel::Voxel;

/// Longest name or value of a state that is stored, in bytes.
const MAX_STATE_BYTES: usize = 64;

/// The parts of a structure, found by the first pass over the file.
struct StructureParts {
    /// Lengths along x, y and z.
    size: Vec<i64>,
    palette: Vec<Voxel>,
    /// True for a block that loses its shape, by palette index.
    loses_shape: Vec<bool>,
    blocks: BlockMapper,
    entities: u64,
    /// Block entities with content.
    contents: u64,
    has_indices: bool,
}

impl StructureParts {
    fn read_structure(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "block_indices" => {
                self.has_indices = true;
                stream.skip(tag)
            }
            "entities" => count_elements(stream, tag).map(|count| self.entities = count),
            "palette" => stream.compound(tag, &mut |stream, tag, name| match name {
                "default" => stream.compound(tag, &mut |stream, tag, name| match (name, tag) {
                    ("block_palette", _) => self.read_palette(stream, tag),
                    ("block_position_data", tags::COMPOUND) => {
                        stream.compound(tag, &mut |stream, tag, _| self.count_content(stream, tag))
                    }
                    _ => self.skip_unknown(stream, tag, name),
                }),
                _ => self.skip_unknown(stream, tag, name),
            }),
            _ => self.skip_unknown(stream, tag, name),
        }
    }

    /// Counts the data of one block: a block entity with content. Scheduled ticks are ignored.
    fn count_content(&mut self, stream: &mut NbtStream, tag: u8) -> Result<(), FormatError> {
        if tag != tags::COMPOUND {
            return stream.skip(tag);
        }
        stream.compound(tag, &mut |stream, tag, name| match name {
            "block_entity_data" => {
                self.contents += u64::from(has_content(stream, tag, name)?);
                Ok(())
            }
            "tick_queue_data" => stream.skip(tag),
            _ => self.skip_unknown(stream, tag, name),
        })
    }

    fn skip_unknown(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        let is_filled = skip_value(stream, tag)?;
        self.blocks.unread.note(&format!("entry {name}"), is_filled.into());
        Ok(())
    }

    fn read_palette(&mut self, stream: &mut NbtStream, tag: u8) -> Result<(), FormatError> {
        self.palette.clear();
        self.loses_shape.clear();
        stream.list(tag, &mut |stream, tag| {
            if self.palette.len() == MAX_PALETTE_LEN {
                return Err(stream.error(SchematicPaletteError::TooLong));
            }
            let state = read_state(stream, tag, &mut self.blocks.unread)?;
            self.palette
                .push(self.blocks.voxel_for_state(&state).map_err(|error| stream.error(error))?);
            self.loses_shape.push(state.is_lost());
            Ok(())
        })
    }
}

/// Reads a palette entry.
fn read_state(
    stream: &mut NbtStream,
    tag: u8,
    unread: &mut UnreadParts,
) -> Result<BlockState<'static>, FormatError> {
    let mut block = None;
    let mut states = Vec::new();
    let mut skipped = 0;
    stream.compound(tag, &mut |stream, tag, name| {
        match name {
            "name" => block = Some(stream.string(tag)?),
            "states" => stream.compound(tag, &mut |stream, tag, name| {
                let value = match tag {
                    tags::STRING => stream.string(tag)?,
                    tags::BYTE | tags::SHORT | tags::INT | tags::LONG => {
                        stream.integer(tag)?.to_string()
                    }
                    _ => {
                        skipped += 1;
                        return stream.skip(tag);
                    }
                };
                if states.len() < MAX_STATES && name.len().max(value.len()) <= MAX_STATE_BYTES {
                    states.push((name.to_owned(), value));
                } else {
                    skipped += 1;
                }
                Ok(())
            })?,
            // Blocks from before 1.13 have four bits of data instead of states.
            "val" => states.push(("val".to_owned(), stream.integer(tag)?.to_string())),
            "version" => stream.skip(tag)?,
            _ => {
                stream.skip(tag)?;
                skipped += 1;
            }
        }
        Ok(())
    })?;
    let name = block.ok_or_else(|| stream.error(SchematicPaletteError::NoName))?;
    unread.note(&format!("state of {name}"), skipped);
    Ok(java_state(&name, &states))
}

/// Imports a `.mcstructure` file. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or too large, or holds nothing but air; or `progress` cancels.
pub(crate) fn import(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    file.check_first_tag("a Bedrock structure")?;
    let mut parts = StructureParts {
        size: vec![],
        palette: vec![],
        loses_shape: vec![],
        blocks: BlockMapper::new(),
        entities: 0,
        contents: 0,
        has_indices: false,
    };
    file.walk(&mut |stream, tag, name| match name {
        "size" => stream.integers(tag, &mut |_, side| {
            if parts.size.len() < 4 {
                parts.size.push(side);
            }
            Ok(())
        }),
        "structure" => {
            stream.compound(tag, &mut |stream, tag, name| parts.read_structure(stream, tag, name))
        }
        "format_version" | "structure_world_origin" => stream.skip(tag),
        _ => parts.skip_unknown(stream, tag, name),
    })?;
    report(progress, 0.2)?;
    let [x, y, z] = parts.size[..] else {
        return Err(FormatError::new(
            "size",
            format!("it has {} sides, not three", parts.size.len()),
        ));
    };
    if !parts.has_indices {
        return Err(FormatError::new("block_indices", "they are missing"));
    }
    let mut voxels = VoxelBox::new(I64Vec3::new(x, y, z), target)?;
    let mut indices = IndexReader {
        size: voxels.size(),
        next: 0,
        parts: &parts,
        shapes: 0,
        lost: LostBlocks::default(),
        water: vec![],
    };
    for_each_layer(file, &mut |stream, tag, layer| match layer {
        0 => stream.skip(tag),
        _ => indices.read_water(stream, tag, progress),
    })?;
    for_each_layer(file, &mut |stream, tag, layer| match layer {
        0 => indices.read_blocks(stream, tag, &mut voxels, progress),
        _ => stream.skip(tag),
    })?;
    let read = indices.next;
    let shapes = indices.shapes;
    let blocks = voxels.size().as_i64vec3().element_product();
    if read != blocks {
        return Err(FormatError::new("block_indices", format!("there are {read} of {blocks}")));
    }
    let StructureParts { entities, contents, .. } = parts;
    let mut summary = voxels.finish_blocks(parts.blocks)?;
    summary.losses += ImportLosses { shapes, entities, contents, ..ImportLosses::default() };
    report(progress, 1.0)?;
    Ok(summary)
}

/// Passes each list of indices to `read`, with its number from 0. The first list has the blocks.
fn for_each_layer(
    file: &NbtFile,
    read: &mut dyn FnMut(&mut NbtStream, u8, usize) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    file.walk(&mut |stream, tag, name| match name {
        "structure" => stream.compound(tag, &mut |stream, tag, name| match name {
            "block_indices" => {
                let mut layer = 0;
                stream.list(tag, &mut |stream, tag| {
                    layer += 1;
                    read(stream, tag, layer - 1)
                })
            }
            _ => stream.skip(tag),
        }),
        _ => stream.skip(tag),
    })
}

/// Reads the indices, and sets the voxels of the blocks.
struct IndexReader<'a> {
    size: IVec3,
    /// Index of the next block.
    next: i64,
    parts: &'a StructureParts,
    /// Blocks that lost their shape or the water around them.
    shapes: u64,
    lost: LostBlocks,
    /// Height of the water around each block, as an occupancy; 0 for none. Ends with the last block
    /// in water.
    water: Vec<u8>,
}

/// The blocks that lost their shape, one bit per block, so that lost water around the same block is
/// not counted again.
#[derive(Default)]
struct LostBlocks(Vec<u64>);

impl LostBlocks {
    /// Marks a block; returns true if the block was not marked before.
    fn mark(&mut self, block: i64) -> bool {
        // `block` is less than the number of blocks in the box.
        let word = block as usize / 64;
        let bit = block as usize % 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] >> bit & 1 == 0;
        self.0[word] |= 1 << bit;
        is_new
    }
}

/// Number of blocks between two calls of `progress`.
const PROGRESS_STEP: i64 = 1 << 16;

impl IndexReader<'_> {
    /// Reads a list of what surrounds the blocks. Only water can be kept; all else is counted.
    fn read_water(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        progress: &mut Progress,
    ) -> Result<(), FormatError> {
        let materials = self.parts.blocks.materials();
        let mut at = 0;
        stream.integers(tag, &mut |stream, index| {
            self.check_block(stream, at)?;
            if at % PROGRESS_STEP == 0 {
                report(progress, 0.2 + 0.2 * self.share(at))?;
            }
            let surrounding = self
                .palette_position(at, index)
                .map_err(|error| error.map_place(|place| format!("water around {place}")))?
                .map_or(Voxel::AIR, |position| self.parts.palette[position]);
            if Some(surrounding.material()) == materials.water() {
                // `at` is less than the number of blocks in the box.
                let block = at as usize;
                self.water.resize(self.water.len().max(block + 1), 0);
                self.water[block] = self.water[block].max(surrounding.occupancy());
            } else if !surrounding.is_air() {
                self.count_lost(at);
            }
            at += 1;
            Ok(())
        })
    }

    fn read_blocks(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        voxels: &mut VoxelBox,
        progress: &mut Progress,
    ) -> Result<(), FormatError> {
        stream.integers(tag, &mut |stream, index| {
            let at = self.next;
            self.check_block(stream, at)?;
            if at % PROGRESS_STEP == 0 {
                report(progress, 0.4 + 0.5 * self.share(at))?;
            }
            self.next += 1;
            let water = self.water.get(at as usize).copied().unwrap_or(0);
            let position = self.palette_position(at, index)?;
            let block = position.map_or(Voxel::AIR, |position| self.parts.palette[position]);
            // Water reaches the same height whatever stands in it.
            let liquid = water.saturating_sub(block.occupancy()).max(block.liquid());
            let voxel = self.parts.blocks.with_liquid(block, liquid);
            let loses_shape = position.is_some_and(|position| self.parts.loses_shape[position]);
            if loses_shape || water > 0 && !voxel.is_wet() {
                self.count_lost(at);
            }
            if voxel.is_air() {
                Ok(())
            } else {
                voxels.set(self.place(at), voxel, self.parts.blocks.materials())
            }
        })
    }

    /// Refuses a block beyond the end of the box.
    fn check_block(&self, stream: &NbtStream, block: i64) -> Result<(), FormatError> {
        let blocks = self.size.as_i64vec3().element_product();
        if block < blocks {
            Ok(())
        } else {
            Err(stream.error(format!("there are more than {blocks} blocks")))
        }
    }

    /// Share of the blocks before this one.
    fn share(&self, block: i64) -> f32 {
        block as f32 / self.size.as_i64vec3().element_product() as f32
    }

    /// Position of a block in the box.
    fn place(&self, block: i64) -> IVec3 {
        let size = self.size.as_i64vec3();
        I64Vec3::new(block / (size.y * size.z), block / size.z % size.y, block % size.z).as_ivec3()
    }

    /// Checks the index of a block in the palette; `None` for -1, no block.
    fn palette_position(&self, block: i64, index: i64) -> Result<Option<usize>, FormatError> {
        if index == -1 {
            return Ok(None);
        }
        let palette = self.parts.palette.len();
        let error = match usize::try_from(index) {
            Ok(index) if index < palette => return Ok(Some(index)),
            Ok(index) => BlockDataError::IndexBeyondPalette { index, palette },
            Err(_) => BlockDataError::NegativeIndex(index),
        };
        let place = self.place(block);
        Err(FormatError::new(
            format!("block ({}, {}, {})", place.x, place.y, place.z),
            error.to_string(),
        ))
    }

    /// Counts a block that lost its shape or what surrounds it.
    fn count_lost(&mut self, block: i64) {
        self.shapes += u64::from(self.lost.mark(block));
    }
}
