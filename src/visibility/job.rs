//! Work on one set, away from the player's surroundings: it may be done on any thread, with what was there when it began.

use super::bake::Baked;
use super::shafts::refine;
use super::sights::Sights;
use super::{Made, Place};
use crate::voxel::ChunkPos;
use std::time::{Duration, Instant};

/// A set to be made smaller.
pub struct Job {
    pub(super) sights: Sights,
    pub(super) place: Place,
    pub(super) chunks: Vec<u64>,
    pub(super) made: Made,
}

/// What came of it.
pub struct Done {
    pub(super) place: Place,
    pub(super) swept: Vec<u64>,
    pub(super) refined: Vec<u64>,
    pub(super) made: Made,
    pub(super) time: Duration,
}

impl Job {
    /// The chunk whose cell it is about.
    #[must_use]
    pub fn chunk(&self) -> ChunkPos {
        self.place.chunk
    }

    /// How the set was made.
    #[must_use]
    pub fn made(&self) -> Made {
        self.made
    }

    /// Takes the set from what is baked of its chunk; gives the job back where nothing is of its cell.
    ///
    /// # Errors
    /// Nothing is known of the cell.
    pub fn take(self, baked: &Baked) -> Result<Done, Job> {
        let start = Instant::now();
        let mut refined = self.chunks.clone();
        if !baked.narrow(&self.place.cell, self.sights.places(), &mut refined) {
            return Err(self);
        }
        Ok(Done { place: self.place, swept: self.chunks, refined, made: Made::Baked, time: start.elapsed() })
    }

    /// Leaves the set as it is.
    #[must_use]
    pub fn leave(self) -> Done {
        let refined = self.chunks.clone();
        Done { place: self.place, swept: self.chunks, refined, made: self.made, time: Duration::ZERO }
    }

    /// Refines the set: some tenths of a second.
    #[must_use]
    pub fn run(self) -> Done {
        let start = Instant::now();
        let refined = refine(&self.sights, self.place.chunk, &self.place.cell, &self.chunks);
        Done { place: self.place, swept: self.chunks, refined, made: Made::Refined, time: start.elapsed() }
    }
}
