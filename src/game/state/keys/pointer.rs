//! The pointer on the interface.

use bevy::window::Window;
use bevy_egui::egui;

/// True if the pointer is over an area of the interface now. What egui says of the pointer is as
/// old as its last pass, so a move and a press in one frame would go to the world behind the panel.
#[must_use]
pub fn is_over_area(ctx: &egui::Context, window: &Window) -> bool {
    let Some(at) = window.cursor_position() else { return false };
    let at = at * window.scale_factor() / ctx.pixels_per_point();
    let layer = ctx.layer_id_at(egui::pos2(at.x, at.y));
    layer.is_some_and(|layer| layer.order != egui::Order::Background)
}

/// True if a turn of the wheel now belongs to the interface.
#[must_use]
pub fn interface_has_now(ctx: &egui::Context, window: &Window) -> bool {
    ctx.egui_is_using_pointer() || is_over_area(ctx, window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{Area, Id, RawInput, Rect, vec2};

    /// An interface with an area from 10, 20 to 110, 70 points, as drawn in the last pass.
    fn interface(scale: f32) -> egui::Context {
        let ctx = egui::Context::default();
        ctx.set_pixels_per_point(scale);
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(400.0, 300.0)));
        for _ in 0..2 {
            let input = RawInput { screen_rect, ..RawInput::default() };
            let mut output = ctx.run_ui(input, |ui| {
                Area::new(Id::new("panel")).fixed_pos([10.0, 20.0]).show(ui, |ui| {
                    ui.allocate_space(vec2(100.0, 50.0));
                });
            });
            output.textures_delta.clear();
        }
        ctx
    }

    #[test]
    fn pointer_is_over_an_area_that_it_has_just_reached() {
        for scale in [1.0, 2.0] {
            let ctx = interface(scale);
            let is_over = |x: f64, y: f64| {
                let mut window = Window::default();
                let at = bevy::math::DVec2::new(x, y) * f64::from(scale);
                window.set_physical_cursor_position(Some(at));
                is_over_area(&ctx, &window)
            };
            assert!(!ctx.egui_wants_pointer_input(), "egui has not seen the pointer");
            let places = [(60.0, 40.0), (200.0, 40.0), (60.0, 100.0), (5.0, 5.0)];
            assert_eq!(places.map(|(x, y)| is_over(x, y)), [true, false, false, false], "{scale}");
        }
        assert!(!is_over_area(&interface(1.0), &Window::default()), "outside the window");
    }
}
