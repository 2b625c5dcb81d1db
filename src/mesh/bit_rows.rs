//! One bit per voxel of a chunk and around it, as a word per row.

use super::lanes::bits_of;
use super::voxel_class::ClassBit;
use super::voxel_rows::{ROWS, VoxelRows, boxed};

/// One word per class bit and row, by [`row_number`](super::voxel_rows::row_number). Bit x + 1 belongs
/// to the voxel at x, from -1 to 32.
pub(super) struct BitRows {
    words: Box<[[u64; ROWS]; ClassBit::ALL.len()]>,
    /// Where the words of each class bit are.
    slots: [usize; ClassBit::ALL.len()],
}

impl Default for BitRows {
    fn default() -> BitRows {
        BitRows { words: boxed([0; ROWS]), slots: [0; ClassBit::ALL.len()] }
    }
}

impl BitRows {
    /// Reads the classes of all voxels. Class bits that are equal in all classes that occur share
    /// their words, unless `separate`.
    pub fn read(&mut self, rows: &VoxelRows, separate: bool) {
        for bit in ClassBit::ALL {
            let equal = |other: &ClassBit| !rows.any_class(|class| class.has(bit) != class.has(*other));
            let first = if separate { None } else { ClassBit::ALL.into_iter().find(equal) };
            let first = first.unwrap_or(bit);
            self.slots[bit as usize] = first as usize;
            if first == bit {
                self.read_bit(rows, bit);
            }
        }
    }

    fn read_bit(&mut self, rows: &VoxelRows, bit: ClassBit) {
        let (words, bit) = (&mut self.words[bit as usize], bit as u32);
        for ((word, classes), ends) in words.iter_mut().zip(rows.classes.iter()).zip(rows.ends.iter()) {
            let [west, east] = ends.map(|class| u64::from(class >> bit & 1));
            *word = west | u64::from(bits_of(classes, bit)) << 1 | east << 33;
        }
    }

    /// Word of a row and class bit.
    #[inline]
    pub fn word(&self, row: usize, bit: ClassBit) -> u64 {
        self.words[self.slots[bit as usize]][row]
    }

    /// The bits of x from 0 to 31 of a row and class bit.
    #[inline]
    pub fn inner(&self, row: usize, bit: ClassBit) -> u32 {
        (self.word(row, bit) >> 1) as u32
    }

    /// Sets bits in a row. Requires [`BitRows::read`] with `separate`; otherwise other class bits may
    /// share the word.
    pub fn add(&mut self, row: usize, bit: ClassBit, bits: u64) {
        self.words[self.slots[bit as usize]][row] |= bits;
    }
}
