//! The open map: its world, where its chunks come from, and where they are saved to.
//!
//! All edits go through [`Session::set_voxel`], which keeps three things in step: the world, the counted
//! figures, and the lists of what must be saved and drawn anew.

use crate::mesh::Looks;
use crate::save::{Changes, Header, MapFile, MapReader, SaveReport, Writer, unix_now};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, ChunkStats, Counts, Task, Work, World, WorldStats};
use bevy::platform::cell::SyncCell;
use bevy::prelude::Resource;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// How far one falls in a void below the lowest thing in it, in voxels.
const ABYSS: f64 = 96.0;

/// The open map.
#[derive(Resource)]
pub struct Session {
    /// The map's name: its file's name without the ending.
    pub name: String,
    /// The loaded chunks.
    pub world: World,
    /// Figures of the loaded chunks, kept current.
    pub stats: WorldStats,
    /// Figures of each loaded chunk, as they were added to `stats`, and the revision in which it was counted.
    chunk_stats: FxHashMap<ChunkPos, (u64, ChunkStats)>,
    /// Grows whenever a chunk comes, changes or goes.
    revision: u64,
    /// The map's materials.
    pub materials: Arc<MaterialTable>,
    /// What they look like.
    pub looks: Arc<Looks>,
    /// Makes chunks that the map does not hold yet.
    pub generator: Arc<Generator>,
    /// What kind of terrain that is.
    pub kind: TerrainKind,
    /// Reads chunks that it does.
    pub reader: MapReader,
    /// Writes in the background.
    pub writer: SyncCell<Writer>,
    /// Seed, player, time: saved with the chunks.
    pub header: Header,
    /// Chunks that differ from the map file.
    pub unsaved: FxHashSet<ChunkPos>,
    /// Chunks that are being written; they stay loaded until the save is safe on the disk.
    pub saving: FxHashSet<ChunkPos>,
    /// Chunks that were edited since the last save: edits leave memory unused.
    worn: FxHashSet<ChunkPos>,
    /// Chunks whose mesh an edit made stale; drawn anew before the next frame.
    pub edited: Vec<ChunkPos>,
    /// Chunks in which voxels were set since culling looked.
    pub changed: FxHashSet<ChunkPos>,
    /// A picture for the title screen (PNG), when a new one was taken.
    pub picture: Option<Vec<u8>>,
    /// Nobody who fell below this height comes to stand on anything: in a void, far below all that is there.
    bottom: Option<f64>,
    /// When the first and when the last edit was made that no save has taken yet.
    pub edits: Option<(Instant, Instant)>,
    /// The player waits to hear how the running save ends.
    pub asked: bool,
    /// What was done with voxels since the map was opened, task by task.
    pub work: Work,
    /// The last save that ended, for the panel.
    pub last_save: Option<SaveReport>,
}

