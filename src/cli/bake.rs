//! `stonerun bake MAP`: computes the visible set of every cell on all cores, and stores it in the
//! map.
//!
//! Maps with smooth ground are refused: their occluders depend on the chunks around, which may be
//! generated later.
//!
//! The map is processed in tiles, so that memory does not limit the size of a map. Results are
//! saved about every second. An interrupted command loses at most the last second, and the next one
//! continues.

use super::number::whole;
use super::output::{self, BakedChunks};
use super::{Outcome, line, map_path, open_for_writing};
use glam::IVec3;
use indicatif::ProgressBar;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use stonerun_engine::save::MapFile;
use stonerun_engine::visibility::bake::{BakedSets, Baker, MAX_VIEW};
use stonerun_engine::visibility::{ChunkOcclusion, OccluderMaterials, PortalGraph};
use stonerun_engine::voxel::{Box3, ChunkPos};
use stonerun_engine::world::view::vertical_reach;

/// Arguments of `bake`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// View distance, in chunks (3 to 24); sets baked for another distance are replaced
    #[arg(long, default_value_t = 16, value_parser = whole::<i32>(3..=MAX_VIEW as u64), allow_negative_numbers = true)]
    view: i32,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Summary of the baked map. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct BakeSummary {
    /// View distance, in chunks.
    view: i32,
    /// Number of chunks of the map.
    chunks: u64,
    /// Number of chunks baked by this command.
    baked: u64,
    /// Number of cells of the map.
    cells: u64,
    /// Share of all pairs of a cell and a section of the map where the cell does not see the
    /// section, from 0 to 1.
    occluded: f64,
    /// Size of the records, in bytes.
    bytes: u64,
    /// Duration of the baking by this command, in seconds.
    seconds: f64,
}

/// Side of a tile, in chunks.
const TILE: i32 = 16;
/// Time between saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let mut map = open_for_writing(&path, "baking")?;
    if OccluderMaterials::new(map.materials()).any_ground() {
        // Cells would have other names in the game, where other chunks lie around.
        return Err(format!(
            "{}: maps with smooth ground cannot be baked; the game computes what is visible",
            path.display()
        ));
    }
    let others =
        map.baked_views().map_err(line)?.into_iter().filter(|baked| baked.view != args.view);
    let others: Vec<_> = others.map(BakedChunks::from).collect();
    if !others.is_empty() {
        eprintln!("stonerun: replacing the baked sets: {}", output::baked_list(&others));
    }
    let started = Instant::now();
    let baked = bake(&mut map, args.view)?;
    let summary = summarise(&map, args.view, baked, started.elapsed().as_secs_f64())?;
    map.close().map_err(line)?;
    if args.json {
        return output::print_json(&summary);
    }
    let number = output::thousands;
    let done = match baked {
        0 => "already baked".to_owned(),
        n => format!("{} baked in {:.1} s", number(n), summary.seconds),
    };
    output::print(&format!(
        "{}: {} chunks, {done}; {} cells, each with {:.2}% of the map's sections hidden at view {}, {} bytes",
        path.display(),
        number(summary.chunks),
        number(summary.cells),
        summary.occluded * 100.0,
        summary.view,
        number(summary.bytes),
    ))
}

/// Bakes the chunks that are not baked yet, and returns their number.
fn bake(map: &mut MapFile, view: i32) -> Result<u64, String> {
    let positions = map.positions();
    let done: FxHashSet<ChunkPos> = map.baked(view).map_err(line)?.into_iter().collect();
    let corners = positions.iter().map(|pos| (pos.as_ivec3(), pos.as_ivec3()));
    let Some((lo, hi)) = corners.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return Ok(0) };
    let mut tiles: BTreeMap<[i32; 3], Vec<ChunkPos>> = BTreeMap::new();
    for &pos in positions.iter().filter(|pos| !done.contains(pos)) {
        tiles.entry(((pos.as_ivec3() - lo) / TILE).to_array()).or_default().push(pos);
    }
    let materials = OccluderMaterials::new(map.materials());
    let bar = output::progress(
        "Baking (safe to interrupt)",
        tiles.values().map(|tile| tile.len() as u64).sum(),
    );
    let reach = IVec3::new(view, vertical_reach(view), view);
    for (tile, chunks) in &tiles {
        let corner = lo + IVec3::from_array(*tile) * TILE;
        let bounds = Box3 { min: lo.max(corner - reach), max: (hi + 1).min(corner + TILE + reach) };
        let mut occlusion = rustc_hash::FxHashMap::default();
        for &pos in positions.iter().filter(|pos| bounds.contains(pos.as_ivec3())) {
            if let Some(chunk) = map.load(pos).map_err(line)? {
                occlusion.insert(
                    pos,
                    ChunkOcclusion::from_chunk(&chunk, |voxel| materials.is_cube(voxel)),
                );
            }
        }
        let graph = PortalGraph::new(bounds, |pos| occlusion.remove(&pos));
        bake_tile(map, &graph, chunks, view, &bar)?;
    }
    let baked = bar.position();
    bar.finish_and_clear();
    Ok(baked)
}

/// Bakes chunks of one tile on all cores, and saves the results at intervals.
fn bake_tile(
    map: &mut MapFile,
    graph: &PortalGraph,
    chunks: &[ChunkPos],
    view: i32,
    bar: &ProgressBar,
) -> Outcome {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let send = send.clone();
            let next = &next;
            scope.spawn(move || {
                let mut baker = Baker::new(view);
                while let Some(&pos) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A closed channel means that a save has failed.
                    if send.send((pos, baker.bake(graph, pos))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut batch: Vec<(ChunkPos, BakedSets)> = Vec::new();
        let mut last_save = Instant::now();
        loop {
            let received = receive.recv_timeout(SAVE_INTERVAL.saturating_sub(last_save.elapsed()));
            let is_last = received == Err(RecvTimeoutError::Disconnected);
            if let Ok(baked) = received {
                batch.push(baked);
                bar.inc(1);
            }
            if !batch.is_empty() && (is_last || last_save.elapsed() >= SAVE_INTERVAL) {
                map.save_visibility(&batch).map_err(line)?;
                batch.clear();
            }
            if last_save.elapsed() >= SAVE_INTERVAL {
                last_save = Instant::now();
            }
            if is_last {
                return Ok(());
            }
        }
    })
}

/// Reads back all baked sets of the map.
fn summarise(map: &MapFile, view: i32, baked: u64, seconds: f64) -> Result<BakeSummary, String> {
    let positions = map.positions();
    let mut summary = BakeSummary {
        view,
        chunks: positions.len() as u64,
        baked,
        cells: 0,
        occluded: 0.0,
        bytes: 0,
        seconds,
    };
    let in_map: FxHashSet<ChunkPos> = positions.iter().copied().collect();
    let mut seen: u64 = 0;
    for pos in positions {
        if let Some((sets, bytes)) = map.visibility(pos).map_err(line)? {
            summary.cells += sets.cells().len() as u64;
            summary.bytes += bytes;
            // Chunks that the map lacks are open, so sets contain them, but they do not count.
            let seen_chunks = (0..sets.cells().len()).flat_map(|cell| sets.seen_by(cell));
            let seen_in_map =
                seen_chunks.filter(|(offset, _)| in_map.contains(&pos.offset(*offset)));
            seen += seen_in_map.map(|(_, sections)| u64::from(sections.count_ones())).sum::<u64>();
        }
    }
    let pairs = summary.cells as f64 * summary.chunks as f64 * 8.0;
    summary.occluded = if pairs > 0.0 { 1.0 - seen as f64 / pairs } else { 0.0 };
    Ok(summary)
}
