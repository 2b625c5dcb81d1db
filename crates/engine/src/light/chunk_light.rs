//! Light of a chunk as runs.

use super::bit_planes::LineLevels;
use super::{Channel, LightLevels};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, RowToggles, SIDE};
use crate::voxel::{CHUNK_VOLUME, Face, Voxel};
use glam::IVec3;

/// The light of a chunk: the levels of its voxels as runs, in linear order. Clones share the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChunkLight(RunTree);

impl ChunkLight {
    /// Creates light that is equal everywhere. Owns no heap memory.
    #[must_use]
    pub const fn uniform(levels: LightLevels) -> ChunkLight {
        ChunkLight(RunTree::uniform(levels.to_voxel()))
    }

    /// The light of the voxel with this linear index, 0 to 32,767.
    #[must_use]
    pub fn get(&self, index: usize) -> LightLevels {
        LightLevels::from_voxel(self.0.get(index))
    }

    /// The levels, if they are equal everywhere.
    #[must_use]
    pub fn as_uniform(&self) -> Option<LightLevels> {
        self.0.as_uniform().map(LightLevels::from_voxel)
    }

    /// True if some voxel has light of a channel.
    #[must_use]
    pub fn has(&self, channel: Channel) -> bool {
        let is_lit = |value| LightLevels::from_voxel(value).get(channel) > 0;
        // The palette may hold values that no longer occur.
        self.0.values().any(is_lit) && self.0.runs().any(|run| is_lit(run.voxel))
    }

    /// The run tree that stores the levels.
    pub(super) fn tree(&self) -> &RunTree {
        &self.0
    }

    /// Number of runs.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.0.run_count()
    }

    /// Heap bytes, as requested from the allocator. Clones share them.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    pub(super) fn from_tree(tree: RunTree) -> ChunkLight {
        ChunkLight(tree)
    }

    /// The levels of one channel at the side of this chunk that touches the `face` of its
    /// neighbour: 32 lines in the order of [`SideLine`](super::bit_planes::SideLine). `None` if all
    /// are 0.
    pub(super) fn side(&self, face: Face, channel: Channel) -> Option<[LineLevels; SIDE]> {
        let levels: Vec<u8> =
            self.0.values().map(|value| LightLevels::from_voxel(value).get(channel)).collect();
        if levels.iter().all(|&level| level == 0) {
            return None;
        }
        let masks: Vec<BitMasks<4>> = levels
            .into_iter()
            .map(|level| {
                std::array::from_fn(|bit| if level >> bit & 1 == 1 { u32::MAX } else { 0 })
            })
            .collect();
        let part = ChunkPart::new(face.normal());
        let mut toggles = [0; 4 * (SIDE + 1)];
        let mut lines = [[0; 4]; SIDE];
        let toggles = RowToggles::new(&mut toggles, part.row_count());
        part.read(&self.0, |code| masks[code], toggles, |number, bits| lines[number] = bits);
        Some(lines)
    }

    /// The sides at which the light differs from `other`; `None` if both are equal.
    pub(super) fn differences(&self, other: &ChunkLight) -> Option<DifferentSides> {
        if self.0.as_uniform().is_some() && self.0.as_uniform() == other.0.as_uniform() {
            return None;
        }
        let mut runs: Vec<(usize, Voxel)> = Vec::with_capacity(self.0.run_count());
        let values: Vec<Voxel> = self.0.values().collect();
        self.0.for_each_coded(0..CHUNK_VOLUME, |_, end, code| runs.push((end, values[code])));
        let values: Vec<Voxel> = other.0.values().collect();
        let mut runs = runs.into_iter().peekable();
        let mut different = None;
        other.0.for_each_coded(0..CHUNK_VOLUME, |mut start, end, code| {
            // The run is compared in parts, one for each run of `self` that it meets.
            while let Some(&(run_end, value)) = runs.peek().filter(|_| start < end) {
                let part_end = run_end.min(end);
                if value != values[code] {
                    different.get_or_insert_with(DifferentSides::default).add(start, part_end);
                }
                start = part_end;
                if run_end == part_end {
                    runs.next();
                }
            }
        });
        different
    }
}

/// The sides of a chunk at which its light has changed. Empty if only inner voxels have changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DifferentSides([bool; 6]);

impl DifferentSides {
    /// All sides.
    pub const ALL: DifferentSides = DifferentSides([true; 6]);

    /// True if voxels at a side have changed.
    #[must_use]
    pub fn contains(self, face: Face) -> bool {
        self.0[face as usize]
    }

    /// True if a changed voxel may touch the chunk at `offset` (each component -1, 0 or 1) with a
    /// face, an edge or a corner. Always true for the chunk itself.
    #[must_use]
    pub fn touches(self, offset: IVec3) -> bool {
        Face::ALL.into_iter().all(|face| face.normal().dot(offset) <= 0 || self.contains(face))
    }

