//! The definitions of the tools, voxel by voxel.

use super::worlds::{self, Ids};
use crate::edit::position_noise::position_hash;
use crate::edit::shaping::{
    BrushShape, FlattenSide, Shaping, ShapingArea, ShapingBrush, ShapingTool, level_noise,
};
use crate::voxel::{Box3, Face, MaterialId, Voxel};
use crate::world::World;
use glam::{DVec3, I64Vec3, IVec3};
use rustc_hash::FxHashMap;

/// A pass of a tool.
pub(super) struct Reference<'a> {
    world: &'a World,
    shaping: &'a Shaping,
    area: &'a ShapingArea,
    ids: Ids,
    /// Box around the area, with a margin.
    pub bounds: Box3,
    /// Fills before the pass, in a wider box.
    before: FxHashMap<IVec3, i32>,
    /// Fills after the pass, before dust is cleared.
    after: FxHashMap<IVec3, i32>,
}

impl<'a> Reference<'a> {
    pub fn new(world: &'a World, shaping: &'a Shaping, area: &'a ShapingArea) -> Reference<'a> {
        let ids = Ids::find();
        let bounds = match area {
            ShapingArea::Region(region) => region.bounds().expect("areas have voxels"),
            ShapingArea::Swept { brush, ends } => Box3 {
                min: ends[0].min(ends[1]) - brush.radius as i32,
                max: ends[0].max(ends[1]) + brush.radius as i32 + 1,
            },
        };
        let wider = |by: i32| Box3 { min: bounds.min - by, max: bounds.max + by };
        let mut reference = Reference {
            world,
            shaping,
            area,
            ids,
            bounds: wider(1),
            before: FxHashMap::default(),
            after: FxHashMap::default(),
        };
        for at in worlds::voxels(wider(6)) {
            let voxel = worlds::voxel(world, at);
            let fill = if ids.is_ground(voxel) { i32::from(voxel.occupancy()) + 1 } else { 0 };
            reference.before.insert(at, fill);
        }
        for at in worlds::voxels(wider(2)) {
            let after = reference.moved(at);
            reference.after.insert(at, after);
        }
        reference
    }

    /// The voxel after the pass, without a mask.
    pub fn voxel(&self, at: IVec3) -> Voxel {
        let before = worlds::voxel(self.world, at);
        let fill = self.after[&at];
        let fill = if self.is_new_dust(at) { 0 } else { fill };
        if fill == self.before[&at] {
            before
        } else if self.before[&at] > 0 || fill == 0 {
            worlds::refilled(before, before.material(), fill)
        } else {
            worlds::refilled(before, self.new_material(at), fill)
        }
    }

    fn is_new_dust(&self, at: IVec3) -> bool {
        let around = || [at].into_iter().chain(Face::ALL.map(|face| at + face.normal()));
        self.after[&at] > 0
            && around().all(|at| self.after[&at] < 128)
            && around().any(|at| self.after[&at] != self.before[&at])
    }

    fn new_material(&self, at: IVec3) -> MaterialId {
        if let Some(pattern) = &self.shaping.matter {
            return pattern.at(at).material();
        }
        let mut nearest: Option<(i32, i32, i32, i32)> = None;
        let range = -3..=3;
        for y in range.clone() {
            for z in range.clone() {
                for x in range.clone() {
                    let by = IVec3::new(x, y, z);
                    let key = (by.length_squared(), y, z, x);
                    if key.0 <= 12
                        && self.before[&(at + by)] > 0
                        && nearest.is_none_or(|nearest| key < nearest)
                    {
                        nearest = Some(key);
                    }
                }
            }
        }
        match nearest {
            Some((_, y, z, x)) => worlds::voxel(self.world, at + IVec3::new(x, y, z)).material(),
            None => self.fallback(),
        }
    }

    fn fallback(&self) -> MaterialId {
        let inner = Box3 { min: self.bounds.min + 1, max: self.bounds.max - 1 };
        let middle = inner.min + (inner.max - inner.min) / 2;
        let column = (0..256).map(|depth| worlds::voxel(self.world, middle - IVec3::Y * depth));
        let ground = column.into_iter().find(|voxel| self.ids.is_ground(*voxel));
        ground.map_or(self.ids.stone, |voxel| voxel.material())
    }

    /// Weight of a voxel and fill of the area's form.
    fn weight_and_form(&self, at: IVec3) -> (i32, i32) {
        let strength = i32::from(self.shaping.strength);
        let (brush, ends) = match self.area {
            ShapingArea::Region(region) if region.contains(at) => return (strength, 256),
            ShapingArea::Region(_) => return (0, 0),
            ShapingArea::Swept { brush, ends } => (brush, ends),
        };
        let squared = squared_distance(*brush, *ends, at);
        let reach = brush.radius as i32;
        if squared >= (reach + 1).pow(2) {
            return (0, 0);
        }
        // The floor of the root in 256ths.
        let distance = (f64::from(squared).sqrt() * 256.0) as i32;
        let outer = (reach + 1) * 256;
        let inner = outer * (256 - i32::from(brush.falloff)) / 256;
        let rest = if distance <= inner { 256 } else { (outer - distance) * 256 / (outer - inner) };
        let falloff = (3 * 256 * rest * rest - 2 * rest * rest * rest) / 65536;
        let weight = (strength * falloff + 255) / 256;
        let form = if brush.shape == BrushShape::Cube { 256 } else { (outer - distance).min(256) };
        (weight, form)
    }

    /// Fill after the pass, before dust is cleared.
    fn moved(&self, at: IVec3) -> i32 {
        let fill = self.before[&at];
        let (weight, form) = self.weight_and_form(at);
        let voxel = worlds::voxel(self.world, at);
        if weight == 0 || self.ids.is_fixed(voxel, self.shaping.ignores_liquids) {
            return fill;
        }
        let target = |target: i32| {
            if weight == 256 {
                return target;
            }
            target.min(self.grown(at, weight)).max(self.shrunk(at, weight))
        };
        match &self.shaping.tool {
            ShapingTool::Add => target(fill.max(form)),
            ShapingTool::Erode => target(fill.min(256 - form)),
            ShapingTool::Grow => self.grown(at, weight),
            ShapingTool::Shrink => self.shrunk(at, weight),
            ShapingTool::Smooth { reach } => self.smoothed(at, i32::from(*reach), weight),
            ShapingTool::Flatten { plane, side } => {
                let plane = i32::from(plane.fill(at));
                target(match side {
                    FlattenSide::Both => plane,
                    FlattenSide::Raise => fill.max(plane),
                    FlattenSide::Lower => fill.min(plane),
                })
            }
            ShapingTool::Sculpt { normal, pushes } => self.sculpted(at, *normal, *pushes, weight),
            ShapingTool::Slope { points } => target(slope(*points, at)),
            ShapingTool::Roughen { scale, seed } => {
                let noise = level_noise::LevelNoise { scale: *scale, seed: *seed }.at(at);
                if *scale == 1 {
                    let hash = position_hash(*seed, at) >> 32;
                    assert_eq!(noise, (hash % 513) as i32 - 256);
                }
                let by = noise * weight / 256;
                match by {
                    0 => fill,
                    1.. => self.grown(at, by),
                    _ => self.shrunk(at, -by),
                }
            }
            ShapingTool::Paint { .. } | ShapingTool::Weather | ShapingTool::Melt => {
                panic!("these have tests of their own")
            }
        }
    }

    fn neighbours(&self, at: IVec3) -> [i32; 6] {
        Face::ALL.map(|face| self.before[&(at + face.normal())])
    }

    fn grown(&self, at: IVec3, by: i32) -> i32 {
        let largest = self.neighbours(at).into_iter().max().expect("six");
        let fill = self.before[&at];
        fill.max(fill + largest - 256 + by).min(256)
    }

    fn shrunk(&self, at: IVec3, by: i32) -> i32 {
        let smallest = self.neighbours(at).into_iter().min().expect("six");
        let fill = self.before[&at];
        fill.min(fill + smallest - by).max(0)
    }

    fn smoothed(&self, at: IVec3, reach: i32, weight: i32) -> i32 {
        let side = 2 * reach + 1;
        let around = Box3 { min: at - reach, max: at + reach + 1 };
        let sum: i32 = worlds::voxels(around).map(|at| self.before[&at]).sum();
        let smoothed = 128.0 + f64::from(sum - 128 * side.pow(3)) / f64::from(side.pow(2));
        // Odd divisors, so no number lies between two whole ones.
        let smoothed = (smoothed + 0.5).floor().clamp(0.0, 256.0) as i32;
        let fill = self.before[&at];
        let difference = f64::from((smoothed - fill) * weight) / 256.0;
        fill + if difference < 0.0 { difference.floor() } else { difference.ceil() } as i32
    }

    fn sculpted(&self, at: IVec3, normal: IVec3, pushes: bool, weight: i32) -> i32 {
        let mut normal = normal;
        while normal.abs().max_element() > 1024 {
            normal /= 2;
        }
        let sign = if pushes { 1 } else { -1 };
        let mut sum = 0;
        for axis in 0..3 {
            let step = IVec3::AXES[axis] * normal[axis].signum() * sign;
            sum += normal[axis].abs() * self.before[&(at + step)];
        }
        let total = normal.abs().element_sum();
        let mean = (sum + total / 2) / total;
        let fill = self.before[&at];
        if pushes {
            fill.min(fill + mean - weight).max(0)
        } else {
            fill.max(fill + mean - 256 + weight).min(256)
        }
    }
}

/// Squared distance of a voxel from a line, as a brush measures it.
fn squared_distance(brush: ShapingBrush, [from, to]: [IVec3; 2], at: IVec3) -> i32 {
    let along = (to - from).as_dvec3();
    let offset = (at - from).as_dvec3();
    let part = if along == DVec3::ZERO {
        0.0
    } else {
        offset.dot(along).clamp(0.0, along.length_squared()) / along.length_squared()
    };
    // A hair more, so that halves round up in spite of floating point.
    let nearest = (along * part + 0.5 + 1e-9).floor();
    let offset = (offset - nearest).as_ivec3();
    match brush.shape {
        BrushShape::Ball => offset.length_squared(),
        BrushShape::Cube => offset.abs().max_element().pow(2),
        BrushShape::Cylinder if offset.y.abs() > brush.radius as i32 => i32::MAX,
        BrushShape::Cylinder => offset.with_y(0).length_squared(),
    }
}

/// Fill below a slope.
fn slope([from, to]: [I64Vec3; 2], at: IVec3) -> i32 {
    let from = from.as_dvec3();
    let along = to.as_dvec3() - from;
    let centre = at.as_dvec3() * 256.0 + 128.0;
    let flat = along.with_y(0.0);
    let part = (centre - from).with_y(0.0).dot(flat).clamp(0.0, flat.length_squared());
    let rise = if flat == DVec3::ZERO { 0.0 } else { along.y * part / flat.length_squared() };
    (128.0 + from.y + (rise + 1e-9).floor() - centre.y).clamp(0.0, 256.0) as i32
}
