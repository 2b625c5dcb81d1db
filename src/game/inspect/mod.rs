//! Figures and pictures of how the world is stored and drawn.
//!
//! - [`panel`]: live figures on F3.
//! - [`overlay`]: drawings in the world on F4, and the cutaway on F7.
//! - `culling_keys`: F5 freezes culling, F6 switches its mode.

mod culling_keys;
pub mod overlay;
pub mod panel;

pub use culling_keys::CullingKeysPlugin;
