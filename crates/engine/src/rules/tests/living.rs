//! The game's own rules in small worlds: fire, heat, crops, trees, leaves, grass.

use super::{air, commit, id, span};
use crate::rules::{RuleSet, Rules};
use crate::voxel::{Box3, Material, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;
use std::collections::{BTreeMap, BTreeSet};

/// A world of 2 x 2 x 2 chunks around the origin with a floor of a material up to y = -1.
fn floor(name: &str) -> World {
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    world.fill(span([-32, -32, -32], [31, -1, 31]), Voxel::full(id(name)));
    world
}

fn put(world: &mut World, at: [i32; 3], name: &str) {
    world.set(IVec3::from(at), Voxel::full(id(name)));
}

fn builtin(world: &World, seed: u64) -> Rules {
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), seed, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    rules
}

/// Steps until nothing is active, at most `max_steps` steps; panics if something is.
fn settle(world: &mut World, rules: &mut Rules, max_steps: usize) {
    for step in 0..max_steps {
        rules.step(world);
        if step % 16 == 15 || rules.is_at_rest() {
            commit(world, rules.take_changes());
        }
        if rules.is_at_rest() {
            return;
        }
    }
    panic!("{} chunks are still active", rules.active_chunks());
}

fn run(world: &mut World, rules: &mut Rules, steps: usize) {
    for _ in 0..steps {
        rules.step(world);
        commit(world, rules.take_changes());
    }
}

/// Number of voxels of each material by name, without air.
fn counts(world: &World) -> BTreeMap<String, u64> {
    let materials = MaterialTable::builtin();
    let mut counts = BTreeMap::new();
    for run in world.chunks().flat_map(|(_, chunk)| chunk.runs()).filter(|run| !run.voxel.is_air())
    {
        let name = materials.get(run.voxel.material()).expect("a builtin material").name.clone();
        *counts.entry(name).or_default() += u64::from(run.len);
    }
    counts
}

fn count(world: &World, name: &str) -> u64 {
    counts(world).get(name).copied().unwrap_or(0)
}

