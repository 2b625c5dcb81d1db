//! Text files that users write.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// There is no such file, it cannot be read, it is larger, or it is not UTF-8.
pub fn read_text_file(path: &Path, most: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there are too many. Devices do not know their size.
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_text_up_to_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let read = |most| read_text_file(&path, most).map_err(|error| error.to_string());
        assert_eq!(read_text_file(&path, 9).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, "grün").unwrap();
        assert_eq!(read(5), Ok("grün".to_owned()));
        assert_eq!(read(4), Err("larger than 4 bytes".to_owned()));
        // Also in the middle of a character.
        assert_eq!(read(2), Err("larger than 2 bytes".to_owned()));
        std::fs::write(&path, [b'a', 0xff]).unwrap();
        assert!(read(9).unwrap_err().starts_with("invalid utf-8"), "{:?}", read(9));
        assert!(read_text_file(folder.path(), 9).is_err());
    }
}
