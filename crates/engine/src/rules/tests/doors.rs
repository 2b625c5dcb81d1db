//! Doors in circuits: a signal at one half moves both.

use super::signals::{expected, full, is, put, rules, settle, wire};
use super::{air, commit, span};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::voxel::{ChunkPos, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;

/// Loaded chunks around the origin, all air.
fn empty() -> World {
    air(span([-32, -64, -32], [31, 63, 31]).chunks())
}

/// For each half of a stack of doors, from the lowest up: true if it is open or gone.
fn open(world: &World, lower: IVec3, halves: usize) -> Vec<bool> {
    let at = |n: usize| lower + IVec3::Y * n as i32;
    (0..halves).map(|n| is(world, at(n), "door_open") || !is(world, at(n), "door")).collect()
}

fn stack(world: &mut World, lower: IVec3, halves: i32) {
    for y in 0..halves {
        world.set(lower + IVec3::Y * y, full("door"));
    }
}

fn is_same(a: &World, b: &World) -> bool {
    a.chunks().all(|(pos, chunk)| b.chunk(pos) == Some(chunk))
}

#[test]
fn signal_at_either_half_opens_and_closes_both() {
    // Both halves inside a chunk, at its upper end, and in two chunks.
    for y in [5, 30, 31, -1, -2, -32] {
        let lower = IVec3::new(3, y, 7);
        for by in
            [[0, -1, 0], [1, 0, 0], [0, 0, -1], [1, 1, 0], [0, 1, 1], [0, 2, 0]].map(IVec3::from)
        {
            let mut world = empty();
            stack(&mut world, lower, 2);
            // The lever stands at the door, or at the end of a wire.
            for is_wired in [false, true] {
                let mut rules = rules(&world, false);
                let mut lever = lower + by;
                if is_wired {
                    put(&mut world, &mut rules, lever, wire());
                    lever += if by.x == 0 && by.z == 0 {
                        IVec3::Y * by.y.signum()
                    } else {
                        by.with_y(0)
                    };
                }
                put(&mut world, &mut rules, lever, full("lever"));
                settle(&mut world, &mut rules);
                let before = world.clone();
                assert_eq!(open(&world, lower, 2), [false, false], "{y} {by}");
                put(&mut world, &mut rules, lever, full("lever_on"));
                settle(&mut world, &mut rules);
                assert_eq!(open(&world, lower, 2), [true, true], "{y} {by} {is_wired}");
                put(&mut world, &mut rules, lever, full("lever"));
                settle(&mut world, &mut rules);
                assert!(is_same(&world, &before), "{y} {by} {is_wired}");
            }
        }
    }
}

#[test]
fn door_closes_when_neither_half_is_powered() {
    let mut world = empty();
    let lower = IVec3::new(0, -1, 0);
    stack(&mut world, lower, 2);
    let levers = [lower + IVec3::X, lower + IVec3::Y + IVec3::Z];
    let mut rules = rules(&world, false);
    for states in [[true, true], [false, true], [false, false], [true, false], [false, false]] {
        for (at, is_on) in levers.into_iter().zip(states) {
            put(&mut world, &mut rules, at, full(if is_on { "lever_on" } else { "lever" }));
        }
        settle(&mut world, &mut rules);
        assert_eq!(open(&world, lower, 2), [states.contains(&true); 2], "{states:?}");
    }
}

#[test]
fn stacked_doors_open_apart_and_single_halves_alone() {
    let lower = IVec3::new(0, -3, 0);
    for (halves, powered, opened) in [
        (4, 1, &[0, 1][..]),
        (4, 2, &[2, 3]),
        (3, 0, &[0, 1]),
        (3, 2, &[2]),
        (1, 0, &[0]),
        (20, 15, &[14, 15]),
        // Beyond the highest pair.
        (20, 16, &[16]),
        (20, 17, &[17]),
    ] {
        let mut world = empty();
        stack(&mut world, lower, halves);
        let mut rules = rules(&world, false);
        settle(&mut world, &mut rules);
        put(&mut world, &mut rules, lower + IVec3::new(1, powered, 0), full("lever_on"));
        settle(&mut world, &mut rules);
        let found = open(&world, lower, halves as usize);
        let wanted: Vec<bool> = (0..halves).map(|n| opened.contains(&n)).collect();
        assert_eq!(found, wanted, "{halves} {powered}");
    }
}

#[test]
fn removed_foot_of_a_stack_pairs_the_halves_again() {
    let mut world = empty();
    let lower = IVec3::new(0, -5, 0);
    stack(&mut world, lower, 12);
    let mut rules = rules(&world, false);
    put(&mut world, &mut rules, lower + IVec3::new(1, 10, 0), full("lever_on"));
    settle(&mut world, &mut rules);
    assert_eq!(open(&world, lower, 12)[9..], [false, true, true]);
    put(&mut world, &mut rules, lower, Voxel::AIR);
    settle(&mut world, &mut rules);
    // The highest half is single, and stays as it is.
    assert_eq!(open(&world, lower, 12)[8..], [false, true, true, true]);
}

#[test]
fn door_waits_for_the_chunks_that_decide_about_its_halves() {
    // y of the lowest half, number of halves, half next to the lever, and y of the missing chunk:
    // above the upper half or below the foot of the stack.
    for (y, halves, powered, missing) in
        [(30, 2, 0, 1), (31, 2, 0, 1), (0, 2, 1, -1), (0, 12, 9, -1)]
    {
        let lower = IVec3::new(4, y, 4);
        let mut world =
            air((-1..=2).flat_map(|y| span([-32, y * 32, -32], [31, y * 32, 31]).chunks()));
        stack(&mut world, lower, halves);
        let whole = world.clone();
        let is_missing = |pos: &ChunkPos| pos.origin().y == missing * 32;
        let absent: Vec<ChunkPos> = whole.chunks().map(|(pos, _)| pos).filter(is_missing).collect();
        for &pos in &absent {
            world.remove(pos);
        }
        let mut rules = rules(&world, false);
        settle(&mut world, &mut rules);
        put(&mut world, &mut rules, lower + IVec3::new(1, powered, 0), full("lever_on"));
        settle(&mut world, &mut rules);
        let loaded = halves.min(32 - y);
        assert!(
            !open(&world, lower, loaded as usize).contains(&true),
            "{y} {halves}: half a door is open"
        );
        for &pos in &absent {
            world.insert(pos, whole.chunk(pos).expect("made").clone());
            rules.loaded(pos);
        }
        settle(&mut world, &mut rules);
        let wanted: Vec<bool> = (0..halves).map(|n| n / 2 == powered / 2).collect();
        assert_eq!(open(&world, lower, halves as usize), wanted, "{y} {halves}");
    }
}

/// Columns of doors with wires and levers between them, over a border of chunks.
fn random_columns(random: &mut Random) -> (World, Vec<IVec3>) {
    let mut world = empty();
    let doors = ["door", "door", "door", "door", "door", "door_open", "door_open", "air", "wire"];
    let others = [
        "wire",
        "wire",
        "wire",
        "air",
        "air",
        "air",
        "lever",
        "lever_on",
        "inverter",
        "signal_lamp",
    ];
    let mut voxels = Vec::new();
    for y in -12..14 {
        for (x, z) in (-3..=3).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
            let names = if (x + z) % 2 == 0 { &doors[..] } else { &others[..] };
            let at = IVec3::new(x, y, z);
            voxels.push(at);
            world.set(at, state(names[random.index(names.len())]));
        }
    }
    // A stack with more halves than are paired.
    stack(&mut world, IVec3::new(1, -12, 1), 26);
    (world, voxels)
}

