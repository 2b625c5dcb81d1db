//! Quarter turns and flips, which map the chunk grid onto itself.

use super::coded_chunk::{CodedChunk, Strides};
use super::dense_chunk::DenseChunk;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_index, linear_offset};
use crate::world::Chunk;
use glam::{DMat3, IVec3};

/// One of the 48 ways to turn and mirror a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orientation {
    /// Images of the unit vectors along x, y and z. They are unit vectors along different axes.
    axes: [IVec3; 3],
}

impl Orientation {
    /// The identity.
    pub(super) const IDENTITY: Orientation = Orientation { axes: [IVec3::X, IVec3::Y, IVec3::Z] };

    /// Matrix of the orientation.
    pub(super) fn matrix(self) -> DMat3 {
        let [x, y, z] = self.axes.map(|axis| axis.as_dvec3());
        DMat3::from_cols(x, y, z)
    }

    /// Orientation with this matrix, within rounding; `None` if the matrix is not an orientation.
    pub(super) fn from_matrix(matrix: DMat3) -> Option<Orientation> {
        const ROUNDING: f64 = 1e-9;
        let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let units = axes.map(|axis| axis.round());
        let is_exact = axes
            .iter()
            .zip(units)
            .all(|(axis, unit)| (*axis - unit).abs().max_element() < ROUNDING);
        let steps = units.map(|unit| unit.as_ivec3());
        let are_units = steps.iter().all(|step| step.length_squared() == 1);
        let differ = steps.iter().map(|step| step.abs()).sum::<IVec3>() == IVec3::ONE;
        (is_exact && are_units && differ).then_some(Orientation { axes: steps })
    }

    /// Turned offset between two voxels.
    pub(super) fn turned_offset(self, offset: IVec3) -> IVec3 {
        let [x, y, z] = self.axes;
        x * offset.x + y * offset.y + z * offset.z
    }

    /// Turned position of a voxel. The centre of the turn is the corner between the eight chunks
    /// around the grid's origin.
    pub(super) fn turned_voxel(self, at: IVec3) -> IVec3 {
        // Voxel -1 lies next to voxel 0 on the other side of the corner, so reversed axes are off
        // by one.
        self.turned_offset(at) - self.reversed()
    }

    /// Turned position of a chunk. The centre of the turn is the same as in
    /// [`Orientation::turned_voxel`].
    pub(super) fn turned_pos(self, pos: ChunkPos) -> ChunkPos {
        let IVec3 { x, y, z } = self.turned_voxel(pos.as_ivec3());
        ChunkPos::new(x, y, z)
    }

    /// Offset of 1 along axes whose voxel order is reversed, 0 along the others.
    fn reversed(self) -> IVec3 {
        -self.axes.iter().map(|axis| axis.min(IVec3::ZERO)).sum::<IVec3>()
    }

    /// Voxels of a chunk, turned about the middle of the chunk.
    pub(super) fn turned_chunk(self, chunk: &Chunk) -> Chunk {
        if chunk.as_uniform().is_some() {
            return chunk.clone();
        }
        // Each axis is a unit vector, so this is the signed stride along it.
        let index = |axis: IVec3| linear_index(axis.abs()) as isize * axis.element_sum() as isize;
        let first = linear_index(self.reversed() * (CHUNK_SIDE - 1)) as isize;
        let to = Strides { first, steps: self.axes.map(index) };
        if let Some(coded) = CodedChunk::from_chunk(chunk) {
            return coded.moved(to).to_chunk();
        }
        let mut dense = DenseChunk::filled(Voxel::AIR);
        for run in chunk.runs() {
            for at in run.start as usize..run.end() as usize {
                let steps = linear_offset(at).to_array().into_iter().zip(to.steps);
                let place =
                    first + steps.map(|(offset, step)| offset as isize * step).sum::<isize>();
                dense.voxels_mut()[place as usize] = run.voxel;
            }
        }
        dense.to_chunk()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::CHUNK_VOLUME;

    /// All 48 orientations.
    fn all() -> Vec<Orientation> {
        let units = [IVec3::X, IVec3::Y, IVec3::Z].map(|unit| [unit, -unit]).concat();
        let mut found = Vec::new();
        for &x in &units {
            for &y in &units {
                for &z in &units {
                    let [a, b, c] = [x, y, z].map(|axis| axis.as_dvec3() + 1e-12);
                    found.extend(Orientation::from_matrix(DMat3::from_cols(a, b, c)));
                }
            }
        }
        found
    }

    #[test]
    fn there_are_48_orientations_and_no_other_matrix_is_one() {
        assert_eq!(all().len(), 48);
        for bad in [
            DMat3::ZERO,
            DMat3::IDENTITY * 2.0,
            DMat3::from_rotation_y(0.1),
            DMat3::IDENTITY * 1.000_001,
        ] {
            assert_eq!(Orientation::from_matrix(bad), None);
        }
    }

    #[test]
    fn chunks_turn_voxel_by_voxel() {
        let voxel = |i: usize| Voxel::new((i * 7 / 50 % 4) as u16, (i % 3) as u8);
        let noise = Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, voxel(i))));
        let many = Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, Voxel::full((i % 700) as u16))));
        let mut specks = Chunk::uniform(Voxel::full(1));
        specks.set_range(40..45, Voxel::AIR);
        specks.set_range(3000..9000, Voxel::new(2, 99));
        for (number, orientation) in all().into_iter().enumerate() {
            let chunk = [&noise, &specks, &many][number % 3];
            for pos in [ChunkPos::new(0, 0, 0), ChunkPos::new(-3, 5, 1)] {
                let turned_pos = orientation.turned_pos(pos);
                let turned = orientation.turned_chunk(chunk);
                turned.check().expect("a sound tree");
                for index in (0..CHUNK_VOLUME).step_by(if number % 3 == 0 { 1 } else { 7 }) {
                    let at = orientation.turned_voxel(pos.origin() + linear_offset(index));
                    assert_eq!(ChunkPos::containing(at), turned_pos, "{orientation:?}");
                    assert_eq!(
                        turned.get(linear_index(at - turned_pos.origin())),
                        chunk.get(index),
                        "{orientation:?}"
                    );
                }
            }
            let uniform = Chunk::uniform(Voxel::full(3));
            assert_eq!(orientation.turned_chunk(&uniform), uniform);
        }
    }
}
