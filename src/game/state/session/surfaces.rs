//! Changes of surfaces, from the undo history to the material table of the open map.

use super::edits::Edits;
use super::open_map::OpenMap;
use crate::game::state::frame::chunk_messages::SurfacesChanged;
use bevy::prelude::*;

/// Gives the material table the changes of surfaces that were made, undone or redone in this frame.
/// Runs after all edits, and before everything that reads the materials of chunks.
pub fn apply(
    mut map: ResMut<OpenMap>,
    mut edits: ResMut<Edits>,
    mut changed: MessageWriter<SurfacesChanged>,
) {
    if !edits.has_surfaces_to_apply() {
        return;
    }
    let materials = edits.with_surfaces(&map.materials);
    edits.surfaces.clear();
    map.set_materials(materials);
    changed.write(SurfacesChanged);
}
