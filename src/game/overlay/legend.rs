//! The legend of an overlay.

use crate::game::overlay::ramp;
use crate::game::ui::hotbar;
use bevy::color::ColorToPacked;
use bevy_egui::egui::{
    self, Align2, Color32, CornerRadius, FontId, Id, Margin, Mesh, Order, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

/// Height of the gradient, in points.
const BAR: f32 = 9.0;
/// Distance from the window's edges, in points.
const MARGIN: f32 = 8.0;
const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
const DIM: Color32 = Color32::from_rgb(142, 152, 164);

/// Content of the legend.
pub struct Legend {
    /// The drawn thing and the meaning of its colours.
    pub title: &'static str,
    /// Figures under the gradient, with their positions on the ramp.
    pub ticks: Vec<(f32, String)>,
    /// Further lines. A small window shows 36 characters of a line.
    pub lines: Vec<String>,
}

impl Legend {
    /// Draws the legend in the lower left corner, or above the hot bar where they would overlap.
    pub fn show(&self, ctx: &egui::Context, taken: f32) {
        let screen = ctx.viewport_rect();
        let width = (screen.width() * 0.28).clamp(240.0, 300.0);
        let bar = hotbar::place(screen, taken);
        let below = if bar.left() < 3.0 * MARGIN + 20.0 + width { screen.bottom() - bar.top() } else { 0.0 };
        let area = egui::Area::new(Id::new("overlay legend")).order(Order::Middle).interactable(false).fade_in(false);
        area.anchor(Align2::LEFT_BOTTOM, vec2(MARGIN, -MARGIN - below)).show(ctx, |ui| {
            let ground = egui::Frame::new()
                .fill(Color32::from_rgba_premultiplied(13, 15, 19, 246))
                .stroke(Stroke::new(1.0, Color32::from_rgb(46, 52, 61)))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin::symmetric(10, 7));
            ground.show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
                ui.set_width(width);
                text(ui, self.title, BRIGHT);
                gradient(ui, &self.ticks);
                self.lines.iter().for_each(|line| text(ui, line, DIM));
            });
        });
    }
}

fn text(ui: &mut Ui, line: &str, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 15.0), Sense::hover());
    ui.painter().with_clip_rect(rect).text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        line,
        FontId::monospace(11.0),
        colour,
    );
}

fn gradient(ui: &mut Ui, ticks: &[(f32, String)]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR + 22.0), Sense::hover());
    let bar = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(rect.width(), BAR));
    let mut mesh = Mesh::default();
    const STEPS: u32 = 48;
    for i in 0..=STEPS {
        let position = i as f32 / STEPS as f32;
        let [r, g, b] = ramp::colour(position).to_u8_array_no_alpha();
        let x = bar.left() + position * bar.width();
        for y in [bar.top(), bar.bottom()] {
            mesh.colored_vertex(pos2(x, y), Color32::from_rgb(r, g, b));
        }
        if i > 0 {
            let k = i * 2;
            mesh.add_triangle(k - 2, k - 1, k);
            mesh.add_triangle(k - 1, k, k + 1);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    for (position, tick) in ticks {
        let x = bar.left() + position * bar.width();
        ui.painter().vline(x, bar.bottom()..=bar.bottom() + 3.0, Stroke::new(1.0, DIM));
        // The outer figures stay under the gradient.
        let align = match *position {
            0.0 => Align2::LEFT_TOP,
            1.0 => Align2::RIGHT_TOP,
            _ => Align2::CENTER_TOP,
        };
        ui.painter().text(pos2(x, bar.bottom() + 4.0), align, tick, FontId::monospace(10.0), DIM);
    }
}
