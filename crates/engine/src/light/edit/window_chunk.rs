//! Chunks around an edit, before and after it.

use super::super::{ChunkLight, DifferentSides, LightLevels};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use glam::IVec3;

/// A chunk of the world around an edit.
#[derive(Clone, Copy)]
pub(in super::super) enum WindowChunk<'a> {
    /// A chunk that is not loaded, from which no light comes.
    Unknown,
    /// Open sky, which shines down. Not loaded.
    Sky,
    /// A chunk and its light.
    Loaded(&'a RunTree, &'a ChunkLight),
}

impl WindowChunk<'_> {
    /// A voxel of the chunk; `None` if it is not loaded.
    pub fn voxel(self, at: IVec3) -> Option<Voxel> {
        if let WindowChunk::Loaded(chunk, _) = self {
            Some(chunk.get(linear_index(local(at))))
        } else {
            None
        }
    }

    /// The light of a voxel of the chunk.
    pub fn light(self, at: IVec3) -> LightLevels {
        match self {
            WindowChunk::Unknown => LightLevels::DARK,
            WindowChunk::Sky => LightLevels::SUNLIT,
            WindowChunk::Loaded(_, light) => light.get(linear_index(local(at))),
        }
    }
}

/// A chunk whose light an edit has changed.
pub(in super::super) struct EditedLight {
    pub pos: ChunkPos,
    pub light: ChunkLight,
    /// Sides at which the light may differ.
    pub sides: DifferentSides,
}
