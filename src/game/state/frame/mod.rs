//! A frame: its order, its times, and the work that reaches beyond it.
//!
//! - [`frame_order`]: the order of systems. [`frame_timings`]: the time that each part takes.
//! - [`background_workers`]: background tasks that serve a queue. [`caught`]: their panics.
//! - [`chunk_messages`]: chunks that were loaded, unloaded or edited.
//! - [`picture_target`], [`render_origin`]: shared state of rendering.

pub mod background_workers;
pub mod caught;
pub mod chunk_messages;
pub mod frame_order;
pub mod frame_timings;
pub mod picture_target;
pub mod render_origin;
