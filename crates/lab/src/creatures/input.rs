//! Worlds in which creatures are measured.

use crate::creatures::VoxelMoves;
use crate::input::{InputError, Random, generated_world, input_name, read_world};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::creatures::nav::{NavClasses, Navigation};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{Box3, MaterialTable};
use stonerun_engine::world::World;

/// Maximum number of chunks along x and z. Larger worlds are cut to the chunks around the middle.
const MAX_CHUNKS: i32 = 16;
/// Number of chunks above and below the middle of the generated world.
const HEIGHT: i32 = 3;

/// A world in which creatures are measured.
pub struct CreatureInput {
    /// Name in the table.
    pub name: String,
    /// Materials of the voxels.
    pub materials: MaterialTable,
    /// Meaning of the voxels for the bodies of creatures.
    pub classes: NavClasses,
    /// The chunks.
    pub world: World,
}

impl CreatureInput {
    /// Keeps the chunks around the median chunk of a world.
    #[must_use]
    pub fn from_world(name: String, mut world: World, materials: MaterialTable) -> CreatureInput {
        for axis in [0, 2] {
            // The median, because single chunks may lie far away.
            let mut sorted: Vec<i32> =
                world.chunks().map(|(pos, _)| pos.as_ivec3()[axis]).collect();
            sorted.sort_unstable();
            let Some(&median) = sorted.get(sorted.len() / 2) else { break };
            let kept = median - MAX_CHUNKS / 2..median + MAX_CHUNKS / 2;
            let far: Vec<_> = world.chunks().map(|(pos, _)| pos).collect();
            for pos in far.into_iter().filter(|pos| !kept.contains(&pos.as_ivec3()[axis])) {
                world.remove(pos);
            }
        }
        CreatureInput { name, classes: NavClasses::new(&materials), materials, world }
    }

    /// Generated terrain.
    #[must_use]
    pub fn built_in() -> CreatureInput {
        let world = generated_world(5, TerrainKind::Continents, MAX_CHUNKS / 2, HEIGHT);
        CreatureInput::from_world(
            TerrainKind::Continents.name().to_owned(),
            world,
            MaterialTable::builtin(),
        )
    }

    /// Reads a map or an importable file. `progress` receives the completed share, from 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn from_file(
        path: &Path,
        progress: &mut dyn FnMut(f32),
    ) -> Result<CreatureInput, InputError> {
        let (world, materials) = read_world(path, progress)?;
        Ok(CreatureInput::from_world(input_name(path), world, materials))
    }

    /// Moves of creatures by the plain search, which reads voxels one by one.
    #[must_use]
    pub fn moves(&self) -> VoxelMoves<'_> {
        VoxelMoves { world: &self.world, classes: &self.classes }
    }

    /// Navigation of the whole world.
    #[must_use]
    pub fn navigation(&self) -> Navigation {
        let mut nav = Navigation::new(&self.materials);
        for (pos, chunk) in self.world.chunks() {
            nav.chunk_changed(pos, chunk);
        }
        nav.update();
        nav
    }

    /// Places where a creature can stand, in an order that depends only on the world.
    #[must_use]
    pub fn places(&self, nav: &Navigation) -> Vec<IVec3> {
        let mut positions: Vec<_> = self.world.chunks().map(|(pos, _)| pos).collect();
        positions.sort_unstable();
        positions.into_iter().flat_map(|pos| nav.places_in(pos).collect::<Vec<_>>()).collect()
    }

    /// Box around all chunks.
    #[must_use]
    pub fn bounds(&self) -> Box3 {
        let boxes = self.world.chunks().map(|(pos, _)| pos.bounds());
        boxes.reduce(Box3::around).unwrap_or(Box3 { min: IVec3::ZERO, max: IVec3::ONE })
    }
}

/// A random element of a slice, which must not be empty.
pub(super) fn any<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[(random.draw() % of.len() as u64) as usize]
}
