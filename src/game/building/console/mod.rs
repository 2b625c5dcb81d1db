//! The console: commands of builders, typed in play (`/`).
//!
//! - [`state`]: [`GameConsole`], with the selection that the commands share with the tools.
//! - `run`: carries out entered commands, as jobs. `entry`: what an entered line asks for. `waiting`:
//!   commands that wait for the jobs of earlier ones.
//! - `creatures`: commands about creatures.
//! - `completion`: completions of a line. `entered`: the lines that were entered earlier.
//! - `window`: the line, its completions and answers; `line_edit`: the text field.

mod completion;
mod creatures;
mod entered;
mod entry;
mod line_edit;
mod plugin;
mod run;
pub mod state;
mod waiting;
mod window;

pub use plugin::ConsolePlugin;
pub use state::{ConsoleLine, GameConsole};

#[cfg(test)]
mod tests;
