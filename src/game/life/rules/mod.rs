//! The rules of the open map at work: steps on background threads, whose changes are applied to the
//! world in one frame.
//!
//! A step reads a snapshot of the loaded chunks. The next one begins when its changes are in the
//! world: under load, the clock of the rules slows down rather than drop steps.

mod clock;
mod plugin;
mod rule_files;
mod systems;
#[cfg(test)]
mod tests;
mod work;

pub use clock::RulesClock;
pub use plugin::RulesPlugin;
pub use rule_files::RuleFiles;
pub use work::{RuleFigures, WorldRules};
