//! Reading of untrusted files with a limit on memory.

use super::error::{FormatError, ImportError};
use super::packed_stream::{Container, PackedStream, PackedStreamError};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a whole file of at most `max` bytes.
///
/// # Errors
/// The file cannot be read, is empty, or is larger than `max` bytes.
pub(super) fn read_whole(path: &Path, max: u64) -> Result<Vec<u8>, ImportError> {
    let file = File::open(path);
    // The stated size is not trusted: the file may be a device, or grow.
    let bytes = file.and_then(|file| read_at_most(file, max));
    match bytes.map_err(|source| ImportError::Read { file: path.to_owned(), source })? {
        Some(bytes) if bytes.is_empty() => {
            Err(FormatError::new("size", "the file is empty").in_file(path))
        }
        Some(bytes) => Ok(bytes),
        None => {
            Err(FormatError::new("size", format!("the file is larger than {max} bytes"))
                .in_file(path))
        }
    }
}

/// Unpacks gzip data to at most `max` bytes. Other data is returned unchanged, because some
/// programs do not compress. Truncated data is unpacked as far as possible: the reader of the
/// content checks whether it is complete.
///
/// # Errors
/// The data is damaged or unpacks to more than `max` bytes.
pub(super) fn gunzip(bytes: Vec<u8>, max: u64) -> Result<Vec<u8>, FormatError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    // A first pass counts the bytes, because a growing vector takes up to three times its final
    // size.
    let length = unpack_to(&bytes, max, &mut io::sink())?;
    if length > max {
        return Err(FormatError::new("size", format!("it unpacks to more than {max} bytes")));
    }
    let mut unpacked = Vec::with_capacity(length as usize);
    unpack_to(&bytes, max, &mut unpacked)?;
    Ok(unpacked)
}

/// Writes the unpacked bytes to `out`, up to `max` + 1, so that the caller detects an excess;
/// returns their number.
fn unpack_to(packed: &[u8], max: u64, out: &mut impl io::Write) -> Result<u64, FormatError> {
    let mut source = PackedStream::new(Container::Gzip, packed).take(max + 1);
    let mut buffer = vec![0; 1 << 15];
    let mut length = 0;
    loop {
        let read =
            source.read(&mut buffer).and_then(|read| out.write_all(&buffer[..read]).map(|()| read));
        match read {
            Ok(0) => return Ok(length),
            Ok(read) => length += read as u64,
            Err(error) => match PackedStreamError::from_io(&error) {
                Some(fault) if fault.spares_content() => return Ok(length),
                _ => return Err(FormatError::new("gzip", error.to_string())),
            },
        }
    }
}

/// Shortens a library's error to one line. Some contain the offending text, up to 64 KiB of any
/// bytes.
pub(super) fn short_reason(reason: impl std::fmt::Display) -> String {
    const MAX_CHARS: usize = 120;
    let reason = reason.to_string();
    let line: String =
        reason.chars().take(MAX_CHARS).map(|c| if c.is_control() { '?' } else { c }).collect();
    if line.len() < reason.len() { line + "..." } else { line }
}

/// Reads to the end; `None` if there are more than `max` bytes.
fn read_at_most(source: impl Read, max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(max + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn files_and_gzip_beyond_the_limit_are_refused() {
        let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        packer.write_all(&[7; 1000]).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(gunzip(packed.clone(), 1000), Ok(vec![7; 1000]));
        assert_eq!(
            gunzip(packed.clone(), 999).unwrap_err().reason(),
            "it unpacks to more than 999 bytes"
        );
        assert_eq!(gunzip(packed[..packed.len() - 7].to_vec(), 1000), Ok(vec![7; 1000]));
        assert_eq!(gunzip([&packed[..], &[0; 9]].concat(), 1000), Ok(vec![7; 1000]));
        let mut wrong = packed.clone();
        wrong[packed.len() - 5] ^= 1;
        assert_eq!(gunzip(wrong, 1000).unwrap_err().place(), "gzip");
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
