//! Water that flows into and out of what solids leave free, and wet matter that moves and changes.

use super::{air, commit, id, span, total};
use crate::rules::{RuleSet, Rules};
use crate::voxel::{Box3, ChunkPos, Material, MaterialTable, Matter, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

const FLOWS: &str = r#"[
    Powder(materials: ["sand"]),
    Liquid(material: "water", least_depth: 16),
    Liquid(material: "lava", least_depth: 16),
]"#;

/// Rules with a wire, whose amount is its level.
const SIGNALS_AND_FLOWS: &str = r#"[
    Liquid(material: "water"),
    Liquid(material: "lava"),
    Signal(name: "signals", wire: "wire", off: 16, step: 2, reach: 30,
           sources: [("lever", "lever_on")], inverters: [], switches: []),
]"#;

/// A chunk of air with a floor of stone up to y = 3, between walls of stone around x and z 8 to 23.
fn basin() -> World {
    let mut world = air([ChunkPos::default()]);
    world.fill(span([0, 0, 0], [31, 20, 31]), Voxel::full(id("stone")));
    world.fill(span([8, 4, 8], [23, 20, 23]), Voxel::AIR);
    world
}

/// Steps until nothing moves.
fn settle(text: &str, world: &mut World) {
    let rules = RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap();
    let mut rules = Rules::new(rules, 7, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    for _ in 0..4000 {
        rules.step(world);
        commit(world, rules.take_changes());
        if rules.is_at_rest() {
            return;
        }
    }
    panic!("{} chunks are still active", rules.active_chunks());
}

fn part(name: &str, parts: u16, liquid: u8) -> Voxel {
    Voxel::new(id(name), (parts - 1) as u8).with_liquid(liquid)
}

#[test]
fn water_falls_into_what_a_solid_leaves_free_and_no_further() {
    let mut world = basin();
    let at = IVec3::new(12, 10, 12);
    let hole = Box3 { min: at - IVec3::Y, max: at + IVec3::new(1, 2, 1) };
    world.fill(span([10, 4, 10], [14, 12, 14]), Voxel::full(id("stone")));
    world.fill(hole, Voxel::AIR);
    world.set(at, part("stone", 100, 6));
    world.set(at + IVec3::Y, part("water", 200, 0));
    settle(FLOWS, &mut world);
    assert_eq!(world.get(at), part("stone", 100, 156));
    assert_eq!(world.get(at + IVec3::Y), part("water", 50, 0));
    assert_eq!(world.get(at - IVec3::Y), Voxel::AIR);
}

#[test]
fn water_runs_off_a_slab_over_an_edge() {
    let mut world = basin();
    world.set(IVec3::new(12, 8, 12), part("stone", 128, 3));
    world.set(IVec3::new(12, 9, 12), part("water", 40, 0));
    settle(FLOWS, &mut world);
    assert_eq!(world.get(IVec3::new(12, 8, 12)), part("stone", 128, 0));
    assert_eq!(total(&world, id("water")), 43);
}

#[test]
fn levels_even_out_over_slabs_of_all_heights() {
    let mut world = basin();
    // Stairs of slabs from a pool into the wall.
    world.fill(span([8, 4, 8], [23, 4, 23]), Voxel::full(id("water")));
    for x in 16..24 {
        let slab = part("stone", (x - 15) as u16 * 32 - 1, 0);
        world.fill(span([x, 4, 8], [x, 4, 23]), slab);
    }
    let before = total(&world, id("water"));
    settle(FLOWS, &mut world);
    assert_eq!(total(&world, id("water")), before);
    let level = |at: IVec3| {
        let voxel = world.get(at);
        let holds = voxel.is_wet() || voxel.material() == id("water");
        holds.then(|| voxel.parts())
    };
    let mut count = 0;
    for at in (8..24).flat_map(|x| (8..24).map(move |z| IVec3::new(x, 4, z))) {
        let Some(here) = level(at) else { continue };
        count += 1;
        for next in [IVec3::X, IVec3::Z].into_iter().filter_map(|by| level(at + by)) {
            assert!(here.abs_diff(next) <= 1, "{here} and {next} at {at}");
        }
    }
    assert!(count > 200, "water stands on most slabs: {count}");
}

#[test]
fn films_do_not_spread_over_dry_ground() {
    let mut world = basin();
    world.fill(span([8, 4, 8], [23, 4, 23]), part("stone", 50, 0));
    world.set(IVec3::new(12, 4, 12), part("stone", 50, 15));
    let before = world.clone();
    settle(FLOWS, &mut world);
    assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)));
    world.set(IVec3::new(12, 4, 12), part("stone", 50, 16));
    settle(FLOWS, &mut world);
    assert!(world.get(IVec3::new(12, 4, 12)).liquid() < 16, "deeper water spreads");
    assert_eq!(total(&world, id("water")), 16);
}

