//! Textures made of pieces that are laid out by hand: cobbles, pebbles, plates of bark.
//!
//! A plan is sixteen rows of sixteen letters. Texels of one letter belong to one piece, a dot is a gap. The
//! light on a piece's edges follows from the plan.

use super::canvas::{Canvas, index};
use super::field::{Field, hash, shade};

/// Sixteen rows of sixteen letters, which wrap around.
pub type Plan = [&'static str; 16];

/// The letter at a texel.
pub fn piece(plan: &Plan, x: i32, y: i32) -> u8 {
    let place = index(x, y);
    plan[place / 16].as_bytes()[place % 16]
}

/// True for texels of a gap and those next to one.
pub fn near_gap(plan: &Plan, x: i32, y: i32) -> bool {
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|(dx, dy)| piece(plan, x + dx, y + dy) == b'.')
}

/// How a plan is shaded.
pub struct Laid {
    /// For the tones of the pieces and the grain on them.
    pub seed: u32,
    /// The level of the middle of a piece.
    pub middle: f32,
    /// How much the pieces differ from each other.
    pub variety: f32,
    /// How much grain is on them.
    pub grain: f32,
}

impl Laid {
    /// Paints a plan. `palette` says the shades of a piece by its own number from 0 to 1; the darkest shade
    /// is that of the gaps.
    pub fn paint<'a>(&self, plan: &Plan, palette: impl Fn(f32) -> &'a [u32]) -> Canvas {
        let grain = Field::clods(self.seed);
        Canvas::from_fn(|x, y| {
            let own = piece(plan, x, y);
            let shades = palette(hash(self.seed + 1, i32::from(own), 0));
            if own == b'.' {
                // Gaps under the lit side of a piece are a little lighter.
                return shade(palette(0.99), i32::from(piece(plan, x - 1, y) == b'.' && piece(plan, x, y - 1) == b'.'));
            }
            let edge = |dx: i32, dy: i32| f32::from(u8::from(piece(plan, x + dx, y + dy) != own));
            let light = (edge(-1, 0) + edge(0, -1)).min(1.0) - (edge(1, 0) + edge(0, 1)).min(1.0);
            let tone = self.variety * (hash(self.seed + 2, i32::from(own), 1) - 0.5);
            shade(shades, (self.middle + tone + light + self.grain * grain.at(x, y) + 0.5).floor() as i32)
        })
    }
}
