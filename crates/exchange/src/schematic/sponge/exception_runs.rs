//! Runs of properties that block states cannot express: heights, water, and materials that
//! Minecraft lacks.
//!
//! Minecraft has half slabs and snow of three layers, but no half stone and no marble. A block
//! property of our own would lose the block: WorldEdit replaces blocks with unknown properties by
//! air. So `Metadata`, which is free for any use and which all readers skip, holds a compound
//! `Stonerun`:
//!
//! | entry | content |
//! |---|---|
//! | `Occupancies` | per run: skipped blocks and length (varints), occupancy (byte) |
//! | `Liquids` | per run: skipped blocks and length (varints), liquid in 256ths (byte) |
//! | `Materials` | the materials, as UTF-8 text in the notation of `assets/materials.ron` |
//! | `MaterialRuns` | per run: skipped blocks, length, index in `Materials` from 0 (varints) |
//! | `Checksum` | CRC-32 of `BlockData`; another value means that a program changed the blocks |

use crate::minecraft::array_bytes::{ArrayBytes, ArrayError};
use stonerun_engine::codec::varint;

/// Encoding of a run's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueForm {
    Byte,
    Varint,
}

/// Collects runs for export.
pub(super) struct RunEncoder {
    form: ValueForm,
    bytes: Vec<u8>,
    /// Number of blocks without a value between the previous run and the current one.
    skipped: u32,
    /// Length of the current run.
    len: u32,
    /// Value of the current run.
    value: u32,
}

impl RunEncoder {
    pub(super) fn new(form: ValueForm) -> RunEncoder {
        RunEncoder { form, bytes: vec![], skipped: 0, len: 0, value: 0 }
    }

    /// Adds `len` blocks, with a value if their block state does not express it. All lengths
    /// together are below 2^31. Values stored as bytes are below 256.
    pub(super) fn push(&mut self, len: u32, value: Option<u32>) {
        match value {
            Some(same) if self.len > 0 && same == self.value => self.len += len,
            Some(other) => {
                self.finish_run();
                (self.len, self.value) = (len, other);
            }
            None => {
                self.finish_run();
                self.skipped += len;
            }
        }
    }

    fn finish_run(&mut self) {
        if self.len > 0 {
            varint::push(&mut self.bytes, self.skipped);
            varint::push(&mut self.bytes, self.len);
            match self.form {
                ValueForm::Byte => self.bytes.push(self.value as u8),
                ValueForm::Varint => varint::push(&mut self.bytes, self.value),
            }
            (self.skipped, self.len) = (0, 0);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.finish_run();
        self.bytes
    }
}

/// Decodes runs block by block.
pub(super) struct RunDecoder<'a> {
    form: ValueForm,
    /// `None` if the file has no valid runs.
    array: Option<ArrayBytes<'a>>,
    /// Number of blocks without a value that are left before the current run.
    skipped: u32,
    /// Number of blocks left in the current run.
    len: u32,
    /// Value of the current run.
    value: u32,
}

impl<'a> RunDecoder<'a> {
    pub(super) fn new(form: ValueForm, array: Option<ArrayBytes<'a>>) -> RunDecoder<'a> {
        RunDecoder { form, array, skipped: 0, len: 0, value: 0 }
    }

    /// The value of the next block; `None` if the block state decides.
    ///
    /// # Errors
    /// The array is truncated or damaged.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<u32>, ArrayError> {
        while self.skipped == 0 && self.len == 0 {
            match self.array.as_mut().filter(|array| !array.is_done()) {
                None => return Ok(None),
                Some(array) => {
                    (self.skipped, self.len) = (array.varint()?, array.varint()?);
                    self.value = match self.form {
                        ValueForm::Byte => array.byte()?.into(),
                        ValueForm::Varint => array.varint()?,
                    };
                }
            }
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return Ok(None);
        }
        self.len -= 1;
        Ok(Some(self.value))
    }
}
