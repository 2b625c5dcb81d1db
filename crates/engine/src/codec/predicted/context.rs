//! Contexts: how the two neighbours of a run relate, which selects the table of codes.

use super::symbols::EndSource;

/// Number of contexts.
pub(super) const CONTEXTS: usize = 30;
/// Number of relations.
pub(super) const RELATIONS: usize = 48;

/// A context, below [`CONTEXTS`]: (case * 3 + order) * 2, + 1 if the last run has the palette's
/// first voxel.
///
/// Cases, by the neighbours that predict a voxel: 0 neither, 1 behind, 2 below, 3 both, 4 both with
/// the same voxel. Orders, by the ends of the neighbours' runs: 0 behind ends first, 1 both end
/// together, 2 below ends first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Context(pub usize);

/// A form of the context that the decoder computes without branches, below [`RELATIONS`].
///
/// Sum of: 1 if the neighbour behind predicts a voxel, 2 if the neighbour below does, 4 if both
/// have the same voxel, 8 if the last run has the palette's first voxel, and 16 times the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Relation(pub usize);

impl Relation {
    pub(super) fn context(self) -> Context {
        let is = |bit: usize| usize::from(self.0 & bit != 0);
        // Neighbours with the same voxel need not predict it: it may be the last run's.
        let case = is(1) + 2 * is(2) + (is(1) & is(2) & is(4));
        Context((case * 3 + self.0 / 16) * 2 + is(8))
    }
}

impl Context {
    pub(super) fn case(self) -> usize {
        self.0 / 6
    }

    /// True if the neighbour below predicts the likeliest voxel: layers are more alike than rows.
    pub(super) fn first_is_below(self) -> bool {
        self.case() >= 2
    }

    /// True if the neighbour below has the likeliest end. This is the end of the neighbour with the
    /// likeliest voxel, or the nearer end if both have that voxel.
    pub(super) fn first_end_is_below(self) -> bool {
        let case = self.case();
        let order = self.0 / 2 % 3;
        (case == 2) | (case == 3) | ((case == 4) & (order == 2))
    }

    /// True if `source` refers to the end of the neighbour below.
    pub(super) fn is_below(self, source: EndSource) -> bool {
        match source {
            EndSource::First => self.first_end_is_below(),
            EndSource::Other => !self.first_end_is_below(),
            EndSource::Below => true,
            EndSource::Behind | EndSource::Begin => false,
        }
    }
}
