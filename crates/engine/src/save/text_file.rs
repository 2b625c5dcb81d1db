//! Text files with a limit of size, and a check for changes of their text.

use crate::metrics::thousands;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Reads a UTF-8 text file of at most `max_bytes` bytes.
///
/// # Errors
/// The file does not exist, cannot be read, is larger, or is not UTF-8.
pub fn read_text_file(path: &Path, max_bytes: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One more byte than the limit shows that the file is too large. The size in its metadata would
    // not do, because devices have none.
    File::open(path)?.take((max_bytes as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > max_bytes {
        let limit = thousands(max_bytes as u64);
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("larger than {limit} bytes, the limit"),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = thousands(error.utf8_error().valid_up_to() as u64);
        io::Error::new(ErrorKind::InvalidData, format!("no UTF-8 text from byte {place} on"))
    })
}

/// Reason why a text file cannot be read.
#[derive(thiserror::Error, Debug)]
#[error("{}: {source}", path.display())]
pub struct TextFileError {
    /// The file.
    pub path: PathBuf,
    /// The error of [`read_text_file`].
    pub source: io::Error,
}

/// A text file that reports changes of its text.
///
/// Texts are compared instead of modification times: times jump with the clock and with the time
/// zone on a FAT disk, stay equal if a file is written twice within a tick, and are set freely by
/// copies and archives.
#[derive(Debug)]
pub struct WatchedTextFile {
    path: PathBuf,
    max_bytes: usize,
    /// The text when it was last read; `None` without a file, or the error's message.
    seen: Result<Option<String>, String>,
}

impl WatchedTextFile {
    /// Begins to watch the file at `path`, which need not exist, for texts of at most `max_bytes`
    /// bytes.
    #[must_use]
    pub fn new(path: PathBuf, max_bytes: usize) -> WatchedTextFile {
        let mut file = WatchedTextFile { path, max_bytes, seen: Ok(None) };
        file.seen = file.read_or_message();
        file
    }

    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if the file has appeared, changed or disappeared since the last call.
    pub fn has_changed(&mut self) -> bool {
        let before = std::mem::replace(&mut self.seen, Ok(None));
        self.seen = self.read_or_message();
        self.seen != before
    }

    /// Reads the present text of the file; `None` without a file.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or is not UTF-8.
    pub fn read(&self) -> Result<Option<String>, TextFileError> {
        match read_text_file(&self.path, self.max_bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(TextFileError { path: self.path.clone(), source }),
        }
    }

    fn read_or_message(&self) -> Result<Option<String>, String> {
        self.read().map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn only_another_text_is_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let mut file = WatchedTextFile::new(path.clone(), 5);
        assert_eq!((file.read().unwrap(), file.has_changed()), (None, false));
        let now = SystemTime::now();
        let write = |text: &str, time: SystemTime| {
            std::fs::write(&path, text).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        write("[1]", now);
        assert_eq!(file.read().unwrap().as_deref(), Some("[1]"));
        assert!(file.has_changed() && !file.has_changed());
        // The file's time changes by an hour, or into the future.
        for hours in [1, 40_000] {
            write("[1]", now + Duration::from_secs(hours * 3600));
            assert!(!file.has_changed(), "{hours}");
        }
        // Another text with the same length and time.
        write("[1]", now);
        write("[2]", now);
        assert!(file.has_changed() && !file.has_changed());
        // A file that can no longer be read has changed, too.
        write("123456", now);
        assert!(file.has_changed() && !file.has_changed());
        let reason = file.read().unwrap_err().to_string();
        assert_eq!(reason, format!("{}: larger than 5 bytes, the limit", path.display()));
        std::fs::remove_file(&path).unwrap();
        assert!(file.has_changed() && !file.has_changed());
    }

    #[test]
    fn reads_text_up_to_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let read = |max_bytes| read_text_file(&path, max_bytes).map_err(|error| error.to_string());
        assert_eq!(read_text_file(&path, 9).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, "grün").unwrap();
        assert_eq!(read(5), Ok("grün".to_owned()));
        assert_eq!(read(4), Err("larger than 4 bytes, the limit".to_owned()));
        // The limit may fall inside a character.
        assert_eq!(read(2), Err("larger than 2 bytes, the limit".to_owned()));
        std::fs::write(&path, [b'a', 0xff]).unwrap();
        assert_eq!(read(9), Err("no UTF-8 text from byte 1 on".to_owned()));
        assert!(read(usize::MAX).is_err());
        assert!(read_text_file(folder.path(), 9).is_err());
    }
}
