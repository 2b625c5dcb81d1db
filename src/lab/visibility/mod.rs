//! Visibility measured: how fast it is, how much it holds, and whether rays find anything that it has missed.
//!
//! From random cells of a world everything in view is computed, twice: by the sweep alone, and refined. Rays, walked voxel by
//! voxel, say what must be in it at least; and the first-visit graph walk that other games use stands beside it. *Tightness* is
//! the number of chunks in a set, of all cells together, divided by that of the chunks that rays came into: 1 would be all that
//! is seen and nothing else.
//!
//! Sweeps are timed on one thread with nothing else running, the rays come afterwards on all cores.

mod edits;
#[cfg(test)]
mod graph_walk_tests;
mod judge;
mod random;
mod ray;
mod scene;
mod subject;

pub use edits::judge_edits;
pub use judge::{Judge, Missed, Sets};
pub use ray::Voxels;
pub use scene::{Entry, Hit, Scene};
pub use subject::Subject;

use crate::lab::input::Random;
use crate::visibility::{Sweeper, bitset, graph_walk, refine};
use glam::IVec3;
use serde::Serialize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Times that a cell is swept: the median counts.
const SWEEPS: usize = 3;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Cells.
    pub cells: usize,
    /// How far one sees, in chunks.
    pub view: i32,
    /// Rays from all cells together.
    pub rays: u64,
    /// Edits around all cells together; half of the rays are cast between them.
    pub edits: u64,
}

/// The figures of one world, under the names they have as JSON. Chunks are counted from each cell, of all cells together.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Figures {
    /// What was measured.
    pub name: String,
    /// How far one sees, in chunks.
    pub view: i32,
    /// Cells.
    pub cells: u64,
    /// Chunks in view, be they hidden or not.
    pub chunks: u64,
    /// The part of them that is not in the refined set, from 0 to 1.
    pub occluded: f64,
    /// The part that is not in the sweep's set.
    pub sweep_occluded: f64,
    /// Milliseconds of a sweep, median of all cells.
    pub sweep_ms_p50: f64,
    /// Milliseconds of a sweep, 99 of 100 cells take less.
    pub sweep_ms_p99: f64,
    /// Milliseconds of a refinement, median of all cells.
    pub refine_ms_p50: f64,
    /// Milliseconds of a refinement, 99 of 100 cells take less.
    pub refine_ms_p99: f64,
    /// Rays.
    pub rays: u64,
    /// Edits between them.
    pub edits: u64,
    /// Chunks and rooms that rays came into and that are not in a set; must be 0.
    pub missed: u64,
    /// Of these, the chunks that are not in the sweep's set.
    pub missed_chunks: u64,
    /// The rooms that are not in the sweep's set.
    pub missed_rooms: u64,
    /// The chunks that the refinement took out.
    pub missed_refined: u64,
    /// The first few of them, a line each.
    pub misses: Vec<String>,
    /// Chunks that rays came into, before any edit.
    pub proven_chunks: u64,
    /// Chunks in the sweep's set.
    pub sweep_chunks: u64,
    /// Chunks in the refined set.
    pub refined_chunks: u64,
    /// Chunks in the graph walk's.
    pub walk_chunks: u64,
    /// Of the refined set: its chunks, divided by those that rays prove.
    pub tightness: f64,
    /// Of the sweep's set.
    pub sweep_tightness: f64,
    /// Of the graph walk's.
    pub walk_tightness: f64,
    /// Chunks that rays prove and the graph walk does not visit.
    pub walk_missed: u64,
}

/// What was timed of a cell, and what came of it.
struct Timed {
    viewer: IVec3,
    sets: Sets,
    sweep_ms: f64,
    refine_ms: f64,
}

/// What rays found, of some cells.
#[derive(Default)]
struct Found {
    missed: Missed,
    proven: u64,
    walk: u64,
    walk_missed: u64,
}

