//! The NBT data of a Minecraft chunk, as Minecraft 1.18 reads it.
//!
//! Minecraft computes light and height maps itself when it loads a chunk without them.

use crate::anvil::packed_indices::pack_indices;
use crate::minecraft::nbt_writer::NbtWriter;
use crate::minecraft::state_palette::StatePalette;
use glam::IVec2;
use std::io;
use std::ops::Range;

/// Sections of Minecraft's own overworld. A chunk has at least these, because Minecraft writes
/// sections of air, too.
const OVERWORLD: Range<i32> = -4..20;
/// Biome of all blocks: maps have no biomes.
const BIOME: &str = "minecraft:plains";

/// Writes chunks with the states of a palette.
pub(super) struct ChunkContent<'a> {
    palette: &'a StatePalette,
    /// Heights of the sections.
    sections: Range<i32>,
}

impl<'a> ChunkContent<'a> {
    /// Chunks with blocks at these heights, in blocks.
    pub(super) fn new(palette: &'a StatePalette, heights: &Range<i32>) -> ChunkContent<'a> {
        let lowest = heights.start.div_euclid(16).min(OVERWORLD.start);
        let highest = (heights.end - 1).div_euclid(16).max(OVERWORLD.end - 1);
        ChunkContent { palette, sections: lowest..highest + 1 }
    }

    /// The data of the chunk at `place` (x, z). `section` gives the indices of the blocks of the
    /// section at a height, `None` for air.
    ///
    /// # Errors
    /// A block state is malformed.
    pub(super) fn nbt(
        &self,
        place: IVec2,
        section: impl Fn(i32) -> Option<Vec<u32>>,
    ) -> io::Result<Vec<u8>> {
        let mut nbt = NbtWriter::new(vec![]);
        nbt.begin_compound("")?;
        nbt.int("DataVersion", self.palette.data_version)?;
        nbt.int("xPos", place.x)?;
        nbt.int("yPos", self.sections.start)?;
        nbt.int("zPos", place.y)?;
        nbt.string("Status", "minecraft:full")?;
        nbt.long("LastUpdate", 0)?;
        nbt.long("InhabitedTime", 0)?;
        nbt.byte("isLightOn", 0)?;
        nbt.begin_compounds("sections", self.sections.len() as i32)?;
        for y in self.sections.clone() {
            // The heights of a dimension are less than 128 sections from 0.
            nbt.byte("Y", y as i8)?;
            self.write_blocks(&mut nbt, section(y))?;
            nbt.begin_compound("biomes")?;
            nbt.strings("palette", &[BIOME])?;
            nbt.end_compound()?;
            nbt.end_compound()?;
        }
        // Block entities of the chunk go here. Entities have region files of their own.
        nbt.empty_list("block_entities")?;
        nbt.empty_list("block_ticks")?;
        nbt.empty_list("fluid_ticks")?;
        nbt.end_compound()?;
        Ok(nbt.into_inner())
    }

    fn write_blocks(
        &self,
        nbt: &mut NbtWriter<Vec<u8>>,
        blocks: Option<Vec<u32>>,
    ) -> io::Result<()> {
        let SectionBlocks { palette, indices } = match blocks {
            Some(blocks) => SectionBlocks::new(&blocks),
            None => SectionBlocks { palette: vec![self.palette.air()], indices: vec![] },
        };
        nbt.begin_compound("block_states")?;
        nbt.begin_compounds("palette", palette.len() as i32)?;
        for &state in &palette {
            nbt.block_state(&self.palette.states[state as usize])?;
        }
        // Minecraft writes no indices into a palette of one state.
        if palette.len() > 1 {
            let longs = pack_indices(&indices, palette.len());
            nbt.begin_long_array("data", longs.len() as i32)?;
            longs.into_iter().try_for_each(|long| nbt.array_long(long))?;
        }
        nbt.end_compound()
    }
}

/// A section's own palette, of indices in the palette of the export, and its blocks.
struct SectionBlocks {
    palette: Vec<u32>,
    /// Indices in `palette`, x fastest, then z, then y.
    indices: Vec<u16>,
}

impl SectionBlocks {
    fn new(blocks: &[u32]) -> SectionBlocks {
        let mut palette: Vec<u32> = blocks.to_vec();
        palette.sort_unstable();
        palette.dedup();
        // Each block is in the palette, which has at most 4096 entries.
        let index = |block: &u32| palette.partition_point(|state| state < block) as u16;
        let indices = blocks.iter().map(index).collect();
        SectionBlocks { palette, indices }
    }
}
