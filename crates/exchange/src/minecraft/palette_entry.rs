//! Palette entries in the forms that the versions of Minecraft write.
//!
//! | entry | version |
//! |---|---|
//! | `{Name, Properties}` | 1.13 on |
//! | `{id, properties}` | 26.3 on |
//! | `"name"`, `"name[key=value]"` | 26.3 on; the name alone is the default state |
//! | `{"": entry}` | an entry of a list that holds entries of both kinds |

use super::block_state::{BlockProperties, BlockState};
use super::nbt_format::tags;
use super::nbt_stream::NbtStream;
use crate::error::FormatError;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A part of a compound entry, by its name.
enum EntryPart {
    Name,
    Properties,
    /// The entry itself, in a list of several types.
    Wrapped,
    Unknown,
}

impl EntryPart {
    fn new(name: &str) -> EntryPart {
        match name {
            "Name" | "name" | "id" | "Id" => EntryPart::Name,
            "Properties" | "properties" => EntryPart::Properties,
            "" => EntryPart::Wrapped,
            _ => EntryPart::Unknown,
        }
    }
}

/// The parts of a compound entry, as far as read.
#[derive(Default)]
struct EntryParts<'a> {
    name: Option<Cow<'a, str>>,
    properties: Option<Box<BlockProperties>>,
    wrapped: Option<BlockState<'a>>,
    /// Name of the first part of unknown meaning.
    unknown: Option<String>,
}

impl<'a> EntryParts<'a> {
    /// The state; `None` if the name is missing.
    fn finish(self) -> Option<BlockState<'a>> {
        let mut state = match (self.name, self.wrapped) {
            (Some(name), _) => match BlockState::parse(&name) {
                Ok(parsed) if name.contains('[') => {
                    let BlockState { name, properties } = parsed.into_owned();
                    BlockState { name, properties: self.properties.or(properties) }
                }
                _ => BlockState { name, properties: self.properties },
            },
            (None, Some(wrapped)) => wrapped,
            (None, None) => return None,
        };
        if let Some(name) = self.unknown {
            state.properties.get_or_insert_default().set_unknown(&name);
        }
        Some(state)
    }
}

/// Text that borrows from the file where possible.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The value of a property: text, or a number as text. `None` for other values.
struct PropertyValue<'a>(Option<Cow<'a, str>>);

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = PropertyValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the value of a property")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<PropertyValue<'de>, E> {
        Ok(PropertyValue(Some(text.into())))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PropertyValue<'de>, E> {
        Ok(PropertyValue(Some(text.to_owned().into())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PropertyValue<'de>, E> {
        Ok(PropertyValue(Some(number.to_string().into())))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<PropertyValue<'de>, E> {
        Ok(PropertyValue(None))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, elements: S) -> Result<PropertyValue<'de>, S::Error> {
        IgnoredAny.visit_seq(elements).map(|_| PropertyValue(None))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<PropertyValue<'de>, M::Error> {
        IgnoredAny.visit_map(map).map(|_| PropertyValue(None))
    }
}

impl<'de> Deserialize<'de> for PropertyValue<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PropertyValue<'de>, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct PropertiesVisitor;

impl<'de> Visitor<'de> for PropertiesVisitor {
    type Value = BlockProperties;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("properties of a block")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<BlockProperties, M::Error> {
        let mut properties = BlockProperties::default();
        while let Some((name, value)) = map.next_entry::<Cow<str>, PropertyValue>()? {
            match value.0 {
                Some(value) => properties.set(&name, &value),
                None => properties.set_unknown(&name),
            }
        }
        Ok(properties)
    }
}

impl<'de> Deserialize<'de> for BlockProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BlockProperties, D::Error> {
        deserializer.deserialize_map(PropertiesVisitor)
    }
}

struct PaletteEntryVisitor;

impl<'de> Visitor<'de> for PaletteEntryVisitor {
    type Value = BlockState<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a block state")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<BlockState<'de>, E> {
        BlockState::parse(text).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<BlockState<'de>, E> {
        BlockState::parse(text).map(BlockState::into_owned).map_err(E::custom)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<BlockState<'de>, M::Error> {
        let mut parts = EntryParts::default();
        while let Some(name) = map.next_key::<Cow<str>>()? {
            match EntryPart::new(&name) {
                EntryPart::Name => parts.name = Some(map.next_value::<Text>()?.0),
                EntryPart::Properties => parts.properties = Some(map.next_value()?),
                EntryPart::Wrapped => parts.wrapped = Some(map.next_value()?),
                EntryPart::Unknown => {
                    map.next_value::<IgnoredAny>()?;
                    parts.unknown = Some(name.into_owned());
                }
            }
        }
        parts.finish().ok_or_else(|| Error::missing_field("Name"))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for BlockState<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BlockState<'a>, D::Error> {
        deserializer.deserialize_any(PaletteEntryVisitor)
    }
}

