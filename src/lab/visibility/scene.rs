//! What lies around one viewer: the window that visibility is computed in, and beside it the voxels themselves, for rays.
//!
//! The voxels are kept apart from the window, so that a change that the window forgets is seen by the rays.

use super::ray::Voxels;
use crate::visibility::{Cell, ChunkOcclusion, Occluders, PortalGraph, RoomNode, Rooms};
use crate::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, linear_index, linear_offset};
use crate::world::view::{in_reach, vertical_reach};
use glam::{DVec3, IVec3};
use std::sync::Arc;

/// A viewer and all within view.
#[derive(Clone, Debug)]
pub struct Scene {
    window: PortalGraph,
    /// By place in the window.
    occluders: Vec<Occluders>,
    /// The room of each voxel, made when a ray first comes into a chunk.
    labels: Vec<Option<Box<[u8]>>>,
    viewer: IVec3,
    view: i32,
}

/// A chunk that a ray came into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its place in the window.
    pub chunk: usize,
    /// The first voxel of it, in the world.
    pub voxel: IVec3,
    /// False if that voxel ended the ray.
    pub open: bool,
}

/// Where a ray ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The voxel that it could not go through.
    pub at: IVec3,
    /// The open one before.
    pub before: IVec3,
}

impl Scene {
    /// What is within `view` chunks around the voxel `viewer`; `sight` knows the chunks that are loaded.
    pub fn new(viewer: IVec3, view: i32, sight: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>) -> Scene {
        let reach = IVec3::new(view, vertical_reach(view), view);
        let centre = ChunkPos::containing(viewer).as_ivec3();
        let window = PortalGraph::new(Box3 { min: centre - reach, max: centre + reach + 1 }, sight);
        let occluders: Vec<_> =
            (0..window.index().len()).map(|index| window.occlusion().chunk(index).occluders.clone()).collect();
        Scene { labels: vec![None; occluders.len()], occluders, window, viewer, view }
    }

    /// What is swept.
    #[must_use]
    pub fn window(&self) -> &PortalGraph {
        &self.window
    }

    /// The voxel in which the viewer is.
    #[must_use]
    pub fn viewer(&self) -> IVec3 {
        self.viewer
    }

    /// The viewer's chunk.
    #[must_use]
    pub fn centre(&self) -> ChunkPos {
        ChunkPos::containing(self.viewer)
    }

    /// How far one sees, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// True if the chunk at a place is in view, be it hidden or not.
    #[must_use]
    pub fn is_in_view(&self, chunk: usize) -> bool {
        in_reach(self.window.index().position(chunk).as_ivec3() - self.centre().as_ivec3(), self.view)
    }

    /// The viewer's cell; none if that voxel hides.
    #[must_use]
    pub fn cell(&self) -> Option<Cell> {
        let home = self.window.index().slot(self.centre())?;
        self.window.occlusion().chunk(home).cell_at(self.viewer & (CHUNK_SIDE - 1))
    }

    /// The open voxels of a cell of the viewer's chunk, in the world.
    #[must_use]
    pub fn voxels_of(&self, cell: &Cell) -> Vec<IVec3> {
        let Some(home) = self.window.index().slot(self.centre()) else { return Vec::new() };
        let sight = self.window.occlusion().chunk(home);
        let labels = sight.rooms.labels(&sight.occluders);
        let bounds = Box3 { min: IVec3::from(cell.lo.map(i32::from)), max: IVec3::from(cell.hi.map(i32::from)) };
        let inside = |at: &IVec3| bounds.contains(*at) && labels[linear_index(*at)] == cell.room;
        (0..CHUNK_VOLUME).map(linear_offset).filter(inside).map(|at| self.centre().origin() + at).collect()
    }

    /// The node of the room that a ray came into; none if it came into no room.
    pub fn node(&mut self, entry: &Entry) -> Option<RoomNode> {
        let first = self.window.nodes_of(entry.chunk).start;
        match &self.window.occlusion().chunk(entry.chunk).rooms {
            _ if !entry.open => None,
            Rooms::Open => Some(first),
            rooms => {
                let labels = self.labels[entry.chunk]
                    .get_or_insert_with(|| rooms.labels(&self.window.occlusion().chunk(entry.chunk).occluders).into());
                let room = labels[linear_index(entry.voxel & (CHUNK_SIDE - 1))];
                // A room that visibility does not know of is one that it does not see: there is no such node.
                Some(if room == Rooms::NO_ROOM { RoomNode::MAX } else { first + RoomNode::from(room) })
            }
        }
    }

