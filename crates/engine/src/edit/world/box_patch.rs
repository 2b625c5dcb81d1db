//! Edits as data: boxes with their new voxels.

use crate::voxel::{Box3, ChunkPos, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;
use std::ops::Range;

/// A box with its new voxels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxPatch {
    area: Box3,
    runs: Vec<PatchRun>,
}

/// Equal voxels that follow each other in the box's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PatchRun {
    /// Index after the last voxel, in the box's order.
    end: u64,
    voxel: Voxel,
}

/// The runs of a patch have another length than its box.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a patch of {volume} voxels got runs of {given} voxels")]
pub struct PatchLengthError {
    /// Number of voxels in the box.
    pub volume: u64,
    /// Number of voxels in the runs.
    pub given: u64,
}

impl BoxPatch {
    /// Every voxel of `area` becomes `voxel`.
    #[must_use]
    pub fn fill(area: Box3, voxel: Voxel) -> BoxPatch {
        BoxPatch { area, runs: vec![PatchRun { end: u64::MAX, voxel }] }
    }

    /// The voxels of `area` become the voxels of `runs`, pairs of length and voxel: x fastest, then
    /// z, then y.
    ///
    /// # Errors
    /// The runs are shorter or longer than the box.
    pub fn from_runs(
        area: Box3,
        runs: impl IntoIterator<Item = (u64, Voxel)>,
    ) -> Result<BoxPatch, PatchLengthError> {
        let mut given = 0u64;
        let mut patch = BoxPatch { area, runs: Vec::new() };
        for (len, voxel) in runs.into_iter().filter(|(len, _)| *len > 0) {
            given = given.saturating_add(len);
            patch.runs.push(PatchRun { end: given, voxel });
        }
        let volume = area.volume();
        if given == volume { Ok(patch) } else { Err(PatchLengthError { volume, given }) }
    }

    /// The box.
    #[must_use]
    pub fn area(&self) -> Box3 {
        self.area
    }

    /// Changes the part of the box that lies in the chunk at `pos`.
    pub(super) fn apply_to(&self, pos: ChunkPos, chunk: &mut Chunk) {
        let part = self.area.intersection(pos.bounds());
        let ranges = (part.min.y..part.max.y).flat_map(|y| {
            (part.min.z..part.max.z)
                .flat_map(move |z| self.row(pos, IVec3::new(part.min.x, y, z), part.max.x))
        });
        chunk.set_ranges(ranges);
    }

    /// The patch from `first` to `end_x` along x, as ranges of the linear order of the chunk at
    /// `pos`.
    fn row(
        &self,
        pos: ChunkPos,
        first: IVec3,
        end_x: i32,
    ) -> impl Iterator<Item = (Range<usize>, Voxel)> + '_ {
        let in_chunk = linear_index(first - pos.origin());
        let in_box = self.index(first);
        let len = (end_x - first.x) as u64;
        let from_run = self.runs.partition_point(|run| run.end <= in_box);
        let mut done = 0;
        self.runs[from_run..].iter().map_while(move |run| {
            let start = done;
            done = len.min(run.end - in_box);
            (start < len).then(|| (in_chunk + start as usize..in_chunk + done as usize, run.voxel))
        })
    }

    /// Index of a voxel in the box's order. 0 for a box filled with one voxel, which may be too
    /// large for indices and has a single run.
    fn index(&self, at: IVec3) -> u64 {
        if self.runs.len() == 1 {
            return 0;
        }
        let size = self.area.size().as_u64vec3();
        let offset = (at - self.area.min).as_u64vec3();
        (offset.y * size.z + offset.z) * size.x + offset.x
    }
}

/// One edit: patches that are applied in their order, and undone and redone together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edit {
    /// The patches. Later ones overwrite earlier ones where they overlap.
    pub patches: Vec<BoxPatch>,
}

impl From<BoxPatch> for Edit {
    fn from(patch: BoxPatch) -> Edit {
        Edit { patches: vec![patch] }
    }
}
