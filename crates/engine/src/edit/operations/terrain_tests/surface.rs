//! Tests of overlay, naturalize, green, snow and smooth.

use super::*;
use crate::edit::Pattern;
use crate::edit::operations::{
    GroundMaterials, NaturalGround, green, naturalize, overlay, smooth, snow, thaw,
};
use crate::voxel::{ChunkPos, MaterialTable};

/// Highest ground voxel of each column of a region, unless ground lies directly above the region.
fn tops(world: &World, region: &Region, is_ground: impl Fn(Voxel) -> bool) -> Vec<IVec3> {
    let mut tops = Vec::new();
    for column in voxels(Box3 { max: ALL.max.with_y(ALL.min.y + 1), ..ALL }) {
        let heights = (ALL.min.y..ALL.max.y).rev();
        let mut inside =
            heights.map(|y| column.with_y(y)).filter(|&at| region.contains(at)).peekable();
        let Some(&highest) = inside.peek() else { continue };
        let above = world.get(highest + IVec3::Y);
        if !(above != Voxel::NOT_LOADED && is_ground(above)) {
            tops.extend(inside.find(|&at| is_ground(world.get(at))));
        }
    }
    tops
}

#[test]
fn overlay_covers_the_highest_ground() {
    let world = hills();
    for region in regions() {
        for (mask, is_ground) in [
            (not_air(), (|voxel| !voxel.is_air()) as fn(Voxel) -> bool),
            (materials(&[STONE]), |voxel| voxel.material() == STONE),
        ] {
            let mut expected = world.clone();
            let tops = tops(&world, &region, is_ground);
            for &at in &tops {
                assert!(expected.set(at + IVec3::Y, NEW).is_some());
            }
            let changed = check(
                &world,
                |edit| overlay(edit, &region, &mask, &Pattern::Voxel(NEW)),
                &expected,
            );
            assert_eq!(changed as usize, tops.len());
            assert!(tops.len() > 100, "{} columns", tops.len());
        }
    }
}

#[test]
fn naturalize_layers_the_ground_by_depth() {
    let world = hills();
    let replaced = vec![GRASS, DIRT, STONE];
    let [top, soil, rock] = [GRASS, DIRT, STONE].map(Voxel::full);
    let ground = NaturalGround { replaced: replaced.clone(), top, soil, rock };
    for region in regions() {
        let is_ground = |voxel: Voxel| replaced.contains(&voxel.material());
        let mut expected = world.clone();
        for at in tops(&world, &region, is_ground) {
            for y in ALL.min.y..=at.y {
                let below = at.with_y(y);
                if region.contains(below) && is_ground(world.get(below)) {
                    let voxel = match at.y - y {
                        0 => top,
                        1..4 => soil,
                        _ => rock,
                    };
                    expected.set(below, voxel);
                }
            }
        }
        assert!(check(&world, |edit| naturalize(edit, &region, &ground), &expected) > 100);
    }
}

#[test]
fn green_and_snow_change_the_surface_only() {
    let world = hills();
    for region in regions() {
        let is_solid = |voxel: Voxel| [STONE, DIRT, ORE].contains(&voxel.material());
        let solid = materials(&[STONE, DIRT, ORE]);
        let mut expected = world.clone();
        for at in tops(&world, &region, is_solid)
            .into_iter()
            .filter(|&at| world.get(at).material() == DIRT)
        {
            expected.set(at, Voxel::full(GRASS));
        }
        check(&world, |edit| green(edit, &region, &solid, DIRT, Voxel::full(GRASS)), &expected);

        let layer = Voxel::new(8, 31);
        let ice = 7;
        let mut expected = world.clone();
        for at in tops(&world, &region, |voxel| !voxel.is_air()) {
            if world.get(at).material() == WATER {
                expected.set(at, Voxel::new(ice, world.get(at).occupancy()));
            } else if is_solid(world.get(at)) && world.get(at + IVec3::Y).is_air() {
                expected.set(at + IVec3::Y, layer);
            }
        }
        check(&world, |edit| snow(edit, &region, &solid, layer, WATER, ice), &expected);
    }
}

