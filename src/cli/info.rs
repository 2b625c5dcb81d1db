//! `stonerun info MAP`: the content and size of a map.
//!
//! Chunks are loaded and counted one at a time, so that memory does not limit the size of a map.

use super::compact::{CodecChunks, chunks_by_codec};
use super::output::{self, BakedChunks};
use super::{Outcome, line, map_path};
use glam::IVec3;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_engine::metrics::{ChunkStats, WorldStats};
use stonerun_engine::save::{MapFile, TableBytes, encoded_sizes};
use stonerun_engine::terrain::{TerrainKind, seed};
use stonerun_engine::voxel::Box3;
use stonerun_engine::world::matter_bounds;

/// Arguments of `info`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Content and size of a map. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct MapInfo {
    name: String,
    /// Seed of the terrain; `None` for void terrain, which does not depend on a seed.
    seed: Option<u64>,
    /// Word from which the seed was made; empty if the seed was given as a number.
    seed_word: String,
    terrain: String,
    /// Style of the ground that the terrain has.
    ground: &'static str,
    chunks: u64,
    voxels: u64,
    nonempty: u64,
    runs: u64,
    voxels_per_run: f64,
    /// Heap memory of the run trees of all chunks, in bytes.
    heap_bytes: u64,
    flat_bytes: u64,
    palette_bytes: u64,
    row_packed_bytes: u64,
    file_bytes: u64,
    rle_bytes: u64,
    /// Size of the chunks as byte-RLE, or with LZ4 where that is smaller, in bytes.
    lz4_bytes: u64,
    data_bytes: u64,
    /// Number of chunks per codec.
    codecs: Vec<CodecChunks>,
    /// Size of each table of the file, in whole pages. The log is in no table.
    tables: Vec<TableBytes>,
    materials: usize,
    /// Smallest box that holds all non-air voxels; an empty box at 0 if there are none.
    bounds: Bounds,
    /// Number of baked chunks per view distance.
    baked: Vec<BakedChunks>,
    /// Damage, one line per damaged part. Unreadable chunks are not counted above.
    damage: Vec<String>,
}

#[derive(Serialize, Debug)]
struct Bounds {
    min: [i32; 3],
    max: [i32; 3],
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let info = count(&path)?;
    for damage in &info.damage {
        eprintln!("stonerun: {damage}");
    }
    if args.json {
        return output::print_json(&info);
    }
    output::print(&table(&info))
}

fn count(path: &Path) -> Result<MapInfo, String> {
    let opened = MapFile::open_read_only(path).map_err(line)?;
    let map = opened.map;
    let mut damage: Vec<String> = opened.damage.iter().map(ToString::to_string).collect();
    let mut stats = WorldStats::default();
    let mut bounds: Option<Box3> = None;
    let mut lz4_bytes = 0;
    let positions = map.positions();
    let bar = output::progress("Counting", positions.len() as u64);
    for pos in positions {
        bar.inc(1);
        match map.load(pos) {
            Ok(Some(chunk)) => {
                stats.add(&ChunkStats::from_chunk(&chunk));
                lz4_bytes += encoded_sizes(&chunk).stored as u64;
                bounds = match (bounds, matter_bounds(pos, &chunk)) {
                    (Some(a), Some(b)) => {
                        Some(Box3 { min: a.min.min(b.min), max: a.max.max(b.max) })
                    }
                    (a, b) => a.or(b),
                };
            }
            Ok(None) => {}
            Err(error) => damage.push(line(error)),
        }
    }
    bar.finish_and_clear();
    let totals = map.totals().map_err(line)?;
    let header = map.header();
    let baked = map.baked_views().map_err(line)?.into_iter().map(BakedChunks::from).collect();
    let bounds = bounds.unwrap_or(Box3 { min: IVec3::ZERO, max: IVec3::ZERO });
    Ok(MapInfo {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        seed: (header.terrain != TerrainKind::Void.name()).then_some(header.seed),
        seed_word: header.seed_word.clone(),
        terrain: header.terrain.clone(),
        ground: header.ground.name(),
        chunks: stats.chunks,
        voxels: stats.voxels(),
        nonempty: stats.sum.nonempty,
        runs: stats.sum.runs,
        voxels_per_run: stats.voxels_per_run(),
        heap_bytes: stats.sum.heap_bytes,
        flat_bytes: stats.chunks * ChunkStats::flat_bytes(),
        palette_bytes: stats.sum.palette_bytes,
        row_packed_bytes: stats.sum.row_packed_bytes,
        file_bytes: totals.file_bytes,
        rle_bytes: totals.rle_bytes,
        lz4_bytes,
        data_bytes: totals.data_bytes,
        codecs: chunks_by_codec(&totals),
        tables: map.tables().map_err(line)?,
        materials: map.materials().len(),
        bounds: Bounds { min: bounds.min.to_array(), max: bounds.max.to_array() },
        baked,
        damage,
    })
}

/// Formats the table, with bytes per voxel next to each size.
fn table(info: &MapInfo) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: String, note: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", format!("{name:<16}{value:>20}{note}").trim_end());
    };
    let per_voxel = |bytes: u64| match info.voxels {
        0 => String::new(),
        voxels => format!("{:>12.4} per voxel", bytes as f64 / voxels as f64),
    };
    let number = output::thousands;
    let corner = |c: [i32; 3]| format!("{}, {}, {}", c[0], c[1], c[2]);
    row("map", info.name.clone(), String::new());
    if let Some(seed) = info.seed {
        let word = if info.seed_word.is_empty() {
            String::new()
        } else {
            format!("  from \"{}\"", info.seed_word)
        };
        row("seed", seed::to_text(seed), word);
    }
    row("terrain", info.terrain.clone(), String::new());
    row("ground", info.ground.to_owned(), String::new());
    row("chunks", number(info.chunks), String::new());
    row("voxels", number(info.voxels), String::new());
    row("  not air", number(info.nonempty), String::new());
    row("  from", corner(info.bounds.min), String::new());
    row("  up to", corner(info.bounds.max), String::new());
    row("materials", number(info.materials as u64), String::new());
    row("runs", number(info.runs), format!("{:>12.2} voxels per run", info.voxels_per_run));
    for (name, bytes) in [
        ("bytes as runs", info.heap_bytes),
        ("  as dense array", info.flat_bytes),
        ("  as palettes", info.palette_bytes),
        ("  as packed rows", info.row_packed_bytes),
        ("file bytes", info.file_bytes),
        ("  chunks, byte-RLE", info.rle_bytes),
        ("  chunks, +LZ4", info.lz4_bytes),
        ("  chunks, stored", info.data_bytes),
    ] {
        row(name, number(bytes), per_voxel(bytes));
    }
    for baked in &info.baked {
        row("chunks baked", number(baked.chunks), format!("{:>12} view distance", baked.view));
    }
    out.pop();
    out
}
