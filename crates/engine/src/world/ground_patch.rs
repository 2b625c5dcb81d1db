//! A small box of voxels as the contour sees them, for rays and bodies.

use super::World;
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
}

impl GroundPatch {
    /// Reads the voxels from `low` to `high`, both included.
    pub fn read(
        &mut self,
        world: &World,
        low: IVec3,
        high: IVec3,
        convert: impl Fn(IVec3, Voxel) -> ContourVoxel,
    ) {
        self.low = low;
        self.size = high - low + IVec3::ONE;
        self.voxels.clear();
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                let mut at = IVec3::new(low.x, y, z);
                world.row_runs(at, self.size.x.cast_unsigned(), |len, voxel| {
                    for _ in 0..len {
                        self.voxels.push(convert(at, voxel));
                        at.x += 1;
                    }
                });
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
        let rows = (1..=last.y).flat_map(move |y| (1..=last.z).map(move |z| (y, z)));
        let voxels = rows.flat_map(move |(y, z)| (1..=last.x).map(move |x| IVec3::new(x, y, z)));
        voxels.flat_map(move |low| {
            let from = self.voxel(low);
            (0..3).filter_map(move |axis| {
                let ends = low[axis] < last[axis];
                let is_crossed =
                    || self.voxel(low + IVec3::AXES[axis]).is_inside() != from.is_inside();
                (ends && is_crossed()).then_some((low, axis))
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