#[test]
fn thin_water_freezes_and_thaws_without_becoming_more() {
    let mut world = World::new();
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
    let area = Box3 { min: IVec3::ZERO, max: IVec3::new(8, 2, 8) };
    world.fill(Box3 { max: area.max.with_y(1), ..area }, Voxel::full(STONE));
    for (x, occupancy) in [(0, 31), (1, 0), (2, 255)] {
        world.set(IVec3::new(x, 1, 4), Voxel::new(WATER, occupancy));
    }
    let region = Region::from_shape(&area);
    let solid = materials(&[STONE]);
    let ice = 7;
    let layer = Voxel::new(8, 31);
    let mut frozen = world.clone();
    for at in voxels(Box3 { min: area.min.with_y(1), ..area }) {
        let water = world.get(at);
        frozen.set(at, if water.is_air() { layer } else { Voxel::new(ice, water.occupancy()) });
    }
    check(&world, |edit| snow(edit, &region, &solid, layer, WATER, ice), &frozen);
    check(&frozen, |edit| thaw(edit, &region, &materials(&[8]), materials(&[ice]), WATER), &world);
}

#[test]
fn plants_stay_on_smoothed_ground_and_trunks_reach_down_to_it() {
    let table = MaterialTable::builtin();
    let [grass, plant, log, leaves] = ["grass", "tall_grass", "oak_log", "oak_leaves"]
        .map(|name| Voxel::full(table.find(name).expect(name)));
    let mut world = World::new();
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
    let area = Box3 { min: IVec3::ZERO, max: IVec3::new(24, 30, 24) };
    // A step of four voxels, with plants everywhere and a tree on each side.
    for column in voxels(Box3 { max: area.max.with_y(1), ..area }) {
        let height = if column.x < 12 { 6 } else { 10 };
        world.fill(Box3::spanning(column, column.with_y(height)), grass);
        world.set(column.with_y(height + 1), plant);
    }
    let trees = [IVec3::new(11, 7, 12), IVec3::new(12, 11, 12)];
    for foot in trees {
        world.fill(Box3::spanning(foot, foot.with_y(16)), log);
        world.fill(
            Box3::spanning(foot - IVec3::new(1, -10, 1), foot + IVec3::new(1, 11, 1)),
            leaves,
        );
    }
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    let terrain = GroundMaterials::from_materials(&table);
    let changed = smooth(&mut edit, &Region::from_shape(&area), &terrain, 2).expect("in memory");
    assert!(changed.voxels > 50 && changed.kept_columns == 0, "{changed:?}");
    let after = |at: IVec3| edit.voxel(at).expect("in memory");
    for column in voxels(Box3 { max: area.max.with_y(1), ..area }) {
        let top = (0..30).rev().find(|&y| after(column.with_y(y)) == grass).expect("ground");
        let stands = if trees.iter().any(|foot| foot.with_y(0) == column) { log } else { plant };
        assert_eq!(after(column.with_y(top + 1)), stands, "at {column}, on {top}");
    }
    assert_ne!(
        (after(IVec3::new(11, 7, 3)), after(IVec3::new(12, 10, 3))),
        (plant, grass),
        "the step is lower"
    );
    for foot in trees {
        assert!((foot.y..=16).all(|y| after(foot.with_y(y)) == world.get(foot.with_y(y))
            || after(foot.with_y(y)) == grass));
        assert_eq!(after(foot + IVec3::new(1, 10, 1)), leaves, "the crown stays");
    }
}

