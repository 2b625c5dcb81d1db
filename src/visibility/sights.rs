//! What is known of the chunks in a box, shared: a background task keeps what it began with while the player digs on.

use super::places::Places;
use super::{Blockers, Sight};
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::IVec3;
use std::sync::Arc;

/// The chunks in a box. Cheap to clone; what one changes, its clones do not see.
#[derive(Clone, Debug)]
pub struct Sights {
    places: Places,
    /// By place.
    all: Arc<Vec<Sight>>,
}

impl Sights {
    /// Nothing is known yet: all is open.
    pub(super) fn new(places: Places) -> Sights {
        Sights { places, all: Arc::new(vec![Sight::OPEN; places.len()]) }
    }

    /// Where its chunks are.
    #[must_use]
    #[inline]
    pub fn places(&self) -> &Places {
        &self.places
    }

    pub(super) fn move_to(&mut self, places: Places) {
        self.places = places;
    }

    pub(super) fn set(&mut self, index: usize, sight: Sight) {
        Arc::make_mut(&mut self.all)[index] = sight;
    }

    /// What is known of the chunk at a place.
    #[must_use]
    #[inline]
    pub fn chunk(&self, index: usize) -> &Sight {
        &self.all[index]
    }

    /// The blockers of a chunk; none of those outside of the box are known.
    #[must_use]
    pub fn blockers(&self, pos: ChunkPos) -> &Blockers {
        self.places.index(pos).map_or(&Blockers::None, |index| &self.all[index].blockers)
    }

    /// True if the voxel at `at`, in the world, hides what is behind it. Outside of the box none does.
    #[must_use]
    pub fn hides(&self, at: IVec3) -> bool {
        self.blockers(ChunkPos::containing(at)).hides(at & (CHUNK_SIDE - 1))
    }
}
