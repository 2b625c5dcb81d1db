//! What is likely of the next run, told from what lies behind and below it.
//!
//! Behind is the voxel 32 before the run's first, below that 1024 before: its neighbours in z and y. Each says a voxel and,
//! as long as the two rows or layers are alike, where the run will end. A neighbour of the same voxel as the last run says
//! nothing, for the next run is of another.

use super::past::{NONE, Past};
use super::symbols::{self, FIRST, Meaning, OTHER, SECOND, Symbol};

/// Voxels from one row to the next.
pub(super) const BEHIND: usize = 32;
/// Voxels from one layer to the next.
pub(super) const BELOW: usize = 1024;
/// How many tables of codes there are.
pub(super) const CONTEXTS: usize = 30;

/// What was coded so far.
pub(super) struct Model {
    past: Past,
    last: u16,
}

/// What is known of the next run. Places are counted so that the chunk's first voxel is [`BELOW`].
pub(super) struct Known {
    /// The last run's voxel; the next one's is another.
    pub last: u16,
    begin: usize,
    behind: u16,
    behind_ends: usize,
    below_ends: usize,
    /// Neighbours that say a voxel: 0 none, 1 that behind, 2 that below, 3 both, 4 both the same.
    case: usize,
    /// The likeliest voxel: that below where it says one, for layers are more alike than rows.
    first: u16,
    /// Where it will end, and where else.
    first_ends: usize,
    other_ends: usize,
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
        Model { past: Past::new(), last: NONE }
    }

    #[inline(always)]
    pub(super) fn known(&self) -> Known {
        let (behind, behind_ends) = self.past.there(BEHIND);
        let (below, below_ends) = self.past.there(BELOW);
        let last = self.last;
        let (says_behind, says_below) = ((behind != last) & (behind != NONE), (below != last) & (below != NONE));
        let same = says_behind & says_below & (behind == below);
        let case = usize::from(says_behind) + 2 * usize::from(says_below) + usize::from(same);
        let (sooner, later) = (behind_ends.min(below_ends), behind_ends.max(below_ends));
        let (likely, other) = if says_below { (below_ends, behind_ends) } else { (behind_ends, below_ends) };
        Known {
            last,
            begin: self.past.at(),
            behind,
            behind_ends,
            below_ends,
            case,
            first: if says_below { below } else { behind },
            first_ends: if same { sooner } else { likely },
            other_ends: if same { later } else { other },
        }
    }

    /// The run that comes next, up to the chunk's voxel `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u16, end: usize) {
        self.past.push(voxel, end + BELOW);
        self.last = voxel;
    }
}

impl Known {
    /// Which table of codes applies.
    #[inline(always)]
    pub(super) fn context(&self) -> usize {
        let (behind, below) = (self.behind_ends, self.below_ends);
        let order = usize::from(behind >= below) + usize::from(behind > below);
        (self.case * 3 + order) * 2 + usize::from(self.last == 0)
    }

    /// The run that a symbol and the bits behind it stand for: its place in the palette, and its end in the chunk. Bits that
    /// are nonsense give nonsense.
    #[inline(always)]
    pub(super) fn run(&self, symbol: &Meaning, length: u32, place: u32) -> (u16, usize) {
        // Tables, not branches: nobody can foretell these.
        let place = place + u32::from(symbol.place_least);
        let new = place + u32::from(place >= u32::from(self.last));
        let voxel = [u32::from(self.first), u32::from(self.behind), new, new][symbol.who as usize % 4];
        let ends = [self.first_ends, self.other_ends, self.behind_ends, self.below_ends];
        let from = [ends[0], ends[1], ends[2], ends[3], self.begin, 0, 0, 0][symbol.from as usize % 8];
        let (by, sign) = (length as isize + symbol.length_least as isize, isize::from(symbol.sign));
        (voxel.min(u32::from(NONE)) as u16, from.wrapping_add_signed((by ^ sign) - sign).wrapping_sub(BELOW))
    }

    /// How the run of `voxel` up to the chunk's `end` is coded.
    pub(super) fn code(&self, voxel: u16, end: usize) -> Coded {
        let end = end + BELOW;
        let bare = |symbol| Coded { symbol, length: 0, place: 0 };
        let toward = |less: u8, more: u8, to: usize| {
            let (kind, by) = if end < to { (less, to - end) } else { (more, end - to) };
            let (range, length) = symbols::range(by as u32 - 1);
            Coded { symbol: Symbol(kind + range), length, place: 0 }
        };
        if self.case > 0 && voxel == self.first {
            return match end {
                end if end == self.first_ends => bare(FIRST),
                end if end == self.other_ends => bare(OTHER),
                _ => toward(symbols::LESS, symbols::MORE, self.first_ends),
            };
        }
        if self.case == 3 && voxel == self.behind {
            let second = || toward(symbols::SECOND_LESS, symbols::SECOND_MORE, self.behind_ends);
            return if end == self.behind_ends { bare(SECOND) } else { second() };
        }
        let (range, place) = symbols::range(u32::from(voxel) - u32::from(voxel > self.last));
        let new = |kind: u8, length| Coded { symbol: Symbol(kind + range), length, place };
        if end == self.behind_ends {
            new(symbols::NEW_BEHIND, 0)
        } else if end == self.below_ends {
            new(symbols::NEW_BELOW, 0)
        } else {
            let (length_range, length) = symbols::range((end - self.begin) as u32 - 1);
            let symbol = Symbol(symbols::NEW + 8 * range + length_range);
            Coded { symbol, length, place }
        }
    }
}
