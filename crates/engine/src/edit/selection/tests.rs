//! Selections compared with their definitions, voxel by voxel.

use super::*;
use crate::voxel::{ChunkPos, WORLD_LIMIT, linear_offset};
use std::collections::BTreeSet;

fn voxels(selection: &Selection) -> BTreeSet<[i32; 3]> {
    let region = selection.region().expect("a region");
    let in_chunk = |pos: ChunkPos| {
        region
            .ranges(pos)
            .flatten()
            .map(move |index| (pos.origin() + linear_offset(index)).to_array())
    };
    region.chunks().flat_map(in_chunk).collect()
}

/// Voxels around the origin for which `is_selected` returns true.
fn expected(is_selected: impl Fn(IVec3) -> bool) -> BTreeSet<[i32; 3]> {
    let at = |i: i32| IVec3::new(i % 80, i / 6400, i / 80 % 80) - 40;
    (0..512_000).map(at).filter(|&at| is_selected(at)).map(|at| at.to_array()).collect()
}

fn marked(mut selection: Selection, points: &[[i32; 3]]) -> Selection {
    selection.set_first(points[0].into());
    for &point in &points[1..] {
        selection.set_second(point.into());
    }
    selection
}

/// A region that is not a box.
fn ball() -> Selection {
    let centre = IVec3::new(-31, 30, 2);
    Selection::from_region(Region::from_shape(&Ellipsoid {
        centre,
        radii: glam::DVec3::new(5.0, 3.0, 4.0),
    }))
}

fn kinds() -> [Selection; 6] {
    let ellipsoid =
        |is_sphere| Selection::Ellipsoid { centre: None, radii: IVec3::ZERO, is_sphere };
    [
        Selection::default(),
        Selection::Cuboid { corners: [None; 2], is_extended: true },
        Selection::Polygon { corners: Vec::new(), layers: [0; 2] },
        ellipsoid(false),
        ellipsoid(true),
        Selection::Cylinder { centre: None, radii: IVec2::ZERO, layers: [0; 2] },
    ]
}

#[test]
fn points_select_the_voxels_of_each_kind() {
    let points = [[-3, 4, 5], [10, -2, 1], [-5, 30, 3]];
    let [cuboid, extended, polygon, ellipsoid, sphere, cylinder] =
        kinds().map(|kind| marked(kind, &points));
    let between = |a: i32, b: i32, c: i32| (a.min(b)..=a.max(b)).contains(&c);
    assert_eq!(
        voxels(&cuboid),
        expected(|at| between(-3, -5, at.x) && between(4, 30, at.y) && between(5, 3, at.z))
    );
    assert_eq!(
        voxels(&extended),
        expected(|at| between(-5, 10, at.x) && between(-2, 30, at.y) && between(1, 5, at.z))
    );
    let sides = |at: IVec3| {
        let at = IVec2::new(at.x, at.z);
        let corner = |i: usize| IVec2::new(points[i % 3][0], points[i % 3][2]);
        [0, 1, 2].map(|i| (corner(i + 1) - corner(i)).perp_dot(at - corner(i)))
    };
    let in_triangle =
        |at| sides(at).iter().all(|&side| side >= 0) || sides(at).iter().all(|&side| side <= 0);
    assert_eq!(voxels(&polygon), expected(|at| between(-2, 30, at.y) && in_triangle(at)));
    let away = |at: IVec3, radii: [f64; 3]| {
        ((at - IVec3::new(-3, 4, 5)).as_dvec3() / glam::DVec3::from(radii)).length()
    };
    assert_eq!(voxels(&ellipsoid), expected(|at| away(at, [13.5, 26.5, 4.5]) <= 1.0));
    // The point is 26.15 voxels away from the centre.
    assert_eq!(voxels(&sphere), expected(|at| away(at, [27.5; 3]) <= 1.0));
    assert_eq!(
        voxels(&cylinder),
        expected(|at| between(-2, 30, at.y) && away(at.with_y(4), [13.5, 1.0, 4.5]) <= 1.0)
    );
    for selection in [cuboid, extended, ellipsoid, sphere, cylinder] {
        assert_eq!(
            selection.region().unwrap().bounds(),
            Some(selection.bounds().unwrap()),
            "{selection:?}"
        );
    }
}

#[test]
fn missing_points_are_reported() {
    for mut kind in kinds() {
        assert_eq!(kind.region(), Err(SelectionError::NoCorner("//pos1")), "{kind:?}");
        kind.set_first(IVec3::ONE);
        match kind {
            Selection::Cuboid { is_extended: false, .. } => {
                assert_eq!(kind.bounds(), Err(SelectionError::NoCorner("//pos2")));
            }
            _ => assert_eq!(voxels(&kind), BTreeSet::from([[1; 3]])),
        }
        kind.clear();
        assert_eq!(kind.bounds(), Err(SelectionError::NoCorner("//pos1")));
        // A further point alone makes a selection, except for a box.
        kind.set_second(IVec3::NEG_ONE);
        assert_eq!(kind.region().is_ok(), kind != marked_second());
    }
    assert_eq!(Selection::from_region(Region::default()), Selection::default());
    let mut region = ball();
    region.set_first(IVec3::ONE);
    assert_eq!(region, Selection::Cuboid { corners: [Some(IVec3::ONE), None], is_extended: false });
}

