//! Jobs: input, progress and result of work on another thread.
//!
//! A job reads chunks from a [`ChunkSource`], a snapshot of the map, and reports its
//! [`JobProgress`]. It returns a [`PreparedEdit`], which changes the world when it is committed, or
//! an [`EditError`].

mod chunk_source;
mod edit_error;
mod job_progress;
mod operation;
mod prepared_edit;

pub use chunk_source::{ChunkSource, MapSnapshot};
pub use edit_error::EditError;
pub use job_progress::JobProgress;
pub use operation::Operation;
pub use prepared_edit::PreparedEdit;
