//! The surroundings of one viewer: the portal graph on which visibility is computed, and the voxels
//! that rays walk.
//!
//! The voxels are stored separately from the graph, so that rays see a change even if the graph
//! misses it.

use super::voxel_walk::VoxelWalk;
use glam::{DVec3, IVec3};
use std::sync::Arc;
use stonerun_engine::visibility::{Cell, ChunkOcclusion, Occluders, PortalGraph, RoomNode, Rooms};
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, linear_index, linear_offset, local};
use stonerun_engine::world::view::{in_reach, vertical_reach};

/// A viewer and the chunks within its view distance.
#[derive(Clone, Debug)]
pub struct RayScene {
    graph: PortalGraph,
    /// Occluders of each chunk, by slot in the graph.
    occluders: Vec<Occluders>,
    /// Room of each voxel of a chunk, by slot. Filled when a ray first enters the chunk.
    labels: Vec<Option<Box<[u8]>>>,
    viewer: IVec3,
    view: i32,
}

/// The first voxel of a ray in a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RayEntry {
    /// Slot of the entered chunk in the graph.
    pub chunk: usize,
    /// First voxel of the ray in the chunk, in world coordinates.
    pub voxel: IVec3,
    /// False if the voxel ended the ray.
    pub open: bool,
}

/// The end of a ray at an occluder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OccluderHit {
    /// The occluder.
    pub voxel: IVec3,
    /// Open voxel from which the ray enters the occluder.
    pub before: IVec3,
}

/// A change to one voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OccluderEdit {
    /// The voxel, in world coordinates.
    pub voxel: IVec3,
    /// True if the voxel is an occluder after the edit.
    pub hides: bool,
}

impl RayScene {
    /// Collects the chunks within `view` chunks around the voxel `viewer`. `load` returns `None`
    /// for chunks that are not loaded.
    pub fn new(
        viewer: IVec3,
        view: i32,
        load: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>,
    ) -> RayScene {
        let reach = IVec3::new(view, vertical_reach(view), view);
        let centre = ChunkPos::containing(viewer).as_ivec3();
        let graph = PortalGraph::new(Box3 { min: centre - reach, max: centre + reach + 1 }, load);
        let occluders: Vec<_> = (0..graph.index().len())
            .map(|index| graph.occlusion().chunk(index).occluders.clone())
            .collect();
        RayScene { labels: vec![None; occluders.len()], occluders, graph, viewer, view }
    }

    /// The portal graph on which visibility is computed.
    #[must_use]
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// The viewer's voxel.
    #[must_use]
    pub fn viewer(&self) -> IVec3 {
        self.viewer
    }

    /// The viewer's chunk.
    #[must_use]
    pub fn centre(&self) -> ChunkPos {
        ChunkPos::containing(self.viewer)
    }

    /// View distance, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// True if the chunk with this index is within the view distance, hidden or not.
    #[must_use]
    pub fn is_in_view(&self, chunk: usize) -> bool {
        in_reach(
            self.graph.index().position(chunk).as_ivec3() - self.centre().as_ivec3(),
            self.view,
        )
    }

    /// The viewer's cell; `None` if the viewer's voxel is an occluder.
    #[must_use]
    pub fn cell(&self) -> Option<Cell> {
        let home = self.graph.index().slot(self.centre())?;
        self.graph.occlusion().chunk(home).cell_at(local(self.viewer))
    }

    /// The open voxels of a cell of the viewer's chunk, in world coordinates.
    #[must_use]
    pub fn voxels_of(&self, cell: &Cell) -> Vec<IVec3> {
        let Some(home) = self.graph.index().slot(self.centre()) else { return Vec::new() };
        let occlusion = self.graph.occlusion().chunk(home);
        let labels = occlusion.rooms.labels(&occlusion.occluders);
        let bounds = Box3 {
            min: IVec3::from(cell.lo.map(i32::from)),
            max: IVec3::from(cell.hi.map(i32::from)),
        };
        let inside = |at: &IVec3| bounds.contains(*at) && labels[linear_index(*at)] == cell.room;
        (0..CHUNK_VOLUME)
            .map(linear_offset)
            .filter(inside)
            .map(|at| self.centre().origin() + at)
            .collect()
    }

    /// The node of the room that a ray entered; `None` if the entered voxel is an occluder.
    /// `RoomNode::MAX` marks an open voxel without a room, which no set contains.
    pub fn node(&mut self, entry: &RayEntry) -> Option<RoomNode> {
        let first = self.graph.nodes_of(entry.chunk).start;
        match &self.graph.occlusion().chunk(entry.chunk).rooms {
            _ if !entry.open => None,
            Rooms::Open => Some(first),
            rooms => {
                let labels = self.labels[entry.chunk].get_or_insert_with(|| {
                    rooms.labels(&self.graph.occlusion().chunk(entry.chunk).occluders).into()
                });
                let room = labels[linear_index(local(entry.voxel))];
                Some(if room == Rooms::NO_ROOM {
                    RoomNode::MAX
                } else {
                    first + RoomNode::from(room)
                })
            }
        }
    }

