//! The world: a hash map from chunk position to a shared, immutable chunk.
//!
//! The 0fps text's "interval tree + hash table" and the Roblox text's sparse map of 32^3 chunks are the
//! same two levels. Chunks are shared (`Arc`) and never changed in place while somebody else holds them: an
//! edit copies on write. So meshing, saving and counting take a chunk, or its whole neighbourhood, and work
//! on it in the background with no lock, while the player goes on digging.
//!
//! A chunk that is not in the map is *not loaded*. That is not air: it stops bodies and rays, hides
//! nothing and is drawn as nothing; reads return [`Voxel::NOT_LOADED`].

mod chunk_table;
mod collision;
mod extent;
mod ray;
pub mod view;

pub use collision::{Aabb, Solidity, SweepResult, is_free, sweep_box};
pub use extent::matter_bounds;
pub use ray::{CountedRay, RayHit, cast_ray, cast_ray_counted};

use crate::runs::RunTree;
use crate::runs::moore::{ChunkNeighbourhoodRef, RowSource};
use crate::voxel::{Box3, ChunkPos, MOORE_LEN, Voxel, linear_index, local, neighbour_offset};
pub(crate) use chunk_table::ChunkTable;
use glam::IVec3;

/// The voxels of one chunk: a handle, which shares them when it is cloned.
pub type Chunk = RunTree;

/// All loaded chunks.
#[derive(Clone, Debug, Default)]
pub struct World {
    chunks: ChunkTable<Chunk>,
}

impl World {
    /// A world with nothing loaded.
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

    /// Puts a chunk at `pos`; returns the one it replaces.
    pub fn insert(&mut self, pos: ChunkPos, chunk: Chunk) -> Option<Chunk> {
        self.chunks.insert(pos, chunk)
    }

    /// Gives back memory that edits have left unused in the chunk at `pos`, if it is loaded.
    pub fn shrink(&mut self, pos: ChunkPos) {
        if let Some(chunk) = self.chunks.get_mut(pos) {
            chunk.shrink_to_fit();
        }
    }

    /// Unloads the chunk at `pos` and returns it.
    pub fn remove(&mut self, pos: ChunkPos) -> Option<Chunk> {
        self.chunks.remove(pos)
    }

    /// The loaded chunks, in no order.
    pub fn chunks(&self) -> impl Iterator<Item = (ChunkPos, &Chunk)> {
        self.chunks.iter()
    }

    /// The number of loaded chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Heap bytes of the hash map itself, without the chunks.
    #[must_use]
    pub fn map_bytes(&self) -> usize {
        self.chunks.heap_bytes()
    }

    /// True if nothing is loaded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.len() == 0
    }

    /// The voxel at `pos`; [`Voxel::NOT_LOADED`] where no chunk is loaded.
    #[must_use]
    #[inline]
    pub fn get(&self, pos: IVec3) -> Voxel {
        match self.chunks.get(ChunkPos::containing(pos)) {
            Some(chunk) => chunk.get(linear_index(local(pos))),
            None => Voxel::NOT_LOADED,
        }
    }

    /// Sets the voxel at `pos` and returns what was there; does nothing and returns none where no chunk
    /// is loaded.
    pub fn set(&mut self, pos: IVec3, voxel: Voxel) -> Option<Voxel> {
        let chunk = self.chunks.get_mut(ChunkPos::containing(pos))?;
        Some(chunk.set(linear_index(local(pos)), voxel))
    }

    /// Chunks that `area` reaches into, all that are loaded among them.
    #[must_use]
    pub fn positions_in(&self, area: Box3) -> Vec<ChunkPos> {
        // A box can span more chunks than anyone could go through; the loaded ones are few.
        let span = area.in_chunks();
        if span.volume() <= self.chunks.len() as u64 {
            area.chunks().collect()
        } else {
            self.chunks.iter().map(|(pos, _)| pos).filter(|pos| span.contains(pos.as_ivec3())).collect()
        }
    }

    /// Sets all voxels of `area` that are loaded; returns the chunks that were changed.
    pub fn fill(&mut self, area: Box3, voxel: Voxel) -> Vec<ChunkPos> {
        let mut changed = Vec::new();
        for pos in self.positions_in(area) {
            let Some(chunk) = self.chunks.get_mut(pos) else { continue };
            let origin = pos.origin();
            let part = area.intersection(pos.bounds());
            let (lo, hi) = (part.min - origin, part.max - origin);
            let ranges = row_ranges(lo, hi);
            if ranges.clone().all(|r| chunk.runs_in(r).all(|run| run.voxel == voxel)) {
                continue;
            }
            chunk.set_ranges(ranges.map(|range| (range, voxel)));
            changed.push(pos);
        }
        changed
    }

    /// The chunk at `pos` and the 26 around it, to be used in the background.
    #[must_use]
    pub fn neighbourhood(&self, pos: ChunkPos) -> ChunkNeighbourhood {
        ChunkNeighbourhood { chunks: std::array::from_fn(|i| self.chunk(pos.offset(neighbour_offset(i))).cloned()) }
    }
}

