//! Where creatures spawn.

use super::builtin_kinds;
use super::test_world::TestWorld;
use crate::creatures::nav::NavClass;
use crate::creatures::{Brightness, Creatures};
use crate::voxel::{Box3, MaterialTable};
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
            let (at, kind) = (world.at(index), world.creatures.motions[index].kind);
            found[usize::from(kind)] += 1;
            let is_water = world.nav.class(at) == NavClass::Water;
            assert_eq!(world.creatures.kind(index).name == "fish", is_water, "{at}");
            assert_eq!(world.creatures.kind(index).name == "cave_crawler", at.y < -8, "{at}");
        }
        world.load_all();
        world.run(20);
        assert_eq!(world.creatures.len(), count, "a chunk is populated once");
        let bytes = world.creatures.encode();
        world.creatures = Creatures::decode(&bytes, builtin_kinds(&MaterialTable::builtin()), seed).unwrap();
        world.load_all();
        world.run(20);
        assert_eq!(world.creatures.len(), count, "in the life of a map");
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn chunk_of_navigation_is_needed_to_spawn() {
    let mut world = world();
    world.nav = crate::creatures::nav::Navigation::new(&world.materials);
    world.load_all();
    world.run(40);
    assert!(world.creatures.is_empty());
}

#[test]
fn chunk_waits_for_those_above_and_below() {
    let mut world = world();
    let chunks: Vec<_> = world.world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    let above = || chunks.iter().filter(|(pos, _)| pos.y == 1);
    above().for_each(|(pos, _)| world.nav.chunk_removed(*pos));
    world.nav.update();
    let on_meadow = |world: &TestWorld| world.creatures.motions.iter().filter(|motion| motion.from.y >= 0).count();
    world.load_all();
    world.run(40);
    assert!(on_meadow(&world) == 0 && !world.creatures.waiting.is_empty());
    assert_eq!(world.creatures.looks_left, 0, "at rest nothing is looked at");
    above().for_each(|(pos, chunk)| world.nav.chunk_changed(*pos, chunk));
    world.nav.update();
    world.run(40);
    assert!(on_meadow(&world) > 0);
    // Chunks that are no longer loaded leave the queue.
    world.nav = crate::creatures::nav::Navigation::new(&world.materials);
    world.run(1);
    assert!(world.creatures.waiting.is_empty());
}
