//! Trees, cacti and boulders: things larger than a voxel that cross chunk borders.
//!
//! The land is divided into cells of 4x4 columns; each holds at most one feature, and whether, where and
//! which is a matter of a hash and of the column it stands on. A tile lists the features rooted in it; a
//! chunk draws those of the nine tiles around it, and keeps what falls inside. So neither chunk of a border
//! has to know the other, and a crown is whole whichever was made first.

mod shrub;
mod tree;

use super::land::Biome;
use super::noise::{hash, smooth, unit};
use super::overlay::Overlay;
use super::palette::Palette;
use super::surface::Surface;
use super::tile::{Column, Fluid};
use crate::voxel::Box3;
use glam::IVec3;

/// Columns along one side of a cell.
const CELL: i32 = 4;
/// No feature reaches further than this from its root, sideways.
pub(super) const REACH: i32 = 8;
/// Nor higher than this.
pub(super) const TALLEST: i32 = 26;
/// Nor deeper.
pub(super) const DEEPEST: i32 = 3;

/// What grows or lies somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Oak,
    GreatOak,
    Birch,
    Pine,
    /// A pine with snow on its branches.
    SnowyPine,
    /// A leaning tree with a flat crown, of dry grassland.
    Umbrella,
    Palm,
    Bush,
    Cactus,
    Boulder,
    FallenLog,
}

/// One feature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub(super) kind: Kind,
    /// The voxel on the ground that it stands in.
    pub(super) root: IVec3,
    /// Decides everything else about it.
    pub(super) seed: u64,
}

/// The features rooted in the tile at `tile` (in chunks) with these columns.
pub(super) fn rooted(p: &Palette, surface: &Surface, seed: u64, tile: [i32; 2], columns: &[Column]) -> Vec<Feature> {
    let mut features = Vec::new();
    for cell_z in 0..32 / CELL {
        for cell_x in 0..32 / CELL {
            let (wx, wz) = (tile[0] * 32 + cell_x * CELL, tile[1] * 32 + cell_z * CELL);
            let h = hash(seed ^ 0x7EE, [wx, 0, wz]);
            // Never on the cell's last row or column: trunks keep a gap.
            let (dx, dz) = ((h % 3) as i32, ((h >> 8) % 3) as i32);
            let column = &columns[((cell_x * CELL + dx) | (cell_z * CELL + dz) << 5) as usize];
            let root = IVec3::new(wx + dx, column.top, wz + dz);
            if column.fluid == Fluid::None
                && !column.open
                && let Some(kind) = choose(p, surface, column, root, hash(h, [3, 0, 0]))
            {
                let seed = hash(h, [4, 0, 0]);
                // A log lies on the ground along its whole length, as far as this tile knows the ground.
                let level = |at: IVec3| {
                    let (x, z) = (at.x - tile[0] * 32, at.z - tile[1] * 32);
                    (0..32).contains(&x) && (0..32).contains(&z) && columns[(x | z << 5) as usize].top == root.y
                };
                if kind != Kind::FallenLog || shrub::log_places(root, seed).all(level) {
                    features.push(Feature { kind, root, seed });
                }
            }
        }
    }
    features
}

/// What stands on `column`, if anything.
fn choose(p: &Palette, surface: &Surface, column: &Column, root: IVec3, h: u64) -> Option<Kind> {
    let (chance, pick) = (unit(h), unit(hash(h, [5, 0, 0])));
    let (x, z) = (f64::from(root.x), f64::from(root.z));
    let growth = || surface.growth.get(x, z);
    let bare = column.soil == 0;
    match column.biome {
        Biome::Forest => {
            let dense = smooth(-0.30, 0.12, growth());
            if bare || chance > 0.04 + 0.62 * dense {
                return (chance > 0.995).then_some(Kind::Boulder);
            }
            // Birches stand in groves.
            let birch = smooth(0.02, 0.22, surface.stands.get(x, z));
            Some(match pick {
                n if n < 0.07 => Kind::Bush,
                n if n < 0.085 => Kind::FallenLog,
                n if n < 0.20 && birch < 0.5 => Kind::GreatOak,
                n if n < 0.20 + 0.75 * birch => Kind::Birch,
                _ => Kind::Oak,
            })
        }
        Biome::Taiga | Biome::Tundra => {
            let snowy = column.biome == Biome::Tundra;
            let dense = smooth(-0.18, 0.22, growth()) * if snowy { 0.5 } else { 0.6 };
            let high = smooth(118.0, 70.0, f64::from(root.y));
            if bare || chance > dense * high {
                return (chance > 0.992).then_some(Kind::Boulder);
            }
            Some(match pick {
                n if n < 0.04 && !snowy => Kind::FallenLog,
                _ if snowy => Kind::SnowyPine,
                _ => Kind::Pine,
            })
        }
        Biome::Plains => {
            let copse = 0.5 * smooth(0.36, 0.52, growth());
            if bare || chance > 0.006 + copse {
                return (chance > 0.997).then_some(Kind::Boulder);
            }
            Some(if pick < 0.25 {
                Kind::Bush
            } else if pick < 0.4 {
                Kind::GreatOak
            } else {
                Kind::Oak
            })
        }
        Biome::Savanna if !bare && chance < 0.022 => Some(if pick < 0.25 { Kind::Bush } else { Kind::Umbrella }),
        Biome::Savanna => (chance > 0.997).then_some(Kind::Boulder),
        Biome::Desert if !bare && chance < 0.016 => Some(Kind::Cactus),
        Biome::Beach if !bare && root.y >= 1 && chance < 0.34 * smooth(-0.1, 0.3, growth()) + 0.02 => {
            is_warm_beach(p, column).then_some(Kind::Palm)
        }
        _ => None,
    }
}

/// Beaches carry sandstone under their sand where palms like the climate.
fn is_warm_beach(p: &Palette, column: &Column) -> bool {
    (column.surface, column.under) == (p.sand, p.sandstone)
}

/// Wishes every voxel of `feature` that lies in the chunk with the box `bounds`.
pub(super) fn draw(p: &Palette, feature: &Feature, bounds: Box3, overlay: &mut Overlay) {
    let reach = Box3 {
        min: feature.root - IVec3::new(REACH, DEEPEST, REACH),
        max: feature.root + IVec3::new(REACH + 1, TALLEST + 1, REACH + 1),
    };
    if reach.intersection(bounds).is_empty() {
        return;
    }
    let Feature { kind, root, seed } = *feature;
    match kind {
        Kind::Oak => tree::oak(p, root, seed, overlay),
        Kind::GreatOak => tree::great_oak(p, root, seed, overlay),
        Kind::Birch => tree::birch(p, root, seed, overlay),
        Kind::Pine => tree::pine(p, root, seed, false, overlay),
        Kind::SnowyPine => tree::pine(p, root, seed, true, overlay),
        Kind::Umbrella => tree::umbrella(p, root, seed, overlay),
        Kind::Palm => tree::palm(p, root, seed, overlay),
        Kind::Bush => shrub::bush(p, root, seed, overlay),
        Kind::Cactus => shrub::cactus(p, root, seed, overlay),
        Kind::Boulder => shrub::boulder(p, root, seed, overlay),
        Kind::FallenLog => shrub::fallen_log(p, root, seed, overlay),
    }
}
