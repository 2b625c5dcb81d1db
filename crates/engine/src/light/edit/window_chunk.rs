//! Chunks around an edit, before and after it.

use super::super::{ChunkLight, DifferentSides, LightLevels};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use glam::IVec3;

/// A chunk of the world around an edit.
#[derive(Clone, Copy)]
pub(in super::super) enum WindowChunk<'a> {
    /// Not loaded: no light comes from there.
    Unknown,
    /// Not loaded; the open sky, which shines down.
    Sky,
    /// A chunk and its light.
    Loaded(&'a RunTree, &'a ChunkLight),
}

impl WindowChunk<'_> {
    /// A voxel of the chunk.
    pub fn voxel(self, at: IVec3) -> Option<Voxel> {
        if let WindowChunk::Loaded(chunk, _) = self { Some(chunk.get(linear_index(local(at)))) } else { None }
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

/// A chunk with other light.
pub(in super::super) struct EditedLight {
    pub pos: ChunkPos,
    pub light: ChunkLight,
    /// Sides at which the light may differ.
    pub sides: DifferentSides,
}
