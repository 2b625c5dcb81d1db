//! Tests of commands on lakes, thin water and plants.

use super::*;

/// A lake in grass, with its bed at layer 3, its surface at layer 7, and tall grass around it.
fn lake() -> World {
    let mut world = World::new();
    let is_lake = |at: IVec3| (8..20).contains(&at.x) && (8..20).contains(&at.z);
    let [stone, water, grass, plant] = ["stone", "water", "grass", "tall_grass"].map(full);
    let voxel = |at: IVec3| match at.y {
        ..4 => stone,
        4..8 if is_lake(at) => water,
        4..8 => grass,
        8 if !is_lake(at) => plant,
        _ => Voxel::AIR,
    };
    world.insert(
        ChunkPos::default(),
        Chunk::from_runs((0..32768).map(|i| (1, voxel(linear_offset(i))))),
    );
    world
}

fn select(console: &mut Console, min: [i32; 3], max: [i32; 3]) {
    console.set_selection(Selection::from(Box3::spanning(min.into(), max.into())));
}

#[test]
fn overlay_covers_lake_bed_and_replaces_plants() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = lake();
    select(&mut console, [0, 0, 0], [31, 20, 31]);
    assert_eq!(run(&mut console, &mut world, "//overlay sand"), 32 * 32);
    let column =
        |world: &World, x: i32, z: i32| [3, 4, 5, 7, 8, 9].map(|y| world.get(IVec3::new(x, y, z)));
    let [stone, sand, water, grass] = ["stone", "sand", "water", "grass"].map(full);
    assert_eq!(
        column(&world, 12, 12),
        [stone, sand, water, water, Voxel::AIR, Voxel::AIR],
        "in the lake"
    );
    assert_eq!(column(&world, 2, 2), [stone, grass, grass, grass, sand, Voxel::AIR], "next to it");
}

#[test]
fn snow_then_thaw_restores_every_occupancy_of_water() {
    let mut console = Console::new(IVec3::new(4, 8, 4));
    let mut world = lake();
    let [water, ice] = ["water", "ice"].map(|name| full(name).material());
    // Pools from 1/256 of a voxel to a full voxel, on bare ground.
    let occupancies = [0, 15, 31, 127, 254, 255];
    let place = |index: usize| IVec3::new(1 + index as i32, 8, 4);
    for (index, occupancy) in occupancies.into_iter().enumerate() {
        world.set(place(index), Voxel::new(water, occupancy));
    }
    let before = world.clone();
    run(&mut console, &mut world, "//snow 20");
    for (index, occupancy) in occupancies.into_iter().enumerate() {
        assert_eq!(world.get(place(index)), Voxel::new(ice, occupancy));
    }
    assert_eq!(world.get(IVec3::new(12, 7, 12)), full("ice"), "the lake's surface");
    assert_eq!(world.get(IVec3::new(12, 6, 12)), full("water"));
    run(&mut console, &mut world, "//thaw 20");
    for y in 0..16 {
        for column in 0..1024 {
            let at = IVec3::new(column % 32, y, column / 32);
            let found = world.get(at);
            let expected = before.get(at);
            assert!(found == expected, "{at}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn smooth_keeps_plants_under_a_roof() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = lake();
    // A roof of logs, which are not ground, directly above the plants.
    select(&mut console, [0, 9, 0], [31, 9, 31]);
    run(&mut console, &mut world, "//set oak_log");
    select(&mut console, [0, 0, 0], [15, 7, 31]);
    run(&mut console, &mut world, "//set -m \"#height[6][7] #solid\" air");
    select(&mut console, [0, 7, 0], [3, 7, 31]);
    run(&mut console, &mut world, "//set grass");
    select(&mut console, [0, 0, 0], [31, 8, 31]);
    let plants = run(&mut console, &mut world, "//count tall_grass");
    let Ok(ConsoleTask::Job(job)) = task(&mut console, "//smooth 3") else { panic!("no job") };
    let outcome = job.run(&world, 0, &JobProgress::default()).unwrap();
    assert!(outcome.voxels > 0);
    for change in outcome.edit.into_iter().flat_map(|edit| edit.changes) {
        world.insert(change.pos, change.after);
    }
    assert_eq!(run(&mut console, &mut world, "//count tall_grass"), plants);
}

#[test]
fn unknown_material_gets_proposal_only_if_one_is_similar() {
    for (word, proposed) in [
        ("oak_stairs", None),
        ("oak_stair", None),
        ("xyzzy", None),
        ("fairy", None),
        ("stne", Some("stone")),
        ("minecraft:stone", Some("stone")),
        ("lmap", Some("lamp")),
    ] {
        let error = parse(&format!("//set {word}")).expect_err(word).to_string();
        match proposed {
            Some(name) => assert!(error.contains(&format!("did you mean {name}")), "{error}"),
            None => assert_eq!(error, format!("there is no material {word:?}")),
        }
    }
}