fn state(name: &str) -> Voxel {
    match name {
        "air" => Voxel::AIR,
        "wire" => wire(),
        name => full(name),
    }
}

#[test]
fn random_doors_equal_a_scan_over_every_voxel_in_any_order() {
    let mut worlds = Vec::new();
    for (threads, reverse) in [(1, false), (1, true), (2, false)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut random = Random::new(11);
        let (mut world, voxels) = random_columns(&mut random);
        let mut rules = rules(&world, reverse);
        let mut moved = 0;
        for step in 0..120 {
            let wanted: Vec<Voxel> = voxels.iter().map(|&at| expected(&world, at)).collect();
            let before = world.clone();
            pool.install(|| rules.step(&world));
            commit(&mut world, rules.take_changes());
            for (&at, wanted) in voxels.iter().zip(wanted) {
                assert_eq!(world.get(at), wanted, "step {step}, {at}");
                moved += usize::from(before.get(at) != wanted && is(&before, at, "door"));
            }
            if step % 3 == 2 {
                let at = voxels[random.index(voxels.len())];
                let names = ["lever_on", "lever", "lever_on", "door", "air", "wire"];
                put(&mut world, &mut rules, at, state(names[random.index(names.len())]));
            }
        }
        assert!(moved > 100, "{moved} halves opened");
        worlds.push(world);
    }
    assert!(worlds[1..].iter().all(|world| is_same(world, &worlds[0])));
}

#[test]
fn what_is_awake_opens_both_halves_after_a_restart() {
    for stopped in 1..14 {
        let mut world = empty();
        let lower = IVec3::new(0, -1, 0);
        stack(&mut world, lower, 2);
        for x in 1..10 {
            world.set(lower + IVec3::new(x, 1, 0), wire());
        }
        let mut rules = rules(&world, false);
        settle(&mut world, &mut rules);
        put(&mut world, &mut rules, lower + IVec3::new(10, 1, 0), full("lever_on"));
        for _ in 0..stopped {
            rules.step(&world);
            commit(&mut world, rules.take_changes());
        }
        let builtin = RuleSet::builtin(&MaterialTable::builtin()).unwrap();
        let mut continued = Rules::new(builtin, 1, rules.next_step());
        for (pos, blocks) in rules.awake_blocks() {
            continued.resume(pos, blocks);
        }
        let mut other = world.clone();
        for _ in 0..30 {
            for (world, rules) in [(&mut world, &mut rules), (&mut other, &mut continued)] {
                rules.step(world);
                commit(world, rules.take_changes());
            }
            assert!(is_same(&world, &other), "{stopped}");
        }
        assert_eq!(open(&world, lower, 2), [true, true], "{stopped}");
    }
}
