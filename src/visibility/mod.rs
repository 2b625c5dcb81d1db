//! Visibility: what can be seen from where, computed from the world, for whole regions at once.
//!
//! - [`Sight`]: what visibility knows of a chunk: its blockers, a bit a voxel, and its rooms, the open spaces between them.
//! - [`Window`]: the rooms of many chunks and the portals between them; [`Sweeper`] spreads light through it from a cell.
//! - [`refine`]: takes out of what a sweep found what cannot be seen.
//! - [`Around`]: the set of the cell that the player is in, at every moment; it uses all of these. [`Job`]: work on a set, for another thread.
//! - [`bake`]: what every cell of a finite world sees, as a map keeps it.
//! - [`reach`]: which cells can be walked to.
//! - [`bits`]: sets of any of these.
//! - [`Matrix`]: the sets of many cells, a row of bits each; [`order`]: numbers for cells, so that those near in space are near
//!   in a row; [`codec`]: the text's three codecs of a row, and ours of a whole matrix.
//!
//! The text is van Waveren's "Run-Length Compression of Large Sparse Potential Visible Sets" (2007). `docs/visibility.md` says
//! how it is done here, and why so.

mod around;
pub mod bake;
pub mod bits;
mod blockers;
pub mod codec;
mod face;
mod graph_walk;
mod job;
mod light;
pub mod matrix;
pub mod order;
mod places;
pub mod reach;
mod rooms;
mod shafts;
mod sights;
mod sweep;
mod window;

pub use around::{Around, Made, Place};
pub use blockers::Blockers;
pub use face::{FaceMask, FaceRect};
pub use graph_walk::graph_walk;
pub use job::{Done, Job};
pub use matrix::Matrix;
pub use places::Places;
pub use rooms::{Cell, Mixed, Room, Rooms};
pub use shafts::refine;
pub use sights::Sights;
pub use sweep::{Sweeper, VisibleSet};
pub use window::{Node, Window};

use crate::voxel::Voxel;
use crate::world::Chunk;

/// What visibility knows of a chunk. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The voxels that hide what is behind them.
    pub blockers: Blockers,
    /// The open spaces between them.
    pub rooms: Rooms,
}

impl Sight {
    /// Of a chunk that is not loaded, or in which nothing hides.
    pub const OPEN: Sight = Sight { blockers: Blockers::None, rooms: Rooms::Open };

    /// Of `chunk`, whose voxels hide what is behind them where `hides` is true.
    #[must_use]
    pub fn of(chunk: &Chunk, hides: impl Fn(Voxel) -> bool) -> Sight {
        let blockers = Blockers::of(chunk, hides);
        Sight { rooms: Rooms::of(&blockers), blockers }
    }

    /// The cell that the voxel at `at` (0 to 31 each) lies in; none if it is a voxel that hides.
    #[must_use]
    pub fn cell_at(&self, at: glam::IVec3) -> Option<Cell> {
        self.rooms.cell_at(&self.blockers, at).map(|index| self.rooms.cells()[index])
    }
}
