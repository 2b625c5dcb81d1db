//! Painting: other materials, the same fills.

use super::area::PreparedArea;
use super::new_matter::pattern_ground;
use super::tool::Shaping;
use crate::edit::position_noise::position_hash;
use crate::edit::{ChunkSource, EditError, Operation};
use crate::voxel::{ChunkPos, linear_offset};
use crate::world::Chunk;

/// A pass that paints ground.
pub(super) struct PaintPass<'a> {
    pub shaping: &'a Shaping,
    pub area: &'a PreparedArea,
    pub seed: u64,
}

impl Operation for PaintPass<'_> {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.area.chunks()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        _world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let mut changes = Vec::new();
        for run in chunk.runs().filter(|run| self.shaping.materials.is_ground(run.voxel)) {
            for index in run.start as usize..run.end() as usize {
                let at = pos.origin() + linear_offset(index);
                let weight = self.area.weight(at);
                let is_chosen = (position_hash(self.seed, at) >> 56) < weight.unsigned_abs().into();
                let material = pattern_ground(self.shaping, at).filter(|_| is_chosen);
                if let Some(material) = material {
                    changes.push((index..index + 1, run.voxel.with_material(material)));
                }
            }
        }
        let mut after = chunk.clone();
        if !changes.is_empty() {
            after.set_ranges(changes);
        }
        Ok(after)
    }
}
