//! Smooth ground among cubes, liquids and models.

use super::worlds::{empty, id, random_boxes_of, random_dust_of};
use super::{check, mesh_of, unpacked};
use glam::IVec3;
use stonerun_engine::random::Random;
use stonerun_engine::voxel::{Box3, MaterialTable, SurfaceRule, Voxel};

/// The built-in materials, with ground of three kinds among them.
fn table() -> MaterialTable {
    let mut table = MaterialTable::builtin();
    for (name, surface) in [
        ("dirt", SurfaceRule::Smooth),
        ("gravel", SurfaceRule::Rough(60)),
        ("snow", SurfaceRule::Terrace(2)),
    ] {
        let material = id(&table, name);
        table.set_surface(material, surface).unwrap();
    }
    table
}

/// Ground, often full, or something that touches it.
fn any_voxel(random: &mut Random, table: &MaterialTable) -> Voxel {
    const NAMES: [&str; 13] = [
        "dirt", "dirt", "dirt", "gravel", "snow", "stone", "stone", "water", "water", "lava",
        "glass", "ice", "wire",
    ];
    let occupancy = [255, 255, 255, 126, 127, random.below(256) as u8][random.index(6)];
    let name = NAMES[random.index(NAMES.len())];
    let voxel = Voxel::new(id(table, name), occupancy);
    if matches!(name, "water" | "lava") {
        return voxel;
    }
    voxel.with_liquid([0, 0, 255, random.below(256) as u8][random.index(4)])
}

#[test]
fn random_worlds_with_ground_equal_brute_force() {
    let table = table();
    let mut random = Random::new(11);
    for round in 0..10 {
        let world = random_boxes_of(&mut random, 30, |random| any_voxel(random, &table));
        check(&world, &table, &format!("boxes, round {round}"));
    }
    for density in [0.1, 0.5, 0.9] {
        let world = random_dust_of(&mut random, density, |random| any_voxel(random, &table));
        check(&world, &table, &format!("dust of {density}"));
    }
}

#[test]
fn cube_beside_ground_is_whole_and_ground_has_no_quads() {
    let table = table();
    let [dirt, stone] = ["dirt", "stone"].map(|name| id(&table, name));
    let mut world = empty();
    world.fill(Box3 { min: IVec3::new(0, 0, 0), max: IVec3::new(32, 8, 32) }, Voxel::full(dirt));
    assert!(mesh_of(&world, &table).is_empty());
    world.set(IVec3::new(9, 7, 9), Voxel::full(stone));
    assert_eq!(mesh_of(&world, &table).opaque.len(), 6);
}

#[test]
fn models_stand_at_the_height_of_the_ground() {
    let table = table();
    let [dirt, plant, torch, wall_torch, stone] =
        ["dirt", "tall_grass", "torch", "torch_wall_south", "stone"].map(|name| id(&table, name));
    for (occupancy, expected) in [(255, 0), (223, -2), (127, -8), (100, 7)] {
        let mut world = empty();
        // Full ground, then a layer that is not; the one below 127 does not reach the plant.
        world.fill(Box3 { min: IVec3::splat(-8), max: IVec3::new(40, 8, 40) }, Voxel::full(dirt));
        let layer = Box3 { min: IVec3::new(-8, 8, -8), max: IVec3::new(40, 9, 40) };
        world.fill(layer, Voxel::new(dirt, occupancy));
        let at = if occupancy < 127 { 8 } else { 9 };
        world.set(IVec3::new(4, at, 4), Voxel::full(plant));
        world.set(IVec3::new(9, at, 9), Voxel::full(torch));
        world.set(IVec3::new(9, at, 20), Voxel::full(wall_torch));
        world.set(IVec3::new(9, at, 19), Voxel::full(stone));
        let mesh = mesh_of(&world, &table);
        let lowest = |x: u16| {
            let quads = unpacked(&mesh.cutout).filter(|quad| quad.x / 2 == x / 2);
            quads.filter(|quad| quad.z < 12).map(|quad| quad.y - 16 * at as i16).min()
        };
        // Around a plant without ground of its own, the surface leaves a dent.
        let tolerance = if occupancy < 127 { 4 } else { 1 };
        for x in [4, 9] {
            let height = lowest(x).expect("a model");
            assert!((height - expected).abs() <= tolerance, "{occupancy}, x {x}: {height}");
        }
        let on_wall = unpacked(&mesh.cutout).filter(|quad| quad.z > 12).map(|quad| quad.y);
        assert_eq!(on_wall.min(), Some(16 * at as i16), "{occupancy}");
    }
}

#[test]
fn model_at_the_bottom_of_a_chunk_stands_in_the_chunk_below() {
    let table = table();
    let mut world = empty();
    let floor = Box3 { min: IVec3::new(-8, -1, -8), max: IVec3::new(40, 0, 40) };
    world.fill(floor, Voxel::new(id(&table, "dirt"), 150));
    world.set(IVec3::new(5, 0, 5), Voxel::full(id(&table, "tall_grass")));
    let heights: Vec<i16> = unpacked(&mesh_of(&world, &table).cutout).map(|quad| quad.y).collect();
    assert_eq!(heights, [-6, -6]);
}

#[test]
fn water_ends_in_the_middle_of_a_thin_wall() {
    let table = table();
    let [dirt, water, lava] = ["dirt", "water", "lava"].map(|name| id(&table, name));
    let layer = |low: [i32; 2], high: [i32; 2]| {
        Box3::spanning(IVec3::new(low[0], 4, low[1]), IVec3::new(high[0], 4, high[1]))
    };
    // Tops over the walls of a basin at 8 to 15, as west, east, north and south ends in halves of
    // a voxel.
    let tops = |outside: Voxel| {
        let mut world = empty();
        world.fill(Box3 { min: IVec3::splat(-8), max: IVec3::new(40, 4, 40) }, Voxel::full(dirt));
        world.fill(layer([-8, -8], [39, 39]), outside);
        world.fill(layer([8, 8], [15, 15]), Voxel::full(dirt));
        world.fill(layer([9, 9], [14, 14]), Voxel::new(water, 191));
        let mut tops = Vec::new();
        for quad in unpacked(&mesh_of(&world, &table).translucent).filter(|quad| quad.face == 2) {
            let [first, .., last] = quad.vertices();
            let ends = [first.x, last.x, first.z, last.z].map(|end| end / 8);
            let is_wall = ends[0] < 18 || ends[1] > 30 || ends[2] < 18 || ends[3] > 30;
            if is_wall && quad.y == 4 * 16 + 12 && (16..=32).contains(&ends[1]) {
                tops.push(ends);
            }
        }
        tops.sort_unstable();
        tops
    };
    let halved = [
        [17, 18, 17, 18],
        [17, 18, 18, 30],
        [17, 18, 30, 31],
        [18, 30, 17, 18],
        [18, 30, 30, 31],
        [30, 31, 17, 18],
        [30, 31, 18, 30],
        [30, 31, 30, 31],
    ];
    for outside in [Voxel::AIR, Voxel::new(water, 127), Voxel::new(lava, 127)] {
        assert_eq!(tops(outside), halved, "{outside:?}");
    }
    let whole = tops(Voxel::new(water, 191));
    assert!(!whole.is_empty() && whole.iter().flatten().all(|end| end % 2 == 0), "{whole:?}");
}
