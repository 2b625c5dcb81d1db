//! Weathering and melting: compared with their definition, and sums that stay.

use super::worlds::{self, ALL, Ids, random_world};
use super::*;
use crate::edit::Mask;
use crate::random::Random;
use rustc_hash::FxHashMap;

/// Sum of the fills of all ground.
fn matter(world: &World) -> i64 {
    let ids = Ids::find();
    let around = Box3 { min: ALL.min - 32, max: ALL.max + 32 };
    let ground = worlds::voxels(around).map(|at| worlds::voxel(world, at));
    ground.filter(|voxel| ids.is_ground(*voxel)).map(|voxel| i64::from(voxel.occupancy()) + 1).sum()
}

/// Fills and materials of a world during a pass.
struct Slides {
    fills: FxHashMap<IVec3, i32>,
    voxels: FxHashMap<IVec3, Voxel>,
}

/// A part of a pass by its definition: from each top straight down to its foot.
fn slide(
    world: &World,
    shaping: &Shaping,
    area: &ShapingArea,
    mask: &Mask,
    direction: IVec3,
) -> Slides {
    let ids = Ids::find();
    let at = |at: IVec3| worlds::voxel(world, at);
    let fill = |place: IVec3| {
        let voxel = at(place);
        if ids.is_ground(voxel) { i32::from(voxel.occupancy()) + 1 } else { 0 }
    };
    let is_fixed = |place: IVec3| ids.is_fixed(at(place), shaping.ignores_liquids);
    let is_open = |place: IVec3| fill(place) == 0 && !is_fixed(place);
    let is_top = |place: IVec3| fill(place) > 0 && is_open(place + IVec3::Y);
    let prepared = area.prepared(shaping.strength);
    let mut slides = Slides { fills: FxHashMap::default(), voxels: FxHashMap::default() };
    for from in worlds::voxels(prepared.bounds().expect("areas have voxels")) {
        if !is_top(from) {
            continue;
        }
        // The first place below that the matter cannot fall through.
        let next = from + direction;
        let Some(depth) = (0..=16).find(|depth| {
            let place = next - IVec3::Y * *depth;
            let below = place - IVec3::Y;
            !is_open(place) || fill(below) == 256 || is_fixed(below)
        }) else {
            continue;
        };
        let to = next - IVec3::Y * depth;
        let has_lower = (0..depth).any(|height| is_top(from - IVec3::Y * (depth - height)));
        if fill(to) == 256 || is_fixed(to) || !is_open(to + IVec3::Y) || has_lower {
            continue;
        }
        let rest = if shaping.tool == ShapingTool::Melt { 0 } else { 256 };
        let difference = 256 * depth + fill(from) - fill(to);
        let is_accepted = |place: IVec3| worlds::accepts(mask, world, place);
        if difference <= rest || !is_accepted(from) || !is_accepted(to) {
            continue;
        }
        let amount = [
            (difference - rest) / 2,
            fill(from),
            256 - fill(to),
            i32::from(prepared.weight(from)),
            i32::from(prepared.weight(to)),
        ];
        let amount = amount.into_iter().min().expect("five numbers");
        if amount > 0 {
            *slides.fills.entry(from).or_insert(fill(from)) -= amount;
            *slides.fills.entry(to).or_insert(fill(to)) += amount;
            if fill(to) == 0 {
                slides.voxels.insert(to, at(from));
            }
        }
    }
    slides
}

#[test]
fn slides_equal_their_definition_and_keep_the_sum() {
    let mut changed = [0u64; 2];
    for number in 0..24u32 {
        let mut random = Random::new(u64::from(number) + 900);
        let world = random_world(&mut random);
        let tool = [ShapingTool::Weather, ShapingTool::Melt][number as usize % 2].clone();
        let shaping = random_shaping(&mut random, tool);
        let area = random_area(&mut random);
        let mask = random_mask(&mut random);
        let edit = shaped(&world, &shaping, &area, &mask, 1);
        assert_eq!(edit, shaped(&world, &shaping, &area, &mask, 2));
        changed[number as usize % 2] += edit.volume();
        let after = after(&world, &edit);
        assert_eq!(matter(&after), matter(&world), "{number}");
        let both = mask.and(shaping.mask.clone());
        let before = plants::padded(&world);
        let mut expected = before.clone();
        for direction in [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z] {
            let slides = slide(&expected, &shaping, &area, &both, direction);
            let changes: Vec<(IVec3, Voxel)> = slides
                .fills
                .iter()
                .map(|(&at, &fill)| {
                    let old = worlds::voxel(&expected, at);
                    let material = slides.voxels.get(&at).unwrap_or(&old).material();
                    (at, worlds::refilled(old, material, fill))
                })
                .collect();
            for (at, voxel) in changes {
                expected.set(at, voxel);
            }
        }
        plants::follow(&before, &mut expected);
        for at in worlds::voxels(Box3 { min: ALL.min - 32, max: ALL.max + 32 }) {
            let found = worlds::voxel(&after, at);
            assert_eq!(found, worlds::voxel(&expected, at), "{number}: {at}");
        }
    }
    assert!(changed.iter().all(|changed| *changed > 100), "{changed:?}");
}

#[test]
fn melted_and_weathered_towers_become_lower_and_wider() {
    let ids = Ids::find();
    let tower = |world: &mut World| {
        for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }).chunks() {
            world.insert(pos, crate::world::Chunk::uniform(Voxel::AIR));
        }
        let floor = Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::new(32, 0, 32) };
        world.fill(floor, Voxel::full(ids.stone));
        let tower = Box3 { min: IVec3::new(-2, 0, -2), max: IVec3::new(2, 10, 2) };
        world.fill(tower, Voxel::full(ids.sand));
    };
    let mut heights = Vec::new();
    for tool in [ShapingTool::Weather, ShapingTool::Melt] {
        let mut world = World::new();
        tower(&mut world);
        let all = matter(&world);
        let area = ShapingArea::Region(Arc::new(Region::from_shape(&ALL)));
        let shaping =
            Shaping::new(tool, Arc::new(ShapingMaterials::from_materials(&worlds::materials())));
        for _ in 0..60 {
            let edit = shaped(&world, &shaping, &area, &Mask::Any, 1);
            world = after(&world, &edit);
        }
        assert_eq!(matter(&world), all);
        let is_high = |y: &i32| ids.is_ground(worlds::voxel(&world, IVec3::new(0, *y, 0)));
        heights.push((0..12).find(|y| !is_high(y)).unwrap_or(12));
    }
    assert!(heights[0] < 9 && heights[1] < heights[0], "{heights:?}");
}
