//! Test helpers: the texts that a part of the interface paints, and their rectangles.

use bevy_egui::egui::{Context, RawInput, Rect, Shape, Ui, UiBuilder, pos2, vec2};

/// A painted text and its rectangle.
pub type PaintedText = (String, Rect);

/// The texts that `draw` paints in a column of this width.
pub fn texts(width: f32, draw: impl Fn(&mut Ui)) -> Vec<PaintedText> {
    let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 400.0));
    let mut output = Context::default().run_ui(RawInput::default(), |ui| {
        ui.scope_builder(UiBuilder::new().max_rect(area), &draw);
    });
    // egui panics if texture deltas are dropped without being applied.
    output.textures_delta.clear();
    let mut found = Vec::new();
    for clipped in output.shapes {
        collect(clipped.shape, &mut found);
    }
    found
}

fn collect(shape: Shape, found: &mut Vec<PaintedText>) {
    match shape {
        Shape::Vec(shapes) => {
            for shape in shapes {
                collect(shape, found);
            }
        }
        Shape::Text(text) if !text.galley.text().is_empty() => {
            found.push((
                text.galley.text().to_owned(),
                text.galley.rect.translate(text.pos.to_vec2()),
            ));
        }
        _ => {}
    }
}

/// Panics if two texts overlap, or one runs off a column of this width.
pub fn assert_apart(found: &[PaintedText], width: f32) {
    for (i, (text, rect)) in found.iter().enumerate() {
        assert!(rect.left() >= -1.0 && rect.right() <= width + 1.0, "{width}: {text:?} {rect}");
        for (other_text, other) in &found[i + 1..] {
            assert!(
                !rect.shrink(0.8).intersects(*other),
                "{width}: {text:?} {rect} and {other_text:?} {other}"
            );
        }
    }
}