    /// Follows a ray to what it hits, or to the end of the view. `entries` become the chunks that it comes into.
    pub fn trace(&self, from: DVec3, direction: DVec3, entries: &mut Vec<Entry>) -> Option<Hit> {
        entries.clear();
        let centre = self.centre().as_ivec3();
        let mut chunk = None;
        let mut occluders = &Occluders::None;
        let mut before = from.floor().as_ivec3();
        for voxel in Voxels::new(from, direction) {
            let pos = ChunkPos::containing(voxel);
            let offset = voxel & (CHUNK_SIDE - 1);
            if chunk != Some(pos) {
                if !in_reach(pos.as_ivec3() - centre, self.view) {
                    return None;
                }
                chunk = Some(pos);
                let index = self.window.index().slot(pos)?;
                occluders = &self.occluders[index];
                entries.push(Entry { chunk: index, voxel, open: !occluders.hides(offset) });
            }
            if occluders.hides(offset) {
                return Some(Hit { at: voxel, before });
            }
            before = voxel;
        }
        None
    }

    /// True if the voxel at `at` hides; none if it is outside the window.
    #[must_use]
    pub fn hides(&self, at: IVec3) -> Option<bool> {
        let index = self.window.index().slot(ChunkPos::containing(at))?;
        Some(self.occluders[index].hides(at & (CHUNK_SIDE - 1)))
    }

    /// Makes voxels of the window hide or not, and then sets each chunk that changed.
    pub fn edit(&mut self, edits: &[(IVec3, bool)]) {
        let mut changed = Vec::new();
        for &(at, hides) in edits {
            let Some(index) = self.window.index().slot(ChunkPos::containing(at)) else { continue };
            self.occluders[index] = with(&self.occluders[index], linear_index(at & (CHUNK_SIDE - 1)), hides);
            changed.push(index);
        }
        changed.sort_unstable();
        changed.dedup();
        for index in changed {
            let occluders = self.occluders[index].clone();
            self.labels[index] = None;
            self.window.set_chunk(
                self.window.index().position(index),
                Some(ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }),
            );
        }
    }
}

/// The same with one voxel that hides, or does not.
fn with(occluders: &Occluders, index: usize, hides: bool) -> Occluders {
    let mut words = match occluders {
        Occluders::None => Arc::new([0; CHUNK_VOLUME / 64]),
        Occluders::All => Arc::new([u64::MAX; CHUNK_VOLUME / 64]),
        Occluders::Some(words) => words.clone(),
    };
    let word = &mut Arc::make_mut(&mut words)[index / 64];
    *word = *word & !(1 << (index % 64)) | u64::from(hides) << (index % 64);
    match words.iter().map(|word| word.count_ones() as usize).sum() {
        0 => Occluders::None,
        CHUNK_VOLUME => Occluders::All,
        _ => Occluders::Some(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_see_what_was_edited() {
        let mut scene = Scene::new(IVec3::new(5, 5, 5), 3, |_| None);
        let (from, mut entries) = (DVec3::new(5.5, 5.5, 5.5), Vec::new());
        assert_eq!(scene.trace(from, DVec3::X, &mut entries), None);
        assert_eq!(entries.len(), 4, "to the end of the view");
        let wall = IVec3::new(64, 5, 5);
        scene.edit(&[(wall, true)]);
        assert_eq!(scene.trace(from, DVec3::X, &mut entries), Some(Hit { at: wall, before: wall - IVec3::X }));
        assert_eq!(entries.iter().map(|entry| entry.open).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(scene.node(&entries[2]), None);
        let nodes = scene.window().nodes_of(entries[1].chunk);
        assert_eq!(scene.node(&entries[1]), Some(nodes.start));
        scene.edit(&[(wall, false)]);
        assert_eq!(scene.trace(from, DVec3::X, &mut entries), None);
        assert!(matches!(scene.window().occlusion().chunk(entries[2].chunk).occluders, Occluders::None));
    }

    #[test]
    fn rooms_are_told_apart() {
        let mut scene = Scene::new(IVec3::new(5, 5, 5), 3, |_| None);
        // A wall between the viewer's chunk's halves.
        scene.edit(&(0..1024).map(|i| (IVec3::new(16, i >> 5, i & 31), true)).collect::<Vec<_>>());
        let cell = scene.cell().unwrap();
        assert_eq!((cell.lo, cell.hi), ([0; 3], [16; 3]));
        assert_eq!(scene.voxels_of(&cell).len(), 16 * 16 * 16);
        let home = scene.window().index().slot(scene.centre()).unwrap();
        let nodes: Vec<_> =
            [3, 20].map(|x| scene.node(&Entry { chunk: home, voxel: IVec3::new(x, 5, 5), open: true }).unwrap()).into();
        assert!(nodes[0] != nodes[1] && nodes.iter().all(|node| scene.window().nodes_of(home).contains(node)));
        assert_eq!(
            scene.cell().map(|cell| scene.window().nodes_of(home).start + RoomNode::from(cell.room)),
            Some(nodes[0])
        );
    }
}
