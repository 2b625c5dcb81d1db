//! Worlds to light.

use crate::lab::input::{InputError, generated_world, input_name, read_world};
use crate::light::LightTraits;
use crate::terrain::TerrainKind;
use crate::voxel::{ChunkPos, Material, MaterialTable};
use crate::world::{Chunk, World};
use glam::IVec3;
use std::path::Path;

/// Most columns of chunks along x and z; of larger worlds, those around the middle are lit.
const MOST_COLUMNS: i32 = 8;

/// The hue of everything that glows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampHue {
    /// One colour: red.
    Red,
    /// Three colours with levels that differ.
    Mixed,
}

/// A box of chunks to light. Above it is the open sky.
pub struct LightInput {
    /// Name in the table.
    pub name: String,
    /// Materials of the voxels.
    materials: MaterialTable,
    /// The chunks.
    world: World,
    /// Lowest chunk.
    pub min: IVec3,
    /// After the highest chunk.
    pub max: IVec3,
}

impl LightInput {
    /// The columns of chunks around the middle of a world.
    #[must_use]
    pub fn from_world(name: String, world: World, materials: MaterialTable) -> LightInput {
        let far = (IVec3::MAX, IVec3::MIN);
        let (min, max) =
            world.chunks().fold(far, |(min, max), (pos, _)| (min.min(pos.as_ivec3()), max.max(pos.as_ivec3() + 1)));
        // An empty world has no chunk to light.
        let (mut min, mut max) = if min.cmplt(max).all() { (min, max) } else { (IVec3::ZERO, IVec3::ZERO) };
        for axis in [0, 2] {
            let spare = (max[axis] - min[axis] - MOST_COLUMNS).max(0);
            min[axis] += spare / 2;
            max[axis] -= spare - spare / 2;
        }
        LightInput { name, materials, world, min, max }
    }

    /// Three kinds of terrain.
    #[must_use]
    pub fn built_in() -> Vec<LightInput> {
        [(TerrainKind::Continents, 4), (TerrainKind::Caverns, 3), (TerrainKind::Islands, 4)]
            .map(|(kind, height)| {
                let world = generated_world(5, kind, MOST_COLUMNS / 2, height);
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

    /// All chunks that are known, in the box and around it.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The chunk at a position; `None` outside the box and where nothing is known.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Option<&Chunk> {
        let at = pos.as_ivec3();
        (at.cmpge(self.min).all() && at.cmplt(self.max).all()).then(|| self.world.chunk(pos)).flatten()
    }

    /// Positions of the chunks, the highest first.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<ChunkPos> =
            self.world.chunks().map(|(pos, _)| pos).filter(|&pos| self.chunk(pos).is_some()).collect();
        all.sort_unstable_by_key(|pos| (-pos.y, pos.z, pos.x));
        all
    }

    /// What the materials do to light if everything that glows has this hue.
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
