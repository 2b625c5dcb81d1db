//! Whether an open map is still the file of its name, and what is done where it is not.
//!
//! A file that is deleted or moved while it is open goes on without its name, and SQLite would save into it for ever: done, and
//! lost. So each save looks before it writes and after it has written.
//!
//! | gone is | then |
//! |---|---|
//! | the write-ahead log | it is folded into the map, and a new one begun; nobody need know |
//! | the map's file | the save fails, so that a player hears of it and can put the file back; the next one writes the whole map anew |
//! | its folder, or the disk | saves fail until it is back. Written anew is nothing: what lies under the path then may be another disk |
//! | nothing, but another file has the name | saves fail until that is moved away: it is never overwritten |

use super::error::SaveError;
use super::files::{give_name, remove_if_there};
use super::lock::FileId;
use super::map::MapFile;
use super::rebuild::REBUILDING;
use super::schema::{self, beside};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Which files an open map consists of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub file: FileId,
    /// The write-ahead log; none of a map that is read, or where the file system can do none.
    log: Option<FileId>,
    /// The last save found no file of the map's name.
    missed: bool,
}

/// What is found under a map's name.
enum Found {
    Itself,
    WithoutLog,
    Nothing,
    NoFolder,
    Another,
}

impl Place {
    /// That of the map at `path`, once it is open.
    pub(super) fn of(path: &Path) -> Result<Place, SaveError> {
        let file = FileId::of(path).map_err(SaveError::io(path, "open the map"))?;
        Ok(Place { file, log: FileId::of(&beside(path, "-wal")).ok(), missed: false })
    }

    fn look(&self, path: &Path) -> Result<Found, SaveError> {
        match FileId::of(path) {
            Ok(file) if file != self.file => Ok(Found::Another),
            Ok(_) if self.log.is_some() && self.log != FileId::of(&beside(path, "-wal")).ok() => Ok(Found::WithoutLog),
            Ok(_) => Ok(Found::Itself),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let there = FileId::of(folder).is_ok_and(|folder| folder.is_beside(self.file));
                Ok(if there { Found::Nothing } else { Found::NoFolder })
            }
            Err(e) => Err(SaveError::io(path, "find the map's file")(e)),
        }
    }
}

impl MapFile {
    /// Checks that the map was opened for writing and is the file of its name, or makes it so.
    pub(super) fn must_be_writable(&mut self) -> Result<(), SaveError> {
        let path = self.path().to_owned();
        if self.lock.is_none() {
            return Err(SaveError::ReadOnly { path });
        }
        if self.place.is_some_and(|place| place.missed) && matches!(self.look()?, Found::Nothing) {
            self.write_anew()?;
        }
        self.must_be_in_place()?;
        self.lock.as_mut().map_or(Ok(()), |lock| lock.renew(&path))
    }

    /// Checks that the map is the file of its name, with its log.
    pub(super) fn must_be_in_place(&mut self) -> Result<(), SaveError> {
        let found = self.look()?;
        if let Some(place) = &mut self.place {
            place.missed = matches!(found, Found::Nothing);
        }
        let path = self.path().to_owned();
        match found {
            Found::Itself => Ok(()),
            Found::WithoutLog => self.renew_log(),
            Found::Nothing => Err(SaveError::Gone { path }),
            Found::NoFolder => Err(SaveError::FolderGone { path }),
            Found::Another => Err(SaveError::Replaced { path }),
        }
    }

    fn look(&self) -> Result<Found, SaveError> {
        // One that was built anew in memory has no file to lose.
        self.place.map_or(Ok(Found::Itself), |place| place.look(self.path()))
    }

    /// Folds the log, which has lost its name, into the file, and begins a new one.
    fn renew_log(&mut self) -> Result<(), SaveError> {
        let shared = Arc::clone(&self.shared);
        let fail = |e| SaveError::sqlite(&shared.path, "make the map's log anew")(e);
        // A map's log can only be ended when nobody else has it open.
        let mut second = shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let was_read = second.take().is_some();
        let renewed = schema::end_writing(&self.conn).and_then(|()| schema::begin_writing(&self.conn));
        if was_read {
            *second = Some(schema::beside_writer(&shared.path).map_err(fail)?);
        }
        renewed.map_err(fail)?;
        self.place = Some(Place::of(&shared.path)?);
        Ok(())
    }

    /// Writes the map, as it was last saved, under its name, where there is nothing any more: the file lives on without one as
    /// long as it is open.
    fn write_anew(&mut self) -> Result<(), SaveError> {
        let shared = Arc::clone(&self.shared);
        let path = shared.path.as_path();
        let fail = |e| SaveError::sqlite(path, "write the whole map anew")(e);
        let new = beside(path, REBUILDING);
        remove_if_there(&new)?;
        let copy = || {
            let mut to = Connection::open(&new)?;
            // The file counts only once it is whole, so it needs no journal; it is synchronised as it gets its name.
            to.pragma_update(None, "synchronous", "OFF")?;
            schema::set_journal_mode(&to, "OFF")?;
            Backup::new(&self.conn, &mut to)?.run_to_completion(1024, Duration::ZERO, None)?;
            to.close().map_err(|(_, e)| e)
        };
        let named = copy().map_err(fail).and_then(|()| {
            // The log under the map's name is this map's or nobody's, and what it held is in the copy.
            schema::remove_logs(path);
            give_name(&new, path)
        });
        if named.is_err() {
            let _ = std::fs::remove_file(&new);
        }
        named?;
        let open = || {
            let conn = schema::for_writing(path)?;
            schema::begin_writing(&conn)?;
            let mut second = shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
            let reader = second.is_some().then(|| schema::beside_writer(path)).transpose()?;
            *second = reader;
            Ok(conn)
        };
        let opened = open().map_err(fail).and_then(|conn| Ok((conn, Place::of(path)?)));
        if opened.is_err() {
            let _ = std::fs::remove_file(path);
            schema::remove_logs(path);
        }
        let (conn, place) = opened?;
        let old = std::mem::replace(&mut self.conn, conn);
        let _ = old.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        self.place = Some(place);
        Ok(())
    }

    /// Folds the log into the file, and makes it one plain file again.
    pub(super) fn end_writing(&self) -> Result<(), SaveError> {
        let path = self.path();
        let error = match self.look()? {
            Found::Itself | Found::WithoutLog => {
                return schema::end_writing(&self.conn).map_err(SaveError::sqlite(path, "close the map"));
            }
            Found::Nothing => SaveError::Gone { path: path.to_owned() },
            Found::NoFolder => SaveError::FolderGone { path: path.to_owned() },
            Found::Another => SaveError::Replaced { path: path.to_owned() },
        };
        // Ending the log would delete what has its name now, which may be another map's. Folding it in and emptying it touches
        // our files alone, wherever they are, and leaves nothing that another map could meet.
        let _ = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        Err(error)
    }
}
