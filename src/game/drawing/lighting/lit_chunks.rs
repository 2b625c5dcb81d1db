//! Results of the background task that lights chunks.

use super::light_work::LightWork;
use crate::game::state::frame::caught::Panicked;
use stonerun_engine::light::{ChunkLight, DifferentSides, LightMap};
use stonerun_engine::voxel::ChunkPos;

/// A chunk, its new light, and the sides at which it differs from the chunk's previous light.
pub(super) type NewLight = (ChunkPos, ChunkLight, DifferentSides);

/// Chunks that the task has lit.
pub(super) struct LitChunks {
    /// The light map; `None` if the task goes on or has failed.
    pub map: Option<Box<LightMap>>,
    /// New light of the chunks.
    pub lights: Vec<NewLight>,
    /// Numbers and times.
    pub work: LightWork,
    /// Panic that ended the task; the light map is lost with it.
    pub failure: Option<LightFailure>,
}

/// A panic of lighting. The light map may be half changed, so it is dropped.
pub(super) struct LightFailure {
    /// Chunks that were being passed to the light map.
    pub chunks: Vec<ChunkPos>,
    /// The panic.
    pub reason: Panicked,
}

impl LitChunks {
    /// The result of lighting that has panicked.
    pub fn failed(failure: LightFailure) -> LitChunks {
        LitChunks {
            map: None,
            lights: Vec::new(),
            work: LightWork::default(),
            failure: Some(failure),
        }
    }
}

/// The present light of chunks that `map` has lit again.
pub(super) fn new_lights(
    map: &LightMap,
    changed: impl IntoIterator<Item = (ChunkPos, DifferentSides)>,
) -> Vec<NewLight> {
    changed
        .into_iter()
        .filter_map(|(pos, sides)| Some((pos, map.chunk(pos)?.clone(), sides)))
        .collect()
}
