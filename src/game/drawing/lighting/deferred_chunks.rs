//! Loaded chunks whose lighting is deferred until their neighbours are loaded.
//!
//! A chunk that is lit before the chunk above it is dark, and must be lit again when sunlight
//! enters from there. A chunk that is lit before its horizontal neighbours must be lit again when
//! they give light. Therefore a chunk waits for its six neighbours, if they are expected, and for
//! all waiting chunks above it in its column.

use crate::game::map::streaming::ChunkStream;
use rustc_hash::FxHashSet;
use stonerun_engine::voxel::{ChunkPos, Face};

/// Loaded chunks that wait for their neighbours.
#[derive(Default)]
pub(super) struct DeferredChunks {
    chunks: FxHashSet<ChunkPos>,
    /// Positions to check again, because a neighbour has changed.
    doubtful: Vec<ChunkPos>,
    /// Revision of the stream's expected chunks when all chunks were last checked.
    revision: u64,
}

impl DeferredChunks {
    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Adds a chunk that was loaded.
    pub fn insert(&mut self, pos: ChunkPos) {
        self.chunks.insert(pos);
        self.doubtful.push(pos);
        self.doubt_neighbours(pos);
    }

    /// Removes a chunk that was unloaded.
    pub fn remove(&mut self, pos: ChunkPos) {
        self.chunks.remove(&pos);
        self.doubt_neighbours(pos);
    }

    /// True if a chunk waits for its neighbours.
    pub fn contains(&self, pos: ChunkPos) -> bool {
        self.chunks.contains(&pos)
    }

    /// Removes and returns the chunks that no longer wait, each after the chunk above it. Without a
    /// stream, no chunk is expected.
    pub fn take_ready(&mut self, stream: Option<&ChunkStream>) -> Vec<ChunkPos> {
        let revision = stream.map_or(0, ChunkStream::expectation_revision);
        if std::mem::replace(&mut self.revision, revision) != revision {
            self.doubtful.extend(&self.chunks);
        }
        let mut ready = Vec::new();
        // Reversed, because positions are popped from the end: chunks that were loaded first come
        // first.
        self.doubtful.reverse();
        while let Some(pos) = self.doubtful.pop() {
            let is_ready = self.chunks.contains(&pos)
                && !self.chunks.contains(&pos.offset(Face::Up.normal()))
                && !stream.is_some_and(|stream| expects_neighbour(stream, pos));
            if is_ready {
                self.chunks.remove(&pos);
                ready.push(pos);
                self.doubtful.push(pos.offset(Face::Down.normal()));
            }
        }
        ready
    }

    fn doubt_neighbours(&mut self, pos: ChunkPos) {
        self.doubtful.extend(Face::ALL.map(|face| pos.offset(face.normal())));
    }
}

/// True if the stream expects a neighbour of a chunk.
fn expects_neighbour(stream: &ChunkStream, pos: ChunkPos) -> bool {
    Face::ALL.into_iter().any(|face| stream.expects(pos.offset(face.normal())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_is_lit_from_the_top() {
        let mut deferred = DeferredChunks::default();
        let at = |y| ChunkPos::new(0, y, 0);
        for y in [0, 2, 1, 5] {
            deferred.insert(at(y));
        }
        deferred.remove(at(5));
        let ready = deferred.take_ready(None);
        assert_eq!(ready, [2, 1, 0].map(at));
        assert_eq!((deferred.len(), deferred.take_ready(None).len()), (0, 0));
    }

    #[test]
    fn chunk_waits_for_its_expected_neighbours() {
        let mut stream = ChunkStream::default();
        let at = |x| ChunkPos::new(x, 0, 0);
        stream.set_expected([at(1), at(9)]);
        let mut deferred = DeferredChunks::default();
        for x in [0, -1, 8] {
            deferred.insert(at(x));
        }
        assert_eq!(deferred.take_ready(Some(&stream)), [at(-1)]);
        stream.set_expected([at(9)]);
        assert_eq!(deferred.take_ready(Some(&stream)), [at(0)]);
        assert!(deferred.contains(at(8)));
        stream.set_expected([]);
        assert_eq!(deferred.take_ready(Some(&stream)), [at(8)]);
    }
}
