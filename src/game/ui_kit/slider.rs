//! A slider that also accepts a click on its track.
//!
//! egui's own slider follows only a held button: it misses a click that is pressed and released
//! between two frames, as happens on a slow machine or with a touch pad.

use bevy_egui::egui::style::HandleShape;
use bevy_egui::egui::{Response, Slider, Ui, emath::Numeric, lerp, remap_clamp};
use std::ops::RangeInclusive;

/// Distribution of the values along the track.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spacing {
    /// Even. Values are multiples of the step, counted from the lowest value.
    Steps(f64),
    /// Logarithmic: each doubling takes the same distance. Values are multiples of the step.
    Logarithmic(f64),
}

/// Draws a slider without its value as a number.
pub fn slider<N: Numeric>(
    ui: &mut Ui,
    value: &mut N,
    range: RangeInclusive<N>,
    spacing: Spacing,
) -> Response {
    let low = range.start().to_f64();
    let high = range.end().to_f64();
    let (Spacing::Steps(step) | Spacing::Logarithmic(step)) = spacing;
    let logarithmic = matches!(spacing, Spacing::Logarithmic(_));
    let plain = Slider::new(value, range).step_by(step).logarithmic(logarithmic).show_value(false);
    let mut response = ui.add(plain);
    let (click, at) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.primary_pressed() && pointer.primary_released(), pointer.interact_pos())
    });
    if click
        && response.enabled()
        && response.contains_pointer()
        && let Some(at) = at
    {
        // Radius of the handle, as egui's slider computes it.
        let radius = match ui.visuals().handle_shape {
            HandleShape::Circle => response.rect.height() / 2.5,
            HandleShape::Rect { aspect_ratio } => response.rect.height() / 2.5 * aspect_ratio,
        };
        let part = f64::from(remap_clamp(at.x, response.rect.x_range().shrink(radius), 0.0..=1.0));
        *value = N::from_f64(value_at(part, [low, high], spacing));
        response.mark_changed();
    }
    response
}

/// The value at a position on the track, 0 to 1.
fn value_at(part: f64, [low, high]: [f64; 2], spacing: Spacing) -> f64 {
    let value = match spacing {
        Spacing::Steps(step) => low + (lerp(0.0..=high - low, part) / step).round() * step,
        Spacing::Logarithmic(step) => (low * (high / low).powf(part) / step).round() * step,
    };
    value.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{
        Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2,
    };

    /// Draws a slider from 0 to 100 in a frame with these events. Updates `value`, and returns the
    /// slider's rectangle.
    fn frame(ctx: &Context, value: &mut i32, events: Vec<Event>) -> Rect {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)));
        let mut rect = Rect::NOTHING;
        let mut output =
            ctx.run_ui(RawInput { screen_rect, events, ..RawInput::default() }, |ui| {
                rect = slider(ui, value, 0..=100, Spacing::Steps(1.0)).rect;
            });
        output.textures_delta.clear();
        rect
    }

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    #[test]
    fn click_on_the_track_within_a_frame_moves_the_handle() {
        let ctx = Context::default();
        let mut value = 50;
        let rect = frame(&ctx, &mut value, vec![]);
        for (at, expected) in
            [(rect.left() + 1.0, 0), (rect.center().x, 50), (rect.right() - 1.0, 100)]
        {
            let at = pos2(at, rect.center().y);
            frame(&ctx, &mut value, vec![Event::PointerMoved(at)]);
            frame(&ctx, &mut value, vec![button(at, true), button(at, false)]);
            assert_eq!(value, expected);
        }
        // A click next to the slider does nothing.
        let below = pos2(rect.center().x, rect.bottom() + 40.0);
        frame(&ctx, &mut value, vec![Event::PointerMoved(below)]);
        frame(&ctx, &mut value, vec![button(below, true), button(below, false)]);
        assert_eq!(value, 100);
    }

    #[test]
    fn click_over_several_frames_and_a_drag_move_the_handle() {
        let ctx = Context::default();
        let mut value = 50;
        let rect = frame(&ctx, &mut value, vec![]);
        let left = rect.left_center() + vec2(1.0, 0.0);
        let right = rect.right_center() - vec2(1.0, 0.0);
        frame(&ctx, &mut value, vec![Event::PointerMoved(left)]);
        frame(&ctx, &mut value, vec![button(left, true)]);
        assert_eq!(value, 0);
        frame(&ctx, &mut value, vec![Event::PointerMoved(right)]);
        frame(&ctx, &mut value, vec![button(right, false)]);
        assert_eq!(value, 100);
    }

    #[test]
    fn values_are_steps_within_the_range() {
        assert_eq!(value_at(0.5, [50.0, 110.0], Spacing::Steps(1.0)), 80.0);
        assert_eq!(value_at(1.0, [0.0, 10.0], Spacing::Steps(4.0)), 10.0, "the end is no step");
        assert_eq!(value_at(0.51, [-6.0, 4.0], Spacing::Steps(1.0)), -1.0);
        assert_eq!(value_at(0.5, [1.0, 1024.0], Spacing::Logarithmic(1.0)), 32.0);
        assert_eq!(value_at(0.0, [0.1, 5.0], Spacing::Logarithmic(0.05)), 0.1);
        assert_eq!(value_at(1.0, [0.1, 5.0], Spacing::Logarithmic(0.05)), 5.0);
    }
}
