//! Leaves of trees, and cactus.
//!
//! Leaves are drawn over each other from the bottom up. Then the lowest fifth of the texels become
//! holes, so that holes are where the foliage is thinnest, and lie in shade.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, Levels, hash, shade, spread};

/// Share of holes in a leaf texture, in percent.
const HOLES: f32 = 22.0;

/// One leaf: offset of each texel (x, y), and the number of shades by which it is lighter than the
/// leaf.
type Leaf = &'static [(i32, i32, i32)];

/// Paints `count` leaves in the shades of `palette`, darkest first.
fn foliage(seed: u32, leaves: &[Leaf], count: i32, palette: &[u32]) -> Canvas {
    let mut depth = Field::noise(seed, 8, 8).levels(&[1.0, 1.0]);
    let mut levels = Levels::from_fn(|_, _| 0);
    for i in 0..count {
        let (across, down) = spread(i);
        let x = (16.0 * across + 1.5 * hash(seed, i, 0)) as i32;
        let y = (16.0 * down + 1.5 * hash(seed, i, 1)) as i32;
        let leaf = leaves[(hash(seed, i, 2) * leaves.len() as f32 * 0.999) as usize];
        let height = i as f32 / count as f32;
        for &(dx, dy, light) in leaf {
            levels.set(
                x + dx,
                y + dy,
                1 + (height * (palette.len() as f32 - 3.0)).round() as i32 + light,
            );
            depth.set(x + dx, y + dy, 2 + i);
        }
    }
    let holes = Field::from_fn(|x, y| depth.at(x, y) as f32 + 0.5 * hash(seed + 1, x, y))
        .levels(&[HOLES, 100.0 - HOLES]);
    let mut canvas = levels.paint(palette);
    for (x, y) in coordinates() {
        if holes.at(x, y) == 0 {
            canvas.set(x, y, shade(palette, 0));
            canvas.set_alpha(x, y, 0);
        }
    }
    canvas
}

/// Leaves with round lobes.
pub fn oak_leaves() -> Canvas {
    const LEAVES: [Leaf; 2] = [
        &[(0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 0), (2, 1, 0), (1, 2, -1), (2, 2, -1)],
        &[(1, 0, 1), (0, 1, 1), (1, 1, 0), (2, 1, 0), (0, 2, 0), (1, 2, -1)],
    ];
    foliage(301, &LEAVES, 40, &[0x2B4A2E, 0x365C33, 0x447037, 0x54843C, 0x669842, 0x7DAA4D])
}

/// Sprays of hanging needles.
pub fn pine_leaves() -> Canvas {
    const LEAVES: [Leaf; 2] = [
        &[
            (2, 0, 2),
            (1, 1, 1),
            (2, 1, 1),
            (3, 1, 0),
            (0, 2, 1),
            (1, 2, 0),
            (3, 2, 0),
            (4, 2, -1),
            (0, 3, 0),
            (2, 2, 0),
        ],
        &[
            (1, 0, 1),
            (2, 0, 1),
            (0, 1, 1),
            (1, 1, 0),
            (2, 1, 0),
            (3, 1, 0),
            (0, 2, 0),
            (2, 2, -1),
            (3, 2, -1),
        ],
    ];
    foliage(311, &LEAVES, 26, &[0x1F3F37, 0x284D3C, 0x325B42, 0x3E6A48, 0x4C7A4F, 0x5F8D59])
}

/// Many small, bright leaves.
pub fn birch_leaves() -> Canvas {
    const LEAVES: [Leaf; 2] = [
        &[(0, 0, 1), (1, 0, 0), (0, 1, 0), (1, 1, -1)],
        &[(0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 2, -1)],
    ];
    foliage(321, &LEAVES, 64, &[0x4C6B31, 0x5F8038, 0x759640, 0x8CAB4A, 0xA3BE57, 0xBCCF6B])
}

/// Long fans that arch over.
pub fn palm_leaves() -> Canvas {
    const LEAVES: [Leaf; 2] = [
        &[
            (0, 0, 2),
            (1, 0, 1),
            (2, 0, 1),
            (3, 1, 1),
            (4, 1, 1),
            (5, 2, 0),
            (6, 3, 0),
            (1, 1, 0),
            (2, 1, 0),
            (3, 2, -1),
            (4, 2, 0),
            (5, 3, -1),
            (6, 4, -1),
        ],
        &[
            (6, 0, 1),
            (5, 0, 2),
            (4, 0, 1),
            (3, 1, 1),
            (2, 1, 1),
            (1, 2, 0),
            (0, 3, 0),
            (5, 1, 0),
            (4, 1, 0),
            (3, 2, -1),
            (2, 2, 0),
            (1, 3, -1),
            (0, 4, -1),
        ],
    ];
    foliage(331, &LEAVES, 20, &[0x2F5A36, 0x3B6B3B, 0x4A7E41, 0x5C9347, 0x71A64F, 0x8BB95B])
}

const CACTUS: [u32; 6] = [0x2E5B3C, 0x3A6D42, 0x488049, 0x579150, 0x69A25A, 0x82B56A];
const SPINE: u32 = 0xE9E2C0;

/// The side of a cactus: upright ribs with spines along their crests.
pub fn cactus() -> Canvas {
    const RIB: [i32; 16] = [3, 4, 3, 1, 3, 5, 3, 1, 3, 5, 3, 1, 3, 4, 2, 0];
    let grain = Field::noise(341, 4, 6).levels(&[1.0, 3.0, 1.0]);
    let mut canvas = Levels::from_fn(|x, y| RIB[x as usize] + grain.at(x, y) - 1).paint(&CACTUS);
    for (x, y) in [(1, 2), (5, 6), (9, 1), (13, 5), (1, 10), (5, 14), (9, 9), (13, 13)] {
        canvas.set(x, y, SPINE);
        canvas.set(x + 1, y - 1, SPINE);
        canvas.blend(x + 1, y + 1, CACTUS[0], 0.6);
    }
    canvas
}

/// The top of a cactus: ribs that meet in the middle.
pub fn cactus_top() -> Canvas {
    let mut canvas = Canvas::from_fn(|x, y| {
        let dx = (x as f32 - 7.5).abs();
        let dy = (y as f32 - 7.5).abs();
        let across = dx.max(dy);
        if across > 7.0 {
            return CACTUS[if x == 0 || y == 0 { 2 } else { 0 }];
        }
        let slope = (15.0 - x as f32 - y as f32) / 15.0;
        // Furrows run along the axes and the diagonals.
        let furrow = dx.min(dy) < 1.0 || (dx - dy).abs() < 0.5;
        let level = 3.2 + 1.5 * slope - if furrow && across > 2.0 { 1.6 } else { 0.0 };
        shade(&CACTUS, level.floor() as i32)
    });
    for (x, y) in [(4, 2), (11, 3), (13, 10), (9, 13), (3, 11), (2, 6)] {
        canvas.set(x, y, SPINE);
        canvas.blend(x + 1, y + 1, CACTUS[0], 0.5);
    }
    canvas
}
