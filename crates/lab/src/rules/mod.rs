//! Rules compared with a scan over a flat array, and dust compared with a bit per voxel.
//!
//! The engine and its rival do the same steps on one thread, and their voxels are compared at the
//! end. The engine's time includes writing the changed chunks as runs after each step, for dust
//! only after the last step.

mod bit_dust;
mod flat_scan;

use super::input::{Random, ZERO_FPS_SIDE, generated_world, zero_fps_world};
use bit_dust::BitDust;
use flat_scan::{FlatScan, RuleMaterials};
use glam::IVec3;
use serde::Serialize;
use std::time::Instant;
use stonerun_engine::rules::{RuleError, RuleSet, Rules};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};

/// The rules of the tables. [`FlatScan`] implements the same rules.
const RULES: &str = r#"[
    Powder(materials: ["sand", "red_sand", "gravel", "snow"]),
    Liquid(material: "water", least_depth: 16),
    Liquid(material: "lava", least_depth: 96, every: 6),
    Change(name: "lava turns to stone in water", of: ["lava"], when: [Near(of: ["water"])], becomes: "stone"),
]"#;
/// The rule of dust.
const DUST: &str = r#"[Powder(materials: ["sand"])]"#;
/// Maximum number of steps until terrain is at rest.
const SETTLING: u64 = 400;
/// Maximum number of nodes that Luanti updates per second (`liquid_loop_max`, one step per second).
pub const LUANTI_NODES_PER_SECOND: f64 = 100_000.0;

/// Row of the table of rules. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct RuleMeasurement {
    /// Name of the workload and of the rival.
    pub workload: String,
    /// Time per step of the rival, in milliseconds.
    pub dense_ms: f64,
    /// Time per step of the engine, in milliseconds.
    pub runs_ms: f64,
    /// Time of the rival divided by the engine's time.
    pub ratio: f64,
    /// Number of pairs of voxels between which matter moved, per second of the engine's time.
    pub moved_per_second: f64,
    /// Share of the rows that are active before a step, as the mean of the first and the last step.
    pub active_share: f64,
    /// True if both results have the same voxels.
    pub identical: bool,
}

/// A world to measure.
struct Workload {
    name: String,
    world: World,
    area: Box3,
    steps: u64,
    /// True if all voxels are woken before each step.
    wakes_all: bool,
    /// Function that changes the world after it has settled; `None` starts without settling it.
    prepare: Option<fn(&mut World, Box3)>,
}

/// Measures all workloads on cubes of `side` voxels, a multiple of 64. `progress` receives the
/// completed share, from 0 to 1.
///
/// # Errors
/// The rules cannot be read: a defect of the table.
pub fn measure(
    side: i32,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<RuleMeasurement>, RuleError> {
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
    let (zero_fps, zero_fps_area) = zero_fps(side);
    let load = |name: &str, world: World, area: Box3, steps: u64| Workload {
        name: name.to_owned(),
        world,
        area,
        steps,
        wakes_all: false,
        prepare: None,
    };
    vec![
        Workload { prepare: Some(pour), ..load("terrain, 1% of rows active", terrain(), cube, 8) },
        Workload { wakes_all: true, ..load("terrain, everything active", terrain(), cube, 8) },
        Workload {
            wakes_all: true,
            ..load("0fps world, everything active", zero_fps, zero_fps_area, 8)
        },
        Workload { prepare: Some(|_, _| ()), ..load("terrain at rest", terrain(), cube, 8) },
        load("dam breaks", dam(side), Box3 { min: IVec3::ZERO, max: IVec3::splat(side) }, 24),
    ]
}

/// The 0fps text's world, or the middle of it. Its surface is at half its height.
fn zero_fps(side: i32) -> (World, Box3) {
    let whole = zero_fps_world();
    let side = side.min(ZERO_FPS_SIDE);
    let min = whole.bounds.min.with_y(ZERO_FPS_SIDE / 2 - side / 2);
    let area = Box3 { min, max: min + side };
    let mut world = World::new();
    for pos in area.chunks() {
        world.insert(pos, whole.world.chunk(pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR)));
    }
    (world, area)
}

/// Puts heaps of sand and water of 8^3 voxels into the air, enough to make 1% of the rows of 32
/// voxels active. A heap keeps about 400 rows active while it falls and spreads.
fn pour(world: &mut World, area: Box3) {
    /// Number of rows that a heap keeps active.
    const ROWS_PER_HEAP: u64 = 400;
    let materials = MaterialTable::builtin();
    let heaps = ["sand", "water"].map(|name| materials.find(name).map_or(Voxel::AIR, Voxel::full));
    let mut random = Random::new(3);
    let count = (area.volume() / 32 / 100 / ROWS_PER_HEAP).max(1);
    let mut poured = 0;
    while poured < count {
        let bits = random.draw();
        let size = area.size() - 8;
        let part = |shift: u32, side: i32| ((bits >> shift & 0xFFFF) as i32 * side) >> 16;
        let at = area.min + IVec3::new(part(0, size.x), part(16, size.y), part(32, size.z));
        if world.get(at).is_air() && world.get(at + 7).is_air() {
            world.fill(Box3 { min: at, max: at + 8 }, heaps[poured as usize % 2]);
            poured += 1;
        }
    }
}

