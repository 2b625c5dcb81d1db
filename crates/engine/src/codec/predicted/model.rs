//! The predictor of the next run, from its neighbours behind and below.
//!
//! *Behind* is the voxel 32 before the first voxel of the run, *below* the voxel 1024 before: its
//! neighbours in z and y. Each predicts a voxel and, as far as the two rows or layers are alike,
//! the end of the run. A neighbour with the voxel of the last run predicts no voxel, because
//! adjacent runs differ.

use super::context::{Context, Relation};
use super::recent::{BEHIND, BELOW, NONE, RecentVoxels};
use super::select::select;
use super::symbols::{self, EndSource, FIRST, OTHER, SECOND, Symbol, VoxelSource};

/// The runs coded so far. Voxels are palette indices.
pub(super) struct RunModel {
    recent: RecentVoxels,
    last: u32,
    begin: u32,
}

/// The neighbours of the next run. Voxels are palette indices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RunNeighbours {
    /// Voxel of the last run; the next run has a different one.
    pub last: u32,
    /// First voxel of the next run, a linear index.
    pub begin: u32,
    /// Voxel of the neighbour behind.
    pub behind: u32,
    /// End of the run behind plus 32: the end of the next run if the two rows are alike.
    pub(crate) behind_ends: u32,
    /// Voxel of the neighbour below.
    pub below: u32,
    /// End of the run below plus 1024: the end of the next run if the two layers are alike.
    pub(crate) below_ends: u32,
}

/// The coded form of a run.
#[derive(Clone, Copy)]
pub(super) struct EncodedRun {
    pub symbol: Symbol,
    /// Offset of the length in its range, written behind the symbol.
    pub length: u32,
    /// Offset of the palette index in its range, written behind the length.
    pub index: u32,
}

impl RunModel {
    pub(super) fn new() -> RunModel {
        RunModel { recent: RecentVoxels::new(), last: NONE, begin: 0 }
    }

    /// First voxel of the next run.
    #[inline(always)]
    pub(super) fn begin(&self) -> u32 {
        self.begin
    }

    #[inline(always)]
    pub(super) fn neighbours(&self) -> RunNeighbours {
        let (behind, behind_ends) = self.recent.at_lag(self.begin, BEHIND);
        let (below, below_ends) = self.recent.at_lag(self.begin, BELOW);
        RunNeighbours { last: self.last, begin: self.begin, behind, behind_ends, below, below_ends }
    }

    /// Adds the next run, which ends before voxel `end`.
    #[inline(always)]
    pub(super) fn push(&mut self, voxel: u32, end: u32) {
        self.recent.push(voxel, self.begin, end);
        self.last = voxel;
        self.begin = end;
    }
}

impl RunNeighbours {
    /// Returns the relation of the neighbours. After the first layer both exist, which saves two
    /// checks.
    #[inline(always)]
    pub(super) fn relation(&self, first_layer: bool) -> Relation {
        let predicts =
            |voxel: u32| usize::from((voxel != self.last) & !(first_layer && voxel == NONE));
        let same = usize::from(self.behind == self.below);
        let order = self.behind_ends.cmp(&self.below_ends) as usize;
        let bits = predicts(self.behind)
            + 2 * predicts(self.below)
            + 4 * same
            + 8 * usize::from(self.last == 0);
        Relation(order.wrapping_add(1).wrapping_mul(16).wrapping_add(bits))
    }

    pub(super) fn context(&self) -> Context {
        self.relation(true).context()
    }

    /// Returns the palette index of a coded number. Numbers skip the voxel of the last run, which
    /// the next run cannot have.
    #[inline(always)]
    pub(super) fn new_voxel(&self, number: u32) -> u32 {
        number + u32::from(number >= self.last)
    }

    /// Returns the palette index and the end of the run that a symbol and the bits after it encode.
    /// Malformed bits give arbitrary results, which the caller checks.
    pub(super) fn run(&self, symbol: Symbol, bits: u64) -> (u32, u32) {
        let meaning = symbol.meaning();
        let context = self.context();
        let length = bits as u32 & ((1 << meaning.length_bits) - 1);
        let index = (bits >> meaning.length_bits) as u32 & ((1 << meaning.index_bits) - 1);
        let voxel = match meaning.voxel {
            VoxelSource::First if context.first_is_below() => self.below,
            VoxelSource::First | VoxelSource::Behind => self.behind,
            VoxelSource::New => self.new_voxel(index + u32::from(meaning.index_min)),
        };
        let origin = match meaning.end {
            EndSource::Begin => self.begin,
            source if context.is_below(source) => self.below_ends,
            _ => self.behind_ends,
        };
        let by = length + u32::from(meaning.length_min);
        (voxel, if meaning.sign == 0 { origin.wrapping_add(by) } else { origin.wrapping_sub(by) })
    }

    /// Encodes the run of `voxel` that ends before `end`. `context` is the result of
    /// [`RunNeighbours::context`], passed in because the caller needs it, too.
    pub(super) fn code(&self, context: Context, voxel: u32, end: u32) -> EncodedRun {
        let bare = |symbol| EncodedRun { symbol, length: 0, index: 0 };
        let towards = |less: u8, more: u8, to: u32| {
            let (kind, by) = if end < to { (less, to - end) } else { (more, end - to) };
            let (range, length) = symbols::range(by - 1);
            EncodedRun { symbol: Symbol(kind + range), length, index: 0 }
        };
        if context.case() > 0 && voxel == select(context.first_is_below(), self.below, self.behind)
        {
            let ends = |source: EndSource| {
                select(context.is_below(source), self.below_ends, self.behind_ends)
            };
            let first_ends = ends(EndSource::First);
            let other_ends = ends(EndSource::Other);
            return match end {
                end if end == first_ends => bare(FIRST),
                end if end == other_ends => bare(OTHER),
                _ => towards(symbols::LESS, symbols::MORE, first_ends),
            };
        }
        if context.case() == 3 && voxel == self.behind {
            let second = || towards(symbols::SECOND_LESS, symbols::SECOND_MORE, self.behind_ends);
            return if end == self.behind_ends { bare(SECOND) } else { second() };
        }
        let (range, index) = symbols::range(voxel - u32::from(voxel > self.last));
        let new = |kind: u8, length| EncodedRun { symbol: Symbol(kind + range), length, index };
        if end == self.behind_ends {
            new(symbols::NEW_BEHIND, 0)
        } else if end == self.below_ends {
            new(symbols::NEW_BELOW, 0)
        } else {
            let (length_range, length) = symbols::range(end - self.begin - 1);
            let symbol = Symbol(symbols::NEW + 8 * range + length_range);
            EncodedRun { symbol, length, index }
        }
    }
}
