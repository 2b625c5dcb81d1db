//! Transforms of clipboards compared with plain maps of voxels.

mod composed;

use super::*;
use crate::edit::region::Ellipsoid;
use crate::edit::{EditError, JobProgress};
use crate::voxel::{Face, MaterialTable, TorchMount, linear_offset};
use glam::{DMat3, DVec3};
use std::collections::HashMap;

type Voxels = HashMap<IVec3, Voxel>;

/// Clipboard with a ball across chunk borders, and its voxels by offset.
fn ball(materials: u16) -> (Clipboard, Voxels) {
    let origin = IVec3::new(-4, 7, 33);
    let region = Region::from_shape(&Ellipsoid {
        centre: IVec3::new(2, 3, 29),
        radii: DVec3::new(13.0, 8.0, 10.0),
    });
    let voxel = |at: IVec3| {
        let hash = (at.x * 7 + at.y * 31 + at.z * 57).rem_euclid(97) as u16;
        if at.x < -2 {
            Voxel::full(1)
        } else {
            Voxel::new(hash % materials, [255, 127, 9][usize::from(hash % 3)])
        }
    };
    let chunk = |pos: ChunkPos| {
        Chunk::from_runs((0..32_768).map(|i| (1, voxel(pos.origin() + linear_offset(i)))))
    };
    let chunks: Vec<_> = region.chunks().map(|pos| (pos, chunk(pos))).collect();
    let clipboard = Clipboard::new(chunks, region, origin);
    let voxels = voxels(&clipboard);
    assert!(clipboard.size().cmpgt(IVec3::splat(15)).all() && voxels.len() > 3000);
    assert!(voxels.iter().all(|(&offset, &found)| found == voxel(origin + offset)));
    (clipboard, voxels)
}

/// All voxels of the clipboard by offset.
fn voxels(clipboard: &Clipboard) -> Voxels {
    let mut voxels = Voxels::new();
    clipboard.for_each_run(|pos, run| {
        for index in run.start..run.end() {
            let offset = pos.origin() + linear_offset(index as usize) - clipboard.origin();
            assert_eq!(clipboard.voxel(offset), Some(run.voxel));
            voxels.insert(offset, run.voxel);
        }
    });
    assert_eq!(voxels.len() as u64, clipboard.volume());
    voxels
}

fn transformed(clipboard: &Clipboard, transform: Transform) -> Clipboard {
    let after = clipboard.transformed(&transform, None, &JobProgress::default()).unwrap();
    for (_, chunk) in after.clipped_chunks() {
        chunk.check().expect("a sound tree");
    }
    after
}

#[test]
fn turns_and_flips_move_every_voxel() {
    let (clipboard, before) = ball(5);
    let turn = |axis, degrees| Transform::turn(axis, degrees).unwrap();
    type Place = fn(IVec3) -> IVec3;
    let cases: [(Transform, Place); 6] = [
        (turn(DVec3::Y, 90.0), |v| IVec3::new(v.z, v.y, -v.x)),
        (turn(DVec3::X, -90.0), |v| IVec3::new(v.x, v.z, -v.y)),
        (turn(DVec3::Z, 180.0), |v| IVec3::new(-v.x, -v.y, v.z)),
        (Transform::flip(Face::East), |v| IVec3::new(-v.x, v.y, v.z)),
        (Transform::flip(Face::Down), |v| IVec3::new(v.x, -v.y, v.z)),
        (turn(DVec3::Y, 90.0).then(Transform::flip(Face::South)).then(turn(DVec3::Z, 90.0)), |v| {
            IVec3::new(-v.y, v.z, v.x)
        }),
    ];
    for (transform, place) in cases {
        let expected: Voxels =
            before.iter().map(|(&offset, &voxel)| (place(offset), voxel)).collect();
        let after = transformed(&clipboard, transform);
        assert!(voxels(&after) == expected, "{transform:?}");
    }
}

#[test]
fn scaled_voxels_are_blocks_from_the_corner_of_the_origin() {
    let (clipboard, before) = ball(4);
    let doubled =
        voxels(&transformed(&clipboard, Transform::scale(DVec3::new(2.0, 3.0, 1.0)).unwrap()));
    assert_eq!(doubled.len(), 6 * before.len());
    for (offset, voxel) in &doubled {
        assert_eq!(before.get(&offset.div_euclid(IVec3::new(2, 3, 1))), Some(voxel), "{offset}");
    }
    // A scale by a third keeps the middle voxel of each three.
    let third =
        voxels(&transformed(&clipboard, Transform::scale(DVec3::splat(1.0 / 3.0)).unwrap()));
    let expected =
        before.iter().filter(|(offset, _)| offset.rem_euclid(IVec3::splat(3)) == IVec3::ONE);
    let expected: Voxels =
        expected.map(|(offset, &voxel)| (offset.div_euclid(IVec3::splat(3)), voxel)).collect();
    assert!(third == expected && third.len() > 50);
}

