//! Rays: the voxel and face that a line meets first.
//!
//! The walk goes from voxel border to voxel border (Amanatides and Woo), so it misses no voxel on
//! the line. Voxels that are not full are hit only in their filled part.
//!
//! If a chunk's mips report only air, the walk goes straight to the border of the whole empty cell.
//! The distance to a border is always computed from the border's position, never accumulated, so
//! that a ray meets exactly the same voxels with and without mips.
//!
//! Smooth ground is met at its surface ([`cast_ray_over_ground`]).

mod line;
mod over_ground;
#[cfg(test)]
mod tests;

pub use over_ground::cast_ray_over_ground;

use super::{Chunk, World};
use crate::voxel::{ChunkPos, Face, Voxel, WORLD_LIMIT, linear_index, local};
use glam::{DVec3, IVec3};
use line::{Line, nearest_axis};

/// The point where a ray meets a voxel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// Position of the voxel.
    pub voxel_pos: IVec3,
    /// Value of the voxel; [`Voxel::NOT_LOADED`] where the ray leaves the loaded world.
    pub voxel: Voxel,
    /// Face through which the ray enters; `None` if it starts inside.
    pub face: Option<Face>,
    /// Distance from the ray's origin, in voxels.
    pub distance: f64,
    /// Unit normal of the surface of smooth ground; `None` where the ray meets a box, or starts in
    /// the ground.
    pub ground_normal: Option<DVec3>,
}

/// Result of [`cast_ray_counted`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountedRay {
    /// First voxel met, if any.
    pub hit: Option<RayHit>,
    /// Voxels read to find the hit. Mip lookups are not counted.
    pub reads: u64,
}

/// Follows a ray from `origin` along `direction` (of any length but 0) for up to `reach` voxels, to
/// the first voxel for which `height` returns a height.
/// `height` returns the height of a voxel's matter above its floor, 1 for a full voxel, or `None`
/// if the ray passes through. A voxel that is not loaded ends the ray, whatever `height` returns. A
/// ray that starts on a border starts in the voxel ahead of it, and enters that voxel through the
/// border.
///
/// Returns `None` also if `direction` is 0, a number is not finite, or the origin is outside
/// [`WORLD_LIMIT`]. Only `reach` may be infinite.
pub fn cast_ray(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
) -> Option<RayHit> {
    cast_ray_counted(world, origin, direction, reach, height).hit
}

/// Casts a ray like [`cast_ray`], and counts the voxels read.
pub fn cast_ray_counted(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
) -> CountedRay {
    cast_ray_where(world, origin, direction, reach, |_, voxel| height(voxel))
}

/// Casts a ray like [`cast_ray_counted`], with a `height` that also takes the position of the
/// voxel. The height of air must not depend on the position: `height` is called for air only once,
/// at the origin.
pub(crate) fn cast_ray_where(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(IVec3, Voxel) -> Option<f64>,
) -> CountedRay {
    let mut reads = 0;
    let hit = walk(world, origin, direction, reach, height, Chunk::empty_side, &mut reads);
    CountedRay { hit, reads }
}

/// Walks along a ray. `empty_side` returns the side of the largest empty cell around a voxel of a
/// chunk, or 1 if there is none; `reads` counts the voxels read.
#[inline]
fn walk(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(IVec3, Voxel) -> Option<f64>,
    empty_side: impl Fn(&Chunk, IVec3) -> i32,
    reads: &mut u64,
) -> Option<RayHit> {
    let direction = unit_direction(direction)?;
    if !is_valid_origin(origin) || reach.is_nan() {
        return None;
    }
    let mut at = origin.floor().as_ivec3();
    let step = direction.signum().as_ivec3();
    let mut face = None;
    for axis in 0..3 {
        if direction[axis] != 0.0 && origin[axis] == f64::from(at[axis]) {
            at[axis] += step[axis].min(0);
            face = Some(entered_face(axis, step[axis]));
        }
    }
    let line = Line::new(origin, direction);
    let mut at = at.to_array();
    let through_air = height(IVec3::from_array(at), Voxel::AIR).is_none();
    let mut border = line.borders(at);
    let mut distance = 0.0;
    let mut pos = None;
    let mut chunk = None;
    // Last cell of 4^3 voxels in which a voxel was read; its mips are not asked again.
    let mut mixed = None;
    loop {
        let here = IVec3::from_array(at);
        if pos != Some(ChunkPos::containing(here)) {
            pos = Some(ChunkPos::containing(here));
            chunk = world.chunk(ChunkPos::containing(here));
        }
        let ground_normal = None;
        let hit = |voxel| Some(RayHit { voxel_pos: here, voxel, face, distance, ground_normal });
        let Some(chunk) = chunk else { return hit(Voxel::NOT_LOADED) };
        let side = if through_air && mixed != Some(here >> 2) {
            empty_side(chunk, local(here))
        } else {
            1
        };
        let axis;
        if side > 1 {
            axis = line.cross(&mut at, side);
            distance = line.border(axis, at[axis]);
            at[axis] += line.step[axis];
            border = line.borders(at);
        } else {
            mixed = Some(here >> 2);
            let voxel = chunk.get(linear_index(local(here)));
            *reads += 1;
            if let Some(top) = height(here, voxel) {
                if top >= 1.0 {
                    return hit(voxel);
                }
                let leave = border[nearest_axis(border)];
                if let Some((distance, face)) =
                    enter_layer(origin, direction, here, top, distance, leave, face)
                {
                    return (distance <= reach).then_some(RayHit {
                        voxel_pos: here,
                        voxel,
                        face,
                        distance,
                        ground_normal,
                    });
                }
            }
            axis = nearest_axis(border);
            distance = border[axis];
            at[axis] += line.step[axis];
            border[axis] = line.border(axis, at[axis]);
        }
        if distance > reach {
            return None;
        }
        face = Some(entered_face(axis, line.step[axis]));
    }
}

/// The direction as a unit vector; `None` if it is 0 or not finite.
#[inline]
fn unit_direction(direction: DVec3) -> Option<DVec3> {
    // Scales by the largest component first, so that the squared length neither vanishes nor
    // overflows.
    (direction / direction.abs().max_element()).try_normalize()
}

/// True for origins of rays within [`WORLD_LIMIT`].
#[inline]
fn is_valid_origin(origin: DVec3) -> bool {
    let limit = f64::from(WORLD_LIMIT);
    origin.cmpge(DVec3::splat(-limit)).all() && origin.cmplt(DVec3::splat(limit)).all()
}

/// Face through which a ray enters a voxel when it steps along `axis`.
fn entered_face(axis: usize, step: i32) -> Face {
    let faces = [[Face::East, Face::West], [Face::Up, Face::Down], [Face::South, Face::North]];
    faces[axis][usize::from(step > 0)]
}

/// Distance and face at which a ray meets the matter of voxel `at`, which fills the voxel up to
/// `top`; `None` if the ray passes above it. The ray is inside the voxel from distance `enter` to
/// `leave`.
fn enter_layer(
    origin: DVec3,
    direction: DVec3,
    at: IVec3,
    top: f64,
    enter: f64,
    leave: f64,
    face: Option<Face>,
) -> Option<(f64, Option<Face>)> {
    let surface = f64::from(at.y) + top;
    if origin.y + direction.y * enter <= surface {
        return Some((enter, face));
    }
    let down = (surface - origin.y) / direction.y;
    (direction.y < 0.0 && down <= leave).then_some((down, Some(Face::Up)))
}
