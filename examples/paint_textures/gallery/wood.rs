//! Logs and planks. The bark of each tree has a structure of its own: ridges, plates, paper with
//! dark scars, or rings.

use super::canvas::{Canvas, coordinates, mix};
use super::field::{Field, Levels, hash, scattered, shade, wave};
use super::plan::{Plan, PlanShading};

const OAK_BARK: [u32; 6] = [0x42332E, 0x533F34, 0x644C3B, 0x765B43, 0x876A4D, 0x9A7C5B];
const PINE_BARK: [u32; 6] = [0x53352F, 0x664135, 0x784C3A, 0x8B5A42, 0x9E6A4C, 0xB27E5B];
const BIRCH_BARK: [u32; 5] = [0xB5B0AE, 0xCBC6C0, 0xDAD6CE, 0xE6E2D9, 0xF1EEE5];
const PALM_BARK: [u32; 6] = [0x6A523F, 0x7F6449, 0x937653, 0xA5875F, 0xB5986D, 0xC6AA7F];
const OAK: [u32; 6] = [0x7A5836, 0x8F6B40, 0x9D7747, 0xA9814F, 0xB58E59, 0xC39D67];
const PINE: [u32; 6] = [0x8C5C38, 0xA46F43, 0xB47E4C, 0xC08A55, 0xCC9861, 0xDAA970];
const BIRCH: [u32; 6] = [0xA88F66, 0xBFA678, 0xCEB688, 0xD9C396, 0xE2CFA4, 0xECDDB8];
const PALM: [u32; 6] = [0x93704B, 0xA98458, 0xBB9665, 0xC8A572, 0xD3B381, 0xDFC394];

/// Oak bark: long ridges, with furrows that open and close.
pub fn oak_log() -> Canvas {
    let bend = Field::noise(201, 4, 3);
    let ridges = Field::from_fn(|x, y| wave(4.0 * x as f32 / 16.0 + 0.8 * bend.at(x, y)));
    let relief = ridges.plus(0.8, &Field::noise(202, 8, 4));
    relief.lit(0.5).levels(&[3.0, 4.0, 5.0, 5.0, 3.0]).paint(&OAK_BARK)
}

/// Pine bark: reddish plates.
pub fn pine_log() -> Canvas {
    const PLAN: Plan = [
        "aaa.bbb.cccc.dd.",
        "aaa.bbbb.ccc.dd.",
        "aaaa.bbb.ccc.dd.",
        ".aaa.bbb.e.c.dd.",
        "f.a..bb.eee..dd.",
        "ff.g.b.eeee.h.d.",
        "ff.gg..eeee.hh..",
        "ff.ggg.eeee.hh.f",
        "ff.ggg.eee.hhh.f",
        "ff.gggg.ee.hhh.f",
        "f.i.ggg.e.jhhh..",
        "..ii.gg..jj.hh.k",
        ".iii..g.jjjj.h.k",
        ".iii.l..jjjj..kk",
        "a.ii.ll.cjjj.dk.",
        "aa.i.bl.cc.j.d..",
    ];
    PlanShading { seed: 211, middle: 2.8, variety: 1.4, grain: 1.2 }.paint(&PLAN, |_| &PINE_BARK)
}

/// Birch bark: white paper with dark horizontal scars.
pub fn birch_log() -> Canvas {
    const SCARS: Plan = [
        "................",
        "..dkkk..........",
        "...dd.......kk..",
        "................",
        ".......d........",
        "k............dkk",
        "d....dkkkd......",
        "......dkd.......",
        "................",
        "...........kkd..",
        "................",
        ".kkd............",
        ".........dkkkkd.",
        "..........dkd...",
        "...dd...........",
        "................",
    ];
    let mut canvas = Field::clods(221).levels(&[0.0, 3.0, 7.0, 5.0]).calm().paint(&BIRCH_BARK);
    canvas.stamp(0, 0, &SCARS, &[('k', 0x47413F), ('d', 0x8A837E)]);
    canvas
}

/// Palm bark: rings of scars of old fronds.
pub fn palm_log() -> Canvas {
    /// Depth to which a ring sags, by column.
    const SAG: [i32; 16] = [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0];
    let grain = Field::noise(231, 8, 5).even().levels(&[2.0, 6.0, 2.0]);
    Levels::from_fn(|x, y| {
        let row = (y - SAG[x as usize]).rem_euclid(8);
        // Broad and narrow rings alternate, and the edge of each is lit.
        [5, 4, 3, 2, 0, 4, 3, 1][row as usize]
            + if row == 4 || row == 7 { 0 } else { grain.at(x, y) - 1 }
    })
    .paint(&PALM_BARK)
}

