//! Decode entries: all data to decode a common run with one table lookup and no branches.
//!
//! The context determines which neighbour has the likeliest voxel and the likely ends, so an entry
//! names the neighbour directly.

use super::context::Context;
use super::model::RunNeighbours;
use super::select::select;
use super::symbols::{EndSource, Symbol, VoxelSource};

/// The decoding of one code in one context.
///
/// Small, so the entries a chunk uses stay in the L1 cache. Each field is a byte, because loading a
/// byte is faster than extracting bits from a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DecodeEntry {
    /// Number of bits of the code and of the numbers behind it; 0 in [`DecodeEntry::NONE`].
    pub read: u8,
    /// First bit of the length.
    length_at: u8,
    /// Mask of the length.
    length_mask: u8,
    /// Number added to the length.
    length_min: i8,
    /// First bit of the palette index.
    index_at: u8,
    /// Mask of the palette index.
    index_mask: u8,
    /// Number added to the palette index.
    index_min: u8,
    /// Sum of the flags below; negative if the length is subtracted.
    flags: i8,
}

/// Flag: takes the voxel from the neighbour below, not from the neighbour behind.
const BELOW: i8 = 1;
/// Flag: a palette index behind the length names the voxel.
const NEW: i8 = 2;
/// Flag: the length counts from the end of the neighbour below instead of behind.
const FROM_BELOW: i8 = 4;
/// Flag: the length counts from the start of the run.
const FROM_BEGIN: i8 = 8;

impl DecodeEntry {
    /// Placeholder for bits that no entry decodes: the reader decodes such a run field by field.
    pub(super) const NONE: DecodeEntry = DecodeEntry {
        read: 0,
        length_at: 0,
        length_mask: 0,
        length_min: 0,
        index_at: 0,
        index_mask: 0,
        index_min: 0,
        flags: 0,
    };

    /// Creates the entry of a symbol whose code has `code_bits` bits; `None` if a number after the
    /// code has more than 8 bits.
    pub(super) fn new(context: Context, code_bits: u32, symbol: Symbol) -> Option<DecodeEntry> {
        let meaning = symbol.meaning();
        if meaning.length_bits > 8 || meaning.index_bits > 8 {
            return None;
        }
        let set = |flag: i8, on: bool| if on { flag } else { 0 };
        // Two's complement: subtracting n is adding the inverted bits of n plus one.
        let length_min =
            if meaning.sign == 0 { meaning.length_min as i8 } else { 1 - meaning.length_min as i8 };
        Some(DecodeEntry {
            read: (code_bits + meaning.length_bits + meaning.index_bits) as u8,
            length_at: code_bits as u8,
            length_mask: ((1 << meaning.length_bits) - 1) as u8,
            length_min,
            index_at: (code_bits + meaning.length_bits) as u8,
            index_mask: ((1 << meaning.index_bits) - 1) as u8,
            index_min: meaning.index_min as u8,
            flags: set(BELOW, meaning.voxel == VoxelSource::First && context.first_is_below())
                | set(NEW, meaning.voxel == VoxelSource::New)
                | set(FROM_BELOW, context.is_below(meaning.end))
                | set(FROM_BEGIN, meaning.end == EndSource::Begin)
                | set(i8::MIN, meaning.sign != 0),
        })
    }

    /// Returns the palette index and the end of the run. Malformed bits give arbitrary results,
    /// which the caller checks.
    #[inline(always)]
    pub(super) fn run(&self, neighbours: &RunNeighbours, bits: u64) -> (u32, u32) {
        let length = (bits >> (self.length_at % 64)) as u32 & u32::from(self.length_mask);
        let invert = (i32::from(self.flags) >> 31) as u32;
        let length = (length ^ invert).wrapping_add(i32::from(self.length_min) as u32);
        let index = (bits >> (self.index_at % 64)) as u32 & u32::from(self.index_mask);
        let new = neighbours.new_voxel(index + u32::from(self.index_min));
        let is = |flag: i8| self.flags & flag != 0;
        let voxel = select(is(NEW), new, select(is(BELOW), neighbours.below, neighbours.behind));
        let neighbour_end = select(is(FROM_BELOW), neighbours.below_ends, neighbours.behind_ends);
        (voxel, select(is(FROM_BEGIN), neighbours.begin, neighbour_end).wrapping_add(length))
    }
}
