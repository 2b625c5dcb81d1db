//! Navigation of the loaded chunks.

use super::chunk_nav::{ChunkNav, NO_SLOT};
use super::class::{NavClass, NavClasses};
use super::class_rows::ClassRows;
use super::graph::{GraphChange, ReachCounts, ReachGraph};
use super::padded_rows::{ABOVE, BELOW, MARGIN, PaddedRows};
use crate::bits::set_bits;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MOORE_CENTRE, MOORE_LEN, MaterialTable, local};
use crate::world::{Chunk, ChunkTable};
use glam::IVec3;

/// Maximum number of chunks, because keys of places have 17 bits for the chunk's slot.
const MAX_CHUNKS: usize = 1 << 17;

/// Places, moves and reach of bodies in the loaded chunks.
///
/// Answers are as of the last [`Navigation::update`]. [`Navigation::chunk_changed`] and
/// [`Navigation::chunk_removed`] only record changes, so that one update handles many at once.
pub struct Navigation {
    classes: NavClasses,
    slots: ChunkTable<u32>,
    pub(super) chunks: Vec<Option<ChunkNav>>,
    free: Vec<u32>,
    /// Slots of the chunks that the next update recomputes.
    pub(super) stale: Vec<u32>,
    pub(super) graph: ReachGraph,
    /// Nodes and edges changed since the last update.
    pub(super) graph_change: GraphChange,
    pub(super) padded: PaddedRows,
    pub(super) revision: u64,
    loads: u64,
}

impl Navigation {
    /// Creates navigation without chunks, for a map with these materials.
    #[must_use]
    pub fn new(materials: &MaterialTable) -> Navigation {
        Navigation {
            classes: NavClasses::new(materials),
            slots: ChunkTable::default(),
            chunks: Vec::new(),
            free: Vec::new(),
            stale: Vec::new(),
            graph: ReachGraph::default(),
            graph_change: GraphChange::default(),
            padded: PaddedRows::new(),
            revision: 0,
            loads: 0,
        }
    }

    /// Replaces the material table. Loaded chunks keep their places until the caller reports them
    /// with [`Navigation::chunk_changed`].
    pub fn set_materials(&mut self, materials: &MaterialTable) {
        self.classes = NavClasses::new(materials);
    }

    /// Reports a chunk that was loaded or edited. Takes effect with [`Navigation::update`]. Chunks
    /// beyond the limit of 131,072 are ignored and count as not loaded.
    pub fn chunk_changed(&mut self, pos: ChunkPos, chunk: &Chunk) {
        let classes = ClassRows::new(chunk, &self.classes);
        let changed = match self.slot(pos) {
            Some(slot) => {
                let Some(known) = self.chunks[slot as usize].as_mut() else { return };
                let Some(changed) = classes.difference(&known.classes) else { return };
                known.classes = classes;
                Box3 { min: pos.origin() + changed.min, max: pos.origin() + changed.max }
            }
            None if self.slots.len() >= MAX_CHUNKS => return,
            None => {
                self.insert(pos, classes);
                pos.bounds()
            }
        };
        self.mark(changed);
    }

    /// Reports a chunk that is no longer loaded. Takes effect with [`Navigation::update`].
    pub fn chunk_removed(&mut self, pos: ChunkPos) {
        let Some(slot) = self.slots.remove(pos) else { return };
        self.loads += 1;
        if let Some(chunk) = self.chunks[slot as usize].take() {
            self.graph_change.removed_nodes.extend(chunk.graph_nodes);
            self.graph_change.removed_edges.extend(chunk.graph_edges);
        }
        self.free.push(slot);
        for (index, around) in pos.moore_neighbourhood().enumerate() {
            if let Some(slot) = self.slot(around)
                && let Some(chunk) = &mut self.chunks[slot as usize]
            {
                chunk.around[MOORE_LEN - 1 - index] = NO_SLOT;
            }
        }
        self.mark(pos.bounds());
    }

