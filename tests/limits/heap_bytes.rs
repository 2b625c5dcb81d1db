//! The bytes that trees and worlds report equal the bytes that they have allocated.

use crate::fuzzing::counting::live;
use stonerun_engine::metrics::WorldStats;
use stonerun_engine::random::Random;
use stonerun_engine::runs::{RunBuilder, RunTree};
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Runs `make`. Returns its result, and the bytes that this thread still holds because of it.
fn counted<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = live();
    let made = make();
    (made, usize::try_from(live() - before).expect("`make` frees no more than it allocates"))
}

fn assert_tree(what: &str, make: impl FnOnce() -> RunTree) {
    let before = live();
    let (tree, bytes) = counted(make);
    assert_eq!(tree.heap_bytes(), bytes, "{what}, {} runs", tree.run_count());
    let (mut copy, bytes) = counted(|| tree.clone());
    assert_eq!(bytes, 0, "a copy of {what} must share its memory");
    let (_, bytes) = counted(|| copy.set(77, Voxel::new(9999, 3)));
    assert_eq!(copy.heap_bytes(), bytes, "an edited copy of {what} must have its own memory");
    drop((tree, copy));
    assert_eq!(live(), before, "{what}: everything must be freed");
}

/// A tree of runs of 1 to 24 voxels, with `values` different values.
fn built(values: u32) -> RunTree {
    let mut builder = RunBuilder::new();
    let mut random = Random::new(1);
    while builder.position() < CHUNK_VOLUME {
        let len = (1 + random.below(24)).min((CHUNK_VOLUME - builder.position()) as u32);
        builder.push(len, Voxel::full(random.below(values) as u16));
    }
    builder.finish()
}

fn edited(values: u32, edits: usize) -> RunTree {
    let mut tree = built(values);
    for k in 0..edits {
        let at = k * 7919 % CHUNK_VOLUME;
        tree.set_range(
            at..(at + 1 + k % 50).min(CHUNK_VOLUME),
            Voxel::new((k % 40) as u16, (k % 5) as u8),
        );
    }
    tree
}

#[test]
fn tree_reports_its_allocated_bytes() {
    assert_tree("one value", || RunTree::uniform(Voxel::full(3)));
    assert_tree("two runs", || {
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set(0, Voxel::full(1));
        tree
    });
    assert_tree("back to one value", || {
        let mut tree = built(20);
        tree.set_range(1..CHUNK_VOLUME, Voxel::AIR);
        tree.set(0, Voxel::AIR);
        tree
    });
    for values in [2, 20, 256, 257, 900] {
        assert_tree("built", || built(values));
        for edits in [1, 100, 3000] {
            assert_tree("edited", || edited(values, edits));
            assert_tree("edited and shrunk", || {
                let mut tree = edited(values, edits);
                tree.shrink_to_fit();
                tree
            });
        }
    }
    assert_tree("all different", || {
        RunTree::from_runs((0..CHUNK_VOLUME as u32).map(|k| (1, Voxel::full(k as u16))))
    });
}

#[test]
fn built_and_shrunk_trees_have_no_spare_memory() {
    for values in [2, 256, 257, 900] {
        let tree = built(values);
        let mut shrunk = tree.clone();
        shrunk.shrink_to_fit();
        assert_eq!(tree.heap_bytes(), shrunk.heap_bytes(), "{values} values, built");
        let mut tree = edited(values, 3000);
        tree.shrink_to_fit();
        let fresh = RunTree::from_runs(tree.runs().map(|r| (r.len, r.voxel)));
        assert_eq!(tree.heap_bytes(), fresh.heap_bytes(), "{values} values, edited and shrunk");
    }
}

fn chunk(k: i32) -> Chunk {
    if k % 3 == 0 { Chunk::uniform(Voxel::full(1)) } else { built(2 + k as u32 % 400) }
}

fn pos(k: i32) -> ChunkPos {
    ChunkPos::new(k % 10 - 5, k / 100, k / 10 % 10 - 5)
}

fn said(world: &World) -> usize {
    WorldStats::from_world(world).sum.heap_bytes as usize + world.map_bytes()
}

#[test]
fn world_reports_its_allocated_bytes() {
    let before = live();
    let (mut world, bytes) = counted(|| {
        let mut world = World::new();
        for k in 0..500 {
            drop(world.insert(pos(k), chunk(k)));
        }
        world
    });
    assert_eq!((world.len(), said(&world)), (500, bytes));
    assert!(world.map_bytes() > 500 * 24, "the hash map must be counted");

    world.fill(Box3 { min: [-90, 3, -90].into(), max: [90, 50, 90].into() }, Voxel::full(7));
    assert_eq!(said(&world) as isize, live() - before, "after an edit of many chunks");

    let (copy, map) = counted(|| world.clone());
    assert_eq!(copy.map_bytes(), map, "a copy must have its own map and share the chunks");
    drop(copy);

    for k in 0..490 {
        world.remove(pos(k));
    }
    assert_eq!(said(&world) as isize, live() - before, "after most chunks were unloaded");
}

#[test]
fn map_bytes_are_exact_while_chunks_load_and_unload() {
    let before = live();
    let mut world = World::new();
    assert_eq!((world.map_bytes(), live()), (0, before));
    let air = Chunk::uniform(Voxel::AIR);
    let shared = live();
    // The map fills up. Then every step loads a chunk and drops the oldest chunks of the view,
    // which shrinks and grows. The map's allocation is compared at every step.
    let pos = |k: i32| ChunkPos::new(k * 7919 % 1009, k % 7, k * 104_729 % 997 - 500);
    let mut oldest = 0;
    let mut short = 0;
    for k in 0..20_000 {
        assert!(world.insert(pos(k), air.clone()).is_none(), "each step must load a new chunk");
        let view = if k / 440 % 2 == 0 { 440 } else { 10 };
        while oldest + view <= k {
            world.remove(pos(oldest));
            oldest += 1;
        }
        assert_eq!(world.map_bytes() as isize, live() - shared, "step {k}, {} chunks", world.len());
        short += usize::from(world.len() < 20);
    }
    assert!(short > 1000, "the view must be small for many steps");
}

/// The iteration table computes the size of the standard library's B-tree, whose nodes are private.
#[test]
fn computed_b_tree_bytes_match_the_allocation() {
    for len in [1usize, 11, 12, 100, 257, 3000, 30_000] {
        let (tree, bytes) = counted(|| {
            (0..len as u16).map(|k| (k, k / 3)).collect::<std::collections::BTreeMap<_, _>>()
        });
        let said = stonerun_lab::rivals::btree_node_bytes(len);
        assert!(
            said.abs_diff(bytes) * 20 <= bytes,
            "{len} entries: {said} reported, {bytes} allocated"
        );
        drop(tree);
    }
}