#[test]
fn lakes_reach_down_to_smoothed_beds_and_plants_stand_in_them() {
    let table = MaterialTable::builtin();
    let [sand, water, plant] =
        ["sand", "water", "reeds"].map(|name| Voxel::full(table.find(name).expect(name)));
    let mut world = World::new();
    world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
    let area = Box3 { min: IVec3::ZERO, max: IVec3::new(24, 20, 24) };
    world.fill(area, water);
    for column in voxels(Box3 { max: area.max.with_y(1), ..area }) {
        let height = if column.x < 12 { 5 } else { 9 };
        world.fill(Box3::spanning(column, column.with_y(height)), sand);
        world.fill(Box3::spanning(column.with_y(height + 1), column.with_y(height + 2)), plant);
    }
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    let terrain = GroundMaterials::from_materials(&table);
    smooth(&mut edit, &Region::from_shape(&area), &terrain, 2).expect("in memory");
    let mut moved = 0;
    for column in voxels(Box3 { max: area.max.with_y(1), ..area }) {
        let after = |y: i32| edit.voxel(column.with_y(y)).expect("in memory");
        let top = (0..20).rev().find(|&y| after(y) == sand).expect("a bed");
        moved += i32::from(top != if column.x < 12 { 5 } else { 9 });
        assert_eq!(
            [1, 2, 3].map(|above| after(top + above)),
            [plant, plant, water],
            "at {column}, on {top}"
        );
        assert!((0..20).all(|y| !after(y).is_air()), "at {column}");
    }
    assert!(moved > 20, "{moved} columns");
}

#[test]
fn smooth_scales_columns_to_smoothed_heights() {
    let world = hills();
    let terrain = GroundMaterials::from_materials(&MaterialTable::builtin())
        .with_ground(materials(&[STONE, DIRT, GRASS]));
    let is_terrain = |voxel: Voxel| [STONE, DIRT, GRASS].contains(&voxel.material());
    for region in regions() {
        let area = region.bounds().unwrap();
        let size = area.size();
        let height = |x: i32, z: i32| {
            let column = (area.min.y..area.max.y)
                .rev()
                .find(|&y| is_terrain(world.get(IVec3::new(x, y, z))));
            column.unwrap_or(area.min.y)
        };
        let columns: Vec<(i32, i32)> = (area.min.z..area.max.z)
            .flat_map(|z| (area.min.x..area.max.x).map(move |x| (x, z)))
            .collect();
        let before: Vec<i32> = columns.iter().map(|&(x, z)| height(x, z)).collect();
        let mut after = before.clone();
        for _ in 0..2 {
            let from = after.clone();
            for (index, &(x, z)) in columns.iter().enumerate() {
                let mut sum = 0.0;
                let mut weights = 0.0;
                for dz in -4..=4 {
                    for dx in -4..=4 {
                        let near_x =
                            if (area.min.x..area.max.x).contains(&(x + dx)) { x + dx } else { x };
                        let near_z =
                            if (area.min.z..area.max.z).contains(&(z + dz)) { z + dz } else { z };
                        let near = (near_z - area.min.z) * size.x + near_x - area.min.x;
                        let weight = f64::exp(-f64::from(dx * dx + dz * dz) / 2.0);
                        sum += weight * f64::from(from[near as usize]);
                        weights += weight;
                    }
                }
                after[index] = (sum / weights + 0.5).floor() as i32;
            }
        }
        let mut expected = world.clone();
        for ((&(x, z), &from), &to) in columns.iter().zip(&before).zip(&after) {
            let at = |y: i32| IVec3::new(x, area.min.y + y, z);
            if !(area.min.y..area.max.y).any(|y| region.contains(IVec3::new(x, y, z))) || from == to
            {
                continue;
            }
            let from = from - area.min.y;
            let mut to = to - area.min.y;
            if to > from {
                // Columns without ground do not rise, and rising ground replaces only air.
                let free = (from + 1..=to).take_while(|&y| world.get(at(y)).is_air()).count();
                to = if is_terrain(world.get(at(from))) { from + free as i32 } else { from };
            }
            if from == to {
                continue;
            }
            for y in 0..to {
                expected.set(at(y), world.get(at(y * from / to)));
            }
            for y in to + 1..=from {
                expected.set(at(y), Voxel::AIR);
            }
            expected.set(at(to), world.get(at(from)));
        }
        assert!(
            check(&world, |edit| Ok(smooth(edit, &region, &terrain, 2)?.voxels), &expected) > 1000
        );
        assert_eq!(check(&world, |edit| Ok(smooth(edit, &region, &terrain, 0)?.voxels), &world), 0);
    }
}
