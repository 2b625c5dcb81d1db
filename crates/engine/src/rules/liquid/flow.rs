//! A liquid, and what it flows into.

use super::super::kinds::{Test, fluid};
use super::super::rows::Rows;

/// A liquid and the rule by which it flows.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Flow {
    /// Number of the rule.
    pub rule: usize,
    /// Test for voxels of the liquid.
    pub liquid: Test,
    /// Code of the liquid's kind.
    pub code: u8,
    /// Code of air.
    pub air: u8,
    /// Minimum amount that spreads on flat ground, in 256ths of a voxel, from 2 to 256.
    pub least_depth: u32,
    /// Test for the solids into which the liquid flows; `None` if it flows into no solid.
    pub solids: Option<Test>,
}

impl Flow {
    /// The solids of a block that are not full and that take the liquid.
    #[inline(always)]
    pub(super) fn solids(&self, code_bits: usize, block: &[Rows]) -> Rows {
        let Some(takes) = &self.solids else { return Rows::NONE };
        let deficits = block.get(code_bits..).unwrap_or_default();
        let partial = Rows::any(deficits) & !fluid(block);
        if partial.is_empty() { partial } else { partial & takes.find(block) }
    }
}
