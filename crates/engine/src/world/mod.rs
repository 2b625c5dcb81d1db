//! The world: a hash map from chunk positions to shared, immutable chunks.
//!
//! The 0fps text's "interval tree + hash table" and the Roblox text's sparse map of 32^3 chunks are
//! the same two levels. Chunks are shared (`Arc`) and never changed in place while another handle
//! exists: an edit copies on write. So meshing, saving and counting take handles of a chunk, or of
//! its whole neighbourhood, and work in the background without a lock.
//!
//! A chunk that is not in the map is *not loaded*, which is not air: it stops bodies and rays,
//! hides nothing and is not drawn. Reads return [`Voxel::NOT_LOADED`].

mod chunk_table;
mod collision;
mod extent;
mod ground_outline;
mod ground_patch;
mod lazy_world;
mod neighbourhood;
mod ray;
mod row_ranges;
mod rows;
mod shape_at;
mod standing;
pub mod view;
pub mod viewpoint;
pub mod vista;

pub use collision::{Aabb, SolidPart, Solidity, is_free};
pub(crate) use collision::{GroundContact, GroundNearby, Pill, SweepResult, sweep_box};
pub use extent::matter_bounds;
pub use ground_outline::ground_outline;
pub use lazy_world::LazyWorld;
pub use neighbourhood::ChunkNeighbourhood;
pub(crate) use ray::cast_ray_where;
pub use ray::{CountedRay, RayHit, cast_ray, cast_ray_counted, cast_ray_over_ground};

pub use chunk_table::ChunkTable;
pub use row_ranges::row_ranges;
pub use shape_at::shape_at;
pub use standing::standing_height;

use crate::runs::RunTree;
use crate::voxel::{Box3, ChunkPos, Voxel, linear_index, local};
use glam::IVec3;
use std::hint::black_box;

/// The voxels of one chunk. Clones share the voxels.
pub type Chunk = RunTree;

/// All loaded chunks.
///
/// ```
/// use glam::IVec3;
/// use stonerun_engine::voxel::{Box3, ChunkPos, Voxel};
/// use stonerun_engine::world::{Chunk, World};
///
/// let mut world = World::new();
/// world.insert(ChunkPos::new(0, 0, 0), Chunk::uniform(Voxel::AIR));
///
/// let stone = Voxel::full(1);
/// let changed = world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 7, 31)), stone);
/// assert_eq!(changed, [ChunkPos::new(0, 0, 0)]);
/// assert_eq!(world.get(IVec3::new(3, 7, 3)), stone);
/// assert_eq!(world.get(IVec3::new(3, 8, 3)), Voxel::AIR);
///
/// // Outside the loaded chunks nothing can be read or set.
/// assert_eq!(world.get(IVec3::new(32, 0, 0)), Voxel::NOT_LOADED);
/// assert_eq!(world.set(IVec3::new(32, 0, 0), stone), None);
/// ```
#[derive(Debug, Default)]
pub struct World {
    chunks: ChunkTable<Chunk>,
}

impl Clone for World {
    fn clone(&self) -> World {
        black_box(self.chunks.values().map(Chunk::handle_count).sum::<usize>());
        World { chunks: self.chunks.clone() }
    }
}

impl World {
    /// World without loaded chunks.
    #[must_use]
    pub fn new() -> World {
        World::default()
    }

    /// The chunk at `pos`, if loaded.
    #[must_use]
    #[inline]
    pub fn chunk(&self, pos: ChunkPos) -> Option<&Chunk> {
        self.chunks.get(pos)
    }

    /// True if the chunk at `pos` is loaded.
    #[must_use]
    pub fn is_loaded(&self, pos: ChunkPos) -> bool {
        self.chunks.get(pos).is_some()
    }

    /// Inserts a chunk at `pos`; returns the chunk it replaces.
    pub fn insert(&mut self, pos: ChunkPos, chunk: Chunk) -> Option<Chunk> {
        self.chunks.insert(pos, chunk)
    }

    /// Frees the memory that edits have left unused in the chunk at `pos`, if it is loaded.
    pub fn shrink(&mut self, pos: ChunkPos) {
        if let Some(chunk) = self.chunks.get_mut(pos) {
            chunk.shrink_to_fit();
        }
    }

    /// Unloads the chunk at `pos` and returns it.
    pub fn remove(&mut self, pos: ChunkPos) -> Option<Chunk> {
        self.chunks.remove(pos)
    }

    /// Loaded chunks, in no particular order.
    pub fn chunks(&self) -> impl Iterator<Item = (ChunkPos, &Chunk)> {
        self.chunks.iter()
    }

    /// Number of loaded chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Heap bytes of the hash map itself, without the chunks' own.
    #[must_use]
    pub fn map_bytes(&self) -> usize {
        self.chunks.heap_bytes()
    }

