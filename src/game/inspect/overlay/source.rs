//! The input of one chunk's overlay, and the check whether it has changed.

use crate::views::OverlayKind;
use stonerun_engine::runs::{ContentId, RunTree};
use stonerun_engine::voxel::{ChunkPos, MOORE_CENTRE};
use stonerun_engine::world::ChunkNeighbourhood;

/// Minimum time between two builds of an overlay, in seconds. Without it, the overlay would be
/// rebuilt in every frame while chunks stream in.
pub const PAUSE: f32 = 0.25;

/// The input of a chunk's overlay.
pub struct OverlaySource {
    pub kind: OverlayKind,
    pub pos: ChunkPos,
    /// Content of the chunk and its 26 neighbours.
    contents: [Option<ContentId>; 27],
}

impl OverlaySource {
    /// Records the content of the chunk at `pos`, in the middle of `neighbourhood`.
    #[must_use]
    pub fn new(
        kind: OverlayKind,
        pos: ChunkPos,
        neighbourhood: &ChunkNeighbourhood,
    ) -> OverlaySource {
        OverlaySource {
            kind,
            pos,
            contents: neighbourhood
                .chunks
                .each_ref()
                .map(|chunk| chunk.as_ref().map(RunTree::content_id)),
        }
    }

    /// True if chunk `number` of `neighbourhood` is unchanged.
    fn holds(&self, neighbourhood: &ChunkNeighbourhood, number: usize) -> bool {
        match (&self.contents[number], &neighbourhood.chunks[number]) {
            (Some(id), Some(chunk)) => id.matches(chunk),
            (None, None) => true,
            _ => false,
        }
    }

    /// True if the overlay built from this input is still valid. An edit of the chunk itself
    /// invalidates it at once, changes of neighbours only once `rested` is true.
    #[must_use]
    pub fn is_current(
        &self,
        kind: OverlayKind,
        pos: ChunkPos,
        neighbourhood: &ChunkNeighbourhood,
        rested: bool,
    ) -> bool {
        let same = self.kind == kind && self.pos == pos && self.holds(neighbourhood, MOORE_CENTRE);
        same && (kind == OverlayKind::Runs
            || !rested
            || (0..27).all(|number| self.holds(neighbourhood, number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::voxel::Voxel;
    use stonerun_engine::world::World;

    #[test]
    fn own_edit_is_followed_at_once_and_neighbours_later() {
        let pos = ChunkPos::default();
        let mut world = World::new();
        for at in pos.moore_neighbourhood() {
            world.insert(at, RunTree::from_runs([(1000, Voxel::full(1)), (31_768, Voxel::AIR)]));
        }
        let [runs, moore] = [OverlayKind::Runs, OverlayKind::Neighbourhoods]
            .map(|kind| OverlaySource::new(kind, pos, &world.neighbourhood(pos)));
        let current = |world: &World, rested| {
            let neighbourhood = world.neighbourhood(pos);
            [
                runs.is_current(OverlayKind::Runs, pos, &neighbourhood, rested),
                moore.is_current(OverlayKind::Neighbourhoods, pos, &neighbourhood, rested),
            ]
        };
        assert_eq!(current(&world, true), [true, true]);
        world.set(IVec3::new(-1, 5, 5), Voxel::full(2));
        assert_eq!((current(&world, false), current(&world, true)), ([true, true], [true, false]));
        world.set(IVec3::new(0, 5, 5), Voxel::full(2));
        assert_eq!(current(&world, false), [false, false]);
        let neighbourhood = world.neighbourhood(pos);
        assert!(
            !runs.is_current(OverlayKind::Neighbourhoods, pos, &neighbourhood, false),
            "another kind"
        );
    }
}
