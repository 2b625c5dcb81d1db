//! The records of the undo history: one for each step, and a summary in the table `meta`.
//!
//! The summary is two u64: how many steps there are, and the number of the last one that is done.
//! What a step's bytes mean is up to [`crate::history`].

use super::frame::{self, RecordKind};
use super::record_error::RecordError;
use crate::voxel::ChunkPos;

/// Version of the content.
const VERSION: u8 = 1;

/// Why the undo history of a map cannot be used.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum HistoryError {
    /// SQLite could not read it.
    #[error("{0}")]
    Sqlite(String),
    /// The record of a step is bad.
    #[error("step {number}: {reason}")]
    Step {
        /// Number of the step.
        number: u64,
        /// What is wrong with its record.
        reason: RecordError,
    },
    /// The record with the counts is bad.
    #[error("summary: {0}")]
    Summary(RecordError),
    /// Another number of steps than the summary says.
    #[error("{found} of {expected} steps found")]
    StepCount {
        /// Steps in the table.
        found: u64,
        /// Steps that the summary names.
        expected: u64,
    },
    /// The summary names a last done step that is missing.
    #[error("step {0} is missing")]
    MissingStep(u64),
}

/// How many steps a map has, and which are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::save) struct HistorySummary {
    /// Steps in the map.
    pub steps: u64,
    /// Number of the last step that is done; 0 if no step is.
    pub last_done: u64,
}

/// A step's number as a record's key.
fn step_key(number: u64) -> ChunkPos {
    ChunkPos::new(number as i32, (number >> 32) as i32, 0)
}

/// The record of a step.
pub(in crate::save) fn write_step(number: u64, bytes: &[u8], revision: u32) -> Vec<u8> {
    frame::seal(RecordKind::History, VERSION, revision, step_key(number), bytes.len(), bytes)
}

/// The bytes of step `number` from its record.
pub(in crate::save) fn read_step(record: &[u8], number: u64) -> Result<&[u8], RecordError> {
    let record = frame::parse_as(record, RecordKind::History, step_key(number))?;
    match record.frame.codec {
        VERSION => Ok(record.data),
        other => Err(RecordError::Version(other)),
    }
}

/// The record of the summary.
pub(in crate::save) fn write_summary(summary: HistorySummary, revision: u32) -> Vec<u8> {
    let content = [summary.steps, summary.last_done].map(u64::to_le_bytes).concat();
    write_step(0, &content, revision)
}

/// The summary from its record.
pub(in crate::save) fn read_summary(record: &[u8]) -> Result<HistorySummary, RecordError> {
    let content = read_step(record, 0)?;
    match content.as_chunks::<8>() {
        ([steps, last_done], []) => {
            Ok(HistorySummary { steps: u64::from_le_bytes(*steps), last_done: u64::from_le_bytes(*last_done) })
        }
        _ => Err(RecordError::PlainLength(content.len())),
    }
}
