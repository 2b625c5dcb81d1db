//! Measurement of visibility: speed, size of the visible sets, and verification by rays.
//!
//! The visible set of random cells of a world is computed twice: by the sweep alone, and refined.
//! Rays, walked voxel by voxel, prove chunks that the set must contain. For comparison, the graph
//! walk of other games (first visit only) is computed as well. *Tightness* is the number of chunks
//! in a set divided by the number of proven chunks, over all cells: 1 would be exactly the visible
//! chunks.
//!
//! Sweeps are timed on one thread with no other work; the rays follow on all cores.

mod computed_sets;
mod edits;
#[cfg(test)]
mod graph_walk_tests;
mod input;
mod measurement;
mod random;
mod ray_scene;
mod ray_verifier;
mod voxel_walk;

pub use computed_sets::{ComputedSets, Misses};
pub use edits::verify_edits;
pub use input::VisibilityInput;
pub use measurement::{VisibilityMeasurement, VisibilityOptions};
pub use ray_scene::{OccluderEdit, OccluderHit, RayEntry, RayScene};
pub use ray_verifier::RayVerifier;
pub use voxel_walk::VoxelWalk;

use crate::input::{InputError, Random};
use glam::IVec3;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use stonerun_engine::visibility::{Sweeper, bitset, graph_walk, refine};

/// Number of sweeps of each cell, the median time of which counts.
const SWEEPS: usize = 3;

/// The sets of a cell and the times to compute them.
struct TimedCell {
    viewer: IVec3,
    sets: ComputedSets,
    sweep_ms: f64,
    refine_ms: f64,
}

/// Results of the rays from some cells.
#[derive(Default)]
struct RayFindings {
    misses: Misses,
    /// Number of chunks proven visible.
    proven: u64,
    /// Number of chunks in the graph walk's sets.
    walk: u64,
    /// Number of proven chunks that the graph walk does not visit.
    walk_missed: u64,
}

/// Measures a world. `progress` receives the completed share, from 0 to 1.
///
/// # Errors
/// The world has no voxel for a viewer.
pub fn measure(
    input: &VisibilityInput,
    options: &VisibilityOptions,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<VisibilityMeasurement, InputError> {
    let viewers = input.viewers(options.cells)?;
    let count = viewers.len();
    let done = AtomicUsize::new(0);
    let step = || progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / (2 * count) as f32);
    let mut sweeper = Sweeper::default();
    let mut cells = Vec::with_capacity(count);
    let mut in_view = 0;
    for viewer in viewers {
        let scene = RayScene::new(viewer, options.view, |pos| input.chunk(pos));
        in_view += (0..scene.graph().index().len()).filter(|&chunk| scene.is_in_view(chunk)).count()
            as u64;
        cells.extend(time_cell(&scene, &mut sweeper));
        step();
    }
    let RayFindings { misses, proven, walk, walk_missed } =
        verify_cells(input, options, &cells, &step);
    let total = |set: fn(&ComputedSets) -> &[u64]| {
        cells.iter().map(|cell| bitset::count(set(&cell.sets))).sum::<u64>()
    };
    let swept = total(|sets| &sets.sweep.chunks);
    let refined = total(|sets| &sets.refined);
    let share = |part: u64, whole: u64| part as f64 / whole as f64;
    let [sweep, refine] = [|cell: &TimedCell| cell.sweep_ms, |cell: &TimedCell| cell.refine_ms]
        .map(|ms| {
            let mut times: Vec<_> = cells.iter().map(ms).collect();
            times.sort_by(f64::total_cmp);
            [50, 99].map(|percentile| times[count * percentile / 100])
        });
    Ok(VisibilityMeasurement {
        name: input.name.clone(),
        view: options.view,
        cells: count as u64,
        chunks: in_view,
        occluded: 1.0 - share(refined, in_view),
        sweep_occluded: 1.0 - share(swept, in_view),
        sweep_ms_p50: sweep[0],
        sweep_ms_p99: sweep[1],
        refine_ms_p50: refine[0],
        refine_ms_p99: refine[1],
        rays: options.rays,
        edits: options.edits,
        missed: misses.count(),
        missed_chunks: misses.chunks,
        missed_rooms: misses.rooms,
        missed_refined: misses.refined,
        misses: misses.first,
        proven_chunks: proven,
        sweep_chunks: swept,
        refined_chunks: refined,
        walk_chunks: walk,
        tightness: share(refined, proven),
        sweep_tightness: share(swept, proven),
        walk_tightness: share(walk, proven),
        walk_missed,
    })
}

/// Sweeps and refines the viewer's cell; `None` if the viewer's voxel is an occluder.
fn time_cell(scene: &RayScene, sweeper: &mut Sweeper) -> Option<TimedCell> {
    let cell = scene.cell()?;
    let mut times = [(); SWEEPS].map(|()| {
        let start = Instant::now();
        sweeper.sweep(scene.graph(), scene.centre(), &cell, scene.view());
        milliseconds(start)
    });
    times.sort_by(f64::total_cmp);
    let sweep = sweeper.sweep(scene.graph(), scene.centre(), &cell, scene.view()).clone();
    let start = Instant::now();
    let refined = refine(scene.graph().occlusion(), scene.centre(), &cell, &sweep.chunks);
    let refine_ms = milliseconds(start);
    let sets = ComputedSets { sweep, refined };
    Some(TimedCell { viewer: scene.viewer(), sets, sweep_ms: times[SWEEPS / 2], refine_ms })
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Casts the rays from all cells, on all cores.
fn verify_cells(
    input: &VisibilityInput,
    options: &VisibilityOptions,
    cells: &[TimedCell],
    step: &(dyn Fn() + Sync),
) -> RayFindings {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut findings = RayFindings::default();
        let mut sweeper = Sweeper::default();
        while let Some((i, cell)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, cells.get(i)?)))
        {
            findings.add(verify_cell(input, options, cell, i, cells.len(), &mut sweeper));
            step();
        }
        findings
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(cells.len());
    let mut all = RayFindings::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            all.add(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
    });
    all
}

/// Casts the rays from cell `index` of `count`, and makes its share of the edits.
fn verify_cell(
    input: &VisibilityInput,
    options: &VisibilityOptions,
    timed: &TimedCell,
    index: usize,
    count: usize,
    sweeper: &mut Sweeper,
) -> RayFindings {
    let share = |whole: u64| {
        whole * (index as u64 + 1) / count as u64 - whole * index as u64 / count as u64
    };
    let edits = share(options.edits);
    let rays = share(options.rays);
    let rays_between_edits = if edits > 0 { rays / 2 } else { 0 };
    let mut random = Random::new(index as u64);
    let mut scene = RayScene::new(timed.viewer, options.view, |pos| input.chunk(pos));
    let Some(cell) = scene.cell() else { return RayFindings::default() };
    let walk = graph_walk(scene.graph().occlusion(), scene.centre(), &cell, scene.view());
    let mut verifier = RayVerifier::new(&mut scene, &cell, &timed.sets, &mut random);
    verifier.cast(rays - rays_between_edits);
    let (proven, misses) = verifier.finish();
    let mut findings = RayFindings {
        misses,
        proven: bitset::count(&proven),
        walk: bitset::count(&walk),
        walk_missed: bitset::count_beyond(&proven, &walk),
    };
    findings.misses.add(verify_edits(&mut scene, sweeper, &mut random, edits, rays_between_edits));
    findings
}

impl RayFindings {
    fn add(&mut self, other: RayFindings) {
        self.misses.add(other.misses);
        self.proven += other.proven;
        self.walk += other.walk;
        self.walk_missed += other.walk_missed;
    }
}
