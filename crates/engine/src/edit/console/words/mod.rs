//! Patterns, masks, coordinates, directions and numbers in commands.

mod context;
mod direction;
mod ground;
mod kinds;
mod mask;
mod material;
mod numbers;
mod parse;
mod pattern;
mod seeds;
mod shaped;
mod split;

pub(super) use context::Context;
pub(super) use direction::{DIRECTIONS, directions, one_direction};
pub(super) use mask::{MASKS, mask};
pub(super) use material::material;
pub(super) use numbers::{flat_radii, number, position, radii};
pub(super) use pattern::{PATTERNS, pattern};
pub(super) use shaped::family;
pub(super) use split::words;

pub use ground::{check_ground, shallow_ground_note};
pub use parse::{parse_mask, parse_pattern};
pub use seeds::{SeedUser, Seeds};
