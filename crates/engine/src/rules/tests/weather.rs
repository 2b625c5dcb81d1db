//! Snow and ice by place and hour, and the weather compared with a scan of every column.

use super::super::chance::draws;
use super::super::columns;
use super::dense::amount;
use super::{air, commit, id, span, total};
use crate::random::Random;
use crate::rules::{Climate, RuleSet, Rules};
use crate::voxel::{Box3, ChunkPos, Material, MaterialTable, Matter, Voxel};
use crate::world::World;
use glam::IVec3;

/// Steps after which nearly every column has had its turn with the game's own rules.
const LONG: usize = 8 * 1024 * 5;

fn run(world: &mut World, rules: &mut Rules, hour: f32, steps: usize) {
    rules.set_hour(hour);
    for _ in 0..steps {
        drop(rules.step(world));
    }
    commit(world, rules.take_changes());
}

/// Number of voxels of a material in a box.
fn count(world: &World, area: Box3, name: &str) -> i32 {
    let [low, high] = [area.min, area.max];
    let all = (low.y..high.y).flat_map(|y| {
        (low.z..high.z).flat_map(move |z| (low.x..high.x).map(move |x| IVec3::new(x, y, z)))
    });
    all.filter(|&at| world.get(at).material() == id(name)).count() as i32
}

#[test]
fn snow_and_ice_come_at_night_in_the_cold_and_go_by_day_where_it_is_warm() {
    let mut world = air([ChunkPos::new(0, -1, 0), ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, -32, 0], [31, -1, 31]), Voxel::full(id("stone")));
    world.fill(span([20, -2, 20], [29, -1, 29]), Voxel::full(id("water")));
    world.fill(span([0, 0, 0], [7, 9, 31]), Voxel::full(id("glass")));
    world.fill(span([1, 0, 1], [6, 8, 30]), Voxel::AIR);
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let before = world.clone();
    let is_as_before =
        |world: &World| world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk));
    // Nothing happens without a climate, in the warmth, and by day in the cold.
    for (climate, hour) in [(None, 23.0), (Some(0.2), 23.0), (Some(0.2), 12.0), (Some(-0.7), 12.0)]
    {
        rules.set_climate(climate.map(|temperature| Climate::new(move |_, _| temperature)));
        run(&mut world, &mut rules, hour, 2000);
        assert!(is_as_before(&world) && rules.is_at_rest(), "{climate:?} {hour}");
    }
    rules.set_climate(Some(Climate::new(|_, _| -0.7)));
    run(&mut world, &mut rules, 23.0, LONG);
    let [roof, ground, sheltered, pool] = [
        ([0, 10, 0], [7, 10, 31]),
        ([8, 0, 0], [31, 0, 31]),
        ([1, 0, 1], [6, 8, 30]),
        ([20, -1, 20], [29, -1, 29]),
    ]
    .map(|(low, high)| span(low, high));
    let [on_roof, on_ground] = [roof, ground].map(|area| count(&world, area, "snow_fallen"));
    assert!(on_roof > 240 && on_ground > 600, "{on_roof} {on_ground}");
    assert_eq!(count(&world, sheltered, "snow_fallen"), 0, "there is a roof");
    assert!(count(&world, pool, "ice_frozen") > 90);
    let depth = total(&world, id("snow_fallen"))
        / count(&world, span([0, 0, 0], [31, 31, 31]), "snow_fallen") as u64;
    assert!((48..=64).contains(&depth), "{depth}");
    // By day, snow stays where it is cold and melts where it is not.
    let snow = total(&world, id("snow_fallen"));
    run(&mut world, &mut rules, 12.0, 2000);
    assert_eq!(total(&world, id("snow_fallen")), snow);
    rules.set_climate(Some(Climate::new(|_, _| 0.1)));
    run(&mut world, &mut rules, 12.0, LONG * 2);
    assert!(total(&world, id("snow_fallen")) * 50 < snow && count(&world, pool, "ice_frozen") < 5);
}

