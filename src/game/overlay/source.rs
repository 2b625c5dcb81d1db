//! The input of one chunk's overlay, and whether it has changed.

use crate::game::common::overlay_kind::OverlayKind;
use crate::runs::{RunTree, Snapshot};
use crate::voxel::{ChunkPos, MOORE_CENTRE};
use crate::world::ChunkNeighbourhood;

/// Seconds between two meshes of an overlay at least: while chunks stream in, the input changes
/// every frame.
pub const PAUSE: f32 = 0.25;

/// The input of the bars.
pub struct Source {
    pub kind: OverlayKind,
    pub pos: ChunkPos,
    /// Snapshots of the chunk and the 26 around it.
    snapshots: [Option<Snapshot>; 27],
}

impl Source {
    /// Remembers the chunk at `pos`, in the middle of `around`.
    #[must_use]
    pub fn of(kind: OverlayKind, pos: ChunkPos, around: &ChunkNeighbourhood) -> Source {
        Source { kind, pos, snapshots: around.chunks.each_ref().map(|chunk| chunk.as_ref().map(RunTree::snapshot)) }
    }

    /// True if chunk `i` of `around` is unchanged.
    fn holds(&self, around: &ChunkNeighbourhood, number: usize) -> bool {
        match (&self.snapshots[number], &around.chunks[number]) {
            (Some(snapshot), Some(chunk)) => snapshot.matches(chunk),
            (None, None) => true,
            _ => false,
        }
    }

    /// True if the overlay made from this is still valid. Changes around the chunk wait until
    /// `rested`; an edit of the chunk itself does not.
    #[must_use]
    pub fn is_current(&self, kind: OverlayKind, pos: ChunkPos, around: &ChunkNeighbourhood, rested: bool) -> bool {
        let same = self.kind == kind && self.pos == pos && self.holds(around, MOORE_CENTRE);
        same && (kind == OverlayKind::Runs || !rested || (0..27).all(|number| self.holds(around, number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Voxel;
    use crate::world::World;
    use glam::IVec3;

    #[test]
    fn own_edit_is_followed_at_once_and_neighbours_later() {
        let pos = ChunkPos::default();
        let mut world = World::new();
        for at in pos.moore_neighbourhood() {
            world.insert(at, RunTree::from_runs([(1000, Voxel::full(1)), (31_768, Voxel::AIR)]));
        }
        let [runs, moore] = [OverlayKind::Runs, OverlayKind::Neighbourhoods]
            .map(|kind| Source::of(kind, pos, &world.neighbourhood(pos)));
        let current = |world: &World, rested| {
            let around = world.neighbourhood(pos);
            [
                runs.is_current(OverlayKind::Runs, pos, &around, rested),
                moore.is_current(OverlayKind::Neighbourhoods, pos, &around, rested),
            ]
        };
        assert_eq!(current(&world, true), [true, true]);
        world.set(IVec3::new(-1, 5, 5), Voxel::full(2));
        assert_eq!((current(&world, false), current(&world, true)), ([true, true], [true, false]));
        world.set(IVec3::new(0, 5, 5), Voxel::full(2));
        assert_eq!(current(&world, false), [false, false]);
        let around = world.neighbourhood(pos);
        assert!(!runs.is_current(OverlayKind::Neighbourhoods, pos, &around, false), "another kind");
    }
}
