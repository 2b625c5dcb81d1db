//! Conversion of sections (16^3 blocks) and columns: block numbers or palette indices to voxels.

use super::packed_indices::{SECTION_BLOCKS, unpack_indices};
use super::section_error::SectionError;
use super::section_nbt::IdArrays;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::BlockState;
use fastnbt::ByteArray;
use std::collections::{BTreeMap, BTreeSet};
use stonerun_engine::voxel::Voxel;

/// Blocks in a layer of a section.
pub(super) const LAYER_BLOCKS: usize = 16 * 16;
/// Blocks of a chunk before 1.2: 16 x 128 x 16.
pub(super) const BETA_CHUNK_BLOCKS: usize = 8 * SECTION_BLOCKS;

/// The voxels of a section.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SectionVoxels {
    /// Voxels that are all equal.
    Uniform(Voxel),
    /// [`SECTION_BLOCKS`] voxels, x fastest, then z, then y.
    Each(Vec<Voxel>),
}

/// The sections of a Minecraft chunk by their height, in sections. A missing section is air.
pub(super) type SectionColumn = BTreeMap<i32, SectionVoxels>;

/// Stands for the upper half of a plant until [`complete_tall_plants`] replaces it.
const UPPER_HALF: Voxel = Voxel::NOT_LOADED;

/// Converts block numbers to voxels, and counts the blocks that lose their shape.
#[derive(Default)]
struct IdReader {
    last: Option<ReadBlock>,
    /// Numbers and data that were noted as unread. Each pair is noted once per section, as a
    /// palette entry would be.
    noted: BTreeSet<(u32, u16)>,
}

/// The last converted block. Neighbouring blocks are often equal.
#[derive(Clone, Copy)]
struct ReadBlock {
    id: u32,
    data: u16,
    voxel: Voxel,
}

/// Largest data value of a block in Minecraft.
const MAX_DATA: u16 = 15;

impl IdReader {
    fn voxel(&mut self, id: u32, data: u16, blocks: &mut BlockMapper) -> Result<Voxel, BlockError> {
        let block = match self.last {
            Some(last) if (last.id, last.data) == (id, data) => last,
            _ => {
                if data > MAX_DATA && self.noted.insert((id, data)) {
                    blocks.unread.note(&format!("data {data} of block number {id}"), 1);
                }
                let low = (data & MAX_DATA) as u8;
                let voxel = if blocks.is_upper_half(id, low) {
                    UPPER_HALF
                } else {
                    blocks.voxel_for_id(id, low)?
                };
                ReadBlock { id, data, voxel }
            }
        };
        self.last = Some(block);
        Ok(block.voxel)
    }
}

/// Gives the upper half of each plant the voxel of its lower half, or tall grass where the block
/// below is no tall plant.
///
/// # Errors
/// The number of materials exceeds its limit.
pub(super) fn complete_tall_plants(
    column: &mut SectionColumn,
    blocks: &mut BlockMapper,
) -> Result<(), BlockError> {
    let mut below = [Voxel::AIR; LAYER_BLOCKS];
    let mut below_y = i32::MIN;
    let mut grass = None;
    for (&y, section) in column {
        if below_y.checked_add(1) != Some(y) {
            below = [Voxel::AIR; LAYER_BLOCKS];
        }
        below_y = y;
        match section {
            SectionVoxels::Uniform(all) => below = [*all; LAYER_BLOCKS],
            SectionVoxels::Each(voxels) => {
                for at in 0..voxels.len() {
                    let own = voxels[at];
                    let is_plant = own == UPPER_HALF;
                    if is_plant || blocks.is_upper_door(own) {
                        let lower = at
                            .checked_sub(LAYER_BLOCKS)
                            .map_or(below[at % LAYER_BLOCKS], |under| voxels[under]);
                        voxels[at] = match grass {
                            _ if !is_plant => blocks.upper_door(lower, own)?,
                            _ if blocks.is_tall_plant(lower) => lower,
                            Some(grass) => grass,
                            None => *grass.insert(blocks.voxel_for_vanilla_id(175, 2)?),
                        };
                    }
                }
                below.copy_from_slice(&voxels[voxels.len() - LAYER_BLOCKS..]);
            }
        }
    }
    Ok(())
}

