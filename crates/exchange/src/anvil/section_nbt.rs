//! The NBT data of a section.
//!
//! Until 1.12 a section has arrays of block numbers and data. Mods with more than 4,096 block
//! numbers add arrays or replace them:
//!
//! | array | content |
//! |---|---|
//! | `Blocks`, `Add` | bits 0 to 7 and 8 to 11 of each number |
//! | `BlocksB2Hi`, `BlocksB3` | bits 12 to 15 and 16 to 23; EndlessIDs |
//! | `Add2` | bits 12 to 15; NotEnoughIDs for 1.12 |
//! | `Blocks16` | 16 bits, highest byte first, instead of `Blocks`; NotEnoughIDs |
//! | `Data`, `Data1High`, `Data2` | bits 0 to 3, 4 to 7 and 8 to 15 of the data; EndlessIDs |
//! | `Data16` | 16 bits, highest byte first, instead of `Data`; NotEnoughIDs |
//! | `Palette` of integers | number and data, indexed by `Blocks` and `Data`; JustEnoughIDs |
//!
//! Since 1.13 a section has a palette of block states. Any other entry is reported. A section whose
//! blocks could only be in unknown entries is refused, because it would become air.

use super::section_error::SectionError;
use crate::minecraft::block_state::BlockState;
use fastnbt::{ByteArray, IntArray, LongArray};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Maximum number of unknown entries that are named per section.
const MAX_UNKNOWN: usize = 8;

/// A section as stored in the file.
#[derive(Default)]
pub(super) struct SectionNbt<'a> {
    pub y: i64,
    pub ids: IdArrays,
    /// `Palette` or `block_states.palette`.
    pub palette: Option<Vec<BlockState<'a>>>,
    /// `BlockStates` or `block_states.data`.
    pub indices: Option<LongArray>,
    /// True if there is an entry `block_states`.
    pub has_states: bool,
    /// Names of unknown entries.
    pub unknown: Vec<String>,
    /// Number of unknown entries beyond the named ones.
    pub unnamed: u64,
    /// True if an unknown entry is an array, a list or a compound, and not empty.
    pub has_unknown_content: bool,
}

/// The arrays of block numbers and data.
#[derive(Default)]
pub(super) struct IdArrays {
    pub blocks: Option<ByteArray>,
    pub add: Option<ByteArray>,
    /// `Add2` or `BlocksB2Hi`: bits 12 to 15.
    pub add2: Option<ByteArray>,
    /// `BlocksB3`: bits 16 to 23.
    pub third: Option<ByteArray>,
    pub blocks16: Option<ByteArray>,
    pub data: Option<ByteArray>,
    pub data_high: Option<ByteArray>,
    pub data_second: Option<ByteArray>,
    pub data16: Option<ByteArray>,
    pub palette: Option<IntArray>,
}

impl IdArrays {
    /// True if the arrays hold the numbers of the blocks.
    pub(super) fn has_blocks(&self) -> bool {
        self.blocks.is_some() || self.blocks16.is_some()
    }

    /// True if there is any array.
    pub(super) fn has_any(&self) -> bool {
        let arrays = [
            &self.add,
            &self.add2,
            &self.third,
            &self.data,
            &self.data_high,
            &self.data_second,
            &self.data16,
        ];
        self.has_blocks() || self.palette.is_some() || arrays.iter().any(|array| array.is_some())
    }

    /// The field for the array of this name.
    fn array(&mut self, name: &str) -> Option<&mut Option<ByteArray>> {
        Some(match name {
            "Blocks" => &mut self.blocks,
            "Add" => &mut self.add,
            "BlocksB2Hi" | "Add2" => &mut self.add2,
            "BlocksB3" => &mut self.third,
            "Blocks16" | "Block16" => &mut self.blocks16,
            "Data" => &mut self.data,
            "Data1High" => &mut self.data_high,
            "Data2" => &mut self.data_second,
            "Data16" => &mut self.data16,
            _ => return None,
        })
    }
}

/// True for entries that do not describe the blocks.
fn is_ignorable(name: &str) -> bool {
    matches!(name, "BlockLight" | "SkyLight" | "biomes" | "Biomes")
        || name.starts_with("starlight.")
}

impl<'a> SectionNbt<'a> {
    /// The reason to refuse a section without blocks in a known form; `None` if the section holds
    /// only light.
    pub(super) fn missing_blocks(&self) -> Option<SectionError> {
        if self.has_unknown_content {
            Some(SectionError::UnknownLayout(self.unknown.join(", ")))
        } else if self.ids.has_any() {
            Some(SectionError::NoBlocks)
        } else if self.indices.is_some() {
            Some(SectionError::IndicesWithoutPalette)
        } else {
            self.has_states.then_some(SectionError::NoPalette)
        }
    }

