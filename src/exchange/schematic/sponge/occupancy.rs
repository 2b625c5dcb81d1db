//! Occupancies that a block state cannot express.
//!
//! Minecraft has half slabs and snow of three layers, but no half stone. A property of our own is
//! no solution: WorldEdit replaces blocks with unknown properties by air. So `Metadata`, which is
//! free for any use and which all readers skip, holds a compound `Stonerun`:
//!
//! | entry | content |
//! |---|---|
//! | `Occupancies` | per run of such blocks: skipped blocks and length (varints), occupancy (byte) |
//! | `Checksum` | CRC-32 of `BlockData`; if another program changed the blocks, the occupancies are ignored |

use crate::codec::varint;
use crate::exchange::minecraft::array_bytes::{ArrayBytes, ArrayError};

/// Collects the runs for export.
#[derive(Default)]
pub(super) struct OccupancyEncoder {
    bytes: Vec<u8>,
    /// Other blocks before the current run.
    skipped: u32,
    /// Length of the current run.
    len: u32,
    /// Occupancy of the current run.
    occupancy: u8,
}

impl OccupancyEncoder {
    /// Adds `len` blocks: `Some` with an occupancy that their state does not express, else `None`.
    /// The total is below 2^31.
    pub(super) fn push(&mut self, len: u32, occupancy: Option<u8>) {
        match occupancy {
            Some(same) if self.len > 0 && same == self.occupancy => self.len += len,
            Some(other) => {
                self.finish_run();
                (self.len, self.occupancy) = (len, other);
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
            self.bytes.push(self.occupancy);
            (self.skipped, self.len) = (0, 0);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.finish_run();
        self.bytes
    }
}

/// Replays the runs block by block.
pub(super) struct OccupancyDecoder<'a> {
    /// `None` if the file has no valid occupancies.
    array: Option<ArrayBytes<'a>>,
    /// Other blocks left before the run.
    skipped: u32,
    /// Blocks left in the run.
    len: u32,
    /// Occupancy of the run.
    occupancy: u8,
}

impl<'a> OccupancyDecoder<'a> {
    pub(super) fn new(array: Option<ArrayBytes<'a>>) -> OccupancyDecoder<'a> {
        OccupancyDecoder { array, skipped: 0, len: 0, occupancy: 0 }
    }

    /// The occupancy of the next block, or `None` if its state decides.
    ///
    /// # Errors
    /// The array is truncated or damaged.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<u8>, ArrayError> {
        while self.skipped == 0 && self.len == 0 {
            match self.array.as_mut().filter(|array| !array.is_done()) {
                None => return Ok(None),
                Some(array) => {
                    (self.skipped, self.len, self.occupancy) = (array.varint()?, array.varint()?, array.byte()?);
                }
            }
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return Ok(None);
        }
        self.len -= 1;
        Ok(Some(self.occupancy))
    }
}
