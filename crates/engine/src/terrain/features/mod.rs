//! Features: trees, cacti and boulders, which may cross chunk borders.
//!
//! The land is divided into cells of 4x4 columns with at most one feature each. The presence,
//! position and kind of a feature depend on a hash and on the column below. A tile lists the
//! features rooted in it. A chunk places the features of the nine tiles around it and keeps the
//! voxels inside. So neighbouring chunks are independent, and a crown is complete in any order of
//! generation.

mod shrub;
mod tree;

use super::feature_overlay::FeatureOverlay;
use super::land_sample::Biome;
use super::noise::{hash, smooth, unit};
use super::palette::TerrainPalette;
use super::plants::GrowthNoise;
use super::terrain_column::{Fluid, TerrainColumn, column_index};
use crate::voxel::{Box3, CHUNK_SIDE};
use glam::IVec3;

/// Side of a cell, in columns.
const CELL: i32 = 4;
/// Maximum horizontal extent of a feature from its root.
pub(super) const REACH: i32 = 8;
/// Maximum extent above the root.
pub(super) const TALLEST: i32 = 26;
/// Maximum extent below the root.
pub(super) const DEEPEST: i32 = 3;

/// Kind of feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FeatureKind {
    Oak,
    GreatOak,
    Birch,
    Pine,
    /// A pine with snow on its branches.
    SnowyPine,
    /// A leaning tree of dry grassland with a flat crown.
    Umbrella,
    Palm,
    Bush,
    Cactus,
    Boulder,
    FallenLog,
}

/// A feature at its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub(super) kind: FeatureKind,
    /// The lowest voxel above the ground.
    pub(super) root: IVec3,
    /// Seed of the feature's shape.
    pub(super) seed: u64,
}

/// The features rooted in the tile at `tile` (in chunks) with these columns.
pub(super) fn in_tile(
    p: &TerrainPalette,
    noise: &GrowthNoise,
    seed: u64,
    tile: [i32; 2],
    columns: &[TerrainColumn],
) -> Vec<Feature> {
    let mut features = Vec::new();
    for cell_z in 0..CHUNK_SIDE / CELL {
        for cell_x in 0..CHUNK_SIDE / CELL {
            let wx = tile[0] * CHUNK_SIDE + cell_x * CELL;
            let wz = tile[1] * CHUNK_SIDE + cell_z * CELL;
            let h = hash(seed ^ 0x7EE, [wx, 0, wz]);
            // Never on the last row or column of the cell, so trunks keep a gap.
            let dx = (h % 3) as i32;
            let dz = ((h >> 8) % 3) as i32;
            let column = &columns[column_index(cell_x * CELL + dx, cell_z * CELL + dz)];
            let root = IVec3::new(wx + dx, column.stand(p), wz + dz);
            if column.fluid == Fluid::None
                && !column.cave_mouth
                && let Some(kind) = choose(p, noise, column, root, hash(h, [3, 0, 0]))
            {
                let seed = hash(h, [4, 0, 0]);
                // A log must lie on level ground along its whole length, inside this tile.
                let level = |at: IVec3| {
                    let x = at.x - tile[0] * CHUNK_SIDE;
                    let z = at.z - tile[1] * CHUNK_SIDE;
                    let inside = (0..CHUNK_SIDE).contains(&x) && (0..CHUNK_SIDE).contains(&z);
                    inside && columns[column_index(x, z)].stand(p) == root.y
                };
                if kind != FeatureKind::FallenLog || shrub::log_voxels(root, seed).all(level) {
                    features.push(Feature { kind, root, seed });
                }
            }
        }
    }
    features
}