    /// Follows a ray to an occluder, or to the view distance. Replaces `entries` with the chunks
    /// that the ray enters.
    pub fn trace(
        &self,
        from: DVec3,
        direction: DVec3,
        entries: &mut Vec<RayEntry>,
    ) -> Option<OccluderHit> {
        entries.clear();
        let centre = self.centre().as_ivec3();
        let mut chunk = None;
        let mut occluders = &Occluders::None;
        let mut before = from.floor().as_ivec3();
        for voxel in VoxelWalk::new(from, direction) {
            let pos = ChunkPos::containing(voxel);
            let offset = local(voxel);
            if chunk != Some(pos) {
                if !in_reach(pos.as_ivec3() - centre, self.view) {
                    return None;
                }
                chunk = Some(pos);
                let index = self.graph.index().slot(pos)?;
                occluders = &self.occluders[index];
                entries.push(RayEntry { chunk: index, voxel, open: !occluders.hides(offset) });
            }
            if occluders.hides(offset) {
                return Some(OccluderHit { voxel, before });
            }
            before = voxel;
        }
        None
    }

    /// True if the voxel is an occluder; `None` outside the graph.
    #[must_use]
    pub fn hides(&self, voxel: IVec3) -> Option<bool> {
        let index = self.graph.index().slot(ChunkPos::containing(voxel))?;
        Some(self.occluders[index].hides(local(voxel)))
    }

    /// Applies edits, then updates each changed chunk of the graph once.
    pub fn edit(&mut self, edits: &[OccluderEdit]) {
        let mut changed = Vec::new();
        for &OccluderEdit { voxel, hides } in edits {
            let Some(index) = self.graph.index().slot(ChunkPos::containing(voxel)) else {
                continue;
            };
            self.occluders[index] =
                with_voxel(&self.occluders[index], linear_index(local(voxel)), hides);
            changed.push(index);
        }
        changed.sort_unstable();
        changed.dedup();
        for index in changed {
            let occluders = self.occluders[index].clone();
            self.labels[index] = None;
            self.graph.set_chunk(
                self.graph.index().position(index),
                Some(ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }),
            );
        }
    }
}

/// Returns a copy of `occluders` with the voxel at linear index `index` set.
fn with_voxel(occluders: &Occluders, index: usize, hides: bool) -> Occluders {
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
    fn rays_see_edits() {
        let mut scene = RayScene::new(IVec3::new(5, 5, 5), 3, |_| None);
        let from = DVec3::new(5.5, 5.5, 5.5);
        let mut entries = Vec::new();
        assert_eq!(scene.trace(from, DVec3::X, &mut entries), None);
        assert_eq!(entries.len(), 4, "up to the view distance");
        let wall = IVec3::new(64, 5, 5);
        scene.edit(&[OccluderEdit { voxel: wall, hides: true }]);
        assert_eq!(
            scene.trace(from, DVec3::X, &mut entries),
            Some(OccluderHit { voxel: wall, before: wall - IVec3::X })
        );
        assert_eq!(entries.iter().map(|entry| entry.open).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(scene.node(&entries[2]), None);
        let nodes = scene.graph().nodes_of(entries[1].chunk);
        assert_eq!(scene.node(&entries[1]), Some(nodes.start));
        scene.edit(&[OccluderEdit { voxel: wall, hides: false }]);
        assert_eq!(scene.trace(from, DVec3::X, &mut entries), None);
        assert!(matches!(
            scene.graph().occlusion().chunk(entries[2].chunk).occluders,
            Occluders::None
        ));
    }

    #[test]
    fn rooms_of_one_chunk_have_different_nodes() {
        let mut scene = RayScene::new(IVec3::new(5, 5, 5), 3, |_| None);
        // A wall between the two halves of the viewer's chunk.
        let wall =
            (0..1024).map(|i| OccluderEdit { voxel: IVec3::new(16, i >> 5, i & 31), hides: true });
        scene.edit(&wall.collect::<Vec<_>>());
        let cell = scene.cell().unwrap();
        assert_eq!((cell.lo, cell.hi), ([0; 3], [16; 3]));
        assert_eq!(scene.voxels_of(&cell).len(), 16 * 16 * 16);
        let home = scene.graph().index().slot(scene.centre()).unwrap();
        let entry = |x| RayEntry { chunk: home, voxel: IVec3::new(x, 5, 5), open: true };
        let nodes: Vec<_> = [3, 20].map(|x| scene.node(&entry(x)).unwrap()).into();
        assert!(
            nodes[0] != nodes[1]
                && nodes.iter().all(|node| scene.graph().nodes_of(home).contains(node))
        );
        assert_eq!(
            scene.cell().map(|cell| scene.graph().nodes_of(home).start + RoomNode::from(cell.room)),
            Some(nodes[0])
        );
    }
}
