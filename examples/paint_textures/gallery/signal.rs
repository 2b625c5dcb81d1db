//! Parts of circuits, and the door that they move.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, shade};
use super::plan::Plan;
use super::wood;

const COAT: [u32; 5] = [0x2A1A1C, 0x3A2224, 0x4A2A2A, 0x5E3432, 0x74423A];

/// The top of a wire: dull strands in a dark coat.
pub fn wire_top() -> Canvas {
    let grain = Field::noise(701, 8, 8);
    Canvas::from_fn(|x, y| {
        // Two strands cross over each other.
        let (along, across) = ((x + y).rem_euclid(8), (x - y).rem_euclid(8));
        let level = if along < 4 { 4 - along.abs_diff(2) as i32 } else { 3 - across.abs_diff(4) as i32 };
        shade(&COAT, level + i32::from(grain.at(x, y) > 0.6))
    })
}

/// The side of a wire. A signal raises the wire: above the lowest row, which one without a signal
/// shows, it glows.
pub fn wire_side() -> Canvas {
    const GLOW: [u32; 5] = [0xB01E10, 0xE03416, 0xFF5A22, 0xFF8A3A, 0xFFC070];
    let grain = Field::noise(702, 8, 8);
    Canvas::from_fn(|x, y| match y {
        15 => shade(&COAT, 1 + i32::from(grain.at(x, y) > 0.5)),
        _ => shade(&GLOW, y / 3 + i32::from(grain.at(x, y) > 0.6)),
    })
}

const CASE: [u32; 5] = [0x3E434D, 0x535A66, 0x6B737F, 0x848C96, 0xA3AAB1];

/// A metal case: lit from the top left, with a rim.
fn case(seed: u32) -> Canvas {
    let grain = Field::clods(seed).levels(&[1.0, 4.0, 1.0]);
    Canvas::from_fn(|x, y| match (x.min(y), x.max(y)) {
        (_, 15) => CASE[0],
        (0, _) => CASE[4],
        (1, _) | (_, 14) => CASE[1],
        _ => shade(&CASE, 1 + grain.at(x, y)),
    })
}

/// A triangle that points up and a ring, the sign of an inverter; `glow` from dark to light.
fn inverter(glow: [u32; 3]) -> Canvas {
    const SIGN: Plan = [
        "................",
        "................",
        ".......cc.......",
        "......c..c......",
        "......c..c......",
        ".......cc.......",
        ".......bb.......",
        "......abba......",
        "......abba......",
        ".....abbbba.....",
        ".....abccba.....",
        "....abbccbba....",
        "....abbbbbba....",
        "....aaaaaaaa....",
        "................",
        "................",
    ];
    let mut canvas = case(711);
    canvas.stamp(0, 0, &SIGN, &[('a', glow[0]), ('b', glow[1]), ('c', glow[2])]);
    canvas
}

/// Off.
pub fn inverter_off() -> Canvas {
    inverter([0x4A2B2B, 0x6B3A36, 0x8C514A])
}

/// On.
pub fn inverter_on() -> Canvas {
    inverter([0xB5281E, 0xF0523A, 0xFFC08A])
}

/// A paper lamp in a metal case.
fn signal_lamp(glow: [u32; 6]) -> Canvas {
    let grain = Field::noise(721, 4, 4);
    let case = case(722);
    Canvas::from_fn(|x, y| {
        let (dx, dy) = ((x as f32 - 7.5).abs(), (y as f32 - 7.5).abs());
        let radius = (dx * dx + dy * dy).sqrt();
        if radius > 6.6 {
            return case.get(x, y);
        }
        if radius > 5.6 {
            return CASE[if x + y > 15 { 1 } else { 0 }];
        }
        let bars = x == 5 || x == 10 || y == 5 || y == 10;
        let level = 5.4 - 0.7 * radius + 0.8 * grain.at(x, y) - if bars { 1.6 } else { 0.0 };
        shade(&glow, level.floor() as i32)
    })
}

/// Dark glass.
pub fn signal_lamp_off() -> Canvas {
    signal_lamp([0x3A2A26, 0x4B362E, 0x5E4538, 0x715544, 0x866752, 0x9C7C64])
}

/// Bright.
pub fn signal_lamp_on() -> Canvas {
    signal_lamp([0xD98A34, 0xEBA945, 0xF7C45C, 0xFDDB83, 0xFFECAE, 0xFFF8DC])
}

/// Shades of a lever: stick, knob, foot.
const LEVER: [(char, u32); 7] = [
    ('w', 0xA97B45),
    ('W', 0x6B482C),
    ('s', 0x6B737F),
    ('S', 0x3E434D),
    ('l', 0xA3AAB1),
    ('k', 0x8C514A),
    ('K', 0x5A2F2C),
];

const LEVER_PICTURE: Plan = [
    "................",
    "................",
    "................",
    "..kk............",
    "..kkw...........",
    "..Kwww..........",
    "....Www.........",
    ".....Www........",
    "......Www.......",
    ".......Www......",
    "........Ww......",
    "....llllssssS...",
    "....lsssssssS...",
    "....lsssssssS...",
    "....lssssssSS...",
    "....SSSSSSSSS...",
];

/// Leans to the left.
pub fn lever_off() -> Canvas {
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, &LEVER_PICTURE, &LEVER);
    canvas.bleed()
}

/// Leans to the right; its knob glows.
pub fn lever_on() -> Canvas {
    let mut canvas = Canvas::empty();
    let mirrored = LEVER_PICTURE.map(|row| row.chars().rev().collect::<String>());
    let rows: Vec<&str> = mirrored.iter().map(String::as_str).collect();
    canvas.stamp(0, 0, &rows, &LEVER);
    canvas.stamp(0, 0, &rows, &[('k', 0xFFC08A), ('K', 0xF0523A)]);
    canvas.bleed()
}

/// Boards with a frame, two panels and a latch.
pub fn door() -> Canvas {
    let mut canvas = wood::oak_planks();
    for (x, y) in coordinates() {
        let frame = x.min(y).min(15 - x).min(15 - y);
        let panel = (3..13).contains(&x) && ((3..7).contains(&y) || (9..13).contains(&y));
        if frame == 0 {
            canvas.set(x, y, if x == 15 || y == 15 { 0x59433A } else { 0xC39D67 });
        } else if panel {
            let top = y == 3 || y == 9 || x == 3;
            canvas.blend(x, y, if top { 0x4C3324 } else { 0x6B482C }, if top { 0.75 } else { 0.4 });
        }
    }
    for (x, y, colour) in [(12, 7, 0xE8E7E4), (13, 7, 0xBCBEC2), (12, 8, 0x8E919A), (13, 8, 0x63656B)] {
        canvas.set(x, y, colour);
    }
    canvas
}

/// The frame of a door that stands open.
pub fn door_open() -> Canvas {
    let mut canvas = Canvas::empty();
    for (x, y) in coordinates() {
        match x.min(15 - x).min(y).min(15 - y) {
            0 => canvas.set(x, y, if x == 15 || y == 15 { 0x59433A } else { 0xC39D67 }),
            1 => canvas.set(x, y, if x == 14 || y == 14 { 0x8F6B40 } else { 0x6B482C }),
            _ => {}
        }
    }
    canvas.bleed()
}