    /// The sides of changed voxels whose coordinates along x, y and z are given as bits.
    pub(super) fn from_coordinates([xs, ys, zs]: [u32; 3]) -> DifferentSides {
        let mut sides = DifferentSides::default();
        for face in Face::ALL {
            let normal = face.normal();
            let along = [(normal.x, xs), (normal.y, ys), (normal.z, zs)];
            sides.0[face as usize] = along.into_iter().any(|(step, set)| match step {
                1 => set >> (SIDE - 1) == 1,
                -1 => set & 1 == 1,
                _ => false,
            });
        }
        sides
    }

    /// Adds the sides of `other`.
    pub fn merge(&mut self, other: DifferentSides) {
        for (side, other) in self.0.iter_mut().zip(other.0) {
            *side |= other;
        }
    }

    /// Adds the sides at which voxels of the linear range `start..end` lie.
    fn add(&mut self, start: usize, end: usize) {
        let first = start / SIDE;
        let last = (end - 1) / SIDE;
        let has_many_rows = first != last;
        self.0[Face::West as usize] |= has_many_rows || start.is_multiple_of(SIDE);
        self.0[Face::East as usize] |= has_many_rows || end.is_multiple_of(SIDE);
        // North if the range has the first row of a layer, south if it has the last row.
        self.0[Face::North as usize] |= last / SIDE * SIDE >= first;
        self.0[Face::South as usize] |= (last + 1) / SIDE * SIDE > first;
        self.0[Face::Down as usize] |= start < AREA;
        self.0[Face::Up as usize] |= end > AREA * (SIDE - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_SIDE, linear_offset, neighbour_offsets};

    #[test]
    fn change_of_a_voxel_changes_the_sides_it_lies_at() {
        let at = |index: usize| linear_offset(index);
        let level = |index: usize| ((index * 7 / 3) % 5) as u8;
        let tree = |changed: Option<usize>| {
            let value = |i: usize| {
                LightLevels::DARK
                    .with(Channel::Red, level(i) + if changed == Some(i) { 8 } else { 0 })
            };
            ChunkLight(RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, value(i).to_voxel()))))
        };
        let plain = tree(None);
        assert_eq!(plain.differences(&tree(None)), None);
        for index in (0..CHUNK_VOLUME).step_by(331).chain([0, 31, 992, 1023, 31_744, 32_767]) {
            let changed = tree(Some(index)).differences(&plain).expect("a voxel has changed");
            for face in Face::ALL {
                let next = at(index) + face.normal();
                let is_at_side = next.min_element() < 0 || next.max_element() >= CHUNK_SIDE;
                assert_eq!(changed.contains(face), is_at_side, "{} {face:?}", at(index));
            }
        }
    }

    #[test]
    fn change_touches_the_neighbours_that_read_it() {
        for index in (0..CHUNK_VOLUME).step_by(97).chain([0, 31, 992, 1023, 31_744, 32_767]) {
            let mut sides = DifferentSides::default();
            sides.add(index, index + 1);
            for offset in neighbour_offsets() {
                // The part of this chunk within one voxel of the chunk at `offset`.
                let near = linear_offset(index) - offset * CHUNK_SIDE;
                let is_read = near.min_element() >= -1 && near.max_element() <= CHUNK_SIDE;
                assert_eq!(sides.touches(offset), is_read, "{} {offset}", linear_offset(index));
                assert!(DifferentSides::ALL.touches(offset));
            }
        }
    }

    #[test]
    fn coordinates_of_changes_give_the_sides_they_lie_at() {
        for index in (0..CHUNK_VOLUME).step_by(97).chain([0, 31, 992, 1023, 31_744, 32_767]) {
            let mut sides = DifferentSides::default();
            sides.add(index, index + 1);
            let coordinates = linear_offset(index).to_array().map(|coordinate| 1 << coordinate);
            assert_eq!(
                DifferentSides::from_coordinates(coordinates),
                sides,
                "{}",
                linear_offset(index)
            );
        }
    }

    #[test]
    fn voxels_touch_the_sides_they_lie_at() {
        for start in (0..CHUNK_VOLUME).step_by(13) {
            for len in [1, 2, 31, 32, 33, 64, 991, 992, 1000, 1024, 1100, 31_000] {
                let end = (start + len).min(CHUNK_VOLUME);
                let mut sides = DifferentSides::default();
                sides.add(start, end);
                for face in Face::ALL {
                    let next = |index: usize| linear_offset(index) + face.normal();
                    let is_at_side = |index: usize| {
                        next(index).min_element() < 0 || next(index).max_element() >= CHUNK_SIDE
                    };
                    assert_eq!(
                        sides.contains(face),
                        (start..end).any(is_at_side),
                        "{start} {end} {face:?}"
                    );
                }
            }
        }
    }
}