#[test]
fn fire_burns_states_of_what_burns() {
    let mut table = MaterialTable::builtin();
    let state = Material { name: "oak_planks[old=true]".to_owned(), ..Material::unknown("a") };
    let planks = table.add(state).unwrap();
    let mut world = floor("stone");
    world.fill(span([-2, 0, -2], [2, 3, 2]), Voxel::full(planks));
    put(&mut world, [0, 4, 0], "fire");
    let mut rules = Rules::new(RuleSet::builtin(&table).unwrap(), 5, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let before = super::total(&world, planks);
    run(&mut world, &mut rules, 400);
    assert!(super::total(&world, planks) < before, "nothing of {before} voxels burnt");
}

#[test]
fn fire_burns_down_a_house_and_dies() {
    let mut world = floor("stone");
    world.fill(span([-3, 0, -3], [4, 4, 4]), Voxel::full(id("oak_planks")));
    world.fill(span([-2, 0, -2], [3, 3, 3]), Voxel::AIR);
    world.fill(span([10, 0, 10], [12, 3, 12]), Voxel::full(id("bricks")));
    put(&mut world, [0, 0, 0], "fire");
    put(&mut world, [-2, 0, -2], "fire");
    let mut rules = builtin(&world, 3);
    settle(&mut world, &mut rules, 4000);
    let left = counts(&world);
    assert_eq!(left.get("fire"), None);
    assert_eq!(left.get("bricks"), Some(&36));
    let planks = left.get("oak_planks").copied().unwrap_or(0);
    assert!(planks < 40 && left.contains_key("ash"), "{left:?}");
}

#[test]
fn fire_without_fuel_dies_and_water_puts_it_out() {
    let mut world = floor("stone");
    world.fill(span([-8, 0, -8], [8, 0, 8]), Voxel::full(id("fire")));
    let mut rules = builtin(&world, 1);
    settle(&mut world, &mut rules, 2000);
    assert_eq!(count(&world, "fire"), 0);
    let mut world = floor("oak_planks");
    put(&mut world, [0, 0, 0], "fire");
    world.fill(span([-1, 0, -1], [1, 0, 1]), Voxel::full(id("water")));
    put(&mut world, [0, 0, 0], "fire");
    let before = count(&world, "oak_planks");
    let mut rules = builtin(&world, 1);
    run(&mut world, &mut rules, 2);
    assert_eq!((count(&world, "fire"), count(&world, "oak_planks")), (0, before));
}

#[test]
fn heat_melts_snow_and_ice() {
    let mut world = floor("stone");
    put(&mut world, [0, 0, 0], "torch");
    put(&mut world, [1, 0, 0], "snow");
    put(&mut world, [-1, 0, 0], "ice");
    put(&mut world, [9, 0, 9], "snow");
    let mut rules = builtin(&world, 1);
    settle(&mut world, &mut rules, 4000);
    assert_eq!((count(&world, "snow"), count(&world, "ice")), (1, 0));
    assert_eq!(count(&world, "torch"), 1);
}

#[test]
fn wheat_ripens_on_farmland_and_faster_by_water() {
    let mut world = floor("stone");
    for z in 0..20 {
        put(&mut world, [0, -1, z], "farmland");
        put(&mut world, [0, 0, z], "wheat_1");
        put(&mut world, [8, -1, z], "farmland");
        put(&mut world, [8, 0, z], "wheat_1");
        put(&mut world, [9, -1, z], "water");
    }
    put(&mut world, [-9, 0, 0], "wheat_1");
    let mut rules = builtin(&world, 1);
    run(&mut world, &mut rules, 20 * 40);
    assert_eq!(world.get(IVec3::new(-9, 0, 0)), Voxel::AIR, "there is no farmland");
    let grown = |world: &World, x: i32| {
        let stage = |z: i32| {
            (1..=4).find(|n| world.get(IVec3::new(x, 0, z)).material() == id(&format!("wheat_{n}")))
        };
        (0..20).map(|z| stage(z).expect("wheat")).sum::<i32>()
    };
    let [dry, wet] = [0, 8].map(|x| grown(&world, x));
    assert!(wet > dry + 10, "{wet} {dry}");
    settle(&mut world, &mut rules, 40_000);
    assert_eq!(count(&world, "wheat_4"), 40);
}

#[test]
fn saplings_grow_into_trees_of_their_kind() {
    // Kind, place, minimum number of leaves.
    let saplings = [
        ("oak", [-16, -16], 30),
        ("birch", [16, -16], 30),
        ("pine", [-16, 16], 20),
        ("palm", [16, 16], 10),
    ];
    let mut trunks = BTreeSet::new();
    for seed in 0..2 {
        let mut world = floor("dirt");
        for (kind, [x, z], _) in saplings {
            put(&mut world, [x, 0, z], &format!("{kind}_sapling"));
        }
        let mut rules = builtin(&world, seed);
        settle(&mut world, &mut rules, 20_000);
        let mut found = counts(&world);
        found.remove("dirt");
        for (kind, [x, z], least) in saplings {
            let [log, leaves] = ["log", "leaves_grown"].map(|part| format!("{kind}_{part}"));
            let [wood, leaves] = [&log, &leaves].map(|name| found.remove(name).unwrap_or(0));
            assert!((4..=6).contains(&wood), "{kind} {seed}: {wood} logs");
            assert!((least..=90).contains(&leaves), "{kind} {seed}: {leaves} leaves");
            let is_log = |y: i32| world.get(IVec3::new(x, y, z)).material() == id(&log);
            assert!((0..wood as i32).all(is_log), "{kind} {seed}: the trunk is straight");
            trunks.insert(wood);
        }
        assert!(found.is_empty(), "{seed}: {found:?}");
    }
    assert!(trunks.len() > 1, "{trunks:?}");
}

#[test]
fn saplings_need_soil_and_room() {
    let mut world = floor("stone");
    put(&mut world, [0, 0, 0], "oak_sapling");
    put(&mut world, [5, -1, 5], "dirt");
    put(&mut world, [5, 0, 5], "oak_sapling");
    put(&mut world, [5, 1, 5], "stone");
    let mut rules = builtin(&world, 1);
    settle(&mut world, &mut rules, 2000);
    assert_eq!(world.get(IVec3::ZERO), Voxel::AIR);
    assert_eq!(count(&world, "oak_sapling"), 1, "a sapling under stone waits");
}

#[test]
fn grown_crown_without_a_trunk_decays_and_placed_leaves_stay() {
    let mut world = floor("stone");
    for x in [0, 20] {
        world.fill(span([x - 2, 3, -2], [x + 2, 7, 2]), Voxel::full(id("oak_leaves_grown")));
        world.fill(span([x, 0, 0], [x, 5, 0]), Voxel::full(id("oak_log")));
    }
    world.fill(span([-20, 0, -20], [-12, 2, -20]), Voxel::full(id("birch_leaves_grown")));
    // In the air, without any hold.
    world.fill(span([-9, 20, 0], [9, 28, 8]), Voxel::full(id("oak_leaves")));
    let placed = count(&world, "oak_leaves");
    let mut rules = builtin(&world, 1);
    settle(&mut world, &mut rules, 200);
    let whole = count(&world, "oak_leaves_grown");
    assert_eq!(whole, 2 * (125 - 3), "nothing decays on a trunk");
    let trunk = span([0, 0, 0], [0, 5, 0]);
    world.fill(trunk, Voxel::AIR);
    rules.wake(trunk);
    settle(&mut world, &mut rules, 4000);
    assert_eq!(count(&world, "oak_leaves_grown"), whole / 2, "one crown is gone");
    assert_eq!(count(&world, "birch_leaves_grown"), 27);
    assert_eq!(count(&world, "oak_leaves"), placed, "placed leaves need no hold");
}

#[test]
fn grass_spreads_over_open_ground_and_not_under_a_roof() {
    let mut world = floor("stone");
    world.fill(span([-5, -1, -2], [7, -1, 2]), Voxel::full(id("dirt")));
    put(&mut world, [-1, -1, 0], "grass");
    let roof = span([3, 9, -5], [9, 9, 5]);
    world.fill(roof, Voxel::full(id("stone")));
    let mut rules = builtin(&world, 1);
    settle(&mut world, &mut rules, 40_000);
    let grass = |world: &World, x: i32| {
        (-2..=2).filter(|&z| world.get(IVec3::new(x, -1, z)).material() == id("grass")).count()
    };
    assert!((-5..3).all(|x| grass(&world, x) == 5) && (3..=7).all(|x| grass(&world, x) == 0));
    // Without the roof, grass spreads to the rest of the ground.
    world.fill(roof, Voxel::AIR);
    rules.wake(roof);
    settle(&mut world, &mut rules, 40_000);
    assert_eq!(grass(&world, 7), 5);
}

#[test]
fn halves_of_a_door_burn_one_after_the_other() {
    let is_door = |world: &World, at: IVec3| {
        ["door", "door_open"].iter().any(|name| world.get(at).material() == id(name))
    };
    // y of the lower half, inside a chunk and below the border of two, and the half next to the
    // fire.
    for (y, fire) in [(0, 0), (0, 1), (-1, 0), (-1, 1)] {
        let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
        let lowers: Vec<IVec3> =
            (-3..3).flat_map(|x| (-3..3).map(move |z| IVec3::new(6 * x, y, 6 * z))).collect();
        for (number, &lower) in lowers.iter().enumerate() {
            let state = if number % 2 == 0 { "door" } else { "door_open" };
            world.fill(Box3::spanning(lower, lower + IVec3::Y), Voxel::full(id(state)));
            world.set(lower + IVec3::new(1, fire, 0), Voxel::full(id("fire")));
        }
        // A single half stays where nothing burns.
        let torn = IVec3::new(30, y, 30);
        world.set(torn, Voxel::full(id("door")));
        let mut rules = builtin(&world, 5);
        let mut halves = vec![2; lowers.len()];
        for step in 0..600 {
            run(&mut world, &mut rules, 1);
            for (&lower, before) in lowers.iter().zip(&mut halves) {
                let left = usize::from(is_door(&world, lower))
                    + usize::from(is_door(&world, lower + IVec3::Y));
                assert!(*before == 2 || left == 0, "step {step}: half a door stands at {lower}");
                *before = left;
            }
        }
        let burnt = halves.iter().filter(|&&left| left == 0).count();
        assert!(burnt > 5 && halves.iter().all(|&left| left != 1), "{burnt} doors burnt");
        assert!(is_door(&world, torn));
    }
}