#[test]
fn placed_snow_and_ice_do_not_melt_by_day() {
    let mut world = air([ChunkPos::new(0, -1, 0), ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, -32, 0], [31, -1, 31]), Voxel::full(id("stone")));
    world.fill(span([0, 0, 0], [15, 2, 31]), Voxel::full(id("snow")));
    world.fill(span([16, 0, 0], [23, 0, 31]), Voxel::new(id("snow"), 31));
    world.fill(span([24, 0, 0], [31, 2, 31]), Voxel::full(id("ice")));
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let before = world.clone();
    rules.set_climate(Some(Climate::new(|_, _| 0.1)));
    run(&mut world, &mut rules, 12.0, LONG);
    assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)));
}

#[test]
fn first_layer_is_no_thicker_than_the_thickest() {
    let text = r##"[Weather(name: "a", of: ["stone"], effect: Lays(material: "snow", amount: 200, most: 90))]"##;
    let mut world = air([ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, 0, 0], [31, 3, 31]), Voxel::full(id("stone")));
    let mut rules =
        Rules::new(RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap(), 1, 0);
    rules.wake_chunk(ChunkPos::new(0, 0, 0));
    run(&mut world, &mut rules, 12.0, 200);
    let snow = count(&world, span([0, 4, 0], [31, 4, 31]), "snow");
    assert!(snow > 100 && total(&world, id("snow")) == 90 * snow as u64, "{snow}");
}

#[test]
fn wet_layers_neither_grow_nor_melt() {
    let text = r##"[
        Weather(name: "a", of: ["snow"], effect: Lays(material: "snow", amount: 200, most: 255)),
        Weather(name: "b", of: ["snow"], effect: Becomes("air")),
    ]"##;
    let mut world = air([ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, 0, 0], [31, 3, 31]), Voxel::new(id("snow"), 99).with_liquid(50));
    let before = world.clone();
    let rules = RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap();
    let mut rules = Rules::new(rules, 1, 0);
    rules.wake_chunk(ChunkPos::new(0, 0, 0));
    run(&mut world, &mut rules, 12.0, 200);
    assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)));
}

#[test]
fn gas_is_no_ground_for_the_weather() {
    let mut materials = MaterialTable::builtin();
    let smoke = Material { matter: Matter::Gas, ..Material::unknown("smoke") };
    let smoke = Voxel::new(materials.add(smoke).unwrap(), 99);
    let text = r##"[Weather(name: "a", of: ["#solid", "smoke"], effect: Lays(material: "snow", amount: 90, most: 90))]"##;
    let mut world = air([ChunkPos::new(0, 0, 0)]);
    world.fill(span([0, 0, 0], [31, 3, 31]), Voxel::full(id("stone")));
    world.fill(span([0, 4, 0], [31, 4, 31]), smoke);
    world.fill(span([0, 9, 0], [31, 31, 31]), smoke);
    let mut rules = Rules::new(RuleSet::parse(text, "test.ron", &materials).unwrap(), 1, 0);
    rules.wake_chunk(ChunkPos::new(0, 0, 0));
    run(&mut world, &mut rules, 12.0, 200);
    let snow = count(&world, span([0, 4, 0], [31, 4, 31]), "snow");
    assert!(snow > 100 && total(&world, id("snow")) == 90 * snow as u64, "{snow}");
}

#[test]
fn columns_without_loaded_chunks_are_forgotten_where_no_weather_acts() {
    let mut world = air(span([-96, 0, -96], [95, 31, 95]).chunks());
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0);
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    run(&mut world, &mut rules, 12.0, 20);
    assert_eq!(rules.columns.iter().count(), 36);
    let kept = ChunkPos::new(1, 0, 1);
    for (pos, _) in world.clone().chunks().filter(|(pos, _)| *pos != kept) {
        world.remove(pos);
    }
    run(&mut world, &mut rules, 12.0, 20);
    assert_eq!(rules.columns.iter().map(|(place, _)| place).collect::<Vec<_>>(), [[1, 1]]);
}

