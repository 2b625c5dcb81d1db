//! Cellular automata as rules, compared with plain implementations: 3D life and falling dust.

use super::{air, commit, id, span, total};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::voxel::{CHUNK_VOLUME, MaterialTable, Voxel, linear_offset, neighbour_offsets};
use crate::world::World;
use glam::IVec3;
use std::collections::BTreeSet;

fn rules(world: &World) -> Rules {
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    rules
}

/// Cells as coordinates.
type Cells = BTreeSet<[i32; 3]>;

/// The next generation of the 3D life rule 4555.
fn next(cells: &Cells) -> Cells {
    let around =
        |at: [i32; 3]| neighbour_offsets().map(move |by| (IVec3::from(at) + by).to_array());
    let candidates: Cells = cells.iter().flat_map(|&at| around(at)).collect();
    let lives = |&at: &[i32; 3]| {
        let count = around(at).filter(|other| *other != at && cells.contains(other)).count();
        if cells.contains(&at) { (4..=5).contains(&count) } else { count == 5 }
    };
    candidates.into_iter().filter(lives).collect()
}

fn cells(world: &World) -> Cells {
    let area = span([-31, -31, -31], [30, 30, 30]);
    let at = |x, y, z| IVec3::new(x, y, z);
    let all = (area.min.y..area.max.y).flat_map(|y| {
        (area.min.z..area.max.z)
            .flat_map(move |z| (area.min.x..area.max.x).map(move |x| at(x, y, z)))
    });
    all.filter(|&at| world.get(at).material() == id("life")).map(|at| at.to_array()).collect()
}

/// Pattern that repeats after four generations.
const OSCILLATOR: [[i32; 3]; 10] = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 2, 0],
    [0, 2, 1],
    [1, 0, 0],
    [1, 0, 1],
    [1, 2, 0],
    [1, 2, 1],
    [2, 1, 0],
    [2, 1, 1],
];

#[test]
fn life_follows_its_rule() {
    let mut random = Random::new(4);
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    let mut part = || random.below(9) as i32 - 4;
    let mut expected: Cells = (0..160).map(|_| [part(), part(), part()]).collect();
    // Lies across a chunk border, too far from the other cells to meet them.
    let oscillator: Cells = OSCILLATOR.map(|[x, y, z]| [x + 20, y - 1, z - 1]).into();
    expected.extend(&oscillator);
    for &at in &expected {
        world.set(IVec3::from(at), Voxel::full(id("life")));
    }
    let mut rules = rules(&world);
    for generation in 0..10 {
        expected = next(&expected);
        // The rules act in one of five steps.
        for _ in 0..5 {
            drop(rules.step(&world));
        }
        commit(&mut world, rules.take_changes());
        assert!(cells(&world) == expected, "generation {generation}");
        assert_eq!(
            expected.is_superset(&oscillator),
            generation % 4 == 3,
            "generation {generation}"
        );
        assert!(!expected.is_empty());
    }
}

/// Sum of y of all dust, which lies at y >= 0.
fn heights(world: &World) -> u64 {
    let all = span([-32, 0, -32], [31, 31, 31]);
    let at = all
        .chunks()
        .flat_map(|pos| (0..CHUNK_VOLUME).map(move |index| pos.origin() + linear_offset(index)));
    at.filter(|&at| world.get(at).material() == id("dust")).map(|at| at.y as u64).sum()
}

#[test]
fn dust_falls_slides_and_comes_to_rest() {
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    world.fill(span([-32, -32, -32], [31, -1, 31]), Voxel::full(id("stone")));
    world.fill(span([0, 5, 0], [0, 24, 0]), Voxel::full(id("dust")));
    let before = total(&world, id("dust"));
    let heights_before = heights(&world);
    let mut rules = rules(&world);
    let mut pairs = 0;
    for _ in 0..2000 {
        pairs += rules.step(&world).rules.iter().map(|count| count.voxels).sum::<u64>();
        if rules.is_at_rest() {
            break;
        }
    }
    assert!(rules.is_at_rest());
    commit(&mut world, rules.take_changes());
    assert_eq!(total(&world, id("dust")), before);
    // Each pair moves one voxel of dust one layer down.
    assert_eq!(pairs, heights_before - heights(&world));
    let height =
        (0..32).rev().find(|&y| !world.get(IVec3::new(0, y, 0)).is_air()).map_or(0, |y| y + 1);
    assert!((2..=4).contains(&height), "a heap {height} high");
}
