//! Crops: saplings, wheat and its soil.

use super::canvas::Canvas;
use super::field::Field;
use super::plan::Plan;

const BARK: [(char, u32); 2] = [('t', 0x7A5C42), ('T', 0x553F34)];

/// A young tree: a thin trunk and leaves in three shades, lightest first.
fn sapling(picture: &Plan, leaves: [u32; 3], bark: [(char, u32); 2]) -> Canvas {
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, picture, &[('a', leaves[0]), ('b', leaves[1]), ('c', leaves[2])]);
    canvas.stamp(0, 0, picture, &bark);
    canvas.bleed()
}

const ROUND: Plan = [
    "................",
    "................",
    "......aab.......",
    ".....aabbb......",
    "...aaabbbcb.....",
    "...aabbabbcc....",
    "..aabbaabbbcb...",
    "..abbbabbcbbc...",
    "...bbctbcbbc....",
    "....bcctbtc.....",
    ".....c.tt.......",
    ".......tT.......",
    ".......tT.......",
    ".......tT.......",
    "......ttT.......",
    "......tTTT......",
];

/// A sapling with a small round crown.
pub fn oak_sapling() -> Canvas {
    sapling(&ROUND, [0x86B04E, 0x5F8F3C, 0x3F6B37], BARK)
}

/// A sapling with lighter leaves and white bark.
pub fn birch_sapling() -> Canvas {
    sapling(&ROUND, [0xB4CC66, 0x8DB14C, 0x66903F], [('t', 0xE6E2D9), ('T', 0xB5B0AE)])
}

/// A sapling shaped like a cone of needles.
pub fn pine_sapling() -> Canvas {
    const PICTURE: Plan = [
        "................",
        ".......a........",
        ".......b........",
        "......abc.......",
        "......abb.......",
        ".....aabbc......",
        "......abcb......",
        ".....aabbbc.....",
        "....aabbcbb.....",
        ".....abbbcc.....",
        "...aabbabbbc....",
        "..aabb.bcbbcc...",
        "....bcctTcb.....",
        ".......tT.......",
        ".......tT.......",
        "......ttTT......",
    ];
    sapling(&PICTURE, [0x5E8E5A, 0x3F6F4A, 0x2B5140], BARK)
}

/// A sapling of three young fronds.
pub fn palm_sapling() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        ".......a........",
        ".......ab.......",
        "..aa....b..aa...",
        ".ab.ab..b.ab.b..",
        ".b...ab.bab...b.",
        "b.....abbc.....c",
        "......abbc......",
        "....aabbcbcc....",
        "...ab..bb..bc...",
        "..ab...tT...bc..",
        "..b....tT....c..",
        ".......tT.......",
        "......ttT.......",
        "......tTTT......",
    ];
    sapling(&PICTURE, [0xA2C25A, 0x6F9E45, 0x4C7B3C], [('t', 0xA5875F), ('T', 0x7F6449)])
}

/// Wheat: stalks of this height, green or ripe, with or without ears.
fn wheat(height: i32, shades: [u32; 4], ears: Option<[u32; 3]>) -> Canvas {
    /// Column of each stalk, and the number of texels by which it is shorter than the tallest.
    const STALKS: [(i32, i32); 8] =
        [(1, 2), (3, 0), (5, 1), (7, 0), (9, 2), (11, 0), (13, 1), (15, 3)];
    let mut canvas = Canvas::empty();
    for (x, less) in STALKS {
        let top = 16 - (height - less).max(2);
        for y in top..16 {
            // Blades grow from the stalk to both sides.
            let shade = shades[((x * 5 + y) % 3) as usize];
            canvas.set(x, y, if y > 13 { shades[3] } else { shade });
            if (y + x) % 4 == 0 && y > top + 1 {
                canvas.set(x + if (x / 2 + y) % 2 == 0 { 1 } else { -1 }, y - 1, shades[1]);
            }
        }
        if let Some([light, middle, dark]) = ears {
            for (dx, dy, colour) in
                [(0, 0, light), (0, 1, middle), (0, 2, middle), (0, 3, dark), (1, 1, dark)]
            {
                canvas.set(x + dx, top + dy, colour);
            }
            canvas.set(x - 1, top + 2, light);
        }
    }
    canvas.bleed()
}

const SPROUT: [u32; 4] = [0x75A34A, 0x8DB556, 0x619142, 0x4F7E3B];

/// Sprouts of wheat.
pub fn wheat_1() -> Canvas {
    wheat(4, SPROUT, None)
}

/// Wheat at half its height.
pub fn wheat_2() -> Canvas {
    wheat(8, SPROUT, None)
}

/// Wheat at nearly its full height, with green ears.
pub fn wheat_3() -> Canvas {
    wheat(12, [0x8CA24A, 0xA3B556, 0x769142, 0x5C7E3B], Some([0xC3C96B, 0xA9B455, 0x8A9A45]))
}

/// Ripe wheat.
pub fn wheat_4() -> Canvas {
    wheat(14, [0xC9A44C, 0xDBB95E, 0xB58C40, 0x8F6F38], Some([0xF3DC8A, 0xE2BF5F, 0xB98C3E]))
}

/// Damp soil in furrows.
pub fn farmland_top() -> Canvas {
    const SOIL: [u32; 6] = [0x43302A, 0x523B31, 0x604638, 0x6D5040, 0x7A5B48, 0x896A54];
    let mut levels = Field::clods(641).lit(0.4).levels(&[2.0, 5.0, 4.0]).calm();
    for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
        // Four furrows, each with a light ridge, its shadow and a bottom.
        levels.add(x, y, [2, 3, 1, 0][(y % 4) as usize]);
    }
    levels.paint(&SOIL)
}
