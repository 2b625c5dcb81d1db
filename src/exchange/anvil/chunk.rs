//! One Minecraft chunk (a column of 16 x 16): from its NBT data to voxels, for every version since Beta 1.3.
//!
//! | version | where the blocks are |
//! |---|---|
//! | Beta 1.3 to 1.1 | `Level`: `Blocks` (8 bits) and `Data` (4 bits) of 128 layers, y fastest, then z, then x |
//! | 1.2 to 1.12 | `Level.Sections[]`: `Blocks` (8 bits), `Data` and `Add` (4 bits each) |
//! | 1.13 to 1.15 | `Level.Sections[]`: `Palette`, `BlockStates`: indices packed across the borders of longs |
//! | 1.16, 1.17 | the same, but no index crosses a border |
//! | 1.18 on | `sections[].block_states`: `palette`, `data`; heights below 0 |
//!
//! Which of the two packings it is shows in the number of longs, so the version's number is not asked. The bits are unpacked
//! by `fastanvil`, once the lengths are known to be right.

use crate::exchange::FormatError;
use crate::exchange::bounded_read::short_reason;
use crate::exchange::minecraft::blocks::{Blocks, State};
use crate::exchange::minecraft::nbt;
use crate::voxel::Voxel;
use fastanvil::{bits_per_block, expand_generic_1_15, expand_generic_1_16};
use fastnbt::{ByteArray, DeOpts, LongArray};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Blocks of a section: 16^3, x fastest, then z, then y.
pub(super) const SECTION: usize = 16 * 16 * 16;
/// Blocks of a chunk before 1.2: 16 x 128 x 16.
const OLD: usize = 8 * SECTION;
/// Sections that are read, by height: y from -2048 to 4096.
const HEIGHTS: std::ops::Range<i64> = -128..256;

#[derive(Deserialize)]
struct Root<'a> {
    #[serde(borrow, rename = "Level")]
    level: Option<Level<'a>>,
    #[serde(borrow, rename = "Status")]
    status: Option<Status<'a>>,
    #[serde(borrow)]
    sections: Option<Vec<RawSection<'a>>>,
    #[serde(borrow)]
    below_zero_retrogen: Option<Retrogen<'a>>,
}

/// What a chunk from before 1.18 has until a later version has made what is below height 0 in it.
#[derive(Deserialize)]
struct Retrogen<'a> {
    /// What it was then; meanwhile `Status` begins again at `empty`.
    #[serde(borrow)]
    target_status: Option<Status<'a>>,
}

/// What everything was inside of before 1.18.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Level<'a> {
    #[serde(borrow)]
    status: Option<Status<'a>>,
    terrain_populated: Option<bool>,
    /// Before there were sections.
    #[serde(borrow)]
    blocks: Option<&'a [u8]>,
    #[serde(borrow)]
    data: Option<&'a [u8]>,
    #[serde(borrow)]
    sections: Option<Vec<RawSection<'a>>>,
}

#[derive(Deserialize)]
struct Status<'a>(#[serde(borrow)] Cow<'a, str>);

/// The steps of making a chunk after which no more blocks come to it.
///
/// Minecraft itself saves a chunk it has made as the last of them, but one from before 1.13 that it upgraded stays
/// `mobs_spawned`, and one from before 1.18 `heightmaps`, until somebody goes there; and both have got newer names since.
const FINISHED: [&str; 10] = [
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

#[derive(Deserialize)]
struct RawSection<'a> {
    #[serde(rename = "Y")]
    y: i64,
    #[serde(rename = "Blocks")]
    blocks: Option<ByteArray>,
    #[serde(rename = "Data")]
    data: Option<ByteArray>,
    #[serde(rename = "Add")]
    add: Option<ByteArray>,
    #[serde(borrow, rename = "Palette")]
    palette: Option<Vec<State<'a>>>,
    #[serde(rename = "BlockStates")]
    states: Option<LongArray>,
    #[serde(borrow)]
    block_states: Option<BlockStates<'a>>,
}

#[derive(Deserialize)]
struct BlockStates<'a> {
    #[serde(borrow)]
    palette: Option<Vec<State<'a>>>,
    data: Option<LongArray>,
}

/// The voxels of a section.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Section {
    /// All are this.
    Uniform(Voxel),
    /// [`SECTION`] voxels, x fastest, then z, then y.
    Each(Vec<Voxel>),
}

/// The sections of a column by their height in sections; what is absent is air.
pub(super) type Column = BTreeMap<i32, Section>;

