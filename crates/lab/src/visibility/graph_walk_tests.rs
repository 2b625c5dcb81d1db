//! The graph walk in small hand-made worlds, compared with the sweep.

use super::RayScene;
use glam::IVec3;
use stonerun_engine::visibility::{ChunkOcclusion, Occluders, Rooms, Sweeper, bitset, graph_walk};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, linear_offset};

fn chunk(hides: impl Fn(IVec3) -> bool) -> ChunkOcclusion {
    let mut words = [0; CHUNK_VOLUME / 64];
    for index in (0..CHUNK_VOLUME).filter(|&index| hides(linear_offset(index))) {
        words[index / 64] |= 1 << (index % 64);
    }
    let occluders = Occluders::Some(words.into());
    ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }
}

/// Builds a world from `chunks` at (x, 0, z), with rock around them, and walks it from the chunk
/// (0, 0, 0).
fn visited(chunks: &[([i32; 2], ChunkOcclusion)]) -> (RayScene, Vec<u64>) {
    let solid = ChunkOcclusion { occluders: Occluders::All, rooms: Rooms::Solid };
    let scene = RayScene::new(IVec3::splat(16), 3, |pos| {
        let found = chunks.iter().find(|([x, z], _)| ChunkPos::new(*x, 0, *z) == pos);
        Some(found.map_or(solid.clone(), |(_, chunk)| chunk.clone()))
    });
    let visited = graph_walk(scene.graph().occlusion(), scene.centre(), &scene.cell().unwrap(), 3);
    (scene, visited)
}

fn contains(scene: &RayScene, bits: &[u64], x: i32, z: i32) -> bool {
    bitset::contains(bits, scene.graph().index().slot(ChunkPos::new(x, 0, z)).unwrap())
}

#[test]
fn graph_walk_follows_joined_faces_and_never_turns_back() {
    // A tunnel to the east that bends south and then west.
    let east = chunk(|at| at.z != 16 || at.y != 16);
    let bend = chunk(|at| at.y != 16 || (at.z != 16 || at.x > 16) && (at.x != 16 || at.z < 16));
    let back = chunk(|at| at.y != 16 || (at.z != 16 || at.x > 16) && (at.x != 16 || at.z > 16));
    let chunks = [([0, 0], east.clone()), ([1, 0], bend), ([1, 1], back), ([0, 1], east)];
    let (scene, visited) = visited(&chunks);
    let seen = |x, z| contains(&scene, &visited, x, z);
    assert!(
        seen(0, 0) && seen(1, 0) && seen(1, 1) && seen(-1, 0),
        "the rock at the tunnel's end is visited"
    );
    assert!(!seen(0, 1), "a step west after a step east");
    assert!(!seen(2, 0) && !seen(0, -1), "behind walls");
    assert_eq!(bitset::count(&visited), 4);
}

#[test]
fn graph_walk_misses_what_only_a_second_path_reaches() {
    // Both (1, 0) and (0, 1) lead to (1, 1), whose tunnel leads east. The path through (1, 0) comes
    // first and enters (1, 1) through a wall.
    let tunnel = chunk(|at| !(8..24).contains(&at.z) || !(8..24).contains(&at.y));
    let chunks = [
        ([0, 0], ChunkOcclusion::OPEN),
        ([1, 0], ChunkOcclusion::OPEN),
        ([0, 1], ChunkOcclusion::OPEN),
        ([1, 1], tunnel),
        ([2, 1], ChunkOcclusion::OPEN),
    ];
    let (scene, visited) = visited(&chunks);
    assert!(contains(&scene, &visited, 1, 1) && !contains(&scene, &visited, 2, 1));
    let mut sweeper = Sweeper::default();
    let swept = sweeper.sweep(scene.graph(), scene.centre(), &scene.cell().unwrap(), 3);
    assert!(contains(&scene, &swept.chunks, 2, 1), "the sweep contains it");
    let mut entries = Vec::new();
    scene.trace(glam::DVec3::new(2.5, 16.5, 30.5), glam::DVec3::new(30.0, 0.0, 11.0), &mut entries);
    let reached = scene.graph().index().slot(ChunkPos::new(2, 0, 1));
    assert!(entries.iter().any(|entry| Some(entry.chunk) == reached), "a ray reaches it");
}
