//! The game's name in sandstone blocks: each row of a letter is drawn as its runs.

use crate::game::ui_kit::icons::BlockIcons;
use bevy_egui::egui::{self, Color32, Pos2, Rect, pos2, vec2};

/// "STONERUN" in five rows of blocks.
const ROWS: [&str; 5] = [
    " ### #####  ##  #   # #### ###  #  # #   #",
    "#      #   #  # ##  # #    #  # #  # ##  #",
    " ##    #   #  # # # # ###  ###  #  # # # #",
    "   #   #   #  # #  ## #    # #  #  # #  ##",
    "###    #    ##  #   # #### #  #  ##  #   #",
];
/// Width in blocks.
const COLUMNS: usize = ROWS[0].len();

/// Runs of blocks in a row of the logo: first column and length of each.
fn runs(row: &str) -> impl Iterator<Item = (usize, usize)> {
    let cells = row.as_bytes();
    (0..cells.len()).filter(|&i| cells[i] == b'#' && (i == 0 || cells[i - 1] != b'#')).map(
        |start| {
            let length = cells[start..].iter().take_while(|&&c| c == b'#').count();
            (start, length)
        },
    )
}

/// Height of the logo at this width, in points.
pub fn height(width: f32) -> f32 {
    (ROWS.len() as f32 + 0.6) * width / COLUMNS as f32
}

/// Draws the logo with its upper left corner at `at`.
pub fn paint(painter: &egui::Painter, icons: &BlockIcons, at: Pos2, width: f32) {
    let cell = width / COLUMNS as f32;
    let each = |draw: &dyn Fn(Rect, usize, usize, usize)| {
        for (y, row) in ROWS.iter().enumerate() {
            for (x, length) in runs(row) {
                let corner = at + vec2(x as f32, y as f32) * cell;
                draw(Rect::from_min_size(corner, vec2(length as f32, 1.0) * cell), x, y, length);
            }
        }
    };
    // Drawn in this order: the shadow on the sky, the lower sides of the stones, their faces.
    each(&|rect, _, _, _| {
        painter.rect_filled(
            rect.translate(vec2(cell, cell) * 0.45),
            0.0,
            Color32::from_black_alpha(70),
        );
    });
    each(&|rect, _, _, _| {
        painter.rect_filled(
            rect.translate(vec2(0.0, cell * 0.4)),
            0.0,
            Color32::from_rgb(84, 58, 30),
        );
    });
    each(&|rect, x, y, length| {
        // Two texels per block look grainy like stone, and keep the letters clear. Rows get darker
        // downwards.
        let part = Rect::from_min_size(pos2(0.0, y as f32 / 8.0), vec2(length as f32, 1.0) / 8.0);
        let light = 1.0 - 0.08 * y as f32 - if (x + y) % 3 == 0 { 0.06 } else { 0.0 };
        let [r, g, b] = [255.0, 226.0, 170.0].map(|c: f32| (c * light) as u8);
        icons.paint_part(painter, rect, "sand", part, Color32::from_rgb(r, g, b));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_equal_length_and_their_runs_cover_them() {
        for row in ROWS {
            assert_eq!(row.len(), COLUMNS);
            let covered: usize = runs(row).map(|(_, length)| length).sum();
            assert_eq!(covered, row.matches('#').count());
        }
        assert_eq!(runs("## #").collect::<Vec<_>>(), [(0, 2), (3, 1)]);
    }
}
