//! Lakes, caves, rest, and the edge of the loaded world.

use super::{air, commit, id, span, total};
use crate::rules::{RuleSet, Rules, StepCounts};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;

const WATER: &str = r##"[
    Liquid(material: "water", least_depth: 16),
    Change(name: "dry", of: ["water"], when: [Amount(at_most: 16), NotBelow(["water"])], chance: (1, 64), becomes: "air"),
    Powder(materials: ["sand"]),
]"##;

fn rules(world: &World) -> Rules {
    rules_of(WATER, world)
}

fn rules_of(text: &str, world: &World) -> Rules {
    let mut rules =
        Rules::new(RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap(), 7, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    rules
}

/// Steps until nothing is active. Returns the amount that rule 1 has removed.
fn settle(rules: &mut Rules, world: &mut World) -> u64 {
    let mut dried = 0;
    for _ in 0..4000 {
        let counts = rules.step(world);
        dried += counts
            .rules
            .iter()
            .filter(|count| count.rule == 1)
            .map(|count| count.amount)
            .sum::<u64>();
        commit(world, rules.take_changes());
        if rules.is_at_rest() {
            return dried;
        }
    }
    panic!("{} chunks are still active", rules.active_chunks());
}

/// Stone with a lake of 12 x 5 x 10 voxels in it, above a cave, across chunk borders.
fn lake_above_a_cave() -> World {
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    world.fill(span([-32, -32, -32], [31, 7, 31]), Voxel::full(id("stone")));
    world.fill(span([-6, 3, -5], [5, 7, 4]), Voxel::full(id("water")));
    world.fill(span([-8, -12, -8], [8, -5, 8]), Voxel::AIR);
    world
}

#[test]
fn lake_at_rest_costs_nothing() {
    let mut world = lake_above_a_cave();
    let before = world.clone();
    let mut rules = rules(&world);
    settle(&mut rules, &mut world);
    assert!(
        world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)),
        "nothing has moved"
    );
    assert_eq!((rules.active_chunks(), rules.active_blocks().len()), (0, 0));
    assert_eq!(rules.step(&world), StepCounts::default());
    assert!(rules.is_at_rest());
}

#[test]
fn lake_drains_into_a_cave() {
    let mut world = lake_above_a_cave();
    let water = id("water");
    let before = total(&world, water);
    let mut rules = rules(&world);
    settle(&mut rules, &mut world);
    // A shaft from the bed of the lake to the cave.
    let shaft = span([0, -5, 0], [0, 2, 0]);
    world.fill(shaft, Voxel::AIR);
    rules.wake(shaft);
    let dried = settle(&mut rules, &mut world);
    let bed = span([-6, 3, -5], [5, 7, 4]);
    let mut basin = world.clone();
    basin.fill(Box3 { min: bed.min - IVec3::Y * 7, max: bed.max }, Voxel::AIR);
    assert_eq!(total(&basin, water), total(&world, water), "the lake and the shaft are empty");
    assert_eq!(total(&world, water) + dried, before, "no water is lost");
    assert!(dried * 20 < before, "{dried} of {before} have dried up");
    assert_eq!(rules.step(&world), StepCounts::default());
}

