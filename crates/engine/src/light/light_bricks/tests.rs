use super::*;
use crate::light::LightMap;
use crate::runs::moore;
use crate::voxel::{
    Box3, CHUNK_SIDE, ChunkPos, Material, MaterialTable, SurfaceRule, linear_index, linear_offset,
    local, neighbour_offset,
};
use crate::world::World;

/// A world of 3 x 3 x 3 chunks: noise of stone, leaves and lamps in the middle, air around.
fn world(table: &MaterialTable) -> World {
    let full = |name: &str| Voxel::full(table.find(name).unwrap());
    let stone = full("stone");
    let leaves = full("oak_leaves");
    let lamp = full("orange lamp");
    let mut world = World::new();
    for offset in neighbour_offsets() {
        let runs = (0..crate::voxel::CHUNK_VOLUME).map(|index| {
            let at = linear_offset(index) + offset * CHUNK_SIDE;
            let noise = (at.x * 7919 + at.y * 104_729 + at.z * 1_299_709).rem_euclid(1009);
            let voxel = match noise {
                _ if at.y > 20 => Voxel::AIR,
                0..=500 => stone,
                501..=520 => leaves,
                521 => lamp,
                _ => Voxel::AIR,
            };
            (1, voxel)
        });
        world.insert(ChunkPos::containing(offset * CHUNK_SIDE), RunTree::from_runs(runs));
    }
    world
}

#[test]
fn bricks_have_the_levels_of_all_voxels_that_faces_can_see() {
    let mut table = MaterialTable::builtin();
    table.add(Material { light: 12, ..Material::plain("orange lamp", [200, 100, 0]) }).unwrap();
    let world = world(&table);
    let traits = LightTraits::new(&table);
    let mut map = LightMap::new(traits.clone(), 2);
    for (pos, chunk) in world.chunks() {
        map.insert(pos, chunk.clone());
    }
    map.settle();
    let middle = ChunkPos::default();
    let neighbourhood = world.neighbourhood(middle);
    let lights = std::array::from_fn(|i| map.chunk(middle.offset(neighbour_offset(i))));
    let bricks = LightBricks::new(
        &neighbourhood.borrowed(),
        &lights,
        &traits,
        &ContourMaterials::new(&table),
    );
    assert!(matches!(bricks, LightBricks::Mixed(_)), "{bricks:?}");
    let mut lit = 0;
    let mut coloured = 0;
    for index in 0..34 * 34 * 34 {
        let at = IVec3::new(index % 34, index / 34 % 34, index / (34 * 34)) - 1;
        let voxel = world.get(at);
        let near_matter = (-1..=1)
            .flat_map(|y| {
                (-1..=1).flat_map(move |z| (-1..=1).map(move |x| at + IVec3::new(x, y, z)))
            })
            .any(|near| ChunkPos::containing(near) == middle && world.get(near) != Voxel::AIR);
        if near_matter && traits.loss(voxel).is_some() {
            let expected =
                map.chunk(ChunkPos::containing(at)).unwrap().get(linear_index(local(at)));
            assert_eq!(bricks.levels(at), expected, "{at}");
            lit += usize::from(expected.get(Channel::Sun) > 0);
            coloured += usize::from(expected.get(Channel::Red) > 0);
        }
    }
    assert!(lit > 1000 && coloured > 1000, "{lit}, {coloured}");
}

#[test]
fn uniform_light_needs_no_words() {
    let table = MaterialTable::builtin();
    let traits = LightTraits::new(&table);
    let contour = ContourMaterials::new(&table);
    let stone = RunTree::uniform(Voxel::full(1));
    let chunks = ChunkNeighbourhoodRef { chunks: [Some(&stone); MOORE_LEN] };
    for (levels, expected) in
        [(LightLevels::SUNLIT, LightBricks::Sunlit), (LightLevels::DARK, LightBricks::Dark)]
    {
        let light = ChunkLight::uniform(levels);
        assert_eq!(
            LightBricks::new(&chunks, &[Some(&light); MOORE_LEN], &traits, &contour),
            expected
        );
    }
}

