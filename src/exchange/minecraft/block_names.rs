//! Block names for materials, for export.
//!
//! A material without a Minecraft block becomes a block of a namespace of its own: `stonerun:NAME`.
//! Minecraft allows `a-z`, `0-9` and `_-/.` in a block's name. Every other byte, and the dot, is
//! written as a dot and two hexadecimal digits. So every material name has exactly one block name,
//! and no two share one.

use super::block_table::block_for_material;

/// Namespace of exported materials.
const NAMESPACE: &str = "stonerun:";

/// The block state that comes closest to a voxel of the material `name`. It may read back as
/// another voxel.
pub(in crate::exchange) fn block_text(name: &str, occupancy: u8) -> String {
    let minecraft = block_for_material(name).or_else(|| name.strip_prefix("minecraft:"));
    let Some(block) = minecraft.filter(|block| is_path(block)) else {
        return if is_mod_block(name) { name.to_owned() } else { exported_block(name) };
    };
    // The nearest of 1 to 8.
    let eighths = ((u16::from(occupancy) + 17) / 32).clamp(1, 8);
    let property = match (name, block) {
        ("snowy_grass", _) => "[snowy=true]".to_owned(),
        ("snow", _) if eighths == 8 => return "minecraft:snow_block".to_owned(),
        (_, "snow") => format!("[layers={eighths}]"),
        // Seven eighths is the surface of a sea. Minecraft's block of that height is flowing water,
        // which would drain.
        (_, "water" | "lava") if eighths >= 7 => "[level=0]".to_owned(),
        (_, "water" | "lava") => format!("[level={}]", 8 - eighths),
        _ if block.ends_with("_slab") => format!("[type={}]", if eighths < 6 { "bottom" } else { "double" }),
        // Other leaves decay without a log nearby.
        _ if block.ends_with("_leaves") => "[persistent=true]".to_owned(),
        _ => String::new(),
    };
    format!("minecraft:{block}{property}")
}

fn is_path(path: &str) -> bool {
    !path.is_empty() && path.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'/' | b'.'))
}

/// True for the name of a mod's block.
fn is_mod_block(name: &str) -> bool {
    let parts = name.split_once(':');
    parts.is_some_and(|(space, path)| is_path(space) && !space.contains('/') && is_path(path))
        && !name.starts_with(NAMESPACE)
        && !name.starts_with("minecraft:")
}

/// The `stonerun:` block for the material `name`.
pub(in crate::exchange) fn exported_block(name: &str) -> String {
    let mut text = NAMESPACE.to_owned();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'/' => text.push(char::from(byte)),
            _ => text += &format!(".{byte:02x}"),
        }
    }
    text
}

/// The inverse of [`exported_block`]: the material name of a `stonerun:` block, or `None` for other
/// blocks.
///
/// Refuses any other spelling (`.61` for `a`), because a file could hold millions of spellings of
/// one material.
pub(super) fn exported_material(block: &str) -> Option<String> {
    let mut rest = block.strip_prefix(NAMESPACE)?.bytes();
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
    String::from_utf8(name).ok().filter(|name| exported_block(name) == block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_text_gives_nearest_minecraft_state() {
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
            assert_eq!(block_text(name, occupancy), expected, "{name} {occupancy}");
        }
    }

    #[test]
    fn exported_block_round_trips_and_is_unique() {
        let names = ["marble", "", "vox:#ff8000", "Größe.5 [x=1]", "a.2e", "stonerun:a", ".", "\u{1F600}", "%"];
        for name in names {
            let block = exported_block(name);
            assert!(block.strip_prefix(NAMESPACE).is_some_and(|path| path.is_empty() || is_path(path)), "{block}");
            assert_eq!(exported_material(&block).as_deref(), Some(name));
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
            assert_eq!(exported_material(other), None, "{other}");
        }
    }
}
