//! Textures made of pieces in a hand-drawn plan: cobbles, pebbles, plates of bark.
//!
//! A plan is sixteen rows of sixteen letters. Texels with the same letter belong to one piece; a
//! dot is a gap. The light on the edges of each piece follows from the plan.

use super::canvas::{Canvas, index};
use super::field::{Field, hash, shade};

/// Sixteen rows of sixteen letters, which wrap at the edges.
pub type Plan = [&'static str; 16];

/// The letter of a texel.
pub fn piece(plan: &Plan, x: i32, y: i32) -> u8 {
    let index = index(x, y);
    plan[index / 16].as_bytes()[index % 16]
}

/// True for texels of a gap and texels next to one.
pub fn near_gap(plan: &Plan, x: i32, y: i32) -> bool {
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]
        .iter()
        .any(|(dx, dy)| piece(plan, x + dx, y + dy) == b'.')
}

/// Shading of a plan.
pub struct PlanShading {
    /// Seed of the tones of the pieces and of their grain.
    pub seed: u32,
    /// Level of a piece's middle.
    pub middle: f32,
    /// Difference of tone between the pieces, in levels.
    pub variety: f32,
    /// Strength of the grain, in levels.
    pub grain: f32,
}

impl PlanShading {
    /// Paints a plan. `palette` returns the shades of a piece for the piece's random number from 0
    /// to 1. Gaps have the darkest shades.
    pub fn paint<'a>(&self, plan: &Plan, palette: impl Fn(f32) -> &'a [u32]) -> Canvas {
        let grain = Field::clods(self.seed);
        Canvas::from_fn(|x, y| {
            let own = piece(plan, x, y);
            let shades = palette(hash(self.seed + 1, i32::from(own), 0));
            if own == b'.' {
                // Gap texels with a gap to the left and above are one level lighter.
                return shade(
                    palette(0.99),
                    i32::from(piece(plan, x - 1, y) == b'.' && piece(plan, x, y - 1) == b'.'),
                );
            }
            let edge = |dx: i32, dy: i32| f32::from(u8::from(piece(plan, x + dx, y + dy) != own));
            let light = (edge(-1, 0) + edge(0, -1)).min(1.0) - (edge(1, 0) + edge(0, 1)).min(1.0);
            let tone = self.variety * (hash(self.seed + 2, i32::from(own), 1) - 0.5);
            shade(
                shades,
                (self.middle + tone + light + self.grain * grain.at(x, y) + 0.5).floor() as i32,
            )
        })
    }
}
