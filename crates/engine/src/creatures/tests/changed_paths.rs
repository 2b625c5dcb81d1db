//! Reach and flow fields after edits that cut or narrow a path.

use super::test_world::TestWorld;
use crate::creatures::nav::FlowField;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// Two chunks of stone, at x from -32 to 31, with air in a box.
fn tunnel(air: Box3) -> TestWorld {
    let mut world = World::new();
    for x in [-1, 0] {
        drop(world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR)));
    }
    let mut world = TestWorld::new(world);
    world.fill(Box3 { min: IVec3::new(-32, 0, 0), max: IVec3::splat(32) }, "stone");
    world.fill(air, "air");
    world
}

#[test]
fn ledge_that_is_cut_far_from_a_border_is_entered_across_it() {
    for height in [0, 2] {
        // A passage from one chunk into the next, level or with a fall.
        let mut world =
            tunnel(Box3 { min: IVec3::new(-9, 5 + height, 5), max: IVec3::new(1, 7 + height, 6) });
        world.fill(Box3 { min: IVec3::new(0, 5, 5), max: IVec3::new(32, 7, 6) }, "air");
        let [west, near, far] =
            [(-5, 5 + height), (5, 5), (20, 5)].map(|(x, y)| IVec3::new(x, y, 5));
        assert!(world.nav.can_reach(west, far) && world.nav.can_reach(far, west) == (height == 0));
        // The larger part keeps the node, although only the smaller part touches the border.
        let cut = Box3 { min: IVec3::new(10, 5, 5), max: IVec3::new(11, 7, 6) };
        world.fill(cut, "stone");
        assert!(
            world.nav.can_reach(west, near) && world.nav.can_reach(near, west) == (height == 0)
        );
        assert!(!world.nav.can_reach(west, far) && !world.nav.can_reach(far, west));
        world.fill(cut, "air");
        assert!(world.nav.can_reach(west, far));
    }
}

#[test]
fn ledge_is_divided_where_its_only_step_loses_head_room() {
    let mut world = tunnel(Box3 { min: IVec3::new(10, 5, 10), max: IVec3::new(16, 8, 11) });
    world.fill(Box3 { min: IVec3::new(16, 6, 10), max: IVec3::new(22, 8, 11) }, "air");
    let low = IVec3::new(12, 5, 10);
    let high = IVec3::new(20, 6, 10);
    assert!(world.nav.can_reach(low, high) && world.nav.can_reach(high, low));
    let head = Box3::spanning(IVec3::new(15, 7, 10), IVec3::new(15, 7, 10));
    world.fill(head, "stone");
    assert!(!world.nav.can_reach(low, high) && !world.nav.can_reach(high, low));
    assert_eq!(world.nav.reach_counts().nodes, 2);
    world.fill(head, "air");
    assert!(world.nav.can_reach(low, high) && world.nav.can_reach(high, low));
    assert_eq!(world.nav.reach_counts().nodes, 1);
}

#[test]
fn flow_field_is_out_of_date_once_a_move_inside_a_ledge_ends() {
    let mut world = TestWorld::meadow();
    // A single step up, and a detour over a longer stair of the same ledge.
    world.fill(Box3 { min: IVec3::new(1, 0, 0), max: IVec3::new(4, 1, 4) }, "stone");
    world.fill(Box3 { min: IVec3::new(-1, 3, -1), max: IVec3::new(6, 8, 6) }, "stone");
    let field = FlowField::new(&world.nav, IVec3::new(2, 1, 0), 100);
    assert_eq!(field.next(&world.nav, IVec3::ZERO), Some(IVec3::new(1, 1, 0)));
    assert!(field.is_current(&world.nav));
    let nodes = world.nav.reach_counts();
    // Takes the head room of a body that steps up.
    world.fill(Box3 { min: IVec3::new(0, 2, 0), max: IVec3::new(1, 3, 1) }, "stone");
    assert!(world.nav.reach_counts() == nodes && world.nav.is_place(IVec3::ZERO));
    assert!(!field.is_current(&world.nav));
}

#[test]
fn flow_field_is_out_of_date_once_one_of_several_moves_between_two_rows_ends() {
    let mut world = TestWorld::meadow();
    // Steps up from several places of the row at z = 10, below a ceiling.
    world.fill(Box3 { min: IVec3::new(8, 0, 11), max: IVec3::new(12, 1, 14) }, "stone");
    world.fill(Box3 { min: IVec3::new(5, 3, 5), max: IVec3::new(15, 8, 15) }, "stone");
    let from = IVec3::new(11, 0, 10);
    let to = IVec3::new(11, 1, 11);
    let field = FlowField::new(&world.nav, to, 100);
    assert_eq!(field.next(&world.nav, from), Some(to));
    // Takes the head room of a body that steps up from the last of these places.
    world.fill(Box3::spanning(from + 2 * IVec3::Y, from + 2 * IVec3::Y), "stone");
    assert!(world.nav.is_place(from) && !field.is_current(&world.nav));
    assert_ne!(FlowField::new(&world.nav, to, 100).next(&world.nav, from), Some(to));
}