/// Reads a palette entry from a stream; `None` if the entry has no name.
///
/// # Errors
/// The data is malformed.
pub(crate) fn read_state(
    stream: &mut NbtStream,
    tag: u8,
) -> Result<Option<BlockState<'static>>, FormatError> {
    if tag == tags::STRING {
        let text = stream.string(tag)?;
        let state = BlockState::parse(&text).map(BlockState::into_owned);
        return state.map(Some).map_err(|error| stream.error(error));
    }
    let mut parts = EntryParts::default();
    stream.compound(tag, &mut |stream, tag, name| {
        match EntryPart::new(name) {
            EntryPart::Name => parts.name = Some(stream.string(tag)?.into()),
            EntryPart::Properties => {
                parts.properties = Some(Box::new(read_properties(stream, tag)?))
            }
            EntryPart::Wrapped => parts.wrapped = read_state(stream, tag)?,
            EntryPart::Unknown => {
                stream.skip(tag)?;
                parts.unknown = Some(name.to_owned());
            }
        }
        Ok(())
    })?;
    Ok(parts.finish())
}

fn read_properties(stream: &mut NbtStream, tag: u8) -> Result<BlockProperties, FormatError> {
    let mut properties = BlockProperties::default();
    stream.compound(tag, &mut |stream, tag, name| {
        match tag {
            tags::STRING => properties.set(name, &stream.string(tag)?),
            tags::BYTE | tags::SHORT | tags::INT | tags::LONG => {
                properties.set(name, &stream.integer(tag)?.to_string());
            }
            _ => {
                stream.skip(tag)?;
                properties.set_unknown(name);
            }
        }
        Ok(())
    })?;
    Ok(properties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastnbt::{Value, nbt};

    /// Name, `type`, `snowy` and unknown property of an entry.
    type Read = (String, Option<String>, Option<String>, Option<String>);

    fn parts(state: BlockState) -> Read {
        let properties = state.properties.unwrap_or_default();
        let get = |name| properties.get(name).map(str::to_owned);
        (
            state.name.into_owned(),
            get("type"),
            get("snowy"),
            properties.unknown.as_deref().map(str::to_owned),
        )
    }

    /// Reads the entry with both readers, which must agree.
    fn read(entry: &Value) -> Option<Read> {
        #[derive(Deserialize)]
        struct List<'a> {
            #[serde(borrow)]
            list: Vec<BlockState<'a>>,
        }
        let data = fastnbt::to_bytes(&nbt!({ "list": [entry] })).unwrap();
        let listed =
            fastnbt::from_bytes::<List>(&data).ok().and_then(|mut list| list.list.pop()).map(parts);
        let mut streamed = None;
        let walked = NbtStream::new(Box::new(&data[..])).root(&mut |stream, tag, _| {
            stream.list(tag, &mut |stream, tag| {
                streamed = read_state(stream, tag)?.map(parts);
                Ok(())
            })
        });
        assert_eq!(walked.ok().and(streamed), listed, "{entry:?}");
        listed
    }

    #[test]
    fn entries_of_every_version_are_read() {
        let slab = |kind: Option<&str>, unknown: Option<&str>| {
            Some((
                "minecraft:oak_slab".to_owned(),
                kind.map(String::from),
                None,
                unknown.map(String::from),
            ))
        };
        for (entry, expected) in [
            (
                nbt!({ "Name": "minecraft:oak_slab", "Properties": { "type": "top" } }),
                slab(Some("top"), None),
            ),
            (
                nbt!({ "id": "minecraft:oak_slab", "properties": { "type": "top" } }),
                slab(Some("top"), None),
            ),
            (nbt!({ "id": "minecraft:oak_slab" }), slab(None, None)),
            (nbt!("minecraft:oak_slab"), slab(None, None)),
            (nbt!("oak_slab"), slab(None, None)),
            (nbt!("minecraft:oak_slab[type=top]"), slab(Some("top"), None)),
            (nbt!({ "Name": "minecraft:oak_slab[type=top]" }), slab(Some("top"), None)),
            (nbt!({ "": "minecraft:oak_slab" }), slab(None, None)),
            (
                nbt!({ "": { "id": "minecraft:oak_slab", "properties": { "type": "double" } } }),
                slab(Some("double"), None),
            ),
            (nbt!({ "id": "minecraft:oak_slab", "other": 3 }), slab(None, Some("other"))),
            (
                nbt!({ "id": "minecraft:oak_slab", "properties": { "type": [1] } }),
                slab(None, Some("type")),
            ),
            (
                nbt!({ "id": "minecraft:grass_block", "properties": { "snowy": 1i8 } }),
                Some(("minecraft:grass_block".to_owned(), None, Some("1".to_owned()), None)),
            ),
            (nbt!({ "properties": {} }), None),
            (nbt!("a[b"), None),
            (nbt!({ "Name": 5 }), None),
            (nbt!(7), None),
        ] {
            assert_eq!(read(&entry), expected, "{entry:?}");
        }
    }
}
