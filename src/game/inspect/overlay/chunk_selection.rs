//! The chunk that the overlays *runs* and *neighbourhoods* show.
//!
//! It follows the crosshair. Because the view sweeps over many chunks, a chunk is selected only
//! once the crosshair has rested on it. It stays selected while the crosshair is on the sky.

use crate::game::player::crosshair::MAX_REACH_VOXELS;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos};

/// Seconds for which the crosshair must rest on a chunk.
const REST: f32 = 0.15;

/// The selected chunk, and the candidate for the next one.
#[derive(Default, Debug)]
pub struct ChunkSelection {
    chunk: Option<ChunkPos>,
    next: Option<ChunkPos>,
    rested: f32,
}

impl ChunkSelection {
    /// Returns the chunk to show. `under` is the chunk under the crosshair, if any, `home` the
    /// player's, and `seconds` the time since the last call.
    pub fn update(&mut self, under: Option<ChunkPos>, home: ChunkPos, seconds: f32) -> ChunkPos {
        let kept = self.chunk.filter(|chunk| is_in_sight(*chunk, home));
        let wanted = under.or(kept).unwrap_or(home);
        self.rested = if self.next == Some(wanted) { self.rested + seconds } else { 0.0 };
        self.next = Some(wanted);
        let chunk = kept.filter(|_| self.rested < REST).unwrap_or(wanted);
        self.chunk = Some(chunk);
        chunk
    }
}

fn is_in_sight(chunk: ChunkPos, home: ChunkPos) -> bool {
    let away = (chunk.as_ivec3() - home.as_ivec3()).abs().max_element();
    // Minimum distance: one chunk less than `away`, because both may be anywhere in their chunks.
    f64::from(away - 1) * f64::from(CHUNK_SIDE) <= MAX_REACH_VOXELS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_changes_after_a_rest() {
        let [home, a, b] = [0, 1, 2].map(|x| ChunkPos::new(x, 0, 0));
        let mut selection = ChunkSelection::default();
        assert_eq!(
            selection.update(Some(a), home, 0.016),
            a,
            "the first chunk is selected at once"
        );
        assert_eq!(selection.update(Some(b), home, 0.1), a);
        assert_eq!(selection.update(Some(b), home, 0.1), a);
        assert_eq!(selection.update(Some(home), home, 0.1), a, "each chunk needs its own rest");
        assert_eq!(selection.update(Some(b), home, 0.1), a);
        assert_eq!(selection.update(Some(b), home, 0.2), b);
        assert_eq!(selection.update(None, home, 9.0), b, "the sky changes nothing");
        let far = ChunkPos::new(40, 0, 0);
        assert_eq!(selection.update(None, far, 0.0), far, "out of sight");
        assert_eq!(ChunkSelection::default().update(None, home, 0.0), home);
    }
}
