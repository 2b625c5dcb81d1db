//! Worlds of smooth ground.

use crate::input::{InputError, generated_world, input_name, read_world, zero_fps_world};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::contour::ContourMaterials;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{
    Box3, CHUNK_SIDE, ChunkPos, Material, MaterialTable, Matter, Shape, SurfaceRule, Voxel,
};
use stonerun_engine::world::{Chunk, ChunkNeighbourhood, World};

/// Maximum number of chunks that are measured; of larger worlds, every n-th chunk is taken.
const MAX_CHUNKS: usize = 200;

/// A world of smooth ground, and the chunks of it that are measured.
pub struct SurfaceInput {
    /// Name in the table.
    pub name: String,
    /// The materials.
    pub table: MaterialTable,
    /// Surfaces of the materials.
    pub materials: ContourMaterials,
    /// The world.
    pub world: World,
    /// Chunks that are not uniform, with their neighbours.
    pub chunks: Vec<(ChunkPos, ChunkNeighbourhood)>,
}

impl SurfaceInput {
    /// A world in which every solid block without a shape of its own is smooth ground, unless the
    /// table has smooth ground already.
    #[must_use]
    pub fn from_world(name: String, world: World, table: &MaterialTable) -> SurfaceInput {
        let table = if table.has_smooth() { table.clone() } else { smooth(table) };
        let materials = ContourMaterials::new(&table);
        let several =
            |(pos, chunk): (ChunkPos, &Chunk)| chunk.as_uniform().is_none().then_some(pos);
        let mut positions: Vec<ChunkPos> = world.chunks().filter_map(several).collect();
        positions.sort_unstable();
        let step = positions.len().div_ceil(MAX_CHUNKS).max(1);
        let neighbourhood = |pos| (pos, world.neighbourhood(pos));
        let chunks = positions.into_iter().step_by(step).map(neighbourhood).collect();
        SurfaceInput { name, table, materials, world, chunks }
    }

    /// The four built-in inputs: two kinds of terrain, the world of the 0fps text, and a sphere.
    #[must_use]
    pub fn built_in() -> Vec<SurfaceInput> {
        let builtin = MaterialTable::builtin();
        let terrain = |kind: TerrainKind, height| {
            let world = generated_world(5, kind, 6, height);
            SurfaceInput::from_world(kind.name().to_owned(), world, &builtin)
        };
        vec![
            terrain(TerrainKind::Continents, 4),
            terrain(TerrainKind::Caverns, 3),
            SurfaceInput::zero_fps(),
            SurfaceInput::sphere(),
        ]
    }

    /// The world of the 0fps text, of plain materials.
    fn zero_fps() -> SurfaceInput {
        let world = zero_fps_world();
        let mut list: Vec<Material> =
            MaterialTable::builtin().iter().take(1).map(|(_, air)| air.clone()).collect();
        list.extend((1..world.id_count).map(|id| Material::plain(&format!("m{id}"), [99; 3])));
        let materials = MaterialTable::from_list(list).expect("air and 36 different names");
        SurfaceInput::from_world(world.name, world.world, &materials)
    }

    /// A ball of one material with a radius of 48 voxels, whose surface has fractions.
    fn sphere() -> SurfaceInput {
        const RADIUS: f32 = 48.0;
        let mut world = World::new();
        let bounds = Box3 { min: IVec3::splat(-2 * CHUNK_SIDE), max: IVec3::splat(2 * CHUNK_SIDE) };
        for pos in bounds.chunks() {
            let mut chunk = Chunk::uniform(Voxel::AIR);
            for index in 0..stonerun_engine::voxel::CHUNK_VOLUME {
                let at = pos.origin() + stonerun_engine::voxel::linear_offset(index);
                let fill = RADIUS + 0.5 - (at.as_vec3() + 0.5).length();
                if fill > 0.0 {
                    chunk.set(index, Voxel::new(1, (fill.min(1.0) * 255.0) as u8));
                }
            }
            world.insert(pos, chunk);
        }
        SurfaceInput::from_world("sphere".to_owned(), world, &MaterialTable::builtin())
    }

    /// Reads a map or an importable file. `progress` receives the completed share, from 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn from_file(
        path: &Path,
        progress: &mut dyn FnMut(f32),
    ) -> Result<SurfaceInput, InputError> {
        let (world, materials) = read_world(path, progress)?;
        Ok(SurfaceInput::from_world(input_name(path), world, &materials))
    }
}

/// The table with smooth ground instead of solid blocks.
fn smooth(table: &MaterialTable) -> MaterialTable {
    let smooth = |material: &Material| {
        let is_block = material.matter == Matter::Solid && material.shape == Shape::Cube;
        let surface = if is_block { SurfaceRule::Smooth } else { material.surface };
        Material { surface, ..material.clone() }
    };
    let list = table.iter().map(|(_, material)| smooth(material)).collect();
    MaterialTable::from_list(list).expect("names are those of a table")
}
