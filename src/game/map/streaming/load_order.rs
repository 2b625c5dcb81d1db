//! The order in which chunks are loaded.

use glam::{IVec3, Vec2};
use std::f32::consts::TAU;

/// Number of distinct directions of view.
const HEADINGS: i32 = 8;
/// Cost per chunk of vertical distance; horizontal distance costs 1. Small, so that columns become
/// complete one after another, because sunlight falls through a whole column at once.
const VERTICAL_COST: f32 = 0.25;
/// Square of the horizontal distance, in chunks, below which the direction of view does not matter.
const AROUND: f32 = 6.0;

/// Horizontal direction of view, rounded so that small turns keep the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Heading(i32);

impl Heading {
    /// The heading of a yaw in radians, to the left from north.
    pub fn from_yaw(yaw: f32) -> Heading {
        Heading(((yaw / TAU * HEADINGS as f32).round() as i32).rem_euclid(HEADINGS))
    }

    /// Unit vector along x and z.
    fn forward(self) -> Vec2 {
        let (sin, cos) = (self.0 as f32 / HEADINGS as f32 * TAU).sin_cos();
        Vec2::new(-sin, -cos)
    }
}

/// Cost of loading the chunk at `offset` from the player's chunk. Chunks are loaded in ascending
/// order of cost. It increases with the distance, and is up to twice as high behind the player as
/// ahead.
pub(super) fn cost(offset: IVec3, heading: Heading) -> f32 {
    let flat = Vec2::new(offset.x as f32, offset.z as f32);
    let distance = flat.length();
    // From 0 ahead to 1 behind. It changes gradually between neighbouring columns, because a chunk
    // is drawn only once all of its neighbours are loaded.
    let turn = if flat.length_squared() < AROUND {
        0.0
    } else {
        (1.0 - flat.dot(heading.forward()) / distance) / 2.0
    };
    distance * (1.0 + turn) + offset.y.abs() as f32 * VERTICAL_COST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_columns_and_those_ahead_are_loaded_first() {
        let north = Heading::from_yaw(0.0);
        let cost = |x, y, z| cost(IVec3::new(x, y, z), north);
        assert!(cost(0, 0, 0) < cost(0, 1, 0) && cost(0, 1, 0) < cost(1, 0, 0));
        assert!(cost(0, 7, 0) < cost(2, 0, 0), "the column of the player before others");
        assert_eq!(cost(2, 0, 1), cost(1, 0, -2), "all directions nearby");
        assert!(cost(0, 0, -8) < cost(8, 0, 0) && cost(8, 0, 0) < cost(0, 0, 8));
        assert_eq!(cost(0, 0, 8), 2.0 * cost(0, 0, -8));
    }

    #[test]
    fn heading_is_the_direction_of_the_view() {
        let forward = |yaw: f32| Heading::from_yaw(yaw).forward().round().as_ivec2().to_array();
        let quarter = TAU / 4.0;
        assert_eq!(
            [0.1, quarter, -quarter, 2.0 * quarter].map(forward),
            [[0, -1], [-1, 0], [1, 0], [0, 1]]
        );
        assert_eq!(Heading::from_yaw(TAU - 0.01), Heading::from_yaw(0.01));
    }
}
