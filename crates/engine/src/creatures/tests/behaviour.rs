//! Behaviour of creatures.

use super::test_world::TestWorld;
use crate::creatures::nav::{NavClass, Navigation};
use crate::creatures::{Brightness, CreatureId, Gait};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel, WORLD_LIMIT, local};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashSet;

const NIGHT: u32 = 60;

/// Terrain with creatures of all kinds.
fn terrain() -> TestWorld {
    let generator = Generator::new(5, TerrainKind::Continents, &MaterialTable::builtin());
    let area = Box3 { min: IVec3::splat(-2) * CHUNK_SIDE, max: IVec3::splat(2) * CHUNK_SIDE };
    let mut world = World::new();
    for pos in area.chunks() {
        drop(world.insert(pos, generator.chunk(pos)));
    }
    let mut made = TestWorld::new(world);
    // A pool, a lava lake and a tower as obstacles.
    for (low, material) in [(IVec3::new(-20, 40, -20), "stone"), (IVec3::new(8, 40, 8), "stone")] {
        made.fill(Box3 { min: low, max: low + IVec3::new(14, 4, 14) }, material);
    }
    made.fill(Box3 { min: IVec3::new(-18, 42, -18), max: IVec3::new(-8, 44, -8) }, "water");
    made.fill(Box3 { min: IVec3::new(12, 43, 12), max: IVec3::new(18, 44, 18) }, "lava");
    let places: Vec<IVec3> = made
        .world
        .chunks()
        .map(|(pos, _)| pos)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .flat_map(|pos| made.nav.places_in(pos).collect::<Vec<_>>())
        .collect();
    for number in 0..240 {
        let at = places[number * 7919 % places.len()];
        let kind = if made.nav.class(at) == NavClass::Water {
            "fish"
        } else {
            ["deer", "wolf", "sparrow", "glow_fly", "cave_crawler"][number % 5]
        };
        if made.creatures.is_free(at) {
            made.place(kind, at);
        }
    }
    for (kind, x) in [("deer", 9), ("wolf", 10), ("deer", 20), ("fish", -15), ("fish", -12)] {
        let at = if kind == "fish" { IVec3::new(x, 43, x) } else { IVec3::new(x, 44, 9) };
        made.place(kind, at);
    }
    made
}

#[test]
fn creatures_stay_where_they_can_live_and_apart() {
    let mut world = terrain();
    let started: Vec<IVec3> = (0..world.creatures.len()).map(|index| world.at(index)).collect();
    let in_water: Vec<bool> =
        started.iter().map(|&at| world.nav.class(at) == NavClass::Water).collect();
    for round in 0..60 {
        world.minutes = round * 24;
        world.player = (round % 7 == 3).then_some(started[round as usize % started.len()]);
        world.run(20);
        let mut taken = FxHashSet::default();
        for (index, &is_swimmer) in in_water.iter().enumerate() {
            let motion = world.creatures.motions[index];
            assert!(
                taken.insert(motion.from) && (!motion.is_moving() || taken.insert(motion.to)),
                "{motion:?}"
            );
            for at in [motion.from, motion.to] {
                let class = world.nav.class(at);
                match world.creatures.kind(index).gait {
                    Gait::Walk => {
                        assert!(world.nav.is_place(at), "{motion:?}");
                        // Only hunters follow paths that lead into water.
                        let hunts = world.creatures.kind(index).hunts != 0;
                        assert!(hunts || is_swimmer || class == NavClass::Open, "{motion:?}");
                    }
                    Gait::Swim => assert_eq!(class, NavClass::Water, "{motion:?}"),
                    Gait::Fly | Gait::Hover => assert_eq!(class, NavClass::Open, "{motion:?}"),
                }
            }
        }
    }
    let moved = (0..started.len()).filter(|&index| world.at(index) != started[index]).count();
    assert!(moved * 2 > started.len(), "{moved} of {}", started.len());
}

#[test]
fn same_seed_gives_the_same_life() {
    let life = || {
        let mut world = terrain();
        world.run(300);
        world.creatures.poses(0.5).map(|pose| format!("{pose:?}")).collect::<Vec<_>>()
    };
    assert_eq!(life(), life());
}

#[test]
fn deer_flees_from_player_and_from_noise() {
    let mut world = TestWorld::meadow();
    let deer = world.place("deer", IVec3::new(3, 0, 0));
    world.player = Some(IVec3::ZERO);
    world.run(100);
    assert!(world.at(deer).distance_squared(IVec3::ZERO) > 49, "{}", world.at(deer));
    world.player = None;
    world.run(200);
    let before = world.at(deer);
    world.creatures.scare(before + IVec3::X, 5);
    world.run(80);
    assert!(world.at(deer).distance_squared(before) > 25, "{before} {}", world.at(deer));
}

