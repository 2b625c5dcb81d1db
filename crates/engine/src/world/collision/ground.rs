//! The smooth ground near a body, as triangles made from the voxels on the spot.

use super::aabb::Aabb;
use super::pill::Pill;
use super::solidity::{SolidPart, Solidity};
use crate::contour::{CellVertices, ContourRules, ContourVoxel, EdgePolygon};
use crate::voxel::Voxel;
use crate::world::World;
use crate::world::ground_patch::GroundPatch;
use glam::{DVec3, IVec3};

/// Distance of the bend of a way from its middle, in voxels. Any small vector without a simple
/// ratio between its parts.
const BEND: DVec3 = DVec3::new(0.0137, 0.0071, -0.0113);

/// The surface of smooth ground in a box.
#[derive(Debug, Default)]
pub(crate) struct GroundNearby {
    /// The box, in the world. All surfaces in it are known.
    area: Option<Aabb>,
    /// Centre of the patch's lowest voxel, from which positions of triangles count.
    base: DVec3,
    triangles: Vec<Triangle>,
    patch: GroundPatch,
    /// True if a box that stops bodies lies in a voxel of the patch.
    has_boxes: bool,
    /// Vertices of the patch's cells, where they are known.
    cells: Vec<Option<CellVertices>>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    /// Corners, counterclockwise as seen from outside.
    corners: [DVec3; 3],
    /// Lowest and highest coordinates.
    min: DVec3,
    max: DVec3,
    /// Unit vector, out of the ground.
    normal: DVec3,
}

/// The place at which a body is deepest in the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundContact {
    /// Depth, in voxels; infinite if the middle of the body is in the surface.
    pub depth: f64,
    /// Unit vector along which the body leaves the ground.
    pub out: DVec3,
}

/// Ground below a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundFloor {
    /// Height in the world.
    pub height: f64,
    /// Unit vector out of the ground.
    pub normal: DVec3,
}

impl GroundNearby {
    /// Reads the surface in a box. Returns the number of voxels read.
    pub fn read(
        &mut self,
        world: &World,
        rules: &(impl ContourRules + Solidity),
        area: Aabb,
    ) -> u64 {
        // Cells begin in the middle of voxels.
        let first = (area.min - 0.5).floor().as_ivec3();
        let last = (area.max - 0.5).floor().as_ivec3();
        self.area = Some(area);
        self.triangles.clear();
        let low = first - IVec3::ONE;
        self.base = low.as_dvec3() + 0.5;
        // Values are looked up once for a run of equal voxels.
        let mut known = Voxel::AIR;
        let mut value = ContourVoxel::EMPTY;
        let mut has_boxes = false;
        self.patch.read(world, low, last + 2, |_, voxel| {
            if voxel != known {
                known = voxel;
                value = rules.contour_voxel(voxel);
                has_boxes |= !matches!(rules.solid_part(voxel), SolidPart::UpTo(0.0));
            }
            value
        });
        self.has_boxes = has_boxes;
        if self.patch.has_ground() {
            self.find_triangles(rules, last - first);
        }
        self.patch.len() as u64
    }

    /// Makes the triangles around the edges of the cells from 1, 1, 1 on in the patch. `more` is
    /// the number of further cells along each axis.
    fn find_triangles(&mut self, rules: &impl ContourRules, more: IVec3) {
        let GroundNearby { patch, cells, triangles, .. } = self;
        let count = more + 3;
        cells.clear();
        cells.resize((count.x * count.y * count.z) as usize, None);
        triangles.reserve(64);
        for (low, axis) in patch.drawn_edges(more) {
            let voxel = |at: IVec3| patch.voxel(at);
            let polygon = EdgePolygon::new(low, axis, &voxel, |at| {
                let index = at.x + count.x * (at.z + count.z * at.y);
                *cells[index as usize].get_or_insert_with(|| patch.cell(rules, at))
            });
            let new = polygon.iter().flat_map(EdgePolygon::triangles);
            triangles.extend(new.filter_map(Triangle::new));
        }
    }

    /// True if the surface is known in all of a box.
    pub fn covers(&self, body: Aabb) -> bool {
        self.area
            .is_some_and(|area| body.min.cmpge(area.min).all() && body.max.cmple(area.max).all())
    }

    /// True if a part of the box is known to have no boxes of voxels in it, nor next to it.
    pub fn is_free_of_boxes(&self, part: Aabb) -> bool {
        !self.has_boxes && self.covers(part)
    }

