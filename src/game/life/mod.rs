//! The parts of the world that act by themselves.
//!
//! - [`rules`]: sand falls, water flows, grass grows. [`creatures`]: animals.

pub mod creatures;
pub mod rules;
