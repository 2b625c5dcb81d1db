//! Occluders of chunks with smooth ground.
//!
//! The surface of smooth ground lies in cells between eight voxel centres of which some are solid
//! and others are not. It stays in these cells, whatever shapes it. So a voxel of which all 26
//! neighbours are solid is free of it, and as it is solid itself, nothing is seen through it. Other
//! voxels of smooth ground count as open. Voxels of chunks that are not loaded are not solid.
//!
//! Found by bit rows: the rows of solid voxels of the chunk and one voxel around it, without those
//! at the rim.

use super::occluder_materials::OccluderMaterials;
use super::occluders::Occluders;
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, ChunkPart, LAYER, RowToggles, SIDE, Words, inner};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{CHUNK_VOLUME, MOORE_CENTRE, neighbour_index, neighbour_offsets};
use std::sync::Arc;

/// Lane of solid voxels.
const SOLID: usize = 0;
/// Lane of cubes.
const CUBES: usize = 1;

impl Occluders {
    /// Occluders of the middle chunk, which may have smooth ground.
    #[must_use]
    pub fn from_neighbourhood(
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &OccluderMaterials,
    ) -> Occluders {
        let Some(middle) = chunks.chunks[MOORE_CENTRE] else { return Occluders::None };
        if !middle.values().any(|voxel| materials.is_solid(voxel)) {
            return Occluders::None;
        }
        let is_all = |tree: &RunTree| tree.values().all(|voxel| materials.is_solid(voxel));
        if chunks.chunks.iter().all(|chunk| chunk.is_some_and(is_all)) {
            return Occluders::All;
        }
        let mut words: Box<[Words; 2]> = Box::new([[[0; LAYER]; LAYER]; 2]);
        read(chunks, materials, words.as_mut_slice());
        let hidden = without_rim(&words[SOLID]);
        let mut rows = [0u64; CHUNK_VOLUME / 64];
        for row in 0..AREA {
            let at = [row / SIDE + 1, row % SIDE + 1];
            let bits = inner(hidden[at[0]][at[1]] | words[CUBES][at[0]][at[1]]);
            rows[row / 2] |= u64::from(bits) << (32 * (row % 2));
        }
        Occluders::from_words(rows)
    }

    /// Occluders with these bits, in linear order.
    fn from_words(words: [u64; CHUNK_VOLUME / 64]) -> Occluders {
        if words.iter().all(|&word| word == 0) {
            Occluders::None
        } else if words.iter().all(|&word| word == u64::MAX) {
            Occluders::All
        } else {
            Occluders::Some(Arc::new(words))
        }
    }
}

/// Reads solid voxels and cubes of the chunk and one voxel around it.
fn read(chunks: &ChunkNeighbourhoodRef<'_>, materials: &OccluderMaterials, words: &mut [Words]) {
    let mut buffer = vec![0u32; 2 * (AREA + 1)];
    let mut masks: Vec<[u32; 2]> = Vec::new();
    for offset in neighbour_offsets() {
        let Some(tree) = chunks.chunks[neighbour_index(offset)] else { continue };
        masks.clear();
        masks.extend(tree.values().map(|voxel| {
            [materials.is_solid(voxel), materials.is_cube(voxel)]
                .map(|bit| 0u32.wrapping_sub(bit.into()))
        }));
        let part = ChunkPart::new(offset);
        if masks.iter().all(|mask| *mask == masks[0]) {
            part.write(words, |_| masks[0]);
        } else {
            let toggles = RowToggles::new(&mut buffer, part.row_count());
            let write = |number, row: [u32; 2]| part.write_row(words, number, row);
            part.read(tree, |code| masks[code], toggles, write);
        }
    }
}

