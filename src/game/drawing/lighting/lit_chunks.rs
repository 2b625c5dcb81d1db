//! Results of the background task that lights chunks.

use super::light_work::LightWork;
use crate::game::state::frame::caught::Panicked;
use stonerun_engine::light::{ChunkLight, DifferentSides, LightMap};
use stonerun_engine::voxel::ChunkPos;

/// A chunk, its new light, and the sides at which that differs from the previous light.
pub(super) type NewLight = (ChunkPos, ChunkLight, DifferentSides);

/// Chunks that the task has lit.
pub(super) struct LitChunks {
    /// The map of light, when the task ends.
    pub map: Option<Box<LightMap>>,
    /// New light of the chunks.
    pub lights: Vec<NewLight>,
    /// Numbers and times.
    pub work: LightWork,
    /// Failure that ended the task without the map of light.
    pub failure: Option<LightFailure>,
}

/// Lighting has panicked. The map of light may be half changed, so it is dropped.
pub(super) struct LightFailure {
    /// Chunks that were being taken in.
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

/// The light of changed chunks.
pub(super) fn new_lights(
    map: &LightMap,
    changed: impl IntoIterator<Item = (ChunkPos, DifferentSides)>,
) -> Vec<NewLight> {
    changed
        .into_iter()
        .filter_map(|(pos, sides)| Some((pos, map.chunk(pos)?.clone(), sides)))
        .collect()
}
