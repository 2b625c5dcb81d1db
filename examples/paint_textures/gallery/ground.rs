//! Soil, grass, sand and snow. They are the largest visible surfaces, so their textures are the
//! calmest.

use super::canvas::{Canvas, mix};
use super::field::{Field, Levels, hash, scattered, shade};
use super::plan::{Plan, PlanShading};

const DIRT: [u32; 6] = [0x624739, 0x70513F, 0x7B5A45, 0x86634B, 0x916D52, 0xA08060];
const GRASS: [u32; 6] = [0x557F3B, 0x618C3E, 0x6D9941, 0x79A447, 0x86B04E, 0x98BE5A];
const DRY_GRASS: [u32; 6] = [0x93813F, 0x9F8D46, 0xAB994D, 0xB6A456, 0xC1AF61, 0xD0BF72];
const SNOW: [u32; 5] = [0xCBD8E8, 0xDCE5F0, 0xE8EEF5, 0xF1F5F8, 0xFBFCFB];

fn dirt_levels() -> Levels {
    let mut levels = Field::clods(81).lit(0.3).levels(&[2.0, 5.0, 8.0, 4.0]).calm();
    // A few pebbles, each light at the top and with a shadow below.
    for (x, y) in [(2, 3), (11, 1), (7, 8), (13, 11), (4, 13)] {
        levels.set(x, y, 5);
        levels.set(x + 1, y, 4);
        levels.add(x, y + 1, -1);
        levels.set(x + 1, y + 1, 0);
    }
    levels
}

/// Crumbly soil with a few pebbles.
pub fn dirt() -> Canvas {
    dirt_levels().paint(&DIRT)
}

/// Short tufts with light tips, each with a shadow.
fn turf(seed: u32, palette: &[u32]) -> Canvas {
    let mut levels = Field::clods(seed).levels(&[3.0, 6.0, 3.0]).calm();
    for (px, py) in scattered(seed + 3, 5, 6, 0.5) {
        let x = px as i32;
        let y = py as i32;
        let tall = hash(seed + 4, x, y) > 0.45;
        levels.add(x, y, 1);
        levels.add(x, y + 1, i32::from(tall));
        levels.add(x + 1, y + 1, -1);
        levels.add(x, y + 2, -i32::from(tall));
    }
    Levels::from_fn(|x, y| levels.at(x, y) + 1).paint(palette)
}

/// A meadow from above.
pub fn grass_top() -> Canvas {
    turf(91, &GRASS)
}

/// A dry meadow from above.
pub fn dry_grass_top() -> Canvas {
    turf(95, &DRY_GRASS)
}

/// Dirt with a cover that reaches down by `depth` texels, given by column.
fn covered(palette: &[u32], depth: [i32; 16]) -> Canvas {
    let mut canvas = dirt();
    let grain = Field::noise(97, 8, 8).levels(&[3.0, 6.0, 3.0]);
    let top = palette.len() as i32 - 1;
    for x in 0..16 {
        let deep = depth[x as usize];
        for y in 0..deep {
            // The cover is light at the top edge and dark at the hanging ends.
            let level = match (y, deep - y) {
                (0, _) => top - 1 + grain.at(x, y) / 2,
                (_, 1) => 0,
                (_, 2) => 1,
                _ => top - 3 + grain.at(x, y),
            };
            canvas.set(x, y, shade(palette, level));
        }
        canvas.blend(x, deep, 0x3B2A30, 0.45);
    }
    canvas
}

const BLADES: [i32; 16] = [7, 6, 8, 10, 7, 5, 7, 10, 8, 6, 7, 5, 8, 11, 9, 6];

/// Soil under a meadow.
pub fn grass_side() -> Canvas {
    covered(&GRASS, BLADES)
}

/// Soil under dry grass.
pub fn dry_grass_side() -> Canvas {
    covered(&DRY_GRASS, BLADES)
}

/// Soil under snow, which hangs in round drifts.
pub fn snowy_grass_side() -> Canvas {
    covered(&SNOW, [5, 5, 6, 6, 5, 4, 4, 5, 6, 7, 7, 6, 5, 4, 4, 4])
}

fn fine(seed: u32, palette: &[u32]) -> Canvas {
    Field::clods(seed).lit(0.35).levels(&[2.0, 6.0, 8.0, 4.0, 1.0]).calm().paint(palette)
}

/// Fine sand, nearly even.
pub fn sand() -> Canvas {
    fine(101, &[0xD2BE89, 0xD8C58F, 0xDDCC96, 0xE2D29D, 0xE7D9A7])
}

/// Red desert sand.
pub fn red_sand() -> Canvas {
    fine(105, &[0xAE6B46, 0xB5724A, 0xBB7950, 0xC28157, 0xC98B60])
}

/// Pebbles of several kinds of rock.
pub fn gravel() -> Canvas {
    const GREY: [u32; 6] = [0x63656B, 0x717277, 0x7D7E82, 0x88898B, 0x949493, 0xA2A09D];
    const WARM: [u32; 6] = [0x65605F, 0x756D67, 0x837A71, 0x90867B, 0x9D9286, 0xACA091];
    const BLUE: [u32; 6] = [0x5E636C, 0x6B7079, 0x777D85, 0x838990, 0x90959A, 0x9FA2A5];
    const PLAN: Plan = [
        "aabbb.cccd.eee.a",
        "aabbbb.ccddeee.a",
        "a.bbb.f.ddd.e.gg",
        ".hh..fff.d.iiigg",
        "hhhh.ffff.iiii.g",
        "hhh.kk.f.jjii.l.",
        ".h.kkkk.jjjj.lll",
        "mm.kkkk.jjj.n.ll",
        "mmm.kk.oo..nnn.l",
        "mmm.pp.ooo.nnnn.",
        ".m.pppp.oo.qnn.r",
        "s.ppppp.tt.qq.rr",
        "ss.ppp.tttt.q.rr",
        "sss.u.v.tt.www.r",
        ".s.uuu.v..wwww..",
        "aa.uu.bb.ccww..a",
    ];
    let shading = PlanShading { seed: 111, middle: 2.9, variety: 1.6, grain: 0.5 };
    shading.paint(&PLAN, |own| match own {
        0.0..0.3 => &WARM,
        0.3..0.5 => &BLUE,
        _ => &GREY,
    })
}

/// Smooth clay with flat smears.
pub fn clay() -> Canvas {
    const SHADES: [u32; 5] = [0x8F97A6, 0x9AA1AE, 0xA4AAB4, 0xADB2BA, 0xB8BBC0];
    Field::fractal(121, 4, 6)
        .even()
        .lit(0.5)
        .levels(&[2.0, 5.0, 8.0, 5.0, 2.0])
        .calm()
        .paint(&SHADES)
}

/// Fresh snow with faint blue hollows and a few glints.
pub fn snow() -> Canvas {
    let mut canvas = Field::clods(131).lit(0.25).levels(&[0.5, 4.0, 8.0, 6.0]).calm().paint(&SNOW);
    for (x, y) in [(3, 2), (12, 6), (6, 11)] {
        canvas.set(x, y, mix(SNOW[4], 0xFFFFFF, 0.5));
    }
    canvas
}
