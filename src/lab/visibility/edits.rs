//! Edits around a viewer, and rays between them: what is seen must be in the sets at every moment.
//!
//! Voxels are dug where a ray ends and put where it was just before, which opens and closes views, and turned here and there
//! around the viewer, mostly in rock. Half of the edits put an earlier one back. After each few the set is swept anew, and now and then refined,
//! and rays are cast: half of them through what has just changed.

use super::judge::{Judge, Missed, Sets};
use super::random::{below, direction, point};
use super::scene::Scene;
use crate::lab::input::Random;
use crate::visibility::Sweeper;
use glam::IVec3;

/// Edits between two sweeps.
const BATCH: u64 = 10;
/// Every so many-th of these sets is refined too, and the last one.
const REFINED: u64 = 8;
/// How far from the viewer voxels are turned, in voxels.
const REACH: i32 = 40;

/// Makes so many edits, and casts so many rays between them; what these find missing.
pub fn judge_edits(scene: &mut Scene, sweeper: &mut Sweeper, random: &mut Random, edits: u64, rays: u64) -> Missed {
    let mut missed = Missed::default();
    let mut turned = Vec::new();
    let batches = edits.div_ceil(BATCH);
    for batch in 0..batches {
        let count = BATCH.min(edits - batch * BATCH);
        let changes: Vec<_> = (0..count).filter_map(|_| next(scene, random, &mut turned)).collect();
        scene.edit(&changes);
        let Some(cell) = scene.cell() else { continue };
        // To refine takes a hundred times as long as all else.
        let sets = if batch.is_multiple_of(REFINED) || batch + 1 == batches {
            Sets::of(scene, &cell, sweeper)
        } else {
            Sets::swept(scene, &cell, sweeper)
        };
        let mut judge = Judge::new(scene, &cell, &sets, random);
        let rays = rays * (batch + 1) / batches - rays * batch / batches;
        for ray in 0..rays {
            match (ray % 4, changes.get(ray as usize / 4 % changes.len().max(1))) {
                (0 | 1, Some((at, _))) => judge.ray_to_voxel(*at),
                (2, _) => judge.ray_into_view(),
                _ => judge.ray_anywhere(),
            }
        }
        missed.add(judge.verdict().1);
    }
    missed
}

/// The next edit: a voxel, and whether it hides from now on. `turned` are those that are not as they were, each once.
fn next(scene: &Scene, random: &mut Random, turned: &mut Vec<IVec3>) -> Option<(IVec3, bool)> {
    let at = match below(random, 4) {
        0 | 1 if !turned.is_empty() => turned[below(random, turned.len())],
        0..=2 => {
            let from = point(random, scene.viewer(), 1);
            let hit = scene.trace(from, direction(random), &mut Vec::new())?;
            if random.draw() >> 63 == 0 { hit.at } else { hit.before }
        }
        _ => scene.viewer() + IVec3::from_array([0; 3].map(|_| below(random, 2 * REACH as usize) as i32 - REACH)),
    };
    if at == scene.viewer() {
        return None;
    }
    let hides = scene.hides(at)?;
    match turned.iter().position(|other| *other == at) {
        Some(index) => drop(turned.swap_remove(index)),
        None => turned.push(at),
    }
    Some((at, !hides))
}
