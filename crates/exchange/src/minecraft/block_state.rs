//! Block states: a block's name, and the properties that decide its voxel.

use super::block_error::BlockError;
use super::{appearance, block_table, default_shape};
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

/// Properties that decide a voxel, as the file spells them.
///
/// A `Box<str>` is smaller than a `String`, which matters because a hostile file has hundreds of
/// thousands of these structs, all empty.
#[derive(Default, Debug)]
pub(crate) struct BlockProperties {
    /// Slabs: `bottom`, `top` or `double`.
    pub r#type: Option<Box<str>>,
    /// Snow: 1 to 8.
    pub layers: Option<Box<str>>,
    /// Liquids: 0 for a source, 1 to 7 with growing distance from it, 8 and more for falling
    /// liquid.
    pub level: Option<Box<str>>,
    /// Grass: `true` under snow.
    pub snowy: Option<Box<str>>,
    /// Torches on walls: the side to which they lean.
    pub facing: Option<Face>,
    /// True if the block stands in water.
    pub is_waterlogged: bool,
    /// True if a property turns or shapes the block. A voxel keeps none of these.
    pub loses_shape: bool,
    /// Name of the first property that no version of Minecraft has, or of the first unknown entry.
    pub unknown: Option<Box<str>>,
}

/// Properties of Minecraft's blocks, sorted for binary search.
#[rustfmt::skip]
const PROPERTIES: [&str; 96] = [
    "active", "age", "attached", "attachment", "axis", "berries", "bites", "bloom", "bottom",
    "can_summon", "candles", "charges", "check_decay", "conditional", "copper_golem_pose",
    "cracked", "crafting", "creaking_heart_state", "decayable", "delay", "disarmed", "distance",
    "down", "drag", "dusted", "east", "eggs", "enabled", "extended", "eye", "face", "facing",
    "flower_amount", "half", "hanging", "has_book", "has_bottle_0", "has_bottle_1", "has_bottle_2",
    "has_record", "hatch", "hinge", "honey_level", "hydration", "in_wall", "instrument", "inverted",
    "layers", "leaves", "level", "lit", "locked", "mode", "moisture", "natural", "north", "note",
    "occupied", "ominous", "open", "orientation", "part", "persistent", "pickles", "power",
    "powered", "rotation", "sculk_sensor_phase", "segment_amount", "shape", "short", "shrieking",
    "side_chain", "signal_fire", "slot_0_occupied", "slot_1_occupied", "slot_2_occupied",
    "slot_3_occupied", "slot_4_occupied", "slot_5_occupied", "snowy", "south", "stage",
    "test_block_mode", "thickness", "tilt", "tip", "trial_spawner_state", "triggered", "type",
    "unstable", "up", "vault_state", "vertical_direction", "waterlogged", "west",
];

impl BlockProperties {
    /// Stores a property. Properties that neither decide a voxel nor are lost have no effect.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        if name == "facing" {
            self.facing = side(value);
        }
        self.is_waterlogged |= name == "waterlogged" && is_true(value);
        if PROPERTIES.binary_search(&name).is_err() {
            self.set_unknown(name);
        }
        let kept = match name {
            "type" => &mut self.r#type,
            "layers" => &mut self.layers,
            "level" => &mut self.level,
            "snowy" => &mut self.snowy,
            _ => return self.loses_shape |= is_lost(name, value),
        };
        *kept = Some(value.into());
        self.loses_shape |= is_lost(name, value);
    }

    /// Notes a property or entry of unknown meaning. Only the first name is kept.
    pub(crate) fn set_unknown(&mut self, name: &str) {
        self.unknown
            .get_or_insert_with(|| name.chars().take(MAX_UNKNOWN_CHARS).collect::<String>().into());
    }
}

/// Longest name of an unknown property that is kept, in characters.
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

/// True if a voxel cannot keep this property, and the block looks different without it.
fn is_lost(name: &str, value: &str) -> bool {
    match name {
        "facing" | "half" | "shape" | "hinge" | "part" | "rotation" | "face" | "orientation"
        | "attachment" | "vertical_direction" | "thickness" => true,
        "axis" => value != "y",
        // `type` belongs to slabs, chests and piston heads.
        "type" => !matches!(value, "bottom" | "double" | "single" | "normal"),
        "open" | "hanging" | "extended" | "in_wall" => is_true(value),
        "north" | "south" | "east" | "west" | "up" | "down" => {
            !matches!(value, "false" | "none" | "0")
        }
        "tilt" => value != "none",
        _ => false,
    }
}

impl<'a> BlockState<'a> {
    /// True if the voxel loses a part of the block's shape, stated or by default, or the water
    /// around the block, or if only that water is kept.
    pub(crate) fn loses_shape(&self) -> bool {
        let properties = self.properties.as_ref();
        let is_turned = properties.is_some_and(|properties| properties.loses_shape);
        let loses_water = properties.is_some_and(|it| it.is_waterlogged && !self.has_room(it));
        (is_turned || loses_water || default_shape::is_shaped(&self.name))
            && !block_table::is_wall_torch(&self.name)
            || block_table::is_water_plant(&self.name)
    }

    /// True if the block's voxel is only partly filled, so that water has room in it.
    fn has_room(&self, properties: &BlockProperties) -> bool {
        if self.name.ends_with("_slab") {
            return matches!(properties.r#type.as_deref(), None | Some("bottom"));
        }
        appearance::for_block(&self.name).1 < u8::MAX
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
        assert_eq!((&*name, properties.r#type.as_deref()), ("minecraft:oak_slab", Some("bottom")));
        assert_eq!((properties.loses_shape, properties.level), (false, None));
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

    #[test]
    fn properties_are_sorted_and_others_are_unknown() {
        assert!(PROPERTIES.is_sorted());
        let unknown = |text: &str| {
            BlockState::parse(text)
                .map(|state| state.properties.unwrap_or_default().unknown.map(String::from))
                .unwrap()
        };
        assert_eq!(unknown("stone[lit=true,waterlogged=0,age=3]"), None);
        assert_eq!(unknown("mod:carpet[facing=east,color=red,kind=2]").as_deref(), Some("color"));
    }

    #[test]
    fn turned_and_shaped_blocks_lose_their_shape() {
        for (text, lost) in [
            ("oak_log[axis=y]", false),
            ("oak_log[axis=x]", true),
            ("oak_slab[type=bottom]", false),
            ("oak_slab[type=top]", true),
            ("oak_slab[type=bottom,waterlogged=true]", false),
            ("oak_slab[waterlogged=true]", false),
            ("tube_coral_block[waterlogged=true]", true),
            ("chest[facing=north,type=single]", true),
            ("oak_leaves[distance=3,persistent=true,waterlogged=false]", false),
            ("oak_leaves[distance=3,persistent=true,waterlogged=true]", true),
            ("oak_fence[east=false,north=false]", false),
            ("oak_fence[east=true,north=false]", true),
            ("grass_block[snowy=true]", false),
            ("snow[layers=3]", false),
            ("stone", false),
            ("kelp[age=3]", true),
            ("seagrass", true),
            ("wall_torch[facing=east]", false),
            ("water[level=0]", false),
            ("tube_coral_block", false),
            ("oak_stairs", true),
            ("oak_slab", false),
            ("wall_torch", false),
        ] {
            assert_eq!(BlockState::parse(text).unwrap().loses_shape(), lost, "{text}");
        }
    }
}
