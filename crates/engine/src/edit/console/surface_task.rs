//! Changes of the surfaces of materials, for the owner of the material table to carry out.

use crate::voxel::SurfaceChange;

/// Task of changing the surface of a material. The caller records the change with
/// [`EditableWorld::change_surface`](crate::edit::EditableWorld::change_surface).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SurfaceTask {
    /// The command as it was typed, which becomes the name of the step in the history.
    pub name: String,
    /// The change. Its surfaces differ.
    pub change: SurfaceChange,
    /// Answer for the player.
    pub answer: String,
}
