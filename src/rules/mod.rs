//! Rules: how things in the world behave.
//!
//! - [`picking`]: what one points at.
//! - [`shelter`]: whether the sky is open above one.
//! - [`walking`]: a body that walks, jumps, swims and flies.

mod ground;
pub mod picking;
pub mod shelter;
pub mod walking;