/// Reads a column from before 1.2, which has 128 layers in one array, as eight sections.
///
/// # Errors
/// An array has the wrong length.
pub(super) fn column_from_beta(
    ids: &[u8],
    data: Option<&[u8]>,
    blocks: &mut BlockMapper,
) -> Result<SectionColumn, SectionError> {
    const NIBBLES: usize = BETA_CHUNK_BLOCKS / 2;
    check_lengths([
        ("Blocks", ids.len(), BETA_CHUNK_BLOCKS),
        ("Data", data.map_or(NIBBLES, <[u8]>::len), NIBBLES),
    ])?;
    let nibble = |i: usize| data.map_or(0, |bytes| bytes[i / 2] >> (i % 2 * 4) & 15);
    let mut column = SectionColumn::new();
    let mut reader = IdReader::default();
    for section in 0..BETA_CHUNK_BLOCKS / SECTION_BLOCKS {
        let mut voxels = Vec::with_capacity(SECTION_BLOCKS);
        for i in 0..SECTION_BLOCKS {
            let x = i & 15;
            let y = section * 16 + (i >> 8);
            let z = i >> 4 & 15;
            let index = (x * 16 + z) * 128 + y;
            voxels.push(reader.voxel(u32::from(ids[index]), u16::from(nibble(index)), blocks)?);
        }
        column.insert(section as i32, SectionVoxels::Each(voxels));
    }
    complete_tall_plants(&mut column, blocks)?;
    Ok(column)
}

/// The four bits at index `i` of an array; 0 without the array.
fn nibble(array: Option<&ByteArray>, i: usize) -> u8 {
    array.map_or(0, |bytes| bytes[i / 2] as u8 >> (i % 2 * 4) & 15)
}

/// The byte at index `i` of an array; 0 without the array.
fn byte(array: Option<&ByteArray>, i: usize) -> u8 {
    array.map_or(0, |bytes| bytes[i] as u8)
}

/// The big-endian 16-bit number at index `i` of an array.
fn short(array: &ByteArray, i: usize) -> u16 {
    u16::from_be_bytes([array[2 * i] as u8, array[2 * i + 1] as u8])
}

impl IdArrays {
    /// Checks the lengths of all arrays.
    fn check(&self) -> Result<(), SectionError> {
        const BYTES: usize = SECTION_BLOCKS;
        const NIBBLES: usize = SECTION_BLOCKS / 2;
        const SHORTS: usize = SECTION_BLOCKS * 2;
        let length = |array: &Option<ByteArray>, expected: usize| {
            array.as_ref().map_or(expected, |array| array.len())
        };
        check_lengths([
            ("Blocks", length(&self.blocks, BYTES), BYTES),
            ("Blocks16", length(&self.blocks16, SHORTS), SHORTS),
            ("Data", length(&self.data, NIBBLES), NIBBLES),
            ("Data16", length(&self.data16, SHORTS), SHORTS),
            ("Add", length(&self.add, NIBBLES), NIBBLES),
            ("BlocksB2Hi", length(&self.add2, NIBBLES), NIBBLES),
            ("BlocksB3", length(&self.third, BYTES), BYTES),
            ("Data1High", length(&self.data_high, NIBBLES), NIBBLES),
            ("Data2", length(&self.data_second, BYTES), BYTES),
        ])
    }

    /// Number and data of block `i`, after [`IdArrays::check`].
    fn block(&self, i: usize) -> Result<(u32, u16), SectionError> {
        let data = u16::from(nibble(self.data.as_ref(), i));
        let low = byte(self.blocks.as_ref(), i);
        if let Some(palette) = &self.palette {
            let index = u16::from(low) << 4 | data;
            let beyond =
                || SectionError::IndexBeyondPalette { block: i, index, palette: palette.len() };
            let state = *palette.get(usize::from(index)).ok_or_else(beyond)? as u32;
            return Ok((state >> 4, (state & 15) as u16));
        }
        let id = match &self.blocks16 {
            Some(array) => u32::from(short(array, i)),
            None => {
                let [add, second] =
                    [&self.add, &self.add2].map(|array| u32::from(nibble(array.as_ref(), i)));
                u32::from(byte(self.third.as_ref(), i)) << 16
                    | second << 12
                    | add << 8
                    | u32::from(low)
            }
        };
        let data = match &self.data16 {
            Some(array) => short(array, i),
            None => {
                let high = u16::from(nibble(self.data_high.as_ref(), i));
                u16::from(byte(self.data_second.as_ref(), i)) << 8 | high << 4 | data
            }
        };
        Ok((id, data))
    }
}