    /// True if the chunk is loaded.
    #[must_use]
    pub fn is_loaded(&self, pos: ChunkPos) -> bool {
        self.slot(pos).is_some()
    }

    /// Revision, which increases with every update that may change a place or a move.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Counter that increases with every chunk loaded or unloaded.
    #[must_use]
    pub fn loads(&self) -> u64 {
        self.loads
    }

    /// Class of the voxel at `at`; [`NavClass::Hazard`] where no chunk is loaded.
    #[must_use]
    pub fn class(&self, at: IVec3) -> NavClass {
        let chunk = self.slot(ChunkPos::containing(at)).and_then(|slot| self.chunk(slot));
        let at = local(at);
        chunk.map_or(NavClass::Hazard, |chunk| {
            chunk.classes.class((at.z + 32 * at.y) as usize, at.x as u32)
        })
    }

    /// True if a body can stand or swim with its feet in the voxel at `at`.
    #[must_use]
    pub fn is_place(&self, at: IVec3) -> bool {
        self.area(at).is_some()
    }

    /// True if a body at the place `from` can get to the place `to`. False if either position is
    /// not a place.
    #[must_use]
    #[inline]
    pub fn can_reach(&self, from: IVec3, to: IVec3) -> bool {
        match (self.area(from), self.area(to)) {
            (Some(from), Some(to)) => self.graph.reaches(from, to),
            _ => false,
        }
    }

