//! Movement over smooth ground.
//!
//! Boxes stop the body's box, as everywhere. Smooth ground stops a pill, which is as thick as the
//! body and begins at the [`KNEE`], so that it does not touch slopes on which a body can stand. The
//! feet are a point: the ground below the knee carries them, so they stand exactly on the surface
//! in the middle of the body, and there is no step in the movement on a hill.
//!
//! After each short move the pill is pushed out of the ground: sideways at slopes that are too
//! steep to walk on, so that a body cannot climb them, and by the shortest way at all other ground.
//! If the body still does not fit, the move is undone and tried again along two axes, then along
//! one.

use super::shape::{HEIGHT, STEP_UP, WIDTH, body_box};
use crate::body::counted_world::CountedWorld;
use crate::world::{Aabb, GroundContact, Pill};
use glam::{BVec3, DVec3};

/// Radius of the pill in voxels.
const RADIUS: f64 = WIDTH / 2.0;
/// Height of the normal of the steepest ground on which a body can stand: the cosine of 50 degrees.
pub(super) const WALKABLE: f64 = 0.642_787_609_686_539_3;
/// Height at which the pill's line begins, in voxels above the feet: the pill then touches slopes
/// that are too steep to stand on, and no others.
const KNEE: f64 = RADIUS / WALKABLE;
/// Maximum length of a move in voxels, so that the pill's line never passes through a surface.
const MAX_MOVE: f64 = RADIUS / 2.0;
/// Maximum number of pushes after a move.
const MAX_PUSHES: usize = 16;
/// Depth in the ground that counts as contact.
const CONTACT: f64 = 1e-5;
/// Maximum depth in the ground after a move.
const MAX_DEPTH: f64 = 0.01;
/// Fall of the steepest walkable ground in voxels per voxel: the tangent of 50 degrees.
const WALKABLE_FALL: f64 = 1.191_753_592_594_21;
/// Ground at most this far below the feet, in voxels, is stood on.
const REST: f64 = 1e-4;
/// Maximum length of a way in voxels whose ground is read at once.
const MAX_READ: f64 = 4.0;
/// Room around the body in which ground is read for the next moves, in voxels.
const MARGIN: DVec3 = DVec3::splat(0.1);
/// Room below the body, more than feet follow the ground in a move.
const MARGIN_BELOW: f64 = 0.2;

/// State of a body while it moves over ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Position of the feet.
    pub at: DVec3,
    /// Velocity in voxels per second.
    pub velocity: DVec3,
    /// True if the body stands on ground or a box, or is wedged between slopes.
    pub stands: bool,
    /// True if a box or steep ground stopped the body sideways.
    pub is_blocked: bool,
}

/// Rules of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveRules {
    /// True if the feet follow ground that falls away.
    pub follows_ground: bool,
    /// True if the body climbs boxes.
    pub climbs: bool,
}

/// Result of a short move.
struct ShortMove {
    at: DVec3,
    /// Axes on which boxes stopped the body.
    blocked: BVec3,
    /// Unit vectors out of the ground that stopped the body.
    contacts: Vec<DVec3>,
    /// True if the body stands on walkable ground.
    stands: bool,
}

/// The pill of a body with its feet at `at`.
pub(super) fn pill(at: DVec3) -> Pill {
    Pill { low: at + DVec3::Y * KNEE, high: at + DVec3::Y * (HEIGHT - RADIUS), radius: RADIUS }
}

/// The direction without its height, as a unit vector; `None` if it points up or down.
fn sideways(direction: DVec3) -> Option<DVec3> {
    direction.with_y(0.0).try_normalize()
}

/// True if smooth ground may stop a body that moves by `by`.
pub(super) fn is_near(world: &CountedWorld<'_>, at: DVec3, by: DVec3) -> bool {
    read_ground(world, at, by);
    by.length() > MAX_READ || !world.ground().is_empty()
}

