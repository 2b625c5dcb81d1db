//! Draws the preview.

use super::ghost::GhostCanvas;
use super::preview::EditPreview;
use bevy::prelude::*;

/// The drawn preview: its entity and revision.
#[derive(Default)]
pub(super) struct DrawnPreview {
    entity: Option<Entity>,
    revision: u64,
}

/// Draws the preview that is ready, and removes one that is no longer ready.
pub(super) fn draw(
    mut preview: ResMut<EditPreview>,
    mut drawn: Local<DrawnPreview>,
    mut canvas: GhostCanvas,
) {
    if preview.revision() == drawn.revision {
        return;
    }
    drawn.revision = preview.revision();
    if let Some(entity) = drawn.entity.take() {
        canvas.commands.entity(entity).despawn();
    }
    // Only a real change triggers Bevy's change detection.
    drawn.entity = preview
        .bypass_change_detection()
        .take_meshes()
        .map(|meshes| canvas.spawn(meshes, IVec3::ZERO));
}
