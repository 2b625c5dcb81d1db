//! What is likely of the next run, told from what lies behind and below it.
//!
//! Behind is the voxel 32 before the run's first, below that 1024 before: its neighbours in z and y. Each says a voxel and,
//! as long as the two rows or layers are alike, where the run will end. A neighbour of the same voxel as the last run says
//! nothing, for the next run is of another.

use super::context::{Context, Relation};
use super::past::{NONE, Past};
use super::step::pick;
use super::symbols::{self, FIRST, From, OTHER, SECOND, Symbol, Who};

/// Voxels from one row to the next.
pub(super) const BEHIND: usize = 32;
/// Voxels from one layer to the next.
pub(super) const BELOW: usize = 1024;

/// What was coded so far.
pub(super) struct Model {
    past: Past,
    last: u32,
    /// Where the next run begins.
    begin: u32,
}

/// What is known of the next run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Known {
    /// The last run's voxel; the next one's is another.
    pub last: u32,
    pub begin: u32,
    /// The neighbours' voxels, and the ends of their runs as far from them as the neighbours are from here.
    pub behind: u32,
    pub behind_ends: u32,
    pub below: u32,
    pub below_ends: u32,
}

/// A run to be coded: its symbol, and the bits that follow.
#[derive(Clone, Copy)]
pub(super) struct Coded {
    pub symbol: Symbol,
    pub length: u32,
    pub place: u32,
}

impl Model {
    pub(super) fn new() -> Model {
        Model { past: Past::new(), last: NONE, begin: 0 }
    }

    /// Where the next run begins.
    #[inline(always)]
    pub(super) fn begin(&self) -> u32 {
        self.begin
    }

    #[inline(always)]
    pub(super) fn known(&self) -> Known {
        let (behind, behind_ends) = self.past.there(self.begin, BEHIND);
        let (below, below_ends) = self.past.there(self.begin, BELOW);
        Known { last: self.last, begin: self.begin, behind, behind_ends, below, below_ends }
    }

    /// The run that comes next, up to the chunk's voxel `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u32, end: u32) {
        self.past.push(voxel, self.begin, end);
        self.last = voxel;
        self.begin = end;
    }
}

impl Known {
    /// How the neighbours relate. Behind the first layer there are always two, so less is to be asked.
    #[inline(always)]
    pub(super) fn relation(&self, first_layer: bool) -> Relation {
        let says = |voxel: u32| usize::from((voxel != self.last) & !(first_layer && voxel == NONE));
        let same = usize::from(self.behind == self.below);
        let order = self.behind_ends.cmp(&self.below_ends) as usize;
        let bits = says(self.behind) + 2 * says(self.below) + 4 * same + 8 * usize::from(self.last == 0);
        Relation(order.wrapping_add(1).wrapping_mul(16).wrapping_add(bits))
    }

    pub(super) fn context(&self) -> Context {
        self.relation(true).context()
    }

    /// The place in the palette of which this is the number: that of the last voxel is left out.
    #[inline(always)]
    pub(super) fn new_voxel(&self, number: u32) -> u32 {
        number + u32::from(number >= self.last)
    }

    /// The run that a symbol and the bits behind it stand for: its place in the palette, and its end in the chunk. Bits that
    /// are nonsense give nonsense.
    pub(super) fn run(&self, symbol: Symbol, bits: u64) -> (u32, u32) {
        let (of, context) = (symbol.meaning(), self.context());
        let length = bits as u32 & ((1 << of.length_bits) - 1);
        let place = (bits >> of.length_bits) as u32 & ((1 << of.place_bits) - 1);
        let voxel = match of.who {
            Who::First if context.first_is_below() => self.below,
            Who::First | Who::Behind => self.behind,
            Who::New => self.new_voxel(place + u32::from(of.place_least)),
        };
        let from = match of.from {
            From::Begin => self.begin,
            from if context.is_below(from) => self.below_ends,
            _ => self.behind_ends,
        };
        let by = length + u32::from(of.length_least);
        (voxel, if of.sign == 0 { from.wrapping_add(by) } else { from.wrapping_sub(by) })
    }

    /// How the run of `voxel` up to the chunk's `end` is coded; `context` is that of this.
    pub(super) fn code(&self, context: Context, voxel: u32, end: u32) -> Coded {
        let bare = |symbol| Coded { symbol, length: 0, place: 0 };
        let toward = |less: u8, more: u8, to: u32| {
            let (kind, by) = if end < to { (less, to - end) } else { (more, end - to) };
            let (range, length) = symbols::range(by - 1);
            Coded { symbol: Symbol(kind + range), length, place: 0 }
        };
        if context.case() > 0 && voxel == pick(context.first_is_below(), self.below, self.behind) {
            let ends = |from: From| pick(context.is_below(from), self.below_ends, self.behind_ends);
            let (first_ends, other_ends) = (ends(From::First), ends(From::Other));
            return match end {
                end if end == first_ends => bare(FIRST),
                end if end == other_ends => bare(OTHER),
                _ => toward(symbols::LESS, symbols::MORE, first_ends),
            };
        }
        if context.case() == 3 && voxel == self.behind {
            let second = || toward(symbols::SECOND_LESS, symbols::SECOND_MORE, self.behind_ends);
            return if end == self.behind_ends { bare(SECOND) } else { second() };
        }
        let (range, place) = symbols::range(voxel - u32::from(voxel > self.last));
        let new = |kind: u8, length| Coded { symbol: Symbol(kind + range), length, place };
        if end == self.behind_ends {
            new(symbols::NEW_BEHIND, 0)
        } else if end == self.below_ends {
            new(symbols::NEW_BELOW, 0)
        } else {
            let (length_range, length) = symbols::range(end - self.begin - 1);
            let symbol = Symbol(symbols::NEW + 8 * range + length_range);
            Coded { symbol, length, place }
        }
    }
}
