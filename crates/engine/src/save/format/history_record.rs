//! The records of the undo history: one for each step, and a summary in the table `meta`.
//!
//! The summary is two u64: the number of steps, and the number of the last step that is done.
//!
//! ```text
//! step of version 2
//!   time      u64 (all numbers little-endian): seconds since 1970 UTC
//!   voxels    u64: number of voxels that the edit changed
//!   chunks    u64: number of chunks
//!   name      u8: length in bytes, then UTF-8
//!   body      the rest, as [`crate::history`] defines it
//! step of version 3, which changes the surface of a material
//!   time to name, as in version 2
//!   material  u16: its index
//!   before    u8: 0 cube, 1 smooth, 2 facet, 3 rough, 4 terrace; u8: amount or heights, else 0
//!   after     likewise
//!   body      the rest, as in version 2
//! ```
//!
//! A step of version 1 is a body alone.

use super::frame::{self, FRAME_BYTES, RecordKind};
use super::record_error::RecordError;
use crate::voxel::{ChunkPos, MaterialId, SurfaceChange, SurfaceRule};
use std::sync::Arc;

/// Version of the summary, and of steps without a header.
const FIRST_VERSION: u8 = 1;
/// Version of steps with a header, and of their bodies.
const VERSION: u8 = 2;
/// Version of steps with a header and the change of a surface. Their bodies are of [`VERSION`].
const SURFACE_VERSION: u8 = 3;
/// Bytes of the header's numbers and of the length of the name.
const HEADER_BYTES: usize = 3 * 8 + 1;
/// Bytes of the change of a surface.
const SURFACE_BYTES: usize = 6;
/// Maximum number of bytes of a step's record: SQLite's limit for a row.
const MAX_RECORD_BYTES: usize = 1_000_000_000;
/// Maximum number of bytes of a step's body.
pub(crate) const MAX_STEP_BYTES: u64 =
    (MAX_RECORD_BYTES - FRAME_BYTES - HEADER_BYTES - u8::MAX as usize - SURFACE_BYTES) as u64;

/// Name, time, numbers and change of a surface of an undo step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepHeader {
    /// Name of the edit; at most 255 bytes are stored. Empty in maps of format 4 and older.
    pub name: String,
    /// Time of the edit, seconds since 1970 UTC; 0 in maps of format 4 and older.
    pub unix: u64,
    /// Number of voxels that the step changed; 0 in maps of format 4 and older.
    pub voxels: u64,
    /// Number of chunks that the step changed; 0 in maps of format 4 and older.
    pub chunks: u64,
    /// Change of the surface of a material; `None` for most steps.
    pub surface: Option<SurfaceChange>,
}

/// The changes of an undo step as bytes that [`crate::history`] defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepBody {
    /// Version of the bytes: 1 in maps of format 4 and older, else 2.
    pub version: u8,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

/// Error that makes the undo history of a map unusable.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum HistoryError {
    /// SQLite could not read the history.
    #[error("{0}")]
    Sqlite(String),
    /// The record of one step is bad.
    #[error("step {number}: {reason}")]
    Step {
        /// Number of the step.
        number: u64,
        /// Defect of the record.
        reason: RecordError,
    },
    /// The record of the summary is bad.
    #[error("summary: {0}")]
    Summary(RecordError),
    /// The number of steps differs from the summary.
    #[error("{found} of {expected} steps found")]
    StepCount {
        /// Number of steps in the table.
        found: u64,
        /// Number of steps that the summary names.
        expected: u64,
    },
    /// The last done step, which the summary names, is missing.
    #[error("step {0} is missing")]
    MissingStep(u64),
}

/// Number of steps in a map, and number of the last done step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::save) struct HistorySummary {
    /// Number of steps in the map.
    pub steps: u64,
    /// Number of the last done step; 0 if all steps are undone.
    pub last_done: u64,
}

/// Converts a step's number to the key of its record.
fn step_key(number: u64) -> ChunkPos {
    ChunkPos::new(number as i32, (number >> 32) as i32, 0)
}

/// Encodes the record of a step; `None` if it exceeds the limit of a row.
pub(in crate::save) fn write_step(
    number: u64,
    header: &StepHeader,
    body: &StepBody,
    revision: u32,
) -> Option<Vec<u8>> {
    if body.bytes.len() as u64 > MAX_STEP_BYTES {
        return None;
    }
    let mut content = Vec::new();
    if body.version != FIRST_VERSION {
        for n in [header.unix, header.voxels, header.chunks] {
            content.extend_from_slice(&n.to_le_bytes());
        }
        let name = &header.name[..header.name.floor_char_boundary(usize::from(u8::MAX))];
        content.push(name.len() as u8);
        content.extend_from_slice(name.as_bytes());
    }
    let mut version = body.version;
    if version == VERSION
        && let Some(change) = header.surface
    {
        version = SURFACE_VERSION;
        content.extend_from_slice(&surface_bytes(change));
    }
    content.extend_from_slice(&body.bytes);
    Some(frame::seal(
        RecordKind::History,
        version,
        revision,
        step_key(number),
        content.len(),
        &content,
    ))
}

