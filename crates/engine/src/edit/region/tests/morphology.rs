//! Grown, shrunk and moved regions compared with plain sets of voxels.

use super::*;
use crate::edit::region::{Metric, RegionError};
use crate::random::Random;
use crate::voxel::WORLD_LIMIT;

/// All offsets within a distance.
fn offsets(distance: i32, metric: Metric) -> Vec<IVec3> {
    let is_near = |at: IVec3| {
        let steps = at.abs();
        match metric {
            Metric::Manhattan => steps.element_sum() <= distance,
            Metric::Chebyshev => true,
            Metric::Euclidean => at.length_squared() <= distance * distance,
            Metric::Horizontal => at.y == 0 && steps.element_sum() <= distance,
        }
    };
    voxels(Box3 { min: IVec3::splat(-distance), max: IVec3::splat(distance + 1) }, is_near)
        .into_iter()
        .collect()
}

/// A cluster of boxes with holes, across the chunk borders at 0, -32 and 32.
fn cluster() -> (Region, Voxels) {
    let mut random = Random::new(7);
    let mut random = |range| random.below(range) as i32;
    let mut region = Region::default();
    let mut set = Voxels::new();
    for i in 0..14 {
        let min = IVec3::new(random(70) - 40, random(50) - 40, random(60) - 30);
        let part =
            Box3 { min, max: min + IVec3::new(random(16) + 1, random(16) + 1, random(16) + 1) };
        let these = voxels(part, |_| true);
        if i % 4 == 3 {
            region = region.difference(&Region::from_shape(&part));
            set = &set - &these;
        } else {
            region = region.union(&Region::from_shape(&part));
            set = &set | &these;
        }
    }
    (region, set)
}

const METRICS: [Metric; 4] =
    [Metric::Manhattan, Metric::Chebyshev, Metric::Euclidean, Metric::Horizontal];

#[test]
fn regions_grow_and_shrink_by_every_metric() {
    let (region, set) = cluster();
    for metric in METRICS {
        for distance in [0, 1, 4] {
            let near = offsets(distance, metric);
            let grown: Voxels =
                set.iter().flat_map(|&at| near.iter().map(move |&by| at + by)).collect();
            let is_inside = |at: IVec3| near.iter().all(|&by| set.contains(&(at + by)));
            let shrunk: Voxels = set.iter().copied().filter(|&at| is_inside(at)).collect();
            let distance = distance as u32;
            check(&region.grow(distance, metric).unwrap(), &grown);
            check(&region.shrink(distance, metric).unwrap(), &shrunk);
            check(&region.hollow(distance, metric).unwrap(), &(&set - &shrunk));
        }
        let near = offsets(1, metric);
        let edge = set
            .iter()
            .copied()
            .filter(|&at| near.iter().any(|&by| !set.contains(&(at + by))))
            .collect();
        match metric {
            Metric::Manhattan => check(&region.boundary(), &edge),
            Metric::Horizontal => check(&region.walls(), &edge),
            _ => {}
        }
    }
}

#[test]
fn far_distances_take_several_passes() {
    let dot = Region::from_shape(&Box3::spanning(IVec3::new(-1, 5, 31), IVec3::new(-1, 5, 31)));
    for (metric, distance) in
        [(Metric::Manhattan, 37), (Metric::Chebyshev, 33), (Metric::Euclidean, 32)]
    {
        let grown = dot.grow(distance, metric).unwrap();
        let expected: Voxels = offsets(distance as i32, metric)
            .into_iter()
            .map(|by| IVec3::new(-1, 5, 31) + by)
            .collect();
        check(&grown, &expected);
        assert_eq!(grown.shrink(distance, metric).unwrap(), dot, "{metric:?}");
        assert!(
            grown.shrink(distance + 1, metric).is_ok_and(|gone| gone.is_empty())
                || metric == Metric::Euclidean
        );
    }
    assert_eq!(dot.grow(33, Metric::Euclidean), Err(RegionError::Radius));
    let wide = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::new(32 * 30_000, 1, 1) });
    assert_eq!(wide.grow(64, Metric::Chebyshev), Err(RegionError::TooLarge));
}

#[test]
fn regions_move_by_any_offset() {
    let (region, set) = cluster();
    for by in
        [IVec3::new(1, -1, 31), IVec3::new(-64, 32, 0), IVec3::new(100, -17, -33), IVec3::ZERO]
    {
        check(&region.translate(by).unwrap(), &set.iter().map(|&at| at + by).collect());
    }
    assert_eq!(region.translate(IVec3::new(WORLD_LIMIT, 0, 0)), Err(RegionError::OutsideWorld));
    assert_eq!(region.translate(IVec3::splat(i32::MIN)), Err(RegionError::OutsideWorld));
    assert_eq!(Region::default().translate(IVec3::MAX), Ok(Region::default()));
}

#[test]
fn symmetric_difference_and_complement_equal_sets() {
    let (region, set) = cluster();
    let area = Box3 { min: IVec3::new(-20, -33, -7), max: IVec3::new(35, 9, 40) };
    let of_area = voxels(area, |_| true);
    check(&region.symmetric_difference(&Region::from_shape(&area)), &(&set ^ &of_area));
    check(&region.complement_in(area), &(&of_area - &set));
    check(&region.symmetric_difference(&region), &Voxels::new());
}
