//! Rays over smooth ground: the triangle that a line meets first.
//!
//! The ray visits the contour cells on its line. The surface around an edge lies in the four cells
//! at the edge, so each cell tests the triangles around its own twelve edges, made from the voxels
//! on the spot. Cells of air are skipped by the mips, and a cell full of matter ends the ray.
//!
//! Boxes are found by a second walk, which ends at the ground.

use super::line::{Line, nearest_axis};
use super::{CountedRay, RayHit, cast_ray_where, entered_face, is_valid_origin, unit_direction};
use crate::contour::{ContourRules, ContourVoxel, EDGES, EdgePolygon};
use crate::voxel::{ChunkPos, Voxel, local};
use crate::world::World;
use crate::world::ground_patch::GroundPatch;
use glam::{DVec3, IVec3};

/// Distance by which a hit may lie outside the part of the ray in a cell.
const TOLERANCE: f64 = 1e-6;

/// Casts a ray like [`cast_ray`](super::cast_ray), and meets smooth ground at its surface.
///
/// `height` also takes the position of the voxel. Where it returns `None` for ground or a cube, the
/// voxel counts as air for the surface, too. The surface is met only from outside. A ray that
/// starts in the ground hits it at the first contour cell full of matter; that hit has no face.
///
/// The hit voxel is the ground at the edge that the surface crosses: its outer voxel, if there are
/// remains of ground too thin for a surface of their own, otherwise its inner one. Thus all ground
/// next to the surface can be reached. The face points along the edge, out of the ground.
pub fn cast_ray_over_ground(
    world: &World,
    rules: &impl ContourRules,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(IVec3, Voxel) -> Option<f64>,
) -> CountedRay {
    if !rules.any_ground() {
        return cast_ray_where(world, origin, direction, reach, height);
    }
    let Some(direction) = unit_direction(direction).filter(|_| is_valid_origin(origin)) else {
        return CountedRay { hit: None, reads: 0 };
    };
    let convert = |at: IVec3, voxel: Voxel| {
        let contour = rules.contour_voxel(voxel);
        let is_there = contour == ContourVoxel::EMPTY || height(at, voxel).is_some();
        if is_there { contour } else { ContourVoxel::EMPTY }
    };
    let mut walk = CellWalk { world, rules, origin, direction, convert, reads: 0 };
    let ground = walk.first_hit(reach);
    let until = ground.map_or(reach, |hit| hit.distance);
    let boxes = cast_ray_where(world, origin, direction, until, |at, voxel| {
        if rules.contour_voxel(voxel).is_ground() { None } else { height(at, voxel) }
    });
    CountedRay { hit: boxes.hit.or(ground), reads: boxes.reads + walk.reads }
}

/// Walk from contour cell to contour cell.
struct CellWalk<'a, R, C> {
    world: &'a World,
    rules: &'a R,
    origin: DVec3,
    /// Unit vector.
    direction: DVec3,
    /// Returns a voxel as the contour sees it.
    convert: C,
    /// Voxels read.
    reads: u64,
}

/// A triangle met in a cell.
struct CellHit {
    distance: f64,
    /// Unit vector.
    normal: DVec3,
    /// Ends of the edge, in the patch around the cell.
    inner: IVec3,
    outer: IVec3,
}