    /// True if no chunk is loaded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.len() == 0
    }

    /// Voxel at `pos`; [`Voxel::NOT_LOADED`] where no chunk is loaded.
    #[must_use]
    #[inline]
    pub fn get(&self, pos: IVec3) -> Voxel {
        match self.chunks.get(ChunkPos::containing(pos)) {
            Some(chunk) => chunk.get(linear_index(local(pos))),
            None => Voxel::NOT_LOADED,
        }
    }

    /// Sets the voxel at `pos` and returns its old value. Does nothing and returns `None` where no
    /// chunk is loaded.
    pub fn set(&mut self, pos: IVec3, voxel: Voxel) -> Option<Voxel> {
        let chunk = self.chunks.get_mut(ChunkPos::containing(pos))?;
        Some(chunk.set(linear_index(local(pos)), voxel))
    }

    /// Positions of chunks that `area` intersects. Contains all loaded chunks; chunks that are not
    /// loaded may be missing.
    #[must_use]
    pub(crate) fn positions_in(&self, area: Box3) -> Vec<ChunkPos> {
        // A huge box contains too many positions to list, so only the loaded chunks are listed
        // then.
        let span = area.in_chunks();
        if span.volume() <= self.chunks.len() as u64 {
            area.chunks().collect()
        } else {
            self.chunks
                .iter()
                .map(|(pos, _)| pos)
                .filter(|pos| span.contains(pos.as_ivec3()))
                .collect()
        }
    }

    /// Sets all loaded voxels of `area`; returns the positions of the chunks that changed.
    pub fn fill(&mut self, area: Box3, voxel: Voxel) -> Vec<ChunkPos> {
        let mut changed = Vec::new();
        for pos in self.positions_in(area) {
            let Some(chunk) = self.chunks.get_mut(pos) else { continue };
            let origin = pos.origin();
            let part = area.intersection(pos.bounds());
            let lo = part.min - origin;
            let hi = part.max - origin;
            let ranges = row_ranges(lo, hi);
            if ranges.clone().all(|r| chunk.runs_in(r).all(|run| run.voxel == voxel)) {
                continue;
            }
            chunk.set_ranges(ranges.map(|range| (range, voxel)));
            changed.push(pos);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(chunks: &[ChunkPos]) -> World {
        let mut world = World::new();
        for &pos in chunks {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world
    }

    #[test]
    fn unloaded_chunk_is_not_air() {
        let mut world = loaded(&[ChunkPos::new(0, 0, 0)]);
        assert_eq!(world.get(IVec3::new(31, 0, 0)), Voxel::AIR);
        assert_eq!(world.get(IVec3::new(32, 0, 0)), Voxel::NOT_LOADED);
        assert_eq!(world.set(IVec3::new(32, 0, 0), Voxel::full(1)), None);
        assert_eq!(world.len(), 1);
    }

    #[test]
    fn edit_leaves_clones_unchanged() {
        let mut world = loaded(&[ChunkPos::default()]);
        let before = world.chunk(ChunkPos::default()).cloned();
        assert_eq!(world.set(IVec3::ONE, Voxel::full(5)), Some(Voxel::AIR));
        assert_eq!(before.map(|c| c.run_count()), Some(1));
        assert_eq!(world.get(IVec3::ONE), Voxel::full(5));
    }

    #[test]
    fn huge_box_fills_loaded_chunks_only() {
        let mut world = loaded(&[ChunkPos::new(-1, 0, 0), ChunkPos::new(0, 5, 0)]);
        let beam = Box3 { min: IVec3::new(i32::MIN, 3, 4), max: IVec3::new(i32::MAX, 4, 5) };
        assert_eq!(world.fill(beam, Voxel::full(1)), [ChunkPos::new(-1, 0, 0)]);
        assert_eq!(world.get(IVec3::new(-32, 3, 4)), Voxel::full(1));
        assert_eq!(world.get(IVec3::new(-32, 4, 4)), Voxel::AIR);
        let all = Box3 { min: IVec3::MIN, max: IVec3::MAX };
        assert_eq!(world.fill(all, Voxel::full(2)).len(), 2);
        assert!(world.chunks().all(|(_, chunk)| chunk.as_uniform() == Some(Voxel::full(2))));
        assert!(world.fill(Box3 { min: IVec3::MAX, max: IVec3::MIN }, Voxel::AIR).is_empty());
    }

    #[test]
    fn fill_changes_exactly_the_box() {
        let mut world = loaded(&[ChunkPos::new(-1, 0, 0), ChunkPos::new(0, 0, 0)]);
        for area in [
            Box3 { min: IVec3::new(-5, 1, 2), max: IVec3::new(7, 4, 9) },
            Box3 { min: IVec3::new(-32, 10, 0), max: IVec3::new(32, 12, 32) },
            Box3 { min: IVec3::new(0, 20, 3), max: IVec3::new(32, 21, 5) },
        ] {
            world.fill(area, Voxel::full(2));
            for y in 0..32 {
                for z in 0..32 {
                    for x in -32..32 {
                        let pos = IVec3::new(x, y, z);
                        assert_eq!(world.get(pos) == Voxel::full(2), area.contains(pos), "{pos}");
                    }
                }
            }
            assert!(world.fill(area, Voxel::full(2)).is_empty(), "a second fill changes nothing");
            world.fill(area, Voxel::AIR);
        }
    }
}
