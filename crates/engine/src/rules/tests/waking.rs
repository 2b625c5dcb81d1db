//! Waking and sleeping: chunks that are loaded stay as they are.

use super::{air, commit, id, span};
use crate::rules::{OpenColumns, RuleSet, Rules};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;
use std::sync::Arc;

fn builtin() -> Rules {
    Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0)
}

fn run(world: &mut World, rules: &mut Rules, steps: u32) {
    for _ in 0..steps {
        rules.step(world);
        commit(world, rules.take_changes());
    }
}

/// One chunk with a floor and, in the air above it, pillars of materials that fall, flow, spread or
/// vanish.
fn unstable() -> World {
    let mut world = air([ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, 0, 0], [31, 0, 31]), Voxel::full(id("grass")));
    for (x, name) in [
        "sand",
        "gravel",
        "water",
        "lava",
        "oak_leaves",
        "oak_leaves_grown",
        "fire",
        "snow",
        "wheat_1",
        "oak_sapling",
    ]
    .into_iter()
    .enumerate()
    {
        let low = [3 * x as i32, 20, 4];
        world.fill(span(low, [low[0] + 1, 22, 20]), Voxel::full(id(name)));
    }
    world
}

fn is_same(a: &World, b: &World) -> bool {
    a.chunks().all(|(pos, chunk)| b.chunk(pos) == Some(chunk))
}

#[test]
fn loaded_chunk_stays_as_it_is_until_an_edit_wakes_it() {
    let before = unstable();
    let mut world = unstable();
    let mut rules = builtin();
    for (pos, _) in world.chunks() {
        rules.loaded(pos);
    }
    run(&mut world, &mut rules, 400);
    assert!(is_same(&world, &before) && rules.is_at_rest());
    assert_eq!(rules.awake_blocks(), []);
    // Control: voxels change once the whole chunk is woken.
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    run(&mut world, &mut rules, 40);
    assert!(!is_same(&world, &before));
}

#[test]
fn rules_are_quiet_until_something_but_a_loaded_chunk_is_reported() {
    let mut rules = builtin();
    rules.loaded(ChunkPos::new(0, 0, 0));
    assert!(rules.is_quiet() && !rules.is_at_rest());
    rules.wake_blocks(ChunkPos::new(0, 0, 0), 1);
    assert!(!rules.is_quiet(), "an edit does not wait");
}

#[test]
fn edit_wakes_what_is_around_it_and_the_rest_sleeps() {
    let mut world = air([ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, 0, 0], [31, 0, 31]), Voxel::full(id("stone")));
    let [near, far] = [IVec3::new(5, 10, 5), IVec3::new(5, 25, 25)];
    for at in [near, far] {
        world.set(at, Voxel::full(id("sand")));
    }
    let mut rules = builtin();
    for (pos, _) in world.chunks() {
        rules.loaded(pos);
    }
    let under = near - IVec3::Y;
    rules.wake(Box3 { min: under, max: under + 1 });
    run(&mut world, &mut rules, 200);
    assert_eq!([near, far].map(|at| world.get(at) == Voxel::full(id("sand"))), [false, true]);
    assert_eq!(world.get(IVec3::new(5, 1, 5)), Voxel::full(id("sand")));
}

#[test]
fn what_is_awake_goes_on_in_other_rules_as_it_would_have() {
    let mut world = unstable();
    let mut rules = builtin();
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    run(&mut world, &mut rules, 7);
    let mut continued =
        Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, rules.next_step());
    for (pos, blocks) in rules.awake_blocks() {
        continued.resume(pos, blocks);
    }
    let mut other = world.clone();
    run(&mut world, &mut rules, 100);
    run(&mut other, &mut continued, 100);
    assert!(is_same(&world, &other));
}

/// A floor of stone from one chunk into the next one along x.
fn two_chunks() -> World {
    let mut world = air([ChunkPos::new(0, 0, 0), ChunkPos::new(1, 0, 0)]);
    world.fill(span([0, 0, 0], [63, 0, 31]), Voxel::full(id("stone")));
    world.fill(span([0, 0, 0], [0, 9, 31]), Voxel::full(id("stone")));
    for z in [0, 31] {
        world.fill(span([0, 0, z], [63, 9, z]), Voxel::full(id("stone")));
    }
    world
}

/// True if water stands on the floor at `x` or further east.
fn beyond(world: &World, x: i32) -> bool {
    (x..64).any(|x| (1..30).any(|z| !world.get(IVec3::new(x, 1, z)).is_air()))
}

#[test]
fn flood_goes_on_when_the_chunk_next_to_it_is_loaded() {
    let whole = two_chunks();
    let next = ChunkPos::new(1, 0, 0);
    let mut world = whole.clone();
    world.remove(next);
    let water = span([1, 1, 1], [31, 6, 30]);
    world.fill(water, Voxel::full(id("water")));
    let mut rules = builtin();
    rules.loaded(ChunkPos::new(0, 0, 0));
    rules.wake(water);
    run(&mut world, &mut rules, 600);
    assert_eq!(rules.active_blocks(), [], "it has come to rest at the border");
    assert!(!rules.awake_blocks().is_empty());
    world.insert(next, whole.chunk(next).expect("made").clone());
    rules.loaded(next);
    run(&mut world, &mut rules, 200);
    assert!(beyond(&world, 40));
}

#[test]
fn closed_chunk_is_not_entered_until_it_opens() {
    let mut world = two_chunks();
    let water = span([1, 1, 1], [20, 6, 30]);
    world.fill(water, Voxel::full(id("water")));
    let mut rules = builtin();
    let mut open: OpenColumns = [ChunkPos::new(0, 0, 0)].into_iter().collect();
    rules.set_open(Some(Arc::new(open.clone())));
    for (pos, _) in world.chunks() {
        rules.loaded(pos);
    }
    rules.wake(water);
    run(&mut world, &mut rules, 400);
    assert!(!beyond(&world, 32));
    open.open(ChunkPos::new(1, 0, 0));
    rules.set_open(Some(Arc::new(open)));
    rules.loaded(ChunkPos::new(1, 0, 0));
    run(&mut world, &mut rules, 200);
    assert!(beyond(&world, 40));
}
