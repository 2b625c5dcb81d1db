//! Areas in which shaping tools work.

use super::brush::{BrushShape, BrushTables, ShapingBrush};
use crate::edit::region::{MAX_CHUNKS, Region, RegionError};
use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;
use std::sync::Arc;

/// Voxels that a pass covers, and how strongly.
#[derive(Clone, Debug)]
pub enum ShapingArea {
    /// All voxels of a region, with the same weight.
    Region(Arc<Region>),
    /// A brush along a line between two voxels.
    Swept {
        /// The brush.
        brush: ShapingBrush,
        /// Ends of the line; equal for a brush at one place.
        ends: [IVec3; 2],
    },
}

impl ShapingArea {
    /// A brush at one place.
    #[must_use]
    pub fn dab(brush: ShapingBrush, centre: IVec3) -> ShapingArea {
        ShapingArea::Swept { brush, ends: [centre; 2] }
    }

    /// The area with the weights of a strength.
    pub(super) fn prepared(&self, strength: u16) -> PreparedArea {
        match self {
            ShapingArea::Region(region) => PreparedArea::Region {
                region: Arc::clone(region),
                weight: strength.min(256) as i16,
            },
            ShapingArea::Swept { brush, ends } => {
                PreparedArea::Swept { brush: *brush, ends: *ends, tables: brush.tables(strength) }
            }
        }
    }
}

/// An area with its weights.
#[derive(Debug)]
pub(super) enum PreparedArea {
    Region { region: Arc<Region>, weight: i16 },
    Swept { brush: ShapingBrush, ends: [IVec3; 2], tables: BrushTables },
}

impl PreparedArea {
    /// Chunks with voxels of the area, or a few more.
    pub fn chunks(&self) -> Vec<ChunkPos> {
        match self {
            PreparedArea::Region { region, .. } => region.sorted_chunks(),
            PreparedArea::Swept { brush, ends, .. } => {
                let chunks = brush.bounds(ends[0], ends[1]).chunks();
                chunks.filter(|pos| brush.may_touch(*ends, *pos)).collect()
            }
        }
    }

    /// Checks that a pass over the area is not too large.
    ///
    /// # Errors
    /// Fails if the box around a brush has more than [`MAX_CHUNKS`] chunks.
    pub fn check(&self) -> Result<(), RegionError> {
        let bounds = self.bounds().filter(|_| matches!(self, PreparedArea::Swept { .. }));
        let is_too_large = bounds.is_some_and(|bounds| bounds.in_chunks().volume() > MAX_CHUNKS);
        if is_too_large { Err(RegionError::TooLarge) } else { Ok(()) }
    }

    /// Smallest box around the area; `None` if it is empty.
    pub fn bounds(&self) -> Option<Box3> {
        match self {
            PreparedArea::Region { region, .. } => region.bounds(),
            PreparedArea::Swept { brush, ends, .. } => Some(brush.bounds(ends[0], ends[1])),
        }
    }

    /// Weight of a voxel, 0 to 256.
    pub fn weight(&self, at: IVec3) -> i16 {
        match self {
            PreparedArea::Region { region, weight } if region.contains(at) => *weight,
            PreparedArea::Region { .. } => 0,
            PreparedArea::Swept { brush, ends, tables } => {
                brush.squared_distance(*ends, at).map_or(0, |squared| tables.weights[squared])
            }
        }
    }

    /// Weights of a row of voxels along x that starts at `from`. `row` holds zeros.
    pub fn weigh_row(&self, from: IVec3, row: &mut [i16]) {
        match self {
            // Most rows are rows of a ball at one place.
            PreparedArea::Swept { brush, ends: [centre, end], tables }
                if centre == end && brush.shape == BrushShape::Ball =>
            {
                let offset = from.as_i64vec3() - centre.as_i64vec3();
                let across = offset.with_x(0).length_squared();
                for (weight, x) in row.iter_mut().zip(offset.x..) {
                    let squared = (across + x * x) as usize;
                    *weight = tables.weights.get(squared).copied().unwrap_or(0);
                }
            }
            _ => {
                for (weight, x) in row.iter_mut().zip(from.x..) {
                    *weight = self.weight(from.with_x(x));
                }
            }
        }
    }

    /// Fill of the area's own form in a voxel, 0 to 256.
    pub fn form_fill(&self, at: IVec3) -> i16 {
        match self {
            PreparedArea::Region { region, .. } => i16::from(region.contains(at)) * 256,
            PreparedArea::Swept { brush, ends, tables } => {
                brush.squared_distance(*ends, at).map_or(0, |squared| tables.fills[squared])
            }
        }
    }
}
