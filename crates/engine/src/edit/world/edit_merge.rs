//! Merging of a finished edit with changes made since its snapshot.

use super::editable_world::{EditableWorld, Fetch, UndoError};
use crate::edit::PreparedEdit;
use crate::history::ChunkChange;
use crate::world::Chunk;
use rayon::prelude::*;

/// Maximum number of changed chunks to merge in a frame. Each takes a tenth of a millisecond.
pub const MAX_CHUNKS_IN_FRAME: usize = 32;

/// A finished edit, and the chunks that other edits have changed since its snapshot.
/// [`EditMerge::run`] may be called on any thread, because rules may have changed hundreds of
/// chunks.
#[derive(Clone, Debug)]
pub struct EditMerge {
    edit: PreparedEdit,
    /// Outdated changes as ascending indices, and the current chunks.
    outdated: Vec<(usize, Chunk)>,
    /// Revision of the world at which the current chunks were read.
    revision: u64,
}

impl EditMerge {
    /// Applies the edit to the current chunks. The edit's voxels win over later changes; all other
    /// voxels keep their current values.
    #[must_use]
    pub fn run(self) -> PreparedEdit {
        let EditMerge { mut edit, outdated, revision } = self;
        edit.revision = revision;
        if outdated.is_empty() {
            return edit;
        }
        let changes = &edit.changes;
        let rebase = |(index, current): (usize, Chunk)| (index, changes[index].rebased_on(current));
        let merged: Vec<(usize, Option<ChunkChange>)> =
            outdated.into_par_iter().map(rebase).collect();
        let mut merged = merged.into_iter().peekable();
        let all = std::mem::take(&mut edit.changes).into_iter().enumerate();
        edit.changes = all
            .filter_map(|(index, change)| match merged.next_if(|(next, _)| *next == index) {
                Some((_, merged)) => merged,
                None => Some(change),
            })
            .collect();
        edit
    }
}

impl EditableWorld {
    /// Prepares to merge an edit with all changes made since its snapshot. `fetch` reads chunks
    /// that were changed since then and are not loaded.
    ///
    /// # Errors
    /// Fails if a chunk cannot be fetched.
    pub fn merge(&self, edit: PreparedEdit, mut fetch: impl Fetch) -> Result<EditMerge, UndoError> {
        let mut outdated = Vec::new();
        if !self.is_unedited(edit.revision) {
            for (index, change) in edit.changes.iter().enumerate() {
                if !self.is_unedited_since(change.pos, edit.revision) {
                    outdated.push((index, self.current_chunk(change.pos, &mut fetch)?));
                }
            }
        }
        Ok(EditMerge { edit, outdated, revision: self.revision() })
    }
}
