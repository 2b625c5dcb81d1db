//! Manufactured blocks other than masonry and planks.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, Levels, shade};
use super::wood;

/// A nearly white block with a faint edge. Multiplied by a tint, it represents blocks without a
/// texture of their own.
pub fn plain() -> Canvas {
    const SHADES: [u32; 6] = [0xDEDDDC, 0xE6E5E4, 0xEFEEED, 0xF3F2F1, 0xF7F6F5, 0xFCFBFA];
    let grain = Field::fractal(501, 4, 4).levels(&[2.0, 6.0, 2.0]).calm();
    Levels::from_fn(|x, y| match (x.min(y), x.max(y)) {
        (_, 15) => 0,
        (0, _) => 1,
        _ => 2 + grain.at(x, y),
    })
    .paint(&SHADES)
}

/// A frame around a pane with two glints.
pub fn glass() -> Canvas {
    const FRAME: [u32; 3] = [0x8FB3BC, 0xB7D5DA, 0xDDF0F1];
    let mut canvas = Canvas::empty();
    for i in 0..16 {
        for (x, y) in [(i, 0), (0, i)] {
            canvas.set(x, y, FRAME[2]);
        }
        for (x, y) in [(i, 15), (15, i)] {
            canvas.set(x, y, FRAME[0]);
        }
    }
    for (x, y) in [(0, 15), (15, 0)] {
        canvas.set(x, y, FRAME[1]);
    }
    for (x, y, long) in [(6, 2, 4), (7, 2, 2), (13, 9, 4), (13, 10, 3)] {
        for i in 0..long {
            canvas.set(x - i, y + i, FRAME[if i == long - 1 { 1 } else { 2 }]);
        }
    }
    canvas.bleed()
}

/// A paper lantern in a dark frame.
pub fn lamp() -> Canvas {
    lantern(
        [0xE39A3F, 0xF0B04C, 0xF8C662, 0xFDDB83, 0xFFECAE, 0xFFF8DC],
        [0x3F2C2B, 0x5A3F35, 0x795643],
    )
}

/// A lantern of white paper, which the tints of dyed lamps colour.
pub fn dyed_lamp() -> Canvas {
    lantern(
        [0xB9B4B0, 0xCBC7C3, 0xDCD9D6, 0xEAE8E5, 0xF6F4F2, 0xFFFFFF],
        [0x34302F, 0x4B4543, 0x696260],
    )
}

/// A lantern: paper that glows in the middle, and a frame, each with shades from dark to light.
fn lantern(glow: [u32; 6], frame: [u32; 3]) -> Canvas {
    let grain = Field::noise(521, 4, 8);
    Canvas::from_fn(|x, y| {
        let dx = (x as f32 - 7.5).abs();
        let dy = (y as f32 - 7.5).abs();
        let across = dx.max(dy);
        if across > 6.9 {
            return frame[if x == 15 || y == 15 { 0 } else { 2 }];
        }
        if across > 5.9 {
            return frame[if x == 1 || y == 1 { 0 } else { 1 }];
        }
        let radius = (dx * dx + dy * dy).sqrt();
        let bar = y == 5 || y == 10;
        let level =
            5.6 - 0.62 * radius + 0.9 * (grain.at(x, y) - 0.5) - if bar { 1.4 } else { 0.0 };
        shade(&glow, level.floor() as i32)
    })
}

/// Straw in bundles that are bound twice.
pub fn thatch() -> Canvas {
    const STRAW: [u32; 6] = [0x7D6233, 0x977841, 0xAE8D4E, 0xC2A15B, 0xD3B56C, 0xE5CB85];
    /// Height of the ragged end of a layer of straw, by column.
    const ENDS: [i32; 16] = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1];
    let straws = Field::noise(531, 16, 2).plus(0.35, &Field::noise(532, 8, 8)).even();
    let mut levels = straws.levels(&[1.0, 3.0, 5.0, 3.0]);
    for (x, top) in (0..16).flat_map(|x| [(x, 0), (x, 8)]) {
        // Each layer overlaps the next with a ragged end: bright at the cut ends, with a shadow
        // below.
        let end = top + ENDS[((x + top / 2) % 16) as usize];
        levels.set(x, end - 1, 4 + levels.at(x, end - 1) / 3);
        levels.set(x, end, 0);
        levels.add(x, end + 1, -1);
        levels.add(x, end - 2, 1);
    }
    levels.paint(&STRAW)
}

