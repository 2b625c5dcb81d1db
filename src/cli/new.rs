//! `stonerun new MAP`: makes a map, with the chunks around its spawn ready.

use super::{Outcome, line, map_path, output};
use crate::save::{Changes, Header, MapFile};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use glam::IVec3;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Arguments of `new`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The new map's file or name
    map: PathBuf,
    /// The terrain's seed; else one made from the clock
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Kind of terrain: continents, islands, caverns, flat or void
    #[arg(long, value_name = "NAME", default_value_t = TerrainKind::Continents)]
    terrain: TerrainKind,
    /// How far around the spawn chunks are made now; the game makes the rest as one goes
    #[arg(long, value_name = "CHUNKS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=64))]
    radius: u16,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::fresh(&args.map)?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let materials = MaterialTable::builtin();
    let generator = Generator::new(seed, args.terrain, &materials);
    let spawn = generator.spawn();
    let mut header = Header::new(seed, args.terrain.name(), now());
    header.spawn = spawn.to_array();
    header.player.position = header.spawn;
    header.player.flying = args.terrain == TerrainKind::Void;
    let chunks = around(&generator, ChunkPos::containing(spawn.floor().as_ivec3()), i32::from(args.radius));
    let made = chunks.len();
    write_map(&path, Changes { chunks, header, materials, picture: None })?;
    output::print(&format!(
        "{}: {} chunks of {}, seed {seed}",
        path.display(),
        output::thousands(made as u64),
        args.terrain
    ))
}

/// Makes the map's file and saves `all` into it; leaves no file where that fails.
pub(super) fn write_map(path: &Path, all: Changes) -> Outcome {
    let mut map = MapFile::create(path, &all.header, &all.materials).map_err(line)?;
    match map.save(&all) {
        Ok(_) => map.close().map_err(line),
        Err(error) => {
            drop(map);
            // Made by this command a moment ago and of no use to anybody; the first error is the one to tell.
            let _ = std::fs::remove_file(path);
            Err(line(error))
        }
    }
}

/// Seconds since 1970 UTC; 0 with a clock set before.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs())
}

/// Short enough to be told to a friend, different each time: the clock's nanoseconds, mixed.
fn seed_from_clock() -> u64 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos());
    u64::from(crc32fast::hash(&nanos.to_le_bytes()))
}

/// Chunks below the one with the surface that are made too.
const BELOW: i32 = 2;
/// Chunks above the spawn's that may hold the surface: mountains end lower.
const ABOVE: i32 = 12;

/// The chunks of all columns within `radius` of `spawn` on either axis, from a little below the ground up to
/// the first that is all one value (air), made on all cores.
fn around(generator: &Generator, spawn: ChunkPos, radius: i32) -> Vec<(ChunkPos, Arc<Chunk>)> {
    let side = 2 * radius + 1;
    let columns = (side * side) as usize;
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::new());
    let bar = output::progress("Making the world", columns as u64);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let column = next.fetch_add(1, Ordering::Relaxed);
                    if column >= columns {
                        break;
                    }
                    let (x, z) = (column as i32 % side - radius, column as i32 / side - radius);
                    let chunks = column_of(generator, spawn.offset(IVec3::new(x, 0, z)));
                    made.lock().unwrap_or_else(PoisonError::into_inner).extend(chunks);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    made.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The chunks of one column: from [`BELOW`] `at` up to the first uniform one that is at or above `at`.
fn column_of(generator: &Generator, at: ChunkPos) -> Vec<(ChunkPos, Arc<Chunk>)> {
    let mut chunks = Vec::new();
    for y in -BELOW..=ABOVE {
        let pos = at.offset(IVec3::new(0, y, 0));
        let chunk = generator.chunk(pos);
        let done = y >= 0 && chunk.as_uniform().is_some_and(|voxel| voxel.is_air());
        chunks.push((pos, Arc::new(chunk)));
        if done {
            break;
        }
    }
    chunks
}
