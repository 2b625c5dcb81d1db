//! Torches. The game wraps the two middle columns around a stick. The columns next to them stick
//! out from it as tongues of the flame.

use super::canvas::Canvas;
use super::plan::Plan;

/// Shades of wood from light to dark.
const WOOD: [u32; 4] = [0xA97B45, 0x8A6037, 0x6B482C, 0x4C3324];

/// Colours of a flame from its core outwards.
type Flame = [u32; 4];

fn torch(flame: Flame) -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "................",
        ".......d........",
        ".......cd.......",
        ".......bc.......",
        "......cabd......",
        "......caac......",
        "......dbbd......",
        ".......dm.......",
        ".......hs.......",
        ".......lm.......",
        ".......hs.......",
        ".......lm.......",
        ".......ms.......",
        ".......lm.......",
    ];
    let [a, b, c, d] = flame;
    let legend = [
        ('a', a),
        ('b', b),
        ('c', c),
        ('d', d),
        ('h', WOOD[0]),
        ('l', WOOD[1]),
        ('m', WOOD[2]),
        ('s', WOOD[3]),
    ];
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, &PICTURE, &legend);
    canvas.bleed()
}

/// A torch with the flame of burning wood.
pub fn yellow() -> Canvas {
    torch([0xFFF7D6, 0xFFD873, 0xFFAC38, 0xF27A1E])
}

/// A torch with a cold flame.
pub fn blue() -> Canvas {
    torch([0xE6FFFF, 0x8FE9FF, 0x48B4FA, 0x2C7BE0])
}

/// A torch with an ember.
pub fn red() -> Canvas {
    torch([0xFFC29E, 0xFF6A48, 0xF0322A, 0xB41B1E])
}
