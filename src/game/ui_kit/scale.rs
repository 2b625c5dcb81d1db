//! The scale of the interface.

use crate::game::state::settings::{Settings, WindowSize};
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::egui::{Event, Vec2};
use bevy_egui::input::{EguiContextPointerPosition, EguiInputEvent};
use bevy_egui::{EguiContexts, PrimaryEguiContext};

/// Scales of the interface that the settings offer, in ascending order.
pub const SCALES: [f32; 9] = [0.75, 0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0];
/// Number of frames after a change in which all letters are laid out.
const WARM_UP_FRAMES: u32 = 3;
/// Size of a window, in logical pixels, for which the automatic scale is 1.
const USUAL: Vec2 = Vec2::new(1280.0, 1080.0);

/// Applies the scale from the settings.
pub fn apply(
    mut contexts: EguiContexts,
    settings: Res<Settings>,
    mut pointer: Query<(Entity, &mut EguiContextPointerPosition), With<PrimaryEguiContext>>,
    mut events: MessageWriter<EguiInputEvent>,
    mut frames: Local<u32>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let zoom = ctx.zoom_factor();
    let wanted = scale(settings.interface_scale, ctx.viewport_rect().size() * zoom);
    if wanted != zoom {
        // Takes effect in the next frame. Letters must then be laid out in their new size.
        ctx.set_zoom_factor(wanted);
        *frames = WARM_UP_FRAMES;
        // The pointer keeps its position on the screen, so that a second click hits the same
        // widget.
        if let Ok((context, mut pointer)) = pointer.single_mut() {
            pointer.position *= zoom / wanted;
            events.write(EguiInputEvent { context, event: Event::PointerMoved(pointer.position) });
        }
    } else if *frames > 0 {
        theme::warm_up(ctx);
        *frames -= 1;
    }
}

/// The scale in a window of `window` logical pixels: the chosen one, or the automatic one for 0.
fn scale(chosen: f32, window: Vec2) -> f32 {
    fitting(if chosen == 0.0 { automatic(window) } else { chosen }, window)
}

/// The automatic scale. Logical pixels already include the scale factor of the screen. But on
/// screens of many pixels that report no scale factor, letters would be tiny, so it grows with the
/// window.
fn automatic(window: Vec2) -> f32 {
    let room = (window / USUAL).min_elem();
    SCALES.into_iter().rev().find(|&scale| scale <= room).unwrap_or(1.0).max(1.0)
}

/// The scale, reduced until a window of `window` logical pixels has room for the smallest
/// interface, 400 x 300 points. Does not reduce it below 1.
fn fitting(scale: f32, window: Vec2) -> f32 {
    let WindowSize { width, height } = WindowSize::SMALLEST;
    let max_scale = (window.x / width as f32).min(window.y / height as f32).max(1.0);
    scale.min(max_scale)
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

    #[test]
    fn interface_follows_the_window_until_a_size_is_chosen() {
        for (window, expected) in [
            (vec2(3840.0, 2160.0), 2.0),
            (vec2(2560.0, 1440.0), 1.25),
            // A screen of 3840 x 2160 pixels with a scale factor of 2.
            (vec2(1920.0, 1080.0), 1.0),
            (vec2(800.0, 450.0), 1.0),
            (vec2(1080.0, 1920.0), 1.0),
            (vec2(15_360.0, 8640.0), 3.0),
        ] {
            assert_eq!(scale(0.0, window), expected, "{window}");
            assert_eq!(scale(0.9, window), 0.9, "{window}");
        }
    }
}
