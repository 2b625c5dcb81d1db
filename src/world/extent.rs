//! How far the matter of a chunk reaches: what `stonerun info` and importers call bounds.

use super::Chunk;
use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;

/// The smallest box, in the world, that holds what is not air in the chunk at `pos`; none where all is air. Costs one walk
/// over its runs.
#[must_use]
pub fn matter_bounds(pos: ChunkPos, chunk: &Chunk) -> Option<Box3> {
    let boxes = chunk.runs().filter(|run| !run.voxel.is_air()).map(|run| {
        let (first, last) = (run.start as i32, run.end() as i32 - 1);
        // Where a run goes on in the next row or layer, it reaches both ends of the last.
        let part = |from: i32, to: i32, whole: bool| if whole { (0, 31) } else { (from & 31, to & 31) };
        let y = (first >> 10, last >> 10);
        let z = part(first >> 5, last >> 5, y.0 != y.1);
        let x = part(first, last, first >> 5 != last >> 5);
        (IVec3::new(x.0, y.0, z.0), IVec3::new(x.1, y.1, z.1))
    });
    let (min, max) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(Box3::spanning(pos.origin() + min, pos.origin() + max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Voxel, linear_index, linear_offset};

    #[test]
    fn bounds_are_those_of_the_voxels() {
        let pos = ChunkPos::new(-1, 2, 0);
        assert_eq!(matter_bounds(pos, &Chunk::uniform(Voxel::AIR)), None);
        assert_eq!(matter_bounds(pos, &Chunk::uniform(Voxel::full(1))), Some(pos.bounds()));
        // Runs of all lengths, from all places.
        for (start, len) in [(0, 1), (5, 20), (40, 60), (1000, 30), (1020, 2000), (32767, 1), (3, 5000)] {
            let mut chunk = Chunk::uniform(Voxel::AIR);
            chunk.set_range(start..start + len, Voxel::full(2));
            let cells: Vec<IVec3> = (0..32768)
                .filter(|&i| !chunk.get(i).is_air())
                .inspect(|&i| assert_eq!(linear_index(linear_offset(i)), i))
                .map(|i| linear_offset(i) + pos.origin())
                .collect();
            let min = cells.iter().copied().reduce(IVec3::min).unwrap();
            let max = cells.iter().copied().reduce(IVec3::max).unwrap();
            assert_eq!(matter_bounds(pos, &chunk), Some(Box3::spanning(min, max)), "{start} {len}");
        }
    }
}
