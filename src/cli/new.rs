//! `stonerun new MAP`: makes a map, with the chunks around its spawn ready.

use super::{Outcome, line, map_path, output};
use crate::save::{Header, MapBuilder, unix_now};
use crate::terrain::{Generator, TerrainKind, seed};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use glam::IVec3;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Arguments of `new`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The new map's file or name
    map: PathBuf,
    /// The terrain's seed, a number or a word; else one made from the clock
    #[arg(long, value_name = "SEED", value_parser = seed, allow_hyphen_values = true)]
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
    let seed = args.seed.unwrap_or_else(seed::random);
    let materials = MaterialTable::builtin();
    let generator = Generator::new(seed, args.terrain, &materials);
    let spawn = generator.spawn();
    let mut header = Header::new(seed, args.terrain.name(), unix_now());
    header.spawn = spawn.to_array();
    header.player.position = header.spawn;
    header.player.flying = args.terrain == TerrainKind::Void;
    let chunks = around(&generator, ChunkPos::containing(spawn.floor().as_ivec3()), i32::from(args.radius));
    let made = chunks.len();
    let mut map = MapBuilder::new(&path, &header, &materials).map_err(line)?;
    chunks.into_iter().try_for_each(|(pos, chunk)| map.put(pos, chunk, &materials)).map_err(line)?;
    map.finish(&header, &materials).map_err(line)?;
    output::print(&format!(
        "{}: {} chunks of {}, seed {seed}",
        path.display(),
        output::thousands(made as u64),
        args.terrain
    ))
}

/// The seed that a word or a number stands for.
fn seed(text: &str) -> Result<u64, &'static str> {
    seed::from_text(text).ok_or("a number or a word is needed")
}

/// Chunks below the one with the surface that are made too.
const BELOW: i32 = 2;
/// Chunks above the spawn's that may hold the surface: mountains end lower.
const ABOVE: i32 = 12;

/// The chunks of all columns within `radius` of `spawn` on either axis, from a little below the ground up to
/// the first that is all one value (air), made on all cores.
fn around(generator: &Generator, spawn: ChunkPos, radius: i32) -> Vec<(ChunkPos, Chunk)> {
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
fn column_of(generator: &Generator, at: ChunkPos) -> Vec<(ChunkPos, Chunk)> {
    let mut chunks = Vec::new();
    for y in -BELOW..=ABOVE {
        let pos = at.offset(IVec3::new(0, y, 0));
        let chunk = generator.chunk(pos);
        let done = y >= 0 && chunk.as_uniform().is_some_and(|voxel| voxel.is_air());
        chunks.push((pos, chunk));
        if done {
            break;
        }
    }
    chunks
}
