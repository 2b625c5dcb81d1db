//! The chunks of a cut, cloned from the world, so that a background task can read them.

use super::cells::ChunkLayer;
use super::content::CutContent;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::state::cutaway::CutPlane;
use stonerun_engine::light::ChunkLight;
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::view::vertical_reach;
use stonerun_engine::world::{ChunkNeighbourhood, World};

/// Maximum distance of a chunk from the centre of the cut at which every bar is shown, in chunks.
const NEAR: i32 = 4;

/// A chunk of the cut.
pub struct CutChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// Runs of the chunk.
    pub tree: RunTree,
    /// The chunk and its neighbours; `None` unless fused runs are shown and the chunk is near.
    pub neighbourhood: Option<ChunkNeighbourhood>,
    /// Light of the chunk; `None` unless light is shown.
    pub light: Option<ChunkLight>,
    /// Distance from the centre of the cut, in chunks.
    distance: i32,
}

impl CutChunk {
    /// The chunk at `pos`, if it is loaded.
    #[must_use]
    pub fn new(
        content: CutContent,
        pos: ChunkPos,
        centre: ChunkPos,
        world: &World,
        lights: Option<&ChunkLights>,
    ) -> Option<CutChunk> {
        let distance = (pos.as_ivec3() - centre.as_ivec3()).abs().max_element();
        let is_near = distance <= NEAR;
        Some(CutChunk {
            pos,
            tree: world.chunk(pos)?.clone(),
            neighbourhood: (content == CutContent::Neighbourhoods && is_near)
                .then(|| world.neighbourhood(pos)),
            light: lights
                .filter(|_| content == CutContent::Light)
                .and_then(|lights| lights.chunk(pos))
                .cloned(),
            distance,
        })
    }

    /// True if every bar of the chunk is shown.
    #[must_use]
    pub fn is_near(&self) -> bool {
        self.distance <= NEAR
    }
}

/// The loaded chunks that `plane` crosses within `view` chunks of `centre`.
#[must_use]
pub fn crossed(
    content: CutContent,
    plane: CutPlane,
    centre: ChunkPos,
    view: i32,
    world: &World,
    lights: Option<&ChunkLights>,
) -> Vec<CutChunk> {
    let layer = ChunkLayer::new(plane);
    let mut middle = centre.as_ivec3();
    middle[plane.axis as usize] =
        ChunkPos::containing(glam::IVec3::splat(plane.layer)).as_ivec3().x;
    let middle = ChunkPos::new(middle.x, middle.y, middle.z);
    let all = layer.chunks(centre, view, vertical_reach(view));
    all.filter_map(|pos| CutChunk::new(content, pos, middle, world, lights)).collect()
}
