//! Result of an operation on the ground.

use crate::metrics::counted;

/// Voxels that an operation has changed, and columns that it had to leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChangedVoxels {
    /// Voxels that it has changed.
    pub voxels: u64,
    /// Columns that stay as they are, because their plants have no room at their new height.
    pub kept_columns: u64,
}

impl ChangedVoxels {
    /// The answer for the player.
    #[must_use]
    pub fn answer(self) -> String {
        let changed = format!("{} changed", counted(self.voxels, "voxel"));
        match self.kept_columns {
            0 => changed,
            1 => format!("{changed}; 1 column stays as it is: its plants have no room"),
            kept => format!("{changed}; {} stay as they are: their plants have no room", counted(kept, "column")),
        }
    }
}

impl From<u64> for ChangedVoxels {
    fn from(voxels: u64) -> ChangedVoxels {
        ChangedVoxels { voxels, kept_columns: 0 }
    }
}