#[test]
fn wet_sand_falls_and_slides_with_its_water() {
    let mut world = basin();
    let grains = [part("sand", 60, 40), part("sand", 60, 196), Voxel::full(id("sand"))];
    for (y, grain) in (10..).step_by(2).zip(grains) {
        world.set(IVec3::new(12, y, 12), grain);
    }
    settle(FLOWS, &mut world);
    assert_eq!(total(&world, id("sand")), 60 + 60 + 256);
    assert_eq!(total(&world, id("water")), 40 + 196);
    let fallen = (8..24).flat_map(|x| (8..24).map(move |z| IVec3::new(x, 4, z)));
    let count = fallen.filter(|&at| world.get(at).material() == id("sand")).count();
    assert!(count >= 2, "{count} grains lie on the floor");
}

#[test]
fn neither_lava_nor_wires_share_a_voxel_with_water() {
    let mut world = basin();
    let [slab, wire, lava] = [part("stone", 100, 0), part("wire", 16, 0), part("lava", 100, 0)];
    for (x, y, voxel) in [(10, 4, slab), (14, 4, wire), (18, 4, lava)] {
        // A shaft for each.
        world.fill(span([x - 1, y, 11], [x + 1, y + 2, 13]), Voxel::full(id("stone")));
        world.fill(span([x, y, 12], [x, y + 2, 12]), Voxel::AIR);
        world.set(IVec3::new(x, y, 12), voxel);
    }
    world.set(IVec3::new(10, 5, 12), part("lava", 90, 0));
    world.set(IVec3::new(14, 5, 12), part("water", 90, 0));
    world.set(IVec3::new(18, 5, 12), part("water", 90, 0));
    let before = world.clone();
    settle(SIGNALS_AND_FLOWS, &mut world);
    assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)));
}

#[test]
fn wet_wire_keeps_its_level_and_its_water() {
    let mut world = basin();
    let wet = part("wire", 16, 240);
    world.set(IVec3::new(12, 4, 12), part("wire", 16, 0));
    world.set(IVec3::new(12, 4, 11), Voxel::full(id("lever_on")));
    world.set(IVec3::new(13, 4, 12), wet);
    settle(SIGNALS_AND_FLOWS, &mut world);
    assert_eq!(world.get(IVec3::new(12, 4, 12)), part("wire", 76, 0));
    assert_eq!(world.get(IVec3::new(13, 4, 12)), wet);
}

