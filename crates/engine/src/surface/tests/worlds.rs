//! Random worlds around the corner of eight chunks.

use crate::contour::ContourMaterials;
use crate::random::Random;
use crate::voxel::{ChunkPos, Faces, Material, MaterialTable, Matter, Opacity, SurfaceRule, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// Half the side of the box of random voxels.
const REACH: i32 = 6;

/// A material table with all surface rules, and with what borders on ground.
pub(super) fn materials() -> MaterialTable {
    let ground = |name: &str, surface| Material { surface, ..Material::plain(name, [90; 3]) };
    MaterialTable::from_list(vec![
        Material { matter: Matter::Gas, ..Material::plain("air", [0; 3]) },
        ground("smooth", SurfaceRule::Smooth),
        ground("other", SurfaceRule::Smooth),
        ground("facet", SurfaceRule::Facet),
        ground("rough", SurfaceRule::Rough(100)),
        ground("terrace", SurfaceRule::Terrace(3)),
        Material::plain("stone", [120; 3]),
        Material { opacity: Opacity::CutOut, ..Material::plain("glass", [200; 3]) },
        Material {
            matter: Matter::Liquid,
            opacity: Opacity::Translucent,
            faces: Faces::Same("water".into()),
            ..Material::plain("water", [0, 0, 200])
        },
    ])
    .expect("names are unique")
}

/// The chunks around the corner at 0, 0, 0.
pub(super) fn chunks() -> impl Iterator<Item = ChunkPos> {
    (0..8)
        .map(|number| ChunkPos::new(number & 1, number >> 1 & 1, number >> 2))
        .map(|pos| pos.offset(-IVec3::ONE))
}

/// A world with random voxels around its middle.
pub(super) struct RandomWorld {
    pub world: World,
    pub materials: ContourMaterials,
}

impl RandomWorld {
    pub fn new(seed: u64) -> RandomWorld {
        let table = materials();
        let mut random = Random::new(seed);
        let mut world = World::new();
        for pos in chunks() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        // Parts of 16 that are ground, cubes and all else; the rest is air.
        let shares = [[8, 0, 0], [4, 0, 0], [12, 0, 0], [6, 6, 1], [10, 3, 2], [3, 10, 0]];
        let [ground, cube, other] = shares[random.index(shares.len())];
        let is_full = random.below(3) == 0;
        let kinds = 1 + random.below(5);
        let smoothness = random.below(3);
        for index in 0..(2 * REACH).pow(3) {
            let side = 2 * REACH;
            let mut at = IVec3::new(index % side, index / side % side, index / side / side) - REACH;
            // Repeated voxels make larger bodies.
            at -=
                at & IVec3::splat((1 << smoothness) - 1) & IVec3::splat(random.below(2) as i32 * 7);
            let draw = random.below(16);
            let occupancy = if is_full { 255 } else { random.below(256) as u8 };
            let voxel = if draw < ground {
                Voxel::new(1 + random.below(kinds) as u16, occupancy)
            } else if draw < ground + cube {
                Voxel::full(6)
            } else if draw < ground + cube + other {
                Voxel::full(7 + random.below(2) as u16)
            } else {
                Voxel::AIR
            };
            world.set(at, voxel);
        }
        RandomWorld { world, materials: ContourMaterials::new(&table) }
    }
}
