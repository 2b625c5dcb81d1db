//! Masonry: cobbles, dressed stone, fired brick.

use super::canvas::{Canvas, coordinates};
use super::field::{Field, hash, shade};
use super::plan::{Plan, PlanShading, near_gap};
use super::rock::STONE;

/// Shades of cut stone: the shades of natural stone and a darker one for the joints.
const CUT: [u32; 7] = [0x4C4F5A, STONE[0], STONE[1], STONE[3], STONE[4], STONE[5], 0xABA9A4];

const COBBLES: Plan = [
    "aaa.bbbbb.cccc.a",
    "aaaa.bbbb.ccccc.",
    "aaaa.bbbb.ccccc.",
    "aaaa..bb..cccc..",
    ".aa..d...f..c..g",
    "....dddd.fff..gg",
    "gg.ddddd.ffff.gg",
    "gg.ddddd.fffff.g",
    "gg.dddd.ffffff.g",
    "g...dd..ffffff..",
    "..hh..i..fff..j.",
    ".hhhh.iii.....jj",
    ".hhhhh.iiii.jjjj",
    ".hhhhh.iiii.jjjj",
    "..hhh..iii..jjj.",
    "a......b...c...a",
];

/// Rounded stones of several sizes.
pub fn cobblestone() -> Canvas {
    let shading = PlanShading { seed: 401, middle: 3.1, variety: 1.7, grain: 1.0 };
    shading.paint(&COBBLES, |_| &CUT)
}

/// The same cobbles with moss that grows out of the gaps.
pub fn mossy_cobblestone() -> Canvas {
    const MOSS: [u32; 5] = [0x3D5634, 0x4C6A39, 0x5D7D40, 0x709049, 0x87A356];
    let growth = Field::fractal(405, 3, 3).even();
    let near = Field::from_fn(|x, y| if near_gap(&COBBLES, x, y) { 0.3 } else { 0.0 });
    let moss = growth.plus(1.0, &near).levels(&[60.0, 12.0, 28.0]);
    let tuft = Field::clods(407).lit(0.4).levels(&[2.0, 4.0, 4.0, 2.0]);
    let mut canvas = cobblestone();
    for (x, y) in coordinates().filter(|&(x, y)| moss.at(x, y) > 0) {
        canvas.set(x, y, shade(&MOSS, moss.at(x, y) - 1 + tuft.at(x, y)));
    }
    canvas
}

/// Layout of courses of equal bricks.
struct Courses {
    seed: u32,
    /// Length of a brick with its joint.
    long: i32,
    /// Height of a brick with its joint.
    high: i32,
    /// Horizontal shift of every other course.
    shift: i32,
}

impl Courses {
    /// Paints the courses. `joint` has the lit and the shaded colour of joints. `palette` returns
    /// the shades of a brick for its random number from 0 to 1.
    fn paint(&self, joint: [u32; 2], palette: impl Fn(f32) -> Vec<u32>) -> Canvas {
        let grain = Field::noise(self.seed, 8, 8);
        Canvas::from_fn(|x, y| {
            let course = y / self.high;
            let along = (x + (course % 2) * self.shift).rem_euclid(16);
            let column = along % self.long;
            let row = y % self.high;
            if row == self.high - 1 || column == self.long - 1 {
                let falls = row == self.high - 1 && column != self.long - 1;
                return joint[usize::from(falls)];
            }
            let shades = palette(hash(self.seed + 1, course, along / self.long));
            let mut level = 2.2 + 1.3 * (grain.at(x, y) - 0.5);
            if row == 0 || column == 0 {
                level += 1.0;
            }
            if row == self.high - 2 || column == self.long - 2 {
                level -= 1.0;
            }
            shade(&shades, level.floor() as i32)
        })
    }
}

/// Large dressed blocks.
pub fn stone_bricks() -> Canvas {
    let courses = Courses { seed: 411, long: 8, high: 8, shift: 4 };
    courses.paint(
        [CUT[0], 0x454853],
        |own| if own > 0.5 { CUT[1..].to_vec() } else { CUT[2..].to_vec() },
    )
}

/// Fired bricks of three tones in pale mortar.
pub fn bricks() -> Canvas {
    const RED: [u32; 5] = [0x7E3F38, 0x934B3F, 0xA65848, 0xB46653, 0xC27862];
    const DARK: [u32; 5] = [0x6E3937, 0x83443D, 0x964F43, 0xA45C4C, 0xB26B59];
    const PALE: [u32; 5] = [0x8C4B3D, 0xA25844, 0xB4674E, 0xC2765A, 0xD08A6A];
    let courses = Courses { seed: 421, long: 8, high: 4, shift: 4 };
    courses.paint([0xBBAC9B, 0xA89A8D], |own| {
        match (own * 3.0) as i32 {
            0 => RED,
            1 => DARK,
            _ => PALE,
        }
        .to_vec()
    })
}
