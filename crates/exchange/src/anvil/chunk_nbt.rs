//! The NBT data of one Minecraft chunk (16 x 16 blocks wide), in every version since Beta 1.3.
//!
//! | version | blocks |
//! |---|---|
//! | Beta 1.3 to 1.1 | `Level`: `Blocks` (8 bits) and `Data` (4 bits) of 128 layers, y, z, x |
//! | 1.2 to 1.12 | `Level.Sections[]`: `Blocks` (8 bits), `Data`, `Add` (4 bits); `section_nbt` |
//! | 1.13 to 1.15 | `Level.Sections[]`: `Palette`, `BlockStates`; an index may cross into a long |
//! | 1.16, 1.17 | the same, but no index crosses a border |
//! | 1.18 on | `sections[].block_states`: `palette`, `data`; heights below 0 |
//!
//! "y, z, x": y fastest, then z, then x.

use super::chunk_extras::ChunkExtras;
use super::section_error::SectionError;
use super::section_nbt::SectionNbt;
use super::sections::{
    BETA_CHUNK_BLOCKS, SectionColumn, SectionVoxels, column_from_beta, complete_tall_plants,
    section_from_ids, section_from_palette,
};
use crate::error::FormatError;
use crate::losses::ImportLosses;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::nbt_check::deserialize;
use serde::Deserialize;
use std::borrow::Cow;

/// Section heights that are read: y from -2048 to 4096.
const SECTION_HEIGHTS: std::ops::Range<i64> = -128..256;

#[derive(Deserialize)]
struct ChunkNbt<'a> {
    #[serde(borrow, rename = "Level")]
    level: Option<LevelNbt<'a>>,
    #[serde(borrow, rename = "Status")]
    status: Option<ChunkStatus<'a>>,
    #[serde(borrow)]
    sections: Option<Vec<SectionNbt<'a>>>,
    #[serde(borrow)]
    below_zero_retrogen: Option<RetrogenNbt<'a>>,
}

/// Entry of a chunk saved before 1.18, until a later version has generated the blocks below height
/// 0.
#[derive(Deserialize)]
struct RetrogenNbt<'a> {
    /// Status before the upgrade. During the upgrade `Status` starts again at `empty`.
    #[serde(borrow)]
    target_status: Option<ChunkStatus<'a>>,
}

/// The compound around all other data before 1.18.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct LevelNbt<'a> {
    #[serde(borrow)]
    status: Option<ChunkStatus<'a>>,
    terrain_populated: Option<bool>,
    /// Block numbers of the whole chunk before 1.2, which has no sections.
    #[serde(borrow)]
    blocks: Option<&'a [u8]>,
    #[serde(borrow)]
    data: Option<&'a [u8]>,
    #[serde(borrow)]
    sections: Option<Vec<SectionNbt<'a>>>,
}

/// A step of Minecraft's chunk generation.
#[derive(Deserialize)]
struct ChunkStatus<'a>(#[serde(borrow)] Cow<'a, str>);

impl ChunkStatus<'_> {
    /// Steps after which no more blocks are placed.
    ///
    /// Minecraft saves its own finished chunks as the last step. Chunks that it upgraded keep
    /// `mobs_spawned` (from before 1.13) or `heightmaps` (from before 1.18) until a player visits
    /// them. Later versions renamed both.
    const FINISHED: [&'static str; 10] = [
        "light",
        "lighted",
        "initialize_light",
        "spawn",
        "mobs_spawned",
        "heightmaps",
        "finalized",
        "full",
        "fullchunk",
        "postprocessed",
    ];

    fn is_finished(&self) -> bool {
        Self::FINISHED.contains(&self.0.strip_prefix("minecraft:").unwrap_or(&self.0))
    }
}

/// A chunk that Minecraft has finished.
#[derive(Default)]
pub(super) struct FinishedChunk {
    pub sections: SectionColumn,
    /// Parts that the voxels do not hold.
    pub losses: ImportLosses,
}