/// Measures a world. `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// There is no place in it to look from: one line.
pub fn measure(subject: &Subject, options: &Options, progress: &(dyn Fn(f32) + Sync)) -> Result<Figures, String> {
    let viewers = subject.viewers(options.cells)?;
    let count = viewers.len();
    let done = AtomicUsize::new(0);
    let step = || progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / (2 * count) as f32);
    let mut sweeper = Sweeper::default();
    let mut cells = Vec::with_capacity(count);
    let mut in_view = 0;
    for viewer in viewers {
        let scene = Scene::new(viewer, options.view, |pos| subject.sight(pos));
        in_view += (0..scene.window().index().len()).filter(|&chunk| scene.is_in_view(chunk)).count() as u64;
        cells.extend(timed(&scene, &mut sweeper));
        step();
    }
    let found = judged(subject, options, &cells, &step);
    let of = |set: fn(&Sets) -> &[u64]| cells.iter().map(|cell| bitset::count(set(&cell.sets))).sum::<u64>();
    let (swept, refined) = (of(|sets| &sets.sweep.chunks), of(|sets| &sets.refined));
    let part = |part: u64, whole: u64| part as f64 / whole as f64;
    let [sweep, refine] = [|cell: &Timed| cell.sweep_ms, |cell: &Timed| cell.refine_ms].map(|ms| {
        let mut times: Vec<_> = cells.iter().map(ms).collect();
        times.sort_by(f64::total_cmp);
        [50, 99].map(|part| times[count * part / 100])
    });
    let Found { missed, proven, walk, walk_missed } = found;
    Ok(Figures {
        name: subject.name.clone(),
        view: options.view,
        cells: count as u64,
        chunks: in_view,
        occluded: 1.0 - part(refined, in_view),
        sweep_occluded: 1.0 - part(swept, in_view),
        sweep_ms_p50: sweep[0],
        sweep_ms_p99: sweep[1],
        refine_ms_p50: refine[0],
        refine_ms_p99: refine[1],
        rays: options.rays,
        edits: options.edits,
        missed: missed.count(),
        missed_chunks: missed.chunks,
        missed_rooms: missed.rooms,
        missed_refined: missed.refined,
        misses: missed.first,
        proven_chunks: proven,
        sweep_chunks: swept,
        refined_chunks: refined,
        walk_chunks: walk,
        tightness: part(refined, proven),
        sweep_tightness: part(swept, proven),
        walk_tightness: part(walk, proven),
        walk_missed,
    })
}

/// Sweeps and refines the viewer's cell; none if the viewer is in rock.
fn timed(scene: &Scene, sweeper: &mut Sweeper) -> Option<Timed> {
    let cell = scene.cell()?;
    let mut times = [(); SWEEPS].map(|()| {
        let start = Instant::now();
        sweeper.sweep(scene.window(), scene.centre(), &cell, scene.view());
        milliseconds(start)
    });
    times.sort_by(f64::total_cmp);
    let sweep = sweeper.sweep(scene.window(), scene.centre(), &cell, scene.view()).clone();
    let start = Instant::now();
    let refined = refine(scene.window().occlusion(), scene.centre(), &cell, &sweep.chunks);
    let refine_ms = milliseconds(start);
    Some(Timed { viewer: scene.viewer(), sets: Sets { sweep, refined }, sweep_ms: times[SWEEPS / 2], refine_ms })
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Casts the rays from all cells, on all cores.
fn judged(subject: &Subject, options: &Options, cells: &[Timed], step: &(dyn Fn() + Sync)) -> Found {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Found::default();
        let mut sweeper = Sweeper::default();
        while let Some((i, cell)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, cells.get(i)?))) {
            found.add(judge_cell(subject, options, cell, i, cells.len(), &mut sweeper));
            step();
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(cells.len());
    let mut all = Found::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            all.add(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
    });
    all
}

/// Casts the rays from the cell with number `i` of `count`, and makes its share of the edits.
fn judge_cell(
    subject: &Subject,
    options: &Options,
    timed: &Timed,
    i: usize,
    count: usize,
    sweeper: &mut Sweeper,
) -> Found {
    let share = |whole: u64| whole * (i as u64 + 1) / count as u64 - whole * i as u64 / count as u64;
    let (edits, rays) = (share(options.edits), share(options.rays));
    let between = if edits > 0 { rays / 2 } else { 0 };
    let mut random = Random::new(i as u64);
    let mut scene = Scene::new(timed.viewer, options.view, |pos| subject.sight(pos));
    let Some(cell) = scene.cell() else { return Found::default() };
    let walk = graph_walk(scene.window().occlusion(), scene.centre(), &cell, scene.view());
    let mut judge = Judge::new(&mut scene, &cell, &timed.sets, &mut random);
    judge.cast(rays - between);
    let (proven, missed) = judge.verdict();
    let mut found = Found {
        missed,
        proven: bitset::count(&proven),
        walk: bitset::count(&walk),
        walk_missed: bitset::count_beyond(&proven, &walk),
    };
    found.missed.add(judge_edits(&mut scene, sweeper, &mut random, edits, between));
    found
}

impl Found {
    fn add(&mut self, other: Found) {
        self.missed.add(other.missed);
        self.proven += other.proven;
        self.walk += other.walk;
        self.walk_missed += other.walk_missed;
    }
}