/// The kind of feature on `column`, if any.
fn choose(
    p: &TerrainPalette,
    noise: &GrowthNoise,
    column: &TerrainColumn,
    root: IVec3,
    h: u64,
) -> Option<FeatureKind> {
    let chance = unit(h);
    let pick = unit(hash(h, [5, 0, 0]));
    let x = f64::from(root.x);
    let z = f64::from(root.z);
    let growth = || noise.density.get(x, z);
    let bare = column.soil_depth == 0;
    match column.biome {
        Biome::Forest => {
            let dense = smooth(-0.30, 0.12, growth());
            if bare || chance > 0.04 + 0.62 * dense {
                return (chance > 0.995).then_some(FeatureKind::Boulder);
            }
            // Birches grow in groves.
            let birch = smooth(0.02, 0.22, noise.stands.get(x, z));
            Some(match pick {
                n if n < 0.07 => FeatureKind::Bush,
                n if n < 0.085 => FeatureKind::FallenLog,
                n if n < 0.20 && birch < 0.5 => FeatureKind::GreatOak,
                n if n < 0.20 + 0.75 * birch => FeatureKind::Birch,
                _ => FeatureKind::Oak,
            })
        }
        Biome::Taiga | Biome::Tundra => {
            let snowy = column.biome == Biome::Tundra;
            let dense = smooth(-0.18, 0.22, growth()) * if snowy { 0.5 } else { 0.6 };
            let high = smooth(118.0, 70.0, f64::from(root.y));
            if bare || chance > dense * high {
                return (chance > 0.992).then_some(FeatureKind::Boulder);
            }
            Some(match pick {
                n if n < 0.04 && !snowy => FeatureKind::FallenLog,
                _ if snowy => FeatureKind::SnowyPine,
                _ => FeatureKind::Pine,
            })
        }
        Biome::Plains => {
            let copse = 0.5 * smooth(0.36, 0.52, growth());
            if bare || chance > 0.006 + copse {
                return (chance > 0.997).then_some(FeatureKind::Boulder);
            }
            Some(if pick < 0.25 {
                FeatureKind::Bush
            } else if pick < 0.4 {
                FeatureKind::GreatOak
            } else {
                FeatureKind::Oak
            })
        }
        Biome::Savanna if !bare && chance < 0.022 => {
            Some(if pick < 0.25 { FeatureKind::Bush } else { FeatureKind::Umbrella })
        }
        Biome::Savanna => (chance > 0.997).then_some(FeatureKind::Boulder),
        Biome::Desert if !bare && chance < 0.016 => Some(FeatureKind::Cactus),
        Biome::Beach
            if !bare && root.y >= 1 && chance < 0.34 * smooth(-0.1, 0.3, growth()) + 0.02 =>
        {
            is_warm_beach(p, column).then_some(FeatureKind::Palm)
        }
        _ => None,
    }
}

/// True for a warm beach, which has sandstone below its sand.
fn is_warm_beach(p: &TerrainPalette, column: &TerrainColumn) -> bool {
    (column.top_soil, column.subsoil) == (p.sand, p.sandstone)
}

/// Places the voxels of `feature` that lie in the chunk with these bounds.
pub(super) fn place(
    p: &TerrainPalette,
    feature: &Feature,
    bounds: Box3,
    overlay: &mut FeatureOverlay,
) {
    let reach = Box3 {
        min: feature.root - IVec3::new(REACH, DEEPEST, REACH),
        max: feature.root + IVec3::new(REACH + 1, TALLEST + 1, REACH + 1),
    };
    if reach.intersection(bounds).is_empty() {
        return;
    }
    let Feature { kind, root, seed } = *feature;
    match kind {
        FeatureKind::Oak => tree::oak(p, root, seed, overlay),
        FeatureKind::GreatOak => tree::great_oak(p, root, seed, overlay),
        FeatureKind::Birch => tree::birch(p, root, seed, overlay),
        FeatureKind::Pine => tree::pine(p, root, seed, false, overlay),
        FeatureKind::SnowyPine => tree::pine(p, root, seed, true, overlay),
        FeatureKind::Umbrella => tree::umbrella(p, root, seed, overlay),
        FeatureKind::Palm => tree::palm(p, root, seed, overlay),
        FeatureKind::Bush => shrub::bush(p, root, seed, overlay),
        FeatureKind::Cactus => shrub::cactus(p, root, seed, overlay),
        FeatureKind::Boulder => shrub::boulder(p, root, seed, overlay),
        FeatureKind::FallenLog => shrub::fallen_log(p, root, seed, overlay),
    }
}
