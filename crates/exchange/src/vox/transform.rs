//! Transforms of a `.vox` scene graph: a rotation by quarter turns and a translation.
//!
//! A rotation is a signed permutation of the axes (MagicaVoxel's file format text, "ROTATION
//! type"), stored as such, so integers stay exact. `dot_vox` has a similar type, but panics on
//! invalid bytes.

use glam::{I64Vec3, IVec3};

/// A signed permutation matrix: row i has `sign[i]` in column `column[i]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rotation {
    column: [usize; 3],
    sign: [i64; 3],
}

impl Rotation {
    pub(super) const IDENTITY: Rotation = Rotation { column: [0, 1, 2], sign: [1, 1, 1] };
    /// Rotation from MagicaVoxel's axes (z up) to the world's (y up): a quarter turn about x,
    /// (x, y, z) -> (x, z, -y).
    const Y_UP: Rotation = Rotation { column: [0, 2, 1], sign: [1, 1, -1] };

    /// Decodes a `_r` byte; `None` if two rows have the same column.
    ///
    /// ```text
    /// bits 0-1  column of the nonzero entry of row 0
    /// bits 2-3  column of the nonzero entry of row 1
    /// bits 4-6  set if the entry of row 0, 1, 2 is -1
    /// ```
    pub(super) fn from_byte(byte: u8) -> Option<Rotation> {
        let first = usize::from(byte & 3);
        let second = usize::from(byte >> 2 & 3);
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

    /// The rotation that applies `inner`, then `self`.
    fn after(self, inner: Rotation) -> Rotation {
        Rotation {
            column: self.column.map(|c| inner.column[c]),
            sign: [0, 1, 2].map(|row| self.sign[row] * inner.sign[self.column[row]]),
        }
    }
}

/// A rotation about the origin, then a translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VoxTransform {
    pub(super) rotation: Rotation,
    /// Translation in 64 bits, so that nested 32-bit translations cannot overflow.
    pub(super) translation: I64Vec3,
}

impl VoxTransform {
    /// The transform of the root node, from MagicaVoxel's axes to the world's, y up.
    pub(super) const ROOT: VoxTransform =
        VoxTransform { rotation: Rotation::Y_UP, translation: I64Vec3::ZERO };

    /// The transform that applies `inner`, then `self`: a node `inner` inside the node `self`.
    pub(super) fn after(self, inner: VoxTransform) -> VoxTransform {
        VoxTransform {
            rotation: self.rotation.after(inner.rotation),
            translation: self.translation + self.rotation.apply(inner.translation),
        }
    }

    /// The position in the world of a model's voxel. The model rotates about its centre, which
    /// MagicaVoxel places at the corner `size / 2`, rounded down.
    pub(super) fn voxel_at(self, voxel: IVec3, size: IVec3) -> I64Vec3 {
        // Twice the voxel's centre is an odd integer, and rotations keep it odd. Half of it,
        // rounded down, is the voxel.
        let doubled = ((voxel - size / 2) * 2 + 1).as_i64vec3();
        (self.rotation.apply(doubled) - 1) / 2 + self.translation
    }

    /// Returns a faster form of [`VoxTransform::voxel_at`] for models of one size. Per voxel only
    /// three products and sums remain.
    pub(super) fn voxel_map(self, size: IVec3) -> impl Fn(IVec3) -> I64Vec3 {
        let zero = self.voxel_at(IVec3::ZERO, size);
        move |voxel| zero + self.rotation.apply(voxel.as_i64vec3())
    }
}
