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
/// lowest to the highest. Returns the changed positions.
pub(super) fn follow(before: &World, after: &mut World) -> Vec<IVec3> {
    let ids = Ids::find();
    let is_plant = |voxel: Voxel| voxel.material() == ids.plant;
    let still = after.clone();
    let ground = |at: IVec3| ids.is_ground(voxel(&still, at));
    let mut taken = Vec::new();
    let mut put = Vec::new();
    for foot in worlds::voxels(ALL) {
        if !is_plant(voxel(before, foot)) || !ids.is_ground(voxel(before, foot - IVec3::Y)) {
            continue;
        }
        let height = (0..4).take_while(|up| is_plant(voxel(before, foot + IVec3::Y * *up))).count();
        let places = |from: IVec3| (0..height as i32).map(move |up| from + IVec3::Y * up);
        let mut ways = 0..=16;
        let found = if ground(foot) {
            ways.find(|up| !ground(foot + IVec3::Y * *up))
        } else {
            ways.find(|down| ground(foot - IVec3::Y * (*down + 1))).map(|down| -down)
        };
        if found == Some(0) {
            continue;
        }
        let own: Vec<IVec3> = places(foot).filter(|at| is_plant(voxel(&still, *at))).collect();
        taken.extend(own.iter().copied());
        let Some(to) = found.map(|by| foot + IVec3::Y * by) else { continue };
        if places(to).all(|at| own.contains(&at) || voxel(&still, at).is_air()) {
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
    let plane = |height| ShapingPlane::level(height);
    let flatten = |height| ShapingTool::Flatten { plane: plane(height), side: FlattenSide::Both };
    assert_eq!(plants(&eroded, 3).len(), 2);
    assert!(plants(&eroded, 3)[0] < -1, "{:?}", plants(&eroded, 3));
    let raised = shape(&world, flatten(3), &Mask::Any);
    assert_eq!(plants(&raised, 3), [4, 5]);
    // A plant beside the brush stays.
    assert_eq!(plants(&shape(&meadow(20), flatten(3), &Mask::Any), 20), [0, 1]);
}

#[test]
fn plants_move_although_the_mask_keeps_them() {
    let stone = Mask::Materials(vec![Ids::find().stone]);
    let eroded = shape(&meadow(3), ShapingTool::Erode, &stone);
    assert!(plants(&eroded, 3)[0] < -1, "{:?}", plants(&eroded, 3));
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
