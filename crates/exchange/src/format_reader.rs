//! Readers of the import formats. Each opens its source, and names it in errors and warnings.

use super::anvil::Dimension;
use super::bounded_read::read_whole;
use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::{FormatError, ImportError, StreamError};
use super::heightmap::{self, HeightReader};
use super::import_options::ImportOptions;
use super::minecraft::nbt_file::NbtFile;
use super::progress::Progress;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Largest file of NBT data that is read, in bytes. Most have less than a million; the largest
/// structure of the Bedrock Edition (64 x 384 x 64) has 13 million.
const MAX_NBT_BYTES: u64 = 128 << 20;
/// Largest heightmap that is read, in bytes: 16384 x 16384 heights of 16 bits.
const MAX_HEIGHTMAP_BYTES: u64 = 512 << 20;
/// Bytes that are read ahead from a streamed file.
const STREAM_BUFFER_BYTES: usize = 1 << 16;

/// Reads a whole file.
pub(super) type BytesReader =
    fn(&[u8], ImportTarget, &mut Progress) -> Result<ImportSummary, FormatError>;
/// Reads a file of NBT data.
pub(super) type NbtReader =
    fn(&NbtFile, ImportTarget, &mut Progress) -> Result<ImportSummary, FormatError>;

/// The reader of a format, by the kind of source that it takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormatReader {
    /// Takes a whole file, which has at most `max_bytes`.
    Bytes { max_bytes: u64, read: BytesReader },
    /// Takes NBT data, usually compressed with gzip; `open` knows the byte order.
    Nbt { open: fn(Vec<u8>) -> NbtFile, read: NbtReader },
    /// Takes a whole file and returns its heights.
    Heights(HeightReader),
    /// Takes a file of any size, piece by piece.
    Stream(
        fn(&mut BufReader<File>, ImportTarget, &mut Progress) -> Result<ImportSummary, StreamError>,
    ),
    /// Takes a path to one or more files, for example of one dimension of a world, and names the
    /// files in errors and warnings itself.
    Files(
        fn(
            &Path,
            Option<&Dimension>,
            ImportTarget,
            &mut Progress,
        ) -> Result<ImportSummary, ImportError>,
    ),
}

impl FormatReader {
    /// Imports the source at `path`.
    ///
    /// # Errors
    /// The source cannot be read, is malformed or too large, or holds nothing but air; or
    /// `progress` cancels.
    pub(super) fn import(
        self,
        path: &Path,
        options: &ImportOptions,
        target: ImportTarget,
        progress: &mut Progress,
    ) -> Result<ImportSummary, ImportError> {
        match self {
            FormatReader::Bytes { max_bytes, read } => {
                let bytes = read_whole(path, max_bytes)?;
                name_file(path, read(&bytes, target, progress))
            }
            FormatReader::Nbt { open, read } => {
                let file = open(read_whole(path, MAX_NBT_BYTES)?);
                name_file(path, import_nbt(&file, read, target, progress))
            }
            FormatReader::Heights(read) => {
                let bytes = read_whole(path, MAX_HEIGHTMAP_BYTES)?;
                let summary =
                    heightmap::import_bytes(bytes, read, options.heightmap, target, progress);
                name_file(path, summary.map(|summary| heightmap::warn_of_sidecars(summary, path)))
            }
            FormatReader::Stream(read) => {
                let file = File::open(path)
                    .map_err(|source| ImportError::Read { file: path.to_owned(), source })?;
                let summary = read(
                    &mut BufReader::with_capacity(STREAM_BUFFER_BYTES, file),
                    target,
                    progress,
                );
                summary.map(|summary| summary.in_file(path)).map_err(|error| error.in_file(path))
            }
            FormatReader::Files(read) => read(path, options.dimension.as_ref(), target, progress),
        }
    }
}

/// Adds the file's name to the error or the warnings of its content.
fn name_file(
    path: &Path,
    summary: Result<ImportSummary, FormatError>,
) -> Result<ImportSummary, ImportError> {
    summary.map(|summary| summary.in_file(path)).map_err(|error| error.in_file(path))
}

/// Imports NBT data, and adds a warning for a fault after the data. Warnings do not name the file.
///
/// # Errors
/// Returns the errors of `read`.
pub(super) fn import_nbt(
    file: &NbtFile,
    read: NbtReader,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut summary = read(file, target, progress)?;
    summary.warnings.extend(file.end_warning());
    Ok(summary)
}
