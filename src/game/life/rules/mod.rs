//! The rules of the open map: steps run on background threads, and their changes are applied to the
//! world in one frame.
//!
//! A step reads a snapshot of the loaded chunks. The next step begins when its changes are in the
//! world. Under load, the clock of the rules therefore slows down.

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
