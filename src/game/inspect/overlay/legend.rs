//! The legend of an overlay.

use crate::game::inspect::overlay::ramp;
use bevy::color::{ColorToPacked, Srgba};
use bevy_egui::egui::text::{LayoutJob, TextWrapping};
use bevy_egui::egui::{
    self, Align2, Color32, FontId, Galley, Id, LayerId, Mesh, Order, Painter, Rect, Shape, Stroke,
    StrokeKind, pos2, vec2,
};
use std::sync::Arc;

/// Height of the gradient, in points.
const BAR: f32 = 9.0;
/// Height of a line of text.
const LINE: f32 = 15.0;
/// Height of the colour key without a histogram: the gradient with its figures, or the named
/// colours.
const KEY: f32 = 30.0;
/// Height of a histogram above the gradient.
const HISTOGRAM: f32 = 26.0;
/// Minimum space between two figures under a gradient.
const TICK_SPACE: f32 = 3.0;
/// Width of a colour's square, with the space before its name.
const SQUARE: f32 = 15.0;
/// Minimum space between a name and the next square.
const SPACE: f32 = 8.0;
/// Space around the text.
const PADDING: egui::Vec2 = vec2(10.0, 7.0);
const GROUND: Color32 = Color32::from_rgb(13, 15, 19);
const EDGE: Color32 = Color32::from_rgb(46, 52, 61);
const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
const DIM: Color32 = Color32::from_rgb(142, 152, 164);