/// The bits of which all 26 around them are set, but for those at the border of `words`.
fn without_rim(words: &Words) -> Box<Words> {
    let mut along_z: Box<Words> = Box::new([[0; LAYER]; LAYER]);
    for (y, rows) in words.iter().enumerate() {
        for z in 1..LAYER - 1 {
            let three = rows[z - 1] & rows[z] & rows[z + 1];
            along_z[y][z] = three & three << 1 & three >> 1;
        }
    }
    let mut kept: Box<Words> = Box::new([[0; LAYER]; LAYER]);
    for y in 1..LAYER - 1 {
        for z in 1..LAYER - 1 {
            kept[y][z] = along_z[y - 1][z] & along_z[y][z] & along_z[y + 1][z];
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::{ChunkPos, Material, MaterialTable, Opacity, SurfaceRule, Voxel};
    use crate::world::{Chunk, World};
    use glam::IVec3;

    /// Air, a cube, smooth ground, translucent smooth ground, glass.
    fn table() -> MaterialTable {
        let plain = |name| Material::plain(name, [0; 3]);
        let smooth = Material { surface: SurfaceRule::Rough(90), ..plain("smooth") };
        let ice = Material { opacity: Opacity::Translucent, ..smooth.clone() };
        MaterialTable::from_list(vec![
            plain("air"),
            plain("cube"),
            smooth,
            Material { name: "ice".to_owned(), ..ice },
            Material { opacity: Opacity::CutOut, ..plain("glass") },
        ])
        .unwrap()
    }

    /// True if a voxel hides what is behind it, found from its 26 neighbours.
    fn hides(world: &World, materials: &OccluderMaterials, at: IVec3) -> bool {
        materials.is_cube(world.get(at))
            || neighbour_offsets().all(|offset| materials.is_solid(world.get(at + offset)))
    }

    /// A world of 3 x 3 x 3 chunks, mostly solid, without one of its corners.
    fn random_world(seed: u64) -> World {
        let mut random = Random::new(seed);
        let kinds = [
            Voxel::full(2),
            Voxel::full(1),
            Voxel::new(2, 127),
            Voxel::new(2, 126),
            Voxel::AIR,
            Voxel::full(3),
            Voxel::full(4),
            Voxel::new(1, 200),
        ];
        let mut world = World::new();
        let missing = random.below(60) as usize;
        for (number, offset) in neighbour_offsets().enumerate() {
            let mut chunk = Chunk::uniform(kinds[random.index(3)]);
            for _ in 0..random.below(3) * 120 {
                chunk.set(random.index(CHUNK_VOLUME), kinds[random.index(kinds.len())]);
            }
            if number != missing {
                world.insert(ChunkPos::new(offset.x, offset.y, offset.z), chunk);
            }
        }
        world
    }

    #[test]
    fn occluders_equal_a_scan_of_all_neighbours() {
        let materials = OccluderMaterials::new(&table());
        assert!(materials.any_ground());
        let mut counts = [0u32; 2];
        for seed in 0..60 {
            let world = random_world(seed);
            let chunks = world.neighbourhood(ChunkPos::default());
            let found = Occluders::from_neighbourhood(&chunks.borrowed(), &materials);
            let is_loaded = world.is_loaded(ChunkPos::default());
            for index in 0..CHUNK_VOLUME {
                let at = crate::voxel::linear_offset(index);
                let expected = is_loaded && hides(&world, &materials, at);
                assert_eq!(found.hides(at), expected, "{seed} {at}");
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 50_000), "{counts:?}");
    }

    #[test]
    fn solid_ground_needs_no_bits_and_cubes_hide_as_in_other_maps() {
        let materials = OccluderMaterials::new(&table());
        let mut world = World::new();
        for offset in neighbour_offsets() {
            world.insert(
                ChunkPos::new(offset.x, offset.y, offset.z),
                Chunk::uniform(Voxel::full(2)),
            );
        }
        let found = |world: &World| {
            let chunks = world.neighbourhood(ChunkPos::default());
            Occluders::from_neighbourhood(&chunks.borrowed(), &materials)
        };
        assert_eq!(found(&world), Occluders::All);
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        assert_eq!(found(&world), Occluders::None);
        let mut cubes = Chunk::uniform(Voxel::AIR);
        for index in (0..CHUNK_VOLUME).step_by(7) {
            cubes.set(index, Voxel::full(1));
        }
        let as_before = Occluders::from_chunk(&cubes, |voxel| materials.is_cube(voxel));
        world.insert(ChunkPos::default(), cubes);
        assert_eq!(found(&world), as_before);
    }
}
