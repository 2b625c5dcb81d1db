//! Block states for export, and the block names that earlier exports wrote.
//!
//! Version 0.1.0 wrote a material without a Minecraft block as `stonerun:NAME`. Minecraft allows
//! `a-z`, `0-9` and `_-/.` in a block's name. A dot with two hexadecimal digits stands for every
//! other byte, and for the dot itself, so that each material has exactly one block name and no two
//! share one.

use super::block_table;
use std::borrow::Cow;
use stonerun_engine::voxel::TorchMount;

/// Namespace of materials in earlier exports.
const NAMESPACE: &str = "stonerun:";

/// Namespaces that no mod of Minecraft has: earlier exports and other importers use them.
const OTHER_NAMESPACES: [&str; 4] = ["stonerun", "vox", "classic", "unknown"];

/// Mods of Minetest Game, a game of Luanti, whose nodes have names like blocks of Minecraft's mods.
/// The mods of Mineclonia and VoxeLibre begin with `mcl_`.
const LUANTI_MODS: [&str; 16] = [
    "beds",
    "bones",
    "butterflies",
    "carts",
    "default",
    "doors",
    "farming",
    "fire",
    "fireflies",
    "flowers",
    "stairs",
    "tnt",
    "vessels",
    "walls",
    "wool",
    "xpanes",
];

/// The mod of a block of Minecraft's mods, by the name of a material; `None` for other materials.
pub(crate) fn mod_of(name: &str) -> Option<&str> {
    let (namespace, path) = without_state(name).split_once(':')?;
    let is_allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-' | '.');
    let is_other = namespace == "minecraft"
        || OTHER_NAMESPACES.contains(&namespace)
        || LUANTI_MODS.contains(&namespace)
        || namespace.starts_with("mcl_");
    let is_name = !namespace.is_empty()
        && !path.is_empty()
        && namespace.chars().all(is_allowed)
        && path.chars().all(|c| c == '/' || is_allowed(c));
    (is_name && !is_other).then_some(namespace)
}

/// The full name of a block that may be without `minecraft:`.
pub(crate) fn full_name(block: &str) -> Cow<'_, str> {
    if block.contains(':') { block.into() } else { format!("minecraft:{block}").into() }
}

/// The name of a material without the block state that it may end with.
pub(crate) fn without_state(name: &str) -> &str {
    own_state(name).and_then(|state| name.strip_suffix(state)).unwrap_or(name)
}

/// The state with which a material's name ends: `[name=value,name=value]`; `None` for a name
/// without one.
fn own_state(name: &str) -> Option<&str> {
    let state = &name[name.find('[')?..];
    let mut pairs = state.strip_prefix('[')?.strip_suffix(']')?.split(',');
    let is_word = |word: &str| !word.is_empty() && !word.contains(['[', ']', '=']);
    let is_pair = |pair: &str| pair.split_once('=').is_some_and(|(a, b)| is_word(a) && is_word(b));
    pairs.all(is_pair).then_some(state)
}

/// The block state for a voxel with this occupancy and the material `name`. `block` is without
/// `minecraft:`.
pub(crate) fn state_text(block: &str, name: &str, occupancy: u8) -> String {
    let full = full_name(block);
    // The nearest number of eighths from 1 to 8.
    let eighths = ((u16::from(occupancy) + 17) / 32).clamp(1, 8);
    if let Some((mount, _)) = block_table::wall_torch(name) {
        return format!("{full}{}", torch_state(block, mount));
    }
    if let Some(state) = own_state(name) {
        return format!("{full}{state}");
    }
    let property = match block {
        _ if name == "snowy_grass" => "[snowy=true]".to_owned(),
        "snow" if eighths == 8 => return "minecraft:snow_block".to_owned(),
        "snow" => format!("[layers={eighths}]"),
        // Seven eighths is the surface of a sea. Minecraft's block of that height is flowing water,
        // which would drain.
        "water" | "lava" if eighths >= 7 => "[level=0]".to_owned(),
        "water" | "lava" => format!("[level={}]", 8 - eighths),
        _ if block.ends_with("_slab") => {
            format!("[type={},waterlogged=false]", if eighths < 6 { "bottom" } else { "double" })
        }
        "wheat" => format!(
            "[age={}]",
            match name {
                "wheat_1" => 0,
                "wheat_2" => 2,
                "wheat_3" => 5,
                _ => 7,
            }
        ),
        "lever" => format!("[face=floor,powered={}]", name == "lever_on"),
        "redstone_lamp" if name == "signal_lamp_on" => "[lit=true]".to_owned(),
        _ if !block_table::plain_state(block).is_empty() => {
            block_table::plain_state(block).to_owned()
        }
        // Leaves without this property decay if no log is nearby.
        _ if block.ends_with("_leaves") && !block.contains(':') => "[persistent=true]".to_owned(),
        _ => String::new(),
    };
    format!("{full}{property}")
}

