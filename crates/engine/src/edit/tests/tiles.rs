//! Patterns of tiles compared with the copied voxels.

use crate::edit::region::{Ellipsoid, Region};
use crate::edit::{JobProgress, Mask, Pattern, Tiles, VoxelEdit};
use crate::voxel::{Box3, ChunkPos, Voxel, linear_index, linear_offset, local};
use crate::world::{Chunk, World};
use glam::{DVec3, IVec3};

/// A world of half-filled and full voxels in short runs, around the origin.
fn world() -> World {
    let mut world = World::new();
    for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }).chunks() {
        let seed =
            |at: IVec3| (at.x.div_euclid(3) * 7 + at.y * 5 + at.z * 11).rem_euclid(13) as u16;
        let voxel = |index: usize| {
            let number = seed(pos.origin() + linear_offset(index));
            Voxel::new(number % 5, if number < 7 { 255 } else { 99 })
        };
        world.insert(pos, Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))));
    }
    world
}

#[test]
fn tiles_repeat_the_box_around_the_clipboard() {
    let world = world();
    let progress = JobProgress::default();
    let edit = VoxelEdit::new(&world, 0, &progress);
    let whole = Box3 { min: IVec3::new(-5, -3, 20), max: IVec3::new(4, 5, 31) };
    let wide = Box3 { min: IVec3::new(-20, 0, -1), max: IVec3::new(30, 2, 1) };
    let ball = Ellipsoid { centre: IVec3::new(1, -1, 2), radii: DVec3::new(6.0, 4.0, 9.0) };
    for region in [Region::from_shape(&whole), Region::from_shape(&wide), Region::from_shape(&ball)]
    {
        for offset in [IVec3::ZERO, IVec3::new(7, -100, 3)] {
            let clipboard = edit.copy(&region, &Mask::Any, IVec3::new(9, 9, 9)).unwrap();
            let Box3 { min, max } = region.bounds().unwrap();
            let expected = |at: IVec3| {
                let from = at + offset;
                let axis = |i: usize| min[i] + from[i].rem_euclid(max[i] - min[i]);
                let source = IVec3::new(axis(0), axis(1), axis(2));
                if region.contains(source) { world.get(source) } else { Voxel::AIR }
            };
            let pattern = Pattern::Tiles(Tiles::new(clipboard, offset));
            for pos in [ChunkPos::new(0, 0, 0), ChunkPos::new(-1, 2, -3)] {
                let mut covered = 0;
                for (range, voxel) in pattern.runs(pos, [5..700, 900..32768]) {
                    for index in range {
                        let at = pos.origin() + linear_offset(index);
                        assert_eq!((voxel, pattern.at(at)), (expected(at), expected(at)), "{at}");
                        assert_eq!(linear_index(local(at)), index);
                        covered += 1;
                    }
                }
                assert_eq!(covered, 695 + 31868);
            }
            assert_eq!(pattern, pattern.clone());
        }
    }
    let nothing = edit.copy(&Region::default(), &Mask::Any, IVec3::ZERO).unwrap();
    let limits = [IVec3::MIN, IVec3::MAX];
    let empty = Pattern::Tiles(Tiles::new(nothing, IVec3::MIN));
    assert!(limits.iter().all(|&at| empty.at(at) == Voxel::AIR));
    let one = edit.copy(&Region::from_shape(&whole), &Mask::Any, IVec3::ZERO).unwrap();
    let tiles = limits.map(|offset| Pattern::Tiles(Tiles::new(one.clone(), offset)));
    assert!(tiles[0] != tiles[1]);
    for at in limits {
        for tiles in &tiles {
            // Extreme offsets do not overflow.
            _ = tiles.at(at);
        }
    }
}
