//! Sequences of transforms, which are composed and applied to the copied voxels.

use super::*;

/// Asserts that two clipboards have the same voxels at the same offsets.
fn assert_same(after: &Clipboard, before: &Clipboard, what: &str) {
    assert!(
        voxels(after) == voxels(before),
        "{what}: {} of {} voxels",
        after.volume(),
        before.volume()
    );
}

fn turn(axis: DVec3, degrees: f64) -> Transform {
    Transform::turn(axis, degrees).unwrap()
}

fn all(clipboard: &Clipboard, transforms: &[Transform]) -> Clipboard {
    transforms.iter().fold(clipboard.clone(), |clipboard, step| transformed(&clipboard, *step))
}

#[test]
fn transforms_that_take_back_each_other_give_what_was_copied() {
    let (clipboard, _) = ball(5);
    let mirror = Transform::flip(Face::East);
    let scale = |x, y, z| Transform::scale(DVec3::new(x, y, z)).unwrap();
    let y45 = turn(DVec3::Y, 45.0);
    for (what, steps) in [
        ("45 and back", vec![y45, turn(DVec3::Y, -45.0)]),
        ("eight times 45", vec![y45; 8]),
        ("mixed axes", {
            let there = [(DVec3::Y, 30.0), (DVec3::X, 20.0), (DVec3::Z, -77.0), (DVec3::X, 5.0)];
            let back = there.iter().rev().map(|&(axis, degrees)| turn(axis, -degrees));
            there.iter().map(|&(axis, degrees)| turn(axis, degrees)).chain(back).collect()
        }),
        ("flips between turns", vec![y45, mirror, y45, mirror]),
        ("small and large again", vec![scale(0.25, 0.5, 0.3), scale(4.0, 2.0, 1.0 / 0.3)]),
        (
            "so small that nothing is left",
            vec![
                scale(1.0 / 1024.0, 1.0, 1.0),
                y45,
                turn(DVec3::Y, 315.0),
                scale(1024.0, 1.0, 1.0),
            ],
        ),
        ("a degree at a time", vec![turn(DVec3::Y, 1.0); 360]),
    ] {
        assert_same(&all(&clipboard, &steps), &clipboard, what);
    }
}

#[test]
fn sequence_equals_its_transforms_as_one() {
    let (clipboard, _) = ball(5);
    let steps = [
        turn(DVec3::Y, 45.0),
        Transform::flip(Face::North),
        turn(DVec3::X, 90.0),
        Transform::scale(DVec3::new(1.5, 1.0, 0.7)).unwrap(),
        turn(DVec3::new(1.0, 2.0, 3.0), 12.0),
    ];
    for count in 1..=steps.len() {
        let whole =
            steps[..count].iter().fold(Transform::IDENTITY, |whole, step| whole.then(*step));
        assert_same(
            &all(&clipboard, &steps[..count]),
            &transformed(&clipboard, whole),
            &format!("{count} steps"),
        );
    }
    // Two turns by 45 degrees are composed to a quarter turn, which loses no voxel.
    let quarter = all(&clipboard, &[turn(DVec3::Y, 45.0); 2]);
    assert_same(&quarter, &transformed(&clipboard, turn(DVec3::Y, 90.0)), "twice 45");
    assert_eq!(quarter.volume(), clipboard.volume());
}

#[test]
fn long_sequence_does_not_drift() {
    let (clipboard, before) = ball(3);
    let mut turned = clipboard.clone();
    for _ in 0..30 {
        turned = all(&turned, &[turn(DVec3::new(1.0, 1.0, 1.0), 120.0); 3]);
    }
    assert!(voxels(&turned) == before);
    let mut whole = Transform::IDENTITY;
    for _ in 0..1_000_000 {
        whole = whole.then(turn(DVec3::Y, 7.2)).without_rounding();
    }
    assert_eq!(whole.orientation().map(|(_, shift)| shift), Some(IVec3::ZERO));
}

#[test]
fn torches_that_were_without_a_mount_hang_on_their_walls_again() {
    let materials = MaterialTable::builtin();
    let torch = materials
        .iter()
        .find(|(_, material)| material.torch_mount() == Some(TorchMount::Floor))
        .unwrap()
        .0;
    let mut chunk = Chunk::uniform(Voxel::AIR);
    for (index, mount) in TorchMount::ALL.into_iter().enumerate() {
        chunk.set(index, Voxel::full(materials.with_mount(torch, mount).unwrap()));
    }
    let region = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::splat(6) });
    let clipboard = Clipboard::new([(ChunkPos::new(0, 0, 0), chunk)], region, IVec3::ZERO);
    let progress = JobProgress::default();
    for axis in DVec3::AXES {
        let steps = [turn(axis, 90.0), turn(axis, -90.0)];
        let there = clipboard.transformed(&steps[0], Some(&materials), &progress).unwrap();
        assert_eq!(there.volume(), clipboard.volume());
        let back = there.transformed(&steps[1], Some(&materials), &progress).unwrap();
        assert!(voxels(&back) == voxels(&clipboard), "about {axis}");
        let around = [turn(axis, 90.0); 4].iter().fold(clipboard.clone(), |clipboard, step| {
            clipboard.transformed(step, Some(&materials), &progress).unwrap()
        });
        assert!(voxels(&around) == voxels(&clipboard), "around {axis}");
    }
}
