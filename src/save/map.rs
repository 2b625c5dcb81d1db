//! An open map: the one connection that writes, and what it knows of the file.

use super::check::{Contents, Trouble, inspect, meta, revision};
use super::damage::Damage;
use super::error::SaveError;
use super::frame::{self, Kind};
use super::index::Index;
use super::lock::MapLock;
use super::place::Place;
use super::reader::{self, MapReader, Shared};
use super::rebuild;
use super::schema;
use super::types::{Header, MapChanges, Totals};
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

/// A map file that is open: for writing, and then for nobody else's, or for reading.
#[derive(Debug)]
pub struct MapFile {
    // In the order in which they are dropped: the connection is closed before the lock is given up.
    pub(super) conn: Connection,
    pub(super) shared: Arc<Shared>,
    pub(super) header: Header,
    pub(super) materials: MaterialTable,
    /// The layout's version.
    pub(super) version: u32,
    /// The number of the last save.
    pub(super) revision: u32,
    /// None: open for reading.
    pub(super) lock: Option<MapLock>,
    /// Which file was opened; none if it was built anew in memory.
    pub(super) place: Option<Place>,
}

/// A map as it was opened.
#[derive(Debug)]
pub struct OpenedMap {
    /// The map.
    pub map: MapFile,
    /// What of it is lost or bad; none if every record is sound.
    pub damage: Option<Damage>,
}

