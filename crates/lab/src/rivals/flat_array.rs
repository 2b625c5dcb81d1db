//! The flat array, the 0fps text's first store: the IDs of all voxels of a box in one array.

use super::{Store, histogram, row_faces};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use stonerun_engine::voxel::Box3;

/// A box of IDs in linear order: x fastest, then z, then y.
pub struct FlatArray {
    bounds: Box3,
    size: IVec3,
    ids: Vec<VoxelId>,
}

impl FlatArray {
    /// Maximum size of the array, in bytes.
    const MAX_BYTES: u64 = 4 << 30;

    #[inline]
    fn index(&self, at: IVec3) -> Option<usize> {
        let by = at - self.bounds.min;
        // Negative coordinates become large, so that one comparison checks both ends.
        let inside = by.as_uvec3().cmplt(self.size.as_uvec3()).all();
        inside.then(|| {
            (by.y as usize * self.size.z as usize + by.z as usize) * self.size.x as usize
                + by.x as usize
        })
    }
}

impl Store for FlatArray {
    const NAME: &str = "flat array";

    fn build(input: &NumberedWorld) -> Option<FlatArray> {
        if input.volume() * size_of::<VoxelId>() as u64 > FlatArray::MAX_BYTES {
            return None;
        }
        let bounds = input.bounds;
        let size = input.bounds.size();
        let mut flat = FlatArray { bounds, size, ids: vec![0; input.volume() as usize] };
        for (pos, _) in input.world.chunks() {
            let dense = input.dense_chunk(pos)?;
            for (row, ids) in dense.chunks_exact(32).enumerate() {
                let at = pos.origin() + IVec3::new(0, row as i32 / 32, row as i32 % 32);
                let at = flat.index(at)?;
                flat.ids[at..at + 32].copy_from_slice(ids);
            }
        }
        Some(flat)
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.index(at).map_or(0, |i| self.ids[i])
    }

    #[inline]
    fn set(&mut self, at: IVec3, id: VoxelId) {
        if let Some(i) = self.index(at) {
            self.ids[i] = id;
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        histogram::count_blocks(&self.ids, counts);
    }

    /// Counts in the order of the array: of the five rows that a row needs, all but one were read
    /// shortly before.
    fn count_faces(&self, counts: &mut [u64]) {
        let [width, rows, layer] =
            [self.size.x, self.size.z, self.size.x * self.size.z].map(|n| n as usize);
        let air = vec![0; width];
        let row = |y: usize, z: usize| &self.ids[y * layer + z * width..][..width];
        let layers = self.size.y as usize;
        for y in 0..layers {
            for z in 0..rows {
                let adjacent = [
                    if y > 0 { row(y - 1, z) } else { &air },
                    if y + 1 < layers { row(y + 1, z) } else { &air },
                    if z > 0 { row(y, z - 1) } else { &air },
                    if z + 1 < rows { row(y, z + 1) } else { &air },
                ];
                row_faces::count_row(row(y, z), [0, 0], adjacent, counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        self.ids.capacity() * size_of::<VoxelId>()
    }
}
