//! The files of an export: written under other names, and given their own once all are complete.
//!
//! A file that is being written is called `.NAME.partial` and lies beside its target, so that to rename it is one step of the
//! file system. Whatever stops the export leaves the target as it was; a killed one leaves the partial file, which the
//! next export to the same target writes over.

use super::{ExportError, Stop};
use crate::save::is_still_there;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// A target, and what is written beside it.
#[derive(Debug)]
pub(in crate::exchange) struct Output {
    force: bool,
    /// The target first.
    parts: Vec<Part>,
}

/// One file. Its partial form is deleted when it is dropped before it has its name.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    partial: PathBuf,
    /// Open as long as the name is another. The target's is locked: it stands for all.
    file: Option<File>,
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

impl Part {
    fn new(path: PathBuf, force: bool, lock: bool) -> Result<Part, ExportError> {
        check(&path, force)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".partial");
        let partial = path.with_file_name(name);
        let error = |source| ExportError::Write { file: path.clone(), source };
        // Not through a link to somewhere else.
        if partial.symlink_metadata().is_ok_and(|m| !m.is_file()) {
            return Err(ExportError::NotAFile { file: partial });
        }
        let file = loop {
            // Emptied only once it is ours.
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&partial).map_err(error)?;
            match if lock { file.try_lock() } else { Ok(()) } {
                Err(TryLockError::WouldBlock) => return Err(ExportError::Busy { file: path }),
                // Not every file system can lock, and two exports to one target are rare.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // Between opening and locking, the last export may have given it the target's name.
            if is_still_there(&file, &partial) {
                break file;
            }
        };
        let part = Part { path, partial, file: Some(file) };
        if let Some(file) = &part.file {
            file.set_len(0).map_err(|source| ExportError::Write { file: part.path.clone(), source })?;
        }
        Ok(part)
    }
}

/// Refuses what must be kept.
fn check(path: &Path, force: bool) -> Result<(), ExportError> {
    let file = || path.to_owned();
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(_) if path.metadata().is_ok_and(|m| !m.is_file()) => Err(ExportError::NotAFile { file: file() }),
        Ok(_) if !force => Err(ExportError::Exists { file: file() }),
        Ok(_) => Ok(()),
    }
}

impl Output {
    /// Begins: from now on the target's folder is known to be writable.
    pub(super) fn new(target: &Path, force: bool) -> Result<Output, ExportError> {
        Ok(Output { force, parts: vec![Part::new(target.to_owned(), force, true)?] })
    }

    pub(in crate::exchange) fn target(&self) -> &Path {
        // The target is there from the beginning on.
        &self.parts[0].path
    }

    /// Writes the target's content.
    pub(in crate::exchange) fn main<T>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        fill(&self.parts[0], write)
    }

    /// The name of a file beside the target: the target's without its extension, and `end`. Without spaces, which the
    /// formats that name such files do not all understand.
    pub(in crate::exchange) fn name_beside(&self, end: &str) -> String {
        let stem = self.target().file_stem().unwrap_or_default().to_string_lossy();
        stem.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect::<String>() + end
    }

    /// Writes a file of this name beside the target.
    pub(in crate::exchange) fn beside(&mut self, name: &str, content: &[u8]) -> Result<(), Stop> {
        let part = Part::new(self.target().with_file_name(name), self.force, false).map_err(Stop::Named)?;
        let named = |source| Stop::Named(ExportError::Write { file: part.path.clone(), source });
        fill(&part, |out| Ok(out.write_all(content)?)).map_err(|stop| match stop {
            Stop::Write(source) => named(source),
            other => other,
        })?;
        self.parts.push(part);
        Ok(())
    }

    /// Gives all files their names, the target last; returns them, the target first, and their bytes together.
    pub(super) fn finish(mut self) -> Result<(Vec<PathBuf>, u64), ExportError> {
        let mut bytes = 0;
        for part in self.parts.iter_mut().rev() {
            // It may have come meanwhile.
            check(&part.path, self.force)?;
            let error = |source| ExportError::Write { file: part.path.clone(), source };
            bytes += part.partial.metadata().map_err(error)?.len();
            std::fs::rename(&part.partial, &part.path).map_err(error)?;
            part.file = None;
        }
        Ok((self.parts.iter().map(|part| part.path.clone()).collect(), bytes))
    }
}

/// Writes a file's content, all the way to the disk.
fn fill<T>(part: &Part, write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, Stop>) -> Result<T, Stop> {
    // It is open until the export has finished.
    let file = part.file.as_ref().ok_or_else(|| Stop::Write(io::ErrorKind::NotFound.into()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.rewind()?;
    let done = write(&mut out)?;
    // Dropping it would write what is left too, but say nothing where that fails.
    out.flush()?;
    file.sync_all()?;
    Ok(done)
}
