//! Tools with a target: the surface moves towards it by at most the weight.

use super::area::PreparedArea;
use super::fill_window::{FillWindow, Row, STRIDE, index_of};
use super::plane::{FlattenSide, ShapingPlane, slope_fill};
use super::surface_moves::{grown, shrunk};
use crate::voxel::CHUNK_SIDE;
use glam::{I64Vec3, IVec3};

/// Fills that a tool moves towards.
pub(super) enum Target {
    Add,
    Erode,
    Flatten(ShapingPlane, FlattenSide),
    Slope([I64Vec3; 2]),
}

/// Approach of a target in an area.
pub(super) struct Approach<'a> {
    pub target: Target,
    pub area: &'a PreparedArea,
}

impl Target {
    /// Target of a voxel with a fill from 0 to 256.
    fn fill(&self, area: &PreparedArea, at: IVec3, fill: i16) -> i16 {
        match self {
            Target::Add => fill.max(area.form_fill(at)),
            Target::Erode => fill.min(256 - area.form_fill(at)),
            Target::Flatten(plane, FlattenSide::Both) => plane.fill(at),
            Target::Flatten(plane, FlattenSide::Raise) => fill.max(plane.fill(at)),
            Target::Flatten(plane, FlattenSide::Lower) => fill.min(plane.fill(at)),
            Target::Slope(points) => slope_fill(*points, at),
        }
    }
}

impl Approach<'_> {
    /// Fills of a row after the pass, where weights are not 0.
    pub fn row(&self, window: &FillWindow, origin: IVec3, [y, z]: [i32; 2], weights: &Row) -> Row {
        let before = window.row(y, z);
        let mut targets = *before;
        let mut is_changed = false;
        for x in -1..=CHUNK_SIDE {
            let i = index_of(x);
            if weights[i] > 0 && before[i] >= 0 {
                targets[i] = self.target.fill(self.area, origin + IVec3::new(x, y, z), before[i]);
                is_changed |= targets[i] != before[i];
            }
        }
        if !is_changed {
            return targets;
        }
        let most = grown(window, [y, z], weights);
        let least = shrunk(window, [y, z], weights);
        for i in 0..STRIDE {
            let limited = targets[i].min(most[i]).max(least[i]);
            targets[i] = if weights[i] == 256 { targets[i] } else { limited };
        }
        targets
    }
}
