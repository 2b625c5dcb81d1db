//! The open map: its world, where its chunks come from, and where they are saved to.
//!
//! All edits go through [`Session::set_voxel`] and [`Session::step`], which keep four things in step: the world, the counted
//! figures, the lists of what must be saved and drawn anew, and what can be undone.

use crate::history::{Direction, EditStep, History};
use crate::mesh::FaceMaterials;
use crate::metrics::{ChunkStats, VoxelOps, VoxelTask, WorkByTask, WorldStats};
use crate::save::{Header, MapChanges, MapFile, MapReader, MapWriter, SaveReport, unix_now};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
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
    pub looks: Arc<FaceMaterials>,
    /// Makes chunks that the map does not hold yet.
    pub generator: Arc<Generator>,
    /// What kind of terrain that is.
    pub kind: TerrainKind,
    /// Reads chunks that it does.
    pub reader: MapReader,
    /// Writes in the background.
    pub writer: SyncCell<MapWriter>,
    /// Seed, player, time: saved with the chunks.
    pub header: Header,
    /// Chunks that differ from the map file.
    pub unsaved: FxHashSet<ChunkPos>,
    /// Chunks that are being written; they stay loaded until the save is safe on the disk.
    pub saving: FxHashSet<ChunkPos>,
    /// Chunks that were written since the map was opened, as they were then.
    pub saved: FxHashSet<ChunkPos>,
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
    /// What can be undone and redone.
    pub history: History,
    /// Chunks that came to be undone in, and that streaming has not heard of.
    pub fetched: Vec<ChunkPos>,
    /// What was done with voxels since the map was opened, task by task.
    pub work: WorkByTask,
    /// The last save that succeeded, for the panel.
    pub last_save: Option<SaveReport>,
    /// When that was, seconds since 1970 UTC.
    pub last_saved_unix: u64,
    /// Why the last one failed, if it did: one line.
    pub save_failed: Option<String>,
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
        let kept = map.history().map_err(|e| e.to_string());
        let kept =
            kept.and_then(|kept| History::from_saved(kept, materials.len(), usize::MAX).map_err(|e| e.to_string()));
        let history = kept.unwrap_or_else(|reason| {
            warnings.push(format!("{}: what could be undone is lost: {reason}", path.display()));
            History::replacing_saved(usize::MAX)
        });
        let reader = map.reader().map_err(|e| e.to_string())?;
        let session = Session {
            name: path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned()),
            world: World::new(),
            stats: WorldStats::default(),
            chunk_stats: FxHashMap::default(),
            revision: 0,
            looks: Arc::new(FaceMaterials::new(&materials)),
            generator: Arc::new(Generator::new(header.seed, kind, &materials)),
            kind,
            materials,
            reader,
            writer: SyncCell::new(MapWriter::spawn(map).map_err(|e| e.to_string())?),
            header,
            unsaved: FxHashSet::default(),
            saving: FxHashSet::default(),
            saved: FxHashSet::default(),
            worn: FxHashSet::default(),
            edited: Vec::new(),
            changed: FxHashSet::default(),
            picture: None,
            bottom,
            edits: None,
            asked: false,
            history,
            fetched: Vec::new(),
            work: WorkByTask::default(),
            last_save: None,
            last_saved_unix: 0,
            save_failed: None,
        };
        Ok((session, warnings))
    }

    /// Puts a loaded or generated chunk into the world.
    pub fn insert(&mut self, pos: ChunkPos, chunk: Chunk) {
        let stats = ChunkStats::from_chunk(&chunk);
        self.world.insert(pos, chunk);
        self.count(pos, Some(stats));
    }

    /// Takes a chunk out of the world.
    pub fn remove(&mut self, pos: ChunkPos) {
        self.world.remove(pos);
        self.count(pos, None);
    }

    fn recount(&mut self, pos: ChunkPos) {
        let now = self.world.chunk(pos).map(ChunkStats::from_chunk);
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
        self.work.add(VoxelTask::Placing, VoxelOps::writes(1));
        if old == voxel {
            return Some(old);
        }
        if let Some(step) = EditStep::from_voxel(at, old, voxel) {
            self.history.record(step);
        }
        self.touched(Box3 { min: at, max: at + 1 });
        Some(old)
    }

    /// Undoes the last edit, or redoes the one that was undone last. False if there is none. What of it is not loaded any more is
    /// fetched from the map, in this frame: a chunk takes less than a millisecond.
    ///
    /// # Errors
    /// A chunk cannot be fetched: one line. Then nothing was done, and it stays the next one: those before it build on it.
    pub fn step(&mut self, direction: Direction) -> Result<bool, String> {
        let Some(step) = self.history.next_step(direction) else { return Ok(false) };
        let fetch = |pos: ChunkPos| match self.reader.load(pos) {
            Ok(Some(chunk)) => Ok((pos, chunk)),
            Ok(None) => Err(format!("chunk {pos} is neither loaded nor in the map")),
            Err(error) => Err(error.to_string()),
        };
        let far = step.patches().map(|patch| patch.pos()).filter(|pos| !self.world.is_loaded(*pos));
        let fetched: Vec<(ChunkPos, Chunk)> = far.map(fetch).collect::<Result<_, String>>()?;
        let areas: Vec<Box3> = step.patches().map(|patch| patch.area()).collect();
        for (pos, chunk) in fetched {
            self.insert(pos, chunk);
            self.fetched.push(pos);
        }
        let Some(step) = self.history.next_step(direction) else { return Ok(false) };
        step.apply(&mut self.world, direction).map_err(|e| e.to_string())?;
        self.history.mark_applied(direction);
        for area in areas {
            self.work.add(VoxelTask::Placing, VoxelOps::writes(area.volume()));
            self.touched(area);
        }
        Ok(true)
    }

    /// Notes that voxels of `area` have changed.
    fn touched(&mut self, area: Box3) {
        for pos in area.chunks() {
            self.recount(pos);
            self.unsaved.insert(pos);
            self.worn.insert(pos);
            self.changed.insert(pos);
        }
        self.edits = Some((self.edits.map_or_else(Instant::now, |(first, _)| first), Instant::now()));
        if let Some(bottom) = &mut self.bottom {
            *bottom = bottom.min(f64::from(area.min.y) - ABYSS);
        }
        // The chunks that see these voxels in a neighbourhood: those within one voxel of them.
        for near in (Box3 { min: area.min - 1, max: area.max + 1 }).chunks() {
            if !self.edited.contains(&near) {
                self.edited.push(near);
            }
        }
    }

    /// True if somebody at this height has fallen out of the world.
    #[must_use]
    pub fn is_below_everything(&self, height: f64) -> bool {
        self.bottom.is_some_and(|bottom| height < bottom)
    }

    /// The save has ended, and nothing else is being written.
    pub fn all_is_written(&mut self) {
        self.saved.extend(self.saving.drain());
    }

    /// A save has failed: what it should have written is unsaved again.
    pub fn put_back_unsaved(&mut self) {
        self.unsaved.extend(self.saving.drain());
    }

    /// What has to be written; until the save has ended it counts as being saved.
    pub fn take_changes(&mut self) -> MapChanges {
        for pos in std::mem::take(&mut self.worn) {
            self.world.shrink(pos);
            self.recount(pos);
        }
        self.edits = None;
        self.saving.extend(self.unsaved.drain());
        let chunks: Vec<(ChunkPos, Chunk)> =
            self.saving.iter().filter_map(|&pos| self.world.chunk(pos).map(|chunk| (pos, chunk.clone()))).collect();
        for (_, chunk) in &chunks {
            self.work.add(VoxelTask::Saving, VoxelOps::chunk_walk(chunk.run_count() as u64));
        }
        self.header.saved_unix = unix_now();
        MapChanges {
            chunks,
            header: self.header.clone(),
            materials: (*self.materials).clone(),
            picture: self.picture.take(),
            history: self.history.take_change(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::EditRecorder;

    /// A map whose chunks are of stone, open, with some of them loaded.
    fn session(folder: &Path, loaded: std::ops::Range<i32>) -> Session {
        let path = folder.join("stone.stonerun");
        let materials = MaterialTable::builtin();
        MapFile::create(&path, &Header::new(1, "void", 0), &materials).unwrap().close().unwrap();
        let (mut session, warnings) = Session::open(&path, false).unwrap();
        assert_eq!(warnings, [""; 0]);
        loaded.for_each(|x| session.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1))));
        session
    }

    /// Saves what has changed, and waits for it.
    fn save(session: &mut Session) {
        let changes = session.take_changes();
        session.writer.get().save(changes);
        let result = loop {
            match session.writer.get().poll() {
                Some(result) => break result,
                None => std::thread::yield_now(),
            }
        };
        assert_eq!(result.unwrap().chunks_written, session.saving.len());
        session.saving.clear();
    }

    #[test]
    fn an_edit_is_undone_and_redone_as_an_edit() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path(), 0..2);
        assert_eq!(session.step(Direction::Undo), Ok(false));
        let at = IVec3::new(31, 5, 5);
        session.set_voxel(at, Voxel::AIR).unwrap();
        session.set_voxel(at, Voxel::AIR).unwrap();
        assert_eq!(
            (session.history.undo_count(), session.history.redo_count()),
            (1, 0),
            "what changes nothing is no step"
        );
        save(&mut session);
        session.edited.clear();
        session.changed.clear();
        let runs = session.chunk_stats(ChunkPos::new(0, 0, 0)).unwrap().runs;
        assert_eq!(session.step(Direction::Undo), Ok(true));
        assert_eq!(session.world.get(at), Voxel::full(1));
        assert!(session.chunk_stats(ChunkPos::new(0, 0, 0)).unwrap().runs < runs, "it is counted");
        // It is saved, culled and drawn anew, with the neighbour that sees it.
        let home = ChunkPos::new(0, 0, 0);
        assert!(session.unsaved.contains(&home) && session.changed.contains(&home) && session.edits.is_some());
        assert!(session.edited.contains(&home) && session.edited.contains(&ChunkPos::new(1, 0, 0)));
        assert_eq!(session.step(Direction::Redo), Ok(true));
        assert_eq!(session.world.get(at), Voxel::AIR);
        assert_eq!(session.step(Direction::Redo), Ok(false));
    }

    /// What a frame does for a save: the rest is the writer's thread. `--nocapture` prints how long it takes.
    #[test]
    fn a_save_is_handed_over_and_play_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path(), 0..10_000);
        (0..10_000).for_each(|x| _ = session.set_voxel(IVec3::new(32 * x, 5, 5), Voxel::AIR).unwrap());
        let begun = std::time::Instant::now();
        let changes = session.take_changes();
        session.writer.get().save(changes);
        println!("10,000 chunks of an edit each: {:.2} ms", begun.elapsed().as_secs_f64() * 1e3);
        assert!(session.unsaved.is_empty() && session.saving.len() == 10_000);
        // Meanwhile play goes on.
        session.set_voxel(IVec3::new(0, 6, 5), Voxel::AIR).unwrap();
        assert_eq!(session.unsaved.len(), 1);
        assert_eq!(session.writer.get().close().unwrap().report.unwrap().chunks_written, 10_000);
    }

    #[test]
    fn what_is_far_away_now_is_fetched_from_the_map() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path(), 0..3);
        let (at, elsewhere) = (IVec3::new(70, 5, 5), IVec3::new(65, 30, 30));
        session.set_voxel(at, Voxel::full(7)).unwrap();
        session.set_voxel(elsewhere, Voxel::full(8)).unwrap();
        save(&mut session);
        session.remove(ChunkPos::new(2, 0, 0));
        session.step(Direction::Undo).unwrap();
        session.step(Direction::Undo).unwrap();
        assert_eq!(session.fetched, [ChunkPos::new(2, 0, 0)]);
        assert!(session.world.chunk(ChunkPos::new(2, 0, 0)).unwrap().as_uniform() == Some(Voxel::full(1)));
        session.step(Direction::Redo).unwrap();
        assert_eq!([at, elsewhere].map(|at| session.world.get(at)), [Voxel::full(7), Voxel::full(1)]);
        // What cannot be fetched is not undone, nor is anything fetched for it.
        session.insert(ChunkPos::new(9, 0, 0), Chunk::uniform(Voxel::AIR));
        let area = Box3 { min: IVec3::new(70, 0, 0), max: IVec3::new(300, 1, 1) };
        let draft = EditRecorder::begin(&session.world, area);
        session.world.fill(area, Voxel::full(5));
        session.history.record(draft.finish(&session.world).unwrap());
        save(&mut session);
        [2, 9].into_iter().for_each(|x| session.remove(ChunkPos::new(x, 0, 0)));
        assert!(session.step(Direction::Undo).unwrap_err().contains("(9, 0, 0)"));
        assert!(!session.world.is_loaded(ChunkPos::new(2, 0, 0)));
        assert_eq!((session.history.undo_count(), session.history.redo_count()), (2, 0), "it is still the next one");
    }
}
