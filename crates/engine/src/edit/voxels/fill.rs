//! Fills of regions with patterns.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, Mask, Operation, Pattern};
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// An operation that fills a region.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The voxels to fill.
    pub region: Region,
    /// Mask of the voxels that may be replaced.
    pub mask: Mask,
    /// The new voxels.
    pub pattern: Pattern,
}

impl Operation for Fill {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.region.sorted_chunks()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        // Large fills mostly consist of uniform chunks and of completely covered chunks, so these
        // are handled without reading runs.
        if let Some(before) = chunk.as_uniform()
            && self.mask.accepts(before) == Some(false)
        {
            return Ok(chunk.clone());
        }
        if let (Some(voxel), true) = (self.pattern.as_uniform(), self.mask.is_by_content())
            && self.region.holds_chunk(pos)
        {
            return Ok(match self.mask {
                Mask::Any => Chunk::uniform(voxel),
                _ => {
                    chunk.map(
                        |before| {
                            if self.mask.accepts(before) == Some(true) { voxel } else { before }
                        },
                    )
                }
            });
        }
        let ranges = self.mask.ranges(&self.region, pos, chunk, world)?;
        let mut after = chunk.clone();
        if !ranges.is_empty() {
            match self.pattern.as_uniform() {
                Some(voxel) => after.set_ranges(ranges.into_iter().map(|range| (range, voxel))),
                None => after.set_ranges(self.pattern.runs(pos, ranges)),
            }
        }
        Ok(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Mix;
    use crate::edit::region::Ellipsoid;
    use crate::voxel::{Box3, CHUNK_VOLUME, Voxel, linear_offset};
    use crate::world::World;
    use glam::{DVec3, IVec3};

    #[test]
    fn fill_equals_setting_voxel_by_voxel() {
        let voxel = |i: usize| {
            if i.is_multiple_of(5) { Voxel::AIR } else { Voxel::full((i / 40 % 3) as u16 + 1) }
        };
        let chunk = Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, voxel(i))));
        let ball = Ellipsoid { centre: IVec3::new(40, 0, -20), radii: DVec3::splat(30.0) };
        let all = Box3 { min: IVec3::splat(-64), max: IVec3::splat(64) };
        let mix = Mix::new(&[(1.0, Voxel::full(8)), (2.0, Voxel::AIR)], 3).unwrap();
        let masks =
            [Mask::Any, Mask::Materials(vec![0, 2]), Mask::Not(Box::new(Mask::Materials(vec![1])))];
        for region in [Region::from_shape(&ball), Region::from_shape(&all), Region::default()] {
            for mask in masks.iter().chain([&Mask::All(masks.to_vec())]) {
                for pattern in [Pattern::Voxel(Voxel::full(9)), Pattern::Mix(mix.clone())] {
                    let fill = Fill {
                        region: region.clone(),
                        mask: mask.clone(),
                        pattern: pattern.clone(),
                    };
                    for pos in
                        [ChunkPos::new(1, 0, -1), ChunkPos::new(0, -1, -1), ChunkPos::new(9, 9, 9)]
                    {
                        let after = fill.apply(pos, &chunk, &World::new()).unwrap();
                        after.check().expect("a sound tree");
                        for index in 0..CHUNK_VOLUME {
                            let at = pos.origin() + linear_offset(index);
                            let before = chunk.get(index);
                            let changes = region.contains(at) && mask.accepts(before) == Some(true);
                            assert_eq!(
                                after.get(index),
                                if changes { pattern.at(at) } else { before },
                                "{at}"
                            );
                        }
                    }
                }
            }
        }
    }
}
