//! Random worlds of several chunks, compared with a scan over every voxel.

use super::dense::{DenseChange, DenseRules, DenseSupport, DenseWorld, amount};
use super::{air, commit, id, total};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, neighbour_offsets};
use crate::world::World;
use glam::IVec3;

pub(super) const RULES: &str = r##"[
    Powder(materials: ["sand", "gravel"]),
    Liquid(material: "water", least_depth: 20),
    Liquid(material: "lava", least_depth: 90, every: 3),
    Change(name: "meets", of: ["lava"], when: [Near(of: ["water"])], becomes: "stone"),
    Change(name: "wash", of: ["#plant"], when: [Near(of: ["water", "lava"], among: Sides)], chance: (1, 4), becomes: "air"),
    Change(name: "grass", of: ["dirt"], when: [ClearAbove(of: ["#gas", "#plant"], height: 9), Near(of: ["grass"], among: All)],
           every: 2, chance: (1, 8), becomes: "grass"),
    Change(name: "cover", of: ["grass"], when: [NotAbove(["#gas", "#plant"])], every: 2, chance: (1, 3), becomes: "dirt"),
    Change(name: "dry", of: ["water"], when: [Amount(at_most: 20), NotBelow(["water"])], every: 2, chance: (1, 5), becomes: "air"),
    Change(name: "birth", of: ["air"], when: [Near(of: ["wool_red"], among: All, at_least: 5, at_most: 5)], becomes: "wool_red"),
    Change(name: "death", of: ["wool_red"], when: [Near(of: ["wool_red"], among: All, at_least: 0, at_most: 3)], becomes: "air"),
    Change(name: "crowd", of: ["wool_red"], when: [Near(of: ["wool_red"], among: All, at_least: 6)], becomes: "air"),
    Support(name: "decay", of: ["glass"], by: ["stone", "glass", "sand"], within: 3, chance: (1, 3), every: 2, becomes: "air"),
]"##;

fn rule_set() -> RuleSet {
    RuleSet::parse(RULES, "test.ron", &MaterialTable::builtin()).unwrap()
}

/// The rules of `RULES`, written for the reference implementation.
fn dense_rules(seed: u64) -> DenseRules {
    let materials = MaterialTable::builtin();
    let plants: Vec<_> = materials
        .iter()
        .filter(|(_, material)| material.matter == crate::voxel::Matter::Plant)
        .map(|(id, _)| id)
        .collect();
    let water = id("water");
    let lava = id("lava");
    let life = id("wool_red");
    let dirt = id("dirt");
    let grass = id("grass");
    let is_plant = move |voxel: Voxel| plants.contains(&voxel.material());
    let [open, plant] = [is_plant.clone(), is_plant];
    let is_clear = move |world: &DenseWorld, at: IVec3, height: i32| {
        (1..=height)
            .map(|dy| world.get(at + IVec3::Y * dy))
            .all(|above| above.is_air() || open(above))
    };
    let is_covered = is_clear.clone();
    let near = |world: &DenseWorld, at: IVec3, reach: i32, material: u16| {
        let around =
            neighbour_offsets().filter(|by| *by != IVec3::ZERO && by.abs().element_sum() <= reach);
        around.filter(|by| world.get(at + *by).material() == material).count()
    };
    let is = |world: &DenseWorld, at: IVec3, material: u16| world.get(at).material() == material;
    let change = |rule: usize,
                  every: u64,
                  chance: (u32, u32),
                  becomes: &str,
                  applies: super::dense::Applies| {
        DenseChange { rule, every, chance, becomes: id(becomes), applies }
    };
    DenseRules {
        materials: MaterialTable::builtin(),
        powders: vec![(vec![id("sand"), id("gravel")], 1)],
        liquids: vec![(water, 20, 1), (lava, 90, 3)],
        changes: vec![
            change(
                3,
                1,
                (1, 1),
                "stone",
                Box::new(move |w, at| is(w, at, lava) && near(w, at, 1, water) > 0),
            ),
            change(
                4,
                1,
                (1, 4),
                "air",
                Box::new(move |w, at| {
                    let sides = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z];
                    plant(w.get(at))
                        && sides.iter().any(|by| is(w, at + by, water) || is(w, at + by, lava))
                }),
            ),
            change(
                8,
                1,
                (1, 1),
                "wool_red",
                Box::new(move |w, at| is(w, at, 0) && near(w, at, 3, life) == 5),
            ),
            change(
                9,
                1,
                (1, 1),
                "air",
                Box::new(move |w, at| is(w, at, life) && near(w, at, 3, life) <= 3),
            ),
            change(
                10,
                1,
                (1, 1),
                "air",
                Box::new(move |w, at| is(w, at, life) && near(w, at, 3, life) >= 6),
            ),
            change(
                5,
                2,
                (1, 8),
                "grass",
                Box::new(move |w, at| {
                    is(w, at, dirt) && is_clear(w, at, 9) && near(w, at, 3, grass) > 0
                }),
            ),
            change(
                6,
                2,
                (1, 3),
                "dirt",
                Box::new(move |w, at| is(w, at, grass) && !is_covered(w, at, 1)),
            ),
            change(
                7,
                2,
                (1, 5),
                "air",
                Box::new(move |w, at| {
                    is(w, at, water) && amount(w.get(at)) <= 20 && !is(w, at - IVec3::Y, water)
                }),
            ),
        ],
        supports: vec![DenseSupport {
            rule: 11,
            of: id("glass"),
            by: vec![id("stone"), id("sand")],
            within: 3,
            chance: (1, 3),
            every: 2,
        }],
        seed,
    }
}

