//! Defects of a map file as a whole.

use super::reason::sqlite_words;
use crate::save::format::record_error::RecordError;
use crate::voxel::{ChunkPos, MaterialId};

/// Defect of a map file beyond the records of single chunks, or the reason why the file is not a
/// map.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum StructureError {
    /// The path leads to a folder or a device.
    #[error("it is not a file")]
    NotAFile,
    /// The database is empty.
    #[error("it is empty")]
    Empty,
    /// The file is no SQLite database.
    #[error("it does not begin like a map")]
    NotADatabase,
    /// SQLite found pages that contradict each other.
    #[error("its pages are damaged")]
    DamagedPages,
    /// The file ends within a page.
    #[error("it is cut off")]
    CutOff,
    /// SQLite cannot read the content for another reason.
    #[error("its content is not a map's: {0}")]
    Sqlite(String),
    /// SQLite's check of the pages found an error.
    #[error("its pages are damaged: {0}")]
    Pages(String),
    /// The database belongs to another program.
    #[error("application id is {found:#x}, not {expected:#x}")]
    ApplicationId {
        /// Id in the file.
        found: i64,
        /// Id of a map.
        expected: u32,
    },
    /// The format number belongs to no version of the program.
    #[error("unknown format number {0}")]
    FormatNumber(i64),
    /// A table or an index is missing, or has another definition than in a map.
    #[error("table {0} is missing or different")]
    Table(&'static str),
    /// The database has a trigger, a view or a table that no map has.
    #[error("it contains a foreign {0}")]
    ForeignObject(String),
    /// The header record is missing.
    #[error("the header is missing")]
    MissingHeader,
    /// The header record is bad.
    #[error("header: {0}")]
    Header(RecordError),
    /// The digest record is missing.
    #[error("the digest is missing")]
    MissingDigest,
    /// The digest record is bad.
    #[error("digest: {0}")]
    Digest(RecordError),
    /// Header and digest are from different saves.
    #[error("header and digest are of different saves")]
    RevisionMismatch,
    /// A material record is bad.
    #[error("material {id}: {reason}")]
    Material {
        /// Index of the material.
        id: MaterialId,
        /// Defect of the record.
        reason: RecordError,
    },
    /// The number of materials differs from the number in the digest.
    #[error("{found} of {expected} materials found")]
    MaterialCount {
        /// Number of materials in the table.
        found: usize,
        /// Number of materials that the digest names.
        expected: usize,
    },
    /// A material record is sound but does not fit into the table, for example because its name is
    /// taken.
    #[error("material {0} is unusable")]
    UnusableMaterial(MaterialId),
    /// The index of chunks names a row that is missing.
    #[error("the row of chunk {0} is missing")]
    MissingChunkRow(ChunkPos),
    /// A row holds the sound record of another chunk or revision.
    #[error("another record takes the place of chunk {0}")]
    MisplacedChunk(ChunkPos),
    /// A chunk has two rows.
    #[error("chunk {0} occurs twice")]
    DuplicateChunk(ChunkPos),
    /// Number or sum of the chunks in the index differ from the digest.
    #[error("the index of {found} chunks does not match the digest of {expected}")]
    ChunkCount {
        /// Number of chunks in the index.
        found: u64,
        /// Number of chunks that the digest names.
        expected: u64,
    },
    /// The file's header forbids SQLite to write.
    #[error("its format byte forbids writing")]
    WriteForbidden,
}

impl StructureError {
    /// Finds the defect behind an SQLite error about the content of a file.
    pub(in crate::save) fn from_sqlite(error: &rusqlite::Error) -> StructureError {
        use rusqlite::ErrorCode as Code;
        match error.sqlite_error_code() {
            Some(Code::NotADatabase) => StructureError::NotADatabase,
            Some(Code::DatabaseCorrupt) => StructureError::DamagedPages,
            Some(Code::SystemIoFailure) => StructureError::CutOff,
            _ => StructureError::Sqlite(sqlite_words(error)),
        }
    }

    /// Converts the result of SQLite's page check to words for the player. SQLite's own texts speak
    /// of trees and cells.
    pub(in crate::save) fn from_page_check(finding: &str) -> StructureError {
        let finding = finding.to_lowercase();
        let page = number_after(&finding, "page ");
        let words = match page {
            _ if finding.contains("index") => "an index does not match its table".to_owned(),
            _ if finding.contains("freelist") => "the list of free pages is wrong".to_owned(),
            Some(page) if finding.contains("never used") => {
                format!("page {page} belongs to nothing")
            }
            Some(page) => format!("page {page} cannot be used"),
            None => "pages contradict each other".to_owned(),
        };
        StructureError::Pages(words)
    }
}

/// Returns the number that follows the last occurrence of `word` in `text`.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once(word)?;
    rest.split(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    #[test]
    fn findings_of_sqlite_are_plain_words() {
        for (finding, words) in [
            (
                "*** in database main ***\nTree 4 page 7: btreeInitPage() returns error code 11",
                "page 7 cannot be used",
            ),
            ("Page 12: never used", "page 12 belongs to nothing"),
            ("Tree 9 page 9 cell 0: Rowid 3 out of order", "page 9 cannot be used"),
            ("wrong # of entries in index chunks_at", "an index does not match its table"),
            ("Freelist: size is 3 but should be 5", "the list of free pages is wrong"),
            ("NULL value in chunks.x", "pages contradict each other"),
        ] {
            assert_eq!(
                StructureError::from_page_check(finding),
                StructureError::Pages(words.to_owned()),
                "{finding}"
            );
        }
    }

    #[test]
    fn errors_of_sqlite_are_plain_words() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch("CREATE TABLE t (a TEXT UNIQUE); INSERT INTO t VALUES ('x')").unwrap();
        let read = |query| conn.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap_err();
        for query in [
            "SELECT a FROM u",
            "SELECT b FROM t",
            "SELECT a FROM t",
            "INSERT INTO t VALUES ('x') RETURNING 1",
        ] {
            let error = read(query);
            let words = sqlite_words(&error);
            assert_ne!(words, error.to_string());
            for raw in ["column", "no such", "UNIQUE", "constraint", "database"] {
                assert!(!words.contains(raw), "{query}: {words}");
            }
        }
    }
}
