//! Ice and liquids.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, wave};

/// Pale, clear ice with a few long bright cracks.
pub fn ice() -> Canvas {
    const SHADES: [u32; 5] = [0x7FB2DC, 0x92C1E5, 0xA5CFED, 0xBADDF3, 0xDDF1FA];
    let mut levels = Field::fractal(141, 3, 3).even().lit(0.6).levels(&[2.0, 5.0, 6.0, 2.0]).calm();
    // Cracks are bright diagonals down to the left, each with a dark line below.
    for (x, y, long) in [(13, 1, 6), (6, 7, 5), (12, 11, 3)] {
        for i in 0..long {
            levels.set(x - i, y + i, 4);
            if i % 3 == 1 {
                levels.set(x - i - 1, y + i, 4);
            }
            levels.add(x - i + 1, y + i + 1, -1);
        }
    }
    let mut canvas = levels.paint(&SHADES);
    for (x, y) in coordinates() {
        canvas.set_alpha(x, y, if levels.at(x, y) == 4 { 225 } else { 200 });
    }
    canvas
}

/// Blue water with long soft streaks.
pub fn water() -> Canvas {
    const SHADES: [u32; 5] = [0x2C62A6, 0x346EB1, 0x3D7BBB, 0x4987C2, 0x5C9BCE];
    let warp = Field::noise(151, 3, 4);
    let swell = Field::from_fn(|x, y| wave(3.0 * y as f32 / 16.0 + 0.9 * warp.at(x, y)));
    let levels =
        swell.plus(0.9, &Field::noise(153, 4, 8)).even().levels(&[3.0, 7.0, 6.0, 3.0, 0.7]).calm();
    let mut canvas = levels.paint(&SHADES);
    for (x, y) in coordinates() {
        canvas.set_alpha(x, y, [165, 168, 170, 175, 188][levels.at(x, y).clamp(0, 4) as usize]);
    }
    canvas
}

/// Glowing lava with drifts of cooler crust.
pub fn lava() -> Canvas {
    const SHADES: [u32; 7] = [0xA03318, 0xC74617, 0xE26018, 0xF07E22, 0xF89B33, 0xFDBC50, 0xFFDD86];
    let drift = Field::clods(162);
    // Where two flows meet, the crust is broken and glows.
    let seam = Field::clods(165);
    let heat = Field::from_fn(|x, y| drift.at(x, y) - 0.5 * seam.at(x, y).abs());
    heat.levels(&[1.0, 3.0, 6.0, 7.0, 6.0, 3.0, 1.0]).calm().paint(&SHADES)
}
