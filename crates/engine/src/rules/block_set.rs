//! Sets of the blocks of a chunk, and the blocks that a change wakes.
//!
//! A block is eight rows along x, 256 voxels, as in a run tree. Block n of a chunk is at y = n / 4
//! and z from 8 (n mod 4).

use super::rows::Rows;
use crate::bits::set_bits;
use crate::voxel::{Box3, ChunkPos, local};
use glam::IVec3;

/// Blocks of one chunk: bit n for block n, eight rows along x at y = n / 4 and z from 8 (n mod 4).
pub type BlockSet = u128;

/// All blocks of a chunk.
pub(super) const ALL_BLOCKS: BlockSet = BlockSet::MAX;
/// Number of blocks in a layer.
pub(super) const LAYER_BLOCKS: usize = 4;
/// Number of blocks in a chunk.
pub(super) const BLOCKS: usize = 128;
/// The first block of each layer, at the lowest z.
const FIRST: BlockSet = ALL_BLOCKS / 15;
/// The last block of each layer, at the highest z.
const LAST: BlockSet = FIRST << (LAYER_BLOCKS - 1);
/// Shift in bits from the lowest layer to the highest one.
const TOP: usize = BLOCKS - LAYER_BLOCKS;

/// Numbers of the blocks of a set, ascending.
pub(super) fn blocks(set: BlockSet) -> impl Iterator<Item = usize> {
    set_bits(set).map(|block| block as usize)
}

/// The blocks of the chunk at `pos` that hold voxels of a box.
#[must_use]
pub(crate) fn blocks_in(area: Box3, pos: ChunkPos) -> BlockSet {
    let part = area.intersection(pos.bounds());
    if part.volume() == 0 {
        return 0;
    }
    let low = local(part.min);
    let high = local(part.max - 1);
    let layers = (low.y..=high.y).flat_map(|y| (low.z / 8..=high.z / 8).map(move |z| y * 4 + z));
    layers.fold(0, |set, block| set | 1 << block)
}

/// Blocks of the layers at odd (1) or even (0) y.
pub(super) const fn layers(parity: i32) -> BlockSet {
    // Eight blocks are two layers.
    (ALL_BLOCKS / 255 * 15) << (parity as usize * LAYER_BLOCKS)
}

/// Blocks of a chunk for which a set has a block in the layer `dy` above (-1, 0 or 1), at the same
/// z or `dz` blocks along z. `set` returns the part of the set in the chunk at an offset along y
/// and z.
#[inline]
pub(super) fn seen(dy: i32, dz: i32, set: impl Fn(i32, i32) -> BlockSet) -> BlockSet {
    let layers = |z: i32| match dy {
        0 => set(0, z),
        1 => set(0, z) >> LAYER_BLOCKS | set(1, z) << TOP,
        _ => set(0, z) << LAYER_BLOCKS | set(-1, z) >> TOP,
    };
    let here = layers(0);
    match dz {
        0 => here,
        1 => here | (here & !FIRST) >> 1 | (layers(1) & FIRST) << (LAYER_BLOCKS - 1),
        _ => here | (here & !LAST) << 1 | (layers(-1) & LAST) >> (LAYER_BLOCKS - 1),
    }
}

/// Changed blocks of a chunk, and the borders of blocks that changes touch. Without the borders, a
/// change inside a block would wake all blocks around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Changed {
    /// All changed blocks.
    pub blocks: BlockSet,
    /// Blocks with a change in their first row.
    first_rows: BlockSet,
    /// Blocks with a change in their last row.
    last_rows: BlockSet,
    /// Blocks with a change at x = 0.
    west: BlockSet,
    /// Blocks with a change at x = 31.
    east: BlockSet,
}

impl Changed {
    /// Blocks in which every voxel may have changed.
    pub fn whole(set: BlockSet) -> Changed {
        Changed { blocks: set, first_rows: set, last_rows: set, west: set, east: set }
    }

    /// Adds changed voxels of a block.
    pub fn add(&mut self, block: usize, voxels: Rows) {
        let rows = voxels.0;
        let union = voxels.union();
        let block: BlockSet = 1 << block;
        let bit = |is_changed: bool| if is_changed { block } else { 0 };
        self.blocks |= bit(union != 0);
        self.first_rows |= bit(rows[0] != 0);
        self.last_rows |= bit(rows[rows.len() - 1] != 0);
        self.west |= bit(union & 1 != 0);
        self.east |= bit(union >> 31 != 0);
    }