#[test]
fn wolf_catches_up_with_deer_and_lets_it_go() {
    let mut world = TestWorld::meadow();
    // A wall with one gap between wolf and deer.
    world.fill(Box3 { min: IVec3::new(0, 0, -60), max: IVec3::new(1, 4, 20) }, "stone");
    let wolf = world.place("wolf", IVec3::new(-6, 0, 12));
    let deer = world.place("deer", IVec3::new(6, 0, 12));
    world.creatures.pin(&[CreatureId(1)], true);
    world.run(400);
    let near = world.at(wolf).distance_squared(world.at(deer));
    assert!(world.creatures.minds[wolf].sated_until > 0, "{near}");
    assert_eq!((world.creatures.len(), world.at(deer)), (2, IVec3::new(6, 0, 12)));
    world.creatures.pin(&[CreatureId(1)], false);
    world.run(200);
    assert!(world.at(deer) != IVec3::new(6, 0, 12), "it flees once it can");
}

#[test]
fn day_creatures_sleep_at_night_until_they_are_scared() {
    let mut world = TestWorld::meadow();
    world.minutes = NIGHT;
    for x in 0..8 {
        world.place(if x % 2 == 0 { "deer" } else { "sparrow" }, IVec3::new(x * 3, 0, 0));
    }
    world.place("glow_fly", IVec3::new(0, 2, 10));
    world.run(300);
    let before: Vec<IVec3> = (0..9).map(|index| world.at(index)).collect();
    assert!(world.creatures.poses(0.0).take(8).all(|pose| pose.is_asleep && !pose.is_moving));
    world.run(300);
    assert!((0..8).all(|index| world.at(index) == before[index]));
    assert!(world.at(8) != before[8], "glow flies are awake");
    world.creatures.scare(before[0], 4);
    world.run(20);
    assert!(world.at(0) != before[0] && world.at(7) == before[7]);
}

#[test]
fn crawler_leaves_the_light() {
    let mut world = TestWorld::meadow();
    world.light = |at| Brightness { sun: 0, lamps: (10 - at.x).clamp(0, 12) as u8 };
    let crawler = world.place("cave_crawler", IVec3::new(0, 0, 0));
    let mut found_dark = 0;
    for _ in 0..100 {
        world.run(10);
        let lit = (world.light)(world.at(crawler)).lamps;
        found_dark += usize::from(lit <= 4);
        assert!(found_dark == 0 || lit <= 4, "back in the light at {}", world.at(crawler));
    }
    assert!(found_dark > 80, "{found_dark}");
}

#[test]
fn creature_hides_in_the_corner_of_the_world() {
    let mut made = World::new();
    let pos = ChunkPos::containing(IVec3::splat(WORLD_LIMIT - 1));
    drop(made.insert(pos, Chunk::uniform(Voxel::AIR)));
    let mut world = TestWorld::new(made);
    let low = pos.origin();
    let high = IVec3::splat(WORLD_LIMIT);
    world.fill(Box3 { min: low, max: high.with_y(low.y + 8) }, "stone");
    let crawler = world.place("cave_crawler", low + IVec3::new(16, 8, 16));
    let start = world.at(crawler);
    world.minutes = NIGHT;
    world.light = |at| Brightness { sun: 0, lamps: (24 - local(at).x).clamp(0, 12) as u8 };
    world.run(200);
    assert!(world.at(crawler) != start);
}

/// A meadow with twelve deer in a row.
fn herd() -> TestWorld {
    let mut world = TestWorld::meadow();
    for x in 0..12 {
        world.place("deer", IVec3::new(-20 + x, 0, -10));
    }
    world
}

/// Asserts that at least ten of the twelve deer are near `to`.
fn assert_gathered(world: &TestWorld, to: IVec3) {
    let near = (0..12).filter(|&index| world.at(index).distance_squared(to) <= 64).count();
    assert!(near >= 10, "{near}");
}

#[test]
fn called_herd_gathers_behind_a_wall() {
    let mut world = herd();
    world.fill(Box3 { min: IVec3::new(0, 0, -60), max: IVec3::new(1, 4, 0) }, "stone");
    let deer = 0;
    let to = IVec3::new(12, 0, -10);
    assert_eq!(world.creatures.call(&world.nav, deer, to), 12);
    assert_eq!(world.creatures.call(&world.nav, 2, to), 0, "fish do not walk");
    world.run(1000);
    assert_gathered(&world, to);
    world.run(300);
    assert!(world.creatures.calls.is_empty(), "it is over after a minute");
}