    fn add_unknown(&mut self, name: Cow<str>, has_content: bool) {
        self.has_unknown_content |= has_content;
        if self.unknown.len() == MAX_UNKNOWN {
            self.unnamed += 1;
            return;
        }
        let printable = |c: char| if c.is_control() { '?' } else { c };
        self.unknown.push(name.chars().take(30).map(printable).collect());
    }

    /// Reads the compound `block_states`.
    fn set_states(&mut self, states: StatesNbt<'a>) {
        self.has_states = true;
        self.palette = states.palette.or(self.palette.take());
        self.indices = states.data.or(self.indices.take());
        for (name, has_content) in states.unknown {
            self.add_unknown(name.into(), has_content);
        }
    }
}

/// The compound `block_states`, since 1.18.
#[derive(Default)]
struct StatesNbt<'a> {
    palette: Option<Vec<BlockState<'a>>>,
    data: Option<LongArray>,
    /// Unknown entries: name, and true if the entry holds something.
    unknown: Vec<(String, bool)>,
}

struct StatesVisitor;

impl<'de> Visitor<'de> for StatesVisitor {
    type Value = StatesNbt<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("block states")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<StatesNbt<'de>, M::Error> {
        let mut states = StatesNbt::default();
        while let Some(name) = map.next_key::<Cow<str>>()? {
            match &*name {
                "palette" | "Palette" => states.palette = Some(map.next_value()?),
                "data" | "Data" => states.data = Some(map.next_value()?),
                _ => {
                    let content = map.next_value::<SkippedValue>()?;
                    states.unknown.push((name.into_owned(), content.0));
                }
            }
        }
        Ok(states)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for StatesNbt<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StatesNbt<'a>, D::Error> {
        deserializer.deserialize_map(StatesVisitor)
    }
}

/// The entry `Palette`: block states since 1.13, or the numbers of JustEnoughIDs.
enum PaletteNbt<'a> {
    States(Vec<BlockState<'a>>),
    Numbers(IntArray),
}

struct PaletteVisitor;

impl<'de> Visitor<'de> for PaletteVisitor {
    type Value = PaletteNbt<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a palette")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, elements: S) -> Result<PaletteNbt<'de>, S::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(elements)).map(PaletteNbt::States)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<PaletteNbt<'de>, M::Error> {
        IntArray::deserialize(MapAccessDeserializer::new(map)).map(PaletteNbt::Numbers)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for PaletteNbt<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PaletteNbt<'a>, D::Error> {
        deserializer.deserialize_any(PaletteVisitor)
    }
}

/// A skipped value: true if it is an array, a list or a compound that is not empty.
struct SkippedValue(bool);

struct SkippedValueVisitor;

impl<'de> Visitor<'de> for SkippedValueVisitor {
    type Value = SkippedValue;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<SkippedValue, E> {
        Ok(SkippedValue(false))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<SkippedValue, E> {
        Ok(SkippedValue(false))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<SkippedValue, E> {
        Ok(SkippedValue(false))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<SkippedValue, S::Error> {
        let mut is_filled = false;
        while elements.next_element::<IgnoredAny>()?.is_some() {
            is_filled = true;
        }
        Ok(SkippedValue(is_filled))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<SkippedValue, M::Error> {
        let mut is_filled = false;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            is_filled = true;
        }
        Ok(SkippedValue(is_filled))
    }
}

impl<'de> Deserialize<'de> for SkippedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SkippedValue, D::Error> {
        deserializer.deserialize_any(SkippedValueVisitor)
    }
}

struct SectionVisitor;

impl<'de> Visitor<'de> for SectionVisitor {
    type Value = SectionNbt<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a section")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<SectionNbt<'de>, M::Error> {
        let mut section = SectionNbt::default();
        let mut y = None;
        while let Some(name) = map.next_key::<Cow<str>>()? {
            if let Some(array) = section.ids.array(&name) {
                *array = Some(map.next_value()?);
                continue;
            }
            match &*name {
                "Y" => y = Some(map.next_value()?),
                "Palette" => match map.next_value()? {
                    PaletteNbt::States(states) => section.palette = Some(states),
                    PaletteNbt::Numbers(numbers) => section.ids.palette = Some(numbers),
                },
                "BlockStates" => section.indices = Some(map.next_value()?),
                "block_states" => section.set_states(map.next_value()?),
                name if is_ignorable(name) => drop(map.next_value::<IgnoredAny>()?),
                _ => {
                    let content = map.next_value::<SkippedValue>()?;
                    section.add_unknown(name, content.0);
                }
            }
        }
        section.y = y.ok_or_else(|| M::Error::missing_field("Y"))?;
        Ok(section)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for SectionNbt<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SectionNbt<'a>, D::Error> {
        deserializer.deserialize_map(SectionVisitor)
    }
}
