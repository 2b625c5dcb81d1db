//! The chunks that a view distance needs: a flat cylinder around the player's chunk.
//!
//! Flat, because a player sees farther horizontally than vertically, and most chunks above and
//! below are sky and rock.

use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// Vertical radius of the cylinder for a view distance, both in chunks.
#[must_use]
pub fn vertical_reach(view: i32) -> i32 {
    (view * 5 / 8).max(3)
}

/// True if the chunk at `offset` from the player's chunk is within the view distance `view`.
#[must_use]
pub fn in_reach(offset: IVec3, view: i32) -> bool {
    let flat = offset.x * offset.x + offset.z * offset.z;
    // A circle with a radius of half a chunk more than `view`.
    flat <= view * (view + 1) && offset.y.abs() <= vertical_reach(view)
}

/// Offsets of all chunks that must be loaded so that those within `view` can be drawn, nearest
/// first.
///
/// A chunk is drawn once its 26 neighbours are loaded, so one more ring of chunks is needed,
/// including diagonals.
#[must_use]
pub fn load_offsets(view: i32) -> Vec<IVec3> {
    let r = view + 1;
    let v = vertical_reach(view) + 1;
    let all = (-v..=v)
        .flat_map(|y| (-r..=r).flat_map(move |z| (-r..=r).map(move |x| IVec3::new(x, y, z))));
    let near = |o: &IVec3| in_reach((o.abs() - 1).max(IVec3::ZERO), view);
    let mut list: Vec<IVec3> = all.filter(near).collect();
    list.sort_by_key(|o| o.x * o.x + o.z * o.z + 2 * o.y * o.y);
    list
}

/// True if a loaded chunk at `offset` stays loaded: it is one of [`load_offsets`], or at most two
/// chunks beyond them.
///
/// The margin keeps a player who walks back and forth from loading the same chunks again and again.
#[must_use]
pub fn stays_loaded(offset: IVec3, view: i32) -> bool {
    in_reach((offset.abs() - 3).max(IVec3::ZERO), view)
}

/// Distances from the player up to which every chunk is drawn, in voxels.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DrawnDistance {
    /// Distance along the ground.
    pub horizontal: f32,
    /// Distance upwards and downwards.
    pub vertical: f32,
}

/// Distances within which every chunk is drawn at view distance `view`, wherever in their chunk the
/// player is.
#[must_use]
pub fn drawn_distance(view: i32) -> DrawnDistance {
    let gap = |part: i32| (part - 1).max(0) as f32;
    let side = 0..=view + 1;
    let beyond = side.clone().flat_map(|z| side.clone().map(move |x| IVec3::new(x, 0, z)));
    let along = beyond.filter(|&o| !in_reach(o, view)).map(|o| gap(o.x).hypot(gap(o.z)));
    let chunk = CHUNK_SIDE as f32;
    let horizontal = along.fold(f32::INFINITY, f32::min) * chunk;
    DrawnDistance { horizontal, vertical: vertical_reach(view) as f32 * chunk }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::neighbour_offsets;
    use glam::Vec2;
    use rustc_hash::FxHashSet;

    #[test]
    fn needed_chunk_stays_loaded_two_chunks_farther() {
        for view in 3..=24 {
            for offset in load_offsets(view) {
                assert!(
                    stays_loaded(offset + offset.signum() * 2, view),
                    "{offset} at view {view}"
                );
            }
            let too_far = [IVec3::X * (view + 4), IVec3::Y * (vertical_reach(view) + 4)];
            assert!(!too_far.iter().any(|&offset| stays_loaded(offset, view)));
        }
    }

    #[test]
    fn load_offsets_include_all_neighbours_of_drawn_chunks() {
        let list = load_offsets(5);
        let set: FxHashSet<IVec3> = list.iter().copied().collect();
        for x in -6..=6 {
            for y in -6..=6 {
                for z in -6..=6 {
                    let offset = IVec3::new(x, y, z);
                    if !in_reach(offset, 5) {
                        continue;
                    }
                    for by in neighbour_offsets() {
                        assert!(set.contains(&(offset + by)), "{offset} needs {by}");
                    }
                }
            }
        }
        assert_eq!(list[0], IVec3::ZERO);
    }

    #[test]
    fn everything_within_the_drawn_distance_is_drawn() {
        for view in [2, 3, 8, 24] {
            let DrawnDistance { horizontal: along, vertical: up } = drawn_distance(view);
            assert!(
                along >= (view - 1) as f32 * 32.0 && up >= 3.0 * 32.0,
                "view {view}: {along}, {up}"
            );
            // From the corners of the player's chunk, in all directions.
            for degree in 0..360 {
                let way = Vec2::from_angle((degree as f32).to_radians()) * (along - 0.1);
                for corner in
                    [Vec2::ZERO, Vec2::splat(31.9), Vec2::new(0.0, 31.9), Vec2::new(31.9, 0.0)]
                {
                    let chunk = ((corner + way) / 32.0).floor().as_ivec2();
                    assert!(
                        in_reach(IVec3::new(chunk.x, 0, chunk.y), view),
                        "view {view}, {degree} degrees"
                    );
                }
            }
        }
    }
}
