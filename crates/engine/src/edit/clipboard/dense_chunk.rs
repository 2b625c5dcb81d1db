//! A chunk as an array of voxels, for moves that break up runs.

use crate::voxel::{CHUNK_VOLUME, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;

/// The voxels of a chunk in linear order. At four bytes per voxel they fit the second-level cache.
pub(super) struct DenseChunk(Box<[Voxel; CHUNK_VOLUME]>);

impl DenseChunk {
    /// Chunk filled with one voxel.
    pub(super) fn filled(voxel: Voxel) -> DenseChunk {
        // Allocated as a vector, so that the array never lies on the stack.
        let voxels = vec![voxel; CHUNK_VOLUME].into_boxed_slice();
        DenseChunk(voxels.try_into().expect("the vector has the volume of a chunk"))
    }

    /// The voxels, in linear order.
    pub(super) fn voxels_mut(&mut self) -> &mut [Voxel; CHUNK_VOLUME] {
        &mut self.0
    }

    /// Copies the voxels `low..high` of another chunk, except air, to the box whose lowest corner
    /// is `to`.
    pub(super) fn copy_matter(&mut self, from: &Chunk, low: IVec3, high: IVec3, to: IVec3) {
        let values: Vec<Voxel> = from.values().collect();
        let [rows, xs] = [low.z as usize..high.z as usize, low.x as usize..high.x as usize];
        let layers = linear_index(IVec3::new(0, low.y, 0))..linear_index(IVec3::new(0, high.y, 0));
        let first = linear_index(low);
        let target = linear_index(to);
        from.for_each_coded(layers, |start, end, code| {
            let voxel = values[code];
            if voxel.is_air() {
                return;
            }
            for row in (start / 32..=(end - 1) / 32).filter(|row| rows.contains(&(row % 32))) {
                let from_x = xs.start.max(start.saturating_sub(row * 32));
                let to_x = xs.end.min(end - row * 32);
                if from_x < to_x {
                    let at = row * 32 + from_x + target - first;
                    self.0[at..at + to_x - from_x].fill(voxel);
                }
            }
        });
    }

    /// Converts the chunk to runs.
    pub(super) fn to_chunk(&self) -> Chunk {
        Chunk::from_voxels(&self.0)
    }
}
