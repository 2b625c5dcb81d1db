//! The modes of the benchmark.

/// Side of the cube of about 10^7 voxels that falls, in voxels.
const FLOOD_SIDE: i32 = 216;

/// Mode of the benchmark: the scene that is measured.
#[derive(Clone, PartialEq, Eq)]
pub enum Mode {
    Standing,
    Flying,
    /// Name of the material.
    Editing(String),
    Toggling,
    /// Name of the material, and side of the cube in voxels.
    Flood(String, i32),
    /// Number of creatures.
    Creatures(u32),
    Fire,
    Dragging,
    Shaping,
    Loading,
    Memory,
    Empty,
    EmptyMemory,
}

impl Mode {
    /// The mode with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Mode> {
        Some(match name {
            "standing" => Mode::Standing,
            "flying" => Mode::Flying,
            "editing" => Mode::Editing("stone".to_owned()),
            "toggling" => Mode::Toggling,
            "flood" => Mode::Flood("water".to_owned(), FLOOD_SIDE),
            "fire" => Mode::Fire,
            "dragging" => Mode::Dragging,
            "shaping" => Mode::Shaping,
            "loading" => Mode::Loading,
            "memory" => Mode::Memory,
            "empty" => Mode::Empty,
            "empty-memory" => Mode::EmptyMemory,
            _ => match name.split_once('=')? {
                ("editing", material) => Mode::Editing(material.to_owned()),
                ("flood", what) => match what.split_once(':') {
                    Some((material, side)) => Mode::Flood(material.to_owned(), side.parse().ok()?),
                    None => Mode::Flood(what.to_owned(), FLOOD_SIDE),
                },
                ("creatures", number) => Mode::Creatures(number.parse().ok()?),
                _ => return None,
            },
        })
    }

    /// False if Bevy is measured without the game.
    pub fn has_game(&self) -> bool {
        !matches!(self, Mode::Empty | Mode::EmptyMemory)
    }
}
