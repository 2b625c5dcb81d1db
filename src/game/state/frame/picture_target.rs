//! Pictures of the world: the image into which `stonerun shot` draws, and the render layer that
//! pictures leave out.

use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

/// The image that is drawn into instead of a window. Exists only while pictures are taken without a
/// window.
#[derive(Resource)]
pub struct PictureTarget(pub Handle<Image>);

/// Run condition: a player is at the window, rather than `stonerun shot` taking a picture.
#[must_use]
pub fn has_player(target: Option<Res<PictureTarget>>) -> bool {
    target.is_none()
}

/// Makes rules and creatures run although there is no window, for benchmarks.
#[derive(Resource)]
pub struct LivesWithoutWindow;

/// Run condition: rules and creatures run.
#[must_use]
pub fn is_alive(
    target: Option<Res<PictureTarget>>,
    lives: Option<Res<LivesWithoutWindow>>,
) -> bool {
    target.is_none() || lives.is_some()
}

/// The render layer of outlines and overlays. The player sees them, but the map's picture on the
/// title screen leaves them out.
#[must_use]
pub fn not_in_pictures() -> RenderLayers {
    RenderLayers::layer(1)
}
