//! What visibility is measured on: the chunks of a map, of an import, or of generated land, and where its viewers are.

use super::random::below;
use crate::lab::input::{Random, imported, name_of};
use crate::mesh::FaceMaterials;
use crate::save::MapFile;
use crate::save::catalogue::EXTENSION;
use crate::terrain::{Generator, TerrainKind};
use crate::visibility::{ChunkOcclusion, Rooms};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable};
use crate::world::view::vertical_reach;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// The seed of generated land.
pub const SEED: u64 = 5;
/// In land viewers are so high above ground at most, in voxels.
const GROUND: i32 = 20;
/// Voxels that are tried before there is no further cell to be found.
const TRIES: usize = 1_000_000;

/// A world, as visibility sees it.
pub struct Subject {
    /// What it is called in the table.
    pub name: String,
    /// Others are not loaded.
    chunks: FxHashMap<ChunkPos, ChunkOcclusion>,
    /// The chunks that viewers may be in, in order.
    homes: Vec<ChunkPos>,
    /// True if viewers are near the ground; in caverns they may be anywhere.
    on_ground: bool,
}

impl Subject {
    /// From chunks that visibility knows; viewers are in any of them.
    #[must_use]
    pub fn new(name: String, chunks: FxHashMap<ChunkPos, ChunkOcclusion>, on_ground: bool) -> Subject {
        let mut homes: Vec<_> = chunks.keys().copied().collect();
        homes.sort_unstable();
        Subject { name, chunks, homes, on_ground }
    }

    /// Generated land around the origin, where its viewers are, and as far as they see.
    #[must_use]
    pub fn generated(kind: TerrainKind, view: i32, progress: &dyn Fn(f32)) -> Subject {
        let (materials, on_ground) = (MaterialTable::builtin(), kind != TerrainKind::Caverns);
        let (generator, looks) = (Generator::new(SEED, kind, &materials), FaceMaterials::new(&materials));
        // Hills and valleys; caves are everywhere.
        let homes = IVec3::new(2, if on_ground { 4 } else { 2 }, 2);
        let side = homes + IVec3::new(view, vertical_reach(view), view);
        let bounds = Box3 { min: -side * CHUNK_SIDE, max: side * CHUNK_SIDE };
        let count = (bounds.volume() >> 15) as f32;
        let chunks = bounds.chunks().enumerate().map(|(i, pos)| {
            progress(i as f32 / count);
            (pos, ChunkOcclusion::from_chunk(&generator.chunk(pos), |voxel| looks.hides(voxel)))
        });
        let chunks = chunks.collect();
        let homes = (Box3 { min: -homes * CHUNK_SIDE, max: homes * CHUNK_SIDE }).chunks().collect();
        Subject { name: format!("{}, seed {SEED}", kind.name()), chunks, homes, on_ground }
    }

    /// What is in a map's file, or in a file or folder that can be imported. `progress` is told how much is done, 0 to 1.
    ///
    /// # Errors
    /// It cannot be read, or is damaged, so that what is measured would not be what the map was: one line.
    pub fn from_file(path: &Path, progress: &dyn Fn(f32)) -> Result<Subject, String> {
        if path.extension().is_none_or(|e| e != EXTENSION) {
            let imported = imported(path, &mut |done| progress(done * 0.9))?;
            let looks = FaceMaterials::new(&imported.materials);
            let of = |(pos, chunk)| (pos, ChunkOcclusion::from_chunk(chunk, |voxel| looks.hides(voxel)));
            return Ok(Subject::new(name_of(path), imported.world.chunks().map(of).collect(), true));
        }
        let opened = MapFile::open_read_only(path).map_err(|e| e.to_string())?;
        if let Some(damage) = opened.damage {
            return Err(damage.to_string());
        }
        let map = opened.map;
        let looks = FaceMaterials::new(map.materials());
        let positions = map.positions();
        let mut chunks = FxHashMap::default();
        for (i, &pos) in positions.iter().enumerate() {
            progress(i as f32 / positions.len() as f32);
            if let Some(chunk) = map.load(pos).map_err(|e| e.to_string())? {
                chunks.insert(pos, ChunkOcclusion::from_chunk(&chunk, |voxel| looks.hides(voxel)));
            }
        }
        let on_ground = map.header().terrain != TerrainKind::Caverns.name();
        Ok(Subject::new(name_of(path), chunks, on_ground))
    }

    /// What is known of a chunk, if it is loaded.
    #[must_use]
    pub fn sight(&self, pos: ChunkPos) -> Option<ChunkOcclusion> {
        self.chunks.get(&pos).cloned()
    }

    /// Viewers in random cells, each in another one, the same in every run: so many, or fewer where there are not so many.
    ///
    /// # Errors
    /// There is no place for one: one line.
    pub fn viewers(&self, count: usize) -> Result<Vec<IVec3>, String> {
        let homes: Vec<_> = self.homes.iter().filter(|pos| !self.is_solid(**pos)).collect();
        let (mut random, mut cells, mut viewers) = (Random::new(4), FxHashSet::default(), Vec::new());
        for _ in 0..TRIES {
            if viewers.len() == count || homes.is_empty() {
                break;
            }
            let home = *homes[below(&mut random, homes.len())];
            let offset = IVec3::from_array([0; 3].map(|_| below(&mut random, 32) as i32));
            let at = home.origin() + offset;
            if self.hides(at) || self.on_ground && !(1..=GROUND).any(|down| self.hides(at - IVec3::Y * down)) {
                continue;
            }
            let cell = self.chunks[&home].cell_at(offset);
            if cell.is_some_and(|cell| cells.insert((home, cell.section, cell.room))) {
                viewers.push(at);
            }
        }
        if viewers.is_empty() {
            let place = if self.on_ground { "open voxel above ground" } else { "open voxel" };
            return Err(format!("{}: there is no {place} to look from", self.name));
        }
        Ok(viewers)
    }

    fn is_solid(&self, pos: ChunkPos) -> bool {
        self.chunks.get(&pos).is_none_or(|sight| matches!(sight.rooms, Rooms::Solid))
    }

    fn hides(&self, at: IVec3) -> bool {
        let sight = self.chunks.get(&ChunkPos::containing(at));
        sight.is_some_and(|sight| sight.occluders.hides(at & (CHUNK_SIDE - 1)))
    }
}
