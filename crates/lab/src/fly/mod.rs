//! A scripted flight without a window, which counts the voxel operations of each task of the game.
//!
//! The 0fps text estimates that iteration outweighs random access in a voxel game; the flight
//! measures whether it does. A pilot calls the engine functions that the game calls, as often as
//! the game does at 60 frames per second, while it flies in a wide curve over the terrain, low
//! enough to dig and build ahead. Each chunk is loaded and meshed in the frame in which the game
//! would request it, so the counts are the same on every machine.

mod pilot;

use glam::DVec3;
use pilot::Pilot;
use stonerun_engine::metrics::WorkByTask;
use stonerun_engine::save::SaveError;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable};
use stonerun_engine::world::Chunk;

/// Frames per second.
pub const FRAMES_PER_SECOND: u32 = 60;

/// A chunk that came into view.
pub struct LoadedChunk {
    /// The chunk as the game loads it.
    pub chunk: Chunk,
    /// True if the game would save the chunk even without an edit, because it was generated and the
    /// map does not contain it yet.
    pub unsaved: bool,
}

/// The terrain of a flight.
pub struct FlightTerrain<'a> {
    /// Generates or reads the chunk at a position.
    pub load_chunk: &'a dyn Fn(ChunkPos) -> Result<LoadedChunk, SaveError>,
    /// Materials of the terrain's voxels.
    pub materials: &'a MaterialTable,
    /// Start of the flight.
    pub start: DVec3,
    /// Box of all voxels of finite terrain. The pilot turns back outside it, because flight over
    /// empty air would distort the counts.
    pub bounds: Option<Box3>,
    /// View distance, in chunks.
    pub view: i32,
    /// Lowest y of chunks that count as open sky while they are not loaded.
    pub sky: i32,
}

/// Counts of a flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FlightStats {
    /// Voxel operations of each task, without the first view.
    pub work: WorkByTask,
    /// Frames flown.
    pub frames: u32,
    /// Chunks that came into view on the way.
    pub chunks: u64,
    /// Chunks meshed on the way, including those meshed again after edits.
    pub meshes: u64,
    /// Blocks broken or placed.
    pub edits: u64,
}

/// Flies for `seconds`. `progress` receives the completed share, from 0 to 1.
///
/// # Errors
/// A chunk cannot be read.
pub fn fly(
    terrain: &FlightTerrain<'_>,
    seconds: u32,
    progress: &mut dyn FnMut(f32),
) -> Result<FlightStats, SaveError> {
    let mut pilot = Pilot::new(terrain);
    pilot.load_first_view()?;
    let frames = seconds * FRAMES_PER_SECOND;
    for frame in 0..frames {
        pilot.fly_frame(frame)?;
        progress((frame + 1) as f32 / frames as f32);
    }
    Ok(pilot.stats)
}

#[cfg(test)]
mod tests;