/// Reads the ground around a body that moves by `by`, unless it is known. Of long ways, only the
/// start is read.
pub(super) fn read_ground(world: &CountedWorld<'_>, at: DVec3, by: DVec3) {
    let by = if by.length() > MAX_READ { DVec3::ZERO } else { by };
    let Aabb { min, max } = body_box(at).swept(by);
    // Down to where feet may follow the ground.
    let needed = Aabb { min: min - DVec3::Y * (MAX_MOVE * WALKABLE_FALL), max };
    let is_known = world.ground().covers(needed);
    if !is_known {
        world.read_ground(Aabb { min: min - MARGIN.with_y(MARGIN_BELOW), max: max + MARGIN });
    }
}

/// True if a body with its feet at `at` is not in smooth ground. Feet may be: they are lifted.
pub(super) fn is_out_of_ground(world: &CountedWorld<'_>, at: DVec3) -> bool {
    read_ground(world, at, DVec3::ZERO);
    let ground = world.ground();
    // Twice the depth, so that rounding never makes a body that has just moved one in the ground.
    !ground.contains(pill(at).low)
        && ground.deepest(pill(at)).is_none_or(|contact| contact.depth <= 2.0 * MAX_DEPTH)
}

/// Pushes a body with its feet at `at` out of ground that it is not deep in; `None` if that fails.
pub(super) fn pushed_out(world: &CountedWorld<'_>, at: DVec3) -> Option<DVec3> {
    let rules = MoveRules { follows_ground: false, climbs: false };
    short_move(world, at, DVec3::ZERO, rules)
        .map(|moved| moved.at)
        .filter(|&to| is_out_of_ground(world, to))
}

/// Moves a body for `seconds`, at most a 60th.
pub(super) fn advance(
    world: &CountedWorld<'_>,
    mut body: Move,
    rules: MoveRules,
    seconds: f64,
) -> Move {
    let way = body.velocity.length() * seconds;
    let count = (way / MAX_MOVE).ceil().max(1.0);
    let start = body.velocity;
    for _ in 0..count as u32 {
        let by = body.velocity * (seconds / count);
        // Falling goes on as if it had not been stopped, so that feet stay pressed to the ground.
        let by = by.with_y(by.y.min(start.y * (seconds / count)));
        body = next(world, body, rules, by);
    }
    body
}

/// Makes one short move, or as much of it as the body fits.
fn next(world: &CountedWorld<'_>, mut body: Move, rules: MoveRules, by: DVec3) -> Move {
    let parts = [
        by,
        by.with_y(0.0),
        by.with_z(0.0),
        by.with_x(0.0),
        DVec3::new(by.x, 0.0, 0.0),
        DVec3::new(0.0, 0.0, by.z),
        DVec3::new(0.0, by.y, 0.0),
    ];
    let moved =
        parts.into_iter().find_map(|part| Some((part, short_move(world, body.at, part, rules)?)));
    let Some((part, moved)) = moved else {
        return Move { velocity: DVec3::ZERO, stands: by.y < 0.0, is_blocked: true, ..body };
    };
    let fell = moved.at.y - body.at.y;
    let touches = !moved.contacts.is_empty() || part.y != by.y;
    // Between steep slopes that hold it, a body stands, or it could not jump out.
    let is_wedged = touches && by.y < 0.0 && fell > 0.1 * by.y;
    body.at = moved.at;
    body.stands = moved.stands || is_wedged || moved.blocked.y && by.y <= 0.0;
    for axis in 0..3 {
        if moved.blocked.test(axis) || part[axis] != by[axis] {
            body.velocity[axis] = 0.0;
        }
    }
    body.is_blocked |= moved.blocked.x || moved.blocked.z;
    for out in moved.contacts {
        body.is_blocked |= out.y.abs() < WALKABLE;
        body.velocity = without_part_against(body.velocity, out);
    }
    if body.stands {
        body.velocity.y = body.velocity.y.max(0.0);
    }
    body
}

/// A velocity without the part against ground. Steep ground takes the whole part towards it, so
/// that the rest leads along it and not up.
fn without_part_against(velocity: DVec3, out: DVec3) -> DVec3 {
    let mut velocity = velocity;
    if out.y.abs() < WALKABLE
        && let Some(side) = sideways(out)
    {
        velocity -= side * velocity.dot(side).min(0.0);
    }
    velocity - out * velocity.dot(out).min(0.0)
}

