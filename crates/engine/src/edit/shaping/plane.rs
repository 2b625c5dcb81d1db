//! Planes to flatten the ground to.

use super::materials::ShapingMaterials;
use crate::edit::{EditError, VoxelEdit};
use glam::{I64Vec3, IVec3};

/// Maximum size of a coordinate of a point: beyond the world, and small enough for products.
const MAX_COORDINATE: i64 = 1 << 40;
/// Maximum size of a component of a plane's normal.
const MAX_NORMAL: i32 = 1 << 10;

/// A plane: a point and the direction out of the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapingPlane {
    /// A point of the plane in 256ths of a voxel: the centre of voxel 0 is at 128.
    point: I64Vec3,
    /// Direction, not 0.
    normal: IVec3,
}

/// Side of a plane on which flattening changes the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FlattenSide {
    /// Raises and lowers the surface.
    #[default]
    Both,
    /// Only raises it: fills up to the plane.
    Raise,
    /// Only lowers it: cuts off what is above the plane.
    Lower,
}

impl ShapingPlane {
    /// Plane through a point, in 256ths of a voxel, with a direction of any length; up if it is 0.
    #[must_use]
    pub fn new(point: I64Vec3, normal: IVec3) -> ShapingPlane {
        let limit = I64Vec3::splat(MAX_COORDINATE);
        let point = point.clamp(-limit, limit);
        ShapingPlane { point, normal: ShapingPlane::direction(normal) }
    }

    /// A direction with components of at most 1024; up for 0.
    pub(super) fn direction(normal: IVec3) -> IVec3 {
        let mut normal = if normal == IVec3::ZERO { IVec3::Y } else { normal };
        // Clamped first, because the size of the lowest number overflows.
        normal = normal.max(IVec3::splat(-i32::MAX));
        while normal.abs().max_element() > MAX_NORMAL {
            normal /= 2;
        }
        normal
    }

    /// Level plane: the top of the full voxels of layer `y`.
    #[must_use]
    pub fn level(y: i32) -> ShapingPlane {
        ShapingPlane::new(I64Vec3::new(0, (i64::from(y) + 1) * 256, 0), IVec3::Y)
    }

    /// Plane through the surface of a voxel that a stroke starts at: its ground fills the voxel
    /// from the side against the normal.
    ///
    /// # Errors
    /// The chunk of the voxel cannot be read.
    pub fn at_surface(
        edit: &VoxelEdit<'_>,
        materials: &ShapingMaterials,
        at: IVec3,
        normal: IVec3,
    ) -> Result<ShapingPlane, EditError> {
        let mut plane = ShapingPlane::new(at.as_i64vec3() * 256 + 128, normal);
        let fill = i64::from(materials.fill(edit.voxel(at)?, false).unwrap_or_default());
        let axis = plane.dominant_axis();
        plane.point[axis] += (fill - 128) * i64::from(plane.normal[axis].signum());
        Ok(plane)
    }

    /// Axis along which the normal is longest; y before x before z.
    fn dominant_axis(&self) -> usize {
        let size = self.normal.abs();
        if size.y >= size.x && size.y >= size.z {
            1
        } else if size.x >= size.z {
            0
        } else {
            2
        }
    }

    /// Fill of the ground below the plane in a voxel. Along the dominant axis of the normal, the
    /// ramp is one voxel wide.
    #[must_use]
    pub(super) fn fill(&self, at: IVec3) -> i16 {
        let from_centre = self.point - (at.as_i64vec3() * 256 + 128);
        let normal = self.normal.as_i64vec3();
        let height = from_centre.dot(normal).div_euclid(normal.abs().max_element());
        (128 + height).clamp(0, 256) as i16
    }

    /// Nearest voxel whose centre is within half a voxel of the plane, along the dominant axis:
    /// keeps the centres of a stroke on the plane.
    #[must_use]
    pub fn locked(&self, centre: IVec3) -> IVec3 {
        let axis = self.dominant_axis();
        let from_centre = self.point - (centre.as_i64vec3() * 256 + 128);
        let normal = self.normal.as_i64vec3();
        let distance = from_centre.dot(normal).div_euclid(normal[axis]);
        let mut locked = centre;
        locked[axis] += (distance + 128).div_euclid(256) as i32;
        locked
    }
}

/// Fill below a slope between two points, given in 256ths of a voxel.
#[must_use]
pub(super) fn slope_fill(points: [I64Vec3; 2], at: IVec3) -> i16 {
    let limit = I64Vec3::splat(MAX_COORDINATE);
    let [from, to] = points.map(|point| point.clamp(-limit, limit));
    let from_start = at.as_i64vec3() * 256 + 128 - from;
    let along = to - from;
    let length = level_dot(along, along);
    let part = level_dot(from_start, along).clamp(0, length);
    let rise = if length == 0 { 0 } else { (i128::from(along.y) * part).div_euclid(length) };
    (128 + rise - i128::from(from_start.y)).clamp(0, 256) as i16
}

/// Dot product of x and z.
fn level_dot(a: I64Vec3, b: I64Vec3) -> i128 {
    i128::from(a.x) * i128::from(b.x) + i128::from(a.z) * i128::from(b.z)
}
