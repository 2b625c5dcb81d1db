//! Whether a chunk is still what it was, told without comparing voxels.

use super::RunTree;
use super::tree::Form;
use crate::voxel::Voxel;
use std::sync::{Arc, Weak};

/// A tree as it was at one moment. While it is kept, an edit of that tree, which else might change the table in place,
/// makes a new one; so the table's address tells. The old table's memory is given back when this is dropped.
#[derive(Clone, Debug)]
pub struct Version(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Uniform(Voxel),
    Runs(Weak<[u16]>),
    Packed(Weak<[u8]>),
}

impl RunTree {
    /// Remembers the tree as it is.
    #[must_use]
    pub fn version(&self) -> Version {
        Version(match &self.0 {
            Form::Uniform(voxel) => Kept::Uniform(*voxel),
            Form::Runs(table) => Kept::Runs(Arc::downgrade(table)),
            Form::Packed(bytes) => Kept::Packed(Arc::downgrade(bytes)),
        })
    }
}

impl Version {
    /// True if `tree`, or a clone of it, was remembered, and was not edited since. (False may also mean that it was edited
    /// back and forth.)
    #[must_use]
    pub fn is_of(&self, tree: &RunTree) -> bool {
        match (&self.0, &tree.0) {
            (Kept::Uniform(a), Form::Uniform(b)) => a == b,
            (Kept::Runs(a), Form::Runs(b)) => std::ptr::addr_eq(a.as_ptr(), Arc::as_ptr(b)),
            (Kept::Packed(a), Form::Packed(b)) => std::ptr::addr_eq(a.as_ptr(), Arc::as_ptr(b)),
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
        let version = tree.version();
        assert!(version.is_of(&tree) && version.is_of(&tree.clone()));
        tree.set(3, Voxel::full(1));
        assert!(!version.is_of(&tree));
        let version = tree.version();
        // Same length, so that it would fit in place.
        tree.set(3, Voxel::AIR);
        assert!(!version.is_of(&tree));
        let uniform = RunTree::uniform(Voxel::AIR);
        assert!(uniform.version().is_of(&uniform) && !version.is_of(&uniform));
    }
}
