//! Small features: bushes, cacti, boulders and fallen logs.

use super::tree::{between, crown, direction};
use crate::terrain::feature_overlay::{FeatureOverlay, PlacementRule};
use crate::terrain::fractions::with_density;
use crate::terrain::noise::{hash, unit};
use crate::terrain::palette::TerrainPalette;
use glam::{DVec3, IVec3};

pub(super) fn bush(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    overlay.put(root, PlacementRule::Anything, p.oak_log);
    let wide = 1.3 + unit(hash(seed, [1, 0, 0])) * 0.8;
    crown(p.oak_leaves, root, DVec3::new(wide, 1.3, wide), seed, overlay);
}

pub(super) fn cactus(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let height = between(seed, 0, 2, 6);
    for y in 0..height {
        overlay.put(root + IVec3::Y * y, PlacementRule::Anything, p.cactus);
    }
    if height >= 4 {
        let arm = root + direction(seed, 1) + IVec3::Y * between(seed, 2, 1, height - 2);
        overlay.put(arm, PlacementRule::Anything, p.cactus);
        overlay.put(arm + IVec3::Y, PlacementRule::Anything, p.cactus);
    }
}

pub(super) fn boulder(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let size = |salt: i32| 1.0 + unit(hash(seed, [salt, 1, 0])) * 1.7;
    let radius = DVec3::new(size(0), size(1) * 0.8, size(2));
    let r = radius.ceil().as_ivec3();
    let mossy = hash(seed, [9, 9, 9]) % 3;
    for y in -r.y..=r.y {
        for z in -r.z..=r.z {
            for x in -r.x..=r.x {
                let at = IVec3::new(x, y, z);
                let density = match &p.fractions {
                    Some(fractions) => fractions.density(depth_in_ellipsoid(at, radius)),
                    None if (at.as_dvec3() / radius).length_squared() < 1.0 => u8::MAX,
                    None => 0,
                };
                if density > 0 {
                    let moss = hash(seed, [x, y, z]) % 3 < mossy;
                    let rock = if moss { p.mossy_cobblestone } else { p.stone };
                    let voxel = with_density(rock.material(), density);
                    overlay.put(root + at, PlacementRule::Anything, voxel);
                }
            }
        }
    }
}

/// Depth of a point in an ellipsoid around the origin, along the axis nearest to the normal.
fn depth_in_ellipsoid(at: IVec3, radius: DVec3) -> f32 {
    let at = at.as_dvec3();
    let distance = (at / radius).length();
    // In the centre, which has no normal, the depth is the quotient of 1 and a very small number.
    let change = (at / (radius * radius)).abs().max_element() / distance.max(1e-9);
    ((1.0 - distance) / change.max(1e-9)) as f32
}

/// The voxels of the fallen log with this root and seed.
pub(super) fn log_voxels(root: IVec3, seed: u64) -> impl Iterator<Item = IVec3> {
    let along = direction(seed, 0);
    (0..between(seed, 1, 3, 6)).map(move |step| root + along * step)
}

pub(super) fn fallen_log(p: &TerrainPalette, root: IVec3, seed: u64, overlay: &mut FeatureOverlay) {
    let rule = if p.fractions.is_some() { PlacementRule::OpenOrFilm } else { PlacementRule::Open };
    for (step, at) in log_voxels(root, seed).enumerate() {
        overlay.put(at, rule, p.oak_log);
        overlay.cover_grass(at - IVec3::Y);
        if hash(seed, [step as i32, 2, 0]).is_multiple_of(4) {
            overlay.put(at + IVec3::Y, PlacementRule::OpenLast, p.mushroom);
        }
    }
}
