//! Eight rows of 32 voxels, one bit per voxel: the unit in which rules compute.

use crate::bits::set_bits;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// Number of rows of a block.
pub(super) const ROWS: usize = 8;

/// One bit of each voxel of eight rows along x that follow each other along z; bit x of a word
/// belongs to the voxel at x.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Rows(pub [u32; ROWS]);

impl Rows {
    /// The empty set.
    pub const NONE: Rows = Rows([0; ROWS]);
    /// The set of all voxels.
    pub const ALL: Rows = Rows([u32::MAX; ROWS]);

    /// All voxels, or no voxel.
    #[inline(always)]
    pub const fn splat(all: bool) -> Rows {
        if all { Rows::ALL } else { Rows::NONE }
    }

    /// The voxels in at least one of the sets.
    #[inline(always)]
    pub fn any(sets: &[Rows]) -> Rows {
        sets.iter().fold(Rows::NONE, |all, rows| all | *rows)
    }

    /// True if no voxel is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.union() == 0
    }

    /// True if the voxel of a row at x is in the set.
    #[inline(always)]
    pub const fn contains(self, row: usize, x: u32) -> bool {
        self.0[row] >> x & 1 == 1
    }

    /// Positions along x at which at least one row has a voxel of the set.
    #[inline(always)]
    pub fn union(self) -> u32 {
        self.0.iter().fold(0, |all, row| all | row)
    }

    /// The rows as words of two rows each.
    #[inline(always)]
    pub fn words(self) -> [u64; ROWS / 2] {
        std::array::from_fn(|pair| {
            u64::from(self.0[2 * pair]) | u64::from(self.0[2 * pair + 1]) << 32
        })
    }

    /// Number of voxels in the set.
    #[inline]
    pub fn count(self) -> u64 {
        self.0.iter().map(|row| u64::from(row.count_ones())).sum()
    }

    /// The set where `mask` is set, and `other` elsewhere.
    #[inline(always)]
    pub(crate) fn or_where_not(self, mask: Rows, other: Rows) -> Rows {
        other ^ (other ^ self) & mask
    }

    /// The set shifted along z: row z gets row z + `dz` (-1, 0 or 1). `next` returns the block in
    /// that direction.
    #[inline(always)]
    pub fn along_z(self, next: impl FnOnce() -> Rows, dz: i32) -> Rows {
        match dz {
            0 => self,
            1 => {
                let next = next();
                Rows(std::array::from_fn(|z| if z + 1 < ROWS { self.0[z + 1] } else { next.0[0] }))
            }
            _ => {
                let next = next();
                Rows(std::array::from_fn(|z| if z > 0 { self.0[z - 1] } else { next.0[ROWS - 1] }))
            }
        }
    }

    /// The set shifted along x: voxel x gets voxel x + `dx` (-1, 0 or 1). `next` returns the block
    /// in that direction.
    #[inline(always)]
    pub fn along_x(self, next: impl FnOnce() -> Rows, dx: i32) -> Rows {
        match dx {
            0 => self,
            1 => {
                let next = next();
                Rows(std::array::from_fn(|z| self.0[z] >> 1 | next.0[z] << 31))
            }
            _ => {
                let next = next();
                Rows(std::array::from_fn(|z| self.0[z] << 1 | next.0[z] >> 31))
            }
        }
    }

    /// Calls `accepts` with the row and x of each voxel of the set, and returns the accepted ones.
    pub fn filter(self, mut accepts: impl FnMut(usize, u32) -> bool) -> Rows {
        let mut kept = Rows::NONE;
        for (row, &word) in self.0.iter().enumerate() {
            for x in set_bits(word) {
                if accepts(row, x) {
                    kept.0[row] |= 1 << x;
                }
            }
        }
        kept
    }
}

macro_rules! operator {
    ($name:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl $name for Rows {
            type Output = Rows;
            #[inline(always)]
            fn $method(mut self, other: Rows) -> Rows {
                self.$assign_method(other);
                self
            }
        }
        impl $assign for Rows {
            #[inline(always)]
            fn $assign_method(&mut self, other: Rows) {
                self.0.iter_mut().zip(other.0).for_each(|(a, b)| a.$assign_method(b));
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
operator!(BitOr, bitor, BitOrAssign, bitor_assign);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl Not for Rows {
    type Output = Rows;
    #[inline(always)]
    fn not(self) -> Rows {
        self ^ Rows::ALL
    }
}
