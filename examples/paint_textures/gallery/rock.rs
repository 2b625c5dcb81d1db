//! Natural rock. It covers large areas, so it is calm: similar shades, and shapes so small that
//! they do not stand out when the texture repeats.

use super::canvas::{Canvas, mix};
use super::field::{Field, Levels, hash, nearest, scattered, shade, wave};
use super::plan::{Plan, PlanShading};

/// Shades of stone, which ores and masonry use too.
pub const STONE: [u32; 6] = [0x696D77, 0x747780, 0x7C7F86, 0x83868A, 0x8C8D90, 0x9A9997];

/// Levels of stone without ore or joints.
pub fn stone_levels() -> Levels {
    let relief = Field::clods(11).plus(0.25, &Field::noise(15, 4, 8).even());
    relief.lit(0.25).levels(&[2.0, 6.0, 9.0, 8.0, 3.0]).calm()
}

/// Common rock: broad worn faces, a little bluish in the hollows.
pub fn stone() -> Canvas {
    stone_levels().paint(&STONE)
}

/// Deepstone, similar to slate: thin slanting layers, dark and bluish.
pub fn deepstone() -> Canvas {
    const SHADES: [u32; 6] = [0x2F323E, 0x393C48, 0x434651, 0x4C4F59, 0x575962, 0x64656B];
    let warp = Field::fractal(21, 4, 4);
    let layers = Field::from_fn(|x, y| wave((4 * y + x) as f32 / 16.0 + 0.9 * warp.at(x, y)));
    let relief = layers.plus(1.2, &Field::noise(23, 4, 8)).even();
    relief.lit(0.25).levels(&[3.0, 6.0, 8.0, 7.0, 3.0]).calm().paint(&SHADES)
}

/// Interlocked grains of three minerals.
pub fn granite() -> Canvas {
    const FELDSPAR: [u32; 4] = [0x9C766C, 0xA88176, 0xB38C80, 0xBE998B];
    const QUARTZ: [u32; 4] = [0x9F918B, 0xAC9D95, 0xB8A9A0, 0xC4B6AB];
    const MICA: [u32; 4] = [0x75605F, 0x7F6966, 0x89726E, 0x937C76];
    let grains = scattered(31, 6, 6, 0.32);
    let grain = Field::noise(33, 8, 8);
    Canvas::from_fn(|x, y| {
        let (which, facing) = nearest(&grains, x, y);
        let kind = hash(32, which as i32, 0);
        let palette = if kind < 0.2 {
            MICA
        } else if kind < 0.46 {
            QUARTZ
        } else {
            FELDSPAR
        };
        let light = 1.0 + 1.4 * facing + 1.6 * grain.at(x, y);
        shade(&palette, light.floor() as i32)
    })
}

const BASALT: [u32; 6] = [0x2E2C33, 0x3A383E, 0x454348, 0x504E51, 0x5C595A, 0x6A6665];

/// The side of basalt: columns.
pub fn basalt() -> Canvas {
    // Shade by column of texels. Edges lie at uneven distances; each basalt column is lit on its
    // left flank and dark on its right.
    const PROFILE: [i32; 16] = [4, 3, 3, 2, 0, 3, 4, 3, 2, 1, 4, 3, 3, 2, 2, 0];
    let grain = Field::noise(41, 8, 3).levels(&[2.0, 5.0, 2.0]);
    let mut levels = Levels::from_fn(|x, y| PROFILE[x as usize] + grain.at(x, y) - 1);
    // Short cracks across the basalt columns.
    for (x, y, long) in [(0, 5, 4), (5, 11, 4), (10, 2, 5), (10, 13, 3)] {
        for i in 0..long {
            levels.add(x + i, y, -1);
            levels.add(x + i, y + 1, i32::from(i < long - 1));
        }
    }
    levels.paint(&BASALT)
}

