//! The thread that owns an open map: it saves, makes backups, and compacts in idle moments.

use crate::save::error::SaveError;
use crate::save::library::backup;
use crate::save::map::idle_compaction::IdleCompaction;
use crate::save::map::map_changes::{MapChanges, SaveReport};
use crate::save::map::map_file::MapFile;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

/// Minimum time between two backups.
const BACKUP_INTERVAL: Duration = Duration::from_secs(600);
/// Time after which a failed backup is retried. Retries at each save could slow down all saves and
/// fill the disk again and again.
const BACKUP_RETRY: Duration = Duration::from_secs(60);

/// Time without a command after which compaction starts.
const IDLE: Duration = Duration::from_secs(5);

/// True if a backup is due. `since` is the time since the last attempt, `failed` its result.
fn is_backup_due(since: Option<Duration>, failed: bool) -> bool {
    since.is_none_or(|since| since >= if failed { BACKUP_RETRY } else { BACKUP_INTERVAL })
}

/// A command for the thread.
pub(super) enum Command {
    /// Saves these changes.
    Save(Box<MapChanges>),
    /// Saves changes whose save has failed before, closes the map and ends the thread.
    Close(Sender<CloseOutcome>),
}

/// The thread's answer to [`Command::Close`].
pub(super) enum CloseOutcome {
    /// Changes could not be saved, so the thread goes on.
    Unsaved(SaveError),
    /// The thread has ended.
    Ended {
        /// Result of closing the file.
        closed: Result<(), SaveError>,
        /// Error of the last attempt at a backup, if it failed.
        backup_error: Option<SaveError>,
    },
}

/// The state of the thread.
pub(super) struct WriterThread {
    map: MapFile,
    /// Changes whose save failed.
    unsaved_changes: Option<Box<MapChanges>>,
    pending: Arc<AtomicUsize>,
    unsaved: Arc<AtomicUsize>,
    /// Time of the last attempt at a backup.
    last_backup: Option<Instant>,
    /// Error of the last attempt at a backup, if it failed.
    backup_error: Option<SaveError>,
    backup_failures: Sender<String>,
    /// Progress of idle compaction.
    compaction: IdleCompaction,
}

impl WriterThread {
    /// Creates the state of a thread that will own `map`. `pending` counts the saves that are not
    /// finished, `unsaved` the chunks whose last save failed, and `backup_failures` receives the
    /// messages of failed backups.
    pub(super) fn new(
        map: MapFile,
        pending: Arc<AtomicUsize>,
        unsaved: Arc<AtomicUsize>,
        backup_failures: Sender<String>,
    ) -> WriterThread {
        WriterThread {
            map,
            unsaved_changes: None,
            pending,
            unsaved,
            last_backup: None,
            backup_error: None,
            backup_failures,
            compaction: IdleCompaction::default(),
        }
    }

    /// Executes the commands of `inbox` until the map is closed or the last sender is gone.
    pub(super) fn run(
        mut self,
        inbox: &Receiver<Command>,
        outbox: &Sender<Result<SaveReport, SaveError>>,
    ) {
        while let Some(command) = self.next_command(inbox) {
            match command {
                Command::Save(changes) => {
                    let result = self.save(changes);
                    // Before the result is sent, so a caller that polls it and finds the writer
                    // idle knows that no other save is running.
                    self.pending.fetch_sub(1, Ordering::AcqRel);
                    // Fails only if the writer was dropped and polls no more results.
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
                    let closed = self.map.close();
                    let backup_error = self.backup_error.take();
                    let _ = reply.send(CloseOutcome::Ended { closed, backup_error });
                    return;
                }
            }
        }
        if let Some(changes) = self.unsaved_changes.take() {
            let _ = self.save(changes);
        }
    }

    /// Waits for a command; `None` once the last sender is gone. Compacts the map after some time
    /// without commands.
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
            // An error is not reported: it loses nothing, and the next save meets its cause, too.
            if self.unsaved_changes.is_some()
                || !self.map.compact_some(&mut self.compaction).unwrap_or(false)
            {
                return inbox.recv().ok();
            }
        }
    }

    /// Makes a backup if one is due and these changes overwrite chunks. A failure is reported and
    /// does not stop the save.
    fn back_up_before(&mut self, changes: &MapChanges) {
        let is_due =
            is_backup_due(self.last_backup.map(|at| at.elapsed()), self.backup_error.is_some());
        if is_due && changes.chunks.iter().any(|(pos, _)| self.map.contains(*pos)) {
            self.backup_error = backup::create(&self.map).err();
            if let Some(error) = &self.backup_error {
                // Fails only if the writer was dropped and polls no more messages.
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
        self.unsaved
            .store(if result.is_ok() { 0 } else { changes.chunks.len() }, Ordering::Release);
        // Without the picture: if it was the reason, all later saves would be refused, too.
        self.unsaved_changes =
            result.is_err().then(|| Box::new(MapChanges { picture: None, ..*changes }));
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
    use std::sync::mpsc::channel;

    fn thread_of(map: MapFile) -> WriterThread {
        WriterThread::new(map, Arc::default(), Arc::default(), channel().0)
    }

    #[test]
    fn compaction_in_parts_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let header = Header::new(7, "continents", 7);
        let materials = MaterialTable::builtin();
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
            thread
                .save(Box::new(MapChanges::new(part.to_vec(), header.clone(), materials.clone())))
                .unwrap();
            let before = bytes();
            let mut steps = 0;
            while thread.map.compact_some(&mut thread.compaction).unwrap() {
                steps += 1;
            }
            let after = bytes();
            assert!(
                steps > 0 && after.0 < before.0 * 7 / 10 && after.1 < before.1 * 9 / 10,
                "{before:?} {after:?}"
            );
            // No chunk is tried twice: after a save without chunks, nothing is left to do.
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
        let header = Header::new(1, "void", 7);
        let materials = MaterialTable::builtin();
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
        let header = Header::new(1, "void", 7);
        let materials = MaterialTable::builtin();
        let map = MapFile::create(&path, &header, &materials).unwrap();
        let mut thread = thread_of(map);
        let save = |thread: &mut WriterThread, material| {
            let chunks = vec![(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::full(material)))];
            let header = header.clone();
            let materials = materials.clone();
            thread.save(Box::new(MapChanges::new(chunks, header, materials))).unwrap();
            backup::list(&path).unwrap().len()
        };
        assert_eq!(save(&mut thread, 1), 0);
        // A folder with the name of the unfinished file makes backups fail.
        let backups = folder.path().join("a.stonerun.backups");
        std::fs::create_dir(&backups).unwrap();
        std::fs::create_dir(backups.join("unfinished")).unwrap();
        let (outbox, failures) = channel();
        thread.backup_failures = outbox;
        assert_eq!(save(&mut thread, 2), 0);
        assert_eq!(
            failures.try_recv().ok(),
            thread.backup_error.as_ref().map(SaveError::to_string)
        );
        assert!(thread.backup_error.is_some());
        std::fs::remove_dir(backups.join("unfinished")).unwrap();
        assert_eq!(save(&mut thread, 3), 0, "no retry before the pause is over");
        // Simulates that the pause has passed.
        thread.last_backup = None;
        assert_eq!((save(&mut thread, 4), thread.backup_error.is_some()), (1, false));
        let minute = Some(Duration::from_secs(60));
        let due =
            (is_backup_due(None, true), is_backup_due(minute, true), is_backup_due(minute, false));
        assert_eq!(due, (true, true, false));
    }
}
