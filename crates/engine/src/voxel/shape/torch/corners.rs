//! The corners of a torch: a stick with four sides and a top.
//!
//! The mesher emits the faces of a full block without the bottom. [`torch_corner`] moves their
//! corners: the sides towards the middle, the top down to the height of the stick, and on a wall
//! all corners by the lean. The sides keep the width of the voxel, so that their texture can show a
//! flame wider than the stick. `torch_corner` in `torch.wgsl` does the same for the shader.

use super::mount::TorchMount;
use crate::voxel::Face;
use crate::voxel::shape::moved_corner::MovedCorner;
use glam::{Vec2, Vec3};

/// Position and texture coordinates of a corner of a torch's face, numbered as in
/// [`Quad::vertices`](crate::mesh::Quad::vertices).
pub(in crate::voxel::shape) fn torch_corner(
    mount: TorchMount,
    face: Face,
    corner: u8,
) -> MovedCorner {
    let u = f32::from(corner & 1);
    let v = f32::from(corner >> 1);
    let low = 0.5 - TorchMount::HALF_THICKNESS;
    let high = 0.5 + TorchMount::HALF_THICKNESS;
    let across = |part: f32| low + 2.0 * TorchMount::HALF_THICKNESS * part;
    let upright = match face {
        Face::East => Vec3::new(high, v, u),
        Face::West => Vec3::new(low, v, u),
        Face::Up | Face::Down => Vec3::new(across(u), TorchMount::HEIGHT, across(v)),
        Face::South => Vec3::new(u, v, high),
        Face::North => Vec3::new(u, v, low),
    };
    let uv = match face {
        // The 2 x 2 texels at the core of the flame.
        Face::Up | Face::Down => Vec2::new(7.0 + 2.0 * u, 6.0 + 2.0 * v) / 16.0,
        // Not mirrored. Inset from the edge, so that the bottom row of texels does not wrap to the
        // top.
        Face::East | Face::North => Vec2::new(1.0 - u, 0.98 - 0.96 * v),
        Face::West | Face::South => Vec2::new(u, 0.98 - 0.96 * v),
    };
    MovedCorner { position: upright + mount.shift(upright.y), uv }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(mount: TorchMount, face: Face) -> [Vec3; 4] {
        [0, 1, 2, 3].map(|corner| torch_corner(mount, face, corner).position)
    }

    #[test]
    fn torch_on_the_floor_is_a_stick_in_the_middle() {
        let [low, .., high] = corners(TorchMount::Floor, Face::Up);
        assert_eq!(
            (low, high),
            (Vec3::new(0.4375, 0.625, 0.4375), Vec3::new(0.5625, 0.625, 0.5625))
        );
        for (face, at) in [(Face::East, 0.5625), (Face::West, 0.4375)] {
            assert!(
                corners(TorchMount::Floor, face).iter().all(|corner| corner.x == at),
                "{face:?}"
            );
        }
        assert!(corners(TorchMount::Floor, Face::South).iter().all(|corner| corner.z == 0.5625));
    }

    #[test]
    fn torch_on_a_wall_touches_it_below_and_leans_away_from_it() {
        for mount in [TorchMount::East, TorchMount::West, TorchMount::South, TorchMount::North] {
            let wall = mount.wall().unwrap();
            let distance = |at: Vec3| 0.5 - (at - 0.5).dot(wall.normal().as_vec3());
            let [foot, _, top, _] = corners(mount, wall);
            assert_eq!((distance(foot), foot.y), (0.0, TorchMount::WALL_HEIGHT), "{mount:?}");
            assert!(distance(top) > 0.3, "{mount:?}: {top}");
            let head = corners(mount, Face::Up);
            assert!(
                head.iter().all(|at| distance(*at) > 0.2
                    && at.y == TorchMount::WALL_HEIGHT + TorchMount::HEIGHT),
                "{head:?}"
            );
        }
    }
}
