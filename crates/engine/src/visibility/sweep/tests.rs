//! The sweep in small hand-made worlds, and its shortcut compared with the thorough form.

use super::Sweeper;
use crate::random::Random;
use crate::visibility::{ChunkOcclusion, PortalGraph, bitset};
use crate::voxel::{Box3, ChunkPos, Voxel, linear_offset, local};
use crate::world::Chunk;
use glam::IVec3;

/// Returns the chunks of a box of 4^3 that a sweep from the voxel `from` finds.
fn swept(full: impl Fn(IVec3) -> bool, from: IVec3, view: i32) -> Vec<IVec3> {
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(4) };
    let occlusion = |pos: ChunkPos| {
        let voxel = |index| {
            if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR }
        };
        ChunkOcclusion::from_chunk(
            &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
            Voxel::is_full,
        )
    };
    let graph = PortalGraph::new(bounds, |pos| Some(occlusion(pos)));
    let centre = ChunkPos::containing(from);
    let cell = occlusion(centre).cell_at(local(from)).expect("an open voxel");
    let mut sweeper = Sweeper::default();
    let set = sweeper.sweep(&graph, centre, &cell, view);
    (0..64)
        .filter(|index| set.chunks[0] >> index & 1 == 1)
        .map(|index| graph.index().position(index).as_ivec3())
        .collect()
}

#[test]
fn sweep_in_open_world_sees_all_chunks_in_view() {
    assert_eq!(swept(|_| false, IVec3::splat(40), 8).len(), 64);
    assert_eq!(
        swept(|_| false, IVec3::splat(3), 2).len(),
        4 * (9 - 1),
        "a quarter disc, four chunks high"
    );
}

#[test]
fn sweep_stops_at_wall_and_corner() {
    let wall = swept(|at| at.x == 70, IVec3::splat(40), 8);
    assert!(wall.len() == 48 && wall.iter().all(|at| at.x < 3), "{wall:?}");
    // A corridor with a corner: chunks out of sight beyond the corner are not seen.
    let corridor = |at: IVec3| {
        let straight = (2..10).contains(&at.y) && (2..10).contains(&at.z) && at.x < 106;
        let turned = (2..10).contains(&at.y) && (98..106).contains(&at.x) && at.z >= 2;
        !(straight || turned)
    };
    let seen = swept(corridor, IVec3::new(3, 5, 5), 8);
    assert!(
        seen.contains(&IVec3::new(3, 0, 0)) && !seen.contains(&IVec3::new(3, 0, 2)),
        "{seen:?}"
    );
    assert!(swept(corridor, IVec3::new(100, 5, 5), 8).contains(&IVec3::new(3, 0, 3)));
}

/// Hills, shafts into the ground and tunnels: open blocks, whole faces and narrow passages.
fn hilly_world() -> PortalGraph {
    const SIDE: i32 = 9 * 32;
    let mut random = Random::new(11);
    let mut below = |n: i32| random.below(n as u32) as i32;
    let hills: [[i32; 4]; 24] =
        std::array::from_fn(|_| [below(SIDE), below(SIDE), 8 + below(60), 8 + below(60)]);
    let shafts: [[i32; 3]; 40] = std::array::from_fn(|_| [below(SIDE), below(SIDE), 2 + below(9)]);
    let away = |at: IVec3, x: i32, z: i32| IVec3::new((at.x - x).abs(), 0, (at.z - z).abs());
    // The height of each column, and whether it is a shaft.
    let column = |i: i32| {
        let at = IVec3::new(i % SIDE, 0, i / SIDE);
        let rises =
            hills.iter().map(|&[x, z, wide, up]| up - away(at, x, z).element_sum() * up / wide);
        let is_shaft = shafts.iter().any(|&[x, z, wide]| away(at, x, z).max_element() < wide);
        (70 + rises.fold(0, i32::max), is_shaft)
    };
    let columns: Vec<(i32, bool)> = (0..SIDE * SIDE).map(column).collect();
    PortalGraph::new(Box3 { min: IVec3::ZERO, max: IVec3::new(9, 7, 9) }, |pos| {
        // The index rounds sides up to even numbers.
        let last = SIDE - 1;
        let voxel = |index| {
            let at = pos.origin() + linear_offset(index);
            let (top, is_shaft) = columns[(at.z.min(last) * SIDE + at.x.min(last)) as usize];
            let is_tunnel = (24..30).contains(&at.y) && (at.x / 12 + at.z / 12) % 3 == 0;
            let open = at.y >= top || is_shaft && at.y > 20 || is_tunnel;
            (1, if open { Voxel::AIR } else { Voxel::full(1) })
        };
        Some(ChunkOcclusion::from_chunk(&Chunk::from_runs((0..32768).map(voxel)), Voxel::is_full))
    })
}

#[test]
fn shortcut_for_complete_faces_loses_nothing() {
    let graph = hilly_world();
    let mut quick = Sweeper::default();
    let mut thorough = Sweeper { thorough: true, ..Sweeper::default() };
    let mut found = 0;
    let mut expected = 0;
    for slot in 0..graph.index().len() {
        let pos = graph.index().position(slot);
        for cell in graph.occlusion().chunk(slot).rooms.cells() {
            let found_set = quick.sweep(&graph, pos, cell, 8);
            let expected_set = thorough.sweep(&graph, pos, cell, 8);
            assert_eq!(
                bitset::count_beyond(&expected_set.chunks, &found_set.chunks),
                0,
                "{pos:?}, {cell:?}"
            );
            found += bitset::count(&found_set.chunks);
            expected += bitset::count(&expected_set.chunks);
        }
    }
    assert!(
        found <= expected + expected / 100,
        "{found} chunks with the shortcut, {expected} without"
    );
}

#[test]
fn sweep_joins_beams_of_converging_tunnels() {
    // Two tunnels lead from the cell's hall into a second hall, whose back wall has a hole.
    let tunnels = |hole: IVec3| {
        move |at: IVec3| {
            let tunnel = at.z < 4 && ((0..4).contains(&at.y) || (12..16).contains(&at.y));
            let end = (at.y, at.z) == (hole.y, hole.z);
            match at.x {
                ..32 | 64..90 => at.y >= 32,
                32..64 => !tunnel,
                _ => !end,
            }
        }
    };
    let sees_through =
        |hole| swept(tunnels(hole), IVec3::new(3, 3, 3), 8).contains(&IVec3::new(3, 0, 0));
    assert!(sees_through(IVec3::new(0, 1, 1)), "behind the lower tunnel");
    assert!(sees_through(IVec3::new(0, 14, 1)), "behind the upper tunnel");
    assert!(!sees_through(IVec3::new(0, 14, 20)), "far to the side");
}
