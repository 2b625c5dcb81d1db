//! Random worlds and edits.

use crate::creatures::nav::{NavClasses, Navigation};
use crate::random::Random;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// A world of a few chunks, and its navigation.
pub struct RandomWorld {
    pub world: World,
    pub nav: Navigation,
    pub classes: NavClasses,
    pub area: Box3,
    pub random: Random,
    voxels: [Voxel; 5],
}

impl RandomWorld {
    /// A box of chunks around the origin with floors, holes, stairs, water and lava.
    pub fn new(seed: u64, chunks: IVec3) -> RandomWorld {
        let materials = MaterialTable::builtin();
        let voxels = ["air", "stone", "water", "lava", "tall_grass"]
            .map(|name| materials.find(name).map_or(Voxel::AIR, Voxel::full));
        let min = -(chunks / 2) * CHUNK_SIDE;
        let area = Box3 { min, max: min + chunks * CHUNK_SIDE };
        let mut made = RandomWorld {
            world: World::new(),
            nav: Navigation::new(&materials),
            classes: NavClasses::new(&materials),
            area,
            random: Random::new(seed),
            voxels,
        };
        for pos in area.chunks() {
            drop(made.world.insert(pos, Chunk::uniform(Voxel::AIR)));
        }
        // Floors, walls and holes in random order.
        for step in 0..160 * chunks.element_product() {
            let low = made.any_voxel();
            let size = match step % 4 {
                0 => IVec3::new(made.below(14), 0, made.below(14)),
                1 => IVec3::new(made.below(3), made.below(5), made.below(9)),
                _ => IVec3::new(made.below(5), made.below(3), made.below(5)),
            };
            let voxel = made.any_material();
            made.world.fill(Box3::spanning(low, low + size), voxel);
        }
        made.report_all();
        made
    }

    /// Random number from 0 up to `limit`, exclusive.
    pub fn below(&mut self, limit: i32) -> i32 {
        self.random.below(limit as u32) as i32
    }

    /// Random voxel of the box.
    pub fn any_voxel(&mut self) -> IVec3 {
        let size = self.area.size();
        self.area.min + IVec3::new(self.below(size.x), self.below(size.y), self.below(size.z))
    }

    fn any_material(&mut self) -> Voxel {
        let draw = self.below(12);
        self.voxels[[0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 4][draw as usize]]
    }

    fn report_all(&mut self) {
        for (pos, chunk) in self.world.chunks() {
            self.nav.chunk_changed(pos, chunk);
        }
        self.nav.update();
    }

    /// Edits a voxel or a small box, or unloads or reloads a chunk, and updates navigation.
    pub fn edit(&mut self, removed: &mut Vec<(ChunkPos, Chunk)>) {
        let at = self.any_voxel();
        let pos = ChunkPos::containing(at);
        match self.below(100) {
            0 => {
                if let Some(chunk) = self.world.remove(pos) {
                    removed.push((pos, chunk));
                    self.nav.chunk_removed(pos);
                }
            }
            1..=3 => {
                if let Some((pos, chunk)) = removed.pop() {
                    self.nav.chunk_changed(pos, &chunk);
                    self.world.insert(pos, chunk);
                }
            }
            draw => {
                let size = if draw < 10 {
                    IVec3::new(self.below(6), self.below(3), self.below(6))
                } else {
                    IVec3::ZERO
                };
                let voxel = self.any_material();
                for pos in self.world.fill(Box3::spanning(at, at + size), voxel) {
                    if let Some(chunk) = self.world.chunk(pos) {
                        self.nav.chunk_changed(pos, chunk);
                    }
                }
            }
        }
        self.nav.update();
    }

    /// Navigation of the same world, built from scratch.
    pub fn made_at_once(&self) -> Navigation {
        let mut nav = Navigation::new(&MaterialTable::builtin());
        for (pos, chunk) in self.world.chunks() {
            nav.chunk_changed(pos, chunk);
        }
        nav.update();
        nav
    }

    /// All places of the box, found voxel by voxel with the reference implementation.
    pub fn places(&self) -> Vec<IVec3> {
        let moves =
            crate::creatures::nav::plain::VoxelMoves { world: &self.world, classes: &self.classes };
        let Box3 { min, max } = self.area;
        let all = (min.y..max.y).flat_map(move |y| {
            (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| IVec3::new(x, y, z)))
        });
        all.filter(|&at| moves.is_place(at)).collect()
    }
}
