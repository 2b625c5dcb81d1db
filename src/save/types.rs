//! What goes into a map file and what is told about it: plain data, no file access.

use super::history::HistoryChange;
use crate::voxel::{ChunkPos, MaterialTable, WORLD_LIMIT};
use crate::world::Chunk;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// What a map knows beside its chunks and materials.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The terrain's seed.
    pub seed: u64,
    /// The terrain's kind, by name.
    pub terrain: String,
    /// Where players start: feet, in voxels.
    pub spawn: [f64; 3],
    /// The player as they were at the last save.
    pub player: SavedPlayer,
    /// Time of day, 0 to 1; 0 is midnight.
    pub time_of_day: f64,
    /// Seconds played in this map.
    pub played_seconds: f64,
    /// Last save, seconds since 1970 UTC.
    pub saved_unix: u64,
    /// When the map was made, seconds since 1970 UTC.
    pub created_unix: u64,
}

/// The player of a map.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SavedPlayer {
    /// Feet, in voxels.
    pub position: [f64; 3],
    /// Radians, about the upward axis.
    pub yaw: f32,
    /// Radians, upwards.
    pub pitch: f32,
    /// True while flying.
    pub flying: bool,
    /// Names of the materials in the hot bar.
    pub hotbar: Vec<String>,
    /// Selected slot of the hot bar.
    pub selected: u8,
}

/// What a new player holds, by material name.
const FIRST_HOTBAR: [&str; 9] =
    ["stone", "dirt", "oak_log", "oak_planks", "cobblestone", "bricks", "glass", "lamp", "sand"];

impl Header {
    /// The header of a new map: a morning, and a player in flight at a spawn that whoever makes the terrain sets.
    #[must_use]
    pub fn new(seed: u64, terrain: &str, created_unix: u64) -> Header {
        let spawn = [0.5, 128.0, 0.5];
        Header {
            seed,
            terrain: terrain.to_owned(),
            spawn,
            player: SavedPlayer {
                position: spawn,
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

    /// The same with every number in range: a map may come from a stranger, and a player at NaN or beyond the
    /// world's end would be a trap.
    pub(super) fn sane(mut self) -> Header {
        // NaN is not less than anything.
        let inside = |p: [f64; 3]| p.iter().all(|v| v.abs() < f64::from(WORLD_LIMIT));
        if !inside(self.spawn) {
            self.spawn = [0.5, 128.0, 0.5];
        }
        if !inside(self.player.position) {
            self.player.position = self.spawn;
        }
        if !(self.player.yaw.is_finite() && self.player.pitch.is_finite()) {
            (self.player.yaw, self.player.pitch) = (0.0, 0.0);
        }
        self.time_of_day = if self.time_of_day.is_finite() { self.time_of_day.rem_euclid(1.0) } else { 0.5 };
        self.played_seconds = if self.played_seconds >= 0.0 { self.played_seconds.min(1e12) } else { 0.0 };
        self
    }
}

/// What one save writes.
#[derive(Clone, Debug)]
pub struct MapChanges {
    /// The chunks that changed since the last save, and only these.
    pub chunks: Vec<(ChunkPos, Chunk)>,
    /// The header as it is now.
    pub header: Header,
    /// The material table as it is now: the map's own, perhaps grown.
    pub materials: MaterialTable,
    /// A picture for the title screen, PNG, at most 4 MiB; none leaves the map's as it is.
    pub picture: Option<Vec<u8>>,
    /// What became of the steps that can be undone; none leaves the map's as they are.
    pub history: Option<HistoryChange>,
}

impl MapChanges {
    /// These changes after `earlier` ones that could not be saved: of each chunk the later form.
    #[must_use]
    pub fn after(mut self, earlier: MapChanges) -> MapChanges {
        let mut chunks: FxHashMap<ChunkPos, Chunk> = earlier.chunks.into_iter().collect();
        chunks.extend(std::mem::take(&mut self.chunks));
        self.chunks = chunks.into_iter().collect();
        self.picture = self.picture.or(earlier.picture);
        self.history = match (self.history, earlier.history) {
            (Some(now), Some(earlier)) => Some(now.after(earlier)),
            (now, earlier) => now.or(earlier),
        };
        self
    }
}

/// What a save did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SaveReport {
    /// The save's number; the first is 1.
    pub revision: u32,
    /// Chunk records written.
    pub chunks_written: usize,
    /// Bytes of these records.
    pub bytes_written: u64,
    /// From the call until the data were safe on the disk.
    pub took: Duration,
    /// The map after the save.
    pub totals: Totals,
    /// The map's file was gone, and the whole map has been written anew.
    pub recreated: bool,
}

/// Sums over the chunks of one codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CodecTotals {
    /// Chunks.
    pub chunks: u64,
    /// Bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Bytes as they are stored.
    pub data_bytes: u64,
}

/// Sums over a map's chunks, and the file's size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Chunks, bad ones counted.
    pub chunks: u64,
    /// Bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Bytes as they are stored.
    pub data_bytes: u64,
    /// The same by codec, in the order of [`ChunkCodec::ALL`](super::ChunkCodec::ALL).
    pub codecs: [CodecTotals; 3],
    /// The same with the 32 bytes of each record's frame.
    pub stored_bytes: u64,
    /// Bytes of the file, write-ahead log included while the map is open.
    pub file_bytes: u64,
    /// Chunks whose records are bad.
    pub bad: u64,
}

/// Seconds since 1970 UTC; 0 with a clock set before.
#[must_use]
pub fn unix_now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}
