//! System sets of the open map, in the order in which they run within a frame.

use bevy::prelude::*;
use strum::VariantArray;

/// Parts of a frame that work on the open map, in the order in which they run within `Update`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub enum FrameSet {
    /// Keys and mouse move the player and switch modes.
    Control,
    /// The player changes voxels.
    Edit,
    /// The rules of the world change voxels. After `Edit`, so that they see every edit.
    Rules,
    /// Chunks are loaded and unloaded. After `Edit`, which marks the chunks that must stay until
    /// they are saved.
    Stream,
    /// Meshes of loaded or edited chunks.
    Mesh,
    /// The camera follows the player; sky and ambience follow the camera.
    Camera,
    /// Culling. After all systems that change the world or move the camera, so that a visible chunk
    /// is never culled.
    Cull,
    /// Figures about the frame.
    Observe,
    /// Saving in the background.
    Save,
    /// Requests for another map or screen. Last, because they may close the open map.
    Requests,
}

impl FrameSet {
    /// All sets, in their order.
    pub const ALL: &'static [FrameSet] = FrameSet::VARIANTS;
}
