//! The flat array: one number a voxel, in one piece. The 0fps text's first store.

use super::{Store, faces, histogram};
use crate::lab::input::{Input, Value};
use crate::voxel::Box3;
use glam::IVec3;

/// x fastest, then z, then y.
pub struct Flat {
    bounds: Box3,
    size: IVec3,
    values: Vec<Value>,
}

impl Flat {
    /// The most bytes that are asked for.
    const MOST: u64 = 4 << 30;

    #[inline]
    fn index(&self, at: IVec3) -> Option<usize> {
        let by = at - self.bounds.min;
        // Unsigned, so that one comparison covers both ends.
        let inside = by.as_uvec3().cmplt(self.size.as_uvec3()).all();
        inside.then(|| (by.y as usize * self.size.z as usize + by.z as usize) * self.size.x as usize + by.x as usize)
    }
}

impl Store for Flat {
    const NAME: &str = "flat array";

    fn build(input: &Input) -> Option<Flat> {
        if input.voxels() * size_of::<Value>() as u64 > Flat::MOST {
            return None;
        }
        let (bounds, size) = (input.bounds, input.bounds.size());
        let mut flat = Flat { bounds, size, values: vec![0; input.voxels() as usize] };
        for (pos, _) in input.world.chunks() {
            let dense = input.dense(pos)?;
            for (row, values) in dense.chunks_exact(32).enumerate() {
                let at = pos.origin() + IVec3::new(0, row as i32 / 32, row as i32 % 32);
                let at = flat.index(at)?;
                flat.values[at..at + 32].copy_from_slice(values);
            }
        }
        Some(flat)
    }

    #[inline]
    fn get(&self, at: IVec3) -> Value {
        self.index(at).map_or(0, |i| self.values[i])
    }

    #[inline]
    fn set(&mut self, at: IVec3, value: Value) {
        if let Some(i) = self.index(at) {
            self.values[i] = value;
        }
    }

    fn count_values(&self, counts: &mut [u64]) {
        histogram::count_alike(&self.values, counts);
    }

    /// In the array's order: of the five rows that a row needs, all but one were read a moment ago.
    fn count_faces(&self, counts: &mut [u64]) {
        let [width, rows, layer] = [self.size.x, self.size.z, self.size.x * self.size.z].map(|n| n as usize);
        let air = vec![0; width];
        let row = |y: usize, z: usize| &self.values[y * layer + z * width..][..width];
        let layers = self.size.y as usize;
        for y in 0..layers {
            for z in 0..rows {
                let beside = [
                    if y > 0 { row(y - 1, z) } else { &air },
                    if y + 1 < layers { row(y + 1, z) } else { &air },
                    if z > 0 { row(y, z - 1) } else { &air },
                    if z + 1 < rows { row(y, z + 1) } else { &air },
                ];
                faces::of_row(row(y, z), [0, 0], beside, counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        self.values.capacity() * size_of::<Value>()
    }
}