#[test]
fn weather_equals_a_scan_of_every_column() {
    let text = r##"[
        Weather(name: "a", of: ["#solid"], except: ["snow", "glass"], hours: Some((18, 6)), temperature: Some((-1, 0)),
                effect: Lays(material: "snow", amount: 50, most: 120)),
        Weather(name: "b", of: ["snow"], hours: Some((6, 18)), temperature: Some((-0.2, 1)), every: 2, effect: Takes(40)),
        Weather(name: "c", of: ["water", "grass"], height: Some((-3, 9)), every: 3, effect: Becomes("ice")),
    ]"##;
    let mut random = Random::new(3);
    // One column lacks its upper chunk, and another has a gap.
    let chunks = span([-32, -32, -32], [31, 95, 31]).chunks();
    let mut world =
        air(chunks
            .filter(|&pos| ![ChunkPos::new(0, 2, 0), ChunkPos::new(-1, 1, -1)].contains(&pos)));
    let names = ["stone", "glass", "water", "grass", "snow"];
    for _ in 0..400 {
        let mut part = |low: i32, range: usize| low + random.index(range) as i32;
        let low = IVec3::new(part(-32, 60), part(-32, 70), part(-32, 60));
        let size = IVec3::new(part(0, 12), part(0, 3), part(0, 12));
        let occupancy = if part(0, 2) == 0 { 255 } else { part(0, 256) as u8 };
        let voxel = Voxel::new(id(names[part(0, names.len()) as usize]), occupancy);
        world.fill(Box3::spanning(low, low + size), voxel);
    }
    let temperature = |x: i32, _: i32| x as f32 / 64.0;
    let mut rules =
        Rules::new(RuleSet::parse(text, "test.ron", &MaterialTable::builtin()).unwrap(), 5, 0);
    rules.set_climate(Some(Climate::new(temperature)));
    for (pos, _) in world.chunks() {
        rules.wake_chunk(pos);
    }
    let mut expected = world.clone();
    let mut changed = 0;
    for step in 0..3000u64 {
        let hour = (step / 100 % 24) as f32;
        rules.set_hour(hour);
        rules.step(&world);
        for (rule, every) in [(0, 1), (1, 2), (2, 3)] {
            for place in [[-1, -1], [-1, 0], [0, -1], [0, 0]] {
                let Some([x, z]) = columns::drawn(place, draws(5, step, rule), every) else {
                    continue;
                };
                changed += u64::from(act(&mut expected, rule, [x, z], hour, temperature(x, z)));
            }
        }
        if step % 7 == 0 {
            commit(&mut world, rules.take_changes());
            let differs = world.chunks().find(|&(pos, chunk)| expected.chunk(pos) != Some(chunk));
            assert!(differs.is_none(), "step {step}, {:?}", differs.map(|(pos, _)| pos));
        }
    }
    assert!(changed > 1000, "{changed}");
}

/// Applies a rule of the text to a column; true if it changes a voxel.
fn act(world: &mut World, rule: usize, [x, z]: [i32; 2], hour: f32, temperature: f32) -> bool {
    let is_loaded = |at: IVec3| world.get(at) != Voxel::NOT_LOADED;
    // From the highest loaded voxel down, without a gap.
    let Some(high) = (-32..96).rev().find(|&y| is_loaded(IVec3::new(x, y, z))) else {
        return false;
    };
    let Some(y) = (-32..=high).rev().find(|&y| !world.get(IVec3::new(x, y, z)).is_air()) else {
        return false;
    };
    let at = IVec3::new(x, y, z);
    if !is_loaded(at) || y == high {
        return false;
    }
    let voxel = world.get(at);
    let is = |name: &str| voxel.material() == id(name);
    let is_night = !(6.0..18.0).contains(&hour);
    let with = |amount: i32| {
        if amount == 0 { Voxel::AIR } else { Voxel::new(voxel.material(), (amount - 1) as u8) }
    };
    let (at, new) = match rule {
        0 if is_night && temperature <= 0.0 && is("snow") => {
            (at, with((amount(voxel) + 50).min(120).max(amount(voxel))))
        }
        0 if is_night && temperature <= 0.0 && (is("stone") || is("grass") || is("ice")) => {
            (at + IVec3::Y, Voxel::new(id("snow"), 49))
        }
        1 if !is_night && temperature >= -0.2 && is("snow") => {
            (at, with((amount(voxel) - 40).max(0)))
        }
        2 if (-3..=9).contains(&y) && (is("water") || is("grass")) => {
            (at, Voxel::new(id("ice"), voxel.occupancy()))
        }
        _ => return false,
    };
    let before = world.get(at);
    world.set(at, new);
    before != new
}
