//! The hash map of the world, from chunk positions to chunks.
//!
//! Half of the cost of reading a voxel is finding its chunk, so this map is specialised for it: one
//! multiplication hashes a position, a slot holds position and chunk together, and collisions go to
//! the next slot (linear probing). A general map hashes more carefully and looks into a second
//! table first, which makes reads a third slower (`docs/measurements.md`). A weak hash is safe
//! here, because positions come from a box around the player, not from an attacker. Multiplication
//! by a number far from any simple fraction spreads boxes evenly (Fibonacci hashing, Knuth, volume
//! 3, 6.4).
//!
//! The table is generic so that the rival stores in `lab/` can use it.

use crate::voxel::ChunkPos;

/// Marks an empty slot. Lies outside the world.
const EMPTY: ChunkPos = ChunkPos::new(i32::MIN, i32::MIN, i32::MIN);

/// Number of chunks along z with adjacent home slots, so that a walk along z stays within one or
/// two cache lines. A power of two.
const GROUP: usize = 4;

/// Chunks by position.
#[derive(Clone, Debug)]
pub struct ChunkTable<T> {
    /// Empty, or a power of two of slots of which at most three quarters are taken. A slot that has
    /// a position also has a chunk.
    slots: Vec<(ChunkPos, Option<T>)>,
    len: usize,
}

impl<T> Default for ChunkTable<T> {
    fn default() -> ChunkTable<T> {
        ChunkTable { slots: Vec::new(), len: 0 }
    }
}

impl<T> ChunkTable<T> {
    /// Number of chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if the table holds no chunk.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Heap bytes, without the chunks' own.
    pub fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(ChunkPos, Option<T>)>()
    }

    /// Slot where the search for `pos` begins. The table must have slots.
    #[inline]
    fn home(&self, pos: ChunkPos) -> usize {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let group = pos.z.div_euclid(GROUP as i32);
        let packed = (pos.x as u64) ^ (group as u64) << 21 ^ (pos.y as u64) << 42;
        let slot = (packed.wrapping_mul(GOLDEN) >> 32) as usize
            >> (32 - self.slots.len().trailing_zeros());
        slot & !(GROUP - 1) | pos.z as usize & (GROUP - 1)
    }

    /// Slot of `pos`, or the empty slot to insert it into. The table must have slots.
    #[inline]
    fn find(&self, pos: ChunkPos) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.home(pos);
        // Terminates, because at least a quarter of the slots are empty.
        while self.slots[at].0 != pos && self.slots[at].0 != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// The chunk at `pos`.
    #[inline]
    #[must_use]
    pub fn get(&self, pos: ChunkPos) -> Option<&T> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, chunk) = &self.slots[self.find(pos)];
        if *found == pos { chunk.as_ref() } else { None }
    }

    /// The chunk at `pos`, mutable.
    #[inline]
    pub fn get_mut(&mut self, pos: ChunkPos) -> Option<&mut T> {
        if self.slots.is_empty() {
            return None;
        }
        let at = self.find(pos);
        let (found, chunk) = &mut self.slots[at];
        if *found == pos { chunk.as_mut() } else { None }
    }

    /// Inserts a chunk; returns the one it replaces.
    ///
    /// # Panics
    /// Panics if `pos` is the position that marks empty slots, which lies outside the world.
    pub fn insert(&mut self, pos: ChunkPos, chunk: T) -> Option<T> {
        assert_ne!(pos, EMPTY, "this position marks an empty slot");
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.resize((self.slots.len() * 2).max(16));
        }
        let at = self.find(pos);
        let (found, there) = &mut self.slots[at];
        let old = there.replace(chunk);
        if old.is_none() {
            *found = pos;
            self.len += 1;
        }
        old
    }

    /// Removes a chunk, and moves later chunks of its probe sequence closer to their home slots.
    pub fn remove(&mut self, pos: ChunkPos) -> Option<T> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut hole = self.find(pos);
        if self.slots[hole].0 != pos {
            return None;
        }
        let (_, chunk) = std::mem::replace(&mut self.slots[hole], (EMPTY, None));
        self.len -= 1;
        let mut at = (hole + 1) & mask;
        while self.slots[at].0 != EMPTY {
            // The chunk may move into the hole if its home slot is not between the hole and its own
            // slot.
            let from_home = at.wrapping_sub(self.home(self.slots[at].0)) & mask;
            if from_home >= at.wrapping_sub(hole) & mask {
                self.slots.swap(hole, at);
                hole = at;
            }
            at = (at + 1) & mask;
        }
        // Frees memory after the loaded area has shrunk.
        if self.slots.len() > 64 && self.len * 8 < self.slots.len() {
            self.resize(self.slots.len() / 4);
        }
        chunk
    }

    /// All chunks, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (ChunkPos, &T)> {
        self.slots.iter().filter_map(|(pos, chunk)| Some((*pos, chunk.as_ref()?)))
    }

    /// All chunks without their positions, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, chunk)| chunk)
    }

    fn resize(&mut self, slots: usize) {
        let empty = std::iter::repeat_with(|| (EMPTY, None)).take(slots).collect();
        for (pos, chunk) in std::mem::replace(&mut self.slots, empty) {
            if pos != EMPTY {
                let at = self.find(pos);
                self.slots[at] = (pos, chunk);
            }
        }
    }
}

