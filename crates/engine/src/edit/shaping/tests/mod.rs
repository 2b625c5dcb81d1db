//! Shaping tools compared with their definitions applied voxel by voxel, on random worlds.

mod conserved;
mod examples;
mod plants;
mod reference;
mod worlds;

use super::*;
use crate::edit::region::{Ellipsoid, Region};
use crate::edit::{JobProgress, Mask, Pattern, PreparedEdit};
use crate::random::Random;
use crate::voxel::{Box3, Face, Voxel};
use crate::world::World;
use glam::{DVec3, I64Vec3};
use reference::Reference;
use std::sync::Arc;
use worlds::{Ids, materials, random_world};

/// Carries out a pass on a number of threads.
fn shaped(
    world: &World,
    shaping: &Shaping,
    area: &ShapingArea,
    mask: &Mask,
    threads: usize,
) -> PreparedEdit {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let progress = JobProgress::default();
        let mut edit = VoxelEdit::new(world, 0, &progress);
        edit.set_mask(mask.clone());
        edit.shape(shaping, area).expect("worlds in memory are readable");
        edit.finish("shape")
    })
}

/// The world after an edit.
fn after(world: &World, edit: &PreparedEdit) -> World {
    let mut after = world.clone();
    for change in &edit.changes {
        change.after.check().expect("a sound tree");
        after.insert(change.pos, change.after.clone());
    }
    after
}

fn random_place(random: &mut Random) -> IVec3 {
    IVec3::from_array(std::array::from_fn(|_| random.below(56) as i32 - 28))
}

fn random_area(random: &mut Random) -> ShapingArea {
    let centre = random_place(random);
    let brush = ShapingBrush {
        shape: [BrushShape::Ball, BrushShape::Cube, BrushShape::Cylinder][random.index(3)],
        radius: random.below(10),
        falloff: [0, 128, 256, random.below(257) as u16][random.index(4)],
    };
    match random.below(6) {
        0 => {
            let size = IVec3::from_array(std::array::from_fn(|_| random.below(20) as i32));
            let area = Box3::spanning(centre, centre + size);
            ShapingArea::Region(Arc::new(Region::from_shape(&area)))
        }
        1 => {
            let ball = Ellipsoid { centre, radii: DVec3::new(9.0, 6.5, 8.0) };
            ShapingArea::Region(Arc::new(Region::from_shape(&ball)))
        }
        2 => {
            let to = centre + IVec3::from_array(std::array::from_fn(|_| random.below(9) as i32));
            ShapingArea::Swept { brush: ShapingBrush { radius: 5, ..brush }, ends: [centre, to] }
        }
        _ => ShapingArea::dab(brush, centre),
    }
}

fn random_tool(random: &mut Random, number: u32) -> ShapingTool {
    let seed = random.draw();
    let normal =
        [IVec3::Y, IVec3::NEG_X, IVec3::new(2, -3, 1), IVec3::new(300, 9000, -2)][random.index(4)];
    let point = random_place(random) * 256 + random.below(256) as i32;
    match number % 10 {
        0 => ShapingTool::Add,
        1 => ShapingTool::Erode,
        2 => ShapingTool::Grow,
        3 => ShapingTool::Shrink,
        4 | 5 => ShapingTool::Smooth { reach: 1 + (seed & 1) as u8 },
        6 => ShapingTool::Flatten {
            plane: ShapingPlane::new(point.as_i64vec3(), normal),
            side: [FlattenSide::Both, FlattenSide::Raise, FlattenSide::Lower][random.index(3)],
        },
        7 => ShapingTool::Sculpt { normal, pushes: seed & 1 == 0 },
        8 => ShapingTool::Slope {
            points: [point, random_place(random) * 256].map(|at| at.as_i64vec3()),
        },
        _ => ShapingTool::Roughen { scale: 1 + (seed % 5) as u8, seed },
    }
}

fn random_shaping(random: &mut Random, tool: ShapingTool) -> Shaping {
    let ids = Ids::find();
    let matter = [None, Some(Pattern::Voxel(Voxel::full(ids.dirt)))][random.index(2)].clone();
    Shaping {
        strength: [256, 256, 1 + random.below(256) as u16][random.index(3)],
        ignores_liquids: random.below(2) == 0,
        mask: [Mask::Any, Mask::Any, Mask::Heights(-9..12)][random.index(3)].clone(),
        matter,
        ..Shaping::new(tool, Arc::new(ShapingMaterials::from_materials(&materials())))
    }
}

fn random_mask(random: &mut Random) -> Mask {
    let ids = Ids::find();
    let below = Mask::Neighbour {
        faces: vec![Face::Down],
        mask: Box::new(Mask::Materials(vec![ids.stone, ids.sand])),
    };
    [Mask::Any, Mask::Any, Mask::inverse(Mask::Materials(vec![ids.stone])), below][random.index(4)]
        .clone()
}

