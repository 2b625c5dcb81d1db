//! Text files up to a size.

use crate::metrics::thousands;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a UTF-8 text file of at most `max_bytes` bytes.
///
/// # Errors
/// There is no such file, it cannot be read, it is larger, or it is not UTF-8.
pub fn read_text_file(path: &Path, max_bytes: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there are too many. Devices do not know their size.
    File::open(path)?.take((max_bytes as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > max_bytes {
        let most = thousands(max_bytes as u64);
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("larger than {most} bytes, the limit")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = thousands(error.utf8_error().valid_up_to() as u64);
        io::Error::new(ErrorKind::InvalidData, format!("no UTF-8 text from byte {place} on"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_text_up_to_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let read = |max_bytes| read_text_file(&path, max_bytes).map_err(|error| error.to_string());
        assert_eq!(read_text_file(&path, 9).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, "grün").unwrap();
        assert_eq!(read(5), Ok("grün".to_owned()));
        assert_eq!(read(4), Err("larger than 4 bytes, the limit".to_owned()));
        // Also in the middle of a character.
        assert_eq!(read(2), Err("larger than 2 bytes, the limit".to_owned()));
        std::fs::write(&path, [b'a', 0xff]).unwrap();
        assert_eq!(read(9), Err("no UTF-8 text from byte 1 on".to_owned()));
        assert!(read(usize::MAX).is_err());
        assert!(read_text_file(folder.path(), 9).is_err());
    }
}
