//! Messages about chunks: loaded, unloaded, edited, lit.
//!
//! Each consumer has its own readers and runs in every frame in which a map is open, so it never
//! misses a message. A message says only that something happened; the current state is in the
//! world. Therefore the order of messages of different kinds does not matter.

use bevy::ecs::message::Messages;
use bevy::prelude::*;
use stonerun_engine::light::DifferentSides;
use stonerun_engine::visibility::ChunkOcclusion;
use stonerun_engine::voxel::{Box3, ChunkPos};

/// A chunk was loaded.
#[derive(Message, Clone, Debug)]
pub struct ChunkLoaded {
    /// The chunk.
    pub pos: ChunkPos,
    /// Occlusion of the chunk, computed in the background; `None` if it is not computed yet.
    pub occlusion: Option<ChunkOcclusion>,
}

/// A chunk was unloaded.
#[derive(Message, Clone, Copy, Debug)]
pub struct ChunkUnloaded {
    /// The chunk.
    pub pos: ChunkPos,
}

/// Voxels of a loaded chunk changed.
#[derive(Message, Clone, Copy, Debug)]
pub struct ChunkEdited {
    /// The chunk.
    pub pos: ChunkPos,
    /// Box that holds all changed voxels, in voxels of the world.
    pub area: Box3,
    /// True for a change by the player, which is drawn at once; false for a change by rules.
    pub is_asked: bool,
}

/// The light of a loaded chunk was computed, and differs from the previous light.
#[derive(Message, Clone, Copy, Debug)]
pub struct ChunkLit {
    /// The chunk.
    pub pos: ChunkPos,
    /// Sides of the chunk at which the light differs.
    pub sides: DifferentSides,
    /// True for the first light since the chunk was loaded.
    pub is_first: bool,
    /// True if the light was computed in the frame of an edit, and should be drawn in that frame.
    pub at_once: bool,
}

/// The record of a chunk in the map cannot be used: the chunk was generated again, or stays
/// unloaded. Baked visible sets that hold the chunk may be wrong.
#[derive(Message, Clone, Copy, Debug)]
pub struct ChunkRecordLost {
    /// The chunk.
    pub pos: ChunkPos,
}

/// Surfaces of materials changed. Whatever was derived from the material table is outdated, for all
/// chunks.
#[derive(Message, Clone, Copy, Debug)]
pub struct SurfacesChanged;

/// The open map got materials. Those that it had are the same as before.
#[derive(Message, Clone, Copy, Debug)]
pub struct MaterialsAdded;

/// Adds the messages.
pub fn add(app: &mut App) {
    app.add_message::<ChunkLoaded>()
        .add_message::<ChunkUnloaded>()
        .add_message::<ChunkEdited>()
        .add_message::<ChunkLit>()
        .add_message::<ChunkRecordLost>()
        .add_message::<SurfacesChanged>()
        .add_message::<MaterialsAdded>();
}

/// Drops all messages: messages of a closed map must not reach the next one.
pub fn clear(world: &mut World) {
    fn clear<M: Message>(world: &mut World) {
        if let Some(mut messages) = world.get_resource_mut::<Messages<M>>() {
            messages.clear();
        }
    }
    clear::<ChunkLoaded>(world);
    clear::<ChunkUnloaded>(world);
    clear::<ChunkEdited>(world);
    clear::<ChunkLit>(world);
    clear::<ChunkRecordLost>(world);
    clear::<SurfacesChanged>(world);
    clear::<MaterialsAdded>(world);
}
