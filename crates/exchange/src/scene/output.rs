//! The files of an export: written under temporary names, and renamed once all are complete.
//!
//! A file in progress is named `.NAME.partial` and lies next to its target, so that the renaming is
//! a single step of the file system. A failed export leaves the target unchanged. A killed export
//! also leaves the partial file, which the next export to the same target overwrites.

use super::error::{ExportError, WriterError};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use stonerun_engine::save::is_same_file;

/// A target and the files written next to it.
#[derive(Debug)]
pub(crate) struct OutputFiles {
    force: bool,
    /// All files, the target first.
    files: Vec<OutputFile>,
}

/// A file that is being written. Dropping it before the renaming deletes the partial file.
#[derive(Debug)]
struct OutputFile {
    path: PathBuf,
    partial: PathBuf,
    /// Open until the file is renamed. Only the target's partial file is locked; the lock covers
    /// all.
    file: Option<File>,
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

impl OutputFile {
    fn new(path: PathBuf, force: bool, lock: bool) -> Result<OutputFile, ExportError> {
        check_replaceable(&path, force)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".partial");
        let partial = path.with_file_name(name);
        let error = |source| ExportError::Write { file: path.clone(), source };
        if let Some(folder) =
            path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        {
            return Err(ExportError::NoFolder { folder: folder.to_owned(), file: path });
        }
        // A link would redirect the writes to another place.
        if partial.symlink_metadata().is_ok_and(|m| !m.is_file()) {
            return Err(ExportError::NotAFile { file: partial });
        }
        let file = loop {
            // Truncated only after the lock is held.
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&partial)
                .map_err(error)?;
            match if lock { file.try_lock() } else { Ok(()) } {
                Err(TryLockError::WouldBlock) => return Err(ExportError::Busy { file: path }),
                // Without a lock the export goes on: some file systems cannot lock, and two exports
                // to one target are rare.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // Another export may have renamed the file between `open` and `try_lock`.
            if is_same_file(&file, &partial) {
                break file;
            }
        };
        let output = OutputFile { path, partial, file: Some(file) };
        if let Some(file) = &output.file {
            file.set_len(0)
                .map_err(|source| ExportError::Write { file: output.path.clone(), source })?;
        }
        Ok(output)
    }
}

/// Checks that `path` does not exist, or is a regular file that may be replaced.
fn check_replaceable(path: &Path, force: bool) -> Result<(), ExportError> {
    let file = || path.to_owned();
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(_) if path.metadata().is_ok_and(|m| !m.is_file()) => {
            Err(ExportError::NotAFile { file: file() })
        }
        Ok(_) if !force => Err(ExportError::Exists { file: file() }),
        Ok(_) => Ok(()),
    }
}

impl OutputFiles {
    /// Creates the target's partial file, which also shows that the folder is writable.
    pub(crate) fn new(target: &Path, force: bool) -> Result<OutputFiles, ExportError> {
        Ok(OutputFiles { force, files: vec![OutputFile::new(target.to_owned(), force, true)?] })
    }

    /// Path of the target.
    pub(crate) fn target(&self) -> &Path {
        // `new` puts the target first.
        &self.files[0].path
    }

    /// Writes the target's content.
    pub(crate) fn write_target<T>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, WriterError>,
    ) -> Result<T, WriterError> {
        write_file(&self.files[0], write)
    }

    /// Name of a file next to the target: the target's name without its extension, followed by
    /// `end`. Spaces become underscores, because some readers of formats with several files do not
    /// accept spaces in names.
    pub(crate) fn sibling_name(&self, end: &str) -> String {
        let stem = self.target().file_stem().unwrap_or_default().to_string_lossy();
        stem.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect::<String>() + end
    }

    /// Writes a file named `name` with this content next to the target.
    pub(crate) fn write_sibling(&mut self, name: &str, content: &[u8]) -> Result<(), WriterError> {
        self.write_sibling_with(name, |out| Ok(out.write_all(content)?))
    }

    /// Writes a file named `name` next to the target.
    pub(crate) fn write_sibling_with(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), WriterError>,
    ) -> Result<(), WriterError> {
        let path = self.target().with_file_name(name);
        let output = OutputFile::new(path, self.force, false).map_err(WriterError::Named)?;
        let named =
            |source| WriterError::Named(ExportError::Write { file: output.path.clone(), source });
        write_file(&output, write).map_err(|error| match error {
            WriterError::Io(source) => named(source),
            other => other,
        })?;
        self.files.push(output);
        Ok(())
    }

    /// Renames all files to their final names, the target last. Returns their paths, the target
    /// first, and their total size in bytes.
    pub(crate) fn finish(mut self) -> Result<(Vec<PathBuf>, u64), ExportError> {
        let mut bytes = 0;
        for output in self.files.iter_mut().rev() {
            // The file may have appeared during the export.
            check_replaceable(&output.path, self.force)?;
            let error = |source| ExportError::Write { file: output.path.clone(), source };
            bytes += output.partial.metadata().map_err(error)?.len();
            std::fs::rename(&output.partial, &output.path).map_err(error)?;
            output.file = None;
        }
        Ok((self.files.iter().map(|output| output.path.clone()).collect(), bytes))
    }
}

/// Writes a file's content, and waits until it is on the disk.
fn write_file<T>(
    output: &OutputFile,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, WriterError>,
) -> Result<T, WriterError> {
    // The file stays open until `OutputFiles::finish`.
    let file =
        output.file.as_ref().ok_or_else(|| WriterError::Io(io::ErrorKind::NotFound.into()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.rewind()?;
    let done = write(&mut out)?;
    // Dropping the writer would flush it too, but ignore an error.
    out.flush()?;
    file.sync_all()?;
    Ok(done)
}
