//! Places and reach, after edits too.

use super::worlds::RandomWorld;
use crate::creatures::nav::plain::VoxelMoves;
use crate::creatures::tests::test_world::TestWorld;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// Compares places, and the reach of some of them to all, with a search.
fn check(world: &mut RandomWorld, sources: usize) {
    let places = world.places();
    assert_eq!(places.iter().filter(|&&at| !world.nav.is_place(at)).count(), 0);
    let known: usize =
        world.nav.chunks.iter().flatten().filter_map(|chunk| Some(chunk.places.as_ref()?.places as usize)).sum();
    assert_eq!(known, places.len());
    for _ in 0..sources.min(places.len()) {
        let from = places[world.below(places.len() as i32) as usize];
        let seen = VoxelMoves { world: &world.world, classes: &world.classes }.reachable(from);
        for &to in &places {
            assert_eq!(world.nav.can_reach(from, to), seen.contains(&to), "{from} to {to}");
        }
        let listed: rustc_hash::FxHashSet<IVec3> = world.nav.reachable_places(from).collect();
        assert_eq!(listed, seen, "{from}");
    }
}

#[test]
fn reach_of_random_worlds_is_that_of_a_search() {
    for seed in 0..2 {
        let mut world = RandomWorld::new(seed, IVec3::new(2, 2, 2));
        check(&mut world, 30);
        let counts = world.nav.reach_counts();
        assert!(counts.areas > 20 && counts.rows > 3 && counts.columns > 3, "{counts:?}");
    }
}

/// Edits a world and compares with a search, and with navigation made at once.
fn edit_and_check(seed: u64, chunks: IVec3, edits: usize, every: usize) {
    let mut world = RandomWorld::new(seed, chunks);
    let mut removed = Vec::new();
    for edit in 1..=edits {
        world.edit(&mut removed);
        if edit % every == 0 {
            let made = world.made_at_once();
            assert_eq!(world.nav.first_difference(&made), None, "edit {edit}");
            // Nodes and areas that were left over would differ in their number only.
            assert_eq!(world.nav.reach_counts(), made.reach_counts(), "edit {edit}");
            check(&mut world, 2);
        }
    }
}

#[test]
fn reach_stays_correct_through_edits() {
    edit_and_check(7, IVec3::new(2, 2, 1), 1_000, 50);
}

#[test]
#[ignore = "takes minutes; run it with --release after changes of navigation"]
fn reach_stays_correct_through_many_edits() {
    edit_and_check(8, IVec3::new(3, 2, 3), 100_000, 250);
}

/// Two chunks of stone, at x from -32 to 31, with air in a box.
fn tunnel(air: Box3) -> TestWorld {
    let mut world = World::new();
    [-1, 0].into_iter().for_each(|x| drop(world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR))));
    let mut world = TestWorld::new(world);
    world.fill(Box3 { min: IVec3::new(-32, 0, 0), max: IVec3::splat(32) }, "stone");
    world.fill(air, "air");
    world
}

#[test]
fn ledge_that_is_cut_far_from_a_border_is_entered_across_it() {
    for height in [0, 2] {
        // From one chunk into the next: level, or with a fall.
        let mut world = tunnel(Box3 { min: IVec3::new(-9, 5 + height, 5), max: IVec3::new(1, 7 + height, 6) });
        world.fill(Box3 { min: IVec3::new(0, 5, 5), max: IVec3::new(32, 7, 6) }, "air");
        let [west, near, far] = [(-5, 5 + height), (5, 5), (20, 5)].map(|(x, y)| IVec3::new(x, y, 5));
        assert!(world.nav.can_reach(west, far) && world.nav.can_reach(far, west) == (height == 0));
        // The larger part, which is not at the border, keeps the node.
        let cut = Box3 { min: IVec3::new(10, 5, 5), max: IVec3::new(11, 7, 6) };
        world.fill(cut, "stone");
        assert!(world.nav.can_reach(west, near) && world.nav.can_reach(near, west) == (height == 0));
        assert!(!world.nav.can_reach(west, far) && !world.nav.can_reach(far, west));
        world.fill(cut, "air");
        assert!(world.nav.can_reach(west, far));
    }
}

#[test]
fn ledge_is_divided_where_its_only_step_loses_head_room() {
    let mut world = tunnel(Box3 { min: IVec3::new(10, 5, 10), max: IVec3::new(16, 8, 11) });
    world.fill(Box3 { min: IVec3::new(16, 6, 10), max: IVec3::new(22, 8, 11) }, "air");
    let (low, high) = (IVec3::new(12, 5, 10), IVec3::new(20, 6, 10));
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
fn what_is_not_loaded_has_no_places() {
    let mut world = RandomWorld::new(3, IVec3::new(2, 1, 1));
    for pos in world.area.chunks() {
        world.world.remove(pos);
        world.nav.chunk_removed(pos);
        world.nav.update();
        check(&mut world, 3);
    }
    assert_eq!(world.nav.reach_counts(), Default::default());
    assert!(!world.nav.is_place(IVec3::ZERO) && world.nav.reachable_places(IVec3::ZERO).next().is_none());
}
