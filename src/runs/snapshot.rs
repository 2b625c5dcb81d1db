//! Whether a chunk is still what it was, told without comparing voxels.

use super::RunTree;
use super::tree::Repr;
use crate::voxel::Voxel;
use std::sync::{Arc, Weak};

/// A tree as it was at one moment. While it is kept, an edit of that tree, which else might change the table in place,
/// makes a new one; so the table's address tells. The old table's memory is given back when this is dropped.
#[derive(Clone, Debug)]
pub struct Snapshot(WeakRepr);

#[derive(Clone, Debug)]
enum WeakRepr {
    Uniform(Voxel),
    Table(Weak<[u16]>),
    Packed(Weak<[u8]>),
}

impl RunTree {
    /// Remembers the tree as it is.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(match &self.0 {
            Repr::Uniform(voxel) => WeakRepr::Uniform(*voxel),
            Repr::Table(table) => WeakRepr::Table(Arc::downgrade(table)),
            Repr::Packed(bytes) => WeakRepr::Packed(Arc::downgrade(bytes)),
        })
    }
}

impl Snapshot {
    /// True if `tree`, or a clone of it, was remembered, and was not edited since. (False may also mean that it was edited
    /// back and forth.)
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
    fn an_edit_is_noticed_also_in_place() {
        let mut tree = RunTree::from_runs([(5, Voxel::AIR), (32763, Voxel::full(1))]);
        let snapshot = tree.snapshot();
        assert!(snapshot.matches(&tree) && snapshot.matches(&tree.clone()));
        tree.set(3, Voxel::full(1));
        assert!(!snapshot.matches(&tree));
        let snapshot = tree.snapshot();
        // Same length, so that it would fit in place.
        tree.set(3, Voxel::AIR);
        assert!(!snapshot.matches(&tree));
        let uniform = RunTree::uniform(Voxel::AIR);
        assert!(uniform.snapshot().matches(&uniform) && !snapshot.matches(&uniform));
    }
}
