//! Kind files: lists of creature kinds in RON.

use super::body_model::BodyPart;
use super::error::{KindError, KindProblem};
use crate::ron_text::{self, RonError};
use serde::Deserialize;

/// A kind as a file describes it.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "kind")]
pub(super) struct KindText {
    /// Unique name, `snake_case`.
    pub name: String,
    /// Manner of moving.
    pub moves: Gait,
    /// Speed in voxels per second.
    pub speed: Speed,
    /// Speed while fleeing or hunting, in voxels per second.
    pub(crate) fast_speed: Speed,
    /// Time of day at which creatures of the kind are awake.
    #[serde(default)]
    pub awake: Awake,
    /// Names of the kinds that the creature flees from.
    #[serde(default)]
    pub(crate) flees_from: Vec<String>,
    /// Distance in voxels at which the creature flees from the player; 0 if it never does.
    #[serde(default)]
    pub(crate) flees_player_within: Distance,
    /// Names of the kinds that the creature hunts.
    #[serde(default)]
    pub(crate) hunts: Vec<String>,
    /// Distance in voxels within which the creature notices other creatures.
    #[serde(default)]
    pub(crate) notices_within: Distance,
    /// Highest light level that the creature tolerates, 0 to 15.
    #[serde(default = "brightest")]
    pub(crate) most_light: Level,
    /// Light level of the body in the dark, 0 to 15.
    #[serde(default)]
    pub glow: Level,
    /// Conditions for spawning.
    pub(crate) habitat: HabitatText,
    /// Boxes of the body.
    pub body: Vec<BodyPart>,
}

fn brightest() -> Level {
    Level(15)
}

/// Manner of moving.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gait {
    /// Walks on ledges, along paths.
    Walk,
    /// Swims in water.
    Swim,
    /// Flies, and lands to rest or sleep.
    Fly,
    /// Flies and rests in the air, and lands only to sleep.
    Hover,
}

/// Time of day at which a kind is awake.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Awake {
    /// Awake by day.
    Day,
    /// Awake at night.
    Night,
    /// Awake day and night.
    #[default]
    Always,
}

/// Conditions for spawning as a file describes them.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "habitat")]
pub(super) struct HabitatText {
    /// Names of the materials to stand on; empty for any. Swimmers spawn in water instead.
    #[serde(default)]
    pub on: Vec<String>,
    /// Lowest and highest y to spawn at.
    #[serde(default = "all_heights")]
    pub heights: (i32, i32),
    /// Lowest and highest sunlight level, as at noon.
    #[serde(default = "all_light")]
    pub light: (Level, Level),
    /// Average number of chunks per group: one of this many chunks gets a group.
    pub(crate) one_in_chunks: Count,
    /// Minimum and maximum number of creatures in a group.
    pub group: (Count, Count),
}

fn all_heights() -> (i32, i32) {
    (i32::MIN, i32::MAX)
}

fn all_light() -> (Level, Level) {
    (Level(0), Level(15))
}

macro_rules! number {
    ($name:ident, $inner:ty, $default:expr, $range:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Deserialize, Clone, Copy, PartialEq, PartialOrd, Debug)]
        #[serde(try_from = "f64")]
        pub(super) struct $name(pub $inner);

        impl Default for $name {
            fn default() -> $name {
                $name($default)
            }
        }

        impl TryFrom<f64> for $name {
            type Error = String;
            fn try_from(number: f64) -> Result<$name, String> {
                let range: std::ops::RangeInclusive<f64> = $range;
                if range.contains(&number) && number.fract() == 0.0 {
                    Ok($name(number as $inner))
                } else {
                    Err(format!(
                        "expected a whole number from {} to {}, not {number}",
                        range.start(),
                        range.end()
                    ))
                }
            }
        }
    };
}

number!(Distance, u8, 0, 0.0..=32.0, "A distance, in voxels.");
number!(Level, u8, 0, 0.0..=15.0, "A level of light.");
number!(Count, u16, 1, 1.0..=1000.0, "A number of things.");

/// A speed, in voxels per second.
#[derive(Deserialize, Clone, Copy, PartialEq, PartialOrd, Debug)]
#[serde(try_from = "f32")]
pub(super) struct Speed(pub f32);

impl TryFrom<f32> for Speed {
    type Error = String;
    fn try_from(speed: f32) -> Result<Speed, String> {
        // A creature moves at most one voxel per tick.
        if (0.1..=20.0).contains(&speed) {
            Ok(Speed(speed))
        } else {
            Err(format!("expected voxels per second from 0.1 to 20, not {speed}"))
        }
    }
}

/// Reads the kinds of a kind file.
///
/// # Errors
/// Fails if the text is not a list of kinds.
pub(super) fn parse(text: &str, file: &str) -> Result<Vec<KindText>, KindError> {
    ron_text::read(text, file).map_err(|RonError { file, place, reason }| KindError {
        file,
        place,
        problem: KindProblem::Syntax(reason),
    })
}
