//! The invariant of light and runs: within a run of equal voxels in a row, light changes only where
//! the light around the voxels changes.
//!
//! Light reaches 14 voxels far, so it does not follow from a voxel's Moore neighbourhood. It
//! follows from the voxel itself and the levels of the six voxels that share a face with it.

use glam::IVec3;
use stonerun_engine::light::{Channel, LightLevels, LightMap, LightTraits};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{
    Box3, CHUNK_SIDE, ChunkPos, Face, MaterialTable, Voxel, linear_offset,
};
use stonerun_engine::world::{Chunk, World};

/// Side of a chunk with one more voxel at each end.
const PADDED: i32 = CHUNK_SIDE + 2;

/// Levels of a chunk and of the voxels next to it; `None` where nothing is loaded.
struct PaddedLevels(Vec<Option<LightLevels>>);

impl PaddedLevels {
    fn read(map: &LightMap, pos: ChunkPos) -> PaddedLevels {
        let all = (0..PADDED * PADDED * PADDED).map(|index| {
            let at =
                IVec3::new(index % PADDED, index / PADDED / PADDED, index / PADDED % PADDED) - 1;
            map.get(pos.origin() + at)
        });
        PaddedLevels(all.collect())
    }

    /// Levels of a voxel in the chunk or next to it.
    fn get(&self, at: IVec3) -> Option<LightLevels> {
        let at = at + 1;
        self.0[(at.x + PADDED * (at.z + PADDED * at.y)) as usize]
    }

    fn around(&self, at: IVec3) -> [Option<LightLevels>; 6] {
        Face::ALL.map(|face| self.get(at + face.normal()))
    }
}

/// Asserts the invariant for all chunks. Returns the number of compared voxels in half light.
fn check(world: &World, map: &LightMap, what: &str) -> usize {
    let mut compared = 0;
    for (pos, chunk) in world.chunks() {
        let levels = PaddedLevels::read(map, pos);
        for run in chunk.runs() {
            for index in (run.start + 1..run.end()).filter(|index| index % CHUNK_SIDE as u32 != 0) {
                let here = linear_offset(index as usize);
                let before = here - IVec3::X;
                if levels.around(here) == levels.around(before) {
                    let [before, level] = [before, here].map(|at| levels.get(at));
                    assert_eq!(
                        before, level,
                        "{what}, {pos}: at {here}, in a run of {:?}",
                        run.voxel
                    );
                    let sun = level.map_or(0, |level| level.get(Channel::Sun));
                    compared += usize::from((1..15).contains(&sun));
                }
            }
        }
    }
    compared
}

fn lit(world: &World, traits: &LightTraits, sky: i32) -> LightMap {
    let mut map = LightMap::new(traits.clone(), sky);
    for (pos, chunk) in world.chunks() {
        map.insert(pos, chunk.clone());
    }
    map.settle();
    map
}

#[test]
fn light_of_a_run_changes_only_where_light_around_it_changes() {
    let table = MaterialTable::builtin();
    let traits = LightTraits::new(&table);
    for kind in TerrainKind::ALL {
        let generator = Generator::new(5, kind, &table);
        let mut world = World::new();
        for pos in (Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::new(64, 64, 32) }).chunks() {
            world.insert(pos, generator.chunk(pos));
        }
        check(&world, &lit(&world, &traits, 2), kind.name());
    }
}

#[test]
fn light_of_a_run_changes_only_where_light_around_it_changes_after_edits() {
    let table = MaterialTable::builtin();
    let traits = LightTraits::new(&table);
    let full = |name: &str| Voxel::full(table.find(name).expect("a material"));
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) }).chunks() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    world.fill(Box3 { min: IVec3::splat(-32), max: IVec3::new(64, 8, 64) }, full("stone"));
    let mut map = lit(&world, &traits, 2);
    // Roofs and walls shade straight stretches, water and leaves dim them, and lamps shine from
    // lines.
    let edits = [
        ("stone", [-20, 20, -8], [50, 20, 40]),
        ("water", [0, 10, 0], [31, 14, 12]),
        ("oak_leaves", [4, 16, 14], [44, 18, 30]),
        ("lamp", [2, 12, 20], [28, 12, 20]),
        ("air", [8, 20, 10], [24, 20, 16]),
        ("lamp", [31, 8, 4], [33, 8, 4]),
        ("air", [2, 12, 20], [14, 12, 20]),
    ];
    for (name, low, high) in edits {
        let area = Box3::spanning(IVec3::from(low), IVec3::from(high));
        world.fill(area, full(name));
        for pos in area.chunks() {
            map.insert(pos, world.chunk(pos).expect("loaded").clone());
        }
        map.settle();
        let compared = check(&world, &map, name);
        assert!(compared > 1000, "{name}: {compared}");
    }
}
