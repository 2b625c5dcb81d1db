//! Which table of codes applies: how the neighbours of a run relate.

use super::symbols::From;

/// How many contexts there are.
pub(super) const CONTEXTS: usize = 30;
/// How many relations there are.
pub(super) const RELATIONS: usize = 48;

/// A context, less than [`CONTEXTS`]: (case * 3 + order) * 2, + 1 if the last run is of the palette's first voxel.
///
/// Cases, by the neighbours that say a voxel: 0 none, 1 that behind, 2 that below, 3 both, 4 both the same. Orders, by their
/// ends: 0 that behind ends first, 1 both at once, 2 that below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Context(pub usize);

/// What decoding knows sooner than the context, less than [`RELATIONS`]: 1 if the neighbour behind says a voxel, 2 if that
/// below does, 4 if both are of the same voxel, 8 if the last run is of the palette's first, and 16 times the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Relation(pub usize);

impl Relation {
    pub(super) fn context(self) -> Context {
        let is = |bit: usize| usize::from(self.0 & bit != 0);
        // Neighbours that say nothing may be of the same voxel too.
        let case = is(1) + 2 * is(2) + (is(1) & is(2) & is(4));
        Context((case * 3 + self.0 / 16) * 2 + is(8))
    }
}

impl Context {
    pub(super) fn case(self) -> usize {
        self.0 / 6
    }

    /// The likeliest voxel is that below where it says one, for layers are more alike than rows.
    pub(super) fn first_is_below(self) -> bool {
        self.case() >= 2
    }

    /// It likely ends where its neighbour does; if both are the same, where the first of them does.
    pub(super) fn first_end_is_below(self) -> bool {
        let (case, order) = (self.case(), self.0 / 2 % 3);
        (case == 2) | (case == 3) | ((case == 4) & (order == 2))
    }

    /// Of a likely end, whether it is that of the neighbour below.
    pub(super) fn is_below(self, from: From) -> bool {
        match from {
            From::First => self.first_end_is_below(),
            From::Other => !self.first_end_is_below(),
            From::Below => true,
            From::Behind | From::Begin => false,
        }
    }
}
