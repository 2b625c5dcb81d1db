//! A step in the list of the history, and handles of steps.

use super::edit_step::{EditStep, StepChunks};
use super::error::{PatchError, StepError, UnpackError};
use crate::save::MapReader;
use crate::voxel::SurfaceChange;

/// A step and its number. Later steps have higher numbers.
#[derive(Clone, Debug)]
pub(super) struct NumberedStep {
    pub number: u64,
    pub step: EditStep,
    /// Revision of the world when the step was last made, undone or redone in this session.
    pub revision: Option<u64>,
    /// Memory of the step as counted in the history's total, in bytes. The present memory may
    /// differ.
    pub memory: usize,
    /// Packed bytes of the step as counted in the history's total.
    pub packed: u64,
}

impl NumberedStep {
    pub fn new(number: u64, step: EditStep) -> NumberedStep {
        NumberedStep { number, step, revision: None, memory: 0, packed: 0 }
    }

    /// Returns the present memory in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<NumberedStep>() + self.step.memory_bytes()
    }
}

/// Description of a step, without its changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepInfo<'a> {
    /// Number of the step. Later steps have higher numbers.
    pub number: u64,
    /// Name of the edit; empty in maps of format 4 and older.
    pub name: &'a str,
    /// Time of the edit, in seconds since 1970 UTC; 0 in maps of format 4 and older.
    pub unix: u64,
    /// Number of changed voxels; 0 in maps of format 4 and older, and until a thread has counted
    /// them, at the latest when it packs the step.
    pub voxels: u64,
    /// Number of chunks that the step changed; 0 in maps of format 4 and older.
    pub chunks: u64,
    /// Change of the surface of a material; `None` for most steps.
    pub surface: Option<SurfaceChange>,
    /// Packed bytes; `None` until a thread has packed the step.
    pub bytes: Option<u64>,
    /// True if the step is done, false if it is undone.
    pub is_done: bool,
    /// True if memory holds the step; otherwise it is read from the map.
    pub is_in_memory: bool,
}

/// A step of the history at one moment, which can be read on any thread.
#[derive(Clone, Debug)]
pub struct StepHandle {
    pub(super) number: u64,
    pub(super) step: EditStep,
    pub(super) revision: Option<u64>,
    pub(super) reader: Option<MapReader>,
}

impl StepHandle {
    /// Number of the step.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the step itself.
    #[must_use]
    pub fn step(&self) -> &EditStep {
        &self.step
    }

    /// Revision of the world when the step was last made, undone or redone; `None` if that happened
    /// in an earlier session.
    #[must_use]
    pub fn revision(&self) -> Option<u64> {
        self.revision
    }

    /// Reads the chunks before and after the edit: shared, or unpacked from memory or from the map.
    ///
    /// # Errors
    /// The map cannot be read or does not hold the step, or its bytes are malformed or contradict
    /// the map's materials.
    pub fn chunks(&self) -> Result<StepChunks, UnpackError> {
        if let Some(chunks) = self.step.chunks() {
            return Ok(chunks);
        }
        let number = self.number;
        let body = match (self.step.pack(), &self.reader) {
            (Some(body), _) => body,
            (None, Some(reader)) => reader.step(number)?.ok_or(UnpackError::Missing(number))?,
            (None, None) => return Err(UnpackError::Missing(number)),
        };
        let malformed = |source| UnpackError::Malformed { number, source };
        let chunks = self.step.unpack(&body).map_err(malformed)?;
        if let Some(reader) = &self.reader {
            check_liquid(&chunks, reader).map_err(malformed)?;
        }
        Ok(chunks)
    }
}

/// Refuses liquid in a material that is itself a gas or a liquid in the map.
fn check_liquid(chunks: &StepChunks, reader: &MapReader) -> Result<(), StepError> {
    for change in chunks.changes.iter() {
        let wet =
            [&change.before, &change.after].into_iter().find_map(|side| reader.wet_fluid(side));
        if let Some(material) = wet {
            let source = PatchError::WetFluid(material);
            return Err(StepError::Patch { pos: change.pos, source });
        }
    }
    Ok(())
}
