//! Where a transformed clipboard comes from.

use super::Clipboard;
use super::transform::Transform;

/// A clipboard, and the transform of it that another one is.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// What was copied. Not transformed from anything itself.
    pub original: Clipboard,
    /// All transforms since then as one.
    pub transform: Transform,
}

impl Source {
    /// The source of a clipboard that is transformed once more.
    pub(super) fn followed_by(clipboard: &Clipboard, transform: Transform) -> Source {
        match &clipboard.0.source {
            Some(Source { original, transform: before }) => {
                Source { original: original.clone(), transform: before.then(transform).without_rounding() }
            }
            None => Source { original: clipboard.clone(), transform },
        }
    }
}
