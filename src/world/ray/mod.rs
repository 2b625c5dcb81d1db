//! Rays: what the player looks at, to a voxel and a face.
//!
//! A walk from voxel border to voxel border (Amanatides and Woo), so no voxel on the line is missed.
//! Voxels that are not full are hit only in their filled part.
//!
//! Where the chunk's mips say that there is only air, the walk goes to the border of the whole empty cell at once. When a
//! border is crossed is always computed from where it lies, never summed up step by step: so a ray meets the very same
//! voxels with or without mips.

use super::{Chunk, World};
use crate::voxel::{ChunkPos, Face, Voxel, WORLD_LIMIT, linear_index, local};
use glam::{DVec3, IVec3};

/// Where a ray met something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// The voxel met.
    pub voxel_pos: IVec3,
    /// What it is; [`Voxel::NOT_LOADED`] where the ray left the loaded world.
    pub voxel: Voxel,
    /// The face the ray came in by; none if it started inside.
    pub face: Option<Face>,
    /// Distance from the ray's start, in voxels.
    pub distance: f64,
}

/// Follows a ray from `origin` along `direction` (any length but 0) for at most `reach` voxels, to the first
/// voxel for which `height` gives the height of its matter above its floor: 1 for a full voxel, none for what
/// the ray passes through. A voxel that is not loaded ends the ray, whatever `height` says. A ray that starts
/// on a border starts in the voxel it goes into, and came in by that face.
///
/// None too where `direction` is 0, where a number is not finite, and outside [`WORLD_LIMIT`].
pub fn cast_ray(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
) -> Option<RayHit> {
    cast_ray_counted(world, origin, direction, reach, height).hit
}

/// Result of [`cast_ray_counted`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountedRay {
    /// First voxel met, if any.
    pub hit: Option<RayHit>,
    /// Voxels read to find it. Mip lookups are not counted.
    pub reads: u64,
}

/// Like [`cast_ray`], and counts the voxels read.
pub fn cast_ray_counted(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
) -> CountedRay {
    let mut reads = 0;
    let hit = walk(world, origin, direction, reach, height, Chunk::empty_side, &mut reads);
    CountedRay { hit, reads }
}

/// The same; `empty_side` tells the side of an empty cell that a voxel lies in, or 1; `reads` counts voxels.
#[inline]
fn walk(
    world: &World,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
    height: impl Fn(Voxel) -> Option<f64>,
    empty_side: impl Fn(&Chunk, IVec3) -> i32,
    reads: &mut u64,
) -> Option<RayHit> {
    // Scaled first, so that the square of its length neither vanishes nor overflows.
    let direction = (direction / direction.abs().max_element()).try_normalize()?;
    let limit = f64::from(WORLD_LIMIT);
    let in_world = origin.cmpge(DVec3::splat(-limit)).all() && origin.cmplt(DVec3::splat(limit)).all();
    if !in_world || reach.is_nan() {
        return None;
    }
    let mut at = origin.floor().as_ivec3();
    let step = direction.signum().as_ivec3();
    let mut face = None;
    for axis in 0..3 {
        if direction[axis] != 0.0 && origin[axis] == f64::from(at[axis]) {
            at[axis] += step[axis].min(0);
            face = Some(entered(axis, step[axis]));
        }
    }
    let line = Line::new(origin, direction);
    let mut at = at.to_array();
    let through_air = height(Voxel::AIR).is_none();
    let mut border = line.borders(at);
    let mut distance = 0.0;
    let (mut pos, mut chunk) = (None, None);
    // The cell of the finest mip of which it is known that it is not empty.
    let mut mixed = None;
    loop {
        let here = IVec3::from_array(at);
        if pos != Some(ChunkPos::containing(here)) {
            pos = Some(ChunkPos::containing(here));
            chunk = world.chunk(ChunkPos::containing(here));
        }
        let hit = |voxel| Some(RayHit { voxel_pos: here, voxel, face, distance });
        let Some(chunk) = chunk else { return hit(Voxel::NOT_LOADED) };
        let side = if through_air && mixed != Some(here >> 2) { empty_side(chunk, local(here)) } else { 1 };
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
            if let Some(top) = height(voxel) {
                if top >= 1.0 {
                    return hit(voxel);
                }
                let leave = border[least(border)];
                if let Some((distance, face)) = enter_layer(origin, direction, here, top, distance, leave, face) {
                    return (distance <= reach).then_some(RayHit { voxel_pos: here, voxel, face, distance });
                }
            }
            axis = least(border);
            distance = border[axis];
            at[axis] += line.step[axis];
            border[axis] = line.border(axis, at[axis]);
        }
        if distance > reach {
            return None;
        }
        face = Some(entered(axis, line.step[axis]));
    }
}