/// The file's name, for messages.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Checks that `path` is a file.
pub(super) fn must_be_file(path: &Path) -> Result<(), SaveError> {
    match std::fs::metadata(path) {
        Ok(m) if m.is_file() => Ok(()),
        Ok(_) => Err(SaveError::NotAMap { path: path.to_owned(), reason: "it is not a file".to_owned() }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(SaveError::NotFound { path: path.to_owned() }),
        Err(e) => Err(SaveError::io(path, "open the map")(e)),
    }
}

impl MapFile {
    /// Makes a new map and opens it for writing.
    ///
    /// # Errors
    /// The file exists, or its folder cannot be written.
    pub fn create(path: &Path, header: &Header, materials: &MaterialTable) -> Result<MapFile, SaveError> {
        let lock = MapLock::take(path)?;
        // The file is made here, and not by SQLite, so that one that exists is never touched.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => {}
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(SaveError::Exists { path: path.to_owned() });
            }
            Err(e) => return Err(SaveError::io(path, "create the map")(e)),
        }
        let filled = schema::for_writing(path)
            .and_then(|conn| {
                conn.execute_batch("BEGIN")?;
                schema::create(&conn)?;
                conn.execute_batch("COMMIT")?;
                schema::begin_writing(&conn)?;
                Ok(conn)
            })
            .map_err(SaveError::sqlite(path, "create the map"))
            .and_then(|conn| {
                // An empty table, and save number 0: the first save fills in the rest.
                let contents = Contents {
                    header: header.clone(),
                    materials: materials.clone(),
                    version: schema::VERSION,
                    revision: 0,
                    index: Index::default(),
                };
                let mut map = MapFile::over(path, conn, contents, Some(lock), Some(Place::of(path)?));
                map.save(&MapChanges {
                    chunks: Vec::new(),
                    header: header.clone(),
                    materials: materials.clone(),
                    picture: None,
                    history: None,
                })?;
                Ok(map)
            });
        if filled.is_err() {
            let _ = std::fs::remove_file(path);
            schema::remove_logs(path);
        }
        filled
    }

    /// Opens a map for writing, having read and checked every record. A map that is damaged in more than
    /// single chunks is built anew from what is sound, and the damaged file is kept under another name.
    ///
    /// # Errors
    /// There is no such file, it is open in another program, it cannot be written, it is of a later version,
    /// or nothing in it can be recovered.
    pub fn open(path: &Path) -> Result<OpenedMap, SaveError> {
        must_be_file(path)?;
        // The lock and a rebuilt map belong beside the file itself, not beside a link to it.
        let target = path.is_symlink().then(|| path.canonicalize()).transpose();
        let target = target.map_err(SaveError::io(path, "follow the link"))?;
        let path = target.as_deref().unwrap_or(path);
        let lock = MapLock::take(path)?;
        // SQLite would open a file it may not write for reading, and say so only at the first save.
        std::fs::OpenOptions::new().write(true).open(path).map_err(SaveError::io(path, "open the map for writing"))?;
        let (conn, contents, salvage) = match MapFile::try_writable(path) {
            Ok((conn, contents)) => (conn, contents, None),
            Err(Trouble::Broken(reason)) => {
                let damage = rebuild::in_place(path, &name_of(path), reason)?;
                let (conn, contents) = MapFile::try_writable(path).map_err(|t| MapFile::explain(path, t))?;
                (conn, contents, Some(damage))
            }
            Err(trouble) => return Err(MapFile::explain(path, trouble)),
        };
        schema::begin_writing(&conn).map_err(SaveError::sqlite(path, "open the map for writing"))?;
        let place = Place::of(path)?;
        Ok(MapFile::opened(path, conn, contents, (Some(lock), Some(place)), salvage))
    }

    /// Opens a map for reading. It may be open in another program, and its folder need not be writable. A
    /// map that is damaged in more than single chunks is built anew in memory.
    ///
    /// # Errors
    /// As [`MapFile::open`].
    pub fn open_read_only(path: &Path) -> Result<OpenedMap, SaveError> {
        must_be_file(path)?;
        let trouble = match MapFile::try_reading(path) {
            Ok((conn, second, contents)) => {
                let opened = MapFile::opened(path, conn, contents, (None, Some(Place::of(path)?)), None);
                *opened.map.shared.connection.lock().unwrap_or_else(PoisonError::into_inner) = Some(second);
                return Ok(opened);
            }
            Err(trouble) => trouble,
        };
        let Trouble::Broken(reason) = trouble else { return Err(MapFile::explain(path, trouble)) };
        let (conn, damage) = rebuild::in_memory(path, &name_of(path), reason)?;
        let contents = inspect(&conn).map_err(|t| MapFile::explain(path, t))?;
        Ok(MapFile::opened(path, conn, contents, (None, None), Some(damage)))
    }

    /// Two connections that read the map as it is at one moment, the second for background loads, and its contents.
    fn try_reading(path: &Path) -> Result<(Connection, Connection, Contents), Trouble> {
        // Another program may save meanwhile. A transaction sees the map as it was when it first read.
        let (conn, second) = loop {
            let (conn, second) = (schema::for_reading(path)?, schema::for_reading(path)?);
            conn.execute_batch("BEGIN")?;
            second.execute_batch("BEGIN")?;
            match (revision(&conn), revision(&second)) {
                (Ok(first), Ok(then)) if first != then => {}
                _ => break (conn, second),
            }
        };
        let contents = inspect(&conn)?;
        // Without a log a game that wants to write would have to wait for us until the map is closed.
        if !schema::has_wal(&conn)? {
            conn.execute_batch("COMMIT")?;
            second.execute_batch("COMMIT")?;
        }
        Ok((conn, second, contents))
    }

    fn try_writable(path: &Path) -> Result<(Connection, Contents), Trouble> {
        let conn = schema::for_writing(path)?;
        // If the map is broken, its log must stay as it is: it may hold what the file has lost.
        let keep_log = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        conn.set_db_config(keep_log, true)?;
        let contents = inspect(&conn)?;
        if conn.is_readonly("main")? {
            return Err(Trouble::Broken("its format byte says that it must not be written".to_owned()));
        }
        conn.set_db_config(keep_log, false)?;
        Ok((conn, contents))
    }

    fn explain(path: &Path, trouble: Trouble) -> SaveError {
        match trouble {
            Trouble::Broken(reason) => SaveError::NotAMap { path: path.to_owned(), reason },
            Trouble::TooNew(found) => SaveError::TooNew { path: path.to_owned(), found },
            Trouble::Outside(source) => SaveError::sqlite(path, "open the map")(source),
        }
    }

    fn opened(
        path: &Path,
        conn: Connection,
        contents: Contents,
        (lock, place): (Option<MapLock>, Option<Place>),
        salvage: Option<Damage>,
    ) -> OpenedMap {
        let (bad, chunks) = (contents.index.bad(), contents.index.len() as u64);
        let damage = salvage.or_else(|| {
            (!bad.is_empty()).then(|| Damage {
                file: name_of(path),
                expected: Some(chunks),
                sound: chunks - bad.len() as u64,
                bad,
                ..Damage::default()
            })
        });
        OpenedMap { map: MapFile::over(path, conn, contents, lock, place), damage }
    }

    fn over(path: &Path, conn: Connection, c: Contents, lock: Option<MapLock>, place: Option<Place>) -> MapFile {
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            index: RwLock::new(c.index),
            read_at: lock.is_none().then_some(c.revision),
            connection: Mutex::new(None),
        });
        let Contents { header, materials, version, revision, .. } = c;
        MapFile { conn, shared, header, materials, version, revision, lock, place }
    }

    /// The header as it was last saved.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The material table: the map's indices, the game's looks for names it knows.
    #[must_use]
    pub fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// The map's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Whether it can be saved.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    /// The chunk at `pos`; none if the map has no such chunk.
    ///
    /// # Errors
    /// [`SaveError::BadChunk`] if its record is bad; others if the file cannot be read.
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        reader::load(&self.shared, pos, |fetch| fetch(&self.conn))
    }

    /// A loader for other threads. It is of use until the map is closed.
    ///
    /// # Errors
    /// The file cannot be opened a second time.
    pub fn reader(&self) -> Result<MapReader, SaveError> {
        let mut connection = self.shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.is_none() {
            *connection = Some(self.second_connection()?);
        }
        Ok(MapReader { shared: Arc::clone(&self.shared) })
    }

    fn second_connection(&self) -> Result<Connection, SaveError> {
        if self.place.is_some() {
            // Never as a file that nobody writes, be it that nothing else can be opened just now: it would miss all saves.
            return schema::beside_writer(self.path()).map_err(SaveError::sqlite(self.path(), "read"));
        }
        // Built anew in memory, it is not what the file holds.
        let copy = || {
            let mut copy = Connection::open_in_memory()?;
            Backup::new(&self.conn, &mut copy)?.run_to_completion(1024, Duration::ZERO, None)?;
            Ok(copy)
        };
        copy().map_err(SaveError::sqlite(self.path(), "copy the map in memory"))
    }

    /// Whether the map has a chunk at `pos`, be it a bad one.
    #[must_use]
    pub fn holds(&self, pos: ChunkPos) -> bool {
        self.shared.index(|index| index.get(pos).is_some())
    }

    /// Positions of all chunks, bad ones too, sorted.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        self.shared.index(|index| index.positions())
    }

    /// Sums over the chunks, and the file's size.
    ///
    /// # Errors
    /// The file's size cannot be read.
    pub fn totals(&self) -> Result<Totals, SaveError> {
        self.shared.totals()
    }

    /// The picture for the title screen, PNG. A bad one is none: a new one comes with the next save.
    #[must_use]
    pub fn picture(&self) -> Option<Vec<u8>> {
        self.checked_picture().ok()?
    }

    /// The picture, if there is one, or what is wrong with its record.
    pub(super) fn checked_picture(&self) -> Result<Option<Vec<u8>>, String> {
        let Some(bytes) = meta(&self.conn, Kind::Picture).map_err(|e| e.to_string())? else { return Ok(None) };
        let record = frame::parse_as(&bytes, Kind::Picture, ChunkPos::default())?;
        Ok(Some(record.data.to_vec()))
    }

    /// Closes the map: it is one plain file again, and its readers read no more. Dropping it does the same,
    /// without a word if that fails.
    ///
    /// # Errors
    /// The log cannot be folded into the file. Nothing is lost: the next opening will do it. Or the file is not there any more.
    pub fn close(mut self) -> Result<(), SaveError> {
        self.finish()
    }

    /// Lets saves of a map that counts only once it is whole neither wait for the disk nor keep a journal.
    pub(super) fn end_journal(&mut self) -> Result<(), SaveError> {
        let path = self.path();
        self.conn
            .pragma_update(None, "synchronous", "OFF")
            .and_then(|()| schema::set_journal_mode(&self.conn, "OFF"))
            .map_err(SaveError::sqlite(path, "create the map"))?;
        self.place = Some(Place::of(path)?);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SaveError> {
        *self.shared.connection.lock().unwrap_or_else(PoisonError::into_inner) = None;
        match self.lock {
            Some(_) => self.end_writing(),
            None => Ok(()),
        }
    }
}

impl Drop for MapFile {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