    /// Places that a body at the place `from` can get to, as rows along x. Each item is the
    /// position of the row's first voxel, and a word whose bit `x` is set if the voxel at `x` is a
    /// reachable place. Empty if `from` is not a place. In no particular order.
    pub fn reachable_rows(&self, from: IVec3) -> impl Iterator<Item = (IVec3, u32)> + '_ {
        let from = self.area(from);
        self.chunks.iter().flatten().flat_map(move |chunk| {
            let is_reached = |&node: &u32| {
                from.is_some_and(|from| self.graph.reaches(from, self.graph.area(node)))
            };
            let reached: Vec<bool> = chunk.graph_nodes.iter().map(is_reached).collect();
            let places = chunk.places.as_ref().filter(|_| reached.contains(&true));
            let rows =
                places.into_iter().flat_map(|places| (0..1024).map(move |row| (row, places)));
            rows.filter_map(move |(number, places)| {
                let row = places.row(number);
                let mut bits = row.places;
                for x in set_bits(row.places) {
                    if !reached[usize::from(places.node_of_segment(row.segment(x)))] {
                        bits &= !(1 << x);
                    }
                }
                let at = IVec3::new(0, number as i32 / 32, number as i32 % 32);
                (bits != 0).then(|| (chunk.pos.origin() + at, bits))
            })
        })
    }

    /// Places that a body at the place `from` can get to, in no particular order.
    pub fn reachable_places(&self, from: IVec3) -> impl Iterator<Item = IVec3> + '_ {
        let voxels =
            |(at, bits): (IVec3, u32)| set_bits(bits).map(move |x| at + IVec3::X * x as i32);
        self.reachable_rows(from).flat_map(voxels)
    }

    /// Number of places of a chunk.
    #[must_use]
    pub(crate) fn place_count(&self, pos: ChunkPos) -> usize {
        let chunk = self.slot(pos).and_then(|slot| self.chunk(slot));
        chunk.and_then(|chunk| chunk.places.as_ref()).map_or(0, |places| places.places.into())
    }

    /// Place `number` of a chunk, counted in linear order; `None` if the chunk has fewer places.
    #[must_use]
    pub(crate) fn nth_place(&self, pos: ChunkPos, number: usize) -> Option<IVec3> {
        let places = self.chunk(self.slot(pos)?)?.places.as_ref()?;
        let (row, x) = places.nth(number)?;
        Some(pos.origin() + IVec3::new(x as i32, row as i32 / 32, row as i32 % 32))
    }

    /// The places of a chunk, in linear order.
    pub fn places_in(&self, pos: ChunkPos) -> impl Iterator<Item = IVec3> + '_ {
        let places = self.slot(pos).and_then(|slot| self.chunk(slot)?.places.as_ref());
        let rows = places
            .into_iter()
            .flat_map(|places| (0..1024).map(move |row| (row, places.row(row).places)));
        rows.filter(|(_, bits)| *bits != 0).flat_map(move |(row, bits)| {
            let at = pos.origin() + IVec3::new(0, row as i32 / 32, row as i32 % 32);
            set_bits(bits).map(move |x| at + IVec3::X * x as i32)
        })
    }

    /// Sizes of the reach graph and its matrix.
    #[must_use]
    pub fn reach_counts(&self) -> ReachCounts {
        self.graph.counts()
    }

    fn insert(&mut self, pos: ChunkPos, classes: ClassRows) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.chunks.push(None);
            self.chunks.len() as u32 - 1
        });
        self.slots.insert(pos, slot);
        self.loads += 1;
        let mut around = [NO_SLOT; MOORE_LEN];
        for (index, other) in pos.moore_neighbourhood().enumerate() {
            let Some(found) = self.slot(other) else { continue };
            around[index] = found;
            if let Some(chunk) = &mut self.chunks[found as usize] {
                chunk.around[MOORE_LEN - 1 - index] = slot;
            }
        }
        around[MOORE_CENTRE] = slot;
        self.chunks[slot as usize] = Some(ChunkNav::new(pos, around, classes, self.revision + 1));
    }

    /// Marks chunks as stale whose places or links may depend on voxels of a box.
    fn mark(&mut self, area: Box3) {
        let side = IVec3::new(MARGIN, 0, MARGIN);
        // Bodies in places above stand on the voxels or fall to them; bodies in places below need
        // them as head room.
        let influence = Box3 {
            min: area.min - side - IVec3::Y * ABOVE,
            max: area.max + side + IVec3::Y * BELOW,
        };
        for pos in influence.chunks() {
            let Some(slot) = self.slot(pos) else { continue };
            let Some(chunk) = &mut self.chunks[slot as usize] else { continue };
            let area = Box3 {
                min: (influence.min - pos.origin()).max(IVec3::ZERO),
                max: (influence.max - pos.origin()).min(IVec3::splat(CHUNK_SIDE)),
            };
            match &mut chunk.stale {
                Some(stale) => *stale = stale.around(area),
                None => {
                    chunk.stale = Some(area);
                    self.stale.push(slot);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn slot(&self, pos: ChunkPos) -> Option<u32> {
        self.slots.get(pos).copied()
    }

    #[inline(always)]
    pub(super) fn chunk(&self, slot: u32) -> Option<&ChunkNav> {
        self.chunks.get(slot as usize)?.as_ref()
    }

    /// Area of a node.
    pub(super) fn area_of(&self, node: u32) -> u32 {
        self.graph.area(node)
    }

    /// True if area `to` can be reached from area `from`.
    pub(super) fn area_reaches(&self, from: u32, to: u32) -> bool {
        self.graph.reaches(from, to)
    }

    /// Calls `each` with all pairs of different areas where the first reaches the second.
    pub(super) fn for_each_reach(&self, each: impl FnMut(u32, u32)) {
        self.graph.for_each_reach(each);
    }

    /// Area of the place at `at`; `None` where there is no place.
    #[inline(always)]
    fn area(&self, at: IVec3) -> Option<u32> {
        let chunk = self.chunk(self.slot(ChunkPos::containing(at))?)?;
        let at = local(at);
        let node = chunk.places.as_ref()?.node((at.z + 32 * at.y) as usize, at.x as u32)?;
        Some(self.graph.area(chunk.graph_nodes[usize::from(node)]))
    }
}