/// The axis with the least of three distances; of equal ones the first.
#[inline]
fn least([x, y, z]: [f64; 3]) -> usize {
    if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    }
}

/// The line of a ray.
struct Line {
    origin: [f64; 3],
    direction: [f64; 3],
    /// One over the direction: infinite on axes along which the ray does not move.
    inverse: [f64; 3],
    /// Which way it goes; forward too where it does not move, so that a border always lies ahead.
    step: [i32; 3],
    /// From a voxel to its border ahead.
    ahead: [i32; 3],
}

impl Line {
    fn new(origin: DVec3, direction: DVec3) -> Line {
        let direction = direction.to_array();
        let step = direction.map(|d| if d < 0.0 { -1 } else { 1 });
        let inverse = direction.map(|d| if d == 0.0 { f64::INFINITY } else { d.recip() });
        Line { origin: origin.to_array(), direction, inverse, step, ahead: step.map(|s| s.max(0)) }
    }

    /// The distance at which the ray leaves voxels whose last along `axis` is `last`.
    #[inline]
    fn border(&self, axis: usize, last: i32) -> f64 {
        (f64::from(last + self.ahead[axis]) - self.origin[axis]) * self.inverse[axis]
    }

    /// The same on each axis.
    #[inline]
    fn borders(&self, last: [i32; 3]) -> [f64; 3] {
        [self.border(0, last[0]), self.border(1, last[1]), self.border(2, last[2])]
    }

    /// Goes from `at` to the last voxel on the ray in the same cell of `side` voxels, a power of two; returns the axis
    /// along which the ray leaves the cell from there.
    ///
    /// It is the very voxel that a walk from voxel to voxel comes to, which at equal distances crosses the border of the
    /// first axis first.
    #[inline]
    fn cross(&self, at: &mut [i32; 3], side: i32) -> usize {
        // Cells of mips, and chunks, lie at multiples of their side.
        let [low, high] = [at.map(|x| x & !(side - 1)), at.map(|x| x | (side - 1))];
        let last: [i32; 3] = std::array::from_fn(|axis| if self.step[axis] > 0 { high[axis] } else { low[axis] });
        let leaves = self.borders(last);
        let axis = least(leaves);
        let leave = leaves[axis];
        for other in 0..3 {
            if other == axis {
                at[other] = last[other];
            } else if self.inverse[other].is_finite() {
                let (first, step) = (at[other], self.step[other]);
                let crossed = |place: i32| {
                    let border = self.border(other, place);
                    border < leave || border == leave && other < axis
                };
                let place = self.origin[other] + self.direction[other] * leave;
                let mut guess = floor(place).clamp(low[other], high[other]);
                // Where the ray passes close to a border, the guess may be off by one.
                while guess != last[other] && crossed(guess) {
                    guess += step;
                }
                while guess != first && !crossed(guess - step) {
                    guess -= step;
                }
                at[other] = guess;
            }
        }
        axis
    }
}

/// The whole number at or below one of the world's. (Most processors' instruction for it cannot be taken for granted.)
#[inline]
fn floor(x: f64) -> i32 {
    let towards_0 = x as i32;
    towards_0 - i32::from(f64::from(towards_0) > x)
}

/// The face by which a ray enters a voxel when it steps along `axis`.
fn entered(axis: usize, step: i32) -> Face {
    let faces = [[Face::East, Face::West], [Face::Up, Face::Down], [Face::South, Face::North]];
    faces[axis][usize::from(step > 0)]
}