fn marked_second() -> Selection {
    Selection::Cuboid { corners: [None, Some(IVec3::NEG_ONE)], is_extended: false }
}

#[test]
fn shift_moves_every_voxel() {
    let by = IVec3::new(-7, 5, 33);
    let shapes = kinds().into_iter().chain([Selection::Path { points: Vec::new() }]);
    for mut selection in
        shapes.map(|kind| marked(kind, &[[-3, 4, 5], [6, -2, 1], [-5, 11, 3]])).chain([ball()])
    {
        assert_eq!(selection.region().unwrap().bounds(), selection.bounds().ok());
        let before = voxels(&selection);
        selection.shift(by).unwrap();
        let moved = before.into_iter().map(|at| (IVec3::from(at) + by).to_array()).collect();
        assert_eq!(voxels(&selection), moved, "{selection:?}");
        let unchanged = selection.clone();
        for far in [IVec3::splat(i32::MAX), IVec3::splat(i32::MIN), IVec3::X * (WORLD_LIMIT + 99)] {
            assert_eq!(selection.shift(far), Err(SelectionError::OutsideWorld));
        }
        assert_eq!(selection, unchanged);
    }
    let mut region = ball();
    assert_eq!(region.resize(IVec3::X, IVec3::ZERO), Err(SelectionError::Fixed));
}

#[test]
fn resize_moves_the_sides() {
    let bounds = |selection: &Selection| selection.bounds().unwrap();
    for corners in [[[-3, 4, 5], [6, -2, 1]], [[6, -2, 1], [-3, 4, 5]]] {
        let mut cuboid = marked(Selection::default(), &corners);
        let before = bounds(&cuboid);
        cuboid.resize(IVec3::new(1, 0, -2), IVec3::new(0, 7, -1)).unwrap();
        let expected =
            Box3 { min: before.min - IVec3::new(1, 0, -2), max: before.max + IVec3::new(0, 7, -1) };
        assert_eq!(bounds(&cuboid), expected);
        cuboid.resize(IVec3::splat(-100), IVec3::splat(-100)).unwrap();
        assert_eq!(bounds(&cuboid).volume(), 1, "one voxel stays");
    }
    let [_, extended, polygon, ellipsoid, sphere, cylinder] = kinds();
    let points = [[0, 0, 0], [4, 3, 2]];
    for kind in [extended, polygon, cylinder] {
        let mut selection = marked(kind, &points);
        let before = bounds(&selection);
        selection.resize(IVec3::Y * 2, IVec3::Y * 5).unwrap();
        assert_eq!(
            bounds(&selection),
            Box3 { min: before.min - IVec3::Y * 2, max: before.max + IVec3::Y * 5 }
        );
    }
    let mut polygon = marked(kinds()[2].clone(), &points);
    assert_eq!(polygon.resize(IVec3::X, IVec3::ZERO), Err(SelectionError::Fixed));
    for kind in [ellipsoid, sphere] {
        let mut selection = marked(kind, &points);
        let before = bounds(&selection);
        selection.resize(IVec3::splat(3), IVec3::splat(3)).unwrap();
        assert_eq!(bounds(&selection), Box3 { min: before.min - 3, max: before.max + 3 });
    }
    let mut far = marked(Selection::default(), &[[0, 0, 0], [WORLD_LIMIT - 1, 1, 1]]);
    assert_eq!(far.resize(IVec3::ZERO, IVec3::X), Err(SelectionError::OutsideWorld));
    assert_eq!(far.resize(IVec3::splat(i32::MAX), IVec3::X), Err(SelectionError::OutsideWorld));
}

#[test]
fn round_selections_grow_and_shrink_by_even_numbers_or_not_at_all() {
    let [_, _, _, ellipsoid, _, cylinder] = kinds();
    for (kind, axis) in [(ellipsoid, IVec3::Y), (cylinder, IVec3::X)] {
        let selection = marked(kind, &[[0, 0, 0], [4, 3, 5]]);
        let before = selection.bounds().unwrap();
        for (low, high) in
            [(0, 1), (1, 0), (0, -1), (-3, 0), (2, 1), (0, 2), (-4, 0), (3, 1), (1, -3)]
        {
            let mut resized = selection.clone();
            let result = resized.resize(axis * low, axis * high);
            let expected = if (low + high) % 2 == 0 {
                Box3 { min: before.min - axis * low, max: before.max + axis * high }
            } else {
                before
            };
            assert_eq!(result.is_ok(), (low + high) % 2 == 0, "{low} {high}");
            assert_eq!(resized.bounds(), Ok(expected), "{low} {high}");
        }
        let mut odd = selection.clone();
        assert_eq!(odd.resize(IVec3::ZERO, axis), Err(SelectionError::Odd));
        assert_eq!(odd, selection);
    }
}

#[test]
fn selections_that_are_too_large_take_no_memory() {
    for kind in kinds() {
        let selection = marked(
            kind,
            &[[-WORLD_LIMIT, -WORLD_LIMIT, 5], [WORLD_LIMIT - 1, WORLD_LIMIT - 1, -9]],
        );
        assert_eq!(selection.region(), Err(SelectionError::TooLarge), "{selection:?}");
    }
}