/// Reads a section from before 1.13. The upper halves of plants stay placeholders until
/// [`complete_tall_plants`].
///
/// # Errors
/// An array has the wrong length, or there are too many materials.
pub(super) fn section_from_ids(
    ids: &IdArrays,
    blocks: &mut BlockMapper,
) -> Result<SectionVoxels, SectionError> {
    ids.check()?;
    let mut voxels = Vec::with_capacity(SECTION_BLOCKS);
    let mut reader = IdReader::default();
    for i in 0..SECTION_BLOCKS {
        let (id, data) = ids.block(i)?;
        voxels.push(reader.voxel(id, data, blocks)?);
    }
    Ok(SectionVoxels::Each(voxels))
}

/// Checks arrays given as name, actual length and expected length.
fn check_lengths<const N: usize>(
    arrays: [(&'static str, usize, usize); N],
) -> Result<(), SectionError> {
    match arrays.into_iter().find(|(_, length, expected)| length != expected) {
        Some((name, length, expected)) => Err(SectionError::ArrayLength { name, length, expected }),
        None => Ok(()),
    }
}

/// Reads a section since 1.13.
///
/// # Errors
/// Palette and indices do not match, or a block has no voxel.
pub(super) fn section_from_palette(
    palette: &[BlockState],
    indices: Option<&[i64]>,
    blocks: &mut BlockMapper,
    lost_shapes: &mut u64,
) -> Result<SectionVoxels, SectionError> {
    if palette.len() > SECTION_BLOCKS {
        return Err(SectionError::PaletteLength(palette.len()));
    }
    let voxels =
        palette.iter().map(|state| blocks.voxel_for_state(state)).collect::<Result<Vec<_>, _>>()?;
    // Since 1.18 a section with one palette entry has no indices.
    let packed = match (indices, voxels.as_slice()) {
        (None | Some([]), &[all]) => {
            *lost_shapes += if palette[0].is_lost() { SECTION_BLOCKS as u64 } else { 0 };
            return Ok(SectionVoxels::Uniform(all));
        }
        (_, []) => return Err(SectionError::EmptyPalette),
        (None, entries) => return Err(SectionError::NoIndices(entries.len())),
        (Some(packed), _) => packed,
    };
    let indices = unpack_indices(packed, palette.len())?;
    for run in indices.chunk_by(|a, b| a == b) {
        let lost = palette.get(usize::from(run[0])).is_some_and(BlockState::is_lost);
        *lost_shapes += if lost { run.len() as u64 } else { 0 };
    }
    indices
        .iter()
        .enumerate()
        .map(|(block, &index)| {
            let beyond =
                || SectionError::IndexBeyondPalette { block, index, palette: voxels.len() };
            voxels.get(usize::from(index)).copied().ok_or_else(beyond)
        })
        .collect::<Result<_, _>>()
        .map(SectionVoxels::Each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_with_bad_palette_or_index_is_refused() {
        let state = |name: &'static str| BlockState { name: name.into(), properties: None };
        let palette = [state("minecraft:stone"), state("minecraft:dirt"), state("minecraft:air")];
        // Sixteen indices of four bits per long.
        let mut data = vec![0; SECTION_BLOCKS / 16];
        data[77 / 16] = 3 << (77 % 16 * 4);
        let error = section_from_palette(&palette, Some(&data), &mut BlockMapper::new(), &mut 0)
            .unwrap_err()
            .to_string();
        assert_eq!(error, "block 77 has the index 3, but the palette has 3 entries");
        let error = section_from_palette(&palette, None, &mut BlockMapper::new(), &mut 0)
            .unwrap_err()
            .to_string();
        assert_eq!(error, "its palette has 3 entries, but there are no indices");
        let error = section_from_palette(&[], None, &mut BlockMapper::new(), &mut 0).unwrap_err();
        assert!(matches!(error, SectionError::EmptyPalette), "{error}");
    }
}
