//! Shafts: removal of chunks and sections that are proven hidden from a swept set.
//!
//! A sweep knows only a rectangle of each portal. Here the voxels themselves decide, for one target
//! after the other. All lines from the cell to the target run in *shafts*, the convex hulls of a
//! face of one and a face of the other. A shaft is followed through the planes between layers of
//! voxels and narrowed there: the open voxels of its cross-section have a smallest rectangle, and
//! both ends are cut down to the lines through that rectangle (Quake's portal clipping again, at
//! every plane and in both directions). If nothing is left, the shaft is blocked; if its middle
//! line is clear, the target is visible. Otherwise the shaft is split along its widest side and
//! both halves are decided (branch and bound in the space of lines). A target that is undecided
//! after a limited number of shafts counts as visible: the set may be too large, never too small.
//!
//! No line from the cell passes through a hidden chunk, so hidden chunks count as rock for the
//! targets behind them. Targets are therefore decided from near to far, and hidden chunks fuse with
//! the rock around them into larger occluders (Schaufler et al., "Conservative volumetric
//! visibility with occluder fusion", 2000).

mod effort;
mod grain;
mod layer_rows;
mod occlusion;
mod search;
mod shaft;

#[cfg(test)]
mod tests;

pub(crate) use effort::Effort;
pub(crate) use grain::Grain;

use super::cell::Cell;
use super::occlusion_grid::OcclusionGrid;
use crate::voxel::ChunkPos;
use search::ShaftSearch;

/// Narrows `chunks`, one bit per chunk slot, to the chunks that are not proven hidden from a cell
/// of the chunk at `centre`. `chunks` must contain everything that can be seen.
#[must_use]
pub fn refine(
    occlusion: &OcclusionGrid,
    centre: ChunkPos,
    cell: &Cell,
    chunks: &[u64],
) -> Vec<u64> {
    refine_to(occlusion, centre, cell, chunks, Grain::Chunks, Effort::FULL)
}

/// Narrows `candidates`, one bit per chunk or section, to the members that are not proven hidden
/// from a cell of the chunk at `centre` within the limits of `effort`. `candidates` must contain
/// everything that can be seen.
pub(crate) fn refine_to(
    occlusion: &OcclusionGrid,
    centre: ChunkPos,
    cell: &Cell,
    candidates: &[u64],
    grain: Grain,
    effort: Effort,
) -> Vec<u64> {
    ShaftSearch::run(occlusion, centre, cell, candidates, grain, effort).into_visible()
}
