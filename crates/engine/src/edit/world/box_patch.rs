//! Edits as data: boxes with their new voxels.

use crate::voxel::{Box3, ChunkPos, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;
use std::ops::Range;

/// A box and its new voxels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxPatch {
    area: Box3,
    runs: Vec<PatchRun>,
}

/// A run of equal voxels in the order of a box: x fastest, then z, then y.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PatchRun {
    /// Index after the run's last voxel, in the order of the box.
    end: u64,
    voxel: Voxel,
}

/// The runs of a patch do not have the volume of its box.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a patch of {volume} voxels got runs of {given} voxels")]
pub struct PatchLengthError {
    /// Number of voxels in the box.
    pub volume: u64,
    /// Number of voxels in the runs.
    pub given: u64,
}

impl BoxPatch {
    /// Patch that fills `area` with one voxel.
    #[must_use]
    pub fn fill(area: Box3, voxel: Voxel) -> BoxPatch {
        BoxPatch { area, runs: vec![PatchRun { end: u64::MAX, voxel }] }
    }

    /// Patch that sets the voxels of `area` from `runs`, pairs of length and voxel: x fastest, then
    /// z, then y.
    ///
    /// # Errors
    /// Fails if the runs have more or fewer voxels than the box.
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

    /// Box of the patch.
    #[must_use]
    pub fn area(&self) -> Box3 {
        self.area
    }

    /// Applies the part of the patch that lies in the chunk at `pos`.
    pub(super) fn apply_to(&self, pos: ChunkPos, chunk: &mut Chunk) {
        let part = self.area.intersection(pos.bounds());
        let ranges = (part.min.y..part.max.y).flat_map(|y| {
            (part.min.z..part.max.z)
                .flat_map(move |z| self.row(pos, IVec3::new(part.min.x, y, z), part.max.x))
        });
        chunk.set_ranges(ranges);
    }

    /// Part of the patch from `first` along x up to `end_x`, exclusive, as ranges of the linear
    /// order of the chunk at `pos`.
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

    /// Index of a voxel in the order of the box. Always 0 for a patch with a single run, whose box
    /// may be too large for indices.
    fn index(&self, at: IVec3) -> u64 {
        if self.runs.len() == 1 {
            return 0;
        }
        let size = self.area.size().as_u64vec3();
        let offset = (at - self.area.min).as_u64vec3();
        (offset.y * size.z + offset.z) * size.x + offset.x
    }
}

/// One edit: patches that are applied in order, and undone and redone together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edit {
    /// Patches. Where they overlap, later ones overwrite earlier ones.
    pub patches: Vec<BoxPatch>,
}

impl From<BoxPatch> for Edit {
    fn from(patch: BoxPatch) -> Edit {
        Edit { patches: vec![patch] }
    }
}