impl<R: ContourRules, C: Fn(IVec3, Voxel) -> ContourVoxel> CellWalk<'_, R, C> {
    fn first_hit(&mut self, reach: f64) -> Option<RayHit> {
        // Cells begin in the middle of voxels.
        let start = self.origin - 0.5;
        let line = Line::new(start, self.direction);
        let mut cell = start.floor().as_ivec3().to_array();
        let mut distance = 0.0;
        let mut corners = GroundPatch::default();
        let mut around = GroundPatch::default();
        while distance <= reach {
            let here = IVec3::from_array(cell);
            if let Some(air) = self.air_around(here) {
                // Leaves all cells between the voxels of a cell of a mip.
                let last: [i32; 3] = std::array::from_fn(|axis| {
                    if line.step[axis] > 0 { air.high[axis] } else { air.low[axis] }
                });
                let leaves = line.borders(last);
                let axis = nearest_axis(leaves);
                distance = leaves[axis];
                let at = (start + self.direction * distance).floor().as_ivec3();
                cell = at.clamp(air.low, air.high).to_array();
                cell[axis] = last[axis] + line.step[axis];
                continue;
            }
            let borders = line.borders(cell);
            let axis = nearest_axis(borders);
            corners.read(self.world, here, here + IVec3::ONE, &self.convert);
            self.reads += corners.len() as u64;
            let voxels = corners.corners(IVec3::ZERO);
            let inside = voxels.iter().filter(|voxel| voxel.is_inside()).count();
            let is_ground = voxels.iter().any(|voxel| voxel.is_ground());
            if inside == 8 {
                return is_ground.then(|| self.hit_in_matter(distance));
            }
            if is_ground {
                around.read(self.world, here - IVec3::ONE, here + 2, &self.convert);
                self.reads += around.len() as u64;
                let within = [distance - TOLERANCE, borders[axis] + TOLERANCE];
                if let Some(hit) = self.hit_in_cell(&around, within) {
                    let distance = hit.distance.max(0.0);
                    return (distance <= reach).then(|| self.ray_hit(&around, hit));
                }
            } else if self.is_unloaded(here) && self.is_unloaded(here + IVec3::ONE) {
                // Whatever lies beyond is behind the end of the loaded world, or the walk goes on
                // along it.
                let all = (0..8).all(|number: i32| {
                    let by = IVec3::new(number & 1, number >> 1 & 1, number >> 2);
                    self.is_unloaded(here + by)
                });
                if all {
                    return None;
                }
            }
            distance = borders[axis];
            cell[axis] += line.step[axis];
        }
        None
    }

    /// The cells between voxels of air around a cell, from the mips.
    fn air_around(&self, cell: IVec3) -> Option<Cells> {
        let chunk = self.world.chunk(ChunkPos::containing(cell))?;
        let side = chunk.empty_side(local(cell));
        let low = cell & !(side - 1);
        let high = low + (side - 2);
        (side > 1 && cell.cmple(high).all()).then_some(Cells { low, high })
    }

    fn is_unloaded(&self, at: IVec3) -> bool {
        !self.world.is_loaded(ChunkPos::containing(at))
    }

    /// The first triangle that the ray meets from outside, around the edges of the cell in the
    /// middle of a patch.
    fn hit_in_cell(&self, patch: &GroundPatch, within: [f64; 2]) -> Option<CellHit> {
        let origin = (self.origin - patch.low().as_dvec3() - 0.5) * 256.0;
        let mut first: Option<CellHit> = None;
        for (edge, [low, _]) in EDGES.into_iter().enumerate() {
            let corner = IVec3::new(low.into(), (low >> 1).into(), (low >> 2).into()) & 1;
            let polygon = patch.polygon(self.rules, corner + IVec3::ONE, edge / 4);
            let Some(EdgePolygon { inner, outer, .. }) = polygon else { continue };
            for triangle in polygon.iter().flat_map(EdgePolygon::triangles) {
                let Some((along, normal)) = meet_triangle(origin, self.direction, triangle) else {
                    continue;
                };
                let distance = along / 256.0;
                let is_first = first.as_ref().is_none_or(|first| distance < first.distance);
                if is_first && (within[0]..=within[1]).contains(&distance) {
                    first = Some(CellHit { distance, normal, inner, outer });
                }
            }
        }
        first
    }

    fn ray_hit(&self, patch: &GroundPatch, hit: CellHit) -> RayHit {
        let CellHit { distance, normal, inner, outer } = hit;
        let aimed = if patch.voxel(outer).is_ground() { outer } else { inner };
        let out = outer - inner;
        let axis = usize::from(out.y != 0) + 2 * usize::from(out.z != 0);
        let voxel_pos = patch.low() + aimed;
        RayHit {
            voxel_pos,
            voxel: self.world.get(voxel_pos),
            face: Some(entered_face(axis, -out[axis])),
            distance: distance.max(0.0),
            ground_normal: Some(normal),
        }
    }

    /// The hit of a ray that comes into a cell of matter without having met a surface.
    fn hit_in_matter(&self, distance: f64) -> RayHit {
        let voxel_pos = (self.origin + self.direction * distance).floor().as_ivec3();
        let voxel = self.world.get(voxel_pos);
        RayHit { voxel_pos, voxel, face: None, distance, ground_normal: None }
    }
}

/// A box of cells, both ends included.
struct Cells {
    low: IVec3,
    high: IVec3,
}

/// Distance at which a line meets a triangle from its outer side, and the triangle's unit normal.
/// `direction` is a unit vector; all in 256ths of a voxel.
fn meet_triangle(origin: DVec3, direction: DVec3, triangle: [IVec3; 3]) -> Option<(f64, DVec3)> {
    let [a, b, c] = triangle.map(|at| at.as_dvec3());
    let normal = (b - a).cross(c - a);
    let towards = direction.dot(normal);
    if towards >= 0.0 {
        return None;
    }
    let distance = (a - origin).dot(normal) / towards;
    let at = origin + direction * distance;
    // A little beyond the sides, so that no ray passes between two triangles.
    let outside = -1e-9 * normal.length_squared();
    let is_inside = |from: DVec3, to: DVec3| (to - from).cross(at - from).dot(normal) >= outside;
    let meets = is_inside(a, b) && is_inside(b, c) && is_inside(c, a);
    meets.then(|| (distance, normal.normalize()))
}
