//! Random worlds, and plain reads of them.

use crate::edit::Mask;
use crate::random::Random;
use crate::voxel::{
    Box3, CHUNK_VOLUME, Material, MaterialId, MaterialTable, Shape, TorchMount, Voxel,
    linear_offset,
};
use crate::world::{Chunk, World};
use glam::IVec3;

/// The box of the random worlds: 2 x 2 x 2 chunks around the origin. Chunks around it are not
/// loaded.
pub(super) const ALL: Box3 = Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) };

/// Materials of the random worlds.
#[derive(Clone, Copy)]
pub(super) struct Ids {
    pub stone: MaterialId,
    pub sand: MaterialId,
    pub dirt: MaterialId,
    pub water: MaterialId,
    pub plant: MaterialId,
    pub log: MaterialId,
    pub model: MaterialId,
}

/// The game's materials, and a solid model.
pub(super) fn materials() -> MaterialTable {
    let mut table = MaterialTable::builtin();
    let shape = Shape::Torch(TorchMount::Floor);
    table.add(Material { shape, ..Material::plain("post", [9; 3]) }).expect("a new name");
    table
}

impl Ids {
    pub fn find() -> Ids {
        let table = materials();
        let of = |name: &str| table.find(name).expect(name);
        Ids {
            stone: of("stone"),
            sand: of("sand"),
            dirt: of("dirt"),
            water: of("water"),
            plant: of("tall_grass"),
            log: of("oak_log"),
            model: of("post"),
        }
    }

    pub fn is_ground(&self, voxel: Voxel) -> bool {
        [self.stone, self.sand, self.dirt].contains(&voxel.material())
    }

    /// True for voxels that tools never change.
    pub fn is_fixed(&self, voxel: Voxel, ignores_liquids: bool) -> bool {
        [self.log, self.model].contains(&voxel.material())
            || ignores_liquids && voxel.material() == self.water
    }
}

/// Hills with fractions of voxels, overhangs, caves, a lake, plants, logs, models, and specks of
/// any fill. One of eight chunks may be missing.
pub(super) fn random_world(random: &mut Random) -> World {
    let ids = Ids::find();
    let mut world = World::new();
    let [a, b, c] = std::array::from_fn(|_| 0.1 + f64::from(random.below(100)) * 0.002);
    let noisy = random.below(3) == 0;
    let missing = random.below(16);
    for (number, pos) in ALL.chunks().enumerate() {
        if number as u32 == missing {
            continue;
        }
        let mut voxel = |index: usize| {
            let at = pos.origin() + linear_offset(index);
            let place = at.as_dvec3();
            let height = 9.0 * (place.x * a).sin() + 7.0 * (place.z * b).cos();
            let cave = (place.x * b).sin() + (place.y * c).cos() + (place.z * a).sin();
            let ground = if at.x > 3 { ids.sand } else { ids.stone };
            let depth = height - place.y + if cave > 1.2 { -40.0 } else { 0.0 };
            let fill = (depth * 256.0) as i32;
            let speck = random.below(200);
            match fill {
                _ if speck == 0 => Voxel::new(ids.log, 255),
                _ if speck == 1 => Voxel::new(ids.model, 255),
                _ if speck < 4 || noisy && speck < 60 => {
                    let voxel = Voxel::new(ground, random.below(256) as u8);
                    if speck.is_multiple_of(2) { voxel.with_liquid(at.x as u8) } else { voxel }
                }
                fill if fill <= 0 && speck < 7 => Voxel::full(ids.plant),
                fill if fill <= 0 && at.y < -4 => Voxel::new(ids.water, random.below(256) as u8),
                ..=0 => Voxel::AIR,
                fill => Voxel::new(ground, (fill.min(256) - 1) as u8),
            }
        };
        let chunk = Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index))));
        world.insert(pos, chunk);
    }
    world
}

/// The voxel `before` with `fill` 256ths of `ground` and as much of its water as there is room for.
pub(super) fn refilled(before: Voxel, ground: MaterialId, fill: i32) -> Voxel {
    let water = Ids::find().water;
    let parts = if before.material() == water {
        i32::from(before.occupancy()) + 1
    } else {
        i32::from(before.liquid())
    };
    match (fill, parts) {
        (0, 0) => Voxel::AIR,
        (0, parts) => Voxel::new(water, (parts - 1) as u8),
        _ => Voxel::new(ground, (fill - 1) as u8).with_liquid(parts.min(256 - fill) as u8),
    }
}

/// Voxel of a world in which chunks that are not loaded are air.
pub(super) fn voxel(world: &World, at: IVec3) -> Voxel {
    let voxel = world.get(at);
    if voxel == Voxel::NOT_LOADED { Voxel::AIR } else { voxel }
}

pub(super) fn voxels(area: Box3) -> impl Iterator<Item = IVec3> {
    (area.min.y..area.max.y).flat_map(move |y| {
        (area.min.z..area.max.z)
            .flat_map(move |z| (area.min.x..area.max.x).map(move |x| IVec3::new(x, y, z)))
    })
}

/// True if one of the masks of these tests accepts a voxel.
pub(super) fn accepts(mask: &Mask, world: &World, at: IVec3) -> bool {
    match mask {
        Mask::All(masks) => masks.iter().all(|mask| accepts(mask, world, at)),
        Mask::Heights(heights) => heights.contains(&at.y),
        Mask::Neighbour { faces, mask } => {
            faces.iter().any(|face| accepts(mask, world, at + face.normal()))
        }
        mask => mask.accepts(voxel(world, at)).expect("a mask of content"),
    }
}
