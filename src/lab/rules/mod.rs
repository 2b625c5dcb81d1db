//! Rules next to a scan over a flat array, and dust next to a bit per voxel.
//!
//! Both sides do the same steps on one thread, and their voxels are compared at the end. Our time
//! includes writing the changed chunks as runs after each step; for dust, after the last one.

mod bit_dust;
mod flat_scan;

use super::input::{Random, generated_world, zero_fps_world};
use crate::rules::{RuleError, RuleSet, Rules};
use crate::terrain::TerrainKind;
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use bit_dust::BitDust;
use flat_scan::{FlatScan, Named};
use glam::IVec3;
use serde::Serialize;
use std::time::Instant;

/// The rules of the tables; [`FlatScan`] has the same.
const RULES: &str = r#"[
    Powder(materials: ["sand", "red_sand", "gravel", "snow"]),
    Liquid(material: "water", least_depth: 16),
    Liquid(material: "lava", least_depth: 96, every: 6),
    Change(name: "lava turns to stone in water", of: ["lava"], when: [Near(of: ["water"])], becomes: "stone"),
]"#;
/// The rules of dust.
const DUST: &str = r#"[Powder(materials: ["sand"])]"#;
/// Steps after which terrain is at rest, at most.
const SETTLING: u64 = 400;
/// Nodes that Luanti updates per second, at most (`liquid_loop_max`, one step per second).
pub const LUANTI_NODES_PER_SECOND: f64 = 100_000.0;

/// One row of the table. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct RuleMeasurement {
    /// What happens, and the rival.
    pub workload: String,
    /// Milliseconds per step of the rival.
    pub dense_ms: f64,
    /// Milliseconds per step of ours.
    pub runs_ms: f64,
    /// The rival's time divided by ours.
    pub ratio: f64,
    /// Voxels between which matter moved, per second.
    pub moved_per_second: f64,
    /// True if both results have the same voxels.
    pub identical: bool,
}

/// A world to measure.
struct Workload {
    name: String,
    world: World,
    area: Box3,
    steps: u64,
    /// Whether all voxels are woken before each step.
    wakes_all: bool,
    /// Whether the world is settled first, and `prepare` changes it then.
    prepare: Option<fn(&mut World, Box3)>,
}

/// Measures all workloads on cubes of `side` voxels, a multiple of 64. `progress` receives the
/// completed share, from 0 to 1.
///
/// # Errors
/// The rules cannot be read: a defect of the table.
pub fn measure(side: i32, progress: &mut dyn FnMut(f32)) -> Result<Vec<RuleMeasurement>, RuleError> {
    let materials = MaterialTable::builtin();
    let loads = workloads(side);
    let count = loads.len() as f32 + 1.0;
    let mut rows = Vec::new();
    for (done, load) in loads.into_iter().enumerate() {
        rows.push(compare(load, &materials)?);
        progress((done + 1) as f32 / count);
    }
    rows.push(dust(side.min(256), &materials)?);
    progress(1.0);
    Ok(rows)
}

fn workloads(side: i32) -> Vec<Workload> {
    let chunks = side / 64;
    let terrain = || generated_world(5, TerrainKind::Continents, chunks, chunks);
    let cube = Box3 { min: IVec3::splat(-side / 2), max: IVec3::splat(side / 2) };
    let zero_fps = zero_fps_world();
    let load = |name: &str, world: World, area: Box3, steps: u64| Workload {
        name: name.to_owned(),
        world,
        area,
        steps,
        wakes_all: false,
        prepare: None,
    };
    vec![
        Workload { prepare: Some(sprinkle), ..load("terrain, 1% of rows active", terrain(), cube, 8) },
        Workload { wakes_all: true, ..load("terrain, everything active", terrain(), cube, 8) },
        Workload { wakes_all: true, ..load("0fps world, everything active", zero_fps.world, zero_fps.bounds, 8) },
        Workload { prepare: Some(|_, _| ()), ..load("terrain at rest", terrain(), cube, 8) },
        load("dam breaks", dam(side), Box3 { min: IVec3::ZERO, max: IVec3::splat(side) }, 24),
    ]
}

/// Drops of water and grains of sand in the air, in 1% of the rows of 32 voxels.
fn sprinkle(world: &mut World, area: Box3) {
    let materials = MaterialTable::builtin();
    let drops = ["sand", "water"].map(|name| materials.find(name).map_or(Voxel::AIR, Voxel::full));
    let mut random = Random::new(3);
    let rows = area.volume() / 32 / 100;
    let mut placed = 0;
    while placed < rows {
        let bits = random.draw();
        let part = |shift: u32, side: i32| ((bits >> shift & 0xFFFF) as i32 * side) >> 16;
        let size = area.size();
        let at = area.min + IVec3::new(part(0, size.x), part(16, size.y), part(32, size.z));
        if world.get(at).is_air() {
            world.set(at, drops[(bits >> 60) as usize % 2]);
            placed += 1;
        }
    }
}

