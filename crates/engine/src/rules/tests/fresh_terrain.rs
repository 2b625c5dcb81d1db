//! Generated terrain is at rest: rules that are woken in all of it change nothing.

use super::{commit, id};
use crate::rules::{RuleSet, Rules};
use crate::terrain::{Generator, GroundStyle, TerrainKind};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, linear_offset};
use crate::world::{Chunk, World};
use glam::IVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Number of steps in which nothing may change.
const STEPS: u64 = 1000;
/// Number of steps that follow the first change, so that the failure lists further changes.
const STEPS_TO_REPORT: u64 = 41;

/// Changes by the names of the materials before and after: their number, and the position of the
/// first.
type Changes = BTreeMap<String, (usize, IVec3)>;

fn names(voxel: Voxel, table: &MaterialTable) -> &str {
    table.get(voxel.material()).map_or("?", |material| &material.name)
}

/// Adds the differing voxels of a chunk to `changes`.
fn compare(
    pos: ChunkPos,
    before: &Chunk,
    after: &Chunk,
    table: &MaterialTable,
    changes: &mut Changes,
) {
    for run in after.runs() {
        for index in run.start as usize..run.end() as usize {
            let old = before.get(index);
            if old != run.voxel {
                let change = format!("{} to {}", names(old, table), names(run.voxel, table));
                let at = pos.origin() + linear_offset(index);
                changes.entry(change).or_insert((0, at)).0 += 1;
            }
        }
    }
}

/// Changes by rules in the chunks of `world` when all of it is woken.
fn changes(world: &mut World, table: &MaterialTable, seed: u64) -> Changes {
    let mut rules = Rules::new(RuleSet::builtin(table).unwrap(), seed, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let mut changes = Changes::new();
    let mut last = STEPS;
    for step in 0..STEPS {
        rules.step(world);
        let changed = rules.take_changes();
        if !changed.is_empty() && changes.is_empty() {
            last = step + STEPS_TO_REPORT;
        }
        for (pos, after) in &changed {
            compare(*pos, world.chunk(*pos).expect("loaded"), after, table, &mut changes);
        }
        commit(world, changed);
        if rules.is_at_rest() || step >= last {
            break;
        }
    }
    changes
}

/// Generates 3 x 3 columns of chunks around a place.
fn generated(generator: &Generator, x: i32, z: i32, layers: std::ops::Range<i32>) -> World {
    let min = IVec3::new(x - 1, layers.start, z - 1) * 32;
    let area = Box3 { min, max: IVec3::new(x + 2, layers.end, z + 2) * 32 };
    let mut world = World::new();
    for pos in area.chunks() {
        drop(world.insert(pos, generator.chunk(pos)));
    }
    world
}

/// Checks distant places of a kind of terrain, and returns the names of the materials found there.
fn check(
    kind: TerrainKind,
    seeds: &[u64],
    spacing: i32,
    layers: std::ops::Range<i32>,
) -> BTreeSet<String> {
    check_ground(kind, GroundStyle::Blocks, seeds, spacing, layers)
}

/// As [`check`], for a style of the ground.
fn check_ground(
    kind: TerrainKind,
    ground: GroundStyle,
    seeds: &[u64],
    spacing: i32,
    layers: std::ops::Range<i32>,
) -> BTreeSet<String> {
    let table = ground.materials();
    let mut seen = BTreeSet::new();
    let mut moved = Vec::new();
    for &seed in seeds {
        let generator = Generator::with_ground(seed, kind, ground, &table);
        let home = ChunkPos::containing(generator.spawn().floor().as_ivec3());
        for place in 0..16 {
            let x = home.x + (place % 4 - 1) * spacing;
            let z = home.z + (place / 4 - 1) * spacing;
            let mut world = generated(&generator, x, z, layers.clone());
            for (_, chunk) in world.chunks() {
                for run in chunk.runs() {
                    let part = if run.voxel.is_full() { "" } else { " layer" };
                    seen.insert(format!("{}{part}", names(run.voxel, &table)));
                }
            }
            let changes = changes(&mut world, &table, seed);
            if !changes.is_empty() {
                moved.push(format!("seed {seed}, chunk {x}, {z}: {changes:?}"));
            }
        }
    }
    assert!(moved.is_empty(), "{kind}: {} places\n{}", moved.len(), moved.join("\n"));
    seen
}

fn assert_seen(seen: &BTreeSet<String>, wanted: &[&str]) {
    let missing: Vec<_> = wanted.iter().filter(|name| !seen.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?} are in no place; there are {seen:?}");
}

#[test]
fn new_continents_are_at_rest() {
    let seen = check(TerrainKind::Continents, &[1, 5, 77], 23, -6..6);
    let wanted = [
        "sand",
        "sandstone",
        "gravel",
        "snow",
        "snow layer",
        "water",
        "water layer",
        "lava",
        "grass",
        "dry_grass",
        "snowy_grass",
        "oak_leaves_grown",
        "pine_leaves_grown",
        "birch_leaves_grown",
        "tall_grass",
        "reeds",
    ];
    assert_seen(&seen, &wanted);
}

#[test]
fn new_deserts_mesas_and_frozen_seas_are_at_rest() {
    let seen = check(TerrainKind::Continents, &[2, 8], 61, -2..6);
    assert_seen(&seen, &["sand layer", "red_sand", "red_sandstone", "ice", "cactus", "dead_bush"]);
}

#[test]
fn new_islands_are_at_rest() {
    let seen = check(TerrainKind::Islands, &[42, 6], 11, -2..5);
    assert_seen(&seen, &["sand", "water", "palm_leaves_grown", "lava", "basalt"]);
}

#[test]
fn new_caverns_are_at_rest() {
    let seen = check(TerrainKind::Caverns, &[3, 9], 9, 0..4);
    assert_seen(
        &seen,
        &[
            "water",
            "lava",
            "grass",
            "dirt",
            "mossy_cobblestone",
            "clay",
            "glow_mushroom",
            "crystal_block",
        ],
    );
}

#[test]
fn new_flat_world_is_at_rest() {
    assert_seen(&check(TerrainKind::Flat, &[1], 5, -2..1), &["grass", "dirt"]);
}

#[test]
fn new_smooth_ground_is_at_rest() {
    let smooth = GroundStyle::Smooth;
    let seen = check_ground(TerrainKind::Continents, smooth, &[1, 5, 77], 23, -6..6);
    let wanted = ["sand layer", "gravel layer", "snow layer", "grass layer", "water", "lava"];
    assert_seen(&seen, &wanted);
    let seen = check_ground(TerrainKind::Continents, smooth, &[2, 8], 61, -2..6);
    assert_seen(&seen, &["sand layer", "red_sand", "red_sandstone", "ice", "cactus", "dead_bush"]);
    let seen = check_ground(TerrainKind::Islands, smooth, &[42, 6], 11, -2..5);
    assert_seen(&seen, &["sand layer", "water", "lava", "basalt layer"]);
    let seen = check_ground(TerrainKind::Caverns, smooth, &[3, 9], 9, 0..4);
    assert_seen(&seen, &["water", "lava", "grass layer", "dirt", "clay", "crystal_block"]);
}

/// Control for the tests above: they report a grain of sand in the air.
#[test]
fn unstable_voxel_in_new_terrain_is_noticed() {
    let table = MaterialTable::builtin();
    let mut world = generated(&Generator::new(1, TerrainKind::Flat, &table), 0, 0, -1..1);
    world.set(IVec3::new(4, 9, 4), Voxel::full(id("sand")));
    let changes = changes(&mut world, &table, 1);
    assert!(changes.contains_key("air to sand"), "{changes:?}");
}
