//! Small pictures of maps and backups.

use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::theme;
use bevy_egui::egui::{self, Color32, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

/// Decodes a map's picture. The map may come from an untrusted source, so the size is limited.
#[must_use]
pub fn load(ctx: &egui::Context, png: &[u8]) -> Option<egui::TextureHandle> {
    let mut reader =
        image::ImageReader::with_format(std::io::Cursor::new(png), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(4096);
    limits.max_image_height = Some(4096);
    reader.limits(limits);
    Some(upload(ctx, &reader.decode().ok()?.thumbnail(320, 320).to_rgba8()))
}

/// Uploads a picture to egui.
pub fn upload(ctx: &egui::Context, picture: &image::RgbaImage) -> egui::TextureHandle {
    let size = [picture.width() as usize, picture.height() as usize];
    let pixels = egui::ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
    ctx.load_texture("map picture", pixels, egui::TextureOptions::LINEAR)
}

/// Draws a picture, or stones if there is no picture.
pub fn show(ui: &mut Ui, icons: &BlockIcons, picture: Option<&egui::TextureHandle>, size: Vec2) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    match picture {
        Some(texture) => {
            egui::Image::new(texture)
                .uv(cover(texture.size_vec2(), size))
                .corner_radius(4)
                .paint_at(ui, rect);
        }
        None => {
            let columns = 4;
            let rows = 2;
            let side = vec2(size.x / columns as f32, size.y / rows as f32);
            for i in 0..columns * rows {
                let corner = rect.min + vec2((i % columns) as f32, (i / columns) as f32) * side;
                let part = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                let texture = if i % 3 == 1 { "mossy_cobblestone" } else { "cobblestone" };
                icons.paint_part(
                    painter,
                    Rect::from_min_size(corner, side),
                    texture,
                    part,
                    Color32::from_gray(120),
                );
            }
        }
    }
    painter.rect_stroke(rect, 4.0, Stroke::new(1.0, theme::EDGE), StrokeKind::Inside);
}

/// The central part of a picture of size `picture` with the aspect ratio of `frame`, in texture
/// coordinates.
fn cover(picture: Vec2, frame: Vec2) -> Rect {
    let scale = (frame.x / picture.x).max(frame.y / picture.y);
    Rect::from_center_size(pos2(0.5, 0.5), frame / (picture * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_keeps_its_aspect_ratio() {
        let part = cover(vec2(200.0, 100.0), vec2(64.0, 64.0));
        assert_eq!((part.min, part.max), (pos2(0.25, 0.0), pos2(0.75, 1.0)));
        assert_eq!(cover(vec2(320.0, 180.0), vec2(128.0, 72.0)).size(), vec2(1.0, 1.0));
    }
}