/// The block state `state` with water around the block; `None` for blocks that cannot stand in
/// water: slabs, stairs and blocks whose state says that they are dry can.
pub(crate) fn waterlogged(state: &str) -> Option<String> {
    const DRY: &str = "waterlogged=false";
    if state.contains(DRY) {
        return Some(state.replace(DRY, "waterlogged=true"));
    }
    let (block, properties) = match state.split_once('[') {
        Some((block, rest)) => (block, rest.strip_suffix(']')?),
        None => (state, ""),
    };
    let can_be = ["_slab", "_stairs", "_trapdoor"].iter().any(|end| block.ends_with(end));
    let comma = if properties.is_empty() { "" } else { "," };
    can_be.then(|| format!("{block}[{properties}{comma}waterlogged=true]"))
}

/// The state of a torch: on a wall, the side to which it leans. Torches of redstone are lit.
fn torch_state(block: &str, mount: TorchMount) -> String {
    let facing = match mount {
        TorchMount::Floor => return String::new(),
        TorchMount::East => "west",
        TorchMount::West => "east",
        TorchMount::South => "north",
        TorchMount::North => "south",
    };
    let lit = if block.starts_with("redstone") { ",lit=true" } else { "" };
    format!("[facing={facing}{lit}]")
}

/// The `stonerun:` block for the material `name`.
fn exported_block(name: &str) -> String {
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
/// Refuses any other spelling (`.61` for `a`), because a hostile file could hold millions of
/// spellings of one material.
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
    fn state_has_nearest_height_and_required_properties() {
        for (name, occupancy, expected) in [
            ("stone", 255, "minecraft:stone"),
            ("stone", 9, "minecraft:stone"),
            ("grass_block", 255, "minecraft:grass_block[snowy=false]"),
            ("snow", 255, "minecraft:snow_block"),
            ("snow", 95, "minecraft:snow[layers=3]"),
            ("snow", 0, "minecraft:snow[layers=1]"),
            ("water", 255, "minecraft:water[level=0]"),
            ("water", 223, "minecraft:water[level=0]"),
            ("water", 191, "minecraft:water[level=2]"),
            ("lava", 31, "minecraft:lava[level=7]"),
            ("spruce_leaves", 255, "minecraft:spruce_leaves[distance=7,persistent=true]"),
            ("azalea_leaves", 255, "minecraft:azalea_leaves[persistent=true]"),
            ("oak_slab", 127, "minecraft:oak_slab[type=bottom,waterlogged=false]"),
            ("oak_slab", 255, "minecraft:oak_slab[type=double,waterlogged=false]"),
            ("oak_trapdoor", 47, "minecraft:oak_trapdoor"),
        ] {
            assert_eq!(state_text(name, "a", occupancy), expected, "{name} {occupancy}");
        }
        assert_eq!(
            state_text("grass_block", "snowy_grass", 255),
            "minecraft:grass_block[snowy=true]"
        );
        for odd in ["stone[old]", "stone[a=b", "stone[a=b]c", "stone[]", "a[b[c=d]", "a[=b]"] {
            assert_eq!((own_state(odd), without_state(odd)), (None, odd));
        }
        assert_eq!(without_state("stone[a=b,c=d]"), "stone");
        let turned = state_text("oak_log", "oak_log[axis=x]", 255);
        assert_eq!(turned, "minecraft:oak_log[axis=x]");
        assert_eq!(state_text("wheat", "wheat_3", 255), "minecraft:wheat[age=5]");
        assert_eq!(
            state_text("lever", "lever_on", 255),
            "minecraft:lever[face=floor,powered=true]"
        );
        assert_eq!(state_text("torch", "torch", 255), "minecraft:torch");
        let wall = state_text("redstone_wall_torch", "red_torch_wall_north", 255);
        assert_eq!(wall, "minecraft:redstone_wall_torch[facing=south,lit=true]");
    }

    #[test]
    fn exported_block_round_trips_and_is_unique() {
        let names = [
            "marble",
            "",
            "vox:#ff8000",
            "Größe.5 [x=1]",
            "a.2e",
            "stonerun:a",
            ".",
            "\u{1F600}",
            "%",
        ];
        for name in names {
            let block = exported_block(name);
            let is_allowed = |b: char| matches!(b, 'a'..='z' | '0'..='9' | '_' | '-' | '/' | '.');
            assert!(
                block.strip_prefix(NAMESPACE).is_some_and(|path| path.chars().all(is_allowed)),
                "{block}"
            );
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
