//! Shaping tools: brushes and region operations that move the surface of the ground by less than a
//! voxel.
//!
//! All tools work on the *fill* of voxels in 256ths: `occupancy + 1` for ground, 0 for air, plants
//! and liquids. Ground is solid matter except trunks, crowns of trees and models (torches and other
//! shapes that are no cubes); those are *fixed*: they count as 0 and never change. All arithmetic
//! is in whole numbers, and a pass computes every voxel from the fills before it, so results are
//! equal on every machine and in every order.
//!
//! A surface is a ramp one voxel wide: the fill of a column is 256 up to the surface, less than 256
//! in one voxel, and 0 above. Tools keep it so ([0034]).
//!
//! - [`Shaping`]: tool, strength, mask and material; [`ShapingTool`] defines the result of each.
//! - [`ShapingArea`]: a region, or a [`ShapingBrush`] at a place or along a line.
//! - [`VoxelEdit::shape`]: carries out one pass. A stroke is a pass at each of its places
//!   ([`VoxelEdit::shape_stroke`]), and all passes of an edit are one undo step.
//!
//! A voxel that is no ground and gains matter becomes the pattern's material, or the material of
//! the nearest ground within three voxels. Matter replaces plants and liquids. A voxel that loses
//! all matter becomes air. Plants on the ground then follow it, whatever the mask is.
//!
//! [0034]: https://github.com/stonerun/stonerun/blob/main/docs/decisions/0034-filtering-occupancy.md

mod approach;
mod area;
mod brush;
mod dust;
mod fill_window;
mod kernel;
mod level_noise;
mod materials;
mod new_matter;
mod paint;
mod pass;
mod plane;
mod plants;
mod slide;
mod smoothing;
mod surface_moves;
mod tool;
mod weights;

pub use area::ShapingArea;
pub use brush::{BrushShape, MAX_SHAPING_RADIUS, ShapingBrush, stroke_centres};
pub use materials::ShapingMaterials;
pub use plane::{FlattenSide, ShapingPlane};
pub use tool::{MAX_SMOOTHING_REACH, Shaping, ShapingTool};

use crate::edit::{EditError, Mask, Operation, VoxelEdit};
use crate::history::ChunkChange;
use glam::IVec3;
use paint::PaintPass;
use pass::SurfacePass;
use plants::{ChunksBefore, PlantsFollow};
use rayon::prelude::*;
use slide::{SLIDE_DIRECTIONS, SlidePass};

impl VoxelEdit<'_> {
    /// Carries out one pass of a shaping tool in an area. Returns the number of changed voxels,
    /// which counts a voxel again for each part of the pass that changes it.
    ///
    /// # Errors
    /// The box around a brush is too large, a chunk cannot be read, or the job was cancelled.
    pub fn shape(&mut self, shaping: &Shaping, area: &ShapingArea) -> Result<u64, EditError> {
        let mask = self.mask().clone();
        self.set_mask(mask.clone().and(shaping.mask.clone()));
        let changed = self.shape_masked(shaping, area);
        self.set_mask(mask);
        changed
    }

    /// Carries out one pass of a shaping tool at each centre of a brush's stroke, one after
    /// another. Returns the number of changed voxels, counted as in [`VoxelEdit::shape`].
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::shape`].
    pub fn shape_stroke(
        &mut self,
        shaping: &Shaping,
        brush: ShapingBrush,
        centres: &[IVec3],
    ) -> Result<u64, EditError> {
        let mut changed = 0;
        for &centre in centres {
            changed += self.shape(shaping, &ShapingArea::dab(brush, centre))?;
        }
        Ok(changed)
    }

    /// One pass, with the mask of the edit in place.
    fn shape_masked(&mut self, shaping: &Shaping, area: &ShapingArea) -> Result<u64, EditError> {
        let area = area.prepared(shaping.strength);
        area.check()?;
        match &shaping.tool {
            ShapingTool::Paint { seed } => {
                let operation = PaintPass { shaping, area: &area, seed: *seed };
                self.apply(&operation)
            }
            ShapingTool::Weather | ShapingTool::Melt => {
                let mask = self.mask().clone();
                let mut before = ChunksBefore::default();
                let mut changed = 0;
                for direction in SLIDE_DIRECTIONS {
                    let pass = SlidePass { shaping, area: &area, mask: &mask, direction };
                    changed += self.pass(&pass, &mut before)?;
                }
                Ok(changed + self.move_plants(shaping, before)?)
            }
            _ => {
                let fallback = new_matter::fallback(self, shaping, &area)?;
                let mut before = ChunksBefore::default();
                let changed =
                    self.pass(&SurfacePass { shaping, area: &area, fallback }, &mut before)?;
                Ok(changed + self.move_plants(shaping, before)?)
            }
        }
    }

    /// Carries out a part of a pass. Returns the number of changed voxels, and adds the chunks
    /// before their first change.
    fn pass(&mut self, pass: &dyn Operation, before: &mut ChunksBefore) -> Result<u64, EditError> {
        let changes = self.changed_by(pass)?;
        let changed = changes.par_iter().map(ChunkChange::volume).sum();
        for ChunkChange { pos, before: chunk, .. } in changes {
            before.entry(pos).or_insert(chunk);
        }
        Ok(changed)
    }

    /// Lets plants follow the ground after a pass, whatever the mask is. Returns the number of
    /// voxels that they change.
    fn move_plants(&mut self, shaping: &Shaping, before: ChunksBefore) -> Result<u64, EditError> {
        let mask = self.mask().clone();
        self.set_mask(Mask::Any);
        let moved = self.apply(&PlantsFollow { materials: &shaping.materials, before });
        self.set_mask(mask);
        moved
    }
}

#[cfg(test)]
mod tests;