    /// Blocks of the chunk `offset` chunks away that hold a voxel with a changed voxel in its Moore
    /// neighbourhood. May include further blocks.
    pub fn woken(&self, offset: IVec3) -> BlockSet {
        let changed = match offset.x {
            -1 => self.west,
            1 => self.east,
            _ => self.blocks,
        };
        let first = changed & self.first_rows;
        let last = changed & self.last_rows;
        let along_z = match offset.z {
            -1 => (first & FIRST) << (LAYER_BLOCKS - 1),
            1 => (last & LAST) >> (LAYER_BLOCKS - 1),
            _ => changed | (first & !FIRST) >> 1 | (last & !LAST) << 1,
        };
        match offset.y {
            -1 => along_z << TOP,
            1 => along_z >> TOP,
            _ => along_z | along_z << LAYER_BLOCKS | along_z >> LAYER_BLOCKS,
        }
    }
}

/// Distance to which a rule sees beyond the Moore neighbourhood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// Layers that a voxel sees downwards.
    pub down: i32,
    /// Layers that a voxel sees upwards, at most 32.
    pub up: i32,
    /// True if the sight also reaches up to 8 voxels to the sides.
    pub sideways: bool,
}

impl Span {
    /// Blocks of the chunk `offset` chunks away with a voxel that sees one of `changed`. May
    /// include further blocks.
    pub fn woken(self, changed: BlockSet, offset: IVec3) -> BlockSet {
        if !self.sideways && (offset.x, offset.z) != (0, 0) {
            return 0;
        }
        let along_z = match (offset.z, self.sideways) {
            (-1, _) => (changed & FIRST) << (LAYER_BLOCKS - 1),
            (1, _) => (changed & LAST) >> (LAYER_BLOCKS - 1),
            (_, true) => changed | (changed & !FIRST) >> 1 | (changed & !LAST) << 1,
            (_, false) => changed,
        };
        // A changed voxel is seen from up to `up` layers below it and `down` layers above it.
        (-self.up..=self.down).fold(0, |woken, dy| {
            let layers = dy - offset.y * (BLOCKS / LAYER_BLOCKS) as i32;
            let bits = layers.unsigned_abs() * LAYER_BLOCKS as u32;
            let moved =
                if layers < 0 { along_z.checked_shr(bits) } else { along_z.checked_shl(bits) };
            woken | moved.unwrap_or(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_SIDE, neighbour_offsets};
    use std::collections::BTreeSet;

    /// Chunk offset and block of a voxel.
    fn place(at: IVec3) -> (IVec3, usize) {
        let local = at & (CHUNK_SIDE - 1);
        (at >> 5, (local.y * 4 + local.z / 8) as usize)
    }

    #[test]
    fn change_of_a_voxel_wakes_the_blocks_around_it() {
        for at in
            [[0, 0, 0], [31, 31, 31], [5, 0, 7], [0, 9, 8], [31, 31, 16], [7, 7, 12], [12, 31, 0]]
                .map(IVec3::from)
        {
            let mut changed = Changed::default();
            let mut voxels = Rows::NONE;
            voxels.0[at.z as usize % 8] |= 1 << at.x;
            changed.add(place(at).1, voxels);
            let expected: BTreeSet<_> = neighbour_offsets()
                .map(|by| place(at + by))
                .map(|(chunk, block)| (chunk.to_array(), block))
                .collect();
            let woken: BTreeSet<_> = neighbour_offsets()
                .flat_map(|by| blocks(changed.woken(by)).map(move |block| (by.to_array(), block)))
                .collect();
            assert_eq!(woken, expected, "{at}");
        }
    }

    #[test]
    fn change_of_a_voxel_wakes_what_sees_it() {
        let tree = Span { down: 6, up: 6, sideways: true };
        let sky = Span { down: 0, up: 16, sideways: false };
        for at in [[0, 0, 0], [31, 31, 31], [5, 3, 9], [16, 16, 16]].map(IVec3::from) {
            for (span, sides) in [(tree, 6), (sky, 0)] {
                let changed = 1 << place(at).1;
                for y in at.y - span.up..=at.y + span.down {
                    for (dx, dz) in
                        (-sides..=sides).flat_map(|dx| (-sides..=sides).map(move |dz| (dx, dz)))
                    {
                        let (chunk, block) = place(IVec3::new(at.x + dx, y, at.z + dz));
                        assert!(
                            span.woken(changed, chunk) >> block & 1 == 1,
                            "{span:?} {at} {dx} {y} {dz}"
                        );
                    }
                }
                let woken: u32 =
                    neighbour_offsets().map(|by| span.woken(changed, by).count_ones()).sum();
                let layers = (span.up + span.down + 1) as u32;
                assert!(woken <= layers * if sides > 0 { 9 } else { 1 }, "{span:?} {at} {woken}");
            }
        }
    }

    #[test]
    fn whole_chunk_wakes_all_neighbours() {
        let changed = Changed::whole(ALL_BLOCKS);
        assert_eq!(changed.woken(IVec3::X), ALL_BLOCKS);
        assert_eq!(changed.woken(IVec3::Y).count_ones(), 4);
        assert_eq!(changed.woken(IVec3::Z).count_ones(), 32);
        assert_eq!(changed.woken(IVec3::NEG_ONE).count_ones(), 1);
    }
}
