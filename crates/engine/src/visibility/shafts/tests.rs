//! Refinement of a row of chunks behind hand-made walls.

use super::refine;
use crate::visibility::{Cell, ChunkOcclusion, PortalGraph, bitset};
use crate::voxel::{Box3, ChunkPos, Voxel, linear_offset};
use crate::world::Chunk;
use glam::IVec3;

/// True for each chunk of a row along x that is seen from a cell of 8^3 voxels in the corner of the
/// first chunk.
fn seen(full: impl Fn(IVec3) -> bool) -> Vec<bool> {
    seen_from([0; 3], full)
}

/// Result of [`seen`] from a cell of 8^3 voxels at `lo`.
fn seen_from(lo: [u8; 3], full: impl Fn(IVec3) -> bool) -> Vec<bool> {
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 1, 1) };
    let graph = PortalGraph::new(bounds, |pos| {
        let voxel = |index| {
            if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR }
        };
        Some(ChunkOcclusion::from_chunk(
            &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
            Voxel::is_full,
        ))
    });
    let cell = Cell { room: 0, section: 0, lo, hi: lo.map(|lo| lo + 8) };
    let refined = refine(graph.occlusion(), ChunkPos::default(), &cell, &[0b1111]);
    (0..4).map(|index| bitset::contains(&refined, index)).collect()
}

#[test]
fn wall_hides_chunks_behind_it() {
    assert_eq!(seen(|_| false), [true; 4]);
    assert_eq!(seen(|at| at.x == 40), [true, true, false, false]);
    assert_eq!(seen(|at| at.x == 40 && (at.y, at.z) != (6, 3)), [true; 4]);
    assert_eq!(
        seen(|at| at.x == 96),
        [true, true, true, true],
        "the near side of the wall is seen"
    );
    assert_eq!(seen(|at| at.x == 95), [true, true, true, false]);
}

#[test]
fn two_partial_walls_hide_together() {
    // Each wall leaves a gap, but lines over the first run into the second.
    let walls = |at: IVec3, second: i32| at.x == 40 && at.y < 14 || at.x == 80 && at.y >= second;
    assert_eq!(seen(|at| walls(at, 10)), [true, true, true, false]);
    assert_eq!(seen(|at| walls(at, 30)), [true; 4]);
}

#[test]
fn narrow_gaps_are_not_missed() {
    // The steepest line passes the cell's edge at (8, 0) and the edge of a hole at (41, 5) and is
    // 10 high at x = 74. Whether it passes a second hole, 10 to 11 high, depends on 5/33 of a
    // voxel.
    for (second, through) in [(73, false), (75, true)] {
        let walls = |at: IVec3| at.x == 40 && at.y != 4 || at.x == second && at.y != 10;
        assert_eq!(seen(walls)[3], through, "at {second}");
        let mirrored = seen_from([0, 24, 0], |at| walls(at.with_y(31 - at.y)));
        assert_eq!(mirrored[3], through, "at {second}, mirrored");
        let rotated = seen(|at| walls(IVec3::new(at.x, at.z, at.y)));
        assert_eq!(rotated[3], through, "at {second}, rotated");
    }
}

#[test]
fn lines_leaving_through_sides_of_the_cell_are_not_missed() {
    // A wall right in front of the cell: all lines leave through the cell's upper side.
    assert_eq!(seen(|at| at.x == 9 && at.y < 9), [true; 4]);
    let tunnel = |at: IVec3| at.x > 8 && at.x < 40 && !(at.y > 8 && at.y < 12 && at.z < 4);
    assert!(seen(tunnel)[1], "the tunnel begins above the cell");
}
