//! Rules by which the world changes by itself: sand falls, water flows, grass spreads.
//!
//! The 0fps text ("Physics updates") defines a rule as a map from the Moore neighbourhood of a
//! voxel to its new value, and observes that voxels with equal neighbourhoods can be computed
//! together. [`Rules::step`] follows this with planes of bits, which it reads from runs: each
//! operation computes eight rows of 32 voxels at once, however many runs they hold.
//!
//! - [`RuleSet`] holds rules, read from text: which materials fall, flow and change.
//! - [`Rules`] applies them step by step, only where something may change. A world at rest costs
//!   nothing.
//!
//! A step consists of phases. Each reads the state before it and writes the state after it, so
//! results depend neither on the order nor on the number of threads, and equal the results of a
//! scan over every voxel. Phases that move matter exchange it in pairs of voxels (a Margolus
//! partition), and conserve it exactly.
//!
//! Chunks that are not loaded are frozen: a rule does not act where it would have to read one.
//!
//! # Water in solids
//!
//! Water stands in what a solid leaves free (`Voxel::liquid`), and flows there as it does through
//! gas. Planes of the water exist only in chunks with wet voxels. No rule loses any of it.
//!
//! # The promise: fused runs change alike
//!
//! A fused run is a run of voxels with equal Moore neighbourhoods. A phase that sees only these
//! neighbourhoods (`Phase::sight` is `None`) gives all voxels of a fused run in a row one new
//! value, so blocks of bits compute what one evaluation per fused run would. Pairs along x are no
//! exception: in a fused run of two or more voxels, the partners along x are equal, and equal
//! voxels exchange nothing. With chance, the conditions hold for all voxels of a fused run or for
//! none, but each voxel draws on its own. Phases with sight (support, open sky, signals with tall
//! switches) and the weather depend on more, so the promise excludes them.
//! `rules/tests/fused_runs.rs` checks it for each phase.

mod active_chunk;
mod active_chunks;
mod amounts;
mod block_set;
mod chance;
mod change;
mod columns;
mod compiled_sets;
mod compiler;
mod error;
mod kinds;
mod liquid;
mod open_columns;
mod patch;
mod phase;
mod planes;
mod powder;
mod product;
mod rows;
mod rule_file;
mod rule_set;
mod rule_sources;
#[expect(clippy::module_inception, reason = "the type of this name")]
mod rules;
mod signal;
mod summary;
mod support;
mod view;
mod weather;

pub use block_set::BlockSet;
pub(crate) use block_set::blocks_in;
pub use columns::Climate;
pub use error::{RuleError, RuleProblem};
pub use open_columns::OpenColumns;
pub use patch::RuleCount;
pub use rule_set::{RuleSet, RuleSource};
pub use rules::{FusedRuns, Rules, StepCounts};

#[cfg(test)]
mod tests;
