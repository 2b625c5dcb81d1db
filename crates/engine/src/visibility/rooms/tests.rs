//! Rooms, cells, labels and openings compared with a flood fill.

use super::*;
use crate::visibility::room_labels::MAX_ROOMS;
use crate::voxel::{Voxel, linear_index, linear_offset};
use crate::world::Chunk;

fn occluders(full: impl Fn(IVec3) -> bool) -> Occluders {
    let voxel = |index| if full(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
    Occluders::from_chunk(
        &Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))),
        Voxel::is_full,
    )
}

/// The room of each voxel and the number of rooms, by flood fill.
fn flooded(full: &impl Fn(IVec3) -> bool) -> (Vec<Option<usize>>, usize) {
    let mut rooms = vec![None; CHUNK_VOLUME];
    let mut count = 0;
    for index in 0..CHUNK_VOLUME {
        let mut stack = vec![linear_offset(index)];
        if full(stack[0]) || rooms[index].is_some() {
            continue;
        }
        while let Some(at) = stack.pop() {
            let inside = at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(32)).all();
            if inside && !full(at) && rooms[linear_index(at)].is_none() {
                rooms[linear_index(at)] = Some(count);
                stack.extend(Face::ALL.map(|face| at + face.normal()));
            }
        }
        count += 1;
    }
    (rooms, count)
}

/// Compares the rooms of a chunk with a flood fill. Returns the number of rooms.
fn check(full: impl Fn(IVec3) -> bool) -> usize {
    let occluders = occluders(&full);
    let rooms = Rooms::from_occluders(&occluders);
    let (expected, count) = flooded(&full);
    if count > MAX_ROOMS {
        assert_eq!(rooms.rooms().len(), 1);
        return count;
    }
    assert_eq!(rooms.rooms().len(), count);
    let mut bounds = vec![(IVec3::MAX, IVec3::MIN); rooms.cells().len()];
    let mut openings = vec![[FaceMask::EMPTY; 6]; count];
    let labels = RoomLabels::from_occluders(&occluders);
    let all = rooms.labels(&occluders);
    for (index, expected) in expected.iter().enumerate() {
        let at = linear_offset(index);
        assert_eq!(labels.at(at), *expected, "{at}");
        assert_eq!(all[index], expected.map_or(Rooms::NO_ROOM, |room| room as u8), "{at}");
        let is_here = |cell: &Cell| {
            (cell.section, Some(usize::from(cell.room))) == (section_of(at), *expected)
        };
        let cell = rooms.cells().iter().position(is_here);
        if index % 997 == 0 {
            assert_eq!(rooms.cell_at(&occluders, at), cell, "{at}");
        }
        let (Some(cell), Some(room)) = (cell, *expected) else { continue };
        bounds[cell] = (bounds[cell].0.min(at), bounds[cell].1.max(at + 1));
        let planes = [(0, at.z, at.y), (1, at.x, at.z), (2, at.x, at.y)];
        for (axis, u, v) in planes {
            for (border, face) in [(31, axis * 2), (0, axis * 2 + 1)] {
                if at[axis] == border {
                    openings[room][face].open(v as usize, 1 << u);
                }
            }
        }
    }
    for (cell, (lo, hi)) in rooms.cells().iter().zip(bounds) {
        assert_eq!(
            (IVec3::from(cell.lo.map(i32::from)), IVec3::from(cell.hi.map(i32::from))),
            (lo, hi)
        );
    }
    for (room, openings) in rooms.rooms().iter().zip(openings) {
        assert_eq!(room.openings, openings.map(|mask| mask.bounds()));
    }
    count
}

#[test]
fn rooms_match_flood_fill() {
    // Thin walls; combs whose teeth join late; a serpentine; hills; dust.
    assert_eq!(check(|at| at.x == 10 || at.y == 16), 4);
    assert_eq!(check(|at| at.y > 0 && at.x % 2 == 1), 1);
    assert_eq!(check(|at| at.y < 31 && (at.x + at.z) % 2 == 1), 1);
    assert_eq!(check(|at| at.z % 8 == 7 && (at.x != 3 || at.y != 30)), 1);
    assert_eq!(check(|at| at.z % 8 == 7 && (at.x != 3 || at.y != 30 || at.z == 15)), 2);
    check(|at| at.y < 10 + (at.x * 7 % 13) - (at.z * 5 % 11) || at.y > 25);
    for threshold in [300, 700, 900] {
        let hash = |at: IVec3| {
            (at.x * 7919 + at.y * 104_729 + at.z * 1_299_709).wrapping_mul(374_761_393) >> 11
        };
        let count = check(|at| hash(at).rem_euclid(1000) < threshold);
        assert!(count > 0);
    }
    check(|at| at != IVec3::new(4, 5, 6) && at != IVec3::new(31, 31, 31));
}

#[test]
fn portal_covers_voxels_open_on_both_sides() {
    let floor = Rooms::from_occluders(&occluders(|at| at.y < 10));
    let hole = Rooms::from_occluders(&occluders(|at| !(8..12).contains(&at.y) || at.z != 20));
    let portal = floor.portal(Face::East, &floor.rooms()[0], &hole, &hole.rooms()[0]);
    assert_eq!(portal, OpeningRect { from: [20, 10], to: [21, 12] });
    let back = hole.portal(Face::West, &hole.rooms()[0], &floor, &floor.rooms()[0]);
    assert_eq!(back, portal);
    assert!(floor.portal(Face::Down, &floor.rooms()[0], &Rooms::Open, &Room::OPEN).is_empty());
    assert_eq!(
        floor.portal(Face::Up, &floor.rooms()[0], &Rooms::Open, &Room::OPEN),
        OpeningRect::FULL
    );
}
