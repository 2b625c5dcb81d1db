//! Ground in patterns: for shaping tools only its materials count, and shallow ground is not drawn by
//! itself.

use crate::edit::Pattern;
use crate::edit::console::error::CommandError;
use crate::edit::shaping::ShapingMaterials;
use crate::voxel::{Material, MaterialTable, Voxel};

/// Note on patterns with shallow ground.
const SHALLOW_GROUND: &str =
    "smooth ground below half a voxel (128) shows only beside fuller ground";

/// Refuses a pattern of new ground that has no ground, and one with parts that have no effect.
/// `word` is the pattern as it was typed.
///
/// # Errors
/// No voxel of the pattern is ground, or one is not full. Copied voxels may be partly filled,
/// because their occupancies were not typed.
pub fn check_ground(
    word: &str,
    pattern: &Pattern,
    materials: &ShapingMaterials,
) -> Result<(), CommandError> {
    if !pattern.may_put(|voxel| materials.is_ground(voxel)) {
        return Err(CommandError::NoGround(word.to_owned()));
    }
    let is_copied = matches!(pattern, Pattern::Tiles(_));
    if !is_copied && pattern.may_put(|voxel| !voxel.is_air() && !voxel.is_full()) {
        return Err(CommandError::OnlyMaterials(word.to_owned()));
    }
    Ok(())
}

/// Note for the player if a pattern puts shallow ground, which may not be drawn; `None` without any.
/// Copied ground was not typed, so it gets no note.
#[must_use]
pub fn shallow_ground_note(pattern: &Pattern, materials: &MaterialTable) -> Option<&'static str> {
    let is_shallow = |voxel: Voxel| {
        let material = materials.get(voxel.material());
        voxel.occupancy() < Voxel::HALF && material.is_some_and(Material::is_smooth)
    };
    let is_copied = matches!(pattern, Pattern::Tiles(_));
    (!is_copied && pattern.may_put(is_shallow)).then_some(SHALLOW_GROUND)
}
