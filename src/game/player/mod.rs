//! The player's movement and hands.
//!
//! - `motion`: moves the body and the camera.
//! - `hands`: breaks, places and picks blocks. `hold`: repeats actions while a button is held.
//!   `placing`: places blocks along the path of the crosshair. `placing_shape`: how shapes turn to
//!   the player, and join. [`crosshair`]: the chunk under the crosshair.
//! - `shape_wheel`: the ring of shapes for the block in hand.
//! - `undo`: undo and redo. `read_only`: refuses edits of a read-only map.

pub mod crosshair;
pub mod hands;
mod hold;
mod motion;
mod placing;
mod placing_shape;
mod placing_spot;
mod plugin;
mod read_only;
mod shape_wheel;
mod undo;

pub use motion::TURN;
pub use plugin::PlayerPlugin;
