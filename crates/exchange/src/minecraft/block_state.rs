//! Block states: a block's name, and the properties that decide its voxel.

use super::block_error::BlockError;
use super::block_table;
use std::borrow::Cow;
use stonerun_engine::voxel::Face;

/// A block with its properties, as in an entry of a palette. A property that is not stated has the
/// value of the block's default state.
#[derive(Debug)]
pub(crate) struct BlockState<'a> {
    /// Full name, with its namespace.
    pub name: Cow<'a, str>,
    /// Boxed because most states have no properties, and a hostile palette has a million entries.
    pub properties: Option<Box<BlockProperties>>,
}

/// The properties of a block, as the file spells them.
///
/// One text holds all of them, because a hostile file has hundreds of thousands of these structs.
#[derive(Default, Clone, Debug)]
pub(crate) struct BlockProperties {
    /// `name=value,name=value`, in the order of the file. Names and values are not empty, and hold
    /// none of the characters `[],=`.
    text: String,
    /// Name of the first property or entry that is not kept.
    pub unknown: Option<Box<str>>,
}

/// Longest list of properties that is kept, in bytes.
const MAX_TEXT_BYTES: usize = 1024;

impl BlockProperties {
    /// Properties from pairs of a name and a value.
    pub(crate) fn new<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> BlockProperties {
        let mut properties = BlockProperties::default();
        for (name, value) in pairs {
            properties.set(name, value);
        }
        properties
    }

    /// Stores a property. What is stored first stays. Names and values that cannot be part of a
    /// text and those beyond a limit are not kept, but noted.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let is_word = |word: &str| !word.is_empty() && !word.contains(['[', ']', ',', '=']);
        let is_too_long = self.text.len() + name.len() + value.len() + 2 > MAX_TEXT_BYTES;
        if is_too_long || !is_word(name) || !is_word(value) {
            return self.set_unknown(name);
        }
        if self.get(name).is_some() {
            return;
        }
        self.text.reserve_exact(name.len() + value.len() + 2);
        if !self.text.is_empty() {
            self.text.push(',');
        }
        self.text += name;
        self.text.push('=');
        self.text += value;
    }

    /// The value of a property.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Names and values, in the order of the file.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.split(',').filter_map(|pair| pair.split_once('='))
    }

    /// True if the block stands in water.
    pub(crate) fn is_waterlogged(&self) -> bool {
        self.get("waterlogged").is_some_and(is_true)
    }

    /// The horizontal face that `facing` names.
    pub(crate) fn facing(&self) -> Option<Face> {
        self.get("facing").and_then(side)
    }

    /// The properties in brackets, sorted by name as Minecraft writes them; empty without any. With
    /// `is_dry`, the block is stated as dry if it can be waterlogged.
    pub(crate) fn in_brackets(&self, is_dry: bool) -> String {
        let mut pairs: Vec<(&str, &str)> = self.pairs().collect();
        pairs.sort_unstable();
        let dry = |(name, value)| match name {
            "waterlogged" if is_dry => (name, "false"),
            _ => (name, value),
        };
        let texts = pairs.into_iter().map(dry).map(|(name, value)| format!("{name}={value}"));
        let list = texts.collect::<Vec<_>>().join(",");
        if list.is_empty() { list } else { format!("[{list}]") }
    }

    /// Notes a property or entry that is not kept. Only the first name is stored.
    pub(crate) fn set_unknown(&mut self, name: &str) {
        self.unknown
            .get_or_insert_with(|| name.chars().take(MAX_UNKNOWN_CHARS).collect::<String>().into());
    }
}

/// Longest stored name of a property that is not kept, in characters.
const MAX_UNKNOWN_CHARS: usize = 24;

/// The horizontal face that a property value names.
fn side(name: &str) -> Option<Face> {
    match name {
        "east" => Some(Face::East),
        "west" => Some(Face::West),
        "south" => Some(Face::South),
        "north" => Some(Face::North),
        _ => None,
    }
}

/// True for the value of a flag that is set, written as text or as a number.
pub(super) fn is_true(value: &str) -> bool {
    matches!(value, "true" | "1")
}

