//! The promise of rules about fused runs: a phase that sees no further than the Moore neighbourhood
//! and draws no chance gives all voxels of a fused run in a row one new value.

use super::super::change::ChangeRule;
use super::super::compiled_sets::sky_sight;
use super::super::phase::{Action, Phase};
use super::air;
use super::random_worlds::{RULES, chunks, random_world};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::runs::RunTree;
use crate::runs::moore;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;
use std::collections::BTreeMap;

/// Signals without tall switches, which see further than the Moore neighbourhood.
const SIGNALS: &str = r#"[
    Signal(name: "signals", wire: "wire", off: 16, step: 2, reach: 30, sources: [("lever", "lever_on")],
           inverters: [("inverter", "inverter_on")], switches: [("signal_lamp", "signal_lamp_on")]),
]"#;

/// The phases that see only the Moore neighbourhood. Each change becomes a phase of its own,
/// without chance.
fn local_phases(rules: &RuleSet) -> Vec<Phase> {
    let mut phases = Vec::new();
    for phase in &rules.phases {
        let Action::Change(changes) = &phase.action else {
            phases.push(phase.clone());
            continue;
        };
        for change in changes {
            let changes = vec![ChangeRule { chance: None, ..change.clone() }];
            let sight = sky_sight(&changes);
            phases.push(Phase { action: Action::Change(changes), sight, ..phase.clone() });
        }
    }
    phases.retain(|phase| phase.sight.is_none());
    phases
}

/// The chunks that one phase changes.
fn evaluate(rules: &RuleSet, phase: &Phase, world: &World) -> BTreeMap<ChunkPos, RunTree> {
    let step = phase.schedule.every * phase.schedule.turn;
    let alone = RuleSet { phases: vec![phase.clone()], weather: Vec::new(), ..rules.clone() };
    let mut rules = Rules::new(alone, 1, step);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    rules.step(world);
    rules.take_changes().into_iter().collect()
}

/// The parts of fused runs of at least two voxels that lie in one row of a chunk, as linear
/// indices.
fn fused_rows(world: &World, pos: ChunkPos) -> Vec<std::ops::Range<usize>> {
    let side = CHUNK_SIDE as usize;
    let mut rows = Vec::new();
    moore::walk(world, pos.bounds(), |run| {
        let mut start = run.start as usize;
        let end = (run.start + run.len) as usize;
        while start < end {
            let stop = end.min((start / side + 1) * side);
            rows.push(start..stop);
            start = stop;
        }
    });
    rows.retain(|row| row.len() > 1);
    rows
}

/// Voxels that changed in fused runs of at least two voxels, by kind of phase.
type Changed = BTreeMap<&'static str, usize>;

fn kind(action: &Action) -> &'static str {
    match action {
        Action::Change(_) => "change",
        Action::Support(_) => "support",
        Action::Signal(_) => "signal",
        Action::Sink(_) => "sink",
        Action::Fall(..) => "fall",
        Action::Spread(..) => "spread",
    }
}

/// Asserts that each phase changes all voxels of a fused run alike.
fn check(rules: &RuleSet, world: &World, what: &str, changed: &mut Changed) {
    let fused: Vec<_> =
        world.chunks().map(|(pos, chunk)| (pos, chunk, fused_rows(world, pos))).collect();
    for phase in local_phases(rules) {
        let after = evaluate(rules, &phase, world);
        for (pos, before, rows) in &fused {
            let Some(after) = after.get(pos) else { continue };
            for row in rows {
                let first = after.get(row.start);
                let differing = row.clone().find(|&index| after.get(index) != first);
                assert_eq!(differing, None, "{what}, chunk {pos}: {row:?} by {:?}", phase.action);
                *changed.entry(kind(&phase.action)).or_default() +=
                    if before.get(row.start) == first { 0 } else { row.len() };
            }
        }
    }
}

/// Boxes and single voxels of all materials.
fn world_of_all_materials(seed: u64, table: &MaterialTable) -> World {
    let mut random = Random::new(seed);
    let mut world = air(Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }.chunks());
    for count in 0..600 {
        let material = random.index(table.len()) as u16;
        let occupancy = if random.below(4) == 0 { random.below(256) as u8 } else { 255 };
        let mut part = |low: i32, range: usize| low + random.index(range) as i32;
        let at = IVec3::new(part(-20, 36), part(-20, 40), part(-20, 40));
        let size = if count % 2 == 0 {
            IVec3::new(part(0, 12), part(0, 4), part(0, 6))
        } else {
            IVec3::ZERO
        };
        world.fill(Box3::spanning(at, at + size), Voxel::new(material, occupancy));
    }
    world
}

#[test]
fn phase_changes_all_voxels_of_a_fused_run_alike() {
    let table = MaterialTable::builtin();
    let builtin = RuleSet::builtin(&table).unwrap();
    let [other, signals] =
        [RULES, SIGNALS].map(|text| RuleSet::parse(text, "test.ron", &table).unwrap());
    let mut changed = Changed::default();
    for seed in 1..4 {
        let world = world_of_all_materials(seed, &table);
        check(&builtin, &world, &format!("seed {seed}"), &mut changed);
        check(&signals, &world, &format!("signals, seed {seed}"), &mut changed);
        check(
            &other,
            &random_world(seed, &chunks()),
            &format!("other rules, seed {seed}"),
            &mut changed,
        );
    }
    for kind in ["change", "sink", "fall"] {
        assert!(changed.get(kind) > Some(&100), "{changed:?}");
    }
    assert!(changed.get("signal") > Some(&0), "{changed:?}");
}
