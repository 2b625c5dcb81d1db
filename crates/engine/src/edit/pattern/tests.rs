//! Patterns compared with their definitions, voxel by voxel.

use super::*;
use crate::voxel::CHUNK_VOLUME;

fn voxels(count: u16) -> Vec<Voxel> {
    (1..=count).map(|material| Voxel::new(material, (material * 50) as u8)).collect()
}

fn patterns() -> Vec<Pattern> {
    let weighted: Vec<(f64, Voxel)> =
        voxels(3).into_iter().map(|voxel| (f64::from(voxel.material()), voxel)).collect();
    let gradient = |axis, from, to, count| {
        Pattern::Gradient(Gradient { axis, from, to, voxels: voxels(count), seed: 4 })
    };
    vec![
        Pattern::Voxel(Voxel::full(7)),
        Pattern::Mix(Mix::new(&weighted, 1).unwrap()),
        Pattern::Clouds(Clouds::new(&weighted, 6.0, 2).unwrap()),
        gradient(1, -40, 20, 4),
        gradient(0, 30, -30, 2),
        gradient(2, 3, 3, 3),
        gradient(1, 0, 5, 0),
        Pattern::Checker(Checker { side: 5, voxels: voxels(3) }),
        Pattern::Checker(Checker { side: 0, voxels: voxels(2) }),
        Pattern::Checker(Checker { side: 100, voxels: Vec::new() }),
    ]
}

#[test]
fn runs_equal_the_pattern_voxel_by_voxel() {
    let ranges = [0..1, 30..35, 64..96, 100..3000, CHUNK_VOLUME - 40..CHUNK_VOLUME];
    for pattern in patterns() {
        for pos in [ChunkPos::new(0, 0, 0), ChunkPos::new(-1, -2, 3), ChunkPos::new(1, 0, -1)] {
            let runs = pattern.runs(pos, ranges.iter().cloned());
            let voxels = runs
                .iter()
                .flat_map(|(range, voxel)| range.clone().map(move |index| (index, *voxel)));
            let expected = ranges.iter().cloned().flatten();
            let expected =
                expected.map(|index| (index, pattern.at(pos.origin() + linear_offset(index))));
            assert!(voxels.eq(expected), "{pattern:?} in {pos}");
            assert!(
                runs.windows(2)
                    .all(|pair| pair[0].0.end != pair[1].0.start || pair[0].1 != pair[1].1)
            );
        }
    }
}

#[test]
fn patterns_know_the_voxels_that_they_may_put() {
    for pattern in patterns() {
        let put: std::collections::HashSet<Voxel> = (0..20_000)
            .map(|i| pattern.at(IVec3::new(i % 40, i / 40 % 100 - 50, i / 4000)))
            .collect();
        for voxel in voxels(4).into_iter().chain([Voxel::AIR, Voxel::full(7)]) {
            let is_put = put.contains(&voxel);
            if matches!(&pattern, Pattern::Gradient(g) if g.from == g.to) && !is_put {
                // A gradient without width leaves out the voxels in the middle.
                continue;
            }
            assert_eq!(pattern.may_put(|other| other == voxel), is_put, "{pattern:?}: {voxel:?}");
        }
    }
}

#[test]
fn gradient_goes_from_the_first_voxel_to_the_last() {
    let at = |axis: usize, along: i32, i: i32| {
        let mut at = IVec3::new(i % 20, i / 400, i / 20 % 20);
        at[axis] = along;
        at
    };
    for (axis, from, to) in [(0, 10, 50), (1, -64, 64), (2, 5, -75)] {
        let gradient = Pattern::Gradient(Gradient { axis, from, to, voxels: voxels(3), seed: 1 });
        let share = |along: i32, material: u16| {
            let is_it = |&i: &i32| gradient.at(at(axis, along, i)).material() == material;
            (0..8000).filter(is_it).count() as f64 / 8000.0
        };
        let middle = (from + to) / 2;
        let quarter = from + (to - from) / 4;
        let before = from - (to - from);
        assert_eq!((share(from, 1), share(middle, 2), share(to, 3)), (1.0, 1.0, 1.0));
        assert_eq!((share(before, 1), share(to + (to - from), 3)), (1.0, 1.0));
        // At least a random choice among the 400 positions of the two other axes.
        assert!(
            (share(quarter, 1) - 0.5).abs() < 0.1 && share(quarter, 1) + share(quarter, 2) == 1.0
        );
    }
}

#[test]
fn clouds_give_each_voxel_its_share_in_connected_parts() {
    let weighted: Vec<(f64, Voxel)> = [1.0, 2.0, 5.0].into_iter().zip(voxels(3)).collect();
    let clouds = Pattern::Clouds(Clouds::new(&weighted, 8.0, 9).unwrap());
    let place = |i: i32| IVec3::new(i % 80 - 40, i / 80 % 80 - 40, i / 6400);
    let total = 80 * 80 * 40;
    for (weight, voxel) in weighted {
        let found =
            (0..total).filter(|&i| clouds.at(place(i)) == voxel).count() as f64 / f64::from(total);
        assert!((found - weight / 8.0).abs() < 0.04, "{found} of {voxel:?}");
    }
    let equal =
        (0..total).filter(|&i| clouds.at(place(i)) == clouds.at(place(i) + IVec3::X)).count();
    assert!(equal * 10 > total as usize * 8, "{equal} of {total} equal their neighbour");
}

#[test]
fn checker_alternates_on_all_axes() {
    let checker = Checker { side: 3, voxels: voxels(2) };
    for at in [IVec3::ZERO, IVec3::new(-1, 5, 7), IVec3::new(-30, -31, -32)] {
        for axis in IVec3::AXES {
            assert_ne!(checker.at(at), checker.at(at + axis * 3));
            assert_eq!(checker.at(at), checker.at(at + axis * 6));
        }
    }
    assert_eq!(checker.at(IVec3::new(0, 0, 0)), checker.at(IVec3::new(2, 2, 2)));
    assert_ne!(checker.at(IVec3::new(0, 0, 0)), checker.at(IVec3::new(-1, 0, 0)));
}