/// A cut trunk: rings inside a rim of bark.
fn log_top(seed: u32, bark: &[u32], wood: &[u32], rings: f32) -> Canvas {
    let warp = Field::noise(seed, 4, 4);
    Canvas::from_fn(|x, y| {
        let dx = (x as f32 - 7.5).abs();
        let dy = (y as f32 - 7.5).abs();
        // The rings have a shape between a circle and a square.
        let across = dx.max(dy);
        let radius = 0.3 * across + 0.7 * (dx * dx + dy * dy).sqrt() + 1.1 * (warp.at(x, y) - 0.5);
        if across > 7.0 {
            let lit = x == 0 || y == 0;
            return shade(bark, i32::from(lit) * 2 + 1 + i32::from(hash(seed + 1, x, y) > 0.55));
        }
        if across > 6.0 {
            // Young wood under the bark is pale.
            return wood[if x == 14 || y == 14 { 2 } else { 4 }];
        }
        let ring = wave(radius / rings);
        let level = 1.3 + 3.4 * ring;
        if radius < 0.9 { wood[0] } else { shade(wood, level.floor() as i32) }
    })
}

/// Cut oak: close rings.
pub fn oak_log_top() -> Canvas {
    log_top(241, &OAK_BARK, &OAK, 2.3)
}

/// Cut pine: wide rings.
pub fn pine_log_top() -> Canvas {
    log_top(243, &PINE_BARK, &PINE, 2.8)
}

/// Cut birch: pale rings.
pub fn birch_log_top() -> Canvas {
    log_top(245, &BIRCH_BARK, &BIRCH, 2.4)
}

/// Cut palm: bundles of fibre in place of rings.
pub fn palm_log_top() -> Canvas {
    let mut canvas = log_top(247, &PALM_BARK, &PALM, 6.5);
    for (px, py) in scattered(248, 5, 5, 0.3) {
        let x = px as i32;
        let y = py as i32;
        if (2..14).contains(&x) && (2..14).contains(&y) {
            canvas.set(x, y, PALM[0]);
            canvas.blend(x - 1, y - 1, PALM[5], 0.5);
        }
    }
    canvas
}

/// Stacked boards, each given as first row, height, and column of its joint.
fn boards(seed: u32, palette: &[u32], layout: &[(i32, i32, i32)]) -> Canvas {
    let grain = Field::noise(seed, 3, 16).plus(0.4, &Field::noise(seed + 1, 6, 16));
    let streaks = grain.levels(&[2.0, 5.0, 4.0]);
    let mut canvas = Canvas::filled(palette[3]);
    for (number, &(first, high, joint)) in (0..).zip(layout) {
        for (x, row) in (0..16).flat_map(|x| (0..high).map(move |row| (x, row))) {
            // The boards on both sides of the joint have different tones.
            let tone = if hash(seed + 2, number, i32::from(x > joint)) > 0.5 { 1 } else { 0 };
            let y = first + row;
            let level = match row {
                _ if row == high - 1 => 0,
                0 => 4,
                _ if x == joint => 1,
                _ => 2 + tone + streaks.at(x, y) - 1,
            };
            canvas.set(x, y, shade(palette, level));
            if row == 0 && x == joint {
                canvas.set(x, y, palette[2]);
            }
        }
        // Pegs next to the joint.
        canvas.blend(joint - 2, first + 1, palette[0], 0.55);
        canvas.blend(joint + 2, first + 1, palette[0], 0.55);
    }
    canvas
}

fn knot(canvas: &mut Canvas, x: i32, y: i32, palette: &[u32]) {
    canvas.stamp(
        x,
        y,
        &[".aa.", "abca", ".aa."],
        &[('a', palette[1]), ('b', palette[0]), ('c', mix(palette[0], 0x2A1A18, 0.3))],
    );
}

/// Four boards of equal height.
pub fn oak_planks() -> Canvas {
    boards(251, &OAK, &[(0, 4, 4), (4, 4, 12), (8, 4, 7), (12, 4, 14)])
}

/// Three broad boards with knots.
pub fn pine_planks() -> Canvas {
    let mut canvas = boards(255, &PINE, &[(0, 5, 11), (5, 6, 3), (11, 5, 8)]);
    knot(&mut canvas, 3, 1, &PINE);
    knot(&mut canvas, 9, 7, &PINE);
    canvas
}

/// Four pale boards with flecks.
pub fn birch_planks() -> Canvas {
    let mut canvas = boards(259, &BIRCH, &[(0, 4, 9), (4, 4, 2), (8, 4, 13), (12, 4, 6)]);
    // Flecks.
    for (x, y) in coordinates().filter(|&(x, y)| hash(260, x, y) > 0.955) {
        canvas.blend(x, y, BIRCH[0], 0.4);
        canvas.blend(x + 1, y, BIRCH[0], 0.4);
    }
    canvas
}
