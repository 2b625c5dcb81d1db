//! The virtual array, a hash map of dense chunks of 32^3: the 0fps text's second store, and
//! Roblox's first.

use super::{Store, histogram, row_faces};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, linear_index, local};
use stonerun_engine::world::ChunkTable;

type Dense = [VoxelId; CHUNK_VOLUME];

/// Dense chunks in a hash map. Chunks of only air are missing.
pub struct VirtualArray {
    chunks: ChunkTable<Box<Dense>>,
}

/// Content of every row of a missing chunk.
const AIR_ROW: [VoxelId; 32] = [0; 32];

impl Store for VirtualArray {
    const NAME: &str = "virtual array";

    fn build(input: &NumberedWorld) -> Option<VirtualArray> {
        let chunks = input
            .world
            .chunks()
            .filter_map(|(pos, _)| Some((pos, input.dense_chunk(pos)?)))
            .collect();
        Some(VirtualArray { chunks })
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.chunks.get(ChunkPos::containing(at)).map_or(0, |chunk| chunk[linear_index(local(at))])
    }

    #[inline]
    fn set(&mut self, at: IVec3, id: VoxelId) {
        if let Some(chunk) = self.chunks.get_mut(ChunkPos::containing(at)) {
            chunk[linear_index(local(at))] = id;
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        for chunk in self.chunks.values() {
            histogram::count_blocks(&chunk[..], counts);
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        for (pos, chunk) in self.chunks.iter() {
            let neighbour =
                |x, y, z| self.chunks.get(pos.offset(IVec3::new(x, y, z))).map(|chunk| &**chunk);
            let [west, east] = [neighbour(-1, 0, 0), neighbour(1, 0, 0)];
            let [below, above] = [neighbour(0, -1, 0), neighbour(0, 1, 0)];
            let [north, south] = [neighbour(0, 0, -1), neighbour(0, 0, 1)];
            // A row of this chunk, or of the neighbour that contains it.
            let row = |y: i32, z: i32| -> &[VoxelId] {
                let of = match (y, z) {
                    (-1, _) => below,
                    (32, _) => above,
                    (_, -1) => north,
                    (_, 32) => south,
                    _ => Some(&**chunk),
                };
                of.map_or(&AIR_ROW, |chunk| {
                    &chunk[linear_index(local(IVec3::new(0, y, z)))..][..32]
                })
            };
            for (y, z) in (0..32).flat_map(|y| (0..32).map(move |z| (y, z))) {
                let at = (y << 10 | z << 5) as usize;
                let ends = [west.map_or(0, |c| c[at + 31]), east.map_or(0, |c| c[at])];
                row_faces::count_row(
                    row(y, z),
                    ends,
                    [row(y - 1, z), row(y + 1, z), row(y, z - 1), row(y, z + 1)],
                    counts,
                );
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        self.chunks.len() * size_of::<Dense>() + self.chunks.heap_bytes()
    }
}
