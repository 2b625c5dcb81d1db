//! Counts of entities and of block entities with content, which voxels cannot hold.

use super::nbt_format::tags;
use super::nbt_stream::NbtStream;
use crate::error::FormatError;

/// Counts the elements of a list; 0 for other values.
///
/// # Errors
/// The value is malformed, or the data ends.
pub(crate) fn count_elements(stream: &mut NbtStream, tag: u8) -> Result<u64, FormatError> {
    let mut count = 0;
    if tag != tags::LIST {
        return stream.skip(tag).map(|()| 0);
    }
    stream.list(tag, &mut |stream, tag| {
        count += 1;
        stream.skip(tag)
    })?;
    Ok(count)
}

/// Counts the block entities in a list that hold something: goods, text, a colour.
///
/// # Errors
/// The value is malformed, or the data ends.
pub(crate) fn count_block_entities(stream: &mut NbtStream, tag: u8) -> Result<u64, FormatError> {
    let mut count = 0;
    if tag != tags::LIST {
        return stream.skip(tag).map(|()| 0);
    }
    stream.list(tag, &mut |stream, tag| {
        count += u64::from(has_content(stream, tag, "")?);
        Ok(())
    })?;
    Ok(count)
}

/// Skips a value, and returns whether it holds something: any number or text, or an array, a list
/// or a compound that is not empty.
///
/// # Errors
/// The value is malformed, or the data ends.
pub(crate) fn skip_value(stream: &mut NbtStream, tag: u8) -> Result<bool, FormatError> {
    match tag {
        tags::COMPOUND => {
            let mut is_filled = false;
            stream.compound(tag, &mut |stream, tag, _| {
                is_filled |= skip_value(stream, tag)?;
                Ok(())
            })?;
            Ok(is_filled)
        }
        tags::LIST => {
            let mut is_filled = false;
            stream.list(tag, &mut |stream, tag| {
                is_filled = true;
                stream.skip(tag)
            })?;
            Ok(is_filled)
        }
        tags::BYTE_ARRAY | tags::INT_ARRAY | tags::LONG_ARRAY => {
            let start = stream.offset();
            stream.skip(tag)?;
            // An empty array takes four bytes, for its length.
            Ok(stream.offset() > start + 4)
        }
        _ => stream.skip(tag).map(|()| true),
    }
}

/// Reads the value of the entry `name`, and returns whether it holds more than in a newly placed
/// block entity.
///
/// # Errors
/// The value is malformed, or the data ends.
pub(crate) fn has_content(
    stream: &mut NbtStream,
    tag: u8,
    name: &str,
) -> Result<bool, FormatError> {
    let is_place =
        matches!(name, "id" | "Id" | "x" | "y" | "z" | "Pos" | "keepPacked" | "TransferCooldown")
            || matches!(name, "isMovable" | "Findable" | "DataVersion");
    match tag {
        _ if is_place => stream.skip(tag).map(|()| false),
        tags::BYTE | tags::SHORT | tags::INT | tags::LONG => Ok(stream.integer(tag)? != 0),
        tags::STRING => {
            let text = stream.string(tag)?;
            let is_default = name.eq_ignore_ascii_case("color") && text == "black";
            let is_empty = matches!(text.as_str(), "" | "\"\"" | "{\"text\":\"\"}");
            Ok(!is_empty && !is_default)
        }
        tags::COMPOUND => {
            let mut content = false;
            stream.compound(tag, &mut |stream, tag, name| {
                content |= has_content(stream, tag, name)?;
                Ok(())
            })?;
            Ok(content)
        }
        tags::LIST => {
            let mut content = false;
            stream.list(tag, &mut |stream, tag| {
                content |= has_content(stream, tag, "")?;
                Ok(())
            })?;
            Ok(content)
        }
        _ => stream.skip(tag).map(|()| false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastnbt::{Value, nbt};

    #[test]
    fn only_block_entities_with_content_count() {
        let blank = Value::List(vec![Value::String("\"\"".to_owned()); 4]);
        for (content, expected) in [
            (nbt!({ "id": "minecraft:chest", "x": 1, "y": 64, "z": 3, "Items": [] }), 0),
            (
                nbt!({ "id": "minecraft:chest", "Items": [{ "Slot": 0i8, "id": "minecraft:stone", "Count": 1i8 }] }),
                1,
            ),
            (nbt!({ "id": "Furnace", "BurnTime": 0i16, "Items": [] }), 0),
            (
                nbt!({ "Id": "minecraft:chest", "Pos": [I; 1, 2, 3], "Data": { "id": "minecraft:chest" } }),
                0,
            ),
            (nbt!({ "id": "minecraft:bed", "color": 14 }), 1),
            (nbt!({ "id": "Sign", "Text1": "Exit", "Text2": "" }), 1),
            (
                nbt!({ "front_text": { "color": "black", "has_glowing_text": 0i8, "messages": blank } }),
                0,
            ),
        ] {
            let data = fastnbt::to_bytes(&nbt!({ "list": [content], "other": 5 })).unwrap();
            let mut counts = (0, 0);
            let walked = NbtStream::new(Box::new(&data[..])).root(&mut |stream, tag, name| {
                match name {
                    "list" => counts.0 += count_block_entities(stream, tag)?,
                    _ => counts.1 += count_elements(stream, tag)?,
                }
                Ok(())
            });
            assert_eq!((walked, counts), (Ok(None), (expected, 0)), "{content:?}");
        }
    }
}
