//! Bounds of the matter in a chunk, for `stonerun info` and importers.

use super::Chunk;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, linear_offset};
use glam::IVec3;

/// Smallest box, in world coordinates, that contains every voxel of the chunk at `pos` that is not
/// air; `None` if the chunk is all air. Costs one walk over its runs.
#[must_use]
pub fn matter_bounds(pos: ChunkPos, chunk: &Chunk) -> Option<Box3> {
    let boxes = chunk.runs().filter(|run| !run.voxel.is_air()).map(|run| {
        let mut min = linear_offset(run.start as usize);
        let mut max = linear_offset(run.end() as usize - 1);
        // A run that continues in the next row or layer spans the full width of the row or layer.
        if min.y != max.y {
            min.z = 0;
            max.z = CHUNK_SIDE - 1;
        }
        if min.y != max.y || min.z != max.z {
            min.x = 0;
            max.x = CHUNK_SIDE - 1;
        }
        (min, max)
    });
    let (min, max) = boxes.reduce(|a: (IVec3, IVec3), b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(Box3::spanning(pos.origin() + min, pos.origin() + max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Voxel, linear_index};

    #[test]
    fn bounds_match_the_voxels() {
        let pos = ChunkPos::new(-1, 2, 0);
        assert_eq!(matter_bounds(pos, &Chunk::uniform(Voxel::AIR)), None);
        assert_eq!(matter_bounds(pos, &Chunk::uniform(Voxel::full(1))), Some(pos.bounds()));
        // Runs of various lengths and positions.
        for (start, len) in
            [(0, 1), (5, 20), (40, 60), (1000, 30), (1020, 2000), (32767, 1), (3, 5000)]
        {
            let mut chunk = Chunk::uniform(Voxel::AIR);
            chunk.set_range(start..start + len, Voxel::full(2));
            let voxels: Vec<IVec3> = (0..32768)
                .filter(|&i| !chunk.get(i).is_air())
                .inspect(|&i| assert_eq!(linear_index(linear_offset(i)), i))
                .map(|i| linear_offset(i) + pos.origin())
                .collect();
            let min = voxels.iter().copied().reduce(IVec3::min).unwrap();
            let max = voxels.iter().copied().reduce(IVec3::max).unwrap();
            assert_eq!(matter_bounds(pos, &chunk), Some(Box3::spanning(min, max)), "{start} {len}");
        }
    }
}