    /// True if there is no surface in the box.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// True if a point of the box, at least 0.05 voxels from its sides, lies in ground, or in
    /// matter that the contour does not bound.
    pub fn contains(&self, at: DVec3) -> bool {
        let voxel = at.floor().as_ivec3() - self.patch.low();
        let value = self.patch.voxel(voxel);
        if value.is_cube() {
            return false;
        }
        // A bent way to the voxel's centre. The straight one often meets the common side of two
        // triangles, because bodies stop at round distances from boxes.
        let [from, to] = [at - self.base, voxel.as_dvec3()];
        let bend = from.midpoint(to) + BEND;
        let crossings = |from: DVec3, to: DVec3| {
            self.triangles.iter().filter(|triangle| triangle.crosses(from, to)).count()
        };
        let crossed = crossings(from, bend) + crossings(bend, to);
        value.is_inside() != (crossed % 2 == 1)
    }

    /// True if the straight way between two points of the box crosses the surface.
    pub fn separates(&self, from: DVec3, to: DVec3) -> bool {
        let [from, to] = [from, to].map(|at| at - self.base);
        self.triangles.iter().any(|triangle| triangle.crosses(from, to))
    }

    /// The place at which a pill in the box is deepest in the ground.
    pub fn deepest(&self, pill: Pill) -> Option<GroundContact> {
        let Pill { low, high, radius } = pill;
        let pill = Pill { low: low - self.base, high: high - self.base, radius };
        let mut deepest: Option<GroundContact> = None;
        for triangle in &self.triangles {
            if !triangle.is_near(pill) {
                continue;
            }
            let contact = if triangle.crosses(pill.low, pill.high) {
                GroundContact { depth: f64::INFINITY, out: triangle.normal }
            } else {
                let away = pill.nearest(triangle.corners).away();
                let distance = away.length();
                let out = if distance > 1e-9 { away / distance } else { triangle.normal };
                GroundContact { depth: radius - distance, out }
            };
            let is_deepest = deepest.is_none_or(|deepest| contact.depth > deepest.depth);
            if contact.depth > 0.0 && is_deepest {
                deepest = Some(contact);
            }
        }
        deepest
    }

    /// The highest ground below a point of the box, at most `reach` voxels below it.
    pub fn floor_below(&self, at: DVec3, reach: f64) -> Option<GroundFloor> {
        let from = at - self.base;
        let mut highest: Option<GroundFloor> = None;
        for triangle in &self.triangles {
            let Some(y) = triangle.height_at(from.x, from.z) else { continue };
            let is_highest = highest.is_none_or(|highest| y > highest.height);
            if y <= from.y && from.y - y <= reach && is_highest {
                highest = Some(GroundFloor { height: y, normal: triangle.normal });
            }
        }
        highest.map(|floor| GroundFloor { height: floor.height + self.base.y, ..floor })
    }
}

impl Triangle {
    /// `None` for triangles without area.
    fn new(corners: [IVec3; 3]) -> Option<Triangle> {
        let corners = corners.map(|at| at.as_dvec3() / 256.0);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).try_normalize()?;
        let [min, max] = [a.min(b).min(c), a.max(b).max(c)];
        Some(Triangle { corners, min, max, normal })
    }

    /// False for triangles that do not touch a pill, and for some others.
    fn is_near(&self, Pill { low, high, radius }: Pill) -> bool {
        let is_apart = self.min.cmpgt(high + radius).any() || self.max.cmplt(low - radius).any();
        let side = |end: DVec3| (end - self.corners[0]).dot(self.normal);
        let [low, high] = [side(low), side(high)];
        !is_apart && low.min(high) <= radius && low.max(high) >= -radius
    }

    /// Height of the triangle at a place, if it faces up.
    fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let is_beside = x < self.min.x || x > self.max.x || z < self.min.z || z > self.max.z;
        if is_beside || self.normal.y <= 1e-9 {
            return None;
        }
        let [a, b, c] = self.corners;
        let side = |from: DVec3, to: DVec3| {
            (to.x - from.x) * (z - from.z) - (to.z - from.z) * (x - from.x)
        };
        // A little beyond the sides, so that there is no gap between two triangles.
        let is_inside = [side(a, b), side(b, c), side(c, a)].iter().all(|&side| side <= 1e-9);
        let height =
            || a.y - ((x - a.x) * self.normal.x + (z - a.z) * self.normal.z) / self.normal.y;
        is_inside.then(height)
    }

    /// True if the way between two points crosses the triangle.
    fn crosses(&self, from: DVec3, to: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let [start, end] = [from, to].map(|at| (at - a).dot(self.normal));
        if (start > 0.0) == (end > 0.0) {
            return false;
        }
        let at = from + (to - from) * (start / (start - end));
        let is_inside =
            |from: DVec3, to: DVec3| (to - from).cross(at - from).dot(self.normal) >= 0.0;
        is_inside(a, b) && is_inside(b, c) && is_inside(c, a)
    }
}
