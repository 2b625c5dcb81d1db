//! Tests of hollow, drain, fix liquid, fill, distribution and boxes.

use super::*;
use crate::edit::Pattern;
use crate::edit::Spread;
use crate::edit::operations::*;
use std::collections::HashSet;

const SIDES: [IVec3; 4] = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z];

/// Voxels that a search reaches from `seeds`. `steps` returns the steps allowed from a voxel.
fn searched(
    seeds: Vec<IVec3>,
    is_open: impl Fn(IVec3) -> bool,
    steps: impl Fn(IVec3) -> Vec<IVec3>,
) -> HashSet<IVec3> {
    let mut reached = HashSet::new();
    let mut queue = seeds;
    while let Some(at) = queue.pop() {
        if is_open(at) && reached.insert(at) {
            queue.extend(steps(at).into_iter().map(|step| at + step));
        }
    }
    reached
}

fn six(_: IVec3) -> Vec<IVec3> {
    [&SIDES[..], &[IVec3::Y, IVec3::NEG_Y]].concat()
}

fn falling(_: IVec3) -> Vec<IVec3> {
    [&SIDES[..], &[IVec3::NEG_Y]].concat()
}

/// True for air and for chunks that are not loaded, as in a world without a map.
fn is_air(world: &World, at: IVec3) -> bool {
    [Voxel::AIR, Voxel::NOT_LOADED].contains(&world.get(at))
}

fn with(world: &World, set: impl IntoIterator<Item = IVec3>, voxel: Voxel) -> World {
    let mut expected = world.clone();
    for at in set {
        expected.set(at, voxel);
    }
    expected
}

fn in_ball(centre: IVec3, radius: f64) -> impl Fn(IVec3) -> bool {
    move |at: IVec3| (at - centre).as_dvec3().length() <= radius + 0.5
}

#[test]
fn hollow_keeps_a_shell() {
    let world = hills();
    let is_matter = |at: IVec3| [STONE, DIRT, ORE].contains(&world.get(at).material());
    for region in regions() {
        let inside: Vec<IVec3> = voxels(ALL).filter(|&at| region.contains(at)).collect();
        let edge = inside
            .iter()
            .copied()
            .filter(|&at| six(at).iter().any(|&step| !region.contains(at + step)));
        let outside = searched(edge.collect(), |at| region.contains(at) && !is_matter(at), six);
        let mut outer: HashSet<IVec3> = outside;
        for thickness in 1..4 {
            let is_outer =
                |outer: &HashSet<IVec3>, at: IVec3| outer.contains(&at) || !region.contains(at);
            let kept: Vec<IVec3> = inside
                .iter()
                .copied()
                .filter(|&at| {
                    is_outer(&outer, at) || six(at).iter().any(|&step| is_outer(&outer, at + step))
                })
                .collect();
            outer.extend(kept);
            let filled = inside.iter().copied().filter(|at| !outer.contains(at));
            let expected = with(&world, filled, NEW);
            let matter = materials(&[STONE, DIRT, ORE]);
            let hollowed = |edit: &mut VoxelEdit<'_>| {
                hollow(edit, &region, &matter, thickness, &Pattern::Voxel(NEW))
            };
            assert!(check(&world, hollowed, &expected) > 0);
        }
    }
}

/// Positions at the surface of water.
fn shores(world: &World) -> Vec<IVec3> {
    let at_surface =
        |at: &IVec3| world.get(*at).material() == WATER && world.get(*at + IVec3::Y).is_air();
    voxels(Box3 { min: IVec3::new(-25, 2, -25), max: IVec3::new(50, 3, 50) })
        .filter(at_surface)
        .step_by(301)
        .collect()
}

#[test]
fn drain_and_fix_liquid_follow_connected_liquid() {
    let world = hills();
    let is_water = |at: IVec3| world.get(at).material() == WATER;
    let places = shores(&world);
    assert!(places.len() >= 2);
    for origin in places {
        let near: Vec<IVec3> = voxels(box_near(origin, 1)).collect();
        for radius in [3.0, 17.5] {
            let is_near = in_ball(origin, radius);
            let is_wet = |at: IVec3| world.get(at).liquid() > 0;
            let holds_water = |at: IVec3| is_near(at) && (is_water(at) || is_wet(at));
            let drained = searched(near.clone(), holds_water, six);
            assert!(!drained.is_empty());
            let mut expected = world.clone();
            for at in drained {
                let left = if is_water(at) { Voxel::AIR } else { Voxel::new(DIRT, 127) };
                expected.set(at, left);
            }
            check(&world, |edit| drain(edit, origin, radius, &materials(&[WATER])), &expected);

            let seeds = near.iter().copied().filter(|&at| is_water(at)).collect();
            let is_open = |at: IVec3| {
                let lets_in = is_water(at) || is_wet(at) || is_air(&world, at);
                is_near(at) && at.y <= origin.y && lets_in
            };
            let lake = searched(seeds, is_open, falling);
            // Wet ground is as wet as it can be before.
            let lake: HashSet<IVec3> = lake.into_iter().filter(|&at| !is_wet(at)).collect();
            let expected = with(&world, lake, Voxel::full(WATER));
            check(&world, |edit| fix_liquid(edit, origin, radius, WATER, true), &expected);
            assert_eq!(
                expected.get(origin),
                Voxel::full(WATER),
                "a half-filled voxel becomes full"
            );
        }
    }
}

