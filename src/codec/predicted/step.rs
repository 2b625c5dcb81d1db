//! What the bits of a run say, for the common ones: all that decoding needs, so that it looks up nothing else.
//!
//! In each context it is certain which neighbour the likeliest voxel and the likely ends are of. So a step names the
//! neighbour; and no branch depends on it.

use super::context::Context;
use super::model::Known;
use super::symbols::{From, Symbol, Who};

/// A step. It is small: what a chunk uses of the tables is to stay in the nearest cache. And each part is a byte of its own,
/// for to load a byte is quicker than to take bits out of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// How many bits are read: of the code and of the numbers behind it. 0 stands for what is no step.
    pub read: u8,
    /// Where the length's bits begin, and which they are.
    length_at: u8,
    length_mask: u8,
    /// What is added to the length.
    length_least: i8,
    /// The same of the place in the palette.
    place_at: u8,
    place_mask: u8,
    place_least: u8,
    /// The bits below; and negative if the length is subtracted.
    flags: i8,
}

/// The voxel is that of the neighbour below, else of that behind.
const BELOW: i8 = 1;
/// The voxel is a new one.
const NEW: i8 = 2;
/// The length counts from the end of the neighbour below, else of that behind.
const FROM_BELOW: i8 = 4;
/// The length counts from the run's beginning.
const FROM_BEGIN: i8 = 8;

impl Step {
    /// No step.
    pub(super) const NONE: Step = Step {
        read: 0,
        length_at: 0,
        length_mask: 0,
        length_least: 0,
        place_at: 0,
        place_mask: 0,
        place_least: 0,
        flags: 0,
    };

    /// The step of a symbol whose code has so many bits; none if its numbers may be large.
    pub(super) fn new(context: Context, code_bits: u32, symbol: Symbol) -> Option<Step> {
        let of = symbol.meaning();
        if of.length_bits > 8 || of.place_bits > 8 {
            return None;
        }
        let set = |flag: i8, on: bool| if on { flag } else { 0 };
        // Less by n is n's bits turned, and one more.
        let least = if of.sign == 0 { of.length_least as i8 } else { 1 - of.length_least as i8 };
        Some(Step {
            read: (code_bits + of.length_bits + of.place_bits) as u8,
            length_at: code_bits as u8,
            length_mask: ((1 << of.length_bits) - 1) as u8,
            length_least: least,
            place_at: (code_bits + of.length_bits) as u8,
            place_mask: ((1 << of.place_bits) - 1) as u8,
            place_least: of.place_least as u8,
            flags: set(BELOW, of.who == Who::First && context.first_is_below())
                | set(NEW, of.who == Who::New)
                | set(FROM_BELOW, context.is_below(of.from))
                | set(FROM_BEGIN, of.from == From::Begin)
                | set(i8::MIN, of.sign != 0),
        })
    }

    /// The run: its place in the palette, and its end. Bits that are nonsense give nonsense.
    #[inline(always)]
    pub(super) fn run(&self, known: &Known, bits: u64) -> (u32, u32) {
        let length = (bits >> (self.length_at % 64)) as u32 & u32::from(self.length_mask);
        let turn = (i32::from(self.flags) >> 31) as u32;
        let length = (length ^ turn).wrapping_add(i32::from(self.length_least) as u32);
        let place = (bits >> (self.place_at % 64)) as u32 & u32::from(self.place_mask);
        let new = known.new_voxel(place + u32::from(self.place_least));
        let is = |flag: i8| self.flags & flag != 0;
        let voxel = pick(is(NEW), new, pick(is(BELOW), known.below, known.behind));
        let neighbour = pick(is(FROM_BELOW), known.below_ends, known.behind_ends);
        (voxel, pick(is(FROM_BEGIN), known.begin, neighbour).wrapping_add(length))
    }
}

/// Without a branch: for what nobody can foretell.
#[inline(always)]
pub(super) fn pick(first: bool, a: u32, b: u32) -> u32 {
    std::hint::select_unpredictable(first, a, b)
}
