//! Bytes of a visible set as a row of bits, in each codec of the visibility text and in the game's
//! own.

use crate::game::drawing::culling::state::ShownSet;
use stonerun_engine::visibility::codec::{Quake, RowCodec, SevenBit, ZeroOne, lone_row_bytes};
use stonerun_engine::visibility::{ToroidalIndex, hilbert};
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::view::in_reach;

/// Bytes of a visible set, stored as one row, in each codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RowBytes {
    /// Bytes without a codec: one bit per chunk in view.
    pub raw: usize,
    /// Bytes in Quake's codec.
    pub quake: usize,
    /// Bytes in the 12/4 codec.
    pub zero_one: usize,
    /// Bytes in the codec that the visibility text introduces.
    pub new: usize,
    /// Bytes in the game's codec, applied to the row alone.
    pub ours: usize,
}

/// The chunks within view distance of a chunk, in the order of their bits in a row: along a Hilbert
/// curve.
#[derive(Clone, Debug)]
pub struct RowOrder {
    key: (ToroidalIndex, ChunkPos, i32),
    places: Vec<u32>,
}

impl RowOrder {
    /// Computes the order for the rows of `shown`.
    #[must_use]
    pub fn new(shown: &ShownSet) -> RowOrder {
        let centre = shown.cell_id.chunk.as_ivec3();
        let mut in_view: Vec<u32> = (0..shown.index.len() as u32).collect();
        in_view.retain(|&index| {
            in_reach(shown.index.position(index as usize).as_ivec3() - centre, shown.view)
        });
        let positions: Vec<_> =
            in_view.iter().map(|&index| shown.index.position(index as usize).as_ivec3()).collect();
        let places = hilbert::order(&positions).into_iter().map(|i| in_view[i as usize]).collect();
        RowOrder { key: Self::key(shown), places }
    }

    fn key(shown: &ShownSet) -> (ToroidalIndex, ChunkPos, i32) {
        (shown.index, shown.cell_id.chunk, shown.view)
    }

    /// True if this is the order for `shown`.
    #[must_use]
    pub fn fits(&self, shown: &ShownSet) -> bool {
        self.key == Self::key(shown)
    }

    /// Number of chunks within view distance.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.places.len()
    }

    /// Bytes of a set's row. Panics if the order belongs to another set.
    #[must_use]
    pub fn bytes(&self, shown: &ShownSet) -> RowBytes {
        assert!(self.fits(shown), "the order of another set");
        let cells = self.places.len();
        let mut row = vec![0u64; cells.div_ceil(64)];
        for (i, &index) in self.places.iter().enumerate() {
            row[i / 64] |= (shown.chunks[index as usize / 64] >> (index % 64) & 1) << (i % 64);
        }
        RowBytes {
            raw: cells.div_ceil(8),
            quake: packed::<Quake>(&row, cells),
            zero_one: packed::<ZeroOne>(&row, cells),
            new: packed::<SevenBit>(&row, cells),
            ours: lone_row_bytes(&row, cells),
        }
    }
}

fn packed<C: RowCodec>(row: &[u64], cells: usize) -> usize {
    let mut out = Vec::new();
    C::encode(row, cells, &mut out);
    out.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::IVec3;
    use stonerun_engine::visibility::{Cell, CellId, SetSource};
    use stonerun_engine::voxel::Box3;

    #[test]
    fn row_has_one_bit_per_chunk_in_view() {
        let index = ToroidalIndex::new(Box3 { min: IVec3::splat(-5), max: IVec3::splat(5) });
        let cell_id = CellId { chunk: ChunkPos::default(), cell: Cell::OPEN };
        let mut shown = ShownSet {
            index,
            chunks: vec![u64::MAX; 16],
            cell_id,
            view: 3,
            source: SetSource::Refined,
        };
        let order = RowOrder::new(&shown);
        assert_eq!(order.chunks(), 37 * 7, "a circle, seven high");
        let all = order.bytes(&shown);
        let raw = (37 * 7usize).div_ceil(8);
        assert_eq!((all.raw, all.quake), (raw, raw), "Quake packs nothing but zeros");
        shown.chunks.fill(0);
        let none = order.bytes(&shown);
        assert_eq!((none.quake, none.new), (2, 2), "one run of zeros");
        shown.cell_id.chunk = ChunkPos::new(1, 0, 0);
        assert!(!order.fits(&shown));
    }
}
