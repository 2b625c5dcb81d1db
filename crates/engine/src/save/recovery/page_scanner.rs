//! Reading of a map file page by page, without SQLite.
//!
//! The structures of the file are not trusted: not its header, its b-trees, or its cell pointers. A
//! record is found by its own frame, and continued by SQLite's rule for rows on overflow pages (its
//! file format, "B-tree Pages", "Cell Payload Overflow Pages"). The checksum in the frame then
//! decides. See `salvage.rs`.

use crate::save::file::companion_files::with_suffix;
use crate::save::format::frame::{FRAME_BYTES, Frame, MAGIC, RecordKind};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// State of the file in which a page is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileState {
    /// The file itself.
    Main,
    /// The file as its write-ahead log changes it.
    WithLog,
}

/// Position of a record in the file or its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RecordLocation {
    /// Index in `PAGE_SIZES` of the page size with which the record was found.
    pub(crate) page_size_index: usize,
    pub state: FileState,
    /// Page number, from 1 as in SQLite.
    pub page: u32,
    /// Offset in the page, in bytes.
    pub offset: usize,
}

/// A map file and its log, read in pages of one size.
#[derive(Debug)]
pub(super) struct PageScanner {
    page_bytes: usize,
    main: File,
    len: u64,
    log: Option<LogPages>,
}

#[derive(Debug)]
struct LogPages {
    file: File,
    /// For each page, the offset in the log of its newest version.
    pages: FxHashMap<u32, u64>,
}

impl PageScanner {
    /// Opens the map file at `path` and its log, if there is one, for reading in pages of
    /// `page_bytes`.
    pub(super) fn open(path: &Path, page_bytes: usize) -> io::Result<PageScanner> {
        let main = File::open(path)?;
        let len = main.metadata()?.len();
        // Without a readable log, only the file is read.
        let log = File::open(with_suffix(path, "-wal"))
            .and_then(|file| LogPages::read(file, page_bytes))
            .ok();
        Ok(PageScanner { page_bytes, main, len, log: log.filter(|log| !log.pages.is_empty()) })
    }

    /// Returns the length of the file in bytes, without its log.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns a buffer for one page.
    pub(super) fn empty_page(&self) -> Vec<u8> {
        vec![0; self.page_bytes]
    }

    /// Returns all pages in each state of the file.
    pub(super) fn all(&self) -> Vec<(FileState, u32)> {
        let last = self.len.div_ceil(self.page_bytes as u64).min(u64::from(u32::MAX)) as u32;
        let mut all: Vec<_> = (1..=last).map(|page| (FileState::Main, page)).collect();
        if let Some(log) = &self.log {
            // A damaged log may name any page number, so pages beyond the file count only if the
            // log has them.
            let beyond = log.pages.keys().copied().filter(|&page| page == 0 || page > last);
            all.extend((1..=last).chain(beyond).map(|page| (FileState::WithLog, page)));
        }
        all
    }

    /// Reads a page into `into`; bytes beyond the end of the file become zeros. Returns false if
    /// the page does not exist or cannot be read.
    pub(super) fn read(&mut self, state: FileState, page: u32, into: &mut [u8]) -> bool {
        let newest = self.log.as_mut().filter(|_| state == FileState::WithLog);
        if let Some(log) = newest
            && let Some(&at) = log.pages.get(&page)
        {
            return read_at(&mut log.file, at, into).is_ok();
        }
        match u64::from(page).checked_sub(1).map(|n| n * self.page_bytes as u64) {
            // A page on a bad sector counts as missing.
            Some(at) if at < self.len => read_at(&mut self.main, at, into).is_ok(),
            _ => false,
        }
    }

    /// Collects the bytes of the record at `location`, whose first page is `first`, from its
    /// overflow pages. Does not verify the checksum.
    pub(super) fn record(&mut self, location: RecordLocation, first: &[u8]) -> Option<Vec<u8>> {
        let start = location.offset;
        let frame = Frame::parse(&first[start..]).ok()?;
        let len = frame.record_len();
        let Some(local) = local_len(&frame, self.page_bytes) else {
            return first.get(start..start + len).map(<[u8]>::to_vec);
        };
        let end = start + local;
        let mut out = first.get(start..end)?.to_vec();
        let mut next = u32::from_be_bytes(*first[end..].first_chunk()?);
        let mut buffer = self.empty_page();
        while out.len() < len {
            if !self.read(location.state, next, &mut buffer) {
                return None;
            }
            next = u32::from_be_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
            let part = (len - out.len()).min(self.page_bytes - 4);
            out.extend_from_slice(&buffer[4..4 + part]);
        }
        Some(out)
    }
}

