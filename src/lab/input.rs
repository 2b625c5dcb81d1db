//! What the stores are filled with: values of 16 bits by chunk.
//!
//! The rivals hold one number a voxel, as those of the texts do. So the different voxels of an input are numbered, air
//! first, and all stores hold these numbers, ours too.

use crate::exchange::{self, Imported};
use crate::save::MapFile;
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::path::Path;

/// The number of a kind of voxel; 0 is air.
pub type Value = u16;

/// A world of numbered voxels.
pub struct Input {
    /// What it is called in the tables.
    pub name: String,
    /// Chunks of `Voxel::full(value)`; an absent one is air.
    pub world: World,
    /// The smallest box of whole chunks, in voxels, that holds all of `world`.
    pub bounds: Box3,
    /// One more than the greatest value.
    pub values: usize,
}

/// Side of the 0fps text's world, in voxels.
pub const SIDE_0FPS: i32 = 256;
/// Kinds of the voxels sprinkled into it.
const SPRINKLED_KINDS: u64 = 32;
/// How many of them.
const SPRINKLED: usize = 1 << 16;

/// The world of the 0fps text's benchmark: 256^3 voxels, four layers 32 thick and air above them, and 2^16 voxels of 32
/// kinds sprinkled around. (In the original code the layers were never written; here they are.)
#[must_use]
pub fn zero_fps() -> Input {
    let side = SIDE_0FPS as usize;
    let mut flat: Vec<Value> = vec![0; side * side * side];
    for (layer, voxels) in flat.chunks_mut(32 * side * side).take(4).enumerate() {
        voxels.fill(1 + layer as Value);
    }
    let mut random = Random::new(2012);
    for _ in 0..SPRINKLED {
        let [place, kind] = [random.draw() >> 40, random.draw() >> 33];
        flat[place as usize % (side * side * side)] = 5 + (kind % SPRINKLED_KINDS) as Value;
    }
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(SIDE_0FPS) };
    let mut world = World::new();
    for pos in bounds.chunks() {
        let origin = pos.origin();
        let rows = (0..1024).flat_map(|row| {
            let (y, z) = (origin.y as usize + row / 32, origin.z as usize + row % 32);
            let at = (y * side + z) * side + origin.x as usize;
            flat[at..at + 32].iter().map(|&value| (1, Voxel::full(value)))
        });
        world.insert(pos, Chunk::from_runs(rows));
    }
    Input { name: "0fps".to_owned(), world, bounds, values: 5 + SPRINKLED_KINDS as usize }
}

/// What a file is called in the tables: its name, without what says which format it is; a folder's name is whole, as it
/// says no format: `World 1.20.1`.
#[must_use]
pub fn name_of(path: &Path) -> String {
    if path.is_dir() {
        // `.` and `..` have names too.
        let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        return folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    }
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a file that can be imported. `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// It cannot be read, or a part of it is damaged, so that what is measured would not be what the file was: one line.
pub fn imported(path: &Path, progress: &mut dyn FnMut(f32)) -> Result<Imported, String> {
    let imported = exchange::import(path, &mut |done| {
        progress(done);
        ControlFlow::Continue(())
    })
    .map_err(|e| e.to_string())?;
    match imported.warnings.first() {
        Some(warning) => Err(format!("{warning}, and the rest is not measured")),
        None => Ok(imported),
    }
}

/// Hands the chunks of a map's file, or of a file that can be imported, to `each`; those of a map one by one, so that a
/// map of any size fits. `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// It cannot be read, or is damaged, so that what is measured would not be what the map was: one line.
pub fn each_chunk(
    path: &Path,
    progress: &mut dyn FnMut(f32),
    each: &mut dyn FnMut(ChunkPos, Chunk),
) -> Result<(), String> {
    if path.extension().is_some_and(|e| e == crate::save::catalogue::EXTENSION) {
        let opened = MapFile::open_read_only(path).map_err(|e| e.to_string())?;
        if let Some(damage) = opened.damage {
            return Err(damage.to_string());
        }
        let positions = opened.map.positions();
        for (i, &pos) in positions.iter().enumerate() {
            if let Some(chunk) = opened.map.load(pos).map_err(|e| e.to_string())? {
                each(pos, chunk);
            }
            progress((i + 1) as f32 / positions.len() as f32);
        }
        return Ok(());
    }
    // Reading and handing on take about as long.
    let imported = imported(path, &mut |done| progress(done * 0.5))?;
    let count = imported.world.len();
    for (i, (pos, chunk)) in imported.world.chunks().enumerate() {
        each(pos, chunk.clone());
        progress(0.5 + 0.5 * (i + 1) as f32 / count as f32);
    }
    Ok(())
}

/// The world in a map's file, or in a file that can be imported. `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// It cannot be read, is damaged, or holds more kinds of voxels than there are numbers: one line.
pub fn from_file(path: &Path, progress: &mut dyn FnMut(f32)) -> Result<Input, String> {
    let mut world = World::new();
    each_chunk(path, progress, &mut |pos, chunk| drop(world.insert(pos, chunk)))?;
    numbered(name_of(path), &world)
}

/// The land that `seed` makes around the origin: `radius` chunks in each direction, `height` up and down.
#[must_use]
pub fn generated(seed: u64, kind: crate::terrain::TerrainKind, radius: i32, height: i32) -> World {
    let generator = crate::terrain::Generator::new(seed, kind, &MaterialTable::builtin());
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::new(-radius, -height, -radius) * 32, max: IVec3::new(radius, height, radius) * 32 })
        .chunks()
    {
        world.insert(pos, generator.chunk(pos));
    }
    world
}