impl<'a> BlockState<'a> {
    /// True if nothing of the block but its water is kept.
    pub(crate) fn is_lost(&self) -> bool {
        block_table::is_water_plant(&self.name)
    }

    /// The properties; none if the file states none.
    pub(crate) fn properties(&self) -> Cow<'_, BlockProperties> {
        self.properties
            .as_deref()
            .map_or_else(|| Cow::Owned(BlockProperties::default()), Cow::Borrowed)
    }

    /// Converts to a state that does not borrow from the file.
    pub(crate) fn into_owned(self) -> BlockState<'static> {
        BlockState { name: self.name.into_owned().into(), properties: self.properties }
    }

    /// Parses `name[key=value,key=value]`. A name without a namespace gets `minecraft:`.
    ///
    /// # Errors
    /// The properties are not in brackets, or are not comma-separated `key=value` pairs.
    pub(crate) fn parse(text: &'a str) -> Result<BlockState<'a>, BlockError> {
        let malformed = || {
            let printable = |c: char| if c.is_control() { '?' } else { c };
            BlockError::Syntax(text.chars().take(60).map(printable).collect())
        };
        let (name, list) = match text.split_once('[') {
            None => (text, ""),
            Some((name, rest)) => (name, rest.strip_suffix(']').ok_or_else(malformed)?),
        };
        let mut properties = BlockProperties::default();
        for pair in list.split(',').filter(|_| !list.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(malformed)?;
            properties.set(key.trim(), value.trim());
        }
        let name = if name.contains(':') || name.is_empty() {
            name.into()
        } else {
            format!("minecraft:{name}").into()
        };
        Ok(BlockState { name, properties: Some(Box::new(properties)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_name_and_properties() {
        let read = |text: &'static str| {
            BlockState::parse(text).map(|state| (state.name, *state.properties.unwrap_or_default()))
        };
        let (name, properties) = read("minecraft:oak_slab[type=bottom,waterlogged=false]").unwrap();
        assert_eq!((&*name, properties.get("type")), ("minecraft:oak_slab", Some("bottom")));
        assert_eq!((properties.is_waterlogged(), properties.get("level")), (false, None));
        let (name, properties) = read("snow[ layers = 3 ]").unwrap();
        assert_eq!((&*name, properties.get("layers")), ("minecraft:snow", Some("3")));
        assert_eq!(read("mod:thing[]").unwrap().0, "mod:thing");
        assert_eq!(read("stone").unwrap().0, "minecraft:stone");
        for text in ["a[b=c", "a[b]", "a[b=c]d", "a[,]"] {
            assert_eq!(
                read(text).unwrap_err().to_string(),
                format!("a block state is \"{text}\", not name[key=value,key=value]")
            );
        }
    }

    #[test]
    fn long_lists_of_properties_are_cut() {
        let mut properties = BlockProperties::default();
        for number in 0..100 {
            properties.set(&format!("a{number}"), "twenty characters...");
        }
        assert!(properties.text.len() <= MAX_TEXT_BYTES);
        assert_eq!(properties.get("a10"), Some("twenty characters..."));
        assert!(properties.unknown.is_some_and(|name| name.starts_with('a')));
    }

    #[test]
    fn brackets_hold_sorted_properties() {
        let brackets =
            |text: &str, is_dry| BlockState::parse(text).unwrap().properties().in_brackets(is_dry);
        assert_eq!(brackets("stone", true), "");
        assert_eq!(brackets("a[z=1,b=2,a=3]", true), "[a=3,b=2,z=1]");
        let wet = "oak_stairs[waterlogged=true,half=top]";
        assert_eq!(brackets(wet, true), "[half=top,waterlogged=false]");
        assert_eq!(brackets(wet, false), "[half=top,waterlogged=true]");
        let mut odd = BlockProperties::new([("lit", "a,b"), ("", "1"), ("lit", "x"), ("lit", "y")]);
        assert_eq!(
            (odd.in_brackets(true).as_str(), odd.unknown.take().as_deref()),
            ("[lit=x]", Some("lit"))
        );
    }
}