/// Reads a page at offset `at` of `file`, padded with zeros at the end of the file.
fn read_at(file: &mut File, at: u64, into: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    into.fill(0);
    let mut done = 0;
    while done < into.len() {
        match file.read(&mut into[done..])? {
            0 => break,
            n => done += n,
        }
    }
    Ok(())
}

impl LogPages {
    /// Lists the pages in a write-ahead log. The log is a header of 32 bytes, with two salts at
    /// byte 16, and then frames of 24 bytes (page number at byte 0, salts at byte 8), each followed
    /// by a page. A frame with other salts is left over from an earlier log and ends the list.
    fn read(mut file: File, page_bytes: usize) -> io::Result<LogPages> {
        let mut header = [0; 32];
        file.read_exact(&mut header)?;
        let len = file.metadata()?.len();
        let mut pages = FxHashMap::default();
        let mut at = 32;
        while at + 24 + page_bytes as u64 <= len {
            let mut frame = [0; 24];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut frame)?;
            if frame[8..16] != header[16..24] {
                break;
            }
            pages.insert(u32::from_be_bytes([frame[0], frame[1], frame[2], frame[3]]), at + 24);
            at += 24 + page_bytes as u64;
        }
        Ok(LogPages { file, pages })
    }
}

/// Finds every offset of `page` at which a record may begin, and parses its frame.
pub(super) fn candidates(page: &[u8]) -> impl Iterator<Item = (usize, Frame)> {
    (0..=page.len() - FRAME_BYTES)
        .filter(|&at| page[at] == MAGIC[0] && page[at + 1] == MAGIC[1])
        .filter_map(|at| Some((at, Frame::parse(&page[at..]).ok()?)))
}

/// Returns the number of bytes of the record that are on the first page of its row, with pages of
/// `page_bytes`; `None` if all of them are.
///
/// A row is a list of column types, then the columns. The record determines the length of the
/// columns before it, because they hold its key and revision.
fn local_len(frame: &Frame, page_bytes: usize) -> Option<usize> {
    let blob_type = varint_len(12 + 2 * frame.record_len());
    let before = match frame.kind {
        // The length of the type list, five more types, and four integers.
        RecordKind::Chunk => {
            let key = [frame.key.x, frame.key.y, frame.key.z].map(i64::from);
            let integers: usize =
                key.into_iter().chain([i64::from(frame.revision)]).map(integer_len).sum();
            1 + 5 + blob_type + integers
        }
        // The length of the type list and one more type: the other column is the row number.
        _ => 1 + 1 + blob_type,
    };
    let payload = before + frame.record_len();
    // SQLite's limits for the payload on a row's own page.
    let max_local = page_bytes - 35;
    let min_local = (page_bytes - 12) * 32 / 255 - 23;
    if payload <= max_local {
        return None;
    }
    let fitting = min_local + (payload - min_local) % (page_bytes - 4);
    Some(if fitting <= max_local { fitting - before } else { min_local - before })
}

/// Returns the number of bytes of SQLite's varint for `n`, below 2^35.
fn varint_len(n: usize) -> usize {
    [7, 14, 21, 28].iter().position(|&bits| n < 1 << bits).map_or(5, |i| i + 1)
}

/// Returns the number of bytes of an integer column: none for 0 and 1, which have types of their
/// own, otherwise as few as possible.
fn integer_len(n: i64) -> usize {
    match n {
        0 | 1 => 0,
        _ => [1, 2, 3, 4].into_iter().find(|&bytes| n >> (8 * bytes - 1) == n >> 63).unwrap_or(6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_sizes_match_sqlite() {
        for (n, len) in
            [(0, 0), (1, 0), (2, 1), (-1, 1), (127, 1), (128, 2), (-128, 1), (-129, 2), (32768, 3)]
        {
            assert_eq!(integer_len(n), len, "{n}");
        }
        assert_eq!(
            (integer_len(1 << 23), integer_len(i64::from(i32::MIN)), integer_len(1 << 31)),
            (4, 4, 6)
        );
        assert_eq!(
            (varint_len(127), varint_len(128), varint_len(1 << 14), varint_len(1 << 21)),
            (1, 2, 3, 4)
        );
        assert_eq!((varint_len((1 << 28) - 1), varint_len(1 << 28)), (4, 5));
    }
}
