//! The legend of an overlay.

use crate::game::overlay::ramp;
use bevy::color::{ColorToPacked, Srgba};
use bevy_egui::egui::{
    self, Align2, Color32, FontId, Id, LayerId, Mesh, Order, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};

/// Height of the gradient, in points.
const BAR: f32 = 9.0;
/// Height of a line of text.
const LINE: f32 = 15.0;
/// Height of the key to the colours: the gradient with its figures, or the named colours.
const KEY: f32 = 30.0;
/// Height of a histogram on the gradient.
const HISTOGRAM: f32 = 26.0;
/// Space around the text.
const PADDING: egui::Vec2 = vec2(10.0, 7.0);
const GROUND: Color32 = Color32::from_rgba_premultiplied(13, 15, 19, 246);
const EDGE: Color32 = Color32::from_rgb(46, 52, 61);
const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
const DIM: Color32 = Color32::from_rgb(142, 152, 164);

/// The meaning of the colours.
pub enum ColourKey {
    /// Colours of a gradient.
    Ramp(Gradient),
    /// Single colours with their names.
    Named(Vec<(Srgba, &'static str)>),
}

impl ColourKey {
    /// The overlays' ramp: figures under it, with their positions.
    #[must_use]
    pub fn ramp(ticks: Vec<(f32, String)>) -> ColourKey {
        ColourKey::Ramp(Gradient { colour: ramp::colour, ticks, heights: Vec::new() })
    }

    /// Height, in points.
    fn height(&self) -> f32 {
        match self {
            ColourKey::Ramp(gradient) if !gradient.heights.is_empty() => KEY + HISTOGRAM,
            ColourKey::Ramp(_) | ColourKey::Named(_) => KEY,
        }
    }
}

/// A gradient with figures.
pub struct Gradient {
    /// Colour at a position from 0 to 1.
    pub colour: fn(f32) -> Srgba,
    /// Figures under the gradient, with their positions.
    pub ticks: Vec<(f32, String)>,
    /// Heights, 0 to 1, of the bars of a histogram on the gradient, evenly spaced; none without one.
    pub heights: Vec<f32>,
}

/// Content of the legend.
pub struct Legend {
    /// The drawn thing and the meaning of its colours.
    pub title: &'static str,
    /// The colours.
    pub key: ColourKey,
    /// Further lines, the most important first. A small window shows fewer lines, and 36 characters
    /// of each.
    pub lines: Vec<String>,
}

impl Legend {
    /// Draws the legend at the bottom of `area`.
    pub fn show(&self, ctx: &egui::Context, area: Rect) {
        let key_height = self.key.height();
        let least = LINE + key_height + 2.0 * PADDING.y;
        let fitting = ((area.height() - least) / LINE).max(0.0) as usize;
        let lines = &self.lines[..self.lines.len().min(fitting)];
        let ground = area.with_min_y(area.bottom() - least - LINE * lines.len() as f32);
        let painter = ctx.layer_painter(LayerId::new(Order::Middle, Id::new("overlay legend")));
        painter.rect(ground, 5.0, GROUND, Stroke::new(1.0, EDGE), StrokeKind::Inside);
        let inner = ground.shrink2(PADDING);
        let painter = painter.with_clip_rect(inner);
        let line = |top: f32, words: &str, colour| {
            let at = pos2(inner.left(), top + LINE / 2.0);
            painter.text(at, Align2::LEFT_CENTER, words, FontId::monospace(11.0), colour);
        };
        line(inner.top(), self.title, BRIGHT);
        let key = inner.with_min_y(inner.top() + LINE).with_max_y(inner.top() + LINE + key_height);
        match &self.key {
            ColourKey::Ramp(gradient) => draw_gradient(&painter, key, gradient),
            ColourKey::Named(colours) => named(&painter, key, colours),
        }
        for (i, words) in lines.iter().enumerate() {
            line(key.bottom() + LINE * i as f32, words, DIM);
        }
    }
}

fn draw_gradient(painter: &Painter, area: Rect, gradient: &Gradient) {
    let top = if gradient.heights.is_empty() { area.top() } else { area.top() + HISTOGRAM };
    let bar = Rect::from_min_size(pos2(area.left(), top + 3.0), vec2(area.width(), BAR));
    let mut mesh = Mesh::default();
    const STEPS: u32 = 48;
    for i in 0..=STEPS {
        let position = i as f32 / STEPS as f32;
        let x = bar.left() + position * bar.width();
        for y in [bar.top(), bar.bottom()] {
            mesh.colored_vertex(pos2(x, y), colour((gradient.colour)(position)));
        }
        if i > 0 {
            let k = i * 2;
            mesh.add_triangle(k - 2, k - 1, k);
            mesh.add_triangle(k - 1, k, k + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
    draw_histogram(painter, bar, gradient);
    for (position, tick) in &gradient.ticks {
        let x = bar.left() + position * bar.width();
        painter.vline(x, bar.bottom()..=bar.bottom() + 3.0, Stroke::new(1.0, DIM));
        // The outer figures stay under the gradient.
        let align = match *position {
            0.0 => Align2::LEFT_TOP,
            1.0 => Align2::RIGHT_TOP,
            _ => Align2::CENTER_TOP,
        };
        painter.text(pos2(x, bar.bottom() + 4.0), align, tick, FontId::monospace(10.0), DIM);
    }
}

/// Draws the bars of the histogram above the gradient `below`, each at the position of its colour.
fn draw_histogram(painter: &Painter, below: Rect, gradient: &Gradient) {
    let count = gradient.heights.len() as f32;
    let width = below.width() / count;
    for (bin, height) in gradient.heights.iter().enumerate() {
        let position = bin as f32 / (count - 1.0).max(1.0);
        let middle = below.left() + (bin as f32 + 0.5) * width;
        // A rare figure is still visible.
        let height = if *height > 0.0 { (height * HISTOGRAM).max(1.0) } else { 0.0 };
        let low = pos2(middle - 0.4 * width, below.top() - 1.0 - height);
        let rect = Rect::from_min_size(low, vec2(0.8 * width, height));
        painter.rect_filled(rect, 1.0, colour((gradient.colour)(position)));
    }
}

/// Draws a square of each colour, followed by its name.
fn named(painter: &Painter, area: Rect, colours: &[(Srgba, &str)]) {
    let step = area.width() / colours.len().max(1) as f32;
    for (i, (shown, name)) in colours.iter().enumerate() {
        let at = pos2(area.left() + step * i as f32, area.center().y - 2.0);
        let square = Rect::from_center_size(at + vec2(5.0, 0.0), vec2(10.0, 10.0));
        painter.rect_filled(square, 2.0, colour(*shown));
        painter.text(at + vec2(15.0, 0.0), Align2::LEFT_CENTER, name, FontId::monospace(11.0), BRIGHT);
    }
}

fn colour(colour: Srgba) -> Color32 {
    let [r, g, b] = colour.to_u8_array_no_alpha();
    Color32::from_rgb(r, g, b)
}
