//! Saves in the background: a thread owns the open map, so no frame waits for the disk.

use super::idle_compaction::IdleCompaction;
use super::map_file::MapFile;
use super::types::{MapChanges, SaveReport};
use crate::save::error::SaveError;
use crate::save::library::backup;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two backups.
const BACKUP_INTERVAL: Duration = Duration::from_secs(600);
/// Time until a failed backup is tried again. It may have taken long, and filled the disk for a
/// while.
const BACKUP_RETRY: Duration = Duration::from_secs(60);

/// Time without a command after which the map is compacted.
const IDLE: Duration = Duration::from_secs(5);

/// True if a backup is due. `since` is the time since the last attempt.
fn is_backup_due(since: Option<Duration>, failed: bool) -> bool {
    since.is_none_or(|since| since >= if failed { BACKUP_RETRY } else { BACKUP_INTERVAL })
}

/// A command for the thread.
enum Command {
    Save(Box<MapChanges>),
    /// Save what could not be saved before, then close the map and end.
    Close(Sender<CloseOutcome>),
}

/// The thread's answer to [`Command::Close`].
enum CloseOutcome {
    /// Changes could not be saved, and the thread goes on.
    Unsaved(SaveError),
    /// The thread has ended.
    Ended {
        /// Result of closing the file.
        closed: Result<(), SaveError>,
        /// Why the last backup failed, if it did.
        backup_error: Option<SaveError>,
    },
}

/// A map that a thread of its own saves, and compacts while it has nothing to save.
///
/// Changes that could not be saved stay here and go into the next save, each chunk in its latest
/// form, so callers never hand them in again. Create the [`MapReader`](super::reader::MapReader)s
/// before the map goes in.
///
/// Dropped without [`MapWriter::close`], it still makes a last attempt to save pending changes.
#[derive(Debug)]
pub struct MapWriter {
    commands: Sender<Command>,
    results: Receiver<Result<SaveReport, SaveError>>,
    /// Reasons of failed backups.
    backup_failures: Receiver<String>,
    /// Requested saves that are not finished.
    pending: Arc<AtomicUsize>,
    /// Chunks whose last save failed.
    unsaved: Arc<AtomicUsize>,
    /// Saves requested after the thread had ended.
    refused: AtomicUsize,
    thread: Option<JoinHandle<()>>,
    path: PathBuf,
}

/// How a [`MapWriter`] closed its map.
#[derive(Debug)]
pub struct CloseReport {
    /// The last report that was not polled.
    pub report: Option<SaveReport>,
    /// Why the log could not be folded into the file: another program is reading the map, or the
    /// disk is full. All changes are saved, and the next open folds the log.
    pub checkpoint_error: Option<SaveError>,
    /// Why the last backup failed, if it did.
    pub backup_error: Option<SaveError>,
}

impl MapWriter {
    /// Starts the thread, which calls `on_start` first.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn spawn(map: MapFile, on_start: impl FnOnce() + Send + 'static) -> Result<MapWriter, SaveError> {
        let (commands, inbox) = channel();
        let (outbox, results) = channel();
        let (backup_outbox, backup_failures) = channel();
        let (pending, unsaved) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let path = map.path().to_owned();
        let thread = WriterThread {
            map,
            unsaved_changes: None,
            pending: Arc::clone(&pending),
            unsaved: Arc::clone(&unsaved),
            last_backup: None,
            backup_error: None,
            backup_failures: backup_outbox,
            compaction: IdleCompaction::default(),
        };
        let thread = std::thread::Builder::new()
            .name("map writer".to_owned())
            .spawn(move || {
                on_start();
                thread.run(&inbox, &outbox);
            })
            .map_err(SaveError::io(&path, "start the thread that saves"))?;
        Ok(MapWriter {
            commands,
            results,
            backup_failures,
            pending,
            unsaved,
            refused: AtomicUsize::new(0),
            thread: Some(thread),
            path,
        })
    }

    /// Requests a save and returns at once.
    pub fn save(&self, changes: MapChanges) {
        self.pending.fetch_add(1, Ordering::AcqRel);
        if self.commands.send(Command::Save(Box::new(changes))).is_err() {
            self.pending.fetch_sub(1, Ordering::AcqRel);
            self.refused.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Takes the result of the oldest finished save.
    #[must_use]
    pub fn poll(&self) -> Option<Result<SaveReport, SaveError>> {
        if self.refused.swap(0, Ordering::AcqRel) > 0 {
            return Some(Err(self.closed()));
        }
        match self.results.try_recv() {
            Ok(result) => Some(result),
            // The thread is gone, which only a bug can cause: pending changes are not saved.
            Err(TryRecvError::Disconnected) if self.pending.swap(0, Ordering::AcqRel) > 0 => Some(Err(self.closed())),
            Err(_) => None,
        }
    }

    /// Takes the reason of the oldest failed backup. The save after it went on.
    #[must_use]
    pub fn poll_backup_failure(&self) -> Option<String> {
        self.backup_failures.try_recv().ok()
    }

    fn closed(&self) -> SaveError {
        SaveError::Closed { path: self.path.clone() }
    }

    /// True while a save is running or waiting.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.pending.load(Ordering::Acquire) > 0
    }

    /// Number of chunks whose last save failed. The next save includes them.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.unsaved.load(Ordering::Acquire)
    }

    /// Waits for all saves, retries a failed one, and closes the map. Idempotent.
    ///
    /// # Errors
    /// Changes could not be saved. The writer goes on, and nothing is lost: make room on the disk
    /// and close again, or drop it. Or the thread is gone, which only a bug can cause.
    pub fn close(&mut self) -> Result<CloseReport, SaveError> {
        if self.thread.is_none() {
            return Ok(CloseReport { report: None, checkpoint_error: None, backup_error: None });
        }
        let (reply, answer) = channel();
        self.commands.send(Command::Close(reply)).map_err(|_| self.closed())?;
        let (checkpoint_error, backup_error) = match answer.recv() {
            Ok(CloseOutcome::Unsaved(error)) => return Err(error),
            Ok(CloseOutcome::Ended { closed, backup_error }) => (closed.err(), backup_error),
            Err(_) => return Err(self.closed()),
        };
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let report = self.results.try_iter().filter_map(Result::ok).last();
        Ok(CloseReport { report, checkpoint_error, backup_error })
    }
}

