//! A new map's file while it is made. It gets its name when it is whole, so that who is killed leaves no map that lacks
//! something; nor does who fails or gives up.
//!
//! Chunks are written in batches, each a save of its own with the materials that it names, so that of a map of any size no more
//! than a batch is held, and what is written can be read back. Beside it the map's index is in memory, as that of every open map. The
//! file counts only once it is whole, so no batch waits for the disk and there is no journal: the whole is synchronised before it
//! gets its name.

use super::backup;
use super::error::SaveError;
use super::files::{give_name, remove_if_there};
use super::lock::MapLock;
use super::map::MapFile;
use super::schema::{self, beside};
use super::types::{Header, MapChanges};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes of chunks that wait to be written. A model's chunks are put again and again, and should meet each other here.
const MOST_WAITING: usize = 16 << 20;
/// What a chunk takes beside its run tree, here and while a batch is written.
const BYTES_BESIDE: usize = 256;

/// A map in the making. Dropped before [`MapBuilder::finish`], it leaves nothing.
#[derive(Debug)]
pub struct MapBuilder {
    // In the order in which they are dropped: the map is closed before its file is removed, and nobody else makes it until then.
    map: MapFile,
    unfinished: Unfinished,
    /// On the name that the map will have.
    lock: MapLock,
    path: PathBuf,
    header: Header,
    /// In the order of their places, so that those side by side come to lie so in the file.
    waiting: BTreeMap<ChunkPos, Chunk>,
    /// Bytes of `waiting`.
    bytes: usize,
    most_waiting: usize,
}

/// A file that is removed with its logs, once nobody needs it any more.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Most often there is none of these any more.
        let _ = std::fs::remove_file(&self.0);
        schema::remove_logs(&self.0);
    }
}

impl MapBuilder {
    /// Begins the map that will be at `path`, with the header and the materials as they are known now.
    ///
    /// # Errors
    /// A file is there already, another program is making it, or the folder cannot be written.
    pub fn new(path: &Path, header: &Header, materials: &MaterialTable) -> Result<MapBuilder, SaveError> {
        if path.exists() {
            return Err(SaveError::Exists { path: path.to_owned() });
        }
        let lock = MapLock::take(path)?;
        // They would become this map's, and go as its own come.
        if backup::is_all_that_is_left(path) {
            return Err(SaveError::BackupsLeft { path: path.to_owned() });
        }
        // Nobody else is making this map now: what lies here was left by one that was killed.
        let unfinished = Unfinished(beside(path, ".unfinished"));
        remove_if_there(&unfinished.0)?;
        schema::remove_logs(&unfinished.0);
        let mut map = MapFile::create(&unfinished.0, header, materials)?;
        map.end_journal()?;
        Ok(MapBuilder {
            map,
            unfinished,
            lock,
            path: path.to_owned(),
            header: header.clone(),
            waiting: BTreeMap::new(),
            bytes: 0,
            most_waiting: MOST_WAITING,
        })
    }

    /// Takes a chunk, in place of one that was put there before. `materials` has all that it names: the table of the last time,
    /// perhaps grown.
    ///
    /// # Errors
    /// As [`MapFile::save`].
    pub fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), SaveError> {
        let bytes = |chunk: &Chunk| chunk.heap_bytes() + BYTES_BESIDE;
        self.bytes += bytes(&chunk);
        if let Some(before) = self.waiting.insert(pos, chunk) {
            self.bytes -= bytes(&before);
        }
        if self.bytes > self.most_waiting { self.write(materials) } else { Ok(()) }
    }

    fn write(&mut self, materials: &MaterialTable) -> Result<(), SaveError> {
        self.bytes = 0;
        let chunks = std::mem::take(&mut self.waiting).into_iter().collect();
        let (header, materials) = (self.header.clone(), materials.clone());
        self.map.save(&MapChanges { chunks, header, materials, picture: None, history: None }).map(drop)
    }

    /// The chunk that was put at `pos`; none if none was.
    ///
    /// # Errors
    /// As [`MapFile::load`].
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        match self.waiting.get(&pos) {
            Some(chunk) => Ok(Some(chunk.clone())),
            None => self.map.load(pos),
        }
    }

    /// Where chunks were put, in no order.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        let mut all = self.map.positions();
        all.extend(self.waiting.keys().filter(|pos| !self.map.holds(**pos)));
        all
    }

    /// Writes what waits, the header and the materials as they are now, closes the file, and gives it its name.
    ///
    /// # Errors
    /// As [`MapFile::save`]; or the name is taken meanwhile. Nothing is left then.
    pub fn finish(mut self, header: &Header, materials: &MaterialTable) -> Result<(), SaveError> {
        self.header = header.clone();
        self.write(materials)?;
        // What is left of it goes in the order in which it stands here, from the last to the first.
        let MapBuilder { lock: _lock, unfinished, map, path, .. } = self;
        map.close()?;
        give_name(&unfinished.0, &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::TerrainKind;
    use crate::voxel::{Material, Voxel};
    use std::fs;

    fn begin(path: &Path) -> Result<MapBuilder, SaveError> {
        MapBuilder::new(path, &Header::new(1, TerrainKind::Void.name(), 7), &MaterialTable::builtin())
    }

    /// Chunk number `i`, and what it is called.
    fn chunk(i: u16, materials: &mut MaterialTable) -> (ChunkPos, Chunk) {
        let id = materials.add(Material::plain(&format!("kind_{i}"), [1, 2, 3])).unwrap();
        let runs = (0..512).map(|run| (64, Voxel::new(id, 1 + (run % 7) as u8)));
        (ChunkPos::new(i32::from(i) % 5, -1, i32::from(i) / 5), Chunk::from_runs(runs))
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn many_batches_are_one_map() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let mut map = MapBuilder { most_waiting: 10_000, ..begin(&path).unwrap() };
        let mut materials = MaterialTable::builtin();
        let all: Vec<_> = (0..60)
            .map(|i| {
                let (pos, chunk) = chunk(i, &mut materials);
                map.put(pos, chunk.clone(), &materials).unwrap();
                assert!(map.waiting.len() < 10, "a batch is written when it is full");
                (pos, chunk)
            })
            .collect();
        // Read back while it is made, written or not, and put again.
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
    fn what_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let mut materials = MaterialTable::builtin();
        for batches in [0, 1, 5] {
            let mut map = MapBuilder { most_waiting: 3_000, ..begin(&path).unwrap() };
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
    fn what_another_makes_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        fs::write(folder.path().join("a.stonerun.unfinished"), "left by one that was killed").unwrap();
        fs::write(folder.path().join("a.unfinished"), "somebody's").unwrap();
        let mut materials = MaterialTable::builtin();
        let mut first = MapBuilder { most_waiting: 0, ..begin(&path).unwrap() };
        assert!(matches!(begin(&path), Err(SaveError::InUse { .. })));
        let (pos, chunk) = chunk(0, &mut materials);
        first.put(pos, chunk, &materials).unwrap();
        let header = first.header.clone();
        first.finish(&header, &materials).unwrap();
        assert!(MapFile::open(&path).unwrap().damage.is_none());
        assert!(matches!(begin(&path), Err(SaveError::Exists { .. })));
        // The name is taken while the map is made.
        let other = folder.path().join("b.stonerun");
        let second = begin(&other).unwrap();
        fs::write(&other, "somebody's").unwrap();
        assert!(matches!(second.finish(&header, &materials), Err(SaveError::Exists { .. })));
        assert_eq!(fs::read(&other).unwrap(), b"somebody's");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, ["a.stonerun", "a.unfinished", "b.stonerun"]);
    }
}
