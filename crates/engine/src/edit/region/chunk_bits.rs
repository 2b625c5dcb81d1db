//! Sets of voxels of one chunk, as one bit per voxel.

use crate::runs::bit_rows::{AREA, boxed};
use crate::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Face};
use crate::world::row_ranges;
use std::ops::Range;

/// Rows per chunk.
const ROWS: usize = AREA;
/// Rows per layer, and voxels per row.
const LAYER: usize = CHUNK_SIDE as usize;

/// A set of voxels of one chunk, in 4 KiB: a word per row along x, in linear order. Bit x of row z
/// + 32 y belongs to the voxel at x, y, z.
///
/// Regions, and masks that depend on neighbours, are computed on these words.
#[derive(Clone, PartialEq, Eq)]
pub struct ChunkBits(Box<[u32; ROWS]>);

impl ChunkBits {
    /// Empty set.
    #[must_use]
    pub fn empty() -> ChunkBits {
        ChunkBits(boxed(0))
    }

    /// All voxels of the chunk.
    #[must_use]
    pub fn all() -> ChunkBits {
        ChunkBits(boxed(u32::MAX))
    }

    /// Voxels of some ranges of linear order.
    #[must_use]
    pub(crate) fn from_ranges(ranges: impl IntoIterator<Item = Range<usize>>) -> ChunkBits {
        let mut bits = ChunkBits::empty();
        for range in ranges {
            bits.insert(range);
        }
        bits
    }

    /// Voxels of a box that lie in the chunk at `pos`.
    #[must_use]
    pub(crate) fn from_box(pos: ChunkPos, area: Box3) -> ChunkBits {
        let part = area.intersection(pos.bounds());
        if part.is_empty() {
            return ChunkBits::empty();
        }
        ChunkBits::from_ranges(row_ranges(part.min - pos.origin(), part.max - pos.origin()))
    }

    /// Rows by index z + 32 y.
    pub(in crate::edit) fn rows(&self) -> &[u32; ROWS] {
        &self.0
    }

    /// Rows by index z + 32 y, mutable.
    pub(in crate::edit) fn rows_mut(&mut self) -> &mut [u32; ROWS] {
        &mut self.0
    }

    /// Combines the bits with the bits of another set, word by word.
    pub(in crate::edit) fn zip(
        mut self,
        other: &ChunkBits,
        join: impl Fn(u32, u32) -> u32,
    ) -> ChunkBits {
        for (ours, &theirs) in self.0.iter_mut().zip(other.0.iter()) {
            *ours = join(*ours, theirs);
        }
        self
    }

    /// Bits of one face of the chunk. Up and down: word z, bit x. East and west: word y, bit z.
    /// South and north: word y, bit x.
    pub(in crate::edit) fn face(&self, face: Face) -> [u32; LAYER] {
        let normal = face.normal();
        let last = if normal.min_element() < 0 { 0 } else { LAYER - 1 };
        std::array::from_fn(|i| match face {
            Face::Up | Face::Down => self.0[last * LAYER + i],
            Face::South | Face::North => self.0[i * LAYER + last],
            Face::East | Face::West => {
                let layer = &self.0[i * LAYER..][..LAYER];
                layer.iter().enumerate().fold(0, |word, (z, row)| word | (row >> last & 1) << z)
            }
        })
    }

    /// Adds bits of one face, in the layout of [`ChunkBits::face`].
    pub(in crate::edit) fn add_face(&mut self, face: Face, words: &[u32; LAYER]) {
        let normal = face.normal();
        let last = if normal.min_element() < 0 { 0 } else { LAYER - 1 };
        for (i, &word) in words.iter().enumerate().filter(|&(_, &word)| word != 0) {
            match face {
                Face::Up | Face::Down => self.0[last * LAYER + i] |= word,
                Face::South | Face::North => self.0[i * LAYER + last] |= word,
                Face::East | Face::West => {
                    let layer = &mut self.0[i * LAYER..][..LAYER];
                    for (z, row) in layer.iter_mut().enumerate() {
                        *row |= (word >> z & 1) << last;
                    }
                }
            }
        }
    }

    /// Adds a range of linear order.
    ///
    /// # Panics
    /// Panics if the range ends beyond the chunk.
    pub fn insert(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let first = range.start / LAYER;
        let last = (range.end - 1) / LAYER;
        let from = u32::MAX << (range.start % LAYER);
        let to = u32::MAX >> (LAYER - 1 - (range.end - 1) % LAYER);
        if first == last {
            self.0[first] |= from & to;
            return;
        }
        self.0[first] |= from;
        self.0[first + 1..last].fill(u32::MAX);
        self.0[last] |= to;
    }

    /// Row at `y` and `z` in the chunk, each 0 to 31: one bit per x.
    #[must_use]
    pub fn row(&self, y: usize, z: usize) -> u32 {
        self.0[y * LAYER + z]
    }

