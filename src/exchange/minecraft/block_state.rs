//! Block states: a block's name and those of its properties that decide its voxel.

use super::block_error::BlockError;
use serde::Deserialize;
use std::borrow::Cow;

/// A block with its properties; an entry of a palette.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase")]
pub(in crate::exchange) struct BlockState<'a> {
    /// Full name, with its namespace.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Boxed: most states have none, and a hostile palette has a million entries.
    pub properties: Option<Box<BlockProperties>>,
}

/// Properties that decide a voxel, as the file spells them.
///
/// A `Box<str>` is smaller than a `String`: a hostile file has hundreds of thousands of these, all
/// empty.
#[derive(Deserialize, Default, Debug)]
pub(in crate::exchange) struct BlockProperties {
    /// Slabs: `bottom`, `top` or `double`.
    pub r#type: Option<Box<str>>,
    /// Snow: 1 to 8.
    pub layers: Option<Box<str>>,
    /// Liquids: 0 for a source, 1 to 7 with growing distance from it, 8 and more for falling
    /// liquid.
    pub level: Option<Box<str>>,
    /// Grass: `true` under snow.
    pub snowy: Option<Box<str>>,
    /// Blocks that water can surround: `true` if it does.
    pub waterlogged: Option<Box<str>>,
}

impl BlockProperties {
    /// The property `name`, or `None` if it does not decide a voxel.
    pub(in crate::exchange) fn get_mut(&mut self, name: &str) -> Option<&mut Option<Box<str>>> {
        match name {
            "type" => Some(&mut self.r#type),
            "layers" => Some(&mut self.layers),
            "level" => Some(&mut self.level),
            "snowy" => Some(&mut self.snowy),
            "waterlogged" => Some(&mut self.waterlogged),
            _ => None,
        }
    }
}

impl<'a> BlockState<'a> {
    /// Parses `name[key=value,key=value]`. A name without a namespace gets `minecraft:`.
    ///
    /// # Errors
    /// The properties are not in brackets, or are not comma-separated `key=value` pairs.
    pub(in crate::exchange) fn parse(text: &'a str) -> Result<BlockState<'a>, BlockError> {
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
            if let Some(property) = properties.get_mut(key.trim()) {
                *property = Some(value.trim().into());
            }
        }
        let name = if name.contains(':') || name.is_empty() { name.into() } else { format!("minecraft:{name}").into() };
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
        assert_eq!((&*name, properties.r#type.as_deref()), ("minecraft:oak_slab", Some("bottom")));
        assert_eq!((properties.waterlogged.as_deref(), properties.level), (Some("false"), None));
        let (name, properties) = read("snow[ layers = 3 ]").unwrap();
        assert_eq!((&*name, properties.layers.as_deref()), ("minecraft:snow", Some("3")));
        assert_eq!(read("mod:thing[]").unwrap().0, "mod:thing");
        assert_eq!(read("stone").unwrap().0, "minecraft:stone");
        for text in ["a[b=c", "a[b]", "a[b=c]d", "a[,]"] {
            assert_eq!(
                read(text).unwrap_err().to_string(),
                format!("a block state is \"{text}\", not name[key=value,key=value]")
            );
        }
    }
}
