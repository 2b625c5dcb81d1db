//! The builder of a new map's file. The file gets its name when it is complete, so an interrupted,
//! failed or cancelled import never leaves a partial map.
//!
//! Chunks are written in batches, each a save with the materials of its chunks. Memory holds at
//! most one batch and the index of chunks, and finished chunks can be read back. No batch waits for
//! the disk or keeps a journal, because a partial file is worthless; the file is synchronised
//! before it gets its name.

use super::backup;
use crate::save::error::SaveError;
use crate::save::file::companion_files::{remove_logs, with_suffix};
use crate::save::file::lock::MapLock;
use crate::save::file::publish::{is_taken, publish, remove_if_exists};
use crate::save::format::header::Header;
use crate::save::map::map_changes::MapChanges;
use crate::save::map::map_file::MapFile;
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number of bytes of waiting chunks at which a batch is written. Imports of models rewrite chunks
/// often, which is cheap while the chunks wait here.
const MAX_WAITING_BYTES: usize = 16 << 20;
/// Memory in bytes that a chunk takes in addition to its run tree, here and while a batch is
/// written.
const CHUNK_OVERHEAD_BYTES: usize = 256;

/// A new map that is being written. If it is dropped before [`MapBuilder::finish`], no file stays.
#[derive(Debug)]
pub struct MapBuilder {
    // Fields drop in this order: the map closes before its file is removed, and the lock on the
    // name is released last.
    map: MapFile,
    unfinished: UnfinishedFile,
    /// Lock on the final name.
    lock: MapLock,
    path: PathBuf,
    header: Header,
    /// Sorted by position, so that neighbours lie close together in the file.
    waiting: BTreeMap<ChunkPos, Chunk>,
    /// Sum of the bytes of `waiting`.
    waiting_bytes: usize,
    max_waiting_bytes: usize,
    /// True once a batch could not be written.
    has_failed: bool,
}

/// A file that is removed with its logs on drop.
#[derive(Debug)]
struct UnfinishedFile(PathBuf);

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // A finished map has got its name, so usually this file no longer exists.
        let _ = std::fs::remove_file(&self.0);
        remove_logs(&self.0);
    }
}

impl MapBuilder {
    /// Begins the map that will be at `path`. Header and materials may change until it is finished.
    ///
    /// # Errors
    /// The file or backups of it exist, another program is writing it, or the folder cannot be
    /// written.
    pub fn new(
        path: &Path,
        header: &Header,
        materials: &MaterialTable,
    ) -> Result<MapBuilder, SaveError> {
        if is_taken(path) {
            return Err(SaveError::Exists { path: path.to_owned() });
        }
        let lock = MapLock::acquire(path)?;
        // The new map would take over these backups and delete them when it makes its own.
        if backup::only_backups_left(path) {
            return Err(SaveError::BackupsLeft { path: path.to_owned() });
        }
        // This program has the lock, so the file was left by a killed process.
        let unfinished = UnfinishedFile(with_suffix(path, ".unfinished"));
        remove_if_exists(&unfinished.0)?;
        remove_logs(&unfinished.0);
        let mut map = MapFile::create(&unfinished.0, header, materials)?;
        map.disable_journal()?;
        Ok(MapBuilder {
            map,
            unfinished,
            lock,
            path: path.to_owned(),
            header: header.clone(),
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            max_waiting_bytes: MAX_WAITING_BYTES,
            has_failed: false,
        })
    }

    /// Adds a chunk, or replaces the chunk at `pos`. `materials` must extend the table of the
    /// previous call and contain every material of the chunk.
    ///
    /// # Errors
    /// The errors of [`MapFile::save`]. After an error, the chunks of the failed batch can still be
    /// read back, but the map cannot be finished.
    pub fn put(
        &mut self,
        pos: ChunkPos,
        chunk: Chunk,
        materials: &MaterialTable,
    ) -> Result<(), SaveError> {
        let bytes = |chunk: &Chunk| chunk.heap_bytes() + CHUNK_OVERHEAD_BYTES;
        self.waiting_bytes += bytes(&chunk);
        if let Some(replaced) = self.waiting.insert(pos, chunk) {
            self.waiting_bytes -= bytes(&replaced);
        }
        if self.waiting_bytes > self.max_waiting_bytes {
            self.write_batch(materials)
        } else {
            Ok(())
        }
    }

