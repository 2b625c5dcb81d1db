//! Blocks as texts, `minecraft:oak_slab[type=bottom]`: to read them, and to give our materials one.
//!
//! A material of ours that is no block becomes one of a mod that nobody has: `stonerun:NAME`. What must not be in a block's name
//! (Minecraft allows `a-z`, `0-9` and `_-/.`) is written as a dot and two hexadecimal digits, so every name has one such
//! text, and no two have the same.

use super::blocks::{Properties, State, counterpart};

/// What the names of our own blocks begin with.
const OWN: &str = "stonerun:";

/// Reads a block with its properties; a name without a namespace is Minecraft's.
///
/// # Errors
/// The properties are not in brackets, or are not `key=value` with commas between them.
pub(in crate::exchange) fn state(text: &str) -> Result<State<'_>, String> {
    let malformed = || {
        let text: String = text.chars().take(60).map(|c| if c.is_control() { '?' } else { c }).collect();
        format!("a kind of block is \"{text}\", not name[key=value,key=value]")
    };
    let (name, list) = match text.split_once('[') {
        None => (text, ""),
        Some((name, rest)) => (name, rest.strip_suffix(']').ok_or_else(malformed)?),
    };
    let mut properties = Properties::default();
    for pair in list.split(',').filter(|_| !list.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or_else(malformed)?;
        if let Some(property) = properties.named(key.trim()) {
            *property = Some(value.trim().into());
        }
    }
    let name = if name.contains(':') || name.is_empty() { name.into() } else { format!("minecraft:{name}").into() };
    Ok(State { name, properties: Some(Box::new(properties)) })
}

/// The block that says best what a voxel of the material with this name is; nothing says that it reads as the same again.
pub(in crate::exchange) fn text(name: &str, occupancy: u8) -> String {
    let Some(block) = counterpart(name).or_else(|| name.strip_prefix("minecraft:")).filter(|block| is_path(block))
    else {
        return if is_foreign(name) { name.to_owned() } else { own(name) };
    };
    // From 1 to 8, the nearest.
    let eighths = ((u16::from(occupancy) + 17) / 32).clamp(1, 8);
    let property = match (name, block) {
        ("snowy_grass", _) => "[snowy=true]".to_owned(),
        ("snow", _) if eighths == 8 => return "minecraft:snow_block".to_owned(),
        (_, "snow") => format!("[layers={eighths}]"),
        // Seven eighths is the surface of a sea. As water that flows, which is what Minecraft has of that height, the
        // sea would run dry there.
        (_, "water" | "lava") if eighths >= 7 => "[level=0]".to_owned(),
        (_, "water" | "lava") => format!("[level={}]", 8 - eighths),
        _ if block.ends_with("_slab") => format!("[type={}]", if eighths < 6 { "bottom" } else { "double" }),
        // Others wither where no log is near.
        _ if block.ends_with("_leaves") => "[persistent=true]".to_owned(),
        _ => String::new(),
    };
    format!("minecraft:{block}{property}")
}

fn is_path(path: &str) -> bool {
    !path.is_empty() && path.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'/' | b'.'))
}

/// True for the name of a mod's block.
fn is_foreign(name: &str) -> bool {
    let parts = name.split_once(':');
    parts.is_some_and(|(space, path)| is_path(space) && !space.contains('/') && is_path(path))
        && !name.starts_with(OWN)
        && !name.starts_with("minecraft:")
}

/// The block of our own for a material's name.
pub(in crate::exchange) fn own(name: &str) -> String {
    let mut text = OWN.to_owned();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'/' => text.push(char::from(byte)),
            _ => text += &format!(".{byte:02x}"),
        }
    }
    text
}

