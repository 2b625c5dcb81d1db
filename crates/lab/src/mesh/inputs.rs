//! Worlds whose meshing is measured.

use crate::input::{InputError, generated_world, input_name, read_world, zero_fps_world};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos, Material, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, ChunkNeighbourhood, World};

/// Maximum number of chunks. Of larger worlds, every n-th chunk is taken.
const MAX_CHUNKS: usize = 200;

/// Chunks to mesh.
pub struct MeshInput {
    /// Name in the table.
    pub name: String,
    /// Materials of the voxels.
    pub materials: MaterialTable,
    /// Chunks that are not uniform, each with its neighbours.
    pub chunks: Vec<ChunkNeighbourhood>,
}

impl MeshInput {
    /// Takes the chunks of a world that are not uniform. Missing neighbours count as not loaded.
    #[must_use]
    pub fn from_world(name: String, world: &World, materials: MaterialTable) -> MeshInput {
        let several =
            |(pos, chunk): (ChunkPos, &Chunk)| chunk.as_uniform().is_none().then_some(pos);
        let mut positions: Vec<ChunkPos> = world.chunks().filter_map(several).collect();
        positions.sort_unstable();
        let step = positions.len().div_ceil(MAX_CHUNKS).max(1);
        let chunks =
            positions.into_iter().step_by(step).map(|pos| world.neighbourhood(pos)).collect();
        MeshInput { name, materials, chunks }
    }

    /// The five built-in inputs: three kinds of terrain, the world of the 0fps text, and a sphere.
    #[must_use]
    pub fn built_in() -> Vec<MeshInput> {
        let terrain = |kind: TerrainKind, height| {
            let world = generated_world(5, kind, 6, height);
            MeshInput::from_world(kind.name().to_owned(), &world, MaterialTable::builtin())
        };
        vec![
            terrain(TerrainKind::Continents, 4),
            terrain(TerrainKind::Caverns, 3),
            terrain(TerrainKind::Islands, 4),
            MeshInput::zero_fps(),
            MeshInput::sphere(),
        ]
    }

    /// The world of the 0fps text, with plain opaque materials.
    fn zero_fps() -> MeshInput {
        let world = zero_fps_world();
        let mut list: Vec<Material> =
            MaterialTable::builtin().iter().take(1).map(|(_, air)| air.clone()).collect();
        list.extend(
            (1..world.id_count)
                .map(|id| Material::plain(&format!("m{id}"), [id as u8 * 5, 99, 99])),
        );
        let materials = MaterialTable::from_list(list).expect("air and 36 different names");
        MeshInput::from_world(world.name, &world.world, materials)
    }

    /// A sphere of one material with a radius of 48 voxels.
    fn sphere() -> MeshInput {
        const RADIUS: i32 = 48;
        let mut world = World::new();
        for pos in (Box3 { min: IVec3::splat(-2 * CHUNK_SIDE), max: IVec3::splat(2 * CHUNK_SIDE) })
            .chunks()
        {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        for y in -RADIUS..RADIUS {
            for z in -RADIUS..RADIUS {
                let left = RADIUS * RADIUS - y * y - z * z;
                let half = f64::from(left.max(0)).sqrt() as i32;
                let row =
                    Box3 { min: IVec3::new(-half, y, z), max: IVec3::new(half, y + 1, z + 1) };
                world.fill(row, Voxel::full(1));
            }
        }
        MeshInput::from_world("sphere".to_owned(), &world, MaterialTable::builtin())
    }

    /// Reads a map or an importable file. `progress` receives the completed share, from 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn from_file(path: &Path, progress: &mut dyn FnMut(f32)) -> Result<MeshInput, InputError> {
        let (world, materials) = read_world(path, progress)?;
        Ok(MeshInput::from_world(input_name(path), &world, materials))
    }
}