    fn write_batch(&mut self, materials: &MaterialTable) -> Result<(), SaveError> {
        if self.has_failed {
            // Without a journal, a failed save may leave parts of itself in the file.
            let earlier = std::io::Error::other("an earlier part could not be written");
            return Err(SaveError::io(&self.path, "write the map")(earlier));
        }
        let chunks = std::mem::take(&mut self.waiting).into_iter().collect();
        let changes = MapChanges::new(chunks, self.header.clone(), materials.clone());
        match self.map.save(&changes) {
            Ok(_) => {
                self.waiting_bytes = 0;
                Ok(())
            }
            Err(error) => {
                // The file lacks these chunks, so they stay here to be read back.
                self.waiting = changes.chunks.into_iter().collect();
                self.has_failed = true;
                Err(error)
            }
        }
    }

    /// Reads back the chunk at `pos`, if one was put there.
    ///
    /// # Errors
    /// The errors of [`MapFile::load`].
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        match self.waiting.get(&pos) {
            Some(chunk) => Ok(Some(chunk.clone())),
            None => self.map.load(pos),
        }
    }

    /// Returns the positions of all chunks that were put, unsorted.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all = self.map.positions();
        all.extend(self.waiting.keys().filter(|pos| !self.map.contains(**pos)));
        all
    }

    /// Writes the last batch with the final header and materials, closes the file, and gives it its
    /// name.
    ///
    /// # Errors
    /// The errors of [`MapFile::save`], or the name was taken in the meantime. A failure leaves no
    /// file.
    pub fn finish(mut self, header: &Header, materials: &MaterialTable) -> Result<(), SaveError> {
        self.header = header.clone();
        self.write_batch(materials)?;
        // Bindings drop in reverse order, so the file is removed before the lock is released.
        let MapBuilder { lock: _lock, unfinished, map, path, .. } = self;
        map.close()?;
        publish(&unfinished.0, &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::TerrainKind;
    use crate::voxel::{Material, Voxel};
    use std::fs;

    fn builder(path: &Path) -> Result<MapBuilder, SaveError> {
        MapBuilder::new(
            path,
            &Header::new(1, TerrainKind::Void.name(), 7),
            &MaterialTable::builtin(),
        )
    }

    /// Returns chunk number `i`, which has a material of its own, and its position.
    fn chunk(i: u16, materials: &mut MaterialTable) -> (ChunkPos, Chunk) {
        let id = materials.add(Material::plain(&format!("kind_{i}"), [1, 2, 3])).unwrap();
        let runs = (0..512).map(|run| (64, Voxel::new(id, 1 + (run % 7) as u8)));
        (ChunkPos::new(i32::from(i) % 5, -1, i32::from(i) / 5), Chunk::from_runs(runs))
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn map_of_many_batches_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let mut map = MapBuilder { max_waiting_bytes: 10_000, ..builder(&path).unwrap() };
        let mut materials = MaterialTable::builtin();
        let all: Vec<_> = (0..60)
            .map(|i| {
                let (pos, chunk) = chunk(i, &mut materials);
                map.put(pos, chunk.clone(), &materials).unwrap();
                assert!(map.waiting.len() < 10, "a full batch is written");
                (pos, chunk)
            })
            .collect();
        // Chunks can be read back before the end, whether written or waiting, and put again.
        assert!(all.iter().all(|(pos, chunk)| map.load(*pos).unwrap().as_ref() == Some(chunk)));
        assert_eq!(map.load(ChunkPos::new(9, 9, 9)).unwrap(), None);
        map.put(all[3].0, all[50].1.clone(), &materials).unwrap();
        assert_eq!(map.load(all[3].0).unwrap().as_ref(), Some(&all[50].1));
        let mut positions = map.positions();
        positions.sort_unstable();
        let mut expected: Vec<_> = all.iter().map(|(pos, _)| *pos).collect();
        expected.sort_unstable();
        assert_eq!(positions, expected);
        assert!(!path.exists());
        let header = Header { spawn: [1.0, 2.0, 3.0], ..map.header.clone() };
        map.finish(&header, &materials).unwrap();
        assert_eq!(names(folder.path()), ["a.stonerun"]);

        let opened = MapFile::open(&path).unwrap();
        assert!(opened.damage.is_none());
        assert_eq!((opened.map.header().spawn, opened.map.positions()), (header.spawn, expected));
        assert_eq!(opened.map.materials().len(), materials.len());
        for (i, (pos, chunk)) in all.iter().enumerate() {
            let expected = if i == 3 { &all[50].1 } else { chunk };
            assert_eq!(opened.map.load(*pos).unwrap().as_ref(), Some(expected), "{i}");
        }
    }

    #[test]
    fn chunks_of_a_failed_batch_can_be_read_back_but_not_published() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let mut map = MapBuilder { max_waiting_bytes: 0, ..builder(&path).unwrap() };
        let mut materials = MaterialTable::builtin();
        let (written, _) = chunk(0, &mut materials);
        map.put(written, Chunk::uniform(Voxel::AIR), &materials).unwrap();
        let (pos, lost) = chunk(1, &mut materials);
        // The table lacks a material of the first batch.
        let failed = map.put(pos, lost.clone(), &MaterialTable::builtin());
        assert!(matches!(failed, Err(SaveError::Refused { .. })), "{failed:?}");
        assert_eq!(map.load(pos).unwrap(), Some(lost));
        let mut positions = map.positions();
        positions.sort_unstable();
        assert_eq!(positions, [written, pos]);
        let header = map.header.clone();
        assert!(map.finish(&header, &materials).is_err());
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn dropped_builder_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let mut materials = MaterialTable::builtin();
        for batches in [0, 1, 5] {
            let mut map = MapBuilder { max_waiting_bytes: 3_000, ..builder(&path).unwrap() };
            for i in 0..batches * 3 {
                let (pos, chunk) = chunk(i, &mut materials);
                map.put(pos, chunk, &materials).unwrap();
            }
            assert!(names(folder.path()).contains(&"a.stonerun.unfinished".to_owned()));
            drop(map);
            assert_eq!(names(folder.path()), Vec::<String>::new());
        }
    }

    #[test]
    fn builder_leaves_files_of_others_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        fs::write(folder.path().join("a.stonerun.unfinished"), "left by a killed process").unwrap();
        fs::write(folder.path().join("a.unfinished"), "another program's").unwrap();
        let mut materials = MaterialTable::builtin();
        let mut first = MapBuilder { max_waiting_bytes: 0, ..builder(&path).unwrap() };
        assert!(matches!(builder(&path), Err(SaveError::InUse { .. })));
        let (pos, chunk) = chunk(0, &mut materials);
        first.put(pos, chunk, &materials).unwrap();
        let header = first.header.clone();
        first.finish(&header, &materials).unwrap();
        assert!(MapFile::open(&path).unwrap().damage.is_none());
        assert!(matches!(builder(&path), Err(SaveError::Exists { .. })));
        // Another file takes the name while the map is being written.
        let other = folder.path().join("b.stonerun");
        let second = builder(&other).unwrap();
        fs::write(&other, "another program's").unwrap();
        assert!(matches!(second.finish(&header, &materials), Err(SaveError::Exists { .. })));
        assert_eq!(fs::read(&other).unwrap(), b"another program's");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, ["a.stonerun", "a.unfinished", "b.stonerun"]);
    }
}
