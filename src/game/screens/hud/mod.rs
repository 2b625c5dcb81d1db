//! The interface while playing.
//!
//! - [`screen`]: crosshair, hot bar and the [`mod@line`] above it. [`crosshair_mark`]: the
//!   crosshair.
//! - [`key_card`]: the keys, on F1. [`notices`]: lines for the player.
//! - [`edit_status`]: the previewed edit in figures, and the running jobs.

pub mod crosshair_mark;
pub mod edit_status;
pub mod key_card;
pub mod line;
pub mod notices;
pub mod screen;
