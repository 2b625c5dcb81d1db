//! Plants that follow the ground.

use super::worlds::{self, ALL, Ids, voxel};
use super::*;
use crate::world::Chunk;

/// Box of the random worlds and one chunk around them, in which chunks are set to air.
const AROUND: Box3 = Box3 { min: IVec3::splat(-64), max: IVec3::splat(64) };

/// A world whose missing chunks near the random worlds are air.
pub(super) fn padded(world: &World) -> World {
    let mut world = world.clone();
    for pos in AROUND.chunks() {
        if !world.is_loaded(pos) {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
    }
    world
}

/// Lets all plants of a world follow the ground, by the definition: one after another, from the
/// lowest to the highest. Plants hold no liquid. Returns the changed positions.
pub(super) fn follow(before: &World, after: &mut World) -> Vec<IVec3> {
    let ids = Ids::find();
    let is_plant = |voxel: Voxel| voxel.material() == ids.plant;
    let still = after.clone();
    let ground = |at: IVec3| ids.is_ground(voxel(&still, at));
    let mut taken = Vec::new();
    let mut put: Vec<(IVec3, Voxel)> = Vec::new();
    for foot in worlds::voxels(ALL) {
        if !is_plant(voxel(before, foot)) || !ids.is_ground(voxel(before, foot - IVec3::Y)) {
            continue;
        }
        let above = (1..).map(|up| foot + IVec3::Y * up);
        let height = 1 + above.take_while(|at| is_plant(voxel(before, *at))).count();
        if height > 8 {
            continue;
        }
        let has_ground = ground(foot - IVec3::Y);
        if has_ground && voxel(&still, foot) == voxel(before, foot) {
            continue;
        }
        let places = |from: IVec3| (0..height as i32).map(move |up| from + IVec3::Y * up);
        let found = if ground(foot) {
            (0..=16).find(|up| !ground(foot + IVec3::Y * *up))
        } else {
            let below = |down: i32| foot - IVec3::Y * (down + 1);
            let depth = (0..=16).find(|down| !voxel(&still, below(*down)).is_air());
            depth.filter(|down| ground(below(*down))).map(|down| -down)
        };
        let own: Vec<IVec3> =
            places(foot).filter(|at| voxel(&still, *at) == voxel(before, *at)).collect();
        taken.extend(own.iter().copied());
        let Some(to) = found.map(|by| foot + IVec3::Y * by) else { continue };
        let is_free = |at: IVec3| {
            let is_open = own.contains(&at) || voxel(&still, at).is_air();
            is_open && put.iter().all(|(other, _)| *other != at)
        };
        if places(to).all(is_free) {
            put.extend(places(to).zip(places(foot).map(|at| voxel(before, at))));
        }
    }
    for at in &taken {
        after.set(*at, Voxel::AIR);
    }
    for (at, voxel) in &put {
        after.set(*at, *voxel);
    }
    taken.into_iter().chain(put.into_iter().map(|(at, _)| at)).collect()
}

/// Ground of stone up to y = 0 with a plant of two voxels on it, at `x`, 0.
fn meadow(x: i32) -> World {
    let ids = Ids::find();
    let mut world = padded(&World::new());
    world.fill(Box3 { min: AROUND.min, max: AROUND.max.with_y(0) }, Voxel::full(ids.stone));
    world.fill(Box3::spanning(IVec3::new(x, 0, 0), IVec3::new(x, 1, 0)), Voxel::full(ids.plant));
    world
}

/// The heights of plants in a column.
fn plants(world: &World, x: i32) -> Vec<i32> {
    let ids = Ids::find();
    let is_plant = |y: &i32| voxel(world, IVec3::new(x, *y, 0)).material() == ids.plant;
    (-64..64).filter(is_plant).collect()
}

fn shape(world: &World, tool: ShapingTool, mask: &Mask) -> World {
    let materials = Arc::new(ShapingMaterials::from_materials(&worlds::materials()));
    let shaping = Shaping::new(tool, materials);
    let brush = ShapingBrush { radius: 5, ..ShapingBrush::ball(5) };
    let area = ShapingArea::dab(brush, IVec3::new(3, 0, 0));
    after(world, &shaped(world, &shaping, &area, mask, 2))
}

#[test]
fn plants_follow_sinking_and_rising_ground_across_chunks() {
    let world = meadow(3);
    let eroded = shape(&world, ShapingTool::Erode, &Mask::Any);
    let flatten = |height| {
        let plane = ShapingPlane::level(height);
        ShapingTool::Flatten { plane, side: FlattenSide::Both }
    };
    assert_eq!(plants(&eroded, 3).len(), 2);
    assert!(plants(&eroded, 3)[0] < -1, "{:?}", plants(&eroded, 3));
    let raised = shape(&world, flatten(3), &Mask::Any);
    assert_eq!(plants(&raised, 3), [4, 5]);
    // A plant next to the brush stays.
    assert_eq!(plants(&shape(&meadow(20), flatten(3), &Mask::Any), 20), [0, 1]);
}

#[test]
fn plants_move_although_the_mask_keeps_them() {
    let stone = Mask::Materials(vec![Ids::find().stone]);
    let eroded = shape(&meadow(3), ShapingTool::Erode, &stone);
    assert!(plants(&eroded, 3)[0] < -1, "{:?}", plants(&eroded, 3));
}

#[test]
fn plant_that_falls_leaves_a_rising_one_its_place() {
    let ids = Ids::find();
    let mut world = meadow(3);
    // One plant voxel on the meadow, and two on a block above it.
    for (y, material) in [(1, 0), (3, ids.stone), (4, ids.plant), (5, ids.plant)] {
        let voxel = if material == 0 { Voxel::AIR } else { Voxel::full(material) };
        world.set(IVec3::new(3, y, 0), voxel);
    }
    assert_eq!(plants(&world, 3), [0, 4, 5]);
    let plane = ShapingPlane::level(0);
    let flat = shape(&world, ShapingTool::Flatten { plane, side: FlattenSide::Both }, &Mask::Any);
    assert_eq!(plants(&flat, 3), [1], "the lower one has moved up, the upper one has no place");
}

#[test]
fn plant_without_a_place_goes() {
    let ids = Ids::find();
    // Below a thin floor is a hole deeper than plants fall.
    let mut world = meadow(3);
    world.fill(Box3::spanning(IVec3::new(-5, -30, -9), IVec3::new(12, -3, 9)), Voxel::AIR);
    assert_eq!(plants(&shape(&world, ShapingTool::Erode, &Mask::Any), 3), []);
    // A log above leaves no room.
    let mut world = meadow(3);
    world.set(IVec3::new(3, 3, 0), Voxel::full(ids.log));
    let plane = ShapingPlane::level(2);
    let raised = ShapingTool::Flatten { plane, side: FlattenSide::Both };
    assert_eq!(plants(&shape(&world, raised, &Mask::Any), 3), []);
}

#[test]
fn plants_neither_pass_through_logs_nor_lose_or_double_water() {
    let ids = Ids::find();
    let erode = |world: &World| shape(world, ShapingTool::Erode, &Mask::Any);
    // A log in the ground, which stays when it is eroded.
    let mut world = meadow(3);
    world.set(IVec3::new(3, -2, 0), Voxel::full(ids.log));
    assert_eq!(plants(&erode(&world), 3), []);
    let wet = Voxel::new(ids.plant, 99).with_liquid(50);
    let water = |world: &World| -> u64 {
        let runs = world.chunks().flat_map(|(_, chunk)| chunk.runs());
        let amount = |voxel: Voxel| {
            let own = if voxel.material() == ids.water { voxel.parts() } else { 0 };
            u64::from(own) + u64::from(voxel.liquid())
        };
        runs.map(|run| u64::from(run.len) * amount(run.voxel)).sum()
    };
    let mut world = meadow(3);
    world.set(IVec3::new(3, 0, 0), wet);
    let eroded = erode(&world);
    assert_eq!((plants(&eroded, 3).len(), water(&eroded)), (2, 50));
    let plane = ShapingPlane::level(3);
    let raised = ShapingTool::Flatten { plane, side: FlattenSide::Both };
    assert!(water(&shape(&world, raised, &Mask::Any)) <= 50);
    // Without a place, its water is left.
    world.set(IVec3::new(3, -2, 0), Voxel::full(ids.log));
    let eroded = erode(&world);
    assert_eq!((plants(&eroded, 3), water(&eroded)), (vec![], 50));
}

#[test]
fn high_plants_stay_as_they_are() {
    let ids = Ids::find();
    let mut world = meadow(3);
    world.fill(Box3::spanning(IVec3::new(3, 0, 0), IVec3::new(3, 8, 0)), Voxel::full(ids.plant));
    let eroded = shape(&world, ShapingTool::Erode, &Mask::Any);
    assert_eq!(plants(&eroded, 3), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn plant_that_matter_passes_through_stays() {
    // Matter slides over the foot of a slope in one part of a pass and on in another.
    let ids = Ids::find();
    let mut world = meadow(3);
    world.fill(Box3::spanning(IVec3::new(4, 0, 0), IVec3::new(6, 6, 0)), Voxel::full(ids.sand));
    world.fill(Box3::spanning(IVec3::new(-5, -5, -1), IVec3::new(2, -1, 1)), Voxel::AIR);
    let mut after = world.clone();
    for _ in 0..3 {
        after = shape(&after, ShapingTool::Melt, &Mask::Any);
    }
    assert_eq!(plants(&after, 3).len(), 2, "{:?}", plants(&after, 3));
}
