//! Worlds whose light is measured.

use crate::input::{InputError, generated_world, input_name, read_world};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::light::LightTraits;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{ChunkPos, Material, MaterialTable};
use stonerun_engine::world::{Chunk, World};

/// Maximum number of chunks along each axis. Of larger worlds the chunks around the median chunk
/// are lit.
const MAX_CHUNKS: IVec3 = IVec3::new(8, 32, 8);

/// Hue that all glowing materials get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampHue {
    /// Every lamp is red.
    Red,
    /// Lamps have three colours with different levels.
    Mixed,
}

/// A box of chunks to light, with open sky above.
pub struct LightInput {
    /// Name in the table.
    pub name: String,
    /// Materials of the voxels.
    materials: MaterialTable,
    /// The chunks.
    world: World,
    /// Position of the lowest chunk of the box.
    pub min: IVec3,
    /// Upper corner of the box, one past the highest chunk along each axis.
    pub max: IVec3,
}

impl LightInput {
    /// Keeps the chunks around the median chunk of a world.
    #[must_use]
    pub fn from_world(name: String, world: World, materials: MaterialTable) -> LightInput {
        let mut min = IVec3::ZERO;
        let mut max = IVec3::ZERO;
        for axis in 0..3 {
            // The median, because single chunks may lie far away.
            let mut sorted: Vec<i32> =
                world.chunks().map(|(pos, _)| pos.as_ivec3()[axis]).collect();
            sorted.sort_unstable();
            if let (Some(first), Some(last)) = (sorted.first(), sorted.last()) {
                let from = sorted[sorted.len() / 2] - MAX_CHUNKS[axis] / 2;
                min[axis] = from.max(*first);
                max[axis] = (from + MAX_CHUNKS[axis]).min(last + 1);
            }
        }
        LightInput { name, materials, world, min, max }
    }

    /// Three generated worlds of different terrain kinds.
    #[must_use]
    pub fn built_in() -> Vec<LightInput> {
        [(TerrainKind::Continents, 4), (TerrainKind::Caverns, 3), (TerrainKind::Islands, 4)]
            .map(|(kind, height)| {
                let world = generated_world(5, kind, MAX_CHUNKS.x / 2, height);
                LightInput::from_world(kind.name().to_owned(), world, MaterialTable::builtin())
            })
            .into()
    }

    /// Reads a map or an importable file. `progress` receives the completed share, from 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn from_file(path: &Path, progress: &mut dyn FnMut(f32)) -> Result<LightInput, InputError> {
        let (world, materials) = read_world(path, progress)?;
        Ok(LightInput::from_world(input_name(path), world, materials))
    }

    /// Materials of the voxels.
    #[must_use]
    pub fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// All known chunks, in the box and around it.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The chunk at a position; `None` outside the box and for unknown chunks.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Option<&Chunk> {
        let at = pos.as_ivec3();
        (at.cmpge(self.min).all() && at.cmplt(self.max).all())
            .then(|| self.world.chunk(pos))
            .flatten()
    }

    /// Positions of the chunks, the highest first.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<ChunkPos> = self
            .world
            .chunks()
            .map(|(pos, _)| pos)
            .filter(|&pos| self.chunk(pos).is_some())
            .collect();
        all.sort_unstable_by_key(|pos| (-pos.y, pos.z, pos.x));
        all
    }

    /// Light traits of the materials, where all that glow get this hue.
    #[must_use]
    pub fn traits(&self, hue: LampHue) -> LightTraits {
        let tint = match hue {
            LampHue::Red => [255, 0, 0],
            LampHue::Mixed => [255, 200, 120],
        };
        let coloured = |material: &Material| match material.light {
            0 => material.clone(),
            _ => Material { tint, ..material.clone() },
        };
        let list = self.materials.iter().map(|(_, material)| coloured(material)).collect();
        LightTraits::new(&MaterialTable::from_list(list).unwrap_or_else(|_| self.materials.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::Voxel;

    #[test]
    fn region_lies_around_the_median_chunk() {
        let mut world = World::new();
        for x in 0..20 {
            world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1)));
        }
        for far in [ChunkPos::new(900_000, 0, 0), ChunkPos::new(0, -900_000, 0)] {
            world.insert(far, Chunk::uniform(Voxel::AIR));
        }
        let input = LightInput::from_world("row".to_owned(), world, MaterialTable::builtin());
        assert_eq!((input.min, input.max), (IVec3::new(6, -16, 0), IVec3::new(14, 1, 1)));
        assert_eq!(input.positions().len(), 8);
        let empty =
            LightInput::from_world("empty".to_owned(), World::new(), MaterialTable::builtin());
        assert!(empty.positions().is_empty());
    }
}