#[test]
fn levels_even_out() {
    let mut world = air([ChunkPos::default()]);
    world.fill(span([0, 0, 0], [31, 3, 31]), Voxel::full(id("stone")));
    world.fill(span([2, 1, 2], [25, 3, 3]), Voxel::AIR);
    world.fill(span([2, 1, 2], [5, 3, 3]), Voxel::full(id("water")));
    let before = total(&world, id("water"));
    let mut rules = rules_of(r#"[Liquid(material: "water")]"#, &world);
    settle(&mut rules, &mut world);
    assert_eq!(total(&world, id("water")), before);
    // Water three voxels deep on 4 of 24 columns spreads to half a voxel. Neighbours may still
    // differ by one 256th, so the ends may differ by 24.
    for x in 2..26 {
        let voxel = world.get(IVec3::new(x, 1, 2));
        assert!(
            voxel.material() == id("water") && voxel.occupancy().abs_diff(127) <= 24,
            "{x}: {voxel:?}"
        );
    }
}

#[test]
fn rules_stop_at_the_edge_of_the_loaded_world_and_go_on_when_it_grows() {
    let mut world = air([ChunkPos::default()]);
    world.fill(span([20, 1, 10], [31, 1, 12]), Voxel::full(id("stone")));
    world.fill(span([29, 2, 11], [31, 2, 11]), Voxel::full(id("water")));
    world.fill(span([16, 3, 16], [16, 5, 16]), Voxel::full(id("sand")));
    let mut rules = rules(&world);
    settle(&mut rules, &mut world);
    // Sand lies on the lowest layer of the chunk; the chunk below is not loaded.
    assert_eq!(world.get(IVec3::new(16, 0, 16)), Voxel::full(id("sand")));
    let sand = total(&world, id("sand"));
    let next = [ChunkPos::new(0, -1, 0), ChunkPos::new(1, 0, 0), ChunkPos::new(1, -1, 0)];
    for pos in next {
        world.insert(pos, crate::world::Chunk::uniform(Voxel::AIR));
        rules.wake_chunk(pos);
    }
    assert!(!rules.is_at_rest());
    settle(&mut rules, &mut world);
    assert_eq!(total(&world, id("sand")), sand);
    let fallen = (0..32).flat_map(|x| (0..32).map(move |z| IVec3::new(x, -32, z)));
    assert_eq!(
        fallen.filter(|&at| world.get(at) == Voxel::full(id("sand"))).count(),
        3,
        "all sand has fallen"
    );
    // Unloaded chunks are forgotten.
    for pos in next {
        drop(world.remove(pos));
    }
    rules.step(&world);
    assert!(rules.is_at_rest());
}

#[test]
fn edit_of_a_chunk_at_work_wins_and_wakes() {
    let mut world = air(span([0, 0, 0], [31, 63, 31]).chunks());
    world.fill(span([0, 0, 0], [31, 1, 31]), Voxel::full(id("stone")));
    let column = span([5, 40, 5], [5, 50, 5]);
    world.fill(column, Voxel::full(id("sand")));
    let mut rules = rules(&world);
    for _ in 0..3 {
        rules.step(&world);
        commit(&mut world, rules.take_changes());
    }
    let fused = rules.count_fused_runs(&world);
    assert_eq!(fused.voxels, 256 * rules.active_blocks().len() as u64);
    assert!((1..fused.voxels / 8).contains(&fused.runs), "{fused:?}");
    // Not reported: the chunk is active. Sand in the air falls, though nothing moved there.
    world.set(IVec3::new(20, 60, 20), Voxel::full(id("sand")));
    settle(&mut rules, &mut world);
    assert_eq!(total(&world, id("sand")), 12 * 256);
    assert_eq!(world.get(IVec3::new(20, 2, 20)), Voxel::full(id("sand")));
    // Changes that the caller does not put into the world are dropped.
    world.set(IVec3::new(9, 9, 9), Voxel::full(id("sand")));
    rules.wake(span([9, 9, 9], [9, 9, 9]));
    rules.step(&world);
    drop(rules.take_changes());
    rules.step(&world);
    commit(&mut world, rules.take_changes());
    assert_eq!(total(&world, id("sand")), 13 * 256);
    settle(&mut rules, &mut world);
    assert_eq!(world.get(IVec3::new(9, 2, 9)), Voxel::full(id("sand")));
}

#[test]
fn sand_sinks_into_a_partly_filled_voxel_of_the_chunk_below() {
    let mut world = air([ChunkPos::new(0, 0, 0), ChunkPos::new(0, -1, 0)]);
    world.fill(span([0, -32, 0], [31, -1, 31]), Voxel::full(id("stone")));
    let at = IVec3::new(5, -1, 5);
    world.set(at, Voxel::new(id("water"), 90));
    world.set(at + IVec3::Y, Voxel::full(id("sand")));
    let mut rules = rules(&world);
    rules.step(&world);
    commit(&mut world, rules.take_changes());
    assert_eq!(world.get(at), Voxel::full(id("sand")));
    assert_eq!([total(&world, id("water")), total(&world, id("sand"))], [91, 256]);
}
