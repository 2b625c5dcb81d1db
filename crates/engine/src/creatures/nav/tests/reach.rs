//! Places and reach, before and after edits.

use super::worlds::RandomWorld;
use crate::creatures::nav::plain::VoxelMoves;
use glam::IVec3;

/// Compares all places, and the reach from `sources` of them, with a plain search.
fn check(world: &mut RandomWorld, sources: usize) {
    let places = world.places();
    assert_eq!(places.iter().filter(|&&at| !world.nav.is_place(at)).count(), 0);
    let known: usize = world
        .nav
        .chunks
        .iter()
        .flatten()
        .filter_map(|chunk| Some(chunk.places.as_ref()?.places as usize))
        .sum();
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

/// Edits a world, and compares with a plain search and with navigation built from scratch.
fn edit_and_check(seed: u64, chunks: IVec3, edits: usize, every: usize) {
    let mut world = RandomWorld::new(seed, chunks);
    let mut removed = Vec::new();
    for edit in 1..=edits {
        world.edit(&mut removed);
        if edit % every == 0 {
            let made = world.made_at_once();
            assert_eq!(world.nav.first_difference(&made), None, "edit {edit}");
            // Catches leftover nodes and areas, which change no answer.
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
    assert!(
        !world.nav.is_place(IVec3::ZERO)
            && world.nav.reachable_places(IVec3::ZERO).next().is_none()
    );
}