/// Reads a chunk's NBT data; `None` if Minecraft has not finished the chunk.
///
/// # Errors
/// The data is damaged; the error names the section. One damaged section discards the chunk, so
/// that a hole in the ground is never taken for a cave.
pub(super) fn read_column(
    data: &[u8],
    blocks: &mut BlockMapper,
) -> Result<Option<FinishedChunk>, FormatError> {
    let mut shapes = 0;
    let Some(mut sections) = read_sections(data, blocks, &mut shapes)? else { return Ok(None) };
    let extras = ChunkExtras::read(data)?;
    let bad_blocks = |error: BlockError| FormatError::new("blocks", error.to_string());
    if !extras.pots.is_empty() {
        extras.fill_pots(&mut sections, blocks).map_err(bad_blocks)?;
    }
    let ChunkExtras { entities, contents, has_biomes, unread, .. } = extras;
    blocks.unread.merge(&unread);
    let losses = ImportLosses {
        shapes,
        entities,
        contents,
        biomes: has_biomes.into(),
        ..ImportLosses::default()
    };
    Ok(Some(FinishedChunk { sections, losses }))
}

/// Reads the sections of a chunk, and counts the blocks that lose their shape.
fn read_sections(
    data: &[u8],
    blocks: &mut BlockMapper,
    lost_shapes: &mut u64,
) -> Result<Option<SectionColumn>, FormatError> {
    // The blocks of a chunk from before 1.2 are the longest list or array that is read.
    let chunk: ChunkNbt = deserialize(data, BETA_CHUNK_BLOCKS)?;
    let (status, populated, sections) = match chunk.level {
        Some(LevelNbt {
            blocks: Some(ids),
            data: metadata,
            terrain_populated,
            sections: None,
            ..
        }) => {
            if terrain_populated == Some(false) {
                return Ok(None);
            }
            let column = column_from_beta(ids, metadata, blocks);
            return column.map(Some).map_err(|error| FormatError::new("blocks", error.to_string()));
        }
        Some(level) => (level.status, level.terrain_populated, level.sections.or(chunk.sections)),
        None => {
            let target = chunk.below_zero_retrogen.and_then(|retrogen| retrogen.target_status);
            (target.or(chunk.status), None, chunk.sections)
        }
    };
    // Chunks before 1.13 have no status.
    let finished = status.map_or(populated != Some(false), |status| status.is_finished());
    let Some(sections) = sections.filter(|_| finished) else {
        return Ok(None);
    };
    let mut column = SectionColumn::new();
    for section in sections {
        let y = section.y;
        let bad_section =
            |error: SectionError| FormatError::new(format!("section {y}"), error.to_string());
        if !SECTION_HEIGHTS.contains(&y) {
            return Err(bad_section(SectionError::Height(SECTION_HEIGHTS)));
        }
        if let Some(voxels) = section_voxels(section, blocks, lost_shapes).map_err(bad_section)? {
            column.insert(y as i32, voxels);
        }
    }
    let completed = complete_tall_plants(&mut column, blocks);
    completed.map_err(|error| FormatError::new("blocks", error.to_string()))?;
    Ok(Some(column))
}

/// The voxels of a section; `None` if it holds only light.
fn section_voxels(
    section: SectionNbt,
    blocks: &mut BlockMapper,
    lost_shapes: &mut u64,
) -> Result<Option<SectionVoxels>, SectionError> {
    let voxels = match (&section.palette, section.ids.has_blocks()) {
        (Some(_), true) => return Err(SectionError::IdsAndPalette),
        (None, true) => section_from_ids(&section.ids, blocks).map(Some)?,
        (Some(palette), false) => {
            section_from_palette(palette, section.indices.as_deref(), blocks, lost_shapes)
                .map(Some)?
        }
        (None, false) => match section.missing_blocks() {
            Some(error) => return Err(error),
            None => None,
        },
    };
    for name in &section.unknown {
        blocks.unread.note(&format!("entry {name} of a section"), 1);
    }
    blocks.unread.note("further entries of a section", section.unnamed);
    Ok(voxels)
}
