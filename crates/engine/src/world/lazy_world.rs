//! A world whose chunks are fetched when a ray or a read reaches them.

use super::{Chunk, RayHit, World, cast_ray};
use crate::voxel::{ChunkPos, Voxel};
use glam::{DVec3, IVec3};

/// Heap bytes of chunks above which all chunks are dropped before the next read or ray, to bound
/// memory. They are fetched again when needed.
const MAX_BYTES: usize = 16 << 20;

/// World that fetches chunks on demand, for choosing viewpoints while a map is made or imported.
#[derive(Debug)]
pub struct LazyWorld<F> {
    world: World,
    /// Heap bytes of the chunks.
    bytes: usize,
    fetch: F,
}

impl<F: FnMut(ChunkPos) -> Chunk> LazyWorld<F> {
    /// An empty world that calls `fetch` for each chunk it needs.
    pub fn new(fetch: F) -> LazyWorld<F> {
        LazyWorld { world: World::new(), bytes: 0, fetch }
    }

    fn load(&mut self, pos: ChunkPos) {
        let chunk = (self.fetch)(pos);
        self.bytes += chunk.heap_bytes();
        self.world.insert(pos, chunk);
    }

    /// Drops all chunks if they exceed [`MAX_BYTES`].
    fn free_memory(&mut self) {
        if self.bytes > MAX_BYTES {
            self.bytes = 0;
            self.world = World::new();
        }
    }

    /// Voxel at `at`.
    pub fn get(&mut self, at: IVec3) -> Voxel {
        let pos = ChunkPos::containing(at);
        if !self.world.is_loaded(pos) {
            self.free_memory();
            self.load(pos);
        }
        self.world.get(at)
    }

    /// Casts a ray like [`cast_ray`](super::cast_ray()), and fetches the chunks on the way.
    pub fn cast_ray(
        &mut self,
        origin: DVec3,
        direction: DVec3,
        reach: f64,
        height: impl Fn(Voxel) -> Option<f64>,
    ) -> Option<RayHit> {
        // Not while the ray is under way: it would start again with the chunks at its origin, and
        // never end if its chunks exceed the limit.
        self.free_memory();
        loop {
            let hit = cast_ray(&self.world, origin, direction, reach, &height)?;
            let pos = ChunkPos::containing(hit.voxel_pos);
            if self.world.is_loaded(pos) {
                return Some(hit);
            }
            // The next round starts at the origin again. That is cheap: few chunks lie on a ray,
            // and mips skip the empty chunks.
            self.load(pos);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_VOLUME, linear_index};

    #[test]
    fn ray_fetches_only_chunks_on_its_way_and_each_once() {
        let mut fetched = Vec::new();
        let mut world = LazyWorld::new(|pos: ChunkPos| {
            fetched.push(pos);
            Chunk::uniform(if pos.x == 3 { Voxel::full(1) } else { Voxel::AIR })
        });
        let matter = |voxel: Voxel| (!voxel.is_air()).then_some(1.0);
        let eye = DVec3::splat(16.5);
        let mut cast = |direction, reach| world.cast_ray(eye, direction, reach, matter);
        assert_eq!(
            cast(DVec3::X, 200.0).map(|hit| (hit.voxel_pos.x, hit.distance)),
            Some((96, 79.5))
        );
        assert_eq!(cast(DVec3::X, 79.0), None);
        assert_eq!(cast(DVec3::NEG_Y, 20.0), None);
        assert_eq!(world.get(IVec3::new(96, 0, 0)), Voxel::full(1));
        let chunk = ChunkPos::new;
        assert_eq!(
            fetched,
            [chunk(0, 0, 0), chunk(1, 0, 0), chunk(2, 0, 0), chunk(3, 0, 0), chunk(0, -1, 0)]
        );
    }

    #[test]
    fn chunks_beyond_the_limit_are_dropped_and_fetched_again() {
        let dense = Chunk::from_runs(
            (0..CHUNK_VOLUME).map(|i| (1, Voxel::full(1 + (i * 7 % 30_000) as u16))),
        );
        let enough = (2 * MAX_BYTES / dense.heap_bytes()) as i32;
        let mut fetched = 0;
        let mut world = LazyWorld::new(|_| {
            fetched += 1;
            dense.clone()
        });
        let at = IVec3::new(5, 6, 7);
        for x in (0..enough).chain([0]) {
            assert_eq!(world.get(at + IVec3::X * 32 * x), dense.get(linear_index(at)));
            assert!(world.bytes <= MAX_BYTES + dense.heap_bytes());
        }
        assert_eq!(fetched, enough + 1);
    }

    #[test]
    fn ray_through_more_chunks_than_the_limit_ends() {
        let dense = Chunk::from_runs(
            (0..CHUNK_VOLUME).map(|i| (1, Voxel::full(1 + (i * 7 % 30_000) as u16))),
        );
        let enough = (2 * MAX_BYTES / dense.heap_bytes()) as i32;
        let mut fetched = 0;
        let mut world = LazyWorld::new(|_| {
            fetched += 1;
            assert!(fetched < 3 * enough, "chunks are fetched again and again");
            dense.clone()
        });
        let eye = DVec3::splat(0.5);
        let reach = f64::from(enough * 32);
        for _ in 0..2 {
            assert_eq!(world.cast_ray(eye, DVec3::X, reach, |_| None), None);
        }
        // The next chunk replaces the chunks of the ray.
        assert_eq!(world.get(IVec3::new(0, 32, 0)), dense.get(0));
        assert!(world.bytes <= MAX_BYTES);
    }
}
