//! A small box of voxels as the contour sees them, for rays and bodies.

use super::World;
use crate::bits::set_bits;
use crate::contour::{CellVertices, ContourRules, ContourVoxel, EdgePolygon};
use crate::runs::moore::RowSource;
use crate::voxel::Voxel;
use glam::IVec3;

/// A box of voxels, read row by row. Positions count from its lowest voxel, so that they are small
/// numbers everywhere in the world.
#[derive(Debug, Default)]
pub(crate) struct GroundPatch {
    /// Lowest voxel, in the world.
    low: IVec3,
    /// Voxels along each axis.
    size: IVec3,
    /// The voxels: x fastest, then z, then y.
    voxels: Vec<ContourVoxel>,
    /// Bit x of each row, z fastest: the voxel is matter.
    inside: Vec<u64>,
}

impl GroundPatch {
    /// Reads the voxels from `low` to `high`, both included; at most 64 along x.
    pub fn read(
        &mut self,
        world: &World,
        low: IVec3,
        high: IVec3,
        mut convert: impl FnMut(IVec3, Voxel) -> ContourVoxel,
    ) {
        self.low = low;
        self.size = high - low + IVec3::ONE;
        debug_assert!(self.size.x <= 64);
        self.voxels.clear();
        self.voxels.reserve((self.size.x * self.size.y * self.size.z) as usize);
        self.inside.clear();
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                let mut at = IVec3::new(low.x, y, z);
                let mut row = 0;
                world.row_runs(at, self.size.x.cast_unsigned(), |len, voxel| {
                    for _ in 0..len {
                        let value = convert(at, voxel);
                        self.voxels.push(value);
                        row |= u64::from(value.is_inside()) << (at.x - low.x);
                        at.x += 1;
                    }
                });
                self.inside.push(row);
            }
        }
    }

    /// Lowest voxel, in the world.
    pub fn low(&self) -> IVec3 {
        self.low
    }

    /// Number of voxels.
    pub fn len(&self) -> usize {
        self.voxels.len()
    }

    /// True if any voxel is ground.
    pub fn has_ground(&self) -> bool {
        self.voxels.iter().any(|voxel| voxel.is_ground())
    }

    /// The edges, by lower voxel and axis, at which a surface may be drawn, of the cells from
    /// 1, 1, 1 on in the box. `more` is the number of further cells along each axis.
    pub fn drawn_edges(&self, more: IVec3) -> impl Iterator<Item = (IVec3, usize)> + '_ {
        let last = more + 2;
        let voxels = |to: i32| ((1u64 << to) - 1) << 1;
        (1..=last.y).flat_map(move |y| {
            (1..=last.z).flat_map(move |z| {
                let row = (z + self.size.z * y) as usize;
                let here = self.inside[row];
                // Edges end at the last voxel.
                let along_x = (here ^ here >> 1) & voxels(last.x - 1);
                let next = |step: usize| (here ^ self.inside[row + step]) & voxels(last.x);
                let along_y = if y < last.y { next(self.size.z as usize) } else { 0 };
                let along_z = if z < last.z { next(1) } else { 0 };
                [along_x, along_y, along_z].into_iter().enumerate().flat_map(
                    move |(axis, edges)| {
                        set_bits(edges).map(move |x| (IVec3::new(x as i32, y, z), axis))
                    },
                )
            })
        })
    }

    /// The voxel at a position in the box.
    #[inline]
    pub fn voxel(&self, at: IVec3) -> ContourVoxel {
        self.voxels[(at.x + self.size.x * (at.z + self.size.z * at.y)) as usize]
    }

    /// The eight voxels of the cell with the lowest voxel at a position in the box.
    #[inline]
    pub fn corners(&self, at: IVec3) -> [ContourVoxel; 8] {
        std::array::from_fn(|number| {
            let number = number as i32;
            self.voxel(at + IVec3::new(number & 1, number >> 1 & 1, number >> 2))
        })
    }

    /// The surface around an edge, which begins at a position in the box. The box must hold all
    /// voxels around the edge.
    pub fn polygon(
        &self,
        rules: &impl ContourRules,
        low: IVec3,
        axis: usize,
    ) -> Option<EdgePolygon> {
        let voxel = |at: IVec3| self.voxel(at);
        EdgePolygon::new(low, axis, &voxel, |cell| self.cell(rules, cell))
    }

    /// The vertices of the cell with the lowest voxel at a position in the box.
    pub fn cell(&self, rules: &impl ContourRules, at: IVec3) -> CellVertices {
        CellVertices::new(self.corners(at), rules, at, self.low + at)
    }
}