/// Numbers the voxels of `world`.
///
/// # Errors
/// It has more kinds than there are numbers, or no voxel that is not air: one line.
pub fn numbered(name: String, world: &World) -> Result<Input, String> {
    let mut numbers: FxHashMap<Voxel, Value> = FxHashMap::default();
    numbers.insert(Voxel::AIR, 0);
    let mut chunks: Vec<_> = world.chunks().collect();
    // In the order of their places, so that the same world gets the same numbers.
    chunks.sort_unstable_by_key(|(pos, _)| *pos);
    let mut out = World::new();
    let mut bounds: Option<(IVec3, IVec3)> = None;
    for (pos, chunk) in chunks {
        for run in chunk.runs() {
            let next = numbers.len();
            let number = numbers.entry(run.voxel).or_insert(next.min(CHUNK_VOLUME) as Value);
            // One bit is left for stores that mark a value.
            if usize::from(*number) >= CHUNK_VOLUME {
                return Err(format!("{name}: more than {CHUNK_VOLUME} different voxels"));
            }
        }
        let numbered = Chunk::from_runs(chunk.runs().map(|run| (run.len, Voxel::full(numbers[&run.voxel]))));
        if numbered.as_uniform() != Some(Voxel::AIR) {
            let at = pos.as_ivec3();
            bounds = Some(bounds.map_or((at, at), |(min, max)| (min.min(at), max.max(at))));
            out.insert(pos, numbered);
        }
    }
    let (min, max) = bounds.ok_or_else(|| format!("{name}: there is nothing but air in it"))?;
    let bounds = Box3 { min: min * 32, max: (max + 1) * 32 };
    Ok(Input { name, world: out, bounds, values: numbers.len() })
}

impl Input {
    /// The chunk at `pos` as an array of its values; none where it is absent.
    #[must_use]
    pub fn dense(&self, pos: ChunkPos) -> Option<Box<[Value; CHUNK_VOLUME]>> {
        let chunk = self.world.chunk(pos)?;
        let mut values = vec![0; CHUNK_VOLUME];
        for run in chunk.runs() {
            values[run.start as usize..run.end() as usize].fill(run.voxel.material());
        }
        values.into_boxed_slice().try_into().ok()
    }

    /// Voxels of `bounds`.
    #[must_use]
    pub fn voxels(&self) -> u64 {
        self.bounds.volume()
    }
}

/// Numbers that only look random, the same in every run (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream that begins with `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::{Header, MapChanges};

    #[test]
    fn the_0fps_world_is_what_the_text_says() {
        let input = zero_fps();
        assert_eq!((input.voxels(), input.world.len(), input.values), (1 << 24, 512, 37));
        let mut counts = vec![0u64; input.values];
        for (_, chunk) in input.world.chunks() {
            chunk.runs().for_each(|run| counts[usize::from(run.voxel.material())] += u64::from(run.len));
        }
        assert_eq!(counts.iter().sum::<u64>(), 1 << 24);
        // Some of 2^16 fall on the same place.
        let sprinkled = counts[5..].iter().sum::<u64>();
        assert!((65_200..65_536).contains(&sprinkled), "{sprinkled}");
        assert!(counts[5..].iter().all(|&n| (1800..2300).contains(&n)), "{counts:?}");
        let layer = 32 * 256 * 256 - sprinkled / 8;
        assert!(counts[1..5].iter().all(|&n| n.abs_diff(layer) < 500), "{counts:?}");
    }

    #[test]
    fn voxels_are_numbered_air_first() {
        let mut world = World::new();
        world.insert(ChunkPos::new(2, 0, -1), Chunk::from_runs([(32767, Voxel::new(9, 3)), (1, Voxel::AIR)]));
        world.insert(ChunkPos::new(3, 0, -1), Chunk::uniform(Voxel::AIR));
        let input = numbered("test".to_owned(), &world).unwrap();
        assert_eq!((input.values, input.world.len()), (2, 1));
        assert_eq!(input.bounds, Box3 { min: IVec3::new(64, 0, -32), max: IVec3::new(96, 32, 0) });
        let dense = input.dense(ChunkPos::new(2, 0, -1)).unwrap();
        assert_eq!((dense[0], dense[32767]), (1, 0));
        assert!(numbered("air".to_owned(), &World::new()).is_err());
    }

    #[test]
    fn folders_have_their_whole_name() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("World 1.20.1");
        std::fs::create_dir_all(folder.join("region")).unwrap();
        assert_eq!(name_of(&folder), "World 1.20.1");
        assert_eq!(name_of(&folder.join("region/..")), "World 1.20.1");
        let here = std::env::current_dir().unwrap();
        assert_eq!(name_of(Path::new(".")), here.file_name().unwrap().to_string_lossy());
        assert!(!name_of(Path::new("/")).is_empty());
        for (file, name) in [("r.0.0.mca", "r.0.0"), ("saves/v1.2.stonerun", "v1.2")] {
            assert_eq!(name_of(Path::new(file)), name);
        }
    }

    #[test]
    fn reading_a_map_tells_how_far_it_is() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("map.stonerun");
        let header = Header::new(0, "void", 0);
        let chunks = (0..4).map(|x| (ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1)))).collect();
        let changes = MapChanges { chunks, header, materials: MaterialTable::builtin(), picture: None, history: None };
        MapFile::create(&path, &changes.header, &changes.materials).unwrap().save(&changes).unwrap();
        let mut told = Vec::new();
        let input = from_file(&path, &mut |done| told.push(done)).unwrap();
        assert_eq!((input.name.as_str(), input.world.len()), ("map", 4));
        assert_eq!(told, [0.25, 0.5, 0.75, 1.0]);
    }
}