/// The voxels in a chunk's NBT data; none where Minecraft has not finished making the chunk.
///
/// # Errors
/// The data is damaged: the section, and what is wrong there. A chunk with one damaged section is left out as a whole, so
/// that a hole in the ground is never taken for a cave.
pub(super) fn column(data: &[u8], blocks: &mut Blocks) -> Result<Option<Column>, FormatError> {
    nbt::check(data).map_err(|(at, reason)| FormatError::new(format!("byte {at} of its unpacked data"), reason))?;
    // No list or array that is read here is longer than this.
    let options = DeOpts::new().max_seq_len(OLD);
    let root: Root =
        fastnbt::from_bytes_with_opts(data, options).map_err(|e| FormatError::new("NBT", short_reason(e)))?;
    let (status, populated, sections) = match root.level {
        Some(Level { blocks: Some(ids), data: raw, terrain_populated, sections: None, .. }) => {
            let finished = terrain_populated != Some(false);
            return finished
                .then(|| old(ids, raw, blocks))
                .transpose()
                .map_err(|reason| FormatError::new("blocks", reason));
        }
        Some(level) => (level.status, level.terrain_populated, level.sections),
        None => {
            let target = root.below_zero_retrogen.and_then(|retrogen| retrogen.target_status);
            (target.or(root.status), None, root.sections)
        }
    };
    let finished = match status {
        Some(Status(status)) => FINISHED.contains(&status.strip_prefix("minecraft:").unwrap_or(&status)),
        // Before 1.13.
        None => populated != Some(false),
    };
    let Some(sections) = sections.filter(|_| finished) else {
        return Ok(None);
    };
    let mut column = Column::new();
    for raw in sections {
        let y = raw.y;
        let flaw = |reason| FormatError::new(format!("section {y}"), reason);
        if !HEIGHTS.contains(&y) {
            return Err(flaw(format!("sections are read from {} up to {}", HEIGHTS.start, HEIGHTS.end - 1)));
        }
        if let Some(section) = section(raw, blocks).map_err(flaw)? {
            column.insert(y as i32, section);
        }
    }
    Ok(Some(column))
}

/// The voxels of a section; none if it holds only light.
fn section(raw: RawSection, blocks: &mut Blocks) -> Result<Option<Section>, String> {
    let (palette, data) = match raw.block_states {
        Some(BlockStates { palette, data }) => (palette, data),
        None => (raw.palette, raw.states),
    };
    match (raw.blocks, palette) {
        (Some(ids), None) => numbered(&ids, raw.data.as_deref(), raw.add.as_deref(), blocks).map(Some),
        (None, Some(palette)) => indexed(&palette, data.as_deref(), blocks).map(Some),
        (None, None) if data.is_none() => Ok(None),
        (None, None) => Err("it has indices but no palette".to_owned()),
        (Some(_), Some(_)) => Err("it has both numbers and a palette".to_owned()),
    }
}

/// Before 1.2: all 128 layers at once, as eight sections.
fn old(ids: &[u8], data: Option<&[u8]>, blocks: &mut Blocks) -> Result<Column, String> {
    for (name, length, expected) in [("Blocks", ids.len(), OLD), ("Data", data.map_or(OLD / 2, <[u8]>::len), OLD / 2)] {
        if length != expected {
            return Err(format!("{name} has {length} bytes, not {expected}"));
        }
    }
    let nibble = |i: usize| data.map_or(0, |bytes| bytes[i / 2] >> (i % 2 * 4) & 15);
    let mut column = Column::new();
    for section in 0..OLD / SECTION {
        let mut voxels = Vec::with_capacity(SECTION);
        for i in 0..SECTION {
            let (x, y, z) = (i & 15, section * 16 + (i >> 8), i >> 4 & 15);
            let index = (x * 16 + z) * 128 + y;
            voxels.push(blocks.numbered(u16::from(ids[index]), nibble(index))?);
        }
        column.insert(section as i32, Section::Each(voxels));
    }
    Ok(column)
}

/// Before 1.13.
fn numbered(ids: &[i8], data: Option<&[i8]>, add: Option<&[i8]>, blocks: &mut Blocks) -> Result<Section, String> {
    for (name, length, expected) in [
        ("Blocks", ids.len(), SECTION),
        ("Data", data.map_or(SECTION / 2, <[i8]>::len), SECTION / 2),
        ("Add", add.map_or(SECTION / 2, <[i8]>::len), SECTION / 2),
    ] {
        if length != expected {
            return Err(format!("{name} has {length} bytes, not {expected}"));
        }
    }
    let nibble = |of: Option<&[i8]>, i: usize| of.map_or(0, |bytes| bytes[i / 2] as u8 >> (i % 2 * 4) & 15);
    let mut voxels = Vec::with_capacity(SECTION);
    let mut last = None;
    for (i, &id) in ids.iter().enumerate() {
        let key = (u16::from(nibble(add, i)) << 8 | u16::from(id as u8), nibble(data, i));
        let voxel = match last {
            Some((same, voxel)) if same == key => voxel,
            _ => blocks.numbered(key.0, key.1)?,
        };
        last = Some((key, voxel));
        voxels.push(voxel);
    }
    Ok(Section::Each(voxels))
}

