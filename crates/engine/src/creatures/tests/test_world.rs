//! A small world with creatures.

use crate::creatures::nav::Navigation;
use crate::creatures::{Brightness, CreatureKinds, CreatureView, Creatures};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// A world with creatures, and everything that they perceive.
pub struct TestWorld {
    pub materials: MaterialTable,
    pub world: World,
    pub nav: Navigation,
    pub creatures: Creatures,
    /// Light at every voxel.
    pub light: fn(IVec3) -> Brightness,
    pub minutes: u32,
    pub player: Option<IVec3>,
}

/// Full sunlight everywhere.
pub fn sunlit(_: IVec3) -> Brightness {
    Brightness { sun: 15, lamps: 0 }
}

impl TestWorld {
    /// A meadow of 4 x 4 x 4 chunks around the origin: grass below y = 0, air above.
    pub fn meadow() -> TestWorld {
        let mut world = World::new();
        let area = Box3 {
            min: IVec3::new(-2, -2, -2) * CHUNK_SIDE,
            max: IVec3::new(2, 2, 2) * CHUNK_SIDE,
        };
        for pos in area.chunks() {
            drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
        }
        let mut made = TestWorld::new(world);
        made.fill(Box3 { max: area.max.with_y(0), ..area }, "grass");
        made
    }

    /// Test world with the chunks of `world`, at noon.
    pub fn new(world: World) -> TestWorld {
        let materials = MaterialTable::builtin();
        let mut nav = Navigation::new(&materials);
        for (pos, chunk) in world.chunks() {
            nav.chunk_changed(pos, chunk);
        }
        nav.update();
        let creatures = Creatures::new(CreatureKinds::builtin(&materials).unwrap(), 9);
        TestWorld { materials, world, nav, creatures, light: sunlit, minutes: 720, player: None }
    }

    /// Fills a box with a material.
    pub fn fill(&mut self, area: Box3, material: &str) {
        let voxel = self.materials.find(material).map_or(Voxel::AIR, Voxel::full);
        for pos in self.world.fill(area, voxel) {
            self.nav.chunk_changed(pos, self.world.chunk(pos).unwrap());
        }
        self.nav.update();
        self.creatures.wake(area);
    }

    /// Places a creature of the named kind; returns its index.
    pub fn place(&mut self, kind: &str, at: IVec3) -> usize {
        let kind = self.creatures.kinds().find(kind).unwrap();
        self.creatures.place(kind, at).unwrap();
        self.creatures.len() - 1
    }

    /// Reports all chunks as loaded.
    pub fn load_all(&mut self) {
        let mut positions: Vec<ChunkPos> = self.world.chunks().map(|(pos, _)| pos).collect();
        positions.sort_unstable();
        for pos in positions {
            self.creatures.chunk_loaded(pos);
        }
    }

    /// Runs a number of ticks.
    pub fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            let view = CreatureView {
                nav: &self.nav,
                world: &self.world,
                light: &self.light,
                daylight: if (330..1170).contains(&self.minutes) { 15 } else { 3 },
                minutes: self.minutes,
                player: self.player,
            };
            self.creatures.tick(&view);
        }
    }

    /// Voxel of a creature's feet.
    pub fn at(&self, index: usize) -> IVec3 {
        self.creatures.motions[index].from
    }
}
