//! Limits of the work of a refinement for one target.

/// Limits of a refinement. A target that is undecided within them counts as visible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Lines tried to each target at first.
    pub(crate) first_lines: i32,
    /// Shafts examined per target before more lines are tried.
    pub(crate) first_shafts: usize,
    /// Lines tried in total to each target that the first shafts leave undecided.
    pub(crate) all_lines: i32,
    /// Shafts examined per target in the second pass.
    pub(crate) max_shafts: usize,
    /// Strides of the first and of the second pass: every n-th plane along a shaft is examined.
    pub(crate) strides: [usize; 2],
}

impl Effort {
    /// Effort for the cell that the player is in.
    pub(crate) const FULL: Effort = Effort {
        first_lines: 16,
        first_shafts: 12,
        all_lines: 48,
        max_shafts: 400,
        strides: [8, 1],
    };
}
