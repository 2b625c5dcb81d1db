//! Ores: short crooked veins, each started by the hash of a cell.
//!
//! A vein stays within [`REACH`] voxels of its start, so a chunk finds every vein that reaches into
//! it by searching that margin.

use super::caves::WORLD_FLOOR;
use super::feature_overlay::{FeatureOverlay, PlacementRule};
use super::noise::{hash, unit};
use super::palette::TerrainPalette;
use crate::voxel::{Box3, Voxel};
use glam::IVec3;
use std::ops::Range;

/// Side of a cell in voxels; at most one vein starts in each cell.
const CELL: i32 = 8;
/// Maximum distance of a vein from its start, per axis.
const REACH: i32 = 3;

/// Distribution of an ore.
struct Deposit {
    ore: fn(&TerrainPalette) -> Voxel,
    /// Probability per cell.
    probability: f64,
    /// Heights of the cells with this ore.
    heights: Range<i32>,
}

const DEPOSITS: [Deposit; 5] = [
    Deposit { ore: |p| p.coal_ore, probability: 0.075, heights: -90..180 },
    Deposit { ore: |p| p.copper_ore, probability: 0.05, heights: -70..70 },
    Deposit { ore: |p| p.iron_ore, probability: 0.06, heights: -140..90 },
    Deposit { ore: |p| p.gold_ore, probability: 0.03, heights: -160..-50 },
    Deposit { ore: |p| p.crystal_ore, probability: 0.02, heights: -160..-80 },
];

/// Places all veins that reach into the chunk with these bounds. With `everywhere` the height does
/// not matter: the caverns have ores at all heights, also below the floor of other worlds.
pub(super) fn veins(
    p: &TerrainPalette,
    seed: u64,
    bounds: Box3,
    everywhere: bool,
    overlay: &mut FeatureOverlay,
) {
    let first = (bounds.min - REACH).div_euclid(IVec3::splat(CELL));
    let last = (bounds.max + REACH - 1).div_euclid(IVec3::splat(CELL));
    for y in first.y..=last.y {
        for z in first.z..=last.z {
            for x in first.x..=last.x {
                let h = hash(seed ^ 0x0E5, [x, y, z]);
                let Some(ore) = deposit(unit(h), y * CELL, everywhere) else { continue };
                let floor = if everywhere { i32::MIN } else { WORLD_FLOOR };
                vein(ore(p), hash(h, [1, 0, 0]), IVec3::new(x, y, z) * CELL, floor, overlay);
            }
        }
    }
}

/// The ore of a cell at height `y` with the random number `chance`.
fn deposit(chance: f64, y: i32, everywhere: bool) -> Option<fn(&TerrainPalette) -> Voxel> {
    let mut sum = 0.0;
    for deposit in &DEPOSITS {
        if everywhere || deposit.heights.contains(&y) {
            sum += deposit.probability;
            if chance < sum {
                return Some(deposit.ore);
            }
        }
    }
    None
}

/// Places a vein of 3 to 10 steps from a start inside the cell at `cell`, but nothing below the
/// height `floor`.
fn vein(ore: Voxel, mut h: u64, cell: IVec3, floor: i32, overlay: &mut FeatureOverlay) {
    let start = cell + IVec3::new(h as i32 & 7, (h >> 3) as i32 & 7, (h >> 6) as i32 & 7);
    let steps = 3 + (h >> 9) % 8;
    let mut offset = IVec3::ZERO;
    for _ in 0..steps {
        if start.y + offset.y >= floor {
            overlay.put(start + offset, PlacementRule::Rock, ore);
        }
        h = hash(h, [2, 0, 0]);
        let step = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z]
            [(h % 6) as usize];
        offset = (offset + step).clamp(IVec3::splat(-REACH), IVec3::splat(REACH));
    }
}