/// Decodes the record of step `number`: its header, the version of its body, and its body.
pub(in crate::save) fn read_step(
    record: &[u8],
    number: u64,
) -> Result<(StepHeader, u8, &[u8]), RecordError> {
    let record = frame::parse_as(record, RecordKind::History, step_key(number))?;
    match record.frame.codec {
        FIRST_VERSION => Ok((StepHeader::default(), FIRST_VERSION, record.data)),
        VERSION => {
            let (header, body) = read_header(record.data).ok_or(RecordError::Truncated)?;
            Ok((header, VERSION, body))
        }
        SURFACE_VERSION => {
            let (header, rest) = read_header(record.data).ok_or(RecordError::Truncated)?;
            let (bytes, body) = rest.split_first_chunk().ok_or(RecordError::Truncated)?;
            let surface = read_surface(*bytes).ok_or(RecordError::Surface)?;
            Ok((StepHeader { surface: Some(surface), ..header }, VERSION, body))
        }
        other => Err(RecordError::Version(other)),
    }
}

/// Splits the content of a step into its header and its body.
fn read_header(content: &[u8]) -> Option<(StepHeader, &[u8])> {
    let (numbers, rest) = content.split_first_chunk::<{ HEADER_BYTES - 1 }>()?;
    let number = |at: usize| {
        numbers[at * 8..at * 8 + 8].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
    };
    let (length, rest) = rest.split_first()?;
    let (name, body) = rest.split_at_checked(usize::from(*length))?;
    let name = String::from_utf8_lossy(name).into_owned();
    let header =
        StepHeader { name, unix: number(0), voxels: number(1), chunks: number(2), surface: None };
    Some((header, body))
}

/// Encodes the change of a surface.
fn surface_bytes(change: SurfaceChange) -> [u8; SURFACE_BYTES] {
    let [low, high] = change.material.to_le_bytes();
    let [before, before_parameter] = rule_bytes(change.before);
    let [after, after_parameter] = rule_bytes(change.after);
    [low, high, before, before_parameter, after, after_parameter]
}

/// Decodes the change of a surface; `None` if a kind of surface is unknown, or its parameter is out
/// of range.
fn read_surface(bytes: [u8; SURFACE_BYTES]) -> Option<SurfaceChange> {
    let [low, high, before, before_parameter, after, after_parameter] = bytes;
    Some(SurfaceChange {
        material: MaterialId::from_le_bytes([low, high]),
        before: read_rule([before, before_parameter])?,
        after: read_rule([after, after_parameter])?,
    })
}

/// Kind and parameter of a surface.
fn rule_bytes(rule: SurfaceRule) -> [u8; 2] {
    match rule {
        SurfaceRule::Cube => [0, 0],
        SurfaceRule::Smooth => [1, 0],
        SurfaceRule::Facet => [2, 0],
        SurfaceRule::Rough(amount) => [3, amount],
        SurfaceRule::Terrace(heights) => [4, heights],
    }
}

fn read_rule(bytes: [u8; 2]) -> Option<SurfaceRule> {
    let rule = match bytes {
        [0, 0] => SurfaceRule::Cube,
        [1, 0] => SurfaceRule::Smooth,
        [2, 0] => SurfaceRule::Facet,
        [3, amount] => SurfaceRule::Rough(amount),
        [4, heights] => SurfaceRule::Terrace(heights),
        _ => return None,
    };
    rule.is_valid().then_some(rule)
}

/// Encodes the record of the summary.
pub(in crate::save) fn write_summary(summary: HistorySummary, revision: u32) -> Vec<u8> {
    let content = [summary.steps, summary.last_done].map(u64::to_le_bytes).concat();
    frame::seal(RecordKind::History, FIRST_VERSION, revision, step_key(0), content.len(), &content)
}

/// Decodes the record of the summary.
pub(in crate::save) fn read_summary(record: &[u8]) -> Result<HistorySummary, RecordError> {
    let record = frame::parse_as(record, RecordKind::History, step_key(0))?;
    if record.frame.codec != FIRST_VERSION {
        return Err(RecordError::Version(record.frame.codec));
    }
    let content = record.data;
    match content.as_chunks::<8>() {
        ([steps, last_done], []) => Ok(HistorySummary {
            steps: u64::from_le_bytes(*steps),
            last_done: u64::from_le_bytes(*last_done),
        }),
        _ => Err(RecordError::PlainLength(content.len())),
    }
}
