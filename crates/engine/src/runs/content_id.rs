//! Change detection for a chunk, without comparing voxels.

use super::RunTree;
use super::repr::Repr;
use crate::voxel::Voxel;
use std::sync::{Arc, Weak};

/// Identity of a tree's content at one moment.
///
/// While an id exists, an edit of the tree copies the table instead of changing it in place, so the
/// address of the table identifies the content. The memory of the old table is freed with its last
/// id. A uniform tree has no table; its voxel is the identity.
#[derive(Clone, Debug)]
pub struct ContentId(WeakRepr);

/// Weak counterpart of [`Repr`].
#[derive(Clone, Debug)]
enum WeakRepr {
    Uniform(Voxel),
    Table(Weak<[u16]>),
    Packed(Weak<[u8]>),
}

impl RunTree {
    /// Returns the identity of the present content, in constant time.
    #[must_use]
    pub fn content_id(&self) -> ContentId {
        ContentId(match &self.0 {
            Repr::Uniform(voxel) => WeakRepr::Uniform(*voxel),
            Repr::Table(table) => WeakRepr::Table(Arc::downgrade(table)),
            Repr::Packed(bytes) => WeakRepr::Packed(Arc::downgrade(bytes)),
        })
    }
}

impl ContentId {
    /// True if the id was taken from `tree` or a clone of it, and `tree` was not edited since. A
    /// uniform tree also matches the ids of other trees of the same voxel.
    ///
    /// May be false for equal content: an edit and its reversal give a new table.
    #[must_use]
    pub fn matches(&self, tree: &RunTree) -> bool {
        match (&self.0, &tree.0) {
            (WeakRepr::Uniform(a), Repr::Uniform(b)) => a == b,
            (WeakRepr::Table(a), Repr::Table(b)) => std::ptr::addr_eq(a.as_ptr(), Arc::as_ptr(b)),
            (WeakRepr::Packed(a), Repr::Packed(b)) => std::ptr::addr_eq(a.as_ptr(), Arc::as_ptr(b)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_in_place_changes_content_id() {
        let mut tree = RunTree::from_runs([(5, Voxel::AIR), (32763, Voxel::full(1))]);
        let id = tree.content_id();
        assert!(id.matches(&tree) && id.matches(&tree.clone()));
        tree.set(3, Voxel::full(1));
        assert!(!id.matches(&tree));
        let id = tree.content_id();
        // The table keeps its length, so the edit would fit in place if no id existed.
        tree.set(3, Voxel::AIR);
        assert!(!id.matches(&tree));
        let uniform = RunTree::uniform(Voxel::AIR);
        assert!(uniform.content_id().matches(&uniform) && !id.matches(&uniform));
    }
}
