//! Brushes: form, radius and falloff.

use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use glam::{I64Vec3, IVec3};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Maximum radius of a shaping brush, in voxels.
pub const MAX_SHAPING_RADIUS: u32 = 64;

/// Form of a shaping brush.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray)]
pub enum BrushShape {
    /// A ball.
    #[default]
    Ball,
    /// A cube.
    Cube,
    /// An upright cylinder, as high as wide.
    Cylinder,
}

/// A brush. It covers the voxels nearer than `radius + 1` to the voxel in its middle, so a radius
/// of 0 is a single voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapingBrush {
    /// The form.
    pub shape: BrushShape,
    /// Radius in voxels, at most [`MAX_SHAPING_RADIUS`].
    pub radius: u32,
    /// Outer part of the radius in which the weight falls to 0, in 256ths of the radius: 0 for the
    /// same weight everywhere, 256 for a weight that falls from the middle on.
    pub falloff: u16,
}

impl ShapingBrush {
    /// A ball with a falloff over half of its radius.
    #[must_use]
    pub fn ball(radius: u32) -> ShapingBrush {
        ShapingBrush { shape: BrushShape::Ball, radius, falloff: 128 }
    }

    /// The radius, within the limit.
    fn reach(self) -> i32 {
        self.radius.min(MAX_SHAPING_RADIUS) as i32
    }

    /// Box around the brush, swept from one place to another.
    pub(super) fn bounds(self, from: IVec3, to: IVec3) -> Box3 {
        let reach = IVec3::splat(self.reach());
        Box3 {
            min: from.min(to).saturating_sub(reach),
            max: from.max(to).saturating_add(reach).saturating_add(IVec3::ONE),
        }
    }

    /// False if no voxel of a chunk can be in the brush, swept along a line.
    pub(super) fn may_touch(self, [from, to]: [IVec3; 2], pos: ChunkPos) -> bool {
        // Half of a chunk's diagonal, and a voxel for rounding.
        let half = 29;
        let offset = offset_from_line(from, to, pos.origin() + CHUNK_SIDE / 2).abs();
        let reach = i64::from(self.reach()) + 1;
        match self.shape {
            BrushShape::Ball => offset.length_squared() <= (reach + half).pow(2),
            BrushShape::Cube | BrushShape::Cylinder => offset.max_element() <= reach + half,
        }
    }

    /// Squared distance of a voxel from the line between two places, as the form measures it, in
    /// voxels; `None` outside the brush.
    pub(super) fn squared_distance(self, [from, to]: [IVec3; 2], at: IVec3) -> Option<usize> {
        let reach = i64::from(self.reach());
        let offset = offset_from_line(from, to, at);
        let squared = match self.shape {
            BrushShape::Ball => offset.length_squared(),
            BrushShape::Cube => offset.abs().max_element().pow(2),
            BrushShape::Cylinder if offset.y.abs() > reach => return None,
            BrushShape::Cylinder => offset.with_y(0).length_squared(),
        };
        (squared < (reach + 1).pow(2)).then_some(squared as usize)
    }

    /// Weights of full strength and the form's own fills, by squared distance.
    pub(super) fn tables(self, strength: u16) -> BrushTables {
        let reach = self.reach();
        let outer = (reach + 1) << 8;
        let inner = outer * (256 - i32::from(self.falloff.min(256))) / 256;
        let mut tables = BrushTables::default();
        for squared in 0..(reach + 1).pow(2) {
            let distance = (i64::from(squared) << 16).isqrt() as i32;
            let rest =
                if distance <= inner { 256 } else { ((outer - distance) << 8) / (outer - inner) };
            // Smooth at both ends: 3 t^2 - 2 t^3.
            let falloff = (3 * 256 * rest.pow(2) - 2 * rest.pow(3)) >> 16;
            let weight = (i32::from(strength.min(256)) * falloff + 255) >> 8;
            tables.weights.push(weight as i16);
            let fill = match self.shape {
                BrushShape::Cube => 256,
                BrushShape::Ball | BrushShape::Cylinder => (outer - distance).clamp(0, 256),
            };
            tables.fills.push(fill as i16);
        }
        tables
    }
}

/// Weights and fills of a brush by squared distance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct BrushTables {
    pub weights: Vec<i16>,
    pub fills: Vec<i16>,
}

/// Offset of a voxel from the nearest place of a line between two voxels, rounded to whole voxels.
fn offset_from_line(from: IVec3, to: IVec3, at: IVec3) -> I64Vec3 {
    let along = to.as_i64vec3() - from.as_i64vec3();
    let offset = at.as_i64vec3() - from.as_i64vec3();
    let length = along.length_squared();
    if length == 0 {
        return offset;
    }
    let part = i128::from(offset.dot(along).clamp(0, length));
    let rounded = |along: i64| {
        let length = i128::from(length);
        ((2 * i128::from(along) * part + length).div_euclid(2 * length)) as i64
    };
    offset - I64Vec3::new(rounded(along.x), rounded(along.y), rounded(along.z))
}

/// Centres of a stroke through points: at most `spacing` voxels apart, the first and the last point
/// among them.
#[must_use]
pub fn stroke_centres(points: &[IVec3], spacing: u32) -> Vec<IVec3> {
    let spacing = i64::from(spacing.max(1));
    let mut centres: Vec<IVec3> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let from = pair[0].as_i64vec3();
        let along = pair[1].as_i64vec3() - from;
        let steps = (along.length_squared().isqrt() + spacing - 1) / spacing;
        for step in 1..=steps {
            let at = from + (along * step * 2 + steps).div_euclid(I64Vec3::splat(2 * steps));
            centres.push(at.as_ivec3());
        }
    }
    centres.dedup();
    centres
}