/// The top of basalt: columns seen from above.
pub fn basalt_top() -> Canvas {
    const PLAN: Plan = [
        ".aaaaaaa.bbbbbbb",
        ".aaaaaaa.bbbbbbb",
        ".aaaaaaa.bbbbbbb",
        ".aaaaaaa.bbbbbbb",
        ".aaaaaaa.bbbbbbb",
        "d.aaaaa.c.bbbbb.",
        "dd.aaa.ccc.bbb.d",
        "ddd.a.ccccc.b.dd",
        "dddd.ccccccc.ddd",
        "dddd.ccccccc.ddd",
        "dddd.ccccccc.ddd",
        "dddd.ccccccc.ddd",
        "dddd.ccccccc.ddd",
        "ddd.a.ccccc.b.dd",
        "dd.aaa.ccc.bbb.d",
        "d.aaaaa.c.bbbbb.",
    ];
    let shading = PlanShading { seed: 43, middle: 2.9, variety: 1.2, grain: 0.9 };
    shading.paint(&PLAN, |_| &BASALT)
}

const SANDSTONE: [u32; 6] = [0xB39467, 0xC2A575, 0xCEB382, 0xD8C090, 0xE1CC9E, 0xEAD9B0];

/// The side of sandstone: beds of sand turned to stone.
pub fn sandstone() -> Canvas {
    const BEDS: [i32; 16] = [4, 3, 3, 2, 4, 3, 2, 2, 1, 4, 3, 3, 3, 2, 3, 1];
    let warp = Field::noise(51, 4, 2).levels(&[3.0, 5.0]);
    let grain = Field::noise(52, 6, 16).levels(&[2.0, 7.0, 2.0]);
    Levels::from_fn(|x, y| BEDS[((y + warp.at(x, y)) % 16) as usize] + grain.at(x, y) - 1)
        .paint(&SANDSTONE)
}

/// The top of sandstone: a bed seen from above.
pub fn sandstone_top() -> Canvas {
    Field::clods(54).lit(0.4).levels(&[1.0, 5.0, 8.0, 4.0]).calm().paint(&SANDSTONE[1..])
}

/// White marble with soft grey veins.
pub fn marble() -> Canvas {
    const SHADES: [u32; 6] = [0xB4B3BC, 0xC8C6CB, 0xD8D5D6, 0xE3E0DE, 0xEBE8E4, 0xF3F0EB];
    let warp = Field::fractal(61, 2, 2);
    let cloud = Field::fractal(63, 4, 4).even();
    Canvas::from_fn(|x, y| {
        // Twice across and once down, so that the veins slant and still meet at the edges.
        let phase = (x + 2 * y) as f32 / 16.0 + 0.8 * warp.at(x, y);
        let vein = (2.0 * (phase - phase.floor()) - 1.0).abs();
        let level = 3.3 + 2.4 * (cloud.at(x, y) - 0.07);
        let base = shade(&SHADES, level.floor() as i32);
        if vein < 0.09 {
            mix(SHADES[0], SHADES[1], 0.3)
        } else if vein < 0.2 {
            mix(base, SHADES[1], 0.6)
        } else {
            base
        }
    })
}

/// Volcanic glass: nearly black, with a few shining curved breaks.
pub fn obsidian() -> Canvas {
    const SHADES: [u32; 6] = [0x15111D, 0x1C1728, 0x251F34, 0x30283F, 0x40355A, 0x8476A3];
    const BREAKS: Plan = [
        "................",
        "...c............",
        "..cb......aa....",
        ".cb......ca.....",
        ".b......cb......",
        "........b.......",
        ".............cc.",
        "....aa......cb..",
        "...cb......cb...",
        "..cb.......b....",
        "..b.............",
        ".......aa......a",
        "......cb......ab",
        ".....cb.......b.",
        ".....b..........",
        "................",
    ];
    let mut canvas = Field::clods(72).lit(0.8).levels(&[3.0, 5.0, 5.0, 3.0]).calm().paint(&SHADES);
    canvas.stamp(0, 0, &BREAKS, &[('a', SHADES[5]), ('c', 0x5E5180), ('b', SHADES[4])]);
    canvas
}
