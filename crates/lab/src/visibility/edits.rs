//! Edits around a viewer, with rays between them: the visible sets must be complete at every
//! moment.
//!
//! Some edits remove the voxel that a ray hits, or fill the voxel just before it, which opens and
//! closes views; others toggle voxels around the viewer, mostly in rock. Half of the edits revert
//! an earlier one. After each batch the set is swept again, sometimes refined, and rays are cast;
//! half of them aim at the edited voxels.

use super::computed_sets::{ComputedSets, Misses};
use super::random::{below, direction, point};
use super::ray_scene::{OccluderEdit, RayScene};
use super::ray_verifier::RayVerifier;
use crate::input::Random;
use glam::IVec3;
use stonerun_engine::visibility::Sweeper;

/// Number of edits between two sweeps.
const EDITS_PER_BATCH: u64 = 10;
/// Number of batches from one whose sets are refined to the next. The last batch always refines.
const REFINE_INTERVAL: u64 = 8;
/// Maximum distance from the viewer of toggled voxels, in voxels.
const TOGGLE_REACH: i32 = 40;

/// Makes `edits` edits and casts `rays` rays between them; returns the misses that the rays found.
pub fn verify_edits(
    scene: &mut RayScene,
    sweeper: &mut Sweeper,
    random: &mut Random,
    edits: u64,
    rays: u64,
) -> Misses {
    let mut misses = Misses::default();
    let mut toggled = Vec::new();
    let batches = edits.div_ceil(EDITS_PER_BATCH);
    for batch in 0..batches {
        let count = EDITS_PER_BATCH.min(edits - batch * EDITS_PER_BATCH);
        let changes: Vec<_> =
            (0..count).filter_map(|_| next_edit(scene, random, &mut toggled)).collect();
        scene.edit(&changes);
        let Some(cell) = scene.cell() else { continue };
        // Not in every batch, because refining takes a hundred times as long as everything else.
        let sets = if batch.is_multiple_of(REFINE_INTERVAL) || batch + 1 == batches {
            ComputedSets::refined(scene, &cell, sweeper)
        } else {
            ComputedSets::swept(scene, &cell, sweeper)
        };
        let mut verifier = RayVerifier::new(scene, &cell, &sets, random);
        let rays = rays * (batch + 1) / batches - rays * batch / batches;
        for ray in 0..rays {
            match (ray % 4, changes.get(ray as usize / 4 % changes.len().max(1))) {
                (0 | 1, Some(edit)) => verifier.cast_at_voxel(edit.voxel),
                (2, _) => verifier.cast_into_view(),
                _ => verifier.cast_anywhere(),
            }
        }
        misses.add(verifier.finish().1);
    }
    misses
}

/// Chooses the next edit; `None` if the choice meets no voxel that may be edited. `toggled` lists,
/// once each, the voxels that differ from their original state.
fn next_edit(
    scene: &RayScene,
    random: &mut Random,
    toggled: &mut Vec<IVec3>,
) -> Option<OccluderEdit> {
    let voxel = match below(random, 4) {
        0 | 1 if !toggled.is_empty() => toggled[below(random, toggled.len())],
        0..=2 => {
            let from = point(random, scene.viewer(), 1);
            let hit = scene.trace(from, direction(random), &mut Vec::new())?;
            if random.draw() >> 63 == 0 { hit.voxel } else { hit.before }
        }
        _ => {
            let offset =
                [0; 3].map(|_| below(random, 2 * TOGGLE_REACH as usize) as i32 - TOGGLE_REACH);
            scene.viewer() + IVec3::from_array(offset)
        }
    };
    if voxel == scene.viewer() {
        return None;
    }
    let hides = scene.hides(voxel)?;
    match toggled.iter().position(|other| *other == voxel) {
        Some(index) => drop(toggled.swap_remove(index)),
        None => toggled.push(voxel),
    }
    Some(OccluderEdit { voxel, hides: !hides })
}
