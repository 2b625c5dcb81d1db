//! Parts of circuits, and the door that circuits move.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, shade};
use super::plan::Plan;
use super::wood;

/// Shades of a wire's coat.
const COAT: [u32; 4] = [0x231719, 0x30201F, 0x3D2A28, 0x4A3330];
/// Shades of a wire's core, from the edge to the middle.
const DULL: [u32; 3] = [0x5A2A24, 0x7A3A2E, 0x96503C];
const GLOWING: [u32; 3] = [0xE0481C, 0xFF8A30, 0xFFE29A];

/// Shade of the core at this distance from its middle, in half texels; `None` outside the core.
fn core(offset: i32, shades: &[u32; 3]) -> Option<u32> {
    match offset.abs() {
        0..2 => Some(shades[2]),
        2..4 => Some(shades[1]),
        4..6 => Some(shades[0]),
        _ => None,
    }
}

/// The top of a wire: a cross of cores in a dark coat. Cores of adjacent wires join.
fn crossing(shades: &[u32; 3]) -> Canvas {
    let grain = Field::noise(701, 8, 8);
    Canvas::from_fn(|x, y| {
        let nearest = (2 * x - 15).abs().min((2 * y - 15).abs());
        core(nearest, shades).unwrap_or_else(|| shade(&COAT, 1 + i32::from(grain.at(x, y) > 0.55)))
    })
}

/// The side of a wire that reaches up to a higher wire: an upright core. The lowest row is coat,
/// because it is all that a flat wire shows.
fn upright(shades: &[u32; 3]) -> Canvas {
    let grain = Field::noise(702, 8, 8);
    Canvas::from_fn(|x, y| match core(2 * x - 15, shades) {
        Some(colour) if y < 15 => colour,
        _ => shade(&COAT, i32::from(grain.at(x, y) > 0.5) + i32::from(y < 15)),
    })
}

/// The top of a wire without a signal.
pub fn wire_top() -> Canvas {
    crossing(&DULL)
}

/// The side of a wire without a signal.
pub fn wire_side() -> Canvas {
    upright(&DULL)
}

/// The top of a wire with a signal.
pub fn wire_on_top() -> Canvas {
    crossing(&GLOWING)
}

/// The side of a wire with a signal.
pub fn wire_on_side() -> Canvas {
    upright(&GLOWING)
}

const CASE: [u32; 5] = [0x3E434D, 0x535A66, 0x6B737F, 0x848C96, 0xA3AAB1];

/// A metal case with a rim, lit from the top left.
fn case(seed: u32) -> Canvas {
    let grain = Field::clods(seed).levels(&[1.0, 4.0, 1.0]);
    Canvas::from_fn(|x, y| match (x.min(y), x.max(y)) {
        (_, 15) => CASE[0],
        (0, _) => CASE[4],
        (1, _) | (_, 14) => CASE[1],
        _ => shade(&CASE, 1 + grain.at(x, y)),
    })
}

/// The sign of an inverter: a triangle that points up, and a ring. `glow` has shades from dark to
/// light.
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

/// An inverter without a signal.
pub fn inverter_off() -> Canvas {
    inverter([0x4A2B2B, 0x6B3A36, 0x8C514A])
}

/// An inverter with a signal.
pub fn inverter_on() -> Canvas {
    inverter([0xB5281E, 0xF0523A, 0xFFC08A])
}

/// A paper lamp in a metal case.
fn signal_lamp(glow: [u32; 6]) -> Canvas {
    let grain = Field::noise(721, 4, 4);
    let case = case(722);
    Canvas::from_fn(|x, y| {
        let dx = (x as f32 - 7.5).abs();
        let dy = (y as f32 - 7.5).abs();
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

/// A signal lamp of dark glass.
pub fn signal_lamp_off() -> Canvas {
    signal_lamp([0x3A2A26, 0x4B362E, 0x5E4538, 0x715544, 0x866752, 0x9C7C64])
}

/// A bright signal lamp.
pub fn signal_lamp_on() -> Canvas {
    signal_lamp([0xD98A34, 0xEBA945, 0xF7C45C, 0xFDDB83, 0xFFECAE, 0xFFF8DC])
}

/// Shades of a lever: stick, foot, knob.
const LEVER: [(char, u32); 7] = [
    ('w', 0xA97B45),
    ('W', 0x6B482C),
    ('s', 0x6B737F),
    ('S', 0x3E434D),
    ('l', 0xA3AAB1),
    ('k', 0x7A4A44),
    ('K', 0x4A2B2B),
];

/// A lever that is pushed in. It looks the same from all sides, because a lever is drawn as two
/// crossed sheets.
const LEVER_DOWN: Plan = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "......kkkk......",
    ".....kkkkkK.....",
    ".....KkkkKK.....",
    ".......wW.......",
    "....llllssss....",
    "...lsssssssSS...",
    "...lssssssSSS...",
    "...SSSSSSSSSS...",
];

/// A lever that is pulled out.
const LEVER_UP: Plan = [
    "......kkkk......",
    ".....kkkkkK.....",
    ".....kkkkkK.....",
    ".....kkkkKK.....",
    "......KKKK......",
    ".......wW.......",
    ".......wW.......",
    ".......wW.......",
    ".......wW.......",
    ".......wW.......",
    ".......wW.......",
    ".......wW.......",
    "....llllssss....",
    "...lsssssssSS...",
    "...lssssssSSS...",
    "...SSSSSSSSSS...",
];

/// A lever in its low position, with a dull knob.
pub fn lever_off() -> Canvas {
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, &LEVER_DOWN, &LEVER);
    canvas.bleed()
}

/// A lever in its high position, with a bright knob.
pub fn lever_on() -> Canvas {
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, &LEVER_UP, &LEVER);
    canvas.stamp(0, 0, &LEVER_UP, &[('k', 0xFFD27A), ('K', 0xFF7A2E)]);
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
    for (x, y, colour) in
        [(12, 7, 0xE8E7E4), (13, 7, 0xBCBEC2), (12, 8, 0x8E919A), (13, 8, 0x63656B)]
    {
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
