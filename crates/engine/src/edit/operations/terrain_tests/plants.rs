//! Plants on smoothed ground: high plants, plants without room, and leaves above the ground.

use super::voxels;
use crate::edit::operations::{ChangedVoxels, GroundMaterials, smooth};
use crate::edit::region::Region;
use crate::edit::{JobProgress, Mask, VoxelEdit};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// Ground height on the lower side of a step.
const LOW: i32 = 6;
const HIGH: i32 = 10;
const AREA: Box3 = Box3 { min: IVec3::ZERO, max: IVec3::new(24, 20, 24) };

fn named(name: &str) -> Voxel {
    Voxel::full(MaterialTable::builtin().find(name).expect(name))
}

/// A step with plants of a given height on it, which reach into a second and a third chunk.
fn step(plants: i32) -> World {
    let mut world = World::new();
    let [grass, reeds] = ["grass", "reeds"].map(named);
    for y in 0..4 {
        world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(Voxel::AIR));
    }
    for column in columns() {
        let height = if column.x < 12 { LOW } else { HIGH };
        world.fill(Box3::spanning(column, column.with_y(height)), grass);
        if plants > 0 {
            world.fill(
                Box3::spanning(column.with_y(height + 1), column.with_y(height + plants)),
                reeds,
            );
        }
    }
    world
}

fn columns() -> impl Iterator<Item = IVec3> {
    voxels(Box3 { max: AREA.max.with_y(1), ..AREA })
}

fn smoothed(world: &World) -> (World, ChangedVoxels) {
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(world, 0, &progress);
    let terrain = GroundMaterials::from_materials(&MaterialTable::builtin());
    let changed = smooth(&mut edit, &Region::from_shape(&AREA), &terrain, 2).expect("in memory");
    let mut after = world.clone();
    for change in edit.finish("smooth").changes {
        after.insert(change.pos, change.after);
    }
    (after, changed)
}

/// Ground height of a column.
fn top(world: &World, column: IVec3, grass: Voxel) -> i32 {
    (0..20).rev().find(|&y| world.get(column.with_y(y)) == grass).expect("ground")
}

#[test]
fn plants_of_any_height_stay_whole() {
    let [grass, reeds] = ["grass", "reeds"].map(named);
    for plants in [1, 31, 32, 33, 50, 80] {
        let world = step(plants);
        let (after, changed) = smoothed(&world);
        assert_eq!(changed.kept_columns, 0);
        let mut moved = 0;
        for column in columns() {
            let top = top(&after, column, grass);
            moved += i32::from(top != self::top(&world, column, grass));
            for y in top + 1..120 {
                let expected = if y <= top + plants { reeds } else { Voxel::AIR };
                assert_eq!(
                    after.get(column.with_y(y)),
                    expected,
                    "{plants} plants at {column}, {y}"
                );
            }
        }
        assert!(moved > 20, "{moved} columns");
    }
}

#[test]
fn plants_without_room_stay_and_are_counted() {
    // An overhang above the smoothed box, directly above the plants of the lower side.
    let mut world = step(14);
    let [grass, plant, roof] = ["grass", "reeds", "oak_log"].map(named);
    for column in columns().filter(|column| column.x < 12) {
        world.set(column.with_y(LOW + 15), roof);
    }
    let reeds = |world: &World| {
        voxels(Box3 { max: AREA.max.with_y(40), ..AREA })
            .filter(|&at| world.get(at) == plant)
            .count()
    };
    let (after, changed) = smoothed(&world);
    let (free, _) = smoothed(&step(14));
    let rising =
        columns().filter(|&column| column.x < 12 && top(&free, column, grass) > LOW).count() as u64;
    assert!(rising > 0);
    assert_eq!(changed.kept_columns, rising);
    assert_eq!(reeds(&after), reeds(&world));
    for column in columns() {
        if column.x < 12 {
            assert_eq!(after.get(column.with_y(LOW + 15)), roof);
            assert_eq!(top(&after, column, grass), LOW, "at {column}");
        } else {
            assert_eq!(top(&after, column, grass), top(&free, column, grass), "at {column}");
        }
    }
    assert!(
        changed.answer().ends_with("columns stay as they are: their plants have no room"),
        "{}",
        changed.answer()
    );
    assert_eq!(ChangedVoxels::from(2).answer(), "2 voxels changed");
}

#[test]
fn rising_ground_ends_below_leaves_and_buildings() {
    let [grass, leaves, planks, log] = ["grass", "oak_leaves", "oak_planks", "oak_log"].map(named);
    let mut high_step = step(0);
    for column in columns().filter(|column| column.x >= 12) {
        high_step.fill(Box3::spanning(column, column.with_y(HIGH + 8)), grass);
    }
    let free = smoothed(&high_step).0;
    let rising: Vec<IVec3> =
        columns().filter(|&column| column.x < 12 && top(&free, column, grass) > LOW).collect();
    assert!(rising.len() > 20, "{} columns", rising.len());
    for above in [1, 2] {
        let mut world = high_step.clone();
        for column in columns().filter(|column| column.x < 12) {
            world.set(column.with_y(LOW + above), leaves);
        }
        let (after, changed) = smoothed(&world);
        let limited =
            rising.iter().filter(|&&column| top(&free, column, grass) >= LOW + above).count()
                as u64;
        assert_eq!((changed.limited_columns, changed.kept_columns), (limited, 0), "{above}");
        for column in columns().filter(|column| column.x < 12) {
            assert_eq!(after.get(column.with_y(LOW + above)), leaves, "at {column}");
            let expected = top(&free, column, grass).min(LOW + above - 1);
            assert_eq!(top(&after, column, grass), expected, "at {column}");
        }
        let said = changed.answer();
        assert!(said.ends_with("columns end below leaves or blocks that are no ground"), "{said}");
    }
    // A column without ground neither rises nor removes the voxels that hang in it.
    let mut world = high_step;
    let hole = rising[rising.len() / 2];
    world.fill(Box3::spanning(hole, hole.with_y(HIGH)), Voxel::AIR);
    world.set(hole.with_y(2), log);
    world.set(hole.with_y(1), planks);
    let terrain = GroundMaterials::from_materials(&MaterialTable::builtin())
        .with_ground(Mask::Voxels(vec![grass]));
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    smooth(&mut edit, &Region::from_shape(&AREA), &terrain, 2).expect("in memory");
    let after = [1, 2].map(|y| edit.voxel(hole.with_y(y)).expect("in memory"));
    assert_eq!(after, [planks, log]);
}
