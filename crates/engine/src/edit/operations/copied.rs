//! Copy, cut, paste, stack and move: methods of the voxel API that use clipboards.

use super::move_voxels::MoveVoxels;
use super::{Paste, PasteOptions};
use crate::edit::clipboard::Clipboard;
use crate::edit::region::Region;
use crate::edit::{ChunkSource as _, EditError, Fill, MAX_CHUNKS, Mask, Pattern, VoxelEdit};
use crate::voxel::{ChunkPos, Voxel};
use crate::world::Chunk;
use glam::IVec3;

impl VoxelEdit<'_> {
    /// Copies the voxels of a region that a mask accepts. `origin` is the voxel that a paste will
    /// put at its target. The clipboard shares chunks with the world.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled.
    pub fn copy(
        &self,
        region: &Region,
        mask: &Mask,
        origin: IVec3,
    ) -> Result<Clipboard, EditError> {
        if *mask == Mask::Any && region.chunks().all(ChunkPos::in_world) {
            let chunks: Vec<ChunkPos> = region.chunks().collect();
            let copied = self.progress().map(&chunks, |&pos| Ok((pos, self.chunk(pos)?)))?;
            return Ok(Clipboard::new(copied, region.clone(), origin));
        }
        let chunks: Vec<ChunkPos> = region.chunks().filter(|pos| pos.in_world()).collect();
        let copied = self.progress().map(&chunks, |&pos| {
            let chunk = self.chunk(pos)?;
            let mut inside = Chunk::uniform(Voxel::AIR);
            let ranges = mask.ranges(region, pos, &chunk, self)?;
            inside.set_ranges(ranges.into_iter().map(|range| (range, Region::INSIDE)));
            Ok((pos, chunk, inside))
        })?;
        let region =
            Region::from_chunks(copied.iter().map(|(pos, _, inside)| (*pos, inside.clone())));
        Ok(Clipboard::new(copied.into_iter().map(|(pos, chunk, _)| (pos, chunk)), region, origin))
    }

    /// Copies the voxels of a region that a mask accepts, and replaces them by the pattern `left`.
    /// Returns the clipboard and the number of changed voxels.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::copy`]. The edit is then unchanged.
    pub fn cut(
        &mut self,
        region: &Region,
        mask: &Mask,
        origin: IVec3,
        left: &Pattern,
    ) -> Result<(Clipboard, u64), EditError> {
        let clipboard = self.copy(region, mask, origin)?;
        let voxels = self.fill(clipboard.region(), &Mask::Any, left)?;
        Ok((clipboard, voxels))
    }

    /// Pastes a clipboard with its origin at `target`. Leaves out voxels outside the world. Returns
    /// the number of changed voxels.
    ///
    /// # Errors
    /// The result lies in too many chunks, a chunk cannot be read, or the job was cancelled. The
    /// edit is then unchanged.
    pub fn paste(
        &mut self,
        clipboard: &Clipboard,
        target: IVec3,
        options: &PasteOptions,
    ) -> Result<u64, EditError> {
        self.apply(&Paste::new(clipboard.clone(), [target], options.clone())?)
    }

    /// Repeats the voxels of a region that a mask accepts `times` times, each copy moved by `by`
    /// from the previous one. With `by` equal to a side of the region's box, along one axis, copies
    /// lie next to each other. Where copies overlap, later ones win. Returns the number of changed
    /// voxels.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::paste`].
    pub fn stack(
        &mut self,
        region: &Region,
        mask: &Mask,
        by: IVec3,
        times: u32,
        options: &PasteOptions,
    ) -> Result<u64, EditError> {
        // Checked before copying. Each copy lies in at least one chunk.
        if u64::from(times) > MAX_CHUNKS {
            return Err(EditError::TooLarge);
        }
        let clipboard = self.copy(region, mask, IVec3::ZERO)?;
        // An offset that overflows leads out of the world, so all later copies do, too.
        let moves = (1..=i64::from(times)).map_while(|n| IVec3::try_from(by.as_i64vec3() * n).ok());
        self.apply(&Paste::with_moves(clipboard, moves, options.clone())?)
    }

    /// Moves the voxels of a region that a mask accepts by `by`, and fills their former positions
    /// with the pattern `left`. Source and target may overlap. Returns the number of changed
    /// voxels.
    ///
    /// # Errors
    /// The errors of [`VoxelEdit::paste`].
    pub(crate) fn move_region(
        &mut self,
        region: &Region,
        mask: &Mask,
        by: IVec3,
        left: &Pattern,
        options: &PasteOptions,
    ) -> Result<u64, EditError> {
        let clipboard = self.copy(region, mask, IVec3::ZERO)?;
        let fill =
            Fill { region: clipboard.region().clone(), mask: Mask::Any, pattern: left.clone() };
        let paste = Paste::with_moves(clipboard, [by], options.clone())?;
        self.apply(&MoveVoxels { fill, paste })
    }
}