/// The material's name that [`own`] gave this block for; none for other blocks. Another spelling of one (`.61` for `a`) is none: a
/// file could have millions of spellings for one material.
pub(super) fn material_of(block: &str) -> Option<String> {
    let mut rest = block.strip_prefix(OWN)?.bytes();
    let mut name = vec![];
    while let Some(byte) = rest.next() {
        name.push(match byte {
            b'.' => {
                let digit = |digit: u8| char::from(digit).to_digit(16);
                (digit(rest.next()?)? << 4 | digit(rest.next()?)?) as u8
            }
            other => other,
        });
    }
    String::from_utf8(name).ok().filter(|name| own(name) == block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read() {
        let read = |text: &'static str| state(text).map(|state| (state.name, *state.properties.unwrap_or_default()));
        let (name, properties) = read("minecraft:oak_slab[type=bottom,waterlogged=false]").unwrap();
        assert_eq!((&*name, properties.r#type.as_deref()), ("minecraft:oak_slab", Some("bottom")));
        assert_eq!((properties.waterlogged.as_deref(), properties.level), (Some("false"), None));
        let (name, properties) = read("snow[ layers = 3 ]").unwrap();
        assert_eq!((&*name, properties.layers.as_deref()), ("minecraft:snow", Some("3")));
        assert_eq!(read("mod:thing[]").unwrap().0, "mod:thing");
        assert_eq!(read("stone").unwrap().0, "minecraft:stone");
        for text in ["a[b=c", "a[b]", "a[b=c]d", "a[,]"] {
            assert_eq!(
                read(text).unwrap_err(),
                format!("a kind of block is \"{text}\", not name[key=value,key=value]")
            );
        }
    }

    #[test]
    fn voxels_become_what_minecraft_can_say() {
        for (name, occupancy, expected) in [
            ("stone", 255, "minecraft:stone"),
            ("stone", 9, "minecraft:stone"),
            ("grass", 255, "minecraft:grass_block"),
            ("snowy_grass", 255, "minecraft:grass_block[snowy=true]"),
            ("snow", 255, "minecraft:snow_block"),
            ("snow", 95, "minecraft:snow[layers=3]"),
            ("snow", 0, "minecraft:snow[layers=1]"),
            ("water", 255, "minecraft:water[level=0]"),
            ("water", 223, "minecraft:water[level=0]"),
            ("water", 191, "minecraft:water[level=2]"),
            ("lava", 31, "minecraft:lava[level=7]"),
            ("pine_leaves", 255, "minecraft:spruce_leaves[persistent=true]"),
            ("minecraft:oak_slab", 127, "minecraft:oak_slab[type=bottom]"),
            ("minecraft:oak_slab", 255, "minecraft:oak_slab[type=double]"),
            ("minecraft:oak_trapdoor", 47, "minecraft:oak_trapdoor"),
            ("mod:some/thing.x", 255, "mod:some/thing.x"),
            ("marble", 255, "stonerun:marble"),
            ("vox:#ff8000+light15", 255, "stonerun:vox.3a.23ff8000.2blight15"),
            ("minecraft:Loud", 255, "stonerun:minecraft.3a.4coud"),
            ("stonerun:x", 255, "stonerun:stonerun.3ax"),
        ] {
            assert_eq!(text(name, occupancy), expected, "{name} {occupancy}");
        }
    }

    #[test]
    fn every_name_has_a_block_of_its_own() {
        let names = ["marble", "", "vox:#ff8000", "Größe.5 [x=1]", "a.2e", "stonerun:a", ".", "\u{1F600}", "%"];
        for name in names {
            let block = own(name);
            assert!(block.strip_prefix(OWN).is_some_and(|path| path.is_empty() || is_path(path)), "{block}");
            assert_eq!(material_of(&block).as_deref(), Some(name));
        }
        for other in [
            "minecraft:stone",
            "marble",
            "stonerun:a.",
            "stonerun:a.g0",
            "stonerun:.ff",
            "stonerun:.61",
            "stonerun:.2E",
        ] {
            assert_eq!(material_of(other), None, "{other}");
        }
    }
}
