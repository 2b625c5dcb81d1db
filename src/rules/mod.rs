//! Rules: how things in the world behave.
//!
//! - [`walking`]: a body that walks, jumps, swims and flies.

pub mod walking;
