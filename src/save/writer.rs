//! Saves in the background: a thread that owns the open map, so that no frame waits for the disk.

use super::backup;
use super::error::SaveError;
use super::map::MapFile;
use super::types::{MapChanges, SaveReport};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two backups.
const BACKED_UP_EVERY: Duration = Duration::from_secs(600);
/// Time until one that failed is tried again: it may have taken long, and filled the disk, before it was removed.
const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(60);

/// Whether it is time for a backup, so long after the last try, which failed or not.
fn is_due(since: Option<Duration>, failed: bool) -> bool {
    since.is_none_or(|since| since >= if failed { TRIED_AGAIN_AFTER } else { BACKED_UP_EVERY })
}

/// What is asked of the thread.
enum Job {
    Save(Box<MapChanges>),
    /// Save what could not be saved before, then close the map and end.
    Close(Sender<Closing>),
}

/// What came of [`Job::Close`].
enum Closing {
    /// Something is not saved, and the thread goes on.
    Unsaved(SaveError),
    /// The thread has ended; the result is that of closing the file.
    Ended(Result<(), SaveError>, Option<SaveError>),
}

/// A map that is saved by a thread of its own.
///
/// Changes that could not be saved are kept here and go into the next save, each chunk in its latest form;
/// so nobody has to hand them in again. Make the [`super::MapReader`]s before the map goes in.
///
/// Dropped without [`MapWriter::close`], it ends all the same, with one last attempt at what is not saved.
#[derive(Debug)]
pub struct MapWriter {
    jobs: Sender<Job>,
    results: Receiver<Result<SaveReport, SaveError>>,
    /// Saves asked for and not yet done.
    waiting: Arc<AtomicUsize>,
    /// Chunks whose last save failed.
    unsaved: Arc<AtomicUsize>,
    /// Saves that were asked for when the thread was gone already.
    refused: AtomicUsize,
    thread: Option<JoinHandle<()>>,
    path: PathBuf,
}

/// A writer's end.
#[derive(Debug)]
pub struct CloseReport {
    /// The last report that was not polled.
    pub report: Option<SaveReport>,
    /// Why the log could not be folded into the file, if it could not: another program is reading the map, or the disk
    /// is full. All is saved, and the next opening folds the log.
    pub checkpoint_error: Option<SaveError>,
    /// Why a backup could not be made, if one could not.
    pub backup_error: Option<SaveError>,
}

impl MapWriter {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn spawn(map: MapFile) -> Result<MapWriter, SaveError> {
        let (jobs, inbox) = channel();
        let (outbox, results) = channel();
        let (waiting, unsaved) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let path = map.path().to_owned();
        let (waits, fails) = (Arc::clone(&waiting), Arc::clone(&unsaved));
        let work = Work { map, kept: None, waiting: waits, unsaved: fails, backed_up: None, backup_error: None };
        let thread = std::thread::Builder::new()
            .name("map writer".to_owned())
            .spawn(move || work.run(&inbox, &outbox))
            .map_err(SaveError::io(&path, "start the thread that saves"))?;
        Ok(MapWriter { jobs, results, waiting, unsaved, refused: AtomicUsize::new(0), thread: Some(thread), path })
    }

    /// Asks for a save and returns at once.
    pub fn save(&self, changes: MapChanges) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        if self.jobs.send(Job::Save(Box::new(changes))).is_err() {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
            self.refused.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// The result of the oldest save that is done and has not been asked about yet.
    #[must_use]
    pub fn poll(&self) -> Option<Result<SaveReport, SaveError>> {
        if self.refused.swap(0, Ordering::AcqRel) > 0 {
            return Some(Err(self.closed()));
        }
        match self.results.try_recv() {
            Ok(result) => Some(result),
            // The thread is gone, which only a defect can bring about: what it was given is not saved.
            Err(TryRecvError::Disconnected) if self.waiting.swap(0, Ordering::AcqRel) > 0 => Some(Err(self.closed())),
            Err(_) => None,
        }
    }

    fn closed(&self) -> SaveError {
        SaveError::Closed { path: self.path.clone() }
    }

    /// True while a save is being made or waits to be.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
    }

    /// Chunks whose last save failed; the next one tries them again.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.unsaved.load(Ordering::Acquire)
    }

    /// Waits for all saves, tries once more what could not be saved, and closes the map. Doing it again is nothing.
    ///
    /// # Errors
    /// Something is not saved. Then the writer goes on, with nothing lost: make room on the disk and close
    /// again, or drop it. Or the thread is gone, which only a defect can bring about.
    pub fn close(&mut self) -> Result<CloseReport, SaveError> {
        if self.thread.is_none() {
            return Ok(CloseReport { report: None, checkpoint_error: None, backup_error: None });
        }
        let (reply, answer) = channel();
        self.jobs.send(Job::Close(reply)).map_err(|_| self.closed())?;
        let (checkpoint_error, backup_error) = match answer.recv() {
            Ok(Closing::Unsaved(error)) => return Err(error),
            Ok(Closing::Ended(result, backup_error)) => (result.err(), backup_error),
            Err(_) => return Err(self.closed()),
        };
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        Ok(CloseReport {
            report: self.results.try_iter().filter_map(Result::ok).last(),
            checkpoint_error,
            backup_error,
        })
    }
}

