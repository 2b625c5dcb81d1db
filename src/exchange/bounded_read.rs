//! Reads files that come from anywhere: never more than one is prepared for.

use super::error::{FormatError, ImportError};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The whole of a file of at most `most` bytes.
///
/// # Errors
/// It cannot be read, is empty, or is larger.
pub(super) fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>, ImportError> {
    let file = File::open(path);
    // Not by the file's stated size: it may be a device, or grow.
    let bytes = file.and_then(|file| at_most(file, most));
    match bytes.map_err(|source| ImportError::Read { file: path.to_owned(), source })? {
        Some(bytes) if bytes.is_empty() => Err(FormatError::new("size", "the file is empty").in_file(path)),
        Some(bytes) => Ok(bytes),
        None => Err(FormatError::new("size", format!("the file is larger than {most} bytes")).in_file(path)),
    }
}

/// What gzip packed, of at most `most` bytes. What is not gzip is given as it is: some programs do not pack.
///
/// # Errors
/// It is damaged, or more.
pub(super) fn gunzip(bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, FormatError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let unpacking = || flate2::read::MultiGzDecoder::new(&bytes[..]).take(most + 1);
    let flaw = |error: io::Error| FormatError::new("gzip", error.to_string());
    // Counted first: a vector that grows as it is filled takes three times what it ends with.
    let length = io::copy(&mut unpacking(), &mut io::sink()).map_err(flaw)?;
    if length > most {
        return Err(FormatError::new("size", format!("it unpacks to more than {most} bytes")));
    }
    let mut unpacked = Vec::with_capacity(length as usize);
    unpacking().read_to_end(&mut unpacked).map_err(flaw)?;
    Ok(unpacked)
}

/// A library's reason in one line: some hold the text that they complain of, up to 64 KiB of anything.
pub(super) fn short_reason(reason: impl std::fmt::Display) -> String {
    const LONGEST: usize = 120;
    let reason = reason.to_string();
    let line: String = reason.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if line.len() < reason.len() { line + "..." } else { line }
}

fn at_most(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn no_more_than_asked() {
        let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        packer.write_all(&[7; 1000]).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(gunzip(packed.clone(), 1000), Ok(vec![7; 1000]));
        assert_eq!(gunzip(packed.clone(), 999).unwrap_err().reason(), "it unpacks to more than 999 bytes");
        assert_eq!(gunzip(packed[..packed.len() - 9].to_vec(), 1000).unwrap_err().place(), "gzip");
        assert_eq!(gunzip(vec![1, 2, 3], 0), Ok(vec![1, 2, 3]));

        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, [5; 10]).unwrap();
        assert_eq!(read_whole(file.path(), 10).unwrap(), [5; 10]);
        let error = read_whole(file.path(), 9).unwrap_err().to_string();
        assert!(error.ends_with(": size: the file is larger than 9 bytes"), "{error}");
        std::fs::write(&file, []).unwrap();
        let error = read_whole(file.path(), 9).unwrap_err().to_string();
        assert!(error.ends_with(": size: the file is empty"), "{error}");
    }
}