#[test]
fn turned_by_any_angle_each_voxel_is_the_one_at_its_centre() {
    let (clipboard, before) = ball(4);
    let axis = DVec3::new(1.0, 2.0, -0.5);
    let steps = Transform::turn(axis, 33.0)
        .unwrap()
        .then(Transform::scale(DVec3::new(1.3, 0.8, 1.0)).unwrap());
    let after = voxels(&transformed(&clipboard, steps));
    // Inverse of the transform, computed step by step.
    let back = DMat3::from_axis_angle(axis.normalize(), -33f64.to_radians());
    let source =
        |offset: IVec3| back * ((offset.as_dvec3() + 0.5) / DVec3::new(1.3, 0.8, 1.0) - 0.5) + 0.5;
    let mut compared = 0;
    let reach = 25;
    for index in 0..(2 * reach + 1i32).pow(3) {
        let side = 2 * reach + 1;
        let offset = IVec3::new(index % side, index / side % side, index / side / side) - reach;
        let at = source(offset);
        // Skips centres on a border, where rounding decides.
        if (at - at.round()).abs().min_element() > 1e-9 {
            assert_eq!(after.get(&offset), before.get(&at.floor().as_ivec3()), "{offset}");
            compared += usize::from(after.contains_key(&offset));
        }
    }
    assert_eq!(compared, after.len());
}

#[test]
fn torches_turn_with_their_walls() {
    let materials = MaterialTable::builtin();
    let torch =
        materials.iter().find(|(_, m)| m.torch_mount() == Some(TorchMount::East)).unwrap().0;
    let [east, north] = [TorchMount::East, TorchMount::North]
        .map(|mount| materials.with_mount(torch, mount).unwrap());
    let mut chunk = Chunk::uniform(Voxel::AIR);
    chunk.set(5, Voxel::new(east, 99));
    let region = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::splat(8) });
    let clipboard = Clipboard::new([(ChunkPos::new(0, 0, 0), chunk)], region, IVec3::ZERO);
    let progress = JobProgress::default();
    let turn = Transform::turn(DVec3::Y, 90.0).unwrap();
    let turned = clipboard.transformed(&turn, Some(&materials), &progress).unwrap();
    assert_eq!(turned.voxel(IVec3::new(0, 0, -5)), Some(Voxel::new(north, 99)));
    let unknown = clipboard.transformed(&turn, None, &progress).unwrap();
    assert_eq!(unknown.voxel(IVec3::new(0, 0, -5)), Some(Voxel::new(east, 99)));
    let slanted = Transform::turn(DVec3::Y, 80.0).unwrap();
    let slanted = clipboard.transformed(&slanted, Some(&materials), &progress).unwrap();
    assert!(voxels(&slanted).values().any(|&voxel| voxel == Voxel::new(north, 99)));
}

#[test]
fn result_that_is_too_large_and_cancelled_jobs_are_refused() {
    let (clipboard, _) = ball(4);
    let progress = JobProgress::default();
    let large = Transform::scale(DVec3::splat(1024.0)).unwrap();
    let refused =
        |transform: Transform| clipboard.transformed(&transform, None, &progress).unwrap_err();
    assert!(matches!(refused(large), EditError::TooLarge));
    let endless = (0..200).fold(large, |transform, _| transform.then(large));
    assert!(matches!(refused(endless), EditError::TooLarge));
    let tiny = Transform::scale(DVec3::splat(1.0 / 1024.0)).unwrap();
    let vanishing = (0..200).fold(tiny, |transform, _| transform.then(tiny));
    assert!(
        clipboard.transformed(&vanishing, None, &progress).is_ok_and(|result| result.volume() <= 8)
    );
    progress.cancel();
    assert!(matches!(refused(Transform::flip(Face::Up)), EditError::Cancelled));
    assert!(matches!(refused(Transform::turn(DVec3::Y, 5.0).unwrap()), EditError::Cancelled));
}
