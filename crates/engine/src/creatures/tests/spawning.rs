//! Spawning of creatures.

use super::builtin_kinds;
use super::test_world::TestWorld;
use crate::creatures::nav::{NavClass, Navigation};
use crate::creatures::{Brightness, Creatures};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, WORLD_LIMIT};
use crate::world::{Chunk, World};
use glam::IVec3;

/// A meadow over a dark cave with a pond.
fn world() -> TestWorld {
    let mut world = TestWorld::meadow();
    let area = Box3 { min: IVec3::new(-60, -20, -60), max: IVec3::new(60, -14, 60) };
    world.fill(Box3 { max: area.max.with_y(-10), min: area.min - IVec3::Y * 4 }, "stone");
    world.fill(area, "air");
    world.fill(Box3 { min: IVec3::new(20, -4, 20), max: IVec3::new(60, 0, 60) }, "water");
    world.light = |at| Brightness { sun: if at.y >= -8 { 15 } else { 0 }, lamps: 0 };
    world
}

#[test]
fn creatures_spawn_in_their_habitats_once() {
    let mut found = [0; 6];
    for seed in 0..12 {
        let mut world = world();
        world.creatures = Creatures::new(builtin_kinds(&MaterialTable::builtin()), seed);
        world.load_all();
        world.run(20);
        let count = world.creatures.len();
        for index in 0..count {
            let at = world.at(index);
            let kind = world.creatures.motions[index].kind;
            found[usize::from(kind)] += 1;
            let is_water = world.nav.class(at) == NavClass::Water;
            assert_eq!(world.creatures.kind(index).name == "fish", is_water, "{at}");
            assert_eq!(world.creatures.kind(index).name == "cave_crawler", at.y < -8, "{at}");
        }
        world.load_all();
        world.run(20);
        assert_eq!(world.creatures.len(), count, "a chunk is populated once");
        let bytes = world.creatures.encode();
        world.creatures =
            Creatures::decode(&bytes, builtin_kinds(&MaterialTable::builtin()), seed).unwrap();
        world.load_all();
        world.run(20);
        assert_eq!(world.creatures.len(), count, "in the life of a map");
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn chunk_of_navigation_is_needed_to_spawn() {
    let mut world = world();
    world.nav = Navigation::new(&world.materials);
    world.load_all();
    world.run(40);
    assert!(world.creatures.is_empty());
}

#[test]
fn chunk_waits_for_those_above_and_below() {
    for missing in [1, -1] {
        let mut world = world();
        let chunks: Vec<_> =
            world.world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
        let absent = || chunks.iter().filter(|(pos, _)| pos.y == missing);
        for (pos, _) in absent() {
            world.nav.chunk_removed(*pos);
        }
        world.nav.update();
        let on_meadow = |world: &TestWorld| {
            world.creatures.motions.iter().filter(|motion| motion.from.y >= 0).count()
        };
        world.run(1);
        world.load_all();
        world.run(40);
        assert!(on_meadow(&world) == 0 && !world.creatures.waiting.is_empty());
        assert_eq!(world.creatures.looks_left, 0, "at rest nothing is looked at");
        for (pos, chunk) in absent() {
            world.nav.chunk_changed(*pos, chunk);
        }
        world.nav.update();
        world.run(40);
        assert!(on_meadow(&world) > 0, "missing at {missing}");
    }
}

#[test]
fn loaded_chunk_is_populated_though_no_other_is_loaded_later() {
    let mut world = world();
    world.run(1);
    world.load_all();
    world.run(40);
    assert!(!world.creatures.is_empty());
}

#[test]
fn unloaded_chunk_leaves_the_queue() {
    let mut world = world();
    world.load_all();
    world.run(40);
    let waiting: Vec<_> = world.creatures.waiting.iter().copied().collect();
    assert!(!waiting.is_empty(), "no chunks above the highest ones");
    world.nav.chunk_removed(waiting[0]);
    world.run(1);
    assert!(!world.creatures.waiting.contains(&waiting[0]));
    world.nav = Navigation::new(&world.materials);
    world.run(1);
    assert!(world.creatures.waiting.is_empty());
}

#[test]
fn highest_chunk_of_the_world_waits_for_none_above() {
    let mut made = World::new();
    let top = ChunkPos::containing(IVec3::new(0, WORLD_LIMIT - 1, 0));
    for pos in [top, ChunkPos::new(top.x, top.y - 1, top.z)] {
        drop(made.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    let mut world = TestWorld::new(made);
    world.load_all();
    world.run(4);
    assert!(world.creatures.populated.contains(top));
}