impl Session {
    /// Opens the map at `path`: to play in it, or only to look at it while it may be open elsewhere. What is wrong
    /// with it and did not keep it from opening is told beside, a line each.
    ///
    /// # Errors
    /// One line that names the file and the reason.
    pub fn open(path: &Path, look_only: bool) -> Result<(Session, Vec<String>), String> {
        let opened = if look_only { MapFile::open_read_only(path) } else { MapFile::open(path) };
        let opened = opened.map_err(|e| e.to_string())?;
        let mut warnings: Vec<String> = opened.damage.iter().map(ToString::to_string).collect();
        let map = opened.map;
        let header = map.header().clone();
        let materials = Arc::new(map.materials().clone());
        let kind = header.terrain.parse().unwrap_or_else(|unknown| {
            warnings.push(format!("{}: {unknown}; what was never saved of it stays empty", path.display()));
            TerrainKind::Void
        });
        let lowest =
            map.positions().iter().map(|pos| f64::from(pos.y) * f64::from(CHUNK_SIDE)).fold(header.spawn[1], f64::min);
        let bottom = (kind == TerrainKind::Void).then_some(lowest - ABYSS);
        let reader = map.reader().map_err(|e| e.to_string())?;
        let session = Session {
            name: path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned()),
            world: World::new(),
            stats: WorldStats::default(),
            chunk_stats: FxHashMap::default(),
            revision: 0,
            looks: Arc::new(Looks::new(&materials)),
            generator: Arc::new(Generator::new(header.seed, kind, &materials)),
            kind,
            materials,
            reader,
            writer: SyncCell::new(Writer::spawn(map).map_err(|e| e.to_string())?),
            header,
            unsaved: FxHashSet::default(),
            saving: FxHashSet::default(),
            worn: FxHashSet::default(),
            edited: Vec::new(),
            changed: FxHashSet::default(),
            picture: None,
            bottom,
            edits: None,
            asked: false,
            work: Work::default(),
            last_save: None,
        };
        Ok((session, warnings))
    }

    /// Puts a loaded or generated chunk into the world.
    pub fn insert(&mut self, pos: ChunkPos, chunk: Chunk) {
        let stats = ChunkStats::of(&chunk);
        self.world.insert(pos, chunk);
        self.count(pos, Some(stats));
    }

    /// Takes a chunk out of the world.
    pub fn remove(&mut self, pos: ChunkPos) {
        self.world.remove(pos);
        self.count(pos, None);
    }

    fn recount(&mut self, pos: ChunkPos) {
        let now = self.world.chunk(pos).map(ChunkStats::of);
        self.count(pos, now);
    }

    fn count(&mut self, pos: ChunkPos, now: Option<ChunkStats>) {
        self.revision += 1;
        let before = match now {
            Some(now) => self.chunk_stats.insert(pos, (self.revision, now)),
            None => self.chunk_stats.remove(&pos),
        };
        if let Some((_, before)) = before {
            self.stats.subtract(&before);
        }
        if let Some(now) = now {
            self.stats.add(&now);
        }
    }

    /// The figures of one loaded chunk.
    #[must_use]
    pub fn chunk_stats(&self, pos: ChunkPos) -> Option<&ChunkStats> {
        self.chunk_stats.get(&pos).map(|(_, stats)| stats)
    }

    /// The revision of all that is loaded: another one after each chunk that came, changed or went.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The revision in which a loaded chunk came or last changed. So whoever keeps something about chunks need not keep
    /// the chunks to see which of them are still the same.
    #[must_use]
    pub fn chunk_revision(&self, pos: ChunkPos) -> Option<u64> {
        self.chunk_stats.get(&pos).map(|(revision, _)| *revision)
    }

    /// Sets one voxel. Returns what was there; none, and nothing done, where nothing is loaded.
    pub fn set_voxel(&mut self, at: IVec3, voxel: Voxel) -> Option<Voxel> {
        let old = self.world.set(at, voxel)?;
        self.work.add(Task::Placing, Counts::writes(1));
        if old == voxel {
            return Some(old);
        }
        let pos = ChunkPos::containing(at);
        self.recount(pos);
        self.unsaved.insert(pos);
        self.worn.insert(pos);
        self.changed.insert(pos);
        self.edits = Some((self.edits.map_or_else(Instant::now, |(first, _)| first), Instant::now()));
        if let Some(bottom) = &mut self.bottom {
            *bottom = bottom.min(f64::from(at.y) - ABYSS);
        }
        // The chunks that see this voxel in a neighbourhood: those within one voxel of it.
        for dy in -1..=1 {
            for dz in -1..=1 {
                for dx in -1..=1 {
                    let near = ChunkPos::containing(at + IVec3::new(dx, dy, dz));
                    if !self.edited.contains(&near) {
                        self.edited.push(near);
                    }
                }
            }
        }
        Some(old)
    }

    /// True if somebody at this height has fallen out of the world.
    #[must_use]
    pub fn is_below_everything(&self, height: f64) -> bool {
        self.bottom.is_some_and(|bottom| height < bottom)
    }

    /// A save has failed: what it should have written is unsaved again.
    pub fn put_back_unsaved(&mut self) {
        self.unsaved.extend(self.saving.drain());
    }

    /// What has to be written; until the save has ended it counts as being saved.
    pub fn take_changes(&mut self) -> Changes {
        for pos in std::mem::take(&mut self.worn) {
            self.world.shrink(pos);
            self.recount(pos);
        }
        self.edits = None;
        self.saving.extend(self.unsaved.drain());
        let chunks: Vec<(ChunkPos, Chunk)> =
            self.saving.iter().filter_map(|&pos| self.world.chunk(pos).map(|chunk| (pos, chunk.clone()))).collect();
        for (_, chunk) in &chunks {
            self.work.add(Task::Saving, Counts::chunk(chunk.run_count() as u64));
        }
        self.header.saved_unix = unix_now();
        Changes {
            chunks,
            header: self.header.clone(),
            materials: (*self.materials).clone(),
            picture: self.picture.take(),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Whatever way the game ends, the file is closed: one plain file again. Who leaves in the ordinary way
        // has saved and closed before, and heard of errors then; who left without saving wanted to.
        let _ = self.writer.get().close();
    }
}