#[test]
fn change_of_wet_matter_loses_no_water() {
    let changed = |becomes: &str, voxel: Voxel| {
        let change = format!(r#"[Change(name: "x", of: ["oak_planks"], becomes: "{becomes}")]"#);
        let mut world = basin();
        let at = IVec3::new(12, 4, 12);
        world.set(at, voxel);
        settle(&change, &mut world);
        world.get(at)
    };
    let planks = part("oak_planks", 100, 30);
    assert_eq!(changed("stone", planks), part("stone", 100, 30));
    assert_eq!(changed("air", planks), part("water", 30, 0));
    assert_eq!(changed("water", planks), part("water", 130, 0));
    assert_eq!(changed("lava", planks), planks, "lava would push the water out");
    assert_eq!(changed("lava", planks.dry()), part("lava", 100, 0));
    assert_eq!(changed("air", planks.dry()), Voxel::AIR);
}

#[test]
fn wet_voxel_without_a_hold_leaves_its_water() {
    let text = r#"[
        Support(name: "decay", of: ["glass"], by: ["stone"], within: 3, becomes: "air"),
    ]"#;
    let mut world = basin();
    let at = IVec3::new(15, 15, 15);
    world.set(at, part("glass", 100, 30));
    settle(text, &mut world);
    assert_eq!(world.get(at), part("water", 30, 0));
}

#[test]
fn wet_solid_that_flows_by_a_rule_stays() {
    let text = r#"[Liquid(material: "snow"), Liquid(material: "water")]"#;
    let mut world = basin();
    let wet = part("snow", 100, 30);
    world.set(IVec3::new(12, 8, 12), wet);
    world.set(IVec3::new(12, 9, 12), part("snow", 50, 0));
    settle(text, &mut world);
    assert_eq!(world.get(IVec3::new(12, 8, 12)), wet);
    assert_eq!(total(&world, id("snow")), 150);
}

#[test]
fn wet_lamp_switches_and_keeps_its_water() {
    let mut world = basin();
    let text = SIGNALS_AND_FLOWS
        .replace("switches: []", r#"switches: [("signal_lamp", "signal_lamp_on")]"#);
    // In a shaft, where its water cannot leave.
    world.fill(span([11, 4, 11], [13, 6, 13]), Voxel::full(id("stone")));
    world.set(IVec3::new(12, 5, 12), part("signal_lamp", 100, 40));
    world.set(IVec3::new(12, 5, 11), Voxel::full(id("lever_on")));
    settle(&text, &mut world);
    assert_eq!(world.get(IVec3::new(12, 5, 12)), part("signal_lamp_on", 100, 40));
}

#[test]
fn matter_with_water_stays_in_maps_without_water() {
    let air = Material { matter: Matter::Gas, ..Material::plain("air", [0; 3]) };
    let table = MaterialTable::from_list(vec![air, Material::plain("plank", [9; 3])]).unwrap();
    let text = r#"[Change(name: "x", of: ["plank"], becomes: "air")]"#;
    let mut rules = Rules::new(RuleSet::parse(text, "test.ron", &table).unwrap(), 1, 0);
    let mut world = World::new();
    for pos in ChunkPos::default().moore_neighbourhood() {
        world.insert(pos, Chunk::uniform(Voxel::AIR));
    }
    let [wet, dry] = [Voxel::new(1, 99).with_liquid(9), Voxel::new(1, 99)];
    let [wet_at, dry_at] = [IVec3::new(5, 5, 5), IVec3::new(9, 5, 5)];
    world.set(wet_at, wet);
    world.set(dry_at, dry);
    rules.wake_chunk(ChunkPos::default());
    rules.step(&world);
    commit(&mut world, rules.take_changes());
    assert_eq!([world.get(wet_at), world.get(dry_at)], [wet, Voxel::AIR]);
}

#[test]
fn water_that_wet_sand_brings_into_a_chunk_is_known_there() {
    // No rule moves water, and the sand becomes air in the chunk below.
    let text = r#"[
        Powder(materials: ["sand"]),
        Change(name: "x", of: ["sand"], when: [Below(["stone"])], becomes: "air"),
        Change(name: "y", of: ["water"], when: [Below(["stone"])], becomes: "dirt"),
    ]"#;
    let mut world = air(ChunkPos::default().moore_neighbourhood());
    world.fill(span([0, -20, 0], [31, -20, 31]), Voxel::full(id("stone")));
    world.set(IVec3::new(5, 4, 5), part("sand", 60, 40));
    settle(text, &mut world);
    assert_eq!(world.get(IVec3::new(5, -19, 5)), part("dirt", 40, 0));
}
