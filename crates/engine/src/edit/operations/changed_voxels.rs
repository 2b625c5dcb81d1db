//! Result of an operation on the ground: changed voxels, and columns not changed as requested.

use crate::metrics::counted;

/// Numbers of voxels that an operation has changed, and of columns that it could not change as
/// requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChangedVoxels {
    /// Voxels that the operation has changed.
    pub voxels: u64,
    /// Columns left unchanged because their plants have no room at the new height.
    pub(crate) kept_columns: u64,
    /// Columns that rise less than requested because something other than ground is above them.
    pub(crate) limited_columns: u64,
}

impl ChangedVoxels {
    /// The answer for the player.
    #[must_use]
    pub fn answer(self) -> String {
        let mut answer = format!("{} changed", counted(self.voxels, "voxel"));
        answer += &match self.kept_columns {
            0 => String::new(),
            1 => "; 1 column stays as it is: its plants have no room".to_owned(),
            kept => {
                format!("; {} stay as they are: their plants have no room", counted(kept, "column"))
            }
        };
        answer += &match self.limited_columns {
            0 => String::new(),
            1 => "; 1 column ends below leaves or blocks that are no ground".to_owned(),
            limited => format!(
                "; {} end below leaves or blocks that are no ground",
                counted(limited, "column")
            ),
        };
        answer
    }
}

impl From<u64> for ChangedVoxels {
    fn from(voxels: u64) -> ChangedVoxels {
        ChangedVoxels { voxels, ..ChangedVoxels::default() }
    }
}