/// A basin half full of water, of which one side is missing.
fn dam(side: i32) -> World {
    let materials = MaterialTable::builtin();
    let [stone, water] = ["stone", "water"].map(|name| materials.find(name).map_or(Voxel::AIR, Voxel::full));
    let mut world = World::new();
    let all = Box3 { min: IVec3::ZERO, max: IVec3::splat(side) };
    all.chunks().for_each(|pos| drop(world.insert(pos, Chunk::uniform(Voxel::AIR))));
    world.fill(Box3 { max: IVec3::new(side, 8, side), ..all }, stone);
    world.fill(Box3 { min: IVec3::new(0, 8, 0), max: IVec3::new(side * 5 / 8, side, side) }, water);
    world
}

fn rules(text: &str, materials: &MaterialTable, world: &World) -> Result<Rules, RuleError> {
    let mut rules = Rules::new(RuleSet::parse(text, "the laboratory's rules", materials)?, 1, 0);
    world.chunks().for_each(|(pos, _)| rules.loaded(pos));
    Ok(rules)
}

/// Puts changed chunks into the world.
fn commit(world: &mut World, rules: &mut Rules) {
    rules.take_changes().into_iter().for_each(|(pos, chunk)| drop(world.insert(pos, chunk)));
}

/// Runs `work` on one thread, as the rival does; returns its time in milliseconds.
fn time_on_one_thread(work: impl FnOnce() + Send) -> f64 {
    let time = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(time),
        Err(_) => time(),
    }
}

fn compare(load: Workload, materials: &MaterialTable) -> Result<RuleMeasurement, RuleError> {
    let Workload { name, mut world, area, steps, wakes_all, prepare } = load;
    let mut rules = rules(RULES, materials, &world)?;
    if let Some(prepare) = prepare {
        while !rules.is_at_rest() && rules.next_step() < SETTLING {
            rules.step(&world);
            commit(&mut world, &mut rules);
        }
        prepare(&mut world, area);
        rules.wake(area);
        // Everything that is at rest falls asleep: only what was changed stays active.
        for _ in 0..12 {
            rules.step(&world);
            commit(&mut world, &mut rules);
        }
    }
    let id = |name: &str| materials.find(name).unwrap_or_default();
    let named = Named {
        powder: ["sand", "red_sand", "gravel", "snow"].map(id),
        water: id("water"),
        lava: id("lava"),
        stone: id("stone"),
    };
    let mut flat = FlatScan::new(&world, area, &named);
    let first = rules.next_step();
    let mut moved = 0;
    let ours = time_on_one_thread(|| {
        for _ in 0..steps {
            if wakes_all {
                rules.wake(area);
            }
            let counts = rules.step(&world);
            moved += counts.rules.iter().map(|count| count.voxels).sum::<u64>();
            commit(&mut world, &mut rules);
        }
    });
    let theirs = time_on_one_thread(|| (first..first + steps).for_each(|step| flat.step(step)));
    let identical = world.chunks().all(|(pos, chunk)| flat.equals(pos, chunk));
    Ok(RuleMeasurement::new(format!("{name} / scan of a flat array"), [theirs, ours], steps, moved, identical))
}

/// A quarter of the voxels is dust, which falls.
fn dust(side: i32, materials: &MaterialTable) -> Result<RuleMeasurement, RuleError> {
    /// Steps of which the time is measured.
    const STEPS: u64 = 32;
    let dust = Voxel::full(materials.find("sand").unwrap_or_default());
    let area = Box3 { min: IVec3::ZERO, max: IVec3::splat(side) };
    let (mut world, mut random) = (World::new(), Random::new(3));
    for pos in area.chunks() {
        let mut voxel = |_| (1, if random.draw().is_multiple_of(4) { dust } else { Voxel::AIR });
        world.insert(pos, Chunk::from_runs((0..CHUNK_VOLUME).map(&mut voxel)));
    }
    let mut flat = BitDust::new(&world, area, dust);
    let mut rules = rules(DUST, materials, &world)?;
    let mut moved = 0;
    let ours = time_on_one_thread(|| {
        for _ in 0..STEPS {
            moved += rules.step(&world).rules.iter().map(|count| count.voxels).sum::<u64>();
        }
        commit(&mut world, &mut rules);
    });
    let theirs = time_on_one_thread(|| (0..STEPS).for_each(|step| flat.step(step)));
    let identical = world.chunks().all(|(pos, chunk): (ChunkPos, &Chunk)| flat.equals(pos, chunk, dust));
    Ok(RuleMeasurement::new("dust / a bit per voxel".to_owned(), [theirs, ours], STEPS, moved, identical))
}

impl RuleMeasurement {
    fn new(workload: String, total_ms: [f64; 2], steps: u64, moved: u64, identical: bool) -> RuleMeasurement {
        let [dense_ms, runs_ms] = total_ms.map(|ms| ms / steps as f64);
        let moved_per_second = moved as f64 / (total_ms[1] / 1e3);
        RuleMeasurement { workload, dense_ms, runs_ms, ratio: dense_ms / runs_ms, moved_per_second, identical }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_workloads_are_measured_and_identical() {
        let rows = measure(64, &mut |_| ()).expect("the rules are valid");
        assert_eq!(rows.len(), 6);
        for row in &rows {
            assert!(row.identical && row.dense_ms > 0.0 && row.runs_ms > 0.0, "{row:?}");
        }
        assert!(rows[0].workload.contains("1%") && rows[0].moved_per_second > 0.0, "{:?}", rows[0]);
        assert_eq!(rows[3].moved_per_second, 0.0, "{:?}", rows[3]);
    }
}
