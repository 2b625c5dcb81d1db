//! `stonerun new MAP`: creates a map and generates the chunks around its spawn.

use super::number::whole;
use super::{Outcome, line, map_path, output};
use glam::IVec3;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use stonerun_engine::save::{Header, MapBuilder, unix_now};
use stonerun_engine::terrain::{Generator, GroundStyle, TerrainKind, seed};
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::Chunk;

/// Arguments of `new`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The new map's file or name
    map: PathBuf,
    /// Seed of the terrain, a number or a word; by default made from the clock
    #[arg(long, value_name = "SEED", value_parser = seed_argument, allow_hyphen_values = true)]
    seed: Option<SeedArgument>,
    /// Kind of terrain: continents, islands, caverns, flat or void
    #[arg(long, value_name = "NAME", default_value_t = TerrainKind::Continents)]
    terrain: TerrainKind,
    /// Ground of the terrain: blocks or smooth
    #[arg(long, value_name = "NAME", default_value_t = GroundStyle::Blocks)]
    ground: GroundStyle,
    /// Radius around the spawn in which chunks are generated now (0 to 64); the game generates the
    /// others when needed
    #[arg(long, value_name = "CHUNKS", default_value_t = 4, value_parser = whole::<u16>(0..=64), allow_negative_numbers = true)]
    radius: u16,
}

/// A seed, with the text from which it was parsed.
#[derive(Clone, Debug)]
struct SeedArgument {
    seed: u64,
    text: String,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::new(&args.map)?;
    let random = || {
        let seed = seed::random();
        SeedArgument { seed, text: seed::to_text(seed) }
    };
    let SeedArgument { seed, text } = args.seed.clone().unwrap_or_else(random);
    let materials = args.ground.materials();
    let generator = Generator::with_ground(seed, args.terrain, args.ground, &materials);
    let view = generator.first_view(&materials);
    let seed_word = seed::word(&text).unwrap_or_default().to_owned();
    let header = Header::new(seed, args.terrain.name(), unix_now());
    let mut header = Header { seed_word, ground: args.ground, ..header };
    header.place_player(view);
    header.player.flying = args.terrain == TerrainKind::Void;
    let home = ChunkPos::containing(view.feet.floor().as_ivec3());
    let chunks = generate_around(&generator, home, i32::from(args.radius));
    let count = chunks.len();
    let mut map = MapBuilder::new(&path, &header, &materials).map_err(line)?;
    for (pos, chunk) in chunks {
        map.put(pos, chunk, &materials).map_err(line)?;
    }
    map.finish(&header, &materials).map_err(line)?;
    // Void terrain does not depend on a seed.
    let seed =
        if args.terrain == TerrainKind::Void { String::new() } else { format!(", seed {text}") };
    let count = output::thousands(count as u64);
    let ground = match args.ground {
        GroundStyle::Blocks => String::new(),
        ground => format!("{ground} "),
    };
    let place = path.display();
    output::print(&format!("{place}: {count} chunks of {ground}{}{seed}", args.terrain))
}

/// Parses a seed from a number or a word.
fn seed_argument(text: &str) -> Result<SeedArgument, &'static str> {
    let text = text.trim();
    let seed = seed::from_text(text).ok_or("expected a number or a word")?;
    Ok(SeedArgument { seed, text: text.to_owned() })
}

/// Number of chunks that are generated below the surface chunk.
const BELOW: i32 = 2;
/// Number of chunks above the spawn's chunk in which the surface is searched for. No mountain is
/// higher.
const ABOVE: i32 = 12;

/// Generates the columns within `radius` of `spawn` along x and z, on all cores: each column from a
/// little below the ground up to the first chunk of only air.
fn generate_around(generator: &Generator, spawn: ChunkPos, radius: i32) -> Vec<(ChunkPos, Chunk)> {
    let side = 2 * radius + 1;
    let columns = (side * side) as usize;
    let next = AtomicUsize::new(0);
    let generated = Mutex::new(Vec::new());
    let bar = output::progress("Generating the world", columns as u64);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let column = next.fetch_add(1, Ordering::Relaxed);
                    if column >= columns {
                        break;
                    }
                    let x = column as i32 % side - radius;
                    let z = column as i32 / side - radius;
                    let chunks = generate_column(generator, spawn.offset(IVec3::new(x, 0, z)));
                    generated.lock().unwrap_or_else(PoisonError::into_inner).extend(chunks);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    generated.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Generates one column: from [`BELOW`] chunks below `at` up to the first chunk of only air that is
/// not below `at`.
fn generate_column(generator: &Generator, at: ChunkPos) -> Vec<(ChunkPos, Chunk)> {
    let mut chunks = Vec::new();
    for y in -BELOW..=ABOVE {
        let pos = at.offset(IVec3::new(0, y, 0));
        let chunk = generator.chunk(pos);
        let is_last = y >= 0 && chunk.as_uniform().is_some_and(|voxel| voxel.is_air());
        chunks.push((pos, chunk));
        if is_last {
            break;
        }
    }
    chunks
}
