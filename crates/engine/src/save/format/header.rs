//! The header of a map: seed, terrain, spawn point, player and time.

use crate::terrain::{Generator, GroundStyle, TerrainKind, seed};
use crate::voxel::{MaterialTable, WORLD_LIMIT};
use crate::world::viewpoint::Viewpoint;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Seed, terrain, player and times of a map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Seed of the terrain.
    pub seed: u64,
    /// The word that the player typed as the seed; empty for a number and for words over 100
    /// characters. Stored as a record of its own, so that older programs can read the header.
    #[serde(skip)]
    pub seed_word: String,
    /// Kind of terrain, by name.
    pub terrain: String,
    /// Style of the ground. Stored only if it is not [`GroundStyle::Blocks`], in the second version
    /// of the record.
    #[serde(skip)]
    pub ground: GroundStyle,
    /// Spawn point: position of the feet, in voxels.
    pub spawn: [f64; 3],
    /// Player at the last save.
    pub player: SavedPlayer,
    /// Time of day, 0 to 1; 0 is midnight.
    pub time_of_day: f64,
    /// Time played in this map, in seconds.
    pub played_seconds: f64,
    /// Time of the last save, in seconds since 1970 UTC.
    pub saved_unix: u64,
    /// Time of the map's creation, in seconds since 1970 UTC.
    pub created_unix: u64,
}

/// The player's state in a saved map.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SavedPlayer {
    /// Position of the feet, in voxels.
    pub position: [f64; 3],
    /// Angle about the upward axis, in radians.
    pub yaw: f32,
    /// Angle upwards, in radians.
    pub pitch: f32,
    /// True while flying.
    pub flying: bool,
    /// Names of the materials in the hot bar.
    pub hotbar: Vec<String>,
    /// Selected slot of the hot bar.
    pub selected: u8,
}

impl SavedPlayer {
    /// Position and view direction of the player.
    #[must_use]
    pub fn viewpoint(&self) -> Viewpoint {
        Viewpoint { feet: DVec3::from_array(self.position), yaw: self.yaw, pitch: self.pitch }
    }
}

/// Hot bar of a new player, by material name.
const FIRST_HOTBAR: [&str; 9] =
    ["stone", "dirt", "oak_log", "oak_planks", "cobblestone", "bricks", "glass", "lamp", "torch"];

/// Maximum number of characters of a seed word. Longer words are dropped, because a truncated word
/// would give another seed.
const MAX_SEED_WORD_CHARS: usize = 100;

/// Spawn point before the terrain sets one, and in place of a corrupt one.
const DEFAULT_SPAWN: [f64; 3] = [0.5, 128.0, 0.5];

impl Header {
    /// Creates the header of a new map: morning, and a flying player at a placeholder spawn point,
    /// which the caller replaces once the terrain is known.
    #[must_use]
    pub fn new(seed: u64, terrain: &str, created_unix: u64) -> Header {
        Header {
            seed,
            seed_word: String::new(),
            terrain: terrain.to_owned(),
            ground: GroundStyle::Blocks,
            spawn: DEFAULT_SPAWN,
            player: SavedPlayer {
                position: DEFAULT_SPAWN,
                flying: true,
                hotbar: FIRST_HOTBAR.map(String::from).to_vec(),
                ..SavedPlayer::default()
            },
            time_of_day: 0.4,
            played_seconds: 0.0,
            saved_unix: created_unix,
            created_unix,
        }
    }

    /// Generator of the map's terrain; of void terrain if its kind is unknown. `materials` is the
    /// map's table.
    #[must_use]
    pub fn generator(&self, materials: &MaterialTable) -> Generator {
        let kind = self.terrain.parse().unwrap_or(TerrainKind::Void);
        Generator::with_ground(self.seed, kind, self.ground, materials)
    }

    /// Moves the spawn point and the player to a viewpoint.
    pub fn place_player(&mut self, Viewpoint { feet, yaw, pitch }: Viewpoint) {
        self.spawn = feet.to_array();
        self.player =
            SavedPlayer { position: self.spawn, yaw, pitch, ..std::mem::take(&mut self.player) };
    }

    /// Returns the header with every number in range. A map may come from an untrusted source, and
    /// a player at NaN or beyond the world's limit could not move.
    pub(in crate::save) fn sanitised(mut self) -> Header {
        // False for NaN.
        let inside = |p: [f64; 3]| p.iter().all(|v| v.abs() < f64::from(WORLD_LIMIT));
        if !inside(self.spawn) {
            self.spawn = DEFAULT_SPAWN;
        }
        if !inside(self.player.position) {
            self.player.position = self.spawn;
        }
        if !(self.player.yaw.is_finite() && self.player.pitch.is_finite()) {
            (self.player.yaw, self.player.pitch) = (0.0, 0.0);
        }
        self.time_of_day =
            if self.time_of_day.is_finite() { self.time_of_day.rem_euclid(1.0) } else { 0.5 };
        self.played_seconds =
            if self.played_seconds >= 0.0 { self.played_seconds.min(1e12) } else { 0.0 };
        if !is_seed_word(&self.seed_word, self.seed) {
            self.seed_word.clear();
        }
        self
    }
}

/// True if `word` is the word of `seed`, is not a number, and fits on one line.
fn is_seed_word(word: &str, seed: u64) -> bool {
    let fits = word.chars().count() <= MAX_SEED_WORD_CHARS && !word.contains(char::is_control);
    fits && seed::word(word) == Some(word) && seed::from_text(word) == Some(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_word_is_kept_only_if_it_makes_the_seed() {
        let kept = |word: &str, seed: u64| {
            Header { seed_word: word.to_owned(), ..Header::new(seed, "flat", 0) }
                .sanitised()
                .seed_word
        };
        let seed = |word: &str| seed::from_text(word).unwrap();
        let longest = "\u{1F5FF}".repeat(MAX_SEED_WORD_CHARS);
        for word in ["granite", "two words", &longest] {
            assert_eq!(kept(word, seed(word)), word);
            assert_eq!(kept(word, 7), "");
        }
        for word in ["two\twords", "42", " granite ", &(longest.clone() + "a")] {
            assert_eq!(kept(word, seed(word)), "", "{word:?}");
        }
        assert_eq!(kept("", 7), "");
    }
}
