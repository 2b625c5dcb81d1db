//! Materials of new matter.

use super::area::PreparedArea;
use super::fill_window::{ChunksAround, FillWindow, HALO};
use super::materials::ShapingMaterials;
use super::tool::{Shaping, ShapingTool};
use crate::edit::{EditError, VoxelEdit};
use crate::voxel::{ChunkPos, MaterialId};
use glam::IVec3;
use std::sync::LazyLock;

/// Maximum squared distance of the ground that new matter takes its material from: the corner of
/// the box that the widest smoothing covers.
const MAX_SQUARED_DISTANCE: i32 = 12;
/// Maximum depth below the middle of an area at which ground is looked for.
const MAX_DEPTH: i32 = 256;

/// Offsets of voxels from the nearest to the farthest; equally near ones by y, z and x.
static NEAREST: LazyLock<Vec<IVec3>> = LazyLock::new(|| {
    let range = -HALO..=HALO;
    let mut offsets = Vec::new();
    for y in range.clone() {
        for z in range.clone() {
            offsets.extend(range.clone().map(|x| IVec3::new(x, y, z)));
        }
    }
    offsets.retain(|offset| (1..=MAX_SQUARED_DISTANCE).contains(&offset.length_squared()));
    // Stable, so the order above decides between equally near ones.
    offsets.sort_by_key(|offset| offset.length_squared());
    offsets
});

/// Source of the materials of new matter in a chunk.
pub(super) struct MatterSource<'a> {
    pub shaping: &'a Shaping,
    pub around: &'a ChunksAround,
    pub window: &'a FillWindow,
    /// Material where no ground is near.
    pub fallback: MaterialId,
}

impl MatterSource<'_> {
    /// Material of new matter at an offset from the chunk's origin.
    pub fn material(&self, pos: ChunkPos, offset: IVec3) -> MaterialId {
        if let Some(material) = pattern_ground(self.shaping, pos.origin() + offset) {
            return material;
        }
        let nearest = NEAREST.iter().find(|&&by| self.window.fill(offset + by) > 0);
        nearest.map_or(self.fallback, |&by| self.around.voxel(offset + by).material())
    }
}

/// Material of the pattern at a position, if there is a pattern and its voxel is ground.
pub(super) fn pattern_ground(shaping: &Shaping, at: IVec3) -> Option<MaterialId> {
    let voxel = shaping.matter.as_ref()?.at(at);
    shaping.materials.is_ground(voxel).then(|| voxel.material())
}

/// Material of new matter that has no ground near it: the highest ground below the middle of the
/// area, or the default of the map's materials.
///
/// # Errors
/// A chunk cannot be read.
pub(super) fn fallback(
    edit: &VoxelEdit<'_>,
    shaping: &Shaping,
    area: &PreparedArea,
) -> Result<MaterialId, EditError> {
    let materials: &ShapingMaterials = &shaping.materials;
    let adds = matches!(
        shaping.tool,
        ShapingTool::Add | ShapingTool::Flatten { .. } | ShapingTool::Slope { .. }
    );
    if let Some(bounds) = area.bounds().filter(|_| adds) {
        let middle = bounds.min + bounds.size() / 2;
        for depth in 0..MAX_DEPTH {
            let voxel = edit.voxel(middle.with_y(middle.y.saturating_sub(depth)))?;
            if materials.is_ground(voxel) {
                return Ok(voxel.material());
            }
        }
    }
    Ok(materials.default_ground())
}
