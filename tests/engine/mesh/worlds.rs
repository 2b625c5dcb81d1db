//! Small worlds to mesh: a chunk and its 26 neighbours.

use glam::IVec3;
use stonerun_engine::random::Random;
use stonerun_engine::runs::{RunBuilder, RunTree};
use stonerun_engine::voxel::{
    Box3, CHUNK_VOLUME, ChunkPos, MaterialId, MaterialTable, Voxel, linear_offset,
};
use stonerun_engine::world::World;

pub fn id(table: &MaterialTable, name: &str) -> MaterialId {
    table.find(name).unwrap_or_else(|| panic!("no material {name}"))
}

fn all_chunks() -> impl Iterator<Item = ChunkPos> {
    Box3 { min: IVec3::splat(-32), max: IVec3::splat(64) }.chunks()
}

/// 27 chunks of air.
pub fn empty() -> World {
    let mut world = World::new();
    for pos in all_chunks() {
        world.insert(pos, RunTree::uniform(Voxel::AIR));
    }
    world
}

/// A material index that no table contains.
pub const UNKNOWN: MaterialId = 50_000;

/// A voxel of one of a few materials of every kind, usually full.
pub fn any_voxel(random: &mut Random, table: &MaterialTable) -> Voxel {
    const NAMES: [&str; 19] = [
        "lamp",
        "stone",
        "stone",
        "grass",
        "snow",
        "water",
        "water",
        "lava",
        "glass",
        "oak_leaves",
        "oak_leaves_grown",
        "birch_leaves",
        "ice",
        "tall_grass",
        "torch",
        "torch_wall_south",
        "wire",
        "wire",
        "air",
    ];
    let material = match random.below(40) {
        0 => UNKNOWN,
        _ => id(table, NAMES[random.index(19)]),
    };
    let occupancy = match random.below(5) {
        0 => random.below(256) as u8,
        1 => [0, 127, 223, 246, 247, 254][random.index(6)],
        _ => 255,
    };
    let voxel = Voxel::new(material, occupancy);
    let is_solid = table.is_solid(material);
    voxel.with_liquid(if is_solid && random.below(3) == 0 { random.below(256) as u8 } else { 0 })
}

/// Independent random voxels: matter with probability `density`, else air.
pub fn random_dust(random: &mut Random, table: &MaterialTable, density: f64) -> World {
    random_dust_of(random, density, |random| any_voxel(random, table))
}

/// Independent random voxels of `any`, with probability `density`, else air.
pub fn random_dust_of(
    random: &mut Random,
    density: f64,
    any: impl Fn(&mut Random) -> Voxel,
) -> World {
    let mut world = World::new();
    for pos in all_chunks() {
        let mut runs = RunBuilder::new();
        for _ in 0..CHUNK_VOLUME {
            let some = f64::from(random.below(1000)) < density * 1000.0;
            runs.push(1, if some { any(random) } else { Voxel::AIR });
        }
        world.insert(pos, runs.finish());
    }
    world
}

/// Overlapping boxes, which give much to merge.
pub fn random_boxes(random: &mut Random, table: &MaterialTable, count: u32) -> World {
    random_boxes_of(random, count, |random| any_voxel(random, table))
}

/// Overlapping boxes of `any`.
pub fn random_boxes_of(
    random: &mut Random,
    count: u32,
    any: impl Fn(&mut Random) -> Voxel,
) -> World {
    let mut world = empty();
    for _ in 0..count {
        let mut part = |low: i32, range: u32| low + random.below(range) as i32;
        let min = IVec3::new(part(-8, 48), part(-8, 48), part(-8, 48));
        let max = min + IVec3::new(part(1, 16), part(1, 8), part(1, 16));
        world.fill(Box3 { min, max }, any(random));
    }
    world
}

/// Hills of stone, dirt and grass with a lake, `24 * steepness` voxels from valley to top;
/// `planted` adds tall grass and a few trees.
pub fn hills(table: &MaterialTable, steepness: f64, planted: bool) -> World {
    let [stone, dirt, grass, water, plant, log, leaves] =
        ["stone", "dirt", "grass", "water", "tall_grass", "oak_log", "oak_leaves"]
            .map(|name| id(table, name));
    let ground = |x: i32, z: i32| {
        let x = f64::from(x);
        let z = f64::from(z);
        let waves = 6.0 * (x * 0.06).sin() + 5.0 * (z * 0.07 + 1.0).cos() + ((x + z) * 0.13).sin();
        (13.0 + steepness * waves) as i32
    };
    let at = |p: IVec3| {
        let top = ground(p.x, p.z);
        match p.y - top {
            i32::MIN..-3 => Voxel::full(stone),
            -3..0 => Voxel::full(dirt),
            0 => Voxel::full(if top < 10 { dirt } else { grass }),
            _ if p.y < 10 => Voxel::full(water),
            _ if p.y == 10 && top < 10 => Voxel::new(water, 223),
            1 if planted && (p.x * 7 + p.z * 13) % 11 == 0 => Voxel::full(plant),
            _ => Voxel::AIR,
        }
    };
    let mut world = World::new();
    for pos in all_chunks() {
        let mut runs = RunBuilder::new();
        for i in 0..CHUNK_VOLUME {
            runs.push(1, at(pos.origin() + linear_offset(i)));
        }
        world.insert(pos, runs.finish());
    }
    let trees: &[(i32, i32)] =
        if planted { &[(5, 5), (20, 9), (31, 28), (-1, 14), (12, 25)] } else { &[] };
    for &(x, z) in trees {
        let foot = IVec3::new(x, ground(x, z) + 1, z);
        let crown = foot + IVec3::Y * 4;
        world.fill(
            Box3::spanning(crown - IVec3::new(2, 1, 2), crown + IVec3::new(2, 1, 2)),
            Voxel::full(leaves),
        );
        world.fill(Box3::spanning(foot, crown), Voxel::full(log));
    }
    world
}
