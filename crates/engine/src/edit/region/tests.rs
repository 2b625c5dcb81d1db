//! Regions compared with plain sets of voxels.

use super::*;
use crate::voxel::linear_offset;
use glam::{DVec3, IVec2};
use std::collections::HashSet;

mod bytes;
mod morphology;
mod solids;

pub(in crate::edit) type Voxels = HashSet<IVec3>;

/// Voxels of a box for which `is_inside` returns true.
pub(in crate::edit) fn voxels(area: Box3, is_inside: impl Fn(IVec3) -> bool) -> Voxels {
    let size = area.size();
    let at = |i: i32| area.min + IVec3::new(i % size.x, i / size.x / size.z, i / size.x % size.z);
    (0..area.volume() as i32).map(at).filter(|&at| is_inside(at)).collect()
}

fn all(region: &Region) -> Voxels {
    let in_chunk = |pos: ChunkPos| {
        region.ranges(pos).flatten().map(move |index| pos.origin() + linear_offset(index))
    };
    region.chunks().flat_map(in_chunk).collect()
}

pub(in crate::edit) fn check(region: &Region, expected: &Voxels) {
    let found = all(region);
    let wrong: Vec<&IVec3> = found.symmetric_difference(expected).take(3).collect();
    assert!(wrong.is_empty(), "{wrong:?} of {} and {} voxels", found.len(), expected.len());
    assert_eq!(region.volume(), expected.len() as u64);
    assert_eq!(region.is_empty(), expected.is_empty());
    let around = expected.iter().map(|&at| Box3 { min: at, max: at + 1 });
    let around = around.reduce(|a, b| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) });
    assert_eq!(region.bounds(), around);
    for pos in region.chunks() {
        region.chunks[&pos].check().expect("a sound tree");
        assert!(region.ranges(pos).next().is_some(), "{pos} has no voxel");
    }
}

fn shapes() -> Vec<(Region, Voxels)> {
    let area = Box3 { min: IVec3::splat(-48), max: IVec3::splat(48) };
    let block = Box3 { min: IVec3::new(-33, -5, -2), max: IVec3::new(40, 37, 34) };
    let ball = Ellipsoid { centre: IVec3::new(3, -2, 7), radii: DVec3::new(40.0, 21.5, 9.0) };
    let centre_distance =
        move |at: IVec3| ((at - ball.centre).as_dvec3() / (ball.radii + 0.5)).length_squared();
    let cylinder = Cylinder { base: IVec3::new(-7, -20, 1), radii: [38.0, 36.0], height: 41 };
    let from_axis = move |at: IVec3| {
        let away = (at - cylinder.base).as_dvec3() / DVec3::new(38.5, 1.0, 36.5);
        away.with_y(0.0).length_squared()
    };
    let triangle =
        Prism { corners: [(-30, -30), (31, -9), (4, 33)].map(IVec2::from).to_vec(), layers: -3..7 };
    let sides = |at: IVec2| {
        [0, 1, 2].map(|i| {
            (triangle.corners[(i + 1) % 3] - triangle.corners[i]).perp_dot(at - triangle.corners[i])
        })
    };
    vec![
        (Region::from_shape(&block), voxels(area, |at| block.contains(at))),
        (Region::from_shape(&ball), voxels(area, |at| centre_distance(at) <= 1.0)),
        (
            Region::from_shape(&cylinder),
            voxels(area, |at| from_axis(at) <= 1.0 && (-20..21).contains(&at.y)),
        ),
        (
            Region::from_shape(&triangle),
            voxels(area, |at| {
                (-3..7).contains(&at.y)
                    && sides(IVec2::new(at.x, at.z)).iter().all(|&side| side >= 0)
            }),
        ),
        (Region::default(), Voxels::new()),
    ]
}

#[test]
fn shapes_hold_the_voxels_of_their_definitions() {
    let chunks = shapes()
        .iter()
        .map(|(region, _)| region.chunks().filter(|&pos| region.holds_chunk(pos)).count())
        .sum::<usize>();
    assert!(chunks >= 2, "{chunks} chunks lie inside");
    for (region, expected) in shapes() {
        check(&region, &expected);
    }
}

#[test]
fn regions_combine_like_sets() {
    let shapes = shapes();
    for (a, of_a) in &shapes {
        for (b, of_b) in &shapes {
            check(&a.clone().union(b), &(of_a | of_b));
            check(&a.intersection(b), &(of_a & of_b));
            check(&a.difference(b), &(of_a - of_b));
        }
    }
}

#[test]
fn prism_may_cross_itself_and_be_empty() {
    let bow = Prism {
        corners: [(0, 0), (10, 10), (10, 0), (0, 10)].map(IVec2::from).to_vec(),
        layers: 0..1,
    };
    let region = Region::from_shape(&bow);
    for (x, z, is_inside) in
        [(5, 5, true), (1, 5, true), (9, 5, true), (5, 1, false), (5, 9, false), (10, 3, true)]
    {
        assert_eq!(region.contains(IVec3::new(x, 0, z)), is_inside, "{x}, {z}");
    }
    assert!(Region::from_shape(&Prism { corners: Vec::new(), layers: 0..9 }).is_empty());
    assert!(Region::from_shape(&Prism { layers: 3..3, ..bow }).is_empty());
}

#[test]
fn region_takes_less_memory_than_a_bit_per_voxel() {
    let ball = Region::from_shape(&Ellipsoid { centre: IVec3::ZERO, radii: DVec3::splat(288.0) });
    let block = Region::from_shape(&Box3 { min: IVec3::splat(-250), max: IVec3::splat(251) });
    for (region, part) in [(ball, 1), (block, 3)] {
        let bits = region.bytes() as u64 * 8;
        assert!(region.volume() > 100_000_000 && bits * part < region.volume(), "{bits} bits");
    }
}