#[test]
fn called_herd_gathers_though_blocks_change_next_to_it() {
    let mut world = herd();
    let to = IVec3::new(12, 0, -10);
    assert_eq!(world.creatures.call(&world.nav, 0, to), 12);
    // A wall across the herd's path, built once it has set out. Another path leads around the wall.
    world.run(10);
    world.fill(Box3 { min: IVec3::new(0, 0, -60), max: IVec3::new(1, 4, 0) }, "stone");
    for step in 0..20 {
        let at = IVec3::new(-12, 0, -20 + step % 3);
        world.fill(Box3::spanning(at, at), if step % 2 == 0 { "stone" } else { "air" });
        world.run(50);
    }
    assert_gathered(&world, to);
}

#[test]
fn called_herd_gathers_once_its_destination_is_free_again() {
    let mut world = herd();
    let to = IVec3::new(12, 0, -10);
    assert_eq!(world.creatures.call(&world.nav, 0, to), 12);
    world.fill(Box3::spanning(to, to), "stone");
    world.run(40);
    world.fill(Box3::spanning(to, to), "air");
    world.run(600);
    assert_gathered(&world, to);
}

#[test]
fn birds_land_and_fly() {
    let mut world = TestWorld::meadow();
    for x in 0..12 {
        world.place("sparrow", IVec3::new(x * 2 - 12, 0, 0));
    }
    let mut landed = 0;
    let mut flying = 0;
    for _ in 0..80 {
        world.run(10);
        for index in 0..12 {
            let is_low = world.at(index).y == 0;
            landed += usize::from(is_low && !world.creatures.motions[index].is_moving());
            flying += usize::from(!is_low);
        }
    }
    assert!(landed > 50 && flying > 100, "{landed} {flying}");
}

#[test]
fn what_is_not_loaded_is_frozen() {
    let mut world = TestWorld::meadow();
    for x in 0..10 {
        world.place("deer", IVec3::new(x * 3, 0, 5));
    }
    world.run(60);
    world.nav = Navigation::new(&world.materials);
    world.run(20);
    let before: Vec<IVec3> = (0..10).map(|index| world.at(index)).collect();
    world.run(200);
    assert!((0..10).all(
        |index| world.at(index) == before[index] && !world.creatures.motions[index].is_moving()
    ));
}

#[test]
fn creature_of_an_unloaded_chunk_stays_below_a_loaded_one() {
    let mut world = TestWorld::meadow();
    world.fill(Box3 { min: IVec3::new(4, -3, 4), max: IVec3::new(5, 0, 5) }, "air");
    let deer = world.place("deer", IVec3::new(4, -3, 4));
    world.nav.chunk_removed(ChunkPos::containing(world.at(deer)));
    world.nav.update();
    world.run(200);
    assert_eq!(world.at(deer), IVec3::new(4, -3, 4));
}

#[test]
fn creature_above_a_chunk_that_is_not_loaded_waits_for_its_ground() {
    let mut world = TestWorld::meadow();
    world.fill(Box3 { min: IVec3::new(0, -40, 0), max: IVec3::new(32, 0, 32) }, "air");
    let below = ChunkPos::new(0, -1, 0);
    let ground = world.world.remove(below).unwrap();
    world.nav.chunk_removed(below);
    world.nav.update();
    let deer = world.place("deer", IVec3::new(9, 0, 9));
    world.run(200);
    assert_eq!(world.at(deer), IVec3::new(9, 0, 9));
    world.nav.chunk_changed(below, &ground);
    world.world.insert(below, ground);
    world.nav.update();
    world.run(400);
    assert!(world.at(deer).y < 0, "{}", world.at(deer));
}

#[test]
fn creature_without_ground_falls_and_walled_in_one_rises() {
    let mut world = TestWorld::meadow();
    let deer = world.place("deer", IVec3::new(4, 0, 4));
    world.fill(Box3 { min: IVec3::new(4, -3, 4), max: IVec3::new(5, 0, 5) }, "air");
    world.run(60);
    assert_eq!(world.at(deer), IVec3::new(4, -3, 4), "a hole of three voxels");
    world.fill(Box3 { min: IVec3::new(4, -3, 4), max: IVec3::new(5, -1, 5) }, "stone");
    world.run(200);
    assert!(world.nav.is_place(world.at(deer)), "{}", world.at(deer));
}

/// A corridor along x from -4 to 4 with a closed door at each end.
fn corridor() -> TestWorld {
    let mut table = MaterialTable::builtin();
    let door = table.add(crate::voxel::Material::plain("door_oak", [90; 3])).unwrap();
    let mut world = TestWorld::meadow();
    world.creatures = crate::creatures::Creatures::new(
        crate::creatures::CreatureKinds::builtin(&table).unwrap(),
        1,
    );
    world.nav = Navigation::new(&table);
    world.fill(Box3 { min: IVec3::new(-5, 0, -5), max: IVec3::new(6, 3, 6) }, "stone");
    world.fill(Box3 { min: IVec3::new(-4, 0, 0), max: IVec3::new(5, 2, 1) }, "air");
    for x in [-5, 5] {
        world.world.fill(
            Box3 { min: IVec3::new(x, 0, 0), max: IVec3::new(x + 1, 2, 1) },
            Voxel::full(door),
        );
    }
    for (pos, chunk) in world.world.chunks() {
        world.nav.chunk_changed(pos, chunk);
    }
    world.nav.update();
    assert!(
        world.nav.can_reach(IVec3::ZERO, IVec3::new(20, 0, 0)),
        "bodies that open doors get out"
    );
    world
}

