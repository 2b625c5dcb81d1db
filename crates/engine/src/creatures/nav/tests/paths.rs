//! Moves, paths and flow fields.

use super::worlds::RandomWorld;
use crate::creatures::nav::plain::{VoxelMoves, dijkstra};
use crate::creatures::nav::{FlowField, Navigation, PathFinder};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;
use std::collections::BTreeSet;

fn world(seed: u64) -> (RandomWorld, Vec<IVec3>) {
    let mut world = RandomWorld::new(seed, IVec3::new(2, 2, 2));
    let mut removed = Vec::new();
    for _ in 0..20 {
        world.edit(&mut removed);
    }
    let places = world.places();
    (world, places)
}

#[test]
fn moves_are_those_of_a_plain_reading() {
    for seed in 0..3 {
        let (world, places) = world(seed);
        let moves = VoxelMoves { world: &world.world, classes: &world.classes };
        let mut back: Vec<(IVec3, IVec3, u32)> = Vec::new();
        let mut forth = Vec::new();
        for &at in &places {
            let mut ours = BTreeSet::new();
            let mut theirs = BTreeSet::new();
            let key = world.nav.place_key(at).unwrap();
            world.nav.for_each_move(key, |code, to| {
                assert_eq!(at + code.offset(), world.nav.position(to));
                ours.insert((world.nav.position(to).to_array(), code.cost()));
            });
            moves.for_each_move(at, |to, cost| {
                theirs.insert((to.to_array(), cost));
            });
            assert_eq!(ours, theirs, "{at}");
            forth.extend(theirs.iter().map(|&(to, cost)| (at, IVec3::from_array(to), cost)));
            world.nav.for_each_move_to(key, |code, from| {
                assert_eq!(world.nav.position(from) + code.offset(), at);
                back.push((world.nav.position(from), at, code.cost()));
            });
        }
        for all in [&mut forth, &mut back] {
            all.sort_unstable_by_key(|(from, to, cost)| (from.to_array(), to.to_array(), *cost));
            all.dedup();
        }
        assert_eq!(forth, back);
    }
}

#[test]
fn path_is_at_most_a_twentieth_longer_than_the_shortest() {
    let mut finder = PathFinder::new();
    for seed in 0..3 {
        let (mut world, places) = world(seed);
        let moves = VoxelMoves { world: &world.world, classes: &world.classes };
        let mut found = 0;
        let mut none = 0;
        for number in 0..100 {
            let mut any =
                |of: &[IVec3]| of[((world.random.draw() >> 20) % of.len() as u64) as usize];
            let from = any(&places);
            let to = if number % 2 == 0 {
                any(&places)
            } else {
                any(&world.nav.reachable_places(from).collect::<Vec<_>>())
            };
            let path = finder.path(&world.nav, from, to, usize::MAX);
            let shortest = dijkstra(moves, from, to);
            assert_eq!(path.is_some(), shortest.is_some(), "{from} to {to}");
            let (Some(path), Some(shortest)) = (path, shortest) else {
                none += 1;
                continue;
            };
            found += 1;
            assert!(
                path.cost >= shortest && path.cost * 20 <= shortest * 21,
                "{} {shortest}",
                path.cost
            );
            assert_eq!((path.places.first(), path.places.last()), (Some(&from), Some(&to)));
            let mut sum = 0;
            for pair in path.places.windows(2) {
                let mut cost = None;
                moves.for_each_move(pair[0], |next, step| {
                    if next == pair[1] {
                        cost = Some(cost.map_or(step, |known: u32| known.min(step)));
                    }
                });
                sum += cost.unwrap_or_else(|| panic!("no move from {} to {}", pair[0], pair[1]));
            }
            assert_eq!(sum, path.cost);
        }
        assert!(found > 20 && none > 20, "{found} {none}");
        let far = places
            .iter()
            .copied()
            .filter(|&to| finder.path(&world.nav, places[0], to, 1).is_some());
        assert!(far.count() <= 30, "a search stops at its limit");
    }
}

/// Estimates that are all clamped would turn the search into a walk in any direction.
#[test]
fn path_to_a_distant_place_is_short_or_not_found() {
    let materials = MaterialTable::builtin();
    let mut floor = Chunk::uniform(Voxel::AIR);
    let stone = Voxel::full(materials.find("stone").unwrap());
    for index in 0..CHUNK_SIDE.pow(2) {
        // The lowest layer of the chunk.
        floor.set(linear_index(IVec3::new(index % CHUNK_SIDE, 0, index / CHUNK_SIDE)), stone);
    }
    let mut nav = Navigation::new(&materials);
    for x in 0..1570 {
        nav.chunk_changed(ChunkPos::new(x, 0, 0), &floor);
    }
    nav.update();
    let mut finder = PathFinder::new();
    let from = IVec3::new(2, 1, 16);
    let mut cost_to = |x: i32| {
        let path = finder.path(&nav, from, from + IVec3::X * x, usize::MAX);
        path.map(|path| path.cost)
    };
    assert_eq!([cost_to(49_000), cost_to(50_000)], [Some(49_000), Some(50_000)]);
    for x in [50_001, 50_200] {
        assert!(cost_to(x).is_none_or(|cost| cost * 20 <= x as u32 * 21), "{x}");
    }
}

#[test]
fn flow_field_leads_along_shortest_paths() {
    let (world, places) = world(5);
    let moves = VoxelMoves { world: &world.world, classes: &world.classes };
    for to in places.iter().copied().step_by(places.len() / 4) {
        let field = FlowField::new(&world.nav, to, u32::MAX);
        assert!(field.is_current(&world.nav) && field.destination() == to);
        let reaching = places.iter().filter(|&&from| world.nav.can_reach(from, to)).count();
        assert_eq!(field.places(), reaching);
        for from in places.iter().copied().step_by(places.len() / 20) {
            let mut at = from;
            let mut cost = 0;
            while let Some(next) = field.next(&world.nav, at) {
                let mut step = None;
                moves.for_each_move(at, |place, move_cost| {
                    step = if place == next { Some(move_cost) } else { step }
                });
                cost += step.expect("a move of the body");
                at = next;
            }
            match dijkstra(moves, from, to) {
                Some(shortest) => assert_eq!((at, cost), (to, shortest), "{from}"),
                None => assert_eq!((at, cost), (from, 0)),
            }
        }
        let near = FlowField::new(&world.nav, to, 3);
        assert!(near.places() < 60 && near.next(&world.nav, to).is_none());
    }
    let nowhere = FlowField::new(&world.nav, IVec3::splat(5_000), 9);
    assert_eq!((nowhere.places(), nowhere.next(&world.nav, places[0])), (0, None));
}