#[test]
fn fill_goes_down_and_recursively_into_caves() {
    let world = hills();
    let is_air = |at: IVec3| is_air(&world, at);
    let holes: Vec<IVec3> =
        voxels(Box3 { min: IVec3::new(-20, -20, -20), max: IVec3::new(40, 20, 40) })
            .filter(|&at| is_air(at) && is_air(at - IVec3::Y))
            .step_by(20_011)
            .collect();
    assert!(holes.len() > 2);
    for origin in holes {
        for (radius, depth) in [(9.0, 6), (14.0, u32::MAX)] {
            let is_near = in_ball(origin, radius);
            let lowest = i64::from(origin.y) - i64::from(depth) + 1;
            let is_open = |at: IVec3| {
                is_near(at) && is_air(at) && at.y <= origin.y && i64::from(at.y) >= lowest
            };
            let down = |at: IVec3| if at.y == origin.y { falling(at) } else { vec![IVec3::NEG_Y] };
            let expected = with(&world, searched(vec![origin], is_open, down), NEW);
            check(
                &world,
                |edit| fill_hole(edit, origin, radius, depth, Spread::DOWN, &Pattern::Voxel(NEW)),
                &expected,
            );
            let expected = with(&world, searched(vec![origin], is_open, six), NEW);
            check(
                &world,
                |edit| fill_hole(edit, origin, radius, depth, Spread::ALL, &Pattern::Voxel(NEW)),
                &expected,
            );
        }
    }
    let progress = JobProgress::default();
    let mut edit = VoxelEdit::new(&world, 0, &progress);
    for radius in [1e300, f64::INFINITY, 1e9] {
        assert!(drain(&mut edit, IVec3::splat(-7), radius, &not_air()).is_err(), "{radius}");
    }
    for radius in [f64::NAN, -5.0] {
        assert_eq!(drain(&mut edit, IVec3::splat(-7), radius, &not_air()).unwrap(), 0, "{radius}");
    }
}

#[test]
fn distribution_counts_every_voxel() {
    let world = hills();
    let progress = JobProgress::default();
    let edit = VoxelEdit::new(&world, 0, &progress);
    for region in regions() {
        let found = Distribution::count(&edit, &region).unwrap();
        assert_eq!(found.total, region.volume());
        for &(voxel, count) in &found.voxels {
            let expected =
                voxels(ALL).filter(|&at| region.contains(at) && world.get(at) == voxel).count();
            assert_eq!(count as usize, expected, "{voxel:?}");
        }
        let by_material = found.by_material();
        assert_eq!(by_material.iter().map(|(_, count)| count).sum::<u64>(), found.total);
        assert!(
            by_material.windows(2).all(|pair| pair[0].1 >= pair[1].1)
                && by_material.len() < found.voxels.len()
        );
        let shares: f64 = by_material.iter().map(|&(_, count)| found.share(count)).sum();
        assert!((shares - 1.0).abs() < 1e-9);
    }
}

#[test]
fn boxes_have_the_sizes_of_worldedit() {
    let at = IVec3::new(-3, 10, 5);
    assert_eq!(box_above(at, 1, 4), Box3::spanning(at, at + IVec3::Y * 3));
    assert_eq!(
        box_above(at, 3, 1),
        Box3::spanning(at - IVec3::new(2, 0, 2), at + IVec3::new(2, 0, 2))
    );
    assert_eq!(
        box_below(at, 2, 4),
        Box3::spanning(at - IVec3::new(1, 3, 1), at + IVec3::new(1, 0, 1))
    );
    assert_eq!(box_near(at, 5), Box3::spanning(at - 5, at + 5));
    assert_eq!(box_near(IVec3::ONE, u32::MAX).max, IVec3::MAX);
    let area = Box3 { min: IVec3::new(-4, 0, -3), max: IVec3::new(3, 4, -2) };
    assert_eq!(centre_box(area), Box3 { min: IVec3::new(-1, 1, -3), max: IVec3::new(0, 3, -2) });
}