impl Drop for MapWriter {
    fn drop(&mut self) {
        // Without a sender the thread ends. The process must not end before its last attempt to
        // save.
        self.commands = channel().0;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct WriterThread {
    map: MapFile,
    /// Changes whose save failed.
    unsaved_changes: Option<Box<MapChanges>>,
    pending: Arc<AtomicUsize>,
    unsaved: Arc<AtomicUsize>,
    /// Time of the last attempt at a backup.
    last_backup: Option<Instant>,
    /// Why the last attempt failed.
    backup_error: Option<SaveError>,
    backup_failures: Sender<String>,
    /// Progress of idle compaction.
    compaction: IdleCompaction,
}

impl WriterThread {
    fn run(mut self, inbox: &Receiver<Command>, outbox: &Sender<Result<SaveReport, SaveError>>) {
        while let Some(command) = self.next_command(inbox) {
            match command {
                Command::Save(changes) => {
                    let result = self.save(changes);
                    // Before the result: a caller that polls it and finds the writer idle knows
                    // that no other save is running.
                    self.pending.fetch_sub(1, Ordering::AcqRel);
                    // A dropped writer polls no results.
                    let _ = outbox.send(result);
                }
                Command::Close(reply) => {
                    match self.unsaved_changes.take().map(|changes| self.save(changes)) {
                        Some(Err(error)) => {
                            let _ = reply.send(CloseOutcome::Unsaved(error));
                            continue;
                        }
                        Some(done) => _ = outbox.send(done),
                        None => {}
                    }
                    let (closed, backup_error) = (self.map.close(), self.backup_error.take());
                    let _ = reply.send(CloseOutcome::Ended { closed, backup_error });
                    return;
                }
            }
        }
        if let Some(changes) = self.unsaved_changes.take() {
            let _ = self.save(changes);
        }
    }

    /// Waits for a command; `None` without a sender. Compacts the map once none has come for a
    /// while.
    fn next_command(&mut self, inbox: &Receiver<Command>) -> Option<Command> {
        match inbox.recv_timeout(IDLE) {
            Ok(command) => return Some(command),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        loop {
            match inbox.try_recv() {
                Ok(command) => return Some(command),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            // An error is not reported: nothing is lost, and the next save meets its cause, too.
            if self.unsaved_changes.is_some() || !self.map.compact_some(&mut self.compaction).unwrap_or(false) {
                return inbox.recv().ok();
            }
        }
    }

    /// Makes a backup if these changes overwrite chunks and one is due. If it fails, that is
    /// reported and the save goes on.
    fn back_up_before(&mut self, changes: &MapChanges) {
        let is_due = is_backup_due(self.last_backup.map(|at| at.elapsed()), self.backup_error.is_some());
        if is_due && changes.chunks.iter().any(|(pos, _)| self.map.contains(*pos)) {
            self.backup_error = backup::create(&self.map).err();
            if let Some(error) = &self.backup_error {
                // A dropped writer polls nothing.
                let _ = self.backup_failures.send(error.to_string());
            }
            self.last_backup = Some(Instant::now());
        }
    }

    fn save(&mut self, changes: Box<MapChanges>) -> Result<SaveReport, SaveError> {
        let changes = match self.unsaved_changes.take() {
            Some(earlier) => Box::new(changes.merged_after(*earlier)),
            None => changes,
        };
        self.back_up_before(&changes);
        let result = self.map.save(&changes);
        self.compaction.saved();
        self.unsaved.store(if result.is_ok() { 0 } else { changes.chunks.len() }, Ordering::Release);
        // The picture is dropped: if it was refused, all later saves would be refused too.
        self.unsaved_changes = result.is_err().then(|| Box::new(MapChanges { picture: None, ..*changes }));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::{Header, verify};
    use crate::terrain::{Generator, TerrainKind};
    use crate::voxel::{ChunkPos, MaterialTable, Voxel};
    use crate::world::Chunk;

    fn thread_of(map: MapFile) -> WriterThread {
        WriterThread {
            map,
            unsaved_changes: None,
            pending: Arc::default(),
            unsaved: Arc::default(),
            last_backup: None,
            backup_error: None,
            backup_failures: channel().0,
            compaction: IdleCompaction::default(),
        }
    }

    #[test]
    fn compaction_in_parts_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let (header, materials) = (Header::new(7, "continents", 7), MaterialTable::builtin());
        let generator = Generator::new(7, TerrainKind::Continents, &materials);
        let place = |i: i32| ChunkPos::new(i % 6, i / 36 - 2, i / 6 % 6);
        let chunks = |numbers: std::ops::Range<i32>| -> Vec<(ChunkPos, Chunk)> {
            numbers.map(|i| (place(i), generator.chunk(place(i)))).collect()
        };
        let mut thread = thread_of(MapFile::create(&path, &header, &materials).unwrap());
        let reader = thread.map.reader().unwrap();
        let bytes = || {
            let totals = reader.totals().unwrap();
            (totals.data_bytes, totals.file_bytes)
        };
        let all = chunks(0..144);
        for part in all.chunks(72) {
            thread.save(Box::new(MapChanges::new(part.to_vec(), header.clone(), materials.clone()))).unwrap();
            let before = bytes();
            let mut steps = 0;
            while thread.map.compact_some(&mut thread.compaction).unwrap() {
                steps += 1;
            }
            let after = bytes();
            assert!(steps > 0 && after.0 < before.0 * 7 / 10 && after.1 < before.1 * 9 / 10, "{before:?} {after:?}");
            // Nothing is tried twice: after a save without chunks, there is no batch.
            thread.compaction.saved();
            assert!(!thread.map.compact_some(&mut thread.compaction).unwrap());
        }
        assert!(all.iter().all(|(pos, chunk)| reader.load(*pos).unwrap().as_ref() == Some(chunk)));
        thread.map.close().unwrap();
        assert!(verify(&path).unwrap().is_sound());
    }

    #[test]
    fn compaction_leaves_a_file_that_was_moved_to_the_next_save() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let (header, materials) = (Header::new(1, "void", 7), MaterialTable::builtin());
        let mut thread = thread_of(MapFile::create(&path, &header, &materials).unwrap());
        std::fs::rename(&path, folder.path().join("away")).unwrap();
        assert!(!thread.map.compact_some(&mut thread.compaction).unwrap());
        let changes = MapChanges::new(vec![], header, materials);
        assert!(
            matches!(thread.save(Box::new(changes)), Err(SaveError::Gone { .. })),
            "the file can still be put back"
        );
    }

    #[test]
    fn failed_backup_is_retried_after_a_pause() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let (header, materials) = (Header::new(1, "void", 7), MaterialTable::builtin());
        let map = MapFile::create(&path, &header, &materials).unwrap();
        let mut thread = thread_of(map);
        let save = |thread: &mut WriterThread, material| {
            let chunks = vec![(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::full(material)))];
            let (header, materials) = (header.clone(), materials.clone());
            thread.save(Box::new(MapChanges::new(chunks, header, materials))).unwrap();
            backup::list(&path).unwrap().len()
        };
        assert_eq!(save(&mut thread, 1), 0);
        // A folder in place of the unfinished backup makes backups fail.
        let backups = folder.path().join("a.stonerun.backups");
        std::fs::create_dir(&backups).unwrap();
        std::fs::create_dir(backups.join("unfinished")).unwrap();
        let (outbox, failures) = channel();
        thread.backup_failures = outbox;
        assert_eq!(save(&mut thread, 2), 0);
        assert_eq!(failures.try_recv().ok(), thread.backup_error.as_ref().map(SaveError::to_string));
        assert!(thread.backup_error.is_some());
        std::fs::remove_dir(backups.join("unfinished")).unwrap();
        assert_eq!(save(&mut thread, 3), 0, "no retry before the pause is over");
        // As after a pause.
        thread.last_backup = None;
        assert_eq!((save(&mut thread, 4), thread.backup_error.is_some()), (1, false));
        let minute = Some(Duration::from_secs(60));
        let due = (is_backup_due(None, true), is_backup_due(minute, true), is_backup_due(minute, false));
        assert_eq!(due, (true, true, false));
    }
}
