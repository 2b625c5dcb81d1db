//! `stonerun bake MAP`: what every cell of a map sees, computed on all cores and kept in the map.
//!
//! The map is gone through in tiles, so that one of any size fits in memory. What is done is saved about every second: who stops
//! the command loses no more than that, and it goes on where it was.

use super::{Outcome, line, map_path, output};
use crate::mesh::FaceMaterials;
use crate::save::MapFile;
use crate::visibility::bake::{BakedSets, Baker, MAX_VIEW};
use crate::visibility::{ChunkOcclusion, PortalGraph};
use crate::voxel::{Box3, ChunkPos};
use crate::world::view::vertical_reach;
use glam::IVec3;
use indicatif::ProgressBar;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Arguments of `bake`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// How far one sees, in chunks: 3 to 24. A map holds what is baked for one distance: that for another is replaced
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(i32).range(3..=i64::from(MAX_VIEW)))]
    view: i32,
    /// Print JSON instead of a line
    #[arg(long)]
    json: bool,
}

/// The figures, under the names they have as JSON.
#[derive(Serialize, Debug)]
struct Figures {
    /// Chunks around a cell that are looked at.
    view: i32,
    chunks: u64,
    /// Chunks that were baked now; the others had been before.
    baked: u64,
    cells: u64,
    /// The part of all pairs of a cell and a section of the map of which the cell does not see the section, from 0 to 1.
    occluded: f64,
    /// Bytes of the records.
    bytes: u64,
    /// Seconds that baking took now.
    seconds: f64,
}

/// Chunks along the side of a tile.
const TILE: i32 = 16;
/// What is done is saved as often.
const SAVED_EVERY: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    // To open it for writing would mend it, and what cannot be read is not to be lost by the way.
    if let Some(damage) = MapFile::open_read_only(&path).map_err(line)?.damage {
        return Err(format!("{damage}; `stonerun verify --repair` comes before baking"));
    }
    let mut map = MapFile::open(&path).map_err(line)?.map;
    let others = map.baked_views().map_err(line)?.into_iter().filter(|baked| baked.view != args.view);
    let others: Vec<_> = others.map(output::Baked::from).collect();
    if !others.is_empty() {
        eprintln!("stonerun: replacing what is baked: {}", output::baked(&others));
    }
    let started = Instant::now();
    let baked = bake(&mut map, args.view)?;
    let figures = figures(&map, args.view, baked, started.elapsed().as_secs_f64())?;
    map.close().map_err(line)?;
    if args.json {
        return output::print(&serde_json::to_string_pretty(&figures).map_err(line)?);
    }
    let number = output::thousands;
    let done = match baked {
        0 => "nothing to do, all of it is baked".to_owned(),
        n => format!("{} baked in {:.1} s", number(n), figures.seconds),
    };
    output::print(&format!(
        "{}: {} chunks, {done}: {} cells, {:.2}% of the map's sections hidden from each at view {}, {} bytes",
        path.display(),
        number(figures.chunks),
        number(figures.cells),
        figures.occluded * 100.0,
        figures.view,
        number(figures.bytes),
    ))
}

/// Bakes what is not baked yet; returns how many chunks.
fn bake(map: &mut MapFile, view: i32) -> Result<u64, String> {
    let all = map.positions();
    let done: FxHashSet<ChunkPos> = map.baked(view).map_err(line)?.into_iter().collect();
    let corners = all.iter().map(|pos| (pos.as_ivec3(), pos.as_ivec3()));
    let Some((lo, hi)) = corners.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return Ok(0) };
    let mut tiles: BTreeMap<[i32; 3], Vec<ChunkPos>> = BTreeMap::new();
    for &pos in all.iter().filter(|pos| !done.contains(pos)) {
        tiles.entry(((pos.as_ivec3() - lo) / TILE).to_array()).or_default().push(pos);
    }
    let looks = FaceMaterials::new(map.materials());
    let bar = output::progress("Baking (stop it at any time)", tiles.values().map(|tile| tile.len() as u64).sum());
    let reach = IVec3::new(view, vertical_reach(view), view);
    for (tile, chunks) in &tiles {
        let corner = lo + IVec3::from_array(*tile) * TILE;
        let bounds = Box3 { min: lo.max(corner - reach), max: (hi + 1).min(corner + TILE + reach) };
        let mut sights = rustc_hash::FxHashMap::default();
        for &pos in all.iter().filter(|pos| bounds.contains(pos.as_ivec3())) {
            if let Some(chunk) = map.load(pos).map_err(line)? {
                sights.insert(pos, ChunkOcclusion::from_chunk(&chunk, |voxel| looks.hides(voxel)));
            }
        }
        let window = PortalGraph::new(bounds, |pos| sights.remove(&pos));
        bake_tile(map, &window, chunks, view, &bar)?;
    }
    let baked = bar.position();
    bar.finish_and_clear();
    Ok(baked)
}

/// Bakes chunks of one window on all cores, and saves what is done from time to time.
fn bake_tile(map: &mut MapFile, window: &PortalGraph, chunks: &[ChunkPos], view: i32, bar: &ProgressBar) -> Outcome {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut baker = Baker::new(view);
                while let Some(&pos) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more once a save has failed.
                    if send.send((pos, baker.bake(window, pos))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut batch: Vec<(ChunkPos, BakedSets)> = Vec::new();
        let mut saved = Instant::now();
        loop {
            let received = receive.recv_timeout(SAVED_EVERY.saturating_sub(saved.elapsed()));
            let is_last = received == Err(RecvTimeoutError::Disconnected);
            if let Ok(one) = received {
                batch.push(one);
                bar.inc(1);
            }
            if !batch.is_empty() && (is_last || saved.elapsed() >= SAVED_EVERY) {
                map.save_visibility(&batch).map_err(line)?;
                batch.clear();
            }
            if saved.elapsed() >= SAVED_EVERY {
                saved = Instant::now();
            }
            if is_last {
                return Ok(());
            }
        }
    })
}

fn figures(map: &MapFile, view: i32, baked: u64, seconds: f64) -> Result<Figures, String> {
    let all = map.positions();
    let mut figures = Figures { view, chunks: all.len() as u64, baked, cells: 0, occluded: 0.0, bytes: 0, seconds };
    let there: FxHashSet<ChunkPos> = all.iter().copied().collect();
    let mut seen: u64 = 0;
    for pos in all {
        if let Some((sets, bytes)) = map.visibility(pos).map_err(line)? {
            figures.cells += sets.cells().len() as u64;
            figures.bytes += bytes;
            // What is not there is open, and seen, but nothing to be drawn.
            let of_cells = (0..sets.cells().len()).flat_map(|cell| sets.seen_by(cell));
            let of_map = of_cells.filter(|(offset, _)| there.contains(&pos.offset(*offset)));
            seen += of_map.map(|(_, sections)| u64::from(sections.count_ones())).sum::<u64>();
        }
    }
    let pairs = figures.cells as f64 * figures.chunks as f64 * 8.0;
    figures.occluded = if pairs > 0.0 { 1.0 - seen as f64 / pairs } else { 0.0 };
    Ok(figures)
}