#[test]
fn closed_door_stops_creatures() {
    let mut world = corridor();
    let deer = world.place("deer", IVec3::ZERO);
    let wolf = world.place("wolf", IVec3::X * 2);
    world.place("deer", IVec3::X * 8);
    world.creatures.pin(&[CreatureId(2)], true);
    for _ in 0..100 {
        world.run(10);
        for at in [world.at(deer), world.at(wolf)] {
            assert!(at.x.abs() < 5 && at.z == 0, "{at}");
        }
    }
}

#[test]
fn creature_at_a_closed_door_takes_another_way() {
    let mut world = corridor();
    let deer = world.place("deer", IVec3::X * 4);
    world.creatures.scare(IVec3::ZERO, 5);
    let mut has_moved = false;
    for _ in 0..40 {
        world.run(1);
        has_moved |= world.at(deer) != IVec3::X * 4;
    }
    assert!(has_moved);
}

#[test]
fn creature_pinned_between_two_voxels_stays_and_frees_the_one_ahead() {
    let mut world = TestWorld::meadow();
    let deer = world.place("deer", IVec3::ZERO);
    while !world.creatures.motions[deer].is_moving() {
        world.run(1);
    }
    let motion = world.creatures.motions[deer];
    assert!(!world.creatures.is_free(motion.from) && !world.creatures.is_free(motion.to));
    assert_eq!(world.creatures.pin(&[CreatureId(0)], true), 1);
    assert!(world.creatures.is_free(motion.to) && !world.creatures.motions[deer].is_moving());
    world.run(200);
    assert_eq!(world.at(deer), motion.from);
    assert!(world.creatures.remove(CreatureId(0)) && world.creatures.is_free(motion.from));
}

#[test]
fn placed_creature_is_pinned_and_removed() {
    let mut world = TestWorld::meadow();
    let kind = world.creatures.kinds().find("deer").unwrap();
    let ids: Vec<CreatureId> =
        (0..3).map(|x| world.creatures.place(kind, IVec3::new(x * 5, 0, 0)).unwrap()).collect();
    assert_eq!(world.creatures.pin(&[ids[1], CreatureId(99)], true), 1);
    world.run(400);
    let poses: Vec<_> = world.creatures.poses(0.0).collect();
    assert!(poses[1].is_pinned && world.at(1) == IVec3::new(5, 0, 0) && world.at(0) != IVec3::ZERO);
    assert!(world.creatures.remove(ids[0]) && !world.creatures.remove(ids[0]));
    assert_eq!(
        world.creatures.remove_in(Box3::spanning(IVec3::new(5, 0, 0), IVec3::new(5, 0, 0))),
        1
    );
    assert_eq!(world.creatures.pin(&[ids[1]], false), 0);
    world.run(100);
    assert_eq!(world.creatures.poses(0.0).map(|pose| pose.id).collect::<Vec<_>>(), [ids[2]]);
    assert_eq!(world.creatures.place(99, IVec3::ZERO), None);
}

#[test]
fn legs_keep_pace_in_jumps_and_falls() {
    let mut world = TestWorld::meadow();
    // A trench to jump over, then a drop.
    world.fill(Box3 { min: IVec3::new(0, -8, -64), max: IVec3::new(1, 0, 64) }, "air");
    world.fill(Box3 { min: IVec3::new(6, -3, -64), max: IVec3::new(64, 0, 64) }, "air");
    let wolf = world.place("wolf", IVec3::new(-6, 0, 0));
    world.place("deer", IVec3::new(14, -3, 0));
    world.creatures.pin(&[CreatureId(1)], true);
    let walked = |world: &TestWorld, part| world.creatures.poses(part).next().unwrap().distance;
    let mut costs = FxHashSet::default();
    let mut last = walked(&world, 0.0);
    for _ in 0..120 {
        world.run(1);
        let now = walked(&world, 0.0);
        // A wolf runs 5.5 voxels per second.
        assert!((-0.01..0.29).contains(&(now - last)), "{last} to {now}");
        assert!((-0.01..0.29).contains(&(walked(&world, 1.0) - now)), "{now}");
        costs.insert(world.creatures.motions[wolf].cost);
        last = now;
    }
    assert!(costs.contains(&2) && costs.contains(&3), "{costs:?}");
}