/// The stretches of linear order that make up the box `lo..hi` inside a chunk, whole layers and whole
/// rows joined.
pub(crate) fn row_ranges(lo: IVec3, hi: IVec3) -> impl Iterator<Item = std::ops::Range<usize>> + Clone {
    let whole_rows = lo.x == 0 && hi.x == 32;
    let whole_layers = whole_rows && lo.z == 0 && hi.z == 32;
    let (y_end, z_end) = (if whole_layers { lo.y + 1 } else { hi.y }, if whole_rows { lo.z + 1 } else { hi.z });
    (lo.y..y_end).flat_map(move |y| {
        (lo.z..z_end).map(move |z| {
            let last =
                IVec3::new(hi.x - 1, if whole_layers { hi.y - 1 } else { y }, if whole_rows { hi.z - 1 } else { z });
            linear_index(IVec3::new(lo.x, y, z))..linear_index(last) + 1
        })
    })
}

impl RowSource for World {
    fn row_runs(&self, at: IVec3, len: u32, mut each: impl FnMut(u32, Voxel)) {
        let (mut x, end) = (at.x, at.x + len as i32);
        while x < end {
            let stop = end.min((x | 31) + 1);
            match self.chunk(ChunkPos::containing(IVec3::new(x, at.y, at.z))) {
                None => each((stop - x) as u32, Voxel::NOT_LOADED),
                Some(chunk) => {
                    let from = linear_index(local(IVec3::new(x, at.y, at.z)));
                    chunk.runs_in(from..from + (stop - x) as usize).for_each(|r| each(r.len, r.voxel));
                }
            }
            x = stop;
        }
    }

    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        let mut chunks =
            area.chunks().map(|c| self.chunk(c).map_or(Some(Voxel::NOT_LOADED), |chunk| chunk.as_uniform()));
        let first = chunks.next()??;
        chunks.all(|c| c == Some(first)).then_some(first)
    }
}

/// A chunk and its 26 neighbours as they were at one moment.
#[derive(Clone, Debug)]
pub struct ChunkNeighbourhood {
    /// Index `(dx + 1) + 3 * (dz + 1) + 9 * (dy + 1)`; none where not loaded.
    pub chunks: [Option<Chunk>; MOORE_LEN],
}

impl ChunkNeighbourhood {
    /// The same, as the Moore walk reads it.
    #[must_use]
    pub fn borrowed(&self) -> ChunkNeighbourhoodRef<'_> {
        ChunkNeighbourhoodRef { chunks: self.chunks.each_ref().map(|c| c.as_ref()) }
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
    fn absent_is_not_air() {
        let mut world = loaded(&[ChunkPos::new(0, 0, 0)]);
        assert_eq!(world.get(IVec3::new(31, 0, 0)), Voxel::AIR);
        assert_eq!(world.get(IVec3::new(32, 0, 0)), Voxel::NOT_LOADED);
        assert_eq!(world.set(IVec3::new(32, 0, 0), Voxel::full(1)), None);
        assert_eq!(world.len(), 1);
    }

    #[test]
    fn an_edit_leaves_snapshots_alone() {
        let mut world = loaded(&[ChunkPos::default()]);
        let before = world.chunk(ChunkPos::default()).cloned();
        assert_eq!(world.set(IVec3::ONE, Voxel::full(5)), Some(Voxel::AIR));
        assert_eq!(before.map(|c| c.run_count()), Some(1));
        assert_eq!(world.get(IVec3::ONE), Voxel::full(5));
    }

    #[test]
    fn a_box_bigger_than_the_world_is_filled_where_the_world_is() {
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
    fn fill_touches_the_box_and_nothing_else() {
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
            assert!(world.fill(area, Voxel::full(2)).is_empty(), "nothing left to change");
            world.fill(area, Voxel::AIR);
        }
    }
}
