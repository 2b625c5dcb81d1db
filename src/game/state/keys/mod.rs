//! Keys: one table of actions with their keys, the names of keys, and the presses of a frame.
//!
//! - `action`: the actions. `bindings`: the table of actions, keys, and the states in which they
//!   apply. Only this table names keys.
//! - `layout`: letters by the label of the key, walking by its position. `label`: the name of an
//!   action's key on the player's keyboard.
//! - `input`: the actions of a frame. `events`: key presses and clicks as actions, in their order.
//!   `long_press`: keys that are held for longer. `wheel_steps`: turns of the mouse wheel.
//!   `pointer`: whether the pointer is over the interface.

mod action;
mod bindings;
pub mod events;
mod input;
mod label;
mod layout;
mod long_press;
mod pointer;
mod state;
pub mod wheel_steps;

pub use action::{KeyAction, WheelUse};
pub use bindings::DIGIT_NAMES;
pub use input::{KeyInput, is_modifier};
pub use layout::KeyboardLayout;
pub use long_press::LongPress;
pub use pointer::{interface_has_now, is_over_area};
pub use state::{KeyCamera, KeyMode, KeyState};

#[cfg(test)]
mod tests;