/// Where a ray that is inside voxel `at` between the distances `enter` and `leave` meets its matter, which
/// fills it up to `top`; none if it passes above.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Box3;

    fn matter(voxel: Voxel) -> Option<f64> {
        (!voxel.is_air()).then(|| f64::from(voxel.fill()))
    }

    fn world(voxels: &[(IVec3, Voxel)]) -> World {
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        for &(pos, voxel) in voxels {
            world.set(pos, voxel);
        }
        world
    }

    #[test]
    fn meets_the_near_face() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1))]);
        let hit = cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X * 3.0, 20.0, matter);
        let hit = hit.expect("a block stands in the way");
        assert_eq!((hit.voxel_pos, hit.face, hit.distance), (IVec3::new(10, 5, 5), Some(Face::West), 7.5));
        assert_eq!(cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X, 7.0, matter), None);
    }

    #[test]
    fn passes_over_a_half_voxel_and_meets_it_from_above() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::new(1, 127))]);
        let over = cast_ray(&world, DVec3::new(2.5, 5.75, 5.5), DVec3::X, 15.0, matter);
        assert_eq!(over, None);
        let down = cast_ray(&world, DVec3::new(10.5, 9.0, 5.5), DVec3::NEG_Y, 15.0, matter).expect("down");
        assert_eq!((down.face, down.distance), (Some(Face::Up), 3.5));
        let low = cast_ray(&world, DVec3::new(2.5, 5.25, 5.5), DVec3::X, 15.0, matter).expect("low");
        assert_eq!((low.face, low.distance), (Some(Face::West), 7.5));
    }

    #[test]
    fn the_edge_of_the_loaded_world_ends_it() {
        let hit = cast_ray(&world(&[]), DVec3::splat(16.0), DVec3::Y, 100.0, matter).expect("edge");
        assert_eq!((hit.voxel, hit.voxel_pos.y, hit.distance), (Voxel::NOT_LOADED, 32, 16.0));
    }

    #[test]
    fn a_ray_from_a_border_starts_where_it_goes() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1)), (IVec3::new(9, 9, 5), Voxel::full(1))]);
        let cast = |x: f64, y: f64, direction| cast_ray(&world, DVec3::new(x, y, 5.5), direction, 4.0, matter);
        let hit = cast(10.0, 5.5, DVec3::X).expect("goes into the block");
        assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, Some(Face::West), 0.0));
        assert_eq!(cast(10.0, 5.5, DVec3::NEG_X), None, "leaves the block it touches");
        let hit = cast(11.0, 5.5, DVec3::NEG_X).expect("goes into the block");
        assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, Some(Face::East), 0.0));
        assert_eq!(cast(11.0, 5.5, DVec3::X), None, "leaves the block it touches");
        let hit = cast(10.5, 5.5, DVec3::X).expect("is inside");
        assert_eq!((hit.voxel_pos.x, hit.face, hit.distance), (10, None, 0.0));
        // Along a border, with either zero, a ray is in the voxel above it.
        let along = cast(8.5, 9.0, DVec3::new(1.0, -0.0, 0.0)).expect("the block above the border");
        assert_eq!((along.voxel_pos.x, along.face, along.distance), (9, Some(Face::West), 0.5));
        assert_eq!(cast(8.5, 10.0, DVec3::new(1.0, -0.0, 0.0)), None);
        // From a corner, straight through corners.
        let corner = cast(8.0, 8.0, DVec3::new(1.0, 1.0, 0.0)).expect("through the corner");
        assert_eq!(corner.voxel_pos, IVec3::new(9, 9, 5));
        assert!((corner.distance - 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_length_of_the_direction_means_nothing() {
        let world = world(&[(IVec3::new(10, 5, 5), Voxel::full(1))]);
        for length in [f64::MIN_POSITIVE, 1e-200, 1.0, 1e200, f64::MAX] {
            let hit = cast_ray(&world, DVec3::new(2.5, 5.5, 5.5), DVec3::X * length, 20.0, matter).expect("hit");
            assert_eq!((hit.face, hit.distance), (Some(Face::West), 7.5), "length {length}");
        }
    }

    #[test]
    fn rays_of_nonsense_end() {
        let world = world(&[]);
        let origin = DVec3::splat(5.5);
        for direction in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(1.0, f64::NAN, 0.0)] {
            assert_eq!(cast_ray(&world, origin, direction, 9.0, matter), None, "{direction}");
        }
        for bad in [f64::NAN, f64::INFINITY, -1e300, 4e9] {
            assert_eq!(cast_ray(&world, DVec3::new(5.5, bad, 5.5), DVec3::X, 9.0, matter), None, "{bad}");
        }
        assert_eq!(cast_ray(&world, origin, DVec3::X, f64::NAN, matter), None);
        assert!(cast_ray(&world, origin, DVec3::new(1.0, 1e-310, -1e-310), f64::INFINITY, matter).is_some());
    }

    #[test]
    fn far_from_the_middle_rays_still_meet_the_right_voxel() {
        let edge = WORLD_LIMIT - 32;
        for (x, z) in [(edge, -WORLD_LIMIT), (-WORLD_LIMIT, edge)] {
            let mut world = World::new();
            let at = IVec3::new(x, 0, z);
            world.insert(ChunkPos::containing(at), Chunk::uniform(Voxel::AIR));
            world.set(at + IVec3::new(20, 5, 5), Voxel::full(1));
            let eye = at.as_dvec3() + DVec3::new(2.5, 5.5, 5.5);
            let hit = cast_ray(&world, eye, DVec3::X, 100.0, matter).expect("the block");
            assert_eq!((hit.voxel_pos, hit.distance), (at + IVec3::new(20, 5, 5), 17.5));
            for direction in [DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z, DVec3::Y] {
                let hit = cast_ray(&world, eye, direction, f64::INFINITY, matter).expect("the edge");
                assert_eq!(hit.voxel, Voxel::NOT_LOADED);
            }
        }
    }

    #[test]
    fn mips_change_nothing() {
        let mut world = World::new();
        let mut state = 11u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        // A few lumps, and dust.
        for i in 0..60 {
            let at = IVec3::from_array([0; 3].map(|_| random(96) as i32 - 32));
            let size = if i < 20 { IVec3::from_array([0; 3].map(|_| random(12) as i32)) } else { IVec3::ZERO };
            let voxel = if i % 4 == 0 { Voxel::new(2, 90) } else { Voxel::full(1) };
            world.fill(Box3::spanning(at, at + size), voxel);
        }
        let (mut hits, mut skipped) = (0, 0);
        for i in 0..40_000 {
            // Through corners and along borders too, where several are crossed at once.
            let grain = [1e6, 4.0, 1.0][i % 3];
            let origin =
                DVec3::from_array([0; 3].map(|_| (random(96_000_000) as f64 * 1e-6 * grain).floor() / grain - 32.0));
            let direction = match i % 2 {
                0 => DVec3::from_array([0; 3].map(|_| random(2_000_001) as f64 - 1e6)),
                _ => DVec3::from_array([0; 3].map(|_| random(5) as f64 - 2.0)),
            };
            let reach = random(200) as f64;
            let read = std::cell::Cell::new(0);
            let counted = |voxel| {
                read.set(read.get() + 1);
                matter(voxel)
            };
            let slow = walk(&world, origin, direction, reach, counted, |_, _| 1, &mut 0);
            let of_slow = read.take();
            let fast = walk(&world, origin, direction, reach, counted, Chunk::empty_side, &mut 0);
            assert_eq!(fast, slow, "from {origin} along {direction}, {reach} far");
            hits += usize::from(fast.is_some_and(|hit| hit.voxel != Voxel::NOT_LOADED));
            skipped += of_slow - read.get();
        }
        assert!(hits > 2_000 && skipped > 1_000_000, "{hits} hits, {skipped} reads saved");
    }

    #[test]
    fn misses_no_voxel_on_the_line() {
        // Against a slow walk in tiny steps, for many directions.
        let blocks: Vec<_> =
            (0..400).map(|i| (IVec3::new(i * 7 % 32, i * 13 % 32, i * 29 % 32), Voxel::full(1))).collect();
        let world = world(&blocks);
        let origin = DVec3::new(16.31, 16.47, 16.83);
        for i in 0..500 {
            let a = f64::from(i) * 0.37;
            let direction = DVec3::new(a.sin(), (a * 1.7).sin(), (a * 0.61).cos()).normalize();
            let hit = cast_ray(&world, origin, direction, 60.0, matter).expect("edge at the latest");
            let slow = (0..600_000).map(|s| f64::from(s) * 1e-4).find_map(|d| {
                let at = (origin + direction * d).floor().as_ivec3();
                (world.get(at) != Voxel::AIR).then_some((at, d))
            });
            let (_, d) = slow.expect("edge at the latest");
            assert!((hit.distance - d).abs() < 2e-4, "direction {direction}: {} and {d}", hit.distance);
        }
    }
}
