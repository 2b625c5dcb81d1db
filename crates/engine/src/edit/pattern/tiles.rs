//! Patterns of copied voxels.

use crate::edit::clipboard::Clipboard;
use crate::voxel::{Box3, Voxel};
use glam::IVec3;

/// The box around a clipboard, repeated along all three axes. Air where no voxel belongs to the
/// clipboard.
#[derive(Clone, Debug)]
pub struct Tiles {
    clipboard: Clipboard,
    offset: IVec3,
}

/// Tiles are equal if they are the same pattern of the same clipboard.
impl PartialEq for Tiles {
    fn eq(&self, other: &Tiles) -> bool {
        self.offset == other.offset
            && self.clipboard.grid_bounds() == other.clipboard.grid_bounds()
            && self.clipboard.clipped_chunks().eq(other.clipboard.clipped_chunks())
    }
}

impl Tiles {
    /// The lowest corner of the clipboard's box at -`offset`, as in WorldEdit, and after each of its
    /// sides again.
    #[must_use]
    pub fn new(clipboard: Clipboard, offset: IVec3) -> Tiles {
        Tiles { clipboard, offset }
    }

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        self.run_along_x(at).0
    }

    /// The voxel for a place, and how many from there on along x are certainly equal.
    pub(super) fn run_along_x(&self, at: IVec3) -> (Voxel, usize) {
        let bounds @ Box3 { min, .. } = self.clipboard.grid_bounds();
        if bounds.is_empty() {
            return (Voxel::AIR, usize::MAX);
        }
        let size = bounds.size().as_i64vec3();
        let within = (at.as_i64vec3() + self.offset.as_i64vec3()).rem_euclid(size);
        let (voxel, len) = self.clipboard.run_along_x(min + within.as_ivec3());
        (voxel, len.min((size.x - within.x) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::region::{Ellipsoid, Region};
    use crate::edit::{JobProgress, Mask, Pattern, VoxelEdit};
    use crate::voxel::{ChunkPos, linear_index, linear_offset, local};
    use crate::world::{Chunk, World};
    use glam::DVec3;

    /// A world of half-filled and full voxels in short runs, around the origin.
    fn world() -> World {
        let mut world = World::new();
        for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }).chunks() {
            let seed = |at: IVec3| (at.x.div_euclid(3) * 7 + at.y * 5 + at.z * 11).rem_euclid(13) as u16;
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
        let (world, progress) = (world(), JobProgress::default());
        let edit = VoxelEdit::new(&world, 0, &progress);
        let whole = Box3 { min: IVec3::new(-5, -3, 20), max: IVec3::new(4, 5, 31) };
        let wide = Box3 { min: IVec3::new(-20, 0, -1), max: IVec3::new(30, 2, 1) };
        let ball = Ellipsoid { centre: IVec3::new(1, -1, 2), radii: DVec3::new(6.0, 4.0, 9.0) };
        for region in [Region::from_shape(&whole), Region::from_shape(&wide), Region::from_shape(&ball)] {
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
        let (empty, limits) = (Tiles::new(nothing, IVec3::MIN), [IVec3::MIN, IVec3::MAX]);
        assert!(limits.iter().all(|&at| empty.at(at) == Voxel::AIR));
        let one = edit.copy(&Region::from_shape(&whole), &Mask::Any, IVec3::ZERO).unwrap();
        let tiles = limits.map(|offset| Tiles::new(one.clone(), offset));
        assert!(tiles[0] != tiles[1]);
        limits.iter().for_each(|&at| tiles.iter().for_each(|tiles| _ = tiles.at(at)));
    }
}