/// Since 1.13.
fn indexed(palette: &[State], data: Option<&[i64]>, blocks: &mut Blocks) -> Result<Section, String> {
    if palette.len() > SECTION {
        return Err(format!("its palette has {} kinds of blocks, but there are {SECTION} blocks", palette.len()));
    }
    let voxels = palette.iter().map(|state| blocks.state(state)).collect::<Result<Vec<_>, _>>()?;
    // Since 1.18 a section of one kind has no indices.
    let data = match (data, voxels.as_slice()) {
        (None | Some([]), &[all]) => return Ok(Section::Uniform(all)),
        (_, []) => return Err("its palette is empty".to_owned()),
        (None, kinds) => return Err(format!("it has {} kinds of blocks, but no indices", kinds.len())),
        (Some(data), _) => data,
    };
    let indices = unpacked(data, palette.len())?;
    let kinds = palette.len();
    indices
        .iter()
        .enumerate()
        .map(|(i, &index)| {
            let beyond = || format!("block {i} is of kind {index}, but there are {kinds} kinds");
            voxels.get(usize::from(index)).copied().ok_or_else(beyond)
        })
        .collect::<Result<_, _>>()
        .map(Section::Each)
}

/// The 4096 indices into a palette of `kinds` (1 to 4096).
fn unpacked(data: &[i64], kinds: usize) -> Result<Vec<u16>, String> {
    let bits = bits_per_block(kinds);
    let (across, padded) = (SECTION * bits / 64, SECTION.div_ceil(64 / bits));
    // Where both are the same the indices lie the same.
    let mut indices = match data.len() {
        length if length == padded => expand_generic_1_16(data, bits),
        length if length == across => expand_generic_1_15(data, bits),
        length => {
            return Err(format!("{kinds} kinds of blocks need {padded} or {across} longs of indices, not {length}"));
        }
    };
    indices.truncate(SECTION);
    Ok(indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs indices a bit at a time, as the Minecraft wiki's "Chunk format" says it.
    fn packed(indices: &[u16], bits: usize, padded: bool) -> Vec<i64> {
        let mut longs = vec![0u64; indices.len() * bits / 16 + 1];
        let mut at = 0;
        for &index in indices {
            if padded && at % 64 + bits > 64 {
                at = at.next_multiple_of(64);
            }
            for bit in 0..bits {
                longs[at / 64] |= u64::from(index >> bit & 1) << (at % 64);
                at += 1;
            }
        }
        longs.truncate(at.div_ceil(64));
        longs.into_iter().map(|long| long as i64).collect()
    }

    #[test]
    fn both_packings_of_every_width() {
        for kinds in (1..=40).chain([63, 64, 65, 128, 129, 256, 257, 511, 512, 513, 1024, 1025, 2048, 2049, 4096]) {
            let indices: Vec<u16> = (0..SECTION).map(|i| ((i * 2_654_435_761) >> 7) as u16 % kinds as u16).collect();
            let bits = (usize::BITS - (kinds - 1usize).leading_zeros()).max(4) as usize;
            for padded in [false, true] {
                let data = packed(&indices, bits, padded);
                assert_eq!(unpacked(&data, kinds).unwrap(), indices, "{kinds} kinds, padded: {padded}");
                let reason = unpacked(&data[1..], kinds).unwrap_err();
                assert!(reason.starts_with(&format!("{kinds} kinds of blocks need ")), "{reason}");
            }
        }
    }

    #[test]
    fn indices_beyond_the_palette() {
        let state = |name: &'static str| State { name: name.into(), properties: None };
        let palette = [state("minecraft:stone"), state("minecraft:dirt"), state("minecraft:air")];
        let mut indices = vec![0; SECTION];
        indices[77] = 3;
        let data = packed(&indices, 4, true);
        let error = indexed(&palette, Some(&data), &mut Blocks::new()).unwrap_err();
        assert_eq!(error, "block 77 is of kind 3, but there are 3 kinds");
        let error = indexed(&palette, None, &mut Blocks::new()).unwrap_err();
        assert_eq!(error, "it has 3 kinds of blocks, but no indices");
        assert_eq!(indexed(&[], None, &mut Blocks::new()).unwrap_err(), "its palette is empty");
    }
}