/// A stone floor with water on five eighths of it, without the dam that held the water.
fn dam(side: i32) -> World {
    let materials = MaterialTable::builtin();
    let [stone, water] =
        ["stone", "water"].map(|name| materials.find(name).map_or(Voxel::AIR, Voxel::full));
    let mut world = World::new();
    let all = Box3 { min: IVec3::ZERO, max: IVec3::splat(side) };
    for pos in all.chunks() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    world.fill(Box3 { max: IVec3::new(side, 8, side), ..all }, stone);
    world.fill(Box3 { min: IVec3::new(0, 8, 0), max: IVec3::new(side * 5 / 8, side, side) }, water);
    world
}

fn rules(text: &str, materials: &MaterialTable, world: &World) -> Result<Rules, RuleError> {
    let mut rules = Rules::new(RuleSet::parse(text, "the laboratory's rules", materials)?, 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    Ok(rules)
}

/// Moves the changed chunks into the world.
fn commit(world: &mut World, rules: &mut Rules) {
    for (pos, chunk) in rules.take_changes() {
        world.insert(pos, chunk);
    }
}

/// Runs `work` on one thread, as the rival does, and returns its time in milliseconds.
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
        // Lets everything that is at rest fall asleep, so that only the changed voxels stay active.
        for _ in 0..12 {
            rules.step(&world);
            commit(&mut world, &mut rules);
        }
    }
    let id = |name: &str| materials.find(name).unwrap_or_default();
    let named = RuleMaterials {
        powder: ["sand", "red_sand", "gravel", "snow"].map(id),
        water: id("water"),
        lava: id("lava"),
        stone: id("stone"),
    };
    let mut flat = FlatScan::new(&world, area, &named);
    let first = rules.next_step();
    let active_voxels =
        |rules: &Rules| rules.active_blocks().iter().map(|block| block.volume()).sum::<u64>();
    let active_before = active_voxels(&rules);
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
    let theirs = time_on_one_thread(|| {
        for step in first..first + steps {
            flat.step(step);
        }
    });
    let active = if wakes_all { 2 * area.volume() } else { active_before + active_voxels(&rules) };
    Ok(RuleMeasurement {
        active_share: active as f64 / 2.0 / area.volume() as f64,
        identical: world.chunks().all(|(pos, chunk)| flat.equals(pos, chunk)),
        ..RuleMeasurement::new(
            format!("{name} / scan of a flat array"),
            [theirs, ours],
            steps,
            moved,
        )
    })
}

/// Measures dust: a quarter of the voxels are dust, which falls.
fn dust(side: i32, materials: &MaterialTable) -> Result<RuleMeasurement, RuleError> {
    /// Number of timed steps.
    const STEPS: u64 = 32;
    let dust = Voxel::full(materials.find("sand").unwrap_or_default());
    let area = Box3 { min: IVec3::ZERO, max: IVec3::splat(side) };
    let mut world = World::new();
    let mut random = Random::new(3);
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
    let theirs = time_on_one_thread(|| {
        for step in 0..STEPS {
            flat.step(step);
        }
    });
    Ok(RuleMeasurement {
        active_share: 1.0,
        identical: world
            .chunks()
            .all(|(pos, chunk): (ChunkPos, &Chunk)| flat.equals(pos, chunk, dust)),
        ..RuleMeasurement::new("dust / a bit per voxel".to_owned(), [theirs, ours], STEPS, moved)
    })
}

impl RuleMeasurement {
    /// Makes a row of the total times of the rival and the engine, in this order.
    fn new(workload: String, total_ms: [f64; 2], steps: u64, moved: u64) -> RuleMeasurement {
        let [dense_ms, runs_ms] = total_ms.map(|ms| ms / steps as f64);
        let moved_per_second = moved as f64 / (total_ms[1] / 1e3);
        let ratio = dense_ms / runs_ms;
        RuleMeasurement {
            workload,
            dense_ms,
            runs_ms,
            ratio,
            moved_per_second,
            active_share: 0.0,
            identical: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_gives_identical_voxels() {
        let rows = measure(64, &mut |_| ()).expect("the rules are valid");
        assert_eq!(rows.len(), 6);
        for row in &rows {
            assert!(row.identical && row.dense_ms > 0.0 && row.runs_ms > 0.0, "{row:?}");
        }
        assert!(rows[0].workload.contains("1%") && rows[0].moved_per_second > 0.0, "{:?}", rows[0]);
        assert_eq!(rows[3].moved_per_second, 0.0, "{:?}", rows[3]);
    }
}
