//! Ores: short crooked veins, each started by a hash of its cell.
//!
//! A vein never leaves the cells next to its own, so a chunk finds every vein that reaches into it by
//! looking one vein's length around itself.

use super::caves::FOOT;
use super::noise::{hash, unit};
use super::overlay::{Overlay, Rule};
use super::palette::Palette;
use crate::voxel::{Box3, Voxel};
use glam::IVec3;

/// Side of a cell; at most one vein starts in each.
const CELL: i32 = 8;
/// A vein goes no further than this from its start.
const REACH: i32 = 3;

/// Which ore, how likely, between which heights.
type Deposit = (fn(&Palette) -> Voxel, f64, i32, i32);
const DEPOSITS: [Deposit; 5] = [
    (|p| p.coal_ore, 0.075, -90, 180),
    (|p| p.copper_ore, 0.05, -70, 70),
    (|p| p.iron_ore, 0.06, -140, 90),
    (|p| p.gold_ore, 0.03, -160, -50),
    (|p| p.crystal_ore, 0.02, -160, -80),
];

/// Wishes all veins that touch the chunk's box `bounds`. With `everywhere` height does not matter: the
/// caverns have ores at all heights.
pub(super) fn veins(p: &Palette, seed: u64, bounds: Box3, everywhere: bool, overlay: &mut Overlay) {
    let first = (bounds.min - REACH).div_euclid(IVec3::splat(CELL));
    let last = (bounds.max + REACH - 1).div_euclid(IVec3::splat(CELL));
    for y in first.y..=last.y {
        for z in first.z..=last.z {
            for x in first.x..=last.x {
                let h = hash(seed ^ 0x0E5, [x, y, z]);
                let Some(ore) = deposit(unit(h), y * CELL, everywhere) else { continue };
                vein(ore(p), hash(h, [1, 0, 0]), IVec3::new(x, y, z) * CELL, overlay);
            }
        }
    }
}

/// The ore of a cell at height `y` whose number is `chance`.
fn deposit(chance: f64, y: i32, everywhere: bool) -> Option<fn(&Palette) -> Voxel> {
    let mut sum = 0.0;
    for (ore, likely, low, high) in DEPOSITS {
        if everywhere || (low..high).contains(&y) {
            sum += likely;
            if chance < sum {
                return Some(ore);
            }
        }
    }
    None
}

/// Walks a vein of 3 to 10 voxels from a start inside the cell at `cell`.
fn vein(ore: Voxel, mut h: u64, cell: IVec3, overlay: &mut Overlay) {
    let start = cell + IVec3::new(h as i32 & 7, (h >> 3) as i32 & 7, (h >> 6) as i32 & 7);
    let steps = 3 + (h >> 9) % 8;
    let mut offset = IVec3::ZERO;
    for _ in 0..steps {
        if start.y + offset.y >= FOOT {
            overlay.put(start + offset, Rule::Rock, ore);
        }
        h = hash(h, [2, 0, 0]);
        let step = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z][(h % 6) as usize];
        offset = (offset + step).clamp(IVec3::splat(-REACH), IVec3::splat(REACH));
    }
}
