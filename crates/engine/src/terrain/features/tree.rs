//! Shapes of trees.
//!
//! A tree depends only on its root and its seed. Crowns are ellipsoids whose rim is roughened by a
//! hash of the voxel's position in the tree, so no two look alike.

use crate::terrain::feature_overlay::{FeatureOverlay, PlacementRule};
use crate::terrain::noise::{hash, unit};
use crate::terrain::palette::TerrainPalette;
use crate::voxel::Voxel;
use glam::{DVec3, IVec3};

/// A random number from `low` to `high`, inclusive.
pub(super) fn between(seed: u64, salt: i32, low: i32, high: i32) -> i32 {
    low + (hash(seed, [salt, 8, 0]) % (high - low + 1) as u64) as i32
}

/// One of the four horizontal directions.
pub(super) fn direction(seed: u64, salt: i32) -> IVec3 {
    [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z][between(seed, salt, 0, 3) as usize]
}

/// Places an upright trunk that starts one voxel below ground, so it never floats above a hollow.
fn trunk(log: Voxel, root: IVec3, height: i32, overlay: &mut FeatureOverlay) {
    for y in -1..height {
        overlay.put(root + IVec3::Y * y, PlacementRule::Anything, log);
    }
}

/// Places an ellipsoid of leaves with semi-axes `radius`.
pub(super) fn crown(
    leaves: Voxel,
    middle: IVec3,
    radius: DVec3,
    seed: u64,
    overlay: &mut FeatureOverlay,
) {
    let r = radius.ceil().as_ivec3();
    for y in -r.y..=r.y {
        for z in -r.z..=r.z {
            for x in -r.x..=r.x {
                let at = IVec3::new(x, y, z);
                let d = (at.as_dvec3() / radius).length_squared();
                if d < 0.72 || (d < 1.12 && unit(hash(seed, [x, y, z])) < 0.62) {
                    overlay.put(middle + at, PlacementRule::Open, leaves);
                }
            }
        }
    }
}

pub(super) fn oak(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 4, 7);
    trunk(p.oak_log, root, height, overlay);
    let wide = 2.3 + unit(hash(seed, [1, 0, 0])) * 0.9;
    crown(p.oak_leaves, root + IVec3::Y * height, DVec3::new(wide, 2.3, wide), seed, overlay);
}

pub(super) fn great_oak(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 8, 12);
    trunk(p.oak_log, root, height, overlay);
    for side in [IVec3::X, IVec3::Z, IVec3::NEG_X, IVec3::NEG_Z] {
        // About two of three sides have roots.
        if !hash(seed, [side.x, 9, side.z]).is_multiple_of(3) {
            overlay.put(root + side, PlacementRule::Anything, p.oak_log);
            overlay.put(root + side - IVec3::Y, PlacementRule::Anything, p.oak_log);
        }
    }
    crown(p.oak_leaves, root + IVec3::Y * height, DVec3::new(3.6, 2.8, 3.6), seed, overlay);
    for (branch, side) in [IVec3::X, IVec3::Z, IVec3::NEG_X, IVec3::NEG_Z].into_iter().enumerate() {
        let branch = branch as i32;
        let long = between(seed, 20 + branch, 2, 4);
        let low = between(seed, 30 + branch, 2, 5);
        let start = root + IVec3::Y * (height - low);
        for step in 1..=long {
            overlay.put(
                start + side * step + IVec3::Y * (step / 2),
                PlacementRule::Anything,
                p.oak_log,
            );
        }
        let end = start + side * long + IVec3::Y * (long / 2 + 1);
        crown(p.oak_leaves, end, DVec3::new(2.5, 1.7, 2.5), hash(seed, [branch, 10, 0]), overlay);
    }
}

pub(super) fn birch(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 6, 10);
    trunk(p.birch_log, root, height, overlay);
    crown(p.birch_leaves, root + IVec3::Y * (height - 1), DVec3::new(2.1, 3.4, 2.1), seed, overlay);
}

