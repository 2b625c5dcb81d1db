//! The size of the interface.

use crate::game::common::settings::{Settings, WindowSize};
use crate::game::ui::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::Vec2;

/// Frames in which all letters are laid out after a change.
const WARM_UP_FRAMES: u32 = 3;

/// Applies the size from the settings.
pub fn apply(mut contexts: EguiContexts, settings: Res<Settings>, mut frames: Local<u32>) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let zoom = ctx.zoom_factor();
    let wanted = fitting(settings.interface_scale, ctx.viewport_rect().size() * zoom);
    if wanted != zoom {
        // Applies from the next frame on, which lays out all letters again.
        ctx.set_zoom_factor(wanted);
        *frames = WARM_UP_FRAMES;
    } else if *frames > 0 {
        theme::warm_up(ctx);
        *frames -= 1;
    }
}

/// The size that leaves room for the interface in a window of `window` logical pixels: at least 400
/// x 300 points, or what the window has.
fn fitting(scale: f32, window: Vec2) -> f32 {
    let WindowSize { width, height } = WindowSize::SMALLEST;
    let most = (window.x / width as f32).min(window.y / height as f32).max(1.0);
    scale.min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::vec2;

    #[test]
    fn interface_is_never_too_large_for_the_window() {
        assert_eq!(fitting(2.0, vec2(3840.0, 2160.0)), 2.0);
        assert_eq!(fitting(3.0, vec2(1280.0, 720.0)), 2.4);
        assert_eq!(fitting(3.0, vec2(320.0, 200.0)), 1.0);
        assert_eq!(fitting(0.75, vec2(320.0, 200.0)), 0.75);
    }
}
