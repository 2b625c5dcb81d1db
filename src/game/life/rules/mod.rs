//! The rules of the open map at work: steps on background threads, each put into the world at one
//! moment.
//!
//! A step reads a snapshot of the loaded chunks. The next one begins when its changes are in the
//! world: work is never dropped, the clock of the rules slows down instead.

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
