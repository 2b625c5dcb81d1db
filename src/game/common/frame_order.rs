//! The order of a frame: every system that works on the open map is in one of these sets.

use bevy::prelude::*;

/// Parts of a frame that work on the open map, in the order they run within `Update`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrameSet {
    /// Keys and mouse move the player and switch modes.
    Control,
    /// The player changes voxels.
    Edit,
    /// Chunks come and go. After `Edit`, which marks the chunks that must stay until they are
    /// saved.
    Stream,
    /// Meshes of chunks that came or changed.
    Mesh,
    /// The camera follows the player, and with it what depends on the place of the eyes.
    Camera,
    /// What is drawn. After all that changes the world and moves the camera: what can be seen is
    /// never culled.
    Cull,
    /// Figures about the frame.
    Observe,
    /// Saving in the background.
    Save,
    /// Requests for another map or screen. Last, as the open map may be closed here.
    Requests,
}

impl FrameSet {
    /// All sets, in their order.
    pub const ALL: [FrameSet; 9] = [
        FrameSet::Control,
        FrameSet::Edit,
        FrameSet::Stream,
        FrameSet::Mesh,
        FrameSet::Camera,
        FrameSet::Cull,
        FrameSet::Observe,
        FrameSet::Save,
        FrameSet::Requests,
    ];
}