    /// True if a voxel belongs to the set. `index` is its linear index, 0..32768.
    #[must_use]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / LAYER] >> (index % LAYER) & 1 == 1
    }

    /// True if the set contains no voxel.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Number of voxels.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|row| u64::from(row.count_ones())).sum()
    }

    /// Keeps only voxels of the other set.
    pub fn intersect(&mut self, other: &ChunkBits) {
        for (row, other) in self.0.iter_mut().zip(other.0.iter()) {
            *row &= other;
        }
    }

    /// Adds the voxels of the other set.
    pub fn unite(&mut self, other: &ChunkBits) {
        for (row, other) in self.0.iter_mut().zip(other.0.iter()) {
            *row |= other;
        }
    }

    /// Removes the voxels of the other set.
    pub fn subtract(&mut self, other: &ChunkBits) {
        for (row, other) in self.0.iter_mut().zip(other.0.iter()) {
            *row &= !other;
        }
    }

    /// Moves the voxels one step along a face's normal. Returns the voxels that stay in the chunk,
    /// and the voxels that leave it, as a set of the adjacent chunk.
    #[must_use]
    pub fn moved(&self, towards: Face) -> (ChunkBits, ChunkBits) {
        let mut inside = ChunkBits::empty();
        let mut outside = ChunkBits::empty();
        for (index, &row) in self.0.iter().enumerate().filter(|(_, row)| **row != 0) {
            let y = index / LAYER;
            let z = index % LAYER;
            let last = LAYER - 1;
            match towards {
                Face::East => {
                    inside.0[index] |= row << 1;
                    outside.0[index] |= row >> last;
                }
                Face::West => {
                    inside.0[index] |= row >> 1;
                    outside.0[index] |= row << last;
                }
                Face::Up if y == last => outside.0[z] = row,
                Face::Up => inside.0[index + LAYER] = row,
                Face::Down if y == 0 => outside.0[last * LAYER + z] = row,
                Face::Down => inside.0[index - LAYER] = row,
                Face::South if z == last => outside.0[y * LAYER] = row,
                Face::South => inside.0[index + 1] = row,
                Face::North if z == 0 => outside.0[index + last] = row,
                Face::North => inside.0[index - 1] = row,
            }
        }
        (inside, outside)
    }

    /// Voxels as maximal ranges of linear order, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = self.next_from(at, 0)?;
            at = self.next_from(start, u32::MAX).unwrap_or(CHUNK_VOLUME);
            Some(start..at)
        })
    }

    /// Linear indices of the voxels, ascending.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges().flatten()
    }

    /// First index at or after `from` whose bit is set after XOR with `flip`, which is 0 or all
    /// ones.
    fn next_from(&self, from: usize, flip: u32) -> Option<usize> {
        let mut row = from / LAYER;
        let mut word = (*self.0.get(row)? ^ flip) & u32::MAX << (from % LAYER);
        while word == 0 {
            row += 1;
            word = *self.0.get(row)? ^ flip;
        }
        Some(row * LAYER + word.trailing_zeros() as usize)
    }
}

impl std::fmt::Debug for ChunkBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.ranges()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::{linear_index, linear_offset, local};
    use std::collections::BTreeSet;

    /// Random ascending ranges that do not touch.
    fn ranges(seed: u64) -> Vec<Range<usize>> {
        let mut random = Random::new(seed);
        let mut ranges = Vec::new();
        let mut at = 0;
        loop {
            let longest = if random.below(2) == 0 { 7 } else { 300 };
            let start = at + 1 + random.index(longest);
            at = start + 1 + random.index(longest);
            if at > CHUNK_VOLUME {
                return ranges;
            }
            ranges.push(start..at);
        }
    }

    #[test]
    fn bits_hold_ranges_and_combine_like_sets() {
        for seed in 0..8 {
            let a = ranges(seed);
            let b = ranges(seed + 100);
            let [mut bits, other] =
                [&a, &b].map(|ranges| ChunkBits::from_ranges(ranges.iter().cloned()));
            assert_eq!(bits.ranges().collect::<Vec<_>>(), a);
            let [a, b]: [BTreeSet<usize>; 2] =
                [a, b].map(|ranges| ranges.into_iter().flatten().collect());
            assert_eq!(bits.count(), a.len() as u64);
            assert!((0..CHUNK_VOLUME).all(|index| bits.contains(index) == a.contains(&index)));
            let whole = bits.clone();
            for (change, expected) in [
                (ChunkBits::intersect as fn(&mut ChunkBits, &ChunkBits), &a & &b),
                (ChunkBits::unite, &a | &b),
                (ChunkBits::subtract, &a - &b),
            ] {
                change(&mut bits, &other);
                assert!(bits.indices().eq(expected));
                bits = whole.clone();
            }
        }
        assert!(ChunkBits::all().ranges().eq(std::iter::once(0..CHUNK_VOLUME)));
        assert!(ChunkBits::empty().is_empty() && ChunkBits::empty().ranges().next().is_none());
    }

    #[test]
    fn bits_move_to_the_neighbouring_chunk() {
        for face in Face::ALL {
            for bits in [ChunkBits::from_ranges(ranges(5)), ChunkBits::all()] {
                let (inside, outside) = bits.moved(face);
                let home = ChunkPos::new(0, 0, 0);
                let mut expected = [BTreeSet::new(), BTreeSet::new()];
                for index in bits.indices() {
                    let at = linear_offset(index) + face.normal();
                    expected[usize::from(ChunkPos::containing(at) != home)]
                        .insert(linear_index(local(at)));
                }
                assert!(
                    inside.indices().eq(expected[0].clone())
                        && outside.indices().eq(expected[1].clone())
                );
            }
        }
    }
}
