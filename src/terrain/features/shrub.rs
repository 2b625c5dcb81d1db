//! The small ones: bushes, cacti, boulders, fallen logs.

use super::tree::{between, crown, direction};
use crate::terrain::noise::{hash, unit};
use crate::terrain::overlay::{Overlay, Rule};
use crate::terrain::palette::Palette;
use glam::{DVec3, IVec3};

pub(super) fn bush(p: &Palette, root: IVec3, seed: u64, overlay: &mut Overlay) {
    overlay.put(root, Rule::Anything, p.oak_log);
    let wide = 1.3 + unit(hash(seed, [1, 0, 0])) * 0.8;
    crown(p.oak_leaves, root, DVec3::new(wide, 1.3, wide), seed, overlay);
}

pub(super) fn cactus(p: &Palette, root: IVec3, seed: u64, overlay: &mut Overlay) {
    let height = between(seed, 0, 2, 6);
    for y in 0..height {
        overlay.put(root + IVec3::Y * y, Rule::Anything, p.cactus);
    }
    if height >= 4 {
        let arm = root + direction(seed, 1) + IVec3::Y * between(seed, 2, 1, height - 2);
        overlay.put(arm, Rule::Anything, p.cactus);
        overlay.put(arm + IVec3::Y, Rule::Anything, p.cactus);
    }
}

pub(super) fn boulder(p: &Palette, root: IVec3, seed: u64, overlay: &mut Overlay) {
    let size = |salt: i32| 1.0 + unit(hash(seed, [salt, 1, 0])) * 1.7;
    let radius = DVec3::new(size(0), size(1) * 0.8, size(2));
    let r = radius.ceil().as_ivec3();
    let mossy = hash(seed, [9, 9, 9]) % 3;
    for y in -r.y..=r.y {
        for z in -r.z..=r.z {
            for x in -r.x..=r.x {
                let at = IVec3::new(x, y, z);
                if (at.as_dvec3() / radius).length_squared() < 1.0 {
                    let moss = hash(seed, [x, y, z]) % 3 < mossy;
                    overlay.put(root + at, Rule::Anything, if moss { p.mossy_cobblestone } else { p.stone });
                }
            }
        }
    }
}

/// The voxels of the fallen log with this root and seed.
pub(super) fn log_places(root: IVec3, seed: u64) -> impl Iterator<Item = IVec3> {
    let way = direction(seed, 0);
    (0..between(seed, 1, 3, 6)).map(move |step| root + way * step)
}

pub(super) fn fallen_log(p: &Palette, root: IVec3, seed: u64, overlay: &mut Overlay) {
    for (step, at) in log_places(root, seed).enumerate() {
        overlay.put(at, Rule::Open, p.oak_log);
        if hash(seed, [step as i32, 2, 0]).is_multiple_of(4) {
            overlay.put(at + IVec3::Y, Rule::OpenLast, p.mushroom);
        }
    }
}
