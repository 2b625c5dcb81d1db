//! Fire and ash, and the materials of two automata: life and dust.

use super::canvas::Canvas;
use super::field::{Field, shade};
use super::plan::Plan;

/// Tongues of flame on a transparent background.
pub fn fire() -> Canvas {
    const PICTURE: Plan = [
        "................",
        ".......d........",
        ".......d....d...",
        "..d....cd...d...",
        "..d...dcd..dc...",
        "..cd..dbc..dcd..",
        ".dcd..cbcd.cbd..",
        ".dbc.dcbbc.cbc..",
        ".cbcddbabcdcbcd.",
        "dcbbdcbabbcbbcd.",
        "dcbbccbaabcbabc.",
        "dbabcbbaabbbabcd",
        "cbabbbaaabbaabcd",
        "cbaabbaaaabaabbc",
        "dbaaabaaaaaaabbc",
        ".cbbaabaaabaabc.",
    ];
    let mut canvas = Canvas::empty();
    let legend = [('a', 0xFFF3B8), ('b', 0xFFC552), ('c', 0xF98A24), ('d', 0xD84A18)];
    canvas.stamp(0, 0, &PICTURE, &legend);
    canvas.bleed()
}

/// Pale, fine powder of low contrast, unlike the grains of an ore.
pub fn ash() -> Canvas {
    const SHADES: [u32; 5] = [0x9E9B9B, 0xA9A6A4, 0xB3B0AC, 0xBDB9B4, 0xC7C3BC];
    Field::noise(741, 16, 16)
        .plus(0.7, &Field::clods(742))
        .lit(0.3)
        .levels(&[1.0, 4.0, 6.0, 4.0, 1.0])
        .paint(&SHADES)
}

/// A cell of the game of life: a dark nucleus in a bright body with a rim.
pub fn life() -> Canvas {
    const BODY: [u32; 6] = [0x0F4A4A, 0x157064, 0x1E9880, 0x35BE98, 0x6ADFB4, 0xB5F5D2];
    let grain = Field::clods(751);
    Canvas::from_fn(|x, y| {
        let dx = x as f32 - 7.5;
        let dy = y as f32 - 7.5;
        let edge = dx.abs().max(dy.abs());
        if edge > 7.0 {
            return BODY[if x == 15 || y == 15 { 0 } else { 1 }];
        }
        let nucleus = ((dx + 1.2) * (dx + 1.2) + (dy + 0.8) * (dy + 0.8)).sqrt();
        if nucleus < 2.7 {
            return BODY[if nucleus < 1.5 { 0 } else { 1 }];
        }
        let light =
            3.2 - 0.17 * (dx + dy) + 1.2 * grain.at(x, y) - if edge > 6.0 { 1.0 } else { 0.0 };
        shade(&BODY, light.floor() as i32)
    })
}

/// Loose violet grains, each with a light and a shadow side.
pub fn dust() -> Canvas {
    const GRAINS: [u32; 6] = [0x6E5A80, 0x846E96, 0x9983AA, 0xAE99BC, 0xC4B1CE, 0xDDD0E2];
    Field::clods(761)
        .plus(0.8, &Field::noise(762, 16, 16))
        .lit(0.6)
        .levels(&[2.0, 4.0, 5.0, 4.0, 2.0, 1.0])
        .paint(&GRAINS)
}