pub(super) fn pine(
    p: &TerrainPalette,
    root: IVec3,
    seed: u64,
    snowy: bool,
    overlay: &mut FeatureOverlay,
) {
    let height = between(seed, 0, 8, 19);
    trunk(p.pine_log, root, height, overlay);
    let bare = between(seed, 1, 1, 3);
    let snow = Voxel::new(p.snow.material(), 63);
    let widest = 1.7 + f64::from(height) * 0.12;
    for y in bare..=height + 1 {
        let up = f64::from(y - bare) / f64::from(height + 1 - bare);
        // Whorls: every other layer is narrower.
        let radius = (widest * (1.0 - up) * if (height - y) % 2 == 0 { 1.0 } else { 0.62 })
            .max(if y < height { 1.0 } else { 0.3 });
        let whorl = whorl(radius, |x, z| unit(hash(seed, [x, y, z])) < 0.86);
        let r = radius.ceil() as i32;
        for z in -r..=r {
            for x in -r..=r {
                if whorl[(z + MAX_WHORL) as usize] >> (x + MAX_WHORL) & 1 == 1 {
                    let at = root + IVec3::new(x, y, z);
                    overlay.put(at, PlacementRule::Open, p.pine_leaves);
                    if snowy {
                        overlay.put(at + IVec3::Y, PlacementRule::OpenLast, snow);
                    }
                }
            }
        }
    }
}

/// Largest radius of a whorl.
const MAX_WHORL: i32 = 5;

/// Rows of bits along z, with a bit for each x.
type WhorlRows = [u32; 2 * MAX_WHORL as usize + 1];

/// The leaves of a layer of a pine: a disc, roughened by `keeps`. Leaves that nothing joins to the
/// trunk would decay, so they are left out.
fn whorl(radius: f64, keeps: impl Fn(i32, i32) -> bool) -> WhorlRows {
    let r = (radius.ceil() as i32).min(MAX_WHORL);
    let mut kept = WhorlRows::default();
    let mut joined = WhorlRows::default();
    for z in -r..=r {
        for x in -r..=r {
            let d = f64::from(x * x + z * z);
            let row = (z + MAX_WHORL) as usize;
            let bit = 1 << (x + MAX_WHORL);
            if d <= radius * radius && (d < 1.5 || keeps(x, z)) {
                kept[row] |= bit;
                joined[row] |= if d < 1.5 { bit } else { 0 };
            }
        }
    }
    for _ in 0..r {
        let wide = joined.map(|row| row | row << 1 | row >> 1);
        for (row, bits) in joined.iter_mut().enumerate() {
            let around = &wide[row.saturating_sub(1)..(row + 2).min(wide.len())];
            *bits = kept[row] & around.iter().fold(0, |all, row| all | row);
        }
    }
    joined
}

pub(super) fn umbrella(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 4, 7);
    let lean = direction(seed, 1);
    let mut at = root - IVec3::Y;
    for y in 0..=height {
        overlay.put(at, PlacementRule::Anything, p.oak_log);
        if y >= 3 && y % 2 == 1 {
            at += lean;
            overlay.put(at, PlacementRule::Anything, p.oak_log);
        }
        at += IVec3::Y;
    }
    crown(p.oak_leaves, at, DVec3::new(4.3, 0.7, 4.3), seed, overlay);
    crown(p.oak_leaves, at + IVec3::Y, DVec3::new(2.6, 0.7, 2.6), seed, overlay);
}

pub(super) fn palm(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 6, 10);
    let lean = direction(seed, 1);
    let bow = between(seed, 2, 1, 3);
    let mut at = root - IVec3::Y;
    overlay.put(at, PlacementRule::Anything, p.palm_log);
    for y in 0..height {
        at = root + IVec3::Y * y + lean * (bow * y * y / (height * height));
        overlay.put(at, PlacementRule::Anything, p.palm_log);
    }
    at += IVec3::Y;
    overlay.put(at, PlacementRule::Open, p.palm_leaves);
    for z in -1..=1 {
        for x in -1..=1 {
            let out = IVec3::new(x, 0, z);
            if out == IVec3::ZERO {
                continue;
            }
            // Straight fronds are longer than diagonal ones; all droop at the end.
            let long = if x * z == 0 { between(seed, 3 + x + 3 * z, 3, 4) } else { 2 };
            for step in 1..=long {
                let droop = if step == long { -1 } else { 0 };
                overlay.put(at + out * step + IVec3::Y * droop, PlacementRule::Open, p.palm_leaves);
            }
        }
    }
}