/// Asserts that the voxels of the middle chunk that count are unions of fused runs. Returns the
/// number of these voxels in fused runs of at least two voxels.
fn check_seen(world: &World, traits: &LightTraits, what: &str) -> usize {
    let neighbourhood = world.neighbourhood(ChunkPos::default());
    let chunks = neighbourhood.borrowed();
    let mut buffers = Buffers::default();
    buffers.find_seen(&chunks, traits, &ContourMaterials::default());
    let counts = |index: usize| {
        let at = (linear_offset(index) + 1).as_usizevec3();
        buffers.seen[at.y][at.z] >> at.x & 1 == 1
    };
    let mut fused = 0;
    moore::walk(&chunks, ChunkNeighbourhoodRef::BOUNDS, |run| {
        for index in run.start as usize + 1..(run.start + run.len) as usize {
            if index % SIDE != 0 {
                assert_eq!(counts(index), counts(index - 1), "{what}: voxel {index} of {run:?}");
                fused += usize::from(counts(index));
            }
        }
    });
    fused
}

#[test]
fn voxels_that_count_without_ground_are_unions_of_fused_runs() {
    let mut table = MaterialTable::builtin();
    table.add(Material { light: 12, ..Material::plain("orange lamp", [200, 100, 0]) }).unwrap();
    let traits = LightTraits::new(&table);
    let mut noise = world(&table);
    check_seen(&noise, &traits, "noise");
    // Ground, a roof across borders, water, and a chunk that is not loaded.
    let full = |name: &str| Voxel::full(table.find(name).unwrap());
    let all = Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) };
    noise.fill(all, Voxel::AIR);
    for (name, low, high) in [
        ("stone", [-32, -32, -32], [63, 9, 63]),
        ("water", [4, 10, 3], [40, 12, 9]),
        ("oak_leaves", [-9, 30, 6], [30, 32, 30]),
        ("orange lamp", [7, 20, 20], [19, 20, 20]),
    ] {
        noise.fill(Box3::spanning(IVec3::from(low), IVec3::from(high)), full(name));
        let fused = check_seen(&noise, &traits, name);
        assert!(fused > 500, "{name}: {fused}");
    }
    noise.remove(ChunkPos::new(1, 0, 0));
    check_seen(&noise, &traits, "a chunk missing");
}

#[test]
fn sunlit_ground_across_the_eastern_border_has_no_mixed_bricks() {
    let mut table = MaterialTable::builtin();
    let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
    let hill = Voxel::full(table.add(hill).unwrap());
    let mut world = World::new();
    for pos in ChunkPos::default().moore_neighbourhood() {
        world.insert(pos, RunTree::uniform(Voxel::AIR));
    }
    world.fill(Box3::spanning(IVec3::splat(-32), IVec3::new(63, 2, 63)), hill);
    let traits = LightTraits::new(&table);
    let [dark, sunlit] = [LightLevels::DARK, LightLevels::SUNLIT].map(ChunkLight::uniform);
    // One chunk that no voxel reads differs, so that the light is not uniform.
    let lights = std::array::from_fn(|i| {
        Some(if neighbour_offset(i) == IVec3::NEG_ONE { &dark } else { &sunlit })
    });
    let neighbourhood = world.neighbourhood(ChunkPos::default());
    let contour = ContourMaterials::new(&table);
    let bricks = LightBricks::new(&neighbourhood.borrowed(), &lights, &traits, &contour);
    let words = bricks.words();
    assert_eq!(words.len(), 1 + ROWS, "no mixed bricks");
    for x in [-1, 0, 31, 32] {
        assert_eq!(bricks.levels(IVec3::new(x, 4, 7)), LightLevels::SUNLIT, "{x}");
    }
}
