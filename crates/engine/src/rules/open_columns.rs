//! The chunks in which rules may act, for a map without terrain around it: an import.

use crate::voxel::ChunkPos;
use rustc_hash::FxHashMap;

/// Set of chunks in which rules may act: in each column, the lowest chunk of the map and all chunks
/// above it.
///
/// Nothing surrounds an import: without this limit its lakes would run out at the cut edges, down
/// to the end of the world. The air above the lowest chunk of a column is open, so that sand also
/// falls through chunks that the map does not hold. A chunk opens when it is edited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenColumns {
    /// y of the lowest open chunk of each column, by x and z.
    lowest: FxHashMap<[i32; 2], i32>,
}

impl OpenColumns {
    /// True if rules may act in the chunk at `pos`.
    #[must_use]
    pub fn is_open(&self, pos: ChunkPos) -> bool {
        self.lowest.get(&[pos.x, pos.z]).is_some_and(|&lowest| pos.y >= lowest)
    }

    /// Opens the chunk at `pos` and all chunks above it.
    pub fn open(&mut self, pos: ChunkPos) {
        let lowest = self.lowest.entry([pos.x, pos.z]).or_insert(pos.y);
        *lowest = pos.y.min(*lowest);
    }
}

impl FromIterator<ChunkPos> for OpenColumns {
    fn from_iter<I: IntoIterator<Item = ChunkPos>>(chunks: I) -> OpenColumns {
        let mut columns = OpenColumns::default();
        for pos in chunks {
            columns.open(pos);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_open_from_their_lowest_chunk_upwards() {
        let mut columns: OpenColumns =
            [ChunkPos::new(0, 2, 0), ChunkPos::new(0, 1, 0)].into_iter().collect();
        let is_open = |columns: &OpenColumns, at: [i32; 3]| {
            columns.is_open(ChunkPos::new(at[0], at[1], at[2]))
        };
        assert_eq!([0, 1, 9].map(|y| is_open(&columns, [0, y, 0])), [false, true, true]);
        assert!(!is_open(&columns, [1, 1, 0]));
        columns.open(ChunkPos::new(1, 5, 0));
        assert_eq!([4, 5].map(|y| is_open(&columns, [1, y, 0])), [false, true]);
    }
}
