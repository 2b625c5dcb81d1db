//! A closed box of dry and wet sand, gravel, water and lava that is turned upside down again and
//! again.

use super::{commit, id, total};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::runs::RunTree;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};

const RULES: &str = r#"[
    Powder(materials: ["sand", "gravel"]),
    Liquid(material: "water"),
    Liquid(material: "lava", every: 2),
]"#;
/// Steps from one turn to the next.
const TURN_EVERY: u64 = 128;
const MATTER: [&str; 4] = ["sand", "gravel", "water", "lava"];
const MIDDLE: ChunkPos = ChunkPos { x: 0, y: 0, z: 0 };

/// A chunk of mixed matter within stone.
fn world() -> World {
    let mut random = Random::new(5);
    let mut voxels = Box::new([Voxel::AIR; CHUNK_VOLUME]);
    for voxel in voxels.iter_mut() {
        match random.index(9) {
            kind @ 0..2 => *voxel = Voxel::full(id(MATTER[kind])),
            kind @ 2..4 => *voxel = Voxel::new(id(MATTER[kind]), random.below(256) as u8),
            4 => {
                let sand = Voxel::new(id(MATTER[0]), random.below(256) as u8);
                *voxel = sand.with_liquid(random.below(256) as u8);
            }
            _ => {}
        }
    }
    let mut world = World::new();
    for pos in MIDDLE.moore_neighbourhood() {
        world.insert(pos, Chunk::uniform(Voxel::full(id("stone"))));
    }
    world.insert(MIDDLE, RunTree::from_voxels(&voxels));
    world
}

fn turn_upside_down(world: &mut World) {
    let mut voxels = Box::new([Voxel::AIR; CHUNK_VOLUME]);
    let chunk = world.chunk(MIDDLE).unwrap();
    for run in chunk.runs() {
        for index in run.start as usize..(run.start + run.len) as usize {
            voxels[(31 - index / 1024) * 1024 + index % 1024] = run.voxel;
        }
    }
    world.insert(MIDDLE, RunTree::from_voxels(&voxels));
}

/// The world after `steps`. Before step `restart` the rules are created again, as if the map had
/// been saved and opened.
fn run(steps: u64, threads: usize, restart: u64) -> World {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let rule_set = RuleSet::parse(RULES, "test.ron", &MaterialTable::builtin()).unwrap();
    let mut world = world();
    let started = |step, world: &World| {
        let mut rules = Rules::new(rule_set.clone(), 8, step);
        for (pos, _) in world.chunks() {
            rules.wake_chunk(pos);
        }
        rules
    };
    let mut rules = started(0, &world);
    for step in 0..steps {
        if step == restart {
            rules = started(step, &world);
        }
        if step % TURN_EVERY == TURN_EVERY - 1 {
            turn_upside_down(&mut world);
            rules.wake(MIDDLE.bounds());
        }
        pool.install(|| rules.step(&world));
        commit(&mut world, rules.take_changes());
    }
    world
}

fn check(steps: u64) {
    let before = MATTER.map(|name| total(&world(), id(name)));
    let expected = run(steps, 1, u64::MAX);
    assert_eq!(MATTER.map(|name| total(&expected, id(name))), before);
    for (threads, restart) in [(2, u64::MAX), (1, steps / 2)] {
        assert_eq!(
            run(steps, threads, restart).chunk(MIDDLE),
            expected.chunk(MIDDLE),
            "{threads} threads, {restart}"
        );
    }
}

#[test]
fn matter_is_exact_after_many_turns() {
    check(300);
}

#[test]
#[ignore = "takes over half an hour; run it with --release after changes of rules"]
fn matter_is_exact_after_a_million_steps() {
    check(1_000_000);
}