/// Boxes and single voxels of many materials, around the corner where the chunks meet.
pub(super) fn random_world(seed: u64, chunks: &[ChunkPos]) -> World {
    let mut random = Random::new(seed);
    let mut world = air(chunks.iter().copied());
    let names = [
        "stone",
        "sand",
        "water",
        "lava",
        "air",
        "dirt",
        "grass",
        "gravel",
        "tall_grass",
        "wool_red",
        "glass",
    ];
    for count in 0..200 {
        let voxel = match id(names[random.index(names.len())]) {
            material if random.below(4) == 0 => {
                let voxel = Voxel::new(material, random.below(256) as u8);
                let is_fluid = ["air", "water", "lava"].map(id).contains(&material);
                let is_wet = !is_fluid && random.below(2) == 0;
                if is_wet { voxel.with_liquid(random.below(256) as u8) } else { voxel }
            }
            material => Voxel::full(material),
        };
        let mut part = |low: i32, range: usize| low + random.index(range) as i32;
        let at = IVec3::new(part(-14, 20), part(-16, 36), part(-14, 22));
        let size = if count % 3 == 0 {
            IVec3::new(part(0, 10), part(0, 6), part(0, 8))
        } else {
            IVec3::ZERO
        };
        world.fill(Box3::spanning(at, at + size), voxel);
    }
    world
}

pub(super) fn chunks() -> Vec<ChunkPos> {
    // One of eight chunks is not loaded.
    let all = Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }.chunks();
    all.filter(|&pos| pos != ChunkPos::new(0, -1, -1)).collect()
}

/// Runs rules on a random world. Calls `each` with the number of the step and the world whenever
/// changes have been taken.
fn run(
    seed: u64,
    steps: u64,
    threads: usize,
    order: fn(&mut Vec<ChunkPos>),
    mut each: impl FnMut(u64, &World),
) -> World {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut chunks = chunks();
    let mut world = random_world(seed, &chunks);
    order(&mut chunks);
    let mut rules = Rules::new(rule_set(), seed, 0);
    for &pos in &chunks {
        rules.wake_chunk(pos);
    }
    for step in 0..steps {
        pool.install(|| rules.step(&world));
        // Changes are taken after one step or after several.
        if step % 4 != 2 {
            commit(&mut world, rules.take_changes());
            each(step, &world);
        }
    }
    commit(&mut world, rules.take_changes());
    world
}

#[test]
fn rules_equal_a_scan_over_every_voxel() {
    let area = Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) };
    for seed in 1..3 {
        let mut dense = DenseWorld::new(&random_world(seed, &chunks()), area);
        let rules = dense_rules(seed);
        let mut done = 0;
        run(
            seed,
            22,
            2,
            |_| (),
            |step, world| {
                for step in done..=step {
                    rules.step(&mut dense, step);
                }
                done = step + 1;
                for (pos, chunk) in world.chunks() {
                    let expected = dense.chunk(pos);
                    let differing = chunk.differing_ranges(&expected).next();
                    assert_eq!(differing, None, "seed {seed}, step {step}, chunk {pos}");
                }
            },
        );
    }
}

#[test]
fn result_depends_on_no_order_and_no_number_of_threads() {
    let expected = run(9, 10, 1, |_| (), |_, _| ());
    for (threads, order) in
        [(2, (|_| ()) as fn(&mut Vec<ChunkPos>)), (1, |chunks| chunks.reverse())]
    {
        let world = run(9, 10, threads, order, |_, _| ());
        assert!(
            world.chunks().all(|(pos, chunk)| expected.chunk(pos) == Some(chunk)),
            "{threads} threads"
        );
    }
}

#[test]
fn rules_that_are_loaded_half_way_continue_equally() {
    let expected = run(4, 20, 2, |_| (), |_, _| ());
    let mut world = run(4, 9, 2, |_| (), |_, _| ());
    let mut rules = Rules::new(rule_set(), 4, 9);
    for pos in chunks() {
        rules.wake_chunk(pos);
    }
    for _ in 9..20 {
        drop(rules.step(&world));
    }
    commit(&mut world, rules.take_changes());
    assert!(world.chunks().all(|(pos, chunk)| expected.chunk(pos) == Some(chunk)));
}

#[test]
fn matter_is_conserved() {
    let text = r#"[
        Powder(materials: ["sand", "gravel"]),
        Liquid(material: "water"),
        Liquid(material: "lava", every: 2),
        Change(name: "meets", of: ["lava"], when: [Near(of: ["water"])], becomes: "stone"),
    ]"#;
    let mut world = random_world(3, &chunks());
    let names = ["sand", "gravel", "water", "lava", "stone", "dirt", "tall_grass"];
    let totals = |world: &World| names.map(|name| total(world, id(name)));
    let before = totals(&world);
    let mut rules =
        Rules::new(RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap(), 1, 0);
    for pos in chunks() {
        rules.wake_chunk(pos);
    }
    let mut petrified = 0;
    for _ in 0..60 {
        let counts = rules.step(&world);
        petrified += counts
            .rules
            .iter()
            .filter(|count| count.rule == 3)
            .map(|count| count.amount)
            .sum::<u64>();
        commit(&mut world, rules.take_changes());
    }
    let [sand, gravel, water, lava, stone, dirt, grass] = before;
    assert!(petrified > 0, "lava has met water");
    assert_eq!(
        totals(&world),
        [sand, gravel, water, lava - petrified, stone + petrified, dirt, grass]
    );
}
