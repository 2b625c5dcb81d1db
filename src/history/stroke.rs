//! A stroke: single voxels changed one after another that become one step.

use super::EditStep;
use super::chunk_patch;
use crate::voxel::{Box3, ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The changes of an open stroke.
///
/// It holds each chunk as it was before the stroke, so it stays exact when chunks are unloaded.
#[derive(Clone, Debug, Default)]
pub(super) struct Stroke {
    parts: Vec<StrokePart>,
    /// Index of a chunk's part.
    index_of: FxHashMap<ChunkPos, usize>,
    memory_bytes: usize,
    /// True if the history's last step holds the stroke as it was at the last save.
    pub recorded: bool,
    /// True if the stroke has changes that its recorded step does not hold.
    pub changed: bool,
}

/// The part of a stroke in one chunk.
#[derive(Clone, Debug)]
struct StrokePart {
    pos: ChunkPos,
    /// Box around the changed voxels, in voxels of the world.
    area: Box3,
    before: Chunk,
    /// Changed voxels in their order: index in the chunk, and new value.
    voxels: Vec<(u16, Voxel)>,
}

impl Stroke {
    /// Adds the change of one voxel. `chunk` is its chunk before the change.
    pub fn add(&mut self, at: IVec3, chunk: &Chunk, voxel: Voxel) {
        let (pos, area) = (ChunkPos::containing(at), Box3 { min: at, max: at + 1 });
        let index = *self.index_of.entry(pos).or_insert_with(|| {
            self.memory_bytes += size_of::<StrokePart>() + chunk.heap_bytes();
            self.parts.push(StrokePart { pos, area, before: chunk.clone(), voxels: Vec::new() });
            self.parts.len() - 1
        });
        let part = &mut self.parts[index];
        part.area = Box3 { min: part.area.min.min(area.min), max: part.area.max.max(area.max) };
        part.voxels.push((linear_index(local(at)) as u16, voxel));
        self.memory_bytes += size_of::<(u16, Voxel)>();
        self.changed = true;
    }

    /// Approximate memory in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// The stroke as one step; `None` if every voxel is as it was before.
    pub fn to_step(&self) -> Option<EditStep> {
        let mut bytes = Vec::new();
        for StrokePart { pos, area, before, voxels } in &self.parts {
            let mut after = before.clone();
            for &(index, voxel) in voxels {
                after.set(usize::from(index), voxel);
            }
            chunk_patch::write(&mut bytes, *pos, *area, before, &after);
        }
        EditStep::from_written(bytes)
    }
}
