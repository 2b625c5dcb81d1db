//! Time of one sweep from a cell, with a view distance of 16 chunks, over continents and in
//! caverns; and time from one changed chunk to an updated visible set.
//!
//! Cells are swept in rounds, and the median of each cell counts, so that the spread shows
//! differences between cells. A word after `--` selects the terrains whose names start with it.

use glam::IVec3;
use rustc_hash::FxHashMap;
use std::hint::black_box;
use std::time::Instant;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::visibility::{ChunkOcclusion, PortalGraph, PvsCache, Sweeper};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel, local};
use stonerun_engine::world::World;
use stonerun_lab::input::{Random, generated_world};

const VIEW: i32 = 16;
const CELLS: usize = 200;
const ROUNDS: usize = 9;
/// Edits are made around one cell in this many.
const EDIT_INTERVAL: usize = 10;

fn main() {
    println!(
        "kind          cells  crossed/sweep    p50 us   p99 us    max us   edits   p50 us    max us"
    );
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let kinds = [TerrainKind::Continents, TerrainKind::Caverns];
    for kind in kinds.into_iter().filter(|kind| kind.to_string().starts_with(&wanted)) {
        let radius = VIEW + 2;
        let height = 11;
        let mut world = generated_world(5, kind, radius, height);
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        let chunks: FxHashMap<ChunkPos, ChunkOcclusion> = world
            .chunks()
            .map(|(pos, chunk)| {
                (pos, ChunkOcclusion::from_chunk(chunk, |voxel| face_materials.hides(voxel)))
            })
            .collect();
        let side = IVec3::new(radius, height, radius);
        let graph =
            PortalGraph::new(Box3 { min: -side, max: side }, |pos| chunks.get(&pos).cloned());
        // Cells where players would be, near the middle: up to 20 voxels above ground, or in caves.
        let mut random = Random::new(4);
        let mut cells = Vec::new();
        while cells.len() < CELLS {
            let at = IVec3::from_array([0, 1, 2].map(|axis| {
                let reach = [48, if kind == TerrainKind::Caverns { 48 } else { 100 }, 48][axis];
                (random.draw() >> 33) as i32 % (2 * reach) - reach
            }));
            let pos = ChunkPos::containing(at);
            let Some(cell) = chunks[&pos].cell_at(local(at)) else { continue };
            let is_near_ground = (0..20).any(|down| {
                let below = at - IVec3::Y * down;
                chunks[&ChunkPos::containing(below)].occluders.hides(local(below))
            });
            if is_near_ground {
                cells.push((at, pos, cell));
            }
        }
        let mut sweeper = Sweeper::default();
        let mut times = vec![Vec::new(); CELLS];
        let mut crossed = 0;
        for _ in 0..ROUNDS {
            for ((_, pos, cell), times) in cells.iter().zip(&mut times) {
                let start = Instant::now();
                black_box(sweeper.sweep(&graph, *pos, cell, VIEW));
                times.push(start.elapsed().as_secs_f64() * 1e6);
                crossed += sweeper.crossed;
            }
        }
        let mut medians: Vec<f64> = times
            .into_iter()
            .map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[ROUNDS / 2]
            })
            .collect();
        medians.sort_by(f64::total_cmp);
        let mut edits: Vec<f64> = Vec::new();
        for (at, ..) in cells.iter().step_by(EDIT_INTERVAL) {
            edits.extend(edit_times(&mut world, &face_materials, &chunks, *at));
        }
        edits.sort_by(f64::total_cmp);
        println!(
            "{:12} {CELLS:6} {:15} {:8.0} {:8.0} {:9.0} {:7} {:8.0} {:9.0}",
            kind.to_string(),
            crossed / CELLS / ROUNDS,
            medians[CELLS / 2],
            medians[CELLS * 99 / 100],
            medians[CELLS - 1],
            edits.len(),
            edits[edits.len() / 2],
            edits[edits.len() - 1],
        );
    }
}

/// Opens and closes the nearest hiding voxel below `eye`, and returns the time of each update in
/// microseconds.
fn edit_times(
    world: &mut World,
    face_materials: &FaceMaterials,
    chunks: &FxHashMap<ChunkPos, ChunkOcclusion>,
    eye: IVec3,
) -> Vec<f64> {
    let mut cache = PvsCache::new(ChunkPos::containing(eye), VIEW, |pos| chunks.get(&pos).cloned());
    cache.select(eye, true);
    let below =
        (1..).map(|down| eye - IVec3::Y * down).find(|at| face_materials.hides(world.get(*at)));
    let at = below.expect("ground below the eye");
    let pos = ChunkPos::containing(at);
    let before = world.get(at);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        for voxel in [Voxel::AIR, before] {
            world.set(at, voxel);
            let chunk = world.chunk(pos).expect("the edited chunk is loaded");
            let start = Instant::now();
            cache.set_chunk(
                pos,
                Some(ChunkOcclusion::from_chunk(chunk, |voxel| face_materials.hides(voxel))),
            );
            black_box(cache.select(eye, true));
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times
}
