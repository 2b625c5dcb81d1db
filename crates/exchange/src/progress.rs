//! Progress callbacks of imports and exports, which also cancel them.

use super::error::FormatError;
use std::ops::ControlFlow;

/// Receives the completed part, 0 to 1; [`ControlFlow::Break`] cancels the work.
pub type Progress<'a> = dyn FnMut(f32) -> ControlFlow<()> + 'a;

/// A no-op progress callback.
pub fn ignore_progress(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Reports the completed part.
///
/// # Errors
/// The callback cancels the work.
pub(super) fn report(progress: &mut Progress, done: f32) -> Result<(), FormatError> {
    match progress(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(FormatError::Cancelled),
    }
}
