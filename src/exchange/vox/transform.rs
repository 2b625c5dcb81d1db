//! Where a node of a `.vox` scene graph puts its content: a rotation by quarter turns, and a translation.
//!
//! A rotation is a signed permutation of the axes (MagicaVoxel's file format text, "ROTATION type"), kept
//! as such: whole numbers stay whole. `dot_vox` has a type for it too, but makes it from a byte by
//! panicking on bad ones.

use glam::{I64Vec3, IVec3};

/// A signed permutation matrix: row i has `sign[i]` in column `column[i]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rotation {
    column: [usize; 3],
    sign: [i64; 3],
}

impl Rotation {
    pub(super) const IDENTITY: Rotation = Rotation { column: [0, 1, 2], sign: [1, 1, 1] };
    /// MagicaVoxel's axes (z up) to ours (y up): a quarter turn about x, (x, y, z) -> (x, z, -y).
    const Y_UP: Rotation = Rotation { column: [0, 2, 1], sign: [1, 1, -1] };

    /// Decodes a `_r` byte: bits 0-1 and 2-3 say which column of the first and second row is not zero, bits
    /// 4 to 6 are set where a row's entry is -1. None if two rows have the same column.
    pub(super) fn from_byte(byte: u8) -> Option<Rotation> {
        let (first, second) = (usize::from(byte & 3), usize::from(byte >> 2 & 3));
        if first == second || first == 3 || second == 3 || byte >= 1 << 7 {
            return None;
        }
        let sign = [4, 5, 6].map(|bit| if byte >> bit & 1 == 0 { 1 } else { -1 });
        Some(Rotation { column: [first, second, 3 - first - second], sign })
    }

    fn apply(self, v: I64Vec3) -> I64Vec3 {
        let v = v.to_array();
        I64Vec3::from_array([0, 1, 2].map(|row| self.sign[row] * v[self.column[row]]))
    }

    /// First `inner`, then `self`.
    fn after(self, inner: Rotation) -> Rotation {
        Rotation {
            column: self.column.map(|c| inner.column[c]),
            sign: [0, 1, 2].map(|row| self.sign[row] * inner.sign[self.column[row]]),
        }
    }
}

/// A rotation about the origin, then a translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Transform {
    pub(super) rotation: Rotation,
    /// Wide, so that no nesting of 32-bit ways can overflow it.
    pub(super) translation: I64Vec3,
}

impl Transform {
    /// The world that the root node stands in: ours, y up.
    pub(super) const ROOT: Transform = Transform { rotation: Rotation::Y_UP, translation: I64Vec3::ZERO };

    /// First `inner`, then `self`: what a node inside a node does.
    pub(super) fn after(self, inner: Transform) -> Transform {
        Transform {
            rotation: self.rotation.after(inner.rotation),
            translation: self.translation + self.rotation.apply(inner.translation),
        }
    }

    /// The cell that a model's voxel comes to. The model turns about its centre, which MagicaVoxel puts on
    /// the corner `size / 2`, rounded down.
    pub(super) fn cell_of(self, voxel: IVec3, size: IVec3) -> I64Vec3 {
        // Twice the voxel's middle is a whole number, and stays odd when turned; floor of its half is the cell.
        let doubled = ((voxel - size / 2) * 2 + 1).as_i64vec3();
        (self.rotation.apply(doubled) - 1) / 2 + self.translation
    }

    /// The same, for the many voxels of a model of `size`: three products and sums each.
    pub(super) fn cells(self, size: IVec3) -> impl Fn(&dot_vox::Voxel) -> I64Vec3 {
        let zero = self.cell_of(IVec3::ZERO, size);
        move |v| zero + self.rotation.apply(I64Vec3::new(v.x.into(), v.y.into(), v.z.into()))
    }
}
