//! Plants, which the game draws as crossed sheets: hand-drawn on a transparent canvas.

use super::canvas::Canvas;
use super::plan::Plan;

const GREEN: [u32; 6] = [0x3F6B37, 0x4F7E3B, 0x619142, 0x75A34A, 0x8DB556, 0xA8C868];

/// Greens of all pictures: `g` and `G` for stems, `l` and `L` for leaves. Capitals are the shaded
/// side.
const STEM: [(char, u32); 4] = [('g', GREEN[2]), ('G', GREEN[0]), ('l', GREEN[4]), ('L', GREEN[3])];

fn plant(picture: &Plan, legend: &[(char, u32)]) -> Canvas {
    let mut canvas = Canvas::empty();
    canvas.stamp(0, 0, picture, &STEM);
    canvas.stamp(0, 0, picture, legend);
    canvas.bleed()
}

/// A dense tuft of grass.
pub fn tall_grass() -> Canvas {
    const PICTURE: Plan = [
        "................",
        ".......a........",
        ".......l....a...",
        "..a....l....l...",
        "...l...Ll..al.a.",
        "...l..aLl..lL.l.",
        "...Ll.l.L..lL.L.",
        "a..LL.l.gl.Lg.L.",
        "l...gllLg.lLg.ga",
        ".l..gLlLg.lgG.gl",
        ".L.lggLLGlLgGlgL",
        ".Ll.ggLgGlLg.lg.",
        ".gLlGgLgGLLglLG.",
        "..gLGGgGGLggLgG.",
        "..gGgGgG.GgGgG..",
        "...GgGGg.GgGGG..",
    ];
    plant(&PICTURE, &[('a', GREEN[5])])
}

/// A poppy and its bud.
pub fn flower_red() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "......hr........",
        ".....hrrrr......",
        "....hrrkkrd.....",
        "....rrrkkrd..hr.",
        ".....rrrrd..hrrd",
        "......ddd...rkrd",
        ".......g.....dd.",
        "..l....g.....g..",
        "..lL...G....gG..",
        "...lL..g..lLg...",
        "....LG.g.lLgG...",
        ".....GGglLgG....",
        "......GgLgG.....",
        ".......GgG......",
    ];
    plant(&PICTURE, &[('h', 0xF28A72), ('r', 0xD8473F), ('d', 0x9C2B3C), ('k', 0x4A2233)])
}

/// Three small yellow daisies.
pub fn flower_yellow() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "................",
        "....hh..........",
        "...hyyh...h.h...",
        "..hyooyd.hyyyh..",
        "..yyoody..yoyd..",
        "...dyyd..hydyd..",
        "....dd....d.d...",
        "....g......g....",
        ".l..G.hh...g..l.",
        ".lL.gyoyd.gG.lL.",
        "..lLg.dd..g.lL..",
        "...LGg.G.gGlL...",
        "....GGgGgGLG....",
        "......GgGgG.....",
    ];
    plant(&PICTURE, &[('h', 0xFFEE9A), ('y', 0xF5CC45), ('d', 0xCB9230), ('o', 0xA9622B)])
}

/// Two spikes of lupin.
pub fn flower_blue() -> Canvas {
    const PICTURE: Plan = [
        "................",
        ".....h..........",
        "....hb..........",
        "....bbd....h....",
        "...hbbd...hb....",
        "...bbhb...bbd...",
        "....bbbd.hbbd...",
        "...hbdb...bhb...",
        "...bbbbd.hbbd...",
        "....dGd...bbd...",
        ".l...g.....g..l.",
        ".lL..G....gG.lL.",
        "..lL.g.l..g.lL..",
        "...LGg.lLgGlL...",
        "....GGglLgGG....",
        "......GgGg......",
    ];
    plant(&PICTURE, &[('h', 0xB0C4FA), ('b', 0x6D86E0), ('d', 0x4A52AE)])
}

/// Bare twigs.
pub fn dead_bush() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "...a......a.....",
        "...ab....a......",
        ".a..b...ab..a...",
        "..b..b..b..ab...",
        "..ab.b.ab..b..a.",
        "....b.bb..b..ab.",
        "a...bb.b.bb.b...",
        ".ab..bcbbc.bb...",
        "...bb.bcb.bc....",
        ".....cbcbcc.....",
        "......ccbc......",
        ".......ccd......",
        ".......bcd......",
        "......bccdd.....",
    ];
    plant(&PICTURE, &[('a', 0xB99A6B), ('b', 0x9A7A52), ('c', 0x7A5C42), ('d', 0x59433A)])
}

/// A large brown-red cap and a small one.
pub fn mushroom() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "................",
        "................",
        "......hhrr......",
        "....hhrrwrrr....",
        "...hrwrrrrrrd...",
        "...rrrrrwrrdd...",
        "...ddrrrrrddd...",
        ".....uussud.....",
        "......ivs....hr.",
        "......ivs...hwrd",
        "......ivs...rrdd",
        "......ivs....is.",
        ".....iivss...is.",
        ".....ivvss..ivs.",
    ];
    plant(
        &PICTURE,
        &[
            ('h', 0xD98A62),
            ('r', 0xB65B43),
            ('d', 0x833C3A),
            ('w', 0xF3DFC0),
            ('u', 0xA88E78),
            ('i', 0xF0E4CC),
            ('v', 0xDDCCB0),
            ('s', 0xB29C88),
        ],
    )
}

/// Bulrushes among their leaves.
pub fn reeds() -> Canvas {
    const PICTURE: Plan = [
        "...a.......a....",
        "...t..a....t....",
        "..hnd.g...hnd...",
        "..hnd.t...hnd..l",
        "..nnd.hnd.hnd..l",
        "..nnd.hnd.nnd.lL",
        "..hnd.nnd.nnd.lL",
        "...t..hnd.hnd.L.",
        "l..t..nnd..t.lL.",
        "lL.t...t.l.t.lG.",
        ".L.g.l.t.l.g.LG.",
        ".lLg.l.gL..g.L..",
        ".lLG.lLgL..glL..",
        "..LG.lLgL.LgLG..",
        "..LGLLLGGLLgLG..",
        "..GgGLLgGGLGLG..",
    ];
    plant(
        &PICTURE,
        &[('a', 0xC9B579), ('h', 0xA97A4C), ('n', 0x855939), ('d', 0x5E3F34), ('t', 0x9AA253)],
    )
}

/// Three caps that glow.
pub fn glow_mushroom() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "................",
        "........hh......",
        ".......hwcc.....",
        "......hcccwd....",
        "......cwccdd....",
        "..hh..uddddu....",
        ".hwcc...iv......",
        ".cccd...iv.hh...",
        ".udddu..iv.wcc..",
        "...iv..iv.ccwcd.",
        "...iv..iv.udddu.",
        "....iv.iv...iv..",
        "....iv.ivs.iv...",
        ".....ivivsiv....",
        ".....iivvsiv....",
    ];
    plant(
        &PICTURE,
        &[
            ('h', 0xB8FFF0),
            ('w', 0xF2FFF6),
            ('c', 0x58E0CE),
            ('d', 0x2C9AA6),
            ('u', 0x8FF5E6),
            ('i', 0xD6EFE2),
            ('v', 0x9CC9C4),
            ('s', 0x668F98),
        ],
    )
}