#[test]
fn tools_equal_their_definitions_on_random_worlds() {
    let mut changed = [0u64; 10];
    let mut plants_moved = 0;
    for number in 0..120 {
        let mut random = Random::new(u64::from(number));
        let world = random_world(&mut random);
        let tool = random_tool(&mut random, number);
        let shaping = random_shaping(&mut random, tool);
        let area = random_area(&mut random);
        let mask = random_mask(&mut random);
        let edit = shaped(&world, &shaping, &area, &mask, 1);
        assert_eq!(edit, shaped(&world, &shaping, &area, &mask, 2));
        changed[number as usize % 10] += edit.volume();
        let after = after(&world, &edit);
        let reference = Reference::new(&world, &shaping, &area);
        let both = mask.and(shaping.mask.clone());
        let before = plants::padded(&world);
        let mut expected = before.clone();
        for at in worlds::voxels(reference.bounds) {
            if worlds::accepts(&both, &world, at) {
                expected.set(at, reference.voxel(at));
            }
        }
        let moved = plants::follow(&before, &mut expected);
        plants_moved += moved.len();
        for at in worlds::voxels(reference.bounds).chain(moved.iter().copied()) {
            let expected = worlds::voxel(&expected, at);
            let found = worlds::voxel(&after, at);
            assert_eq!(found, expected, "{number}: {at}: {:?} in {area:?}", shaping.tool);
        }
        let outside = edit.changes.iter().flat_map(|change| {
            change.before.differing_ranges(&change.after).map(move |range| (change.pos, range))
        });
        for (pos, range) in outside {
            for index in range {
                let at = pos.origin() + crate::voxel::linear_offset(index);
                let is_inside = reference.bounds.contains(at) || moved.contains(&at);
                assert!(is_inside, "{number}: {at} changed outside the area");
            }
        }
    }
    assert!(changed.iter().all(|changed| *changed > 500), "{changed:?}");
    assert!(plants_moved > 20, "{plants_moved}");
}

#[test]
fn paint_changes_materials_of_a_share_of_the_ground_alone() {
    let mut random = Random::new(4);
    let ids = Ids::find();
    let world = random_world(&mut random);
    let area = ShapingArea::Region(Arc::new(Region::from_shape(&worlds::ALL)));
    for strength in [64, 256] {
        let mut shaping = random_shaping(&mut random, ShapingTool::Paint { seed: 9 });
        shaping.strength = strength;
        shaping.mask = Mask::Any;
        shaping.matter = Some(Pattern::Voxel(Voxel::full(ids.dirt)));
        let edit = shaped(&world, &shaping, &area, &Mask::Any, 2);
        let after = after(&world, &edit);
        let mut ground = 0u32;
        let mut painted = 0u32;
        for at in worlds::voxels(worlds::ALL) {
            let before = worlds::voxel(&world, at);
            let found = worlds::voxel(&after, at);
            if [ids.stone, ids.sand].contains(&before.material()) {
                ground += 1;
                painted += u32::from(found.material() == ids.dirt);
                assert_eq!(found.occupancy(), before.occupancy());
            } else {
                assert_eq!(found, before);
            }
        }
        let expected = ground * u32::from(strength) / 256;
        assert!(painted.abs_diff(expected) < ground / 50 + 1, "{painted} of {ground}");
        assert!(strength < 256 || painted == ground);
    }
}

#[test]
fn limits_of_numbers_give_no_panic() {
    let world = random_world(&mut Random::new(1));
    for tool in [
        ShapingTool::Add,
        ShapingTool::Smooth { reach: 255 },
        ShapingTool::Sculpt { normal: IVec3::MIN, pushes: false },
        ShapingTool::Slope { points: [I64Vec3::splat(i64::MIN), I64Vec3::splat(i64::MAX)] },
        ShapingTool::Roughen { scale: 0, seed: 0 },
        ShapingTool::Flatten {
            plane: ShapingPlane::new(I64Vec3::splat(i64::MAX), IVec3::ZERO),
            side: FlattenSide::Both,
        },
    ] {
        for centre in [IVec3::ZERO, IVec3::MAX, IVec3::MIN] {
            let brush = ShapingBrush { radius: 3, falloff: u16::MAX, ..ShapingBrush::ball(1) };
            let shaping =
                Shaping { strength: u16::MAX, ..random_shaping(&mut Random::new(0), tool.clone()) };
            let edit = shaped(&world, &shaping, &ShapingArea::dab(brush, centre), &Mask::Any, 1);
            assert!(centre == IVec3::ZERO || edit.changes.is_empty());
        }
    }
    let far = ShapingArea::Swept { brush: ShapingBrush::ball(9), ends: [IVec3::MIN, IVec3::MAX] };
    let progress = JobProgress::default();
    let tool = random_shaping(&mut Random::new(0), ShapingTool::Grow);
    assert!(VoxelEdit::new(&world, 0, &progress).shape(&tool, &far).is_err());
    let wide = ShapingBrush::ball(u32::MAX);
    assert_eq!(wide.bounds(IVec3::ZERO, IVec3::ZERO).size(), IVec3::splat(129));
}