/// Two shelves of books.
pub fn bookshelf() -> Canvas {
    /// Spines as width, height and colour, an index of shades from dark to light.
    const BOOKS: [[(i32, i32, usize); 6]; 2] = [
        [(2, 5, 0), (3, 6, 1), (2, 4, 2), (2, 6, 3), (3, 5, 4), (2, 6, 0)],
        [(3, 6, 3), (2, 5, 4), (2, 6, 0), (3, 5, 2), (2, 6, 1), (2, 4, 3)],
    ];
    const CLOTH: [[u32; 3]; 5] = [
        [0x7A2F35, 0x9F4340, 0xC0604F],
        [0x2F4A66, 0x41658A, 0x5F86A8],
        [0x9A7430, 0xC09540, 0xDDB75C],
        [0x365A3C, 0x4C7848, 0x6A955A],
        [0x58405F, 0x775780, 0x98759E],
    ];
    let mut canvas = wood::oak_planks();
    for (shelf, books) in (0..).zip(&BOOKS) {
        let floor = 7 + 8 * shelf;
        for (x, y) in
            coordinates().filter(|&(x, y)| (1..15).contains(&x) && (floor - 6..floor).contains(&y))
        {
            canvas.set(x, y, if y == floor - 6 { 0x33241F } else { 0x452F27 });
        }
        for x in 0..16 {
            canvas.set(x, floor, 0xB58E59);
            canvas.set(x, floor - 7, 0x8F6B40);
        }
        for y in floor - 7..=floor {
            canvas.set(0, y, 0xA9814F);
            canvas.set(15, y, 0x7A5836);
        }
        let mut left = 1;
        for &(wide, high, cloth) in books {
            for (dx, dy) in (0..wide).flat_map(|dx| (0..high).map(move |dy| (dx, dy))) {
                let shade = if dx == 0 { 2 } else { usize::from(dx < wide - 1) };
                canvas.set(left + dx, floor - 1 - dy, CLOTH[cloth][shade]);
            }
            // Wide books have a gilt band.
            if wide == 3 {
                for dx in 0..wide {
                    canvas.blend(left + dx, floor + 1 - high, 0xEBCB7A, 0.7);
                }
            }
            left += wide;
        }
    }
    canvas
}

/// A plate with a raised rim, in five shades, darkest first.
fn plate(sheen: &Field, shades: &[u32; 5]) -> Canvas {
    let sheen = sheen.levels(&[2.0, 4.0, 2.0]);
    Levels::from_fn(|x, y| match (x.min(y), x.max(y)) {
        (0, 15) => 2,
        (0, _) => 4,
        (_, 15) => 0,
        (1, 2..=13) | (_, 14) => 3 - 2 * i32::from(x.min(y) == 1),
        _ => 1 + sheen.at(x, y),
    })
    .paint(shades)
}

/// A brushed plate with rivets.
pub fn iron_block() -> Canvas {
    const SHADES: [u32; 5] = [0x8E919A, 0xBCBEC2, 0xC7C8CA, 0xD1D1D1, 0xE8E7E4];
    let mut canvas = plate(&Field::noise(541, 3, 16).even(), &SHADES);
    for (x, y) in [(2, 2), (12, 2), (2, 12), (12, 12)] {
        canvas.stamp(x, y, &["hm", "md"], &[('h', 0xF5F4F0), ('m', SHADES[1]), ('d', SHADES[0])]);
    }
    canvas
}

/// A polished plate with one long gleam.
pub fn gold_block() -> Canvas {
    const SHADES: [u32; 5] = [0xB27A2A, 0xE3B041, 0xECBC49, 0xF4C957, 0xFFEA9C];
    let mut canvas = plate(&Field::clods(551), &SHADES);
    // A long gleam.
    for i in 0..6 {
        canvas.blend(9 - i, 4 + i, 0xFFF6C8, 0.7);
        canvas.blend(10 - i, 4 + i, 0xFFF6C8, 0.35);
    }
    canvas
}

/// A cut stone with facets around a table.
pub fn crystal_block() -> Canvas {
    const SHADES: [u32; 7] = [0x4F4BAA, 0x6260C4, 0x7480DC, 0x86A0EC, 0x9FC2F6, 0xC2E2FC, 0xECFAFF];
    Canvas::from_fn(|x, y| {
        let dx = x as f32 - 7.5;
        let dy = y as f32 - 7.5;
        let across = dx.abs().max(dy.abs());
        let corner = (dx.abs() + dy.abs()) > 10.5;
        let from_left = dx.abs() > dy.abs();
        let is_left = dx < 0.0;
        let is_top = dy < 0.0;
        let facet = if corner {
            if is_left != is_top {
                3
            } else if is_left {
                6
            } else {
                0
            }
        } else if from_left {
            if is_left { 4 } else { 1 }
        } else if is_top {
            5
        } else {
            2
        };
        if across > 7.0 {
            return SHADES[if x == 0 || y == 0 { 4 } else { 0 }];
        }
        if across < 3.6 {
            // The table mirrors a streak of the sky.
            let streak = (x + y - 13).abs() <= 1;
            return SHADES[if streak { 6 } else { 4 - i32::from(x + y > 15) as usize }];
        }
        SHADES[facet]
    })
}

/// Soft curls in white, because the tint of the material gives the colour.
pub fn wool() -> Canvas {
    const SHADES: [u32; 5] = [0xD2CFD2, 0xDEDCDD, 0xE9E7E6, 0xF2F0EE, 0xFBFAF7];
    let curls = Field::clods(561).plus(0.7, &Field::noise(565, 8, 8).even());
    curls.lit(0.8).levels(&[2.0, 4.0, 5.0, 4.0, 2.0]).calm().paint(&SHADES)
}
