//! The handle of the thread that saves an open map.

use super::writer_thread::{CloseOutcome, Command, WriterThread};
use crate::save::error::SaveError;
use crate::save::map::map_changes::{MapChanges, SaveReport};
use crate::save::map::map_file::MapFile;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

/// A map owned by a thread of its own, which saves it, and compacts it when there is nothing to
/// save.
///
/// Changes that could not be saved stay with the thread and go into the next save, each chunk in
/// its latest form, so callers need not pass them again. Create the
/// [`MapReader`](crate::save::MapReader)s before the map goes in.
///
/// If it is dropped without [`MapWriter::close`], the thread still tries to save pending changes.
#[derive(Debug)]
pub struct MapWriter {
    commands: Sender<Command>,
    results: Receiver<Result<SaveReport, SaveError>>,
    /// Messages of failed backups.
    backup_failures: Receiver<String>,
    /// Number of requested saves that are not finished.
    pending: Arc<AtomicUsize>,
    /// Number of chunks whose last save failed.
    unsaved: Arc<AtomicUsize>,
    /// Number of saves requested after the thread had ended.
    refused: AtomicUsize,
    thread: Option<JoinHandle<()>>,
    path: PathBuf,
}

/// Result of [`MapWriter::close`].
#[derive(Debug)]
pub struct CloseReport {
    /// Report of the last save that was not polled.
    pub report: Option<SaveReport>,
    /// Error of folding the log into the file: another program is reading the map, or the disk is
    /// full. All changes are saved, and the next open folds the log.
    pub checkpoint_error: Option<SaveError>,
    /// Error of the last attempt at a backup, if it failed.
    pub backup_error: Option<SaveError>,
}

impl MapWriter {
    /// Starts the thread, which first calls `on_start`.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn spawn(
        map: MapFile,
        on_start: impl FnOnce() + Send + 'static,
    ) -> Result<MapWriter, SaveError> {
        let (commands, inbox) = channel();
        let (outbox, results) = channel();
        let (backup_outbox, backup_failures) = channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let unsaved = Arc::new(AtomicUsize::new(0));
        let path = map.path().to_owned();
        let thread =
            WriterThread::new(map, Arc::clone(&pending), Arc::clone(&unsaved), backup_outbox);
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

    /// Takes the result of the oldest finished save that was not polled yet.
    #[must_use]
    pub fn poll(&self) -> Option<Result<SaveReport, SaveError>> {
        if self.refused.swap(0, Ordering::AcqRel) > 0 {
            return Some(Err(self.closed()));
        }
        match self.results.try_recv() {
            Ok(result) => Some(result),
            // Only a bug can end the thread early. Its pending changes are not saved.
            Err(TryRecvError::Disconnected) if self.pending.swap(0, Ordering::AcqRel) > 0 => {
                Some(Err(self.closed()))
            }
            Err(_) => None,
        }
    }

    /// Takes the message of the oldest failed backup that was not polled yet. A failed backup does
    /// not stop its save.
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

    /// Returns the number of chunks whose last save failed. The next save includes them.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.unsaved.load(Ordering::Acquire)
    }

    /// Waits for all saves, retries a failed one, and closes the map. Idempotent.
    ///
    /// # Errors
    /// Changes could not be saved. The thread goes on and keeps them: free disk space and close
    /// again, or drop the writer. Or the thread has ended, which only a bug can cause.
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
        // Without a sender the thread ends. Waits for it, so that the process does not end before
        // the thread's last attempt to save.
        self.commands = channel().0;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
