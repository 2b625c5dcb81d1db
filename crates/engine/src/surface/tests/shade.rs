//! Light and shade that the shader reads in front of a surface, against the world.

use super::build;
use super::worlds::{RandomWorld, chunks, materials};
use crate::light::{Channel, LightBricks, LightMap, LightTraits};
use crate::mesh::{self, FaceMaterials};
use crate::voxel::{
    CHUNK_SIDE, ChunkPos, MaterialTable, Voxel, linear_index, local, neighbour_offset,
};
use crate::world::World;
use glam::{IVec3, Vec3};

/// The voxels of a chunk that `surroundings` of the shader `surface.wgsl` reads with a share above
/// zero, at the vertices of the chunk's surface and in the middles of its quads.
fn read_voxels(RandomWorld { world, materials }: &RandomWorld, pos: ChunkPos) -> Vec<IVec3> {
    let mesh = build(world, materials, pos);
    let vertices: Vec<_> = mesh.vertices.iter().map(|vertex| vertex.unpack()).collect();
    let mut places: Vec<[Vec3; 2]> =
        vertices.iter().map(|vertex| [vertex.position(), vertex.normal]).collect();
    for quad in &mesh.quads {
        let [at, normal] = quad.iter().fold([Vec3::ZERO; 2], |[at, normal], &corner| {
            let vertex = &vertices[corner as usize];
            [at + vertex.position() / 4.0, normal + vertex.normal]
        });
        places.push([at, normal.normalize_or_zero()]);
    }
    let mut voxels = Vec::new();
    for [at, normal] in places {
        let front = (at + normal).clamp(Vec3::splat(-0.4995), Vec3::splat(32.4995)) - 0.5;
        let lowest = front.floor();
        let share = front - lowest;
        for corner in 0..8 {
            let step = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
            let part = Vec3::select(step.cmpeq(IVec3::ONE), share, 1.0 - share);
            if part.min_element() > 1e-4 {
                voxels
                    .push((lowest.as_ivec3() + step).clamp(-IVec3::ONE, IVec3::splat(CHUNK_SIDE)));
            }
        }
    }
    voxels
}

/// Asserts that light and shade of a chunk are right where its surface reads them. Returns the
/// number of sunlit voxels that were compared.
fn assert_shade(
    random: &RandomWorld,
    table: &MaterialTable,
    lights: &LightMap,
    pos: ChunkPos,
) -> usize {
    let RandomWorld { world, materials } = random;
    let traits = LightTraits::new(table);
    let neighbourhood = world.neighbourhood(pos);
    let around = std::array::from_fn(|i| lights.chunk(pos.offset(neighbour_offset(i))));
    let bricks = LightBricks::new(&neighbourhood.borrowed(), &around, &traits, materials);
    let mesh = mesh::build(pos, &neighbourhood.borrowed(), &FaceMaterials::new(table));
    let mut compared = 0;
    for at in read_voxels(random, pos) {
        let place = pos.origin() + at;
        let voxel = world.get(place);
        let is_dark = mesh.dark.is_dark(at);
        assert_eq!(is_dark, materials.voxel(voxel).is_inside(), "{pos:?} {at}: {voxel:?}");
        if let Some(light) = lights.chunk(ChunkPos::containing(place))
            && !is_dark
            && traits.loss(voxel).is_some()
        {
            let expected = light.get(linear_index(local(place)));
            assert_eq!(bricks.levels(at), expected, "{pos:?} {at}: {voxel:?}");
            compared += usize::from(expected.get(Channel::Sun) > 0);
        }
    }
    compared
}

fn lit(world: &World, table: &MaterialTable) -> LightMap {
    let mut lights = LightMap::new(LightTraits::new(table), 1);
    for (pos, chunk) in world.chunks() {
        lights.insert(pos, chunk.clone());
    }
    lights.settle();
    lights
}

#[test]
fn surfaces_read_the_light_and_the_shade_of_the_world() {
    let table = materials();
    let mut compared = 0;
    for seed in 0..40 {
        let random = RandomWorld::new(seed);
        let lights = lit(&random.world, &table);
        for pos in chunks() {
            compared += assert_shade(&random, &table, &lights, pos);
        }
    }
    assert!(compared > 100_000, "{compared}");
}

#[test]
fn walls_at_borders_of_chunks_are_lit_and_shaded_from_chunks_of_air() {
    let table = materials();
    for axis in 0..3 {
        let mut random = RandomWorld::new(0);
        for pos in chunks() {
            random.world.fill(pos.bounds(), Voxel::AIR);
        }
        // A wall with a corner, so that voxels of the wall darken the surface, too.
        for number in 0..40 {
            let mut at = IVec3::ZERO;
            at[(axis + 1) % 3] = number % 8 + 4;
            at[(axis + 2) % 3] = number / 8 + 4;
            random.world.set(at, Voxel::full(1));
            at[axis] = 1 + number % 3;
            at[(axis + 1) % 3] = 4;
            random.world.set(at, Voxel::full(1));
        }
        let lights = lit(&random.world, &table);
        let mut lower = IVec3::ZERO;
        lower[axis] = -1;
        let air = ChunkPos::new(lower.x, lower.y, lower.z);
        assert_eq!(random.world.chunk(air).unwrap().as_uniform(), Some(Voxel::AIR));
        for pos in chunks() {
            let compared = assert_shade(&random, &table, &lights, pos);
            assert!(compared > 100 || pos != air && pos != ChunkPos::default(), "{pos:?}");
        }
    }
}
