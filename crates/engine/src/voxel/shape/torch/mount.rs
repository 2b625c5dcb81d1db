//! Mounts of torches.

use crate::variants;
use crate::voxel::Face;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Mount of a torch: the floor, or the wall on one side of its voxel.
///
/// A voxel has no orientation, so each mount is a material of its own.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, VariantArray,
)]
pub enum TorchMount {
    /// Stands in the middle of the floor.
    #[default]
    Floor,
    /// Leans from the wall to the east.
    East,
    /// Leans from the wall to the west.
    West,
    /// Leans from the wall to the south.
    South,
    /// Leans from the wall to the north.
    North,
}

impl TorchMount {
    /// Half the thickness of the stick, in voxels.
    pub(crate) const HALF_THICKNESS: f32 = 1.0 / 16.0;
    /// Height of the stick, in voxels.
    pub const HEIGHT: f32 = 10.0 / 16.0;
    /// Half the width of the flame, in voxels.
    pub(crate) const FLAME_HALF_WIDTH: f32 = 2.0 / 16.0;
    /// Height of the tip of the flame above the foot, in voxels.
    pub(crate) const FLAME_HEIGHT: f32 = 13.0 / 16.0;
    /// Height of the foot on a wall, in voxels.
    pub(crate) const WALL_HEIGHT: f32 = 3.0 / 16.0;
    /// Horizontal distance from the wall that a leaning torch gains per unit of height.
    pub(crate) const LEAN: f32 = 0.4;

    /// All mounts, the floor first.
    pub const ALL: [TorchMount; 5] = variants::all();

    /// Side of the voxel on which the wall stands; `None` on the floor.
    #[must_use]
    pub const fn wall(self) -> Option<Face> {
        match self {
            TorchMount::Floor => None,
            TorchMount::East => Some(Face::East),
            TorchMount::West => Some(Face::West),
            TorchMount::South => Some(Face::South),
            TorchMount::North => Some(Face::North),
        }
    }

    /// Mount of a torch that is placed on this face of another voxel; `None` under a ceiling.
    #[must_use]
    pub const fn on_face(face: Face) -> Option<TorchMount> {
        match face {
            Face::Up => Some(TorchMount::Floor),
            Face::Down => None,
            // The wall is behind the torch.
            Face::East => Some(TorchMount::West),
            Face::West => Some(TorchMount::East),
            Face::South => Some(TorchMount::North),
            Face::North => Some(TorchMount::South),
        }
    }

    /// Offset from a point of a torch on the floor to the same point of a torch with this mount.
    /// `height` is the height of the point above the foot. In voxels.
    #[must_use]
    pub const fn shift(self, height: f32) -> Vec3 {
        let Some(wall) = self.wall() else { return Vec3::ZERO };
        // The foot touches the wall.
        let out = 0.5 - TorchMount::HALF_THICKNESS - TorchMount::LEAN * height;
        let normal = wall.normal();
        Vec3::new(normal.x as f32 * out, TorchMount::WALL_HEIGHT, normal.z as f32 * out)
    }

    /// Lowest and highest corner of the box around a torch and its flame, relative to its voxel.
    #[must_use]
    pub const fn bounds(self) -> [Vec3; 2] {
        const HALF: f32 = TorchMount::FLAME_HALF_WIDTH;
        let foot = self.shift(0.0);
        let tip = self.shift(TorchMount::FLAME_HEIGHT);
        let x = [0.5 + foot.x, 0.5 + tip.x];
        let z = [0.5 + foot.z, 0.5 + tip.z];
        let low = Vec3::new(x[0].min(x[1]) - HALF, foot.y, z[0].min(z[1]) - HALF);
        let high = Vec3::new(
            x[0].max(x[1]) + HALF,
            TorchMount::FLAME_HEIGHT + tip.y,
            z[0].max(z[1]) + HALF,
        );
        [
            Vec3::new(low.x.max(0.0), low.y.max(0.0), low.z.max(0.0)),
            Vec3::new(high.x.min(1.0), high.y.min(1.0), high.z.min(1.0)),
        ]
    }

    /// Ending of material names with this mount: none for `torch`, `_wall_east` for
    /// `torch_wall_east`.
    #[must_use]
    pub const fn name_ending(self) -> &'static str {
        match self {
            TorchMount::Floor => "",
            TorchMount::East => "_wall_east",
            TorchMount::West => "_wall_west",
            TorchMount::South => "_wall_south",
            TorchMount::North => "_wall_north",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_is_behind_the_face_that_carries_the_torch() {
        for face in Face::ALL {
            let expected = match face {
                Face::Up => Some(None),
                Face::Down => None,
                side => Some(Some(-side.normal())),
            };
            let wall = TorchMount::on_face(face).map(|mount| mount.wall().map(Face::normal));
            assert_eq!(wall, expected, "{face:?}");
        }
    }
}