impl<T> FromIterator<(ChunkPos, T)> for ChunkTable<T> {
    fn from_iter<I: IntoIterator<Item = (ChunkPos, T)>>(chunks: I) -> ChunkTable<T> {
        let mut table = ChunkTable::default();
        for (pos, chunk) in chunks {
            _ = table.insert(pos, chunk);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::Voxel;
    use crate::world::Chunk;
    use std::collections::HashMap;

    /// Compares with the standard library's map in many random steps. Few positions are used, so
    /// that probe sequences are long.
    #[test]
    fn table_behaves_like_a_hash_map() {
        let mut table = ChunkTable::default();
        let mut model: HashMap<ChunkPos, u16> = HashMap::new();
        let mut random = Random::new(1);
        for step in 0..200_000 {
            let state = random.draw();
            let part = |shift: u32| (state >> shift) as i32 % 12 - 6;
            // Sometimes far apart, where positions share their low bits.
            let far = if state.is_multiple_of(7) { 1 << 21 } else { 1 };
            let pos = ChunkPos::new(part(8), part(20) * far, part(32));
            // Alternates between growing and shrinking.
            let grows = step / 20_000 % 2 == 0;
            if (state >> 50) % 10 < if grows { 7 } else { 2 } {
                let value = (state >> 40) as u16;
                let old = table.insert(pos, Chunk::uniform(Voxel::full(value)));
                assert_eq!(old, model.insert(pos, value).map(|v| Chunk::uniform(Voxel::full(v))));
            } else {
                assert_eq!(
                    table.remove(pos),
                    model.remove(&pos).map(|v| Chunk::uniform(Voxel::full(v)))
                );
            }
            assert_eq!(table.len(), model.len());
            let other = ChunkPos::new(part(9), part(21), part(33));
            assert_eq!(
                table.get(other).cloned(),
                model.get(&other).map(|&v| Chunk::uniform(Voxel::full(v)))
            );
            assert_eq!(table.get_mut(other).is_some(), model.contains_key(&other));
        }
        let all: HashMap<ChunkPos, Chunk> =
            table.iter().map(|(pos, chunk)| (pos, chunk.clone())).collect();
        assert_eq!(all.len(), model.len());
        assert!(all.iter().all(|(pos, chunk)| chunk.as_uniform() == Some(Voxel::full(model[pos]))));
    }

    #[test]
    fn typical_shapes_need_few_probes() {
        for (what, x, y, z) in
            [("box", 20, 20, 20), ("line", 1, 1, 5000), ("tower", 1, 5000, 1), ("plate", 90, 1, 90)]
        {
            let mut table = ChunkTable::default();
            for pos in (0..x).flat_map(|x| {
                (0..y).flat_map(move |y| (0..z).map(move |z| ChunkPos::new(x, y - 3, z)))
            }) {
                table.insert(pos, Chunk::uniform(Voxel::AIR));
            }
            let mask = table.slots.len() - 1;
            let probes: usize = table
                .slots
                .iter()
                .enumerate()
                .filter(|(_, s)| s.0 != EMPTY)
                .map(|(at, s)| at.wrapping_sub(table.home(s.0)) & mask)
                .sum();
            assert!(probes < 3 * table.len(), "{what}: {probes} probes for {}", table.len());
        }
    }

    #[test]
    fn removal_frees_memory() {
        let mut table = ChunkTable::default();
        for x in 0..10_000 {
            drop(table.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR)));
        }
        let full = table.heap_bytes();
        for x in 10..10_000 {
            drop(table.remove(ChunkPos::new(x, 0, 0)));
        }
        assert!(table.heap_bytes() * 50 < full, "{} of {full} bytes", table.heap_bytes());
        assert!((0..10).all(|x| table.get(ChunkPos::new(x, 0, 0)).is_some()));
    }
}
