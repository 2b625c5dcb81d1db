//! A map file as bare pages, for when SQLite cannot read it.
//!
//! Nothing that the file says about itself is believed: not its header, not its b-trees, not its lists of
//! cells. Only SQLite's rule for how one row lies on a page and its overflow pages is used (its file format,
//! "B-tree Pages", "Cell Payload Overflow Pages"), and only to follow a record that has been found by its
//! own frame; the frame's checksum then decides. See `salvage.rs`.

use super::frame::{FRAME, Kind, MAGIC, Prefix};
use super::schema::{PAGE, beside};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// One page.
pub(super) type Page = [u8; PAGE];

/// Which state of the file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// The file itself.
    Main,
    /// The file with the pages of its write-ahead log over it.
    Log,
}

/// Where a record begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub view: View,
    /// From 1, as SQLite counts.
    pub page: u32,
    pub at: usize,
}

/// A file being read.
#[derive(Debug)]
pub(super) struct Pages {
    main: File,
    len: u64,
    log: Option<Log>,
}

#[derive(Debug)]
struct Log {
    file: File,
    /// Where each page's newest form begins.
    pages: FxHashMap<u32, u64>,
}

impl Pages {
    pub(super) fn open(path: &Path) -> io::Result<Pages> {
        let main = File::open(path)?;
        let len = main.metadata()?.len();
        // A log that cannot be read holds nothing for us.
        let log = File::open(beside(path, "-wal")).and_then(Log::read).ok().filter(|log| !log.pages.is_empty());
        Ok(Pages { main, len, log })
    }

    /// Bytes of the file.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The pages to look at, in each state of the file.
    pub(super) fn all(&self) -> Vec<(View, u32)> {
        let last = self.len.div_ceil(PAGE as u64).min(u64::from(u32::MAX)) as u32;
        let mut all: Vec<_> = (1..=last).map(|page| (View::Main, page)).collect();
        if let Some(log) = &self.log {
            // A damaged log may name any page: those it has are looked at, not all up to the last.
            let beyond = log.pages.keys().copied().filter(|&page| page == 0 || page > last);
            all.extend((1..=last).chain(beyond).map(|page| (View::Log, page)));
        }
        all
    }

    /// Reads a page; what the file does not have of it is zeros. False if there is nothing of it.
    pub(super) fn read(&mut self, view: View, page: u32, into: &mut Page) -> bool {
        let newest = self.log.as_mut().filter(|_| view == View::Log);
        if let Some(log) = newest
            && let Some(&at) = log.pages.get(&page)
        {
            return read_at(&mut log.file, at, into).is_ok();
        }
        match u64::from(page).checked_sub(1).map(|n| n * PAGE as u64) {
            // A bad sector is a page that is not there.
            Some(at) if at < self.len => read_at(&mut self.main, at, into).is_ok(),
            _ => false,
        }
    }

    /// The bytes of the record that begins at `place` of the page `first`, wherever they lie. Its checksum
    /// is not looked at here.
    pub(super) fn record(&mut self, place: Place, first: &Page) -> Option<Vec<u8>> {
        let prefix = Prefix::parse(&first[place.at..]).ok()?;
        let len = prefix.len();
        let Some(local) = local_len(&prefix) else {
            return first.get(place.at..place.at + len).map(<[u8]>::to_vec);
        };
        let end = place.at + local;
        let mut out = first.get(place.at..end)?.to_vec();
        let mut next = u32::from_be_bytes(*first[end..].first_chunk()?);
        let mut buffer = [0; PAGE];
        while out.len() < len {
            if !self.read(place.view, next, &mut buffer) {
                return None;
            }
            next = u32::from_be_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
            let part = (len - out.len()).min(PAGE - 4);
            out.extend_from_slice(&buffer[4..4 + part]);
        }
        Some(out)
    }
}

/// Reads a page from `at` on, filled up with zeros where the file ends.
fn read_at(file: &mut File, at: u64, into: &mut Page) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    into.fill(0);
    let mut done = 0;
    while done < PAGE {
        match file.read(&mut into[done..])? {
            0 => break,
            n => done += n,
        }
    }
    Ok(())
}

impl Log {
    /// Finds the pages in a write-ahead log: a header of 32 bytes with the log's two salts at 16, then frames
    /// of 24 bytes (page number at 0, the salts at 8) and a page. Frames with other salts are from before.
    fn read(mut file: File) -> io::Result<Log> {
        let mut header = [0; 32];
        file.read_exact(&mut header)?;
        let len = file.metadata()?.len();
        let mut pages = FxHashMap::default();
        let mut at = 32;
        while at + 24 + PAGE as u64 <= len {
            let mut frame = [0; 24];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut frame)?;
            if frame[8..16] != header[16..24] {
                break;
            }
            pages.insert(u32::from_be_bytes([frame[0], frame[1], frame[2], frame[3]]), at + 24);
            at += 24 + PAGE as u64;
        }
        Ok(Log { file, pages })
    }
}

/// Every place of `page` where a record may begin.
pub(super) fn candidates(page: &Page) -> impl Iterator<Item = (usize, Prefix)> {
    (0..=PAGE - FRAME)
        .filter(|&at| page[at] == MAGIC[0] && page[at + 1] == MAGIC[1])
        .filter_map(|at| Some((at, Prefix::parse(&page[at..]).ok()?)))
}

/// How many bytes of the record lie on its row's own page, if the row does not wholly lie there.
///
/// A row is a list of column types and the columns; what stands before the record is known from the record
/// itself, because its key and revision are the other columns.
fn local_len(prefix: &Prefix) -> Option<usize> {
    let blob_type = varint_len(12 + 2 * prefix.len());
    let before = match prefix.kind {
        // The length of the list, five more types, and four integers.
        Kind::Chunk => {
            let key = [prefix.key.x, prefix.key.y, prefix.key.z].map(i64::from);
            let integers: usize = key.into_iter().chain([i64::from(prefix.revision)]).map(integer_len).sum();
            1 + 5 + blob_type + integers
        }
        // The length of the list, and one more type: the other column is the row's number.
        _ => 1 + 1 + blob_type,
    };
    let payload = before + prefix.len();
    let (most, least) = (PAGE - 35, (PAGE - 12) * 32 / 255 - 23);
    if payload <= most {
        return None;
    }
    let fitting = least + (payload - least) % (PAGE - 4);
    Some(if fitting <= most { fitting - before } else { least - before })
}

/// Bytes of SQLite's varint for `n`, below 2^28.
fn varint_len(n: usize) -> usize {
    [7, 14, 21].iter().position(|&bits| n < 1 << bits).map_or(4, |i| i + 1)
}

/// Bytes of an integer column: 0 and 1 have types of their own, others take as few as they need.
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
    fn column_sizes_are_sqlites() {
        for (n, len) in [(0, 0), (1, 0), (2, 1), (-1, 1), (127, 1), (128, 2), (-128, 1), (-129, 2), (32768, 3)] {
            assert_eq!(integer_len(n), len, "{n}");
        }
        assert_eq!((integer_len(1 << 23), integer_len(i64::from(i32::MIN)), integer_len(1 << 31)), (4, 4, 6));
        assert_eq!((varint_len(127), varint_len(128), varint_len(1 << 14), varint_len(1 << 21)), (1, 2, 3, 4));
    }
}