/// Moves a body by at most [`MAX_MOVE`] and pushes it out of the ground. `None` if it does not fit
/// there.
fn short_move(
    world: &CountedWorld<'_>,
    from: DVec3,
    by: DVec3,
    rules: MoveRules,
) -> Option<ShortMove> {
    let (motion, blocked) = among_boxes(world, from, by, rules.climbs);
    let mut moved = ShortMove { at: from + motion, blocked, contacts: Vec::new(), stands: false };
    read_ground(world, moved.at, DVec3::ZERO);
    if rules.follows_ground && by.y <= 0.0 {
        let reach = motion.with_y(0.0).length() * WALKABLE_FALL + 2.0 * REST;
        let floor = world.ground().floor_below(pill(moved.at).low, KNEE + reach);
        if let Some(floor) = floor.filter(|floor| floor.normal.y >= WALKABLE) {
            let down = DVec3::Y * (floor.height - moved.at.y).min(0.0);
            moved.at += world.sweep(body_box(moved.at), down).motion;
        }
    }
    for _ in 0..MAX_PUSHES {
        if !push(world, &mut moved) {
            break;
        }
    }
    let ground = world.ground();
    let contact = ground.deepest(pill(moved.at));
    let knee = pill(moved.at).low;
    let floor = ground.floor_below(knee, KNEE + REST);
    let is_deep = contact.is_some_and(|contact| contact.depth > MAX_DEPTH)
        || floor.is_some_and(|floor| floor.height > moved.at.y + MAX_DEPTH);
    // Shorter ways cannot cross a surface from which both ends are nearly a radius away.
    let is_long = (moved.at - from).length() > 1.5 * RADIUS;
    if is_deep || is_long && ground.separates(pill(from).low, knee) {
        return None;
    }
    moved.stands = by.y <= 0.0 && floor.is_some_and(|floor| floor.normal.y >= WALKABLE);
    Some(moved)
}

/// Motion of a body by `by` that boxes permit, and the axes on which they stop it.
fn among_boxes(world: &CountedWorld<'_>, from: DVec3, by: DVec3, climbs: bool) -> (DVec3, BVec3) {
    let moved = world.sweep(body_box(from), by);
    let along = by.with_y(0.0);
    if climbs && (moved.blocked.x || moved.blocked.z) {
        let climbed = world.climb(body_box(from), along, STEP_UP);
        if climbed.dot(along) > moved.motion.dot(along) + 1e-9 {
            return (climbed, BVec3::new(false, true, false));
        }
    }
    (moved.motion, moved.blocked)
}

/// Pushes a body once out of the ground. Returns false if it is out.
fn push(world: &CountedWorld<'_>, moved: &mut ShortMove) -> bool {
    let by = {
        let ground = world.ground();
        let knee = pill(moved.at).low;
        let floor = ground.floor_below(knee, KNEE);
        let floor = floor.filter(|floor| floor.height > moved.at.y + CONTACT);
        if let Some(floor) = floor {
            let lift = floor.height - moved.at.y;
            if floor.normal.y >= WALKABLE {
                DVec3::Y * lift
            } else {
                moved.contacts.push(floor.normal);
                way_out(floor.normal, lift * floor.normal.y)
            }
        } else {
            match ground.deepest(pill(moved.at)) {
                Some(GroundContact { depth, out }) if depth > CONTACT => {
                    if !depth.is_finite() {
                        return false;
                    }
                    moved.contacts.push(out);
                    way_out(out, depth)
                }
                _ => return false,
            }
        }
    };
    let pushed = world.sweep(body_box(moved.at), by);
    moved.at += pushed.motion;
    if moved.at.is_nan() || pushed.motion == DVec3::ZERO {
        return false;
    }
    read_ground(world, moved.at, DVec3::ZERO);
    true
}

/// The way out of ground that a body is in to a depth along `out`: sideways from steep ground.
fn way_out(out: DVec3, depth: f64) -> DVec3 {
    match sideways(out) {
        Some(side) if out.y.abs() < WALKABLE => side * (depth / out.dot(side)),
        _ => out * depth,
    }
}
