//! The console: commands of builders, typed in play (`/`).
//!
//! - [`state`]: [`GameConsole`], with the selection that the commands share with the tools.
//! - `entry`: reads an entered line. `run`: carries out entered commands, as jobs where they read
//!   the world. `waiting`: commands that wait for the jobs of earlier ones.
//! - `game_commands`: the table of the commands that the engine does not carry out; `rules` and
//!   `creatures`: two of them. `console_game`: the parts of the game that commands read and change;
//!   `game_task`: a command that was read. `error`: reasons why it is refused.
//! - `completion`: completions of a line. `entered`: the lines that were entered earlier.
//! - `window`: the line, its completions and answers; `line_edit`: the text field.

mod completion;
mod console_game;
mod creatures;
mod entered;
mod entry;
mod error;
mod game_commands;
mod game_task;
mod line_edit;
mod plugin;
mod rules;
mod run;
pub mod state;
mod waiting;
mod window;

pub use plugin::ConsolePlugin;
pub use state::{ConsoleLine, GameConsole};

#[cfg(test)]
mod tests;