impl Drop for MapWriter {
    fn drop(&mut self) {
        // Without a sender the thread ends; a process that is about to end must wait for its last attempt.
        self.jobs = channel().0;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Work {
    map: MapFile,
    /// What could not be saved.
    kept: Option<Box<MapChanges>>,
    waiting: Arc<AtomicUsize>,
    unsaved: Arc<AtomicUsize>,
    /// When a backup was last tried.
    backed_up: Option<Instant>,
    /// Why the last one failed.
    backup_error: Option<SaveError>,
}

impl Work {
    fn run(mut self, inbox: &Receiver<Job>, outbox: &Sender<Result<SaveReport, SaveError>>) {
        while let Ok(job) = inbox.recv() {
            match job {
                Job::Save(changes) => {
                    let result = self.save(changes);
                    // Before the result: whoever polls one and finds the writer idle knows that nothing else runs.
                    self.waiting.fetch_sub(1, Ordering::AcqRel);
                    // Nobody polls a writer that was dropped.
                    let _ = outbox.send(result);
                }
                Job::Close(reply) => {
                    match self.kept.take().map(|kept| self.save(kept)) {
                        Some(Err(error)) => {
                            let _ = reply.send(Closing::Unsaved(error));
                            continue;
                        }
                        Some(done) => _ = outbox.send(done),
                        None => {}
                    }
                    let _ = reply.send(Closing::Ended(self.map.close(), self.backup_error.take()));
                    return;
                }
            }
        }
        if let Some(kept) = self.kept.take() {
            let _ = self.save(kept);
        }
    }

    /// Copies the map as it is, if these changes write over something and it is time to. Without a copy the save goes on.
    fn back_up_before(&mut self, changes: &MapChanges) {
        let is_due = is_due(self.backed_up.map(|at| at.elapsed()), self.backup_error.is_some());
        if is_due && changes.chunks.iter().any(|(pos, _)| self.map.holds(*pos)) {
            self.backup_error = backup::create(&self.map).err();
            self.backed_up = Some(Instant::now());
        }
    }

    fn save(&mut self, changes: Box<MapChanges>) -> Result<SaveReport, SaveError> {
        let changes = match self.kept.take() {
            Some(kept) => Box::new(changes.after(*kept)),
            None => changes,
        };
        self.back_up_before(&changes);
        let result = self.map.save(&changes);
        self.unsaved.store(if result.is_ok() { 0 } else { changes.chunks.len() }, Ordering::Release);
        // The picture is of that moment and nothing to keep; were it what is refused, so would all later saves be.
        self.kept = result.is_err().then(|| Box::new(MapChanges { picture: None, ..*changes }));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::Header;
    use super::*;
    use crate::voxel::{ChunkPos, MaterialTable, Voxel};
    use crate::world::Chunk;

    #[test]
    fn a_backup_that_failed_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let (header, materials) = (Header::new(1, "void", 7), MaterialTable::builtin());
        let map = MapFile::create(&path, &header, &materials).unwrap();
        let (waiting, unsaved) = Default::default();
        let mut work = Work { map, kept: None, waiting, unsaved, backed_up: None, backup_error: None };
        let save = |work: &mut Work, material| {
            let chunks = vec![(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::full(material)))];
            let (header, materials) = (header.clone(), materials.clone());
            work.save(Box::new(MapChanges { chunks, header, materials, picture: None, history: None })).unwrap();
            backup::list(&path).unwrap().len()
        };
        assert_eq!(save(&mut work, 1), 0);
        // What is in the way of the folder of backups.
        let in_the_way = folder.path().join("a.stonerun.backups");
        std::fs::create_dir(&in_the_way).unwrap();
        std::fs::create_dir(in_the_way.join("unfinished")).unwrap();
        assert_eq!(save(&mut work, 2), 0);
        assert!(work.backup_error.is_some());
        std::fs::remove_dir(in_the_way.join("unfinished")).unwrap();
        assert_eq!(save(&mut work, 3), 0, "not at once");
        // As after a pause.
        work.backed_up = None;
        assert_eq!((save(&mut work, 4), work.backup_error.is_some()), (1, false));
        let minute = Some(Duration::from_secs(60));
        assert_eq!((is_due(None, true), is_due(minute, true), is_due(minute, false)), (true, true, false));
    }
}
