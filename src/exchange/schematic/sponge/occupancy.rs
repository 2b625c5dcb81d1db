//! How full the blocks are of which a name with properties does not say it.
//!
//! Minecraft can say that a slab is half and snow three layers high, not that stone is. A property of our own would say it,
//! but WorldEdit makes air of a block with a property that it does not know. So `Metadata`, which is everybody's own and
//! which all readers pass over, holds a compound `Stonerun`:
//!
//! | entry | what |
//! |---|---|
//! | `Occupancies` | bytes: for each run of such blocks how many other blocks lie before it and how many it has, as varints, then the occupancy, one byte |
//! | `Checksum` | CRC-32 of `BlockData`: where another program has changed that, but kept this, this says nothing |

use super::super::stream::Array;
use crate::codec::varint;

/// Collects runs, as they are written.
#[derive(Default)]
pub(super) struct Collect {
    bytes: Vec<u8>,
    before: u32,
    len: u32,
    occupancy: u8,
}

impl Collect {
    /// The next `len` blocks have this occupancy, or the one that their names say. There are below 2^31 in all.
    pub(super) fn push(&mut self, len: u32, occupancy: Option<u8>) {
        match occupancy {
            Some(same) if self.len > 0 && same == self.occupancy => self.len += len,
            Some(other) => {
                self.close();
                (self.len, self.occupancy) = (len, other);
            }
            None => {
                self.close();
                self.before += len;
            }
        }
    }

    fn close(&mut self) {
        if self.len > 0 {
            varint::push(&mut self.bytes, self.before);
            varint::push(&mut self.bytes, self.len);
            self.bytes.push(self.occupancy);
            (self.before, self.len) = (0, 0);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.close();
        self.bytes
    }
}

/// Gives the runs back, a block at a time.
pub(super) struct Replay<'a> {
    /// None where nothing was written, or nothing that counts.
    array: Option<Array<'a>>,
    before: u32,
    len: u32,
    occupancy: u8,
}

impl<'a> Replay<'a> {
    pub(super) fn new(array: Option<Array<'a>>) -> Replay<'a> {
        Replay { array, before: 0, len: 0, occupancy: 0 }
    }

    /// The next block's occupancy, if its name does not say it.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<u8>, String> {
        while self.before == 0 && self.len == 0 {
            match self.array.as_mut().filter(|array| !array.is_done()) {
                None => return Ok(None),
                Some(array) => {
                    (self.before, self.len, self.occupancy) = (array.varint()?, array.varint()?, array.byte()?);
                }
            }
        }
        if self.before > 0 {
            self.before -= 1;
            return Ok(None);
        }
        self.len -= 1;
        Ok(Some(self.occupancy))
    }
}