/// The meaning of an overlay's colours.
pub enum ColourKey {
    /// Colours of a gradient.
    Ramp(Gradient),
    /// Single colours with their names.
    Named(Vec<(Srgba, &'static str)>),
}

impl ColourKey {
    /// The ramp of the overlays as a key. `ticks` are the figures under it, with their positions.
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
    /// Heights, 0 to 1, of the evenly spaced bars of a histogram above the gradient; empty without
    /// a histogram.
    pub heights: Vec<f32>,
}

/// Content of the legend.
pub struct Legend {
    /// Subject of the overlay, and the meaning of its colours.
    pub title: &'static str,
    /// The colours.
    pub key: ColourKey,
    /// Further lines, the most important first. A small window shows fewer of them. A line that is
    /// too wide is broken into several rows.
    pub lines: Vec<String>,
}

impl Legend {
    /// Draws the legend at the bottom of `area`.
    pub fn show(&self, ctx: &egui::Context, area: Rect) {
        self.draw(&ctx.layer_painter(LayerId::new(Order::Middle, Id::new("overlay legend"))), area);
    }

    fn draw(&self, painter: &Painter, area: Rect) {
        let key_height = self.key.height();
        let width = area.width() - 2.0 * PADDING.x;
        let title = row(painter, self.title, width, BRIGHT);
        let least = LINE + key_height + 2.0 * PADDING.y;
        let lines = fitting_lines(painter, &self.lines, width, area.height() - least);
        let height: f32 = lines.iter().map(|line| line.size().y).sum();
        let ground = area.with_min_y(area.bottom() - least - height);
        painter.rect(ground, 5.0, GROUND, Stroke::new(1.0, EDGE), StrokeKind::Inside);
        let inner = ground.shrink2(PADDING);
        let painter = painter.with_clip_rect(inner.intersect(painter.clip_rect()));
        painter.galley(inner.min, title, BRIGHT);
        let key = inner.with_min_y(inner.top() + LINE).with_max_y(inner.top() + LINE + key_height);
        match &self.key {
            ColourKey::Ramp(gradient) => draw_gradient(&painter, key, gradient),
            ColourKey::Named(colours) => named(&painter, key, colours),
        }
        let mut top = key.bottom();
        for line in lines {
            let bottom = top + line.size().y;
            painter.galley(pos2(inner.left(), top), line, DIM);
            top = bottom;
        }
    }
}

/// Lays out one row, cut off with an ellipsis where it is wider than `width`.
fn row(painter: &Painter, words: &str, width: f32, colour: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(words.to_owned(), FontId::monospace(11.0), colour);
    job.wrap = TextWrapping::truncate_at_width(width);
    painter.layout_job(job)
}

/// The first lines that fit into `room` points of height. A long line is broken into several rows.
fn fitting_lines(painter: &Painter, lines: &[String], width: f32, room: f32) -> Vec<Arc<Galley>> {
    let mut left = room;
    let lay_out =
        |words: &String| painter.layout(words.clone(), FontId::monospace(11.0), DIM, width);
    lines
        .iter()
        .map(lay_out)
        .take_while(|line| {
            left -= line.size().y;
            left >= 0.0
        })
        .collect()
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
    let mut placed: Vec<Rect> = Vec::new();
    // The outer figures are placed first; inner figures that would touch another are left out.
    let is_outer = |position: f32| position == 0.0 || position == 1.0;
    let (outer, inner): (Vec<_>, Vec<_>) =
        gradient.ticks.iter().partition(|(position, _)| is_outer(*position));
    for (position, tick) in outer.into_iter().chain(inner) {
        let x = bar.left() + position * bar.width();
        painter.vline(x, bar.bottom()..=bar.bottom() + 3.0, Stroke::new(1.0, DIM));
        // Figures at the ends are aligned so that they do not leave the gradient's width.
        let align = match *position {
            0.0 => Align2::LEFT_TOP,
            1.0 => Align2::RIGHT_TOP,
            _ => Align2::CENTER_TOP,
        };
        let figure = painter.layout_no_wrap(tick.clone(), FontId::monospace(10.0), DIM);
        let place = align.anchor_size(pos2(x, bar.bottom() + 4.0), figure.size());
        if !placed.iter().any(|other| other.expand(TICK_SPACE).intersects(place)) {
            placed.push(place);
            painter.galley(place.min, figure, DIM);
        }
    }
}

/// Draws the bars of the histogram above the gradient, each in the colour below it. `below` is the
/// gradient's rectangle.
fn draw_histogram(painter: &Painter, below: Rect, gradient: &Gradient) {
    let count = gradient.heights.len() as f32;
    let width = below.width() / count;
    for (bin, height) in gradient.heights.iter().enumerate() {
        let position = bin as f32 / (count - 1.0).max(1.0);
        let middle = below.left() + (bin as f32 + 0.5) * width;
        // A bar above 0 is at least a point high, so that rare figures are visible.
        let height = if *height > 0.0 { (height * HISTOGRAM).max(1.0) } else { 0.0 };
        let low = pos2(middle - 0.4 * width, below.top() - 1.0 - height);
        let rect = Rect::from_min_size(low, vec2(0.8 * width, height));
        painter.rect_filled(rect, 1.0, colour((gradient.colour)(position)));
    }
}

/// Draws a square of each colour, followed by its name. They are evenly spaced, in two rows if the
/// names are too long for one.
fn named(painter: &Painter, area: Rect, colours: &[(Srgba, &str)]) {
    let name =
        |name: &&str| painter.layout_no_wrap((*name).to_owned(), FontId::monospace(11.0), BRIGHT);
    let names: Vec<Arc<Galley>> = colours.iter().map(|(_, words)| name(words)).collect();
    let widest = names.iter().map(|name| name.size().x).fold(0.0, f32::max) + SQUARE + SPACE;
    let fits = widest * colours.len() as f32 <= area.width() + SPACE;
    let rows = if fits { 1 } else { 2 };
    let in_row = colours.len().div_ceil(rows).max(1);
    let step = area.width() / in_row as f32;
    for (i, (shown, words)) in colours.iter().enumerate() {
        let column = i % in_row;
        let line = i / in_row;
        let middle = area.top() + area.height() * (line as f32 + 0.5) / rows as f32 - 2.0;
        let at = pos2(area.left() + step * column as f32, middle);
        let square = Rect::from_center_size(at + vec2(5.0, 0.0), vec2(10.0, 10.0));
        painter.rect_filled(square, 2.0, colour(*shown));
        let words = row(painter, words, step - SQUARE - SPACE / 2.0, BRIGHT);
        painter.galley(at + vec2(SQUARE, -words.size().y / 2.0), words, BRIGHT);
    }
}

fn colour(colour: Srgba) -> Color32 {
    let [r, g, b] = colour.to_u8_array_no_alpha();
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ui_kit::painted::{PaintedText, assert_apart, texts};

    /// The texts of a legend in an area of this size.
    fn drawn(legend: &Legend, width: f32, height: f32) -> Vec<PaintedText> {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
        texts(width, |ui| legend.draw(&ui.painter().with_clip_rect(area), area))
    }

    #[test]
    fn legend_of_a_small_window_wraps_and_does_not_run_off() {
        let lines = vec![
            "a line of the legend that is much longer than 36 characters".to_owned(),
            "short".to_owned(),
        ];
        let ticks = (0..9).map(|tick| (tick as f32 / 8.0, format!("{tick}0,000"))).collect();
        let ramp = Legend {
            title: "Length of runs: a long title that does not fit",
            key: ColourKey::ramp(ticks),
            lines,
        };
        let named = [
            (Srgba::RED, "generated"),
            (Srgba::GREEN, "from the map"),
            (Srgba::BLUE, "changed since"),
        ];
        let named =
            Legend { title: "Source", key: ColourKey::Named(named.to_vec()), lines: Vec::new() };
        for width in [262.0, 322.0] {
            let found = drawn(&ramp, width, 148.0);
            assert!(found.iter().any(|(text, _)| text.ends_with("36 characters")), "{found:?}");
            assert_apart(&found, width);
            let found = drawn(&named, width, 62.0);
            assert_eq!(found.len(), 4, "{found:?}");
            assert!(found.iter().all(|(text, _)| !text.contains('…')), "{found:?}");
            assert_apart(&found, width);
        }
        // A line that does not fit is left out completely.
        assert_eq!(drawn(&named, 262.0, 62.0).len(), 4);
        assert!(drawn(&ramp, 262.0, 62.0).iter().all(|(text, _)| text != "short"));
    }
}
