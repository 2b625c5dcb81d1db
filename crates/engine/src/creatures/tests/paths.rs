//! Paths of creatures for the overlay.

use super::test_world::TestWorld;
use crate::creatures::{Brightness, Purpose};
use glam::IVec3;

#[test]
fn creature_without_a_goal_shows_the_next_voxel_only() {
    let mut world = TestWorld::meadow();
    world.light =
        |at| Brightness { sun: 0, lamps: (13 - (at.x - 20).abs() / 2).clamp(0, 15) as u8 };
    world.place("cave_crawler", IVec3::new(20, 0, 20));
    world.place("sparrow", IVec3::new(20, 6, 24));
    world.minutes = 60;
    let mut shown = 0;
    for _ in 0..100 {
        world.run(2);
        for path in world.creatures.paths(&world.nav, IVec3::new(20, 0, 20), 20) {
            let [from, .., to] = path.voxels[..] else { panic!("{path:?}") };
            assert!(path.purpose == Purpose::Wander && from != to, "{path:?}");
            assert!(from.distance_squared(to) <= 14 * 14 * 2, "{path:?}");
            shown += 1;
        }
    }
    assert!(shown > 0);
}
