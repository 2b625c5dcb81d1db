//! A pose of the drone: a point that it looks at, the direction, and the distance.

use bevy::prelude::{EulerRot, Quat, Vec2};
use glam::{DQuat, DVec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use stonerun_engine::voxel::{Box3, WORLD_LIMIT};

/// Range of distances from the focus, in voxels.
const DISTANCE: std::ops::RangeInclusive<f64> = 1.5..=1500.0;
/// Maximum pitch of a perspective view, in radians. Straight up or down, a turn would have no
/// direction.
const MAX_PITCH: f32 = 1.553;
/// Distance at which a framed box is shown, relative to the smallest distance at which its bounding
/// sphere fits into the view.
const ROOM: f64 = 1.08;
/// Angle to the wanted pose below which a motion ends, in radians.
const ARRIVED_ANGLE: f32 = 0.002;
/// Distance to the wanted pose below which a motion ends, relative to its distance from the focus.
const ARRIVED_DISTANCE: f64 = 0.002;

/// A side from which an orthographic view shows the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewSide {
    /// View from the south.
    Front,
    /// View from the north.
    Back,
    /// View from the east.
    Right,
    /// View from the west.
    Left,
    /// View from above; north is up.
    Top,
    /// View from below.
    Bottom,
}

impl ViewSide {
    /// Name for the player.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ViewSide::Front => "front",
            ViewSide::Back => "back",
            ViewSide::Right => "right",
            ViewSide::Left => "left",
            ViewSide::Top => "top",
            ViewSide::Bottom => "bottom",
        }
    }

    /// The opposite side.
    #[must_use]
    pub const fn opposite(self) -> ViewSide {
        match self {
            ViewSide::Front => ViewSide::Back,
            ViewSide::Back => ViewSide::Front,
            ViewSide::Right => ViewSide::Left,
            ViewSide::Left => ViewSide::Right,
            ViewSide::Top => ViewSide::Bottom,
            ViewSide::Bottom => ViewSide::Top,
        }
    }

    /// Yaw and pitch of the view, in radians.
    const fn look(self) -> (f32, f32) {
        match self {
            ViewSide::Front => (0.0, 0.0),
            ViewSide::Back => (PI, 0.0),
            ViewSide::Right => (FRAC_PI_2, 0.0),
            ViewSide::Left => (3.0 * FRAC_PI_2, 0.0),
            ViewSide::Top => (0.0, -FRAC_PI_2),
            ViewSide::Bottom => (0.0, FRAC_PI_2),
        }
    }
}

/// Position and view of the drone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// Point in the middle of the view, in voxels of the world.
    pub focus: DVec3,
    /// Turn to the left from north (-z), in radians.
    pub yaw: f32,
    /// Angle of the view above the horizon, in radians.
    pub pitch: f32,
    /// Distance from the focus, in voxels.
    pub distance: f64,
    /// True if the view is orthographic. It shows as much of the plane through the focus as a
    /// perspective view from this distance.
    pub orthographic: bool,
}

impl Pose {
    /// The perspective pose of eyes with a focus `distance` voxels away.
    #[must_use]
    pub fn from_eyes(eyes: DVec3, yaw: f32, pitch: f32, distance: f64) -> Pose {
        let distance = distance.clamp(*DISTANCE.start(), *DISTANCE.end());
        let pose = Pose { focus: eyes, yaw, pitch, distance, orthographic: false };
        Pose { focus: eyes + pose.direction() * distance, ..pose }
    }

    fn rotation(&self) -> DQuat {
        Quat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0).as_dquat()
    }

    /// Direction of the view, unit length.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        self.rotation() * DVec3::NEG_Z
    }

    /// Position of the drone.
    #[must_use]
    pub fn eyes(&self) -> DVec3 {
        self.focus - self.direction() * self.distance
    }

    /// Height of the visible part of the plane through the focus, in voxels. `field_of_view` is the
    /// vertical one, in radians.
    #[must_use]
    pub fn height(&self, field_of_view: f64) -> f64 {
        2.0 * self.distance * (field_of_view / 2.0).tan()
    }

    /// Turns the view in place. An orthographic view keeps its direction.
    pub fn look(&mut self, turn: Vec2) {
        if !self.orthographic {
            let eyes = self.eyes();
            self.turn(turn);
            self.focus = eyes + self.direction() * self.distance;
        }
    }

    /// Turns the drone around a point, and its view with it.
    pub fn orbit(&mut self, pivot: DVec3, turn: Vec2) {
        let from = self.focus - pivot;
        let before = self.rotation();
        self.turn(turn);
        self.move_to(pivot + self.rotation() * (before.inverse() * from));
    }

    /// Turns the view to the left and up, in radians.
    fn turn(&mut self, turn: Vec2) {
        self.yaw = (self.yaw + turn.x).rem_euclid(TAU);
        let steepest = if self.orthographic { FRAC_PI_2 } else { MAX_PITCH };
        self.pitch = (self.pitch + turn.y).clamp(-steepest, steepest);
    }

    /// Moves the focus in the plane of the view, to its right and up, in voxels.
    pub fn pan(&mut self, right: f64, up: f64) {
        self.move_to(self.focus + self.rotation() * DVec3::new(right, up, 0.0));
    }

    /// Moves the focus over the ground, ahead and to the right, and upwards, in voxels. An
    /// orthographic view moves in its own plane instead.
    pub fn travel(&mut self, ahead: f64, right: f64, up: f64) {
        if self.orthographic {
            self.pan(right, ahead + up);
            return;
        }
        let (sin, cos) = f64::from(self.yaw).sin_cos();
        self.move_to(
            self.focus + DVec3::new(-sin * ahead + cos * right, up, -cos * ahead - sin * right),
        );
    }

    fn move_to(&mut self, focus: DVec3) {
        let limit = DVec3::splat(f64::from(WORLD_LIMIT) - 1.0);
        self.focus = focus.clamp(-limit, limit);
    }

    /// Multiplies the distance from the focus.
    pub fn zoom(&mut self, factor: f64) {
        self.distance = (self.distance * factor).clamp(*DISTANCE.start(), *DISTANCE.end());
    }

    /// Sets the focus to the point `distance_from_eyes` voxels straight ahead. The eyes of a
    /// perspective view stay in place.
    pub fn focus_at(&mut self, distance_from_eyes: f64) {
        let at = self.eyes() + self.direction() * distance_from_eyes;
        if !self.orthographic {
            self.distance = distance_from_eyes.clamp(*DISTANCE.start(), *DISTANCE.end());
        }
        self.move_to(at);
    }

    /// Moves so that a box fills the view, without turning. `field_of_view` is in radians.
    pub fn frame(&mut self, area: Box3, field_of_view: f64) {
        self.move_to((area.min.as_dvec3() + area.max.as_dvec3()) / 2.0);
        let radius = (area.max.as_dvec3() - area.min.as_dvec3()).length() / 2.0;
        let half = field_of_view / 2.0;
        let nearest = radius / if self.orthographic { half.tan() } else { half.sin() };
        self.distance = (nearest * ROOM).clamp(*DISTANCE.start(), *DISTANCE.end());
    }

    /// Shows the focus from a side in an orthographic view.
    pub fn look_from(&mut self, side: ViewSide) {
        (self.yaw, self.pitch) = side.look();
        self.orthographic = true;
    }

    /// The side that an orthographic view shows, if it is one of the six.
    #[must_use]
    pub fn side(&self) -> Option<ViewSide> {
        use ViewSide::{Back, Bottom, Front, Left, Right, Top};
        let is_at = |side: &ViewSide| {
            let (yaw, pitch) = side.look();
            turn_between(self.yaw, yaw).abs() < ARRIVED_ANGLE
                && (self.pitch - pitch).abs() < ARRIVED_ANGLE
        };
        [Front, Back, Right, Left, Top, Bottom]
            .into_iter()
            .find(|side| self.orthographic && is_at(side))
    }

    /// The pose at `part` (0 to 1) of the motion to `wanted`. A view becomes orthographic once it
    /// has turned.
    #[must_use]
    pub fn towards(&self, wanted: &Pose, part: f64) -> Pose {
        let turn = turn_between(self.yaw, wanted.yaw);
        let angles = turn.abs().max((wanted.pitch - self.pitch).abs());
        let apart =
            (self.focus - wanted.focus).length().max((self.distance - wanted.distance).abs());
        if angles < ARRIVED_ANGLE && apart < ARRIVED_DISTANCE * wanted.distance {
            return *wanted;
        }
        Pose {
            focus: self.focus.lerp(wanted.focus, part),
            yaw: (self.yaw + turn * part as f32).rem_euclid(TAU),
            pitch: self.pitch + (wanted.pitch - self.pitch) * part as f32,
            // Interpolated as a power, because equal factors of the distance look like equal steps.
            distance: self.distance * (wanted.distance / self.distance).powf(part),
            orthographic: wanted.orthographic
                && (self.orthographic || angles < 10.0 * ARRIVED_ANGLE),
        }
    }
}

/// The shortest turn from one yaw to another, in radians.
fn turn_between(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;

    const FIELD: f64 = 1.2;

    fn pose() -> Pose {
        Pose::from_eyes(DVec3::new(10.0, 70.0, -4.0), 0.7, -0.4, 25.0)
    }

    #[test]
    fn pose_starts_at_the_eyes_and_turns_in_place() {
        let mut pose = pose();
        assert!((pose.eyes() - DVec3::new(10.0, 70.0, -4.0)).length() < 1e-6);
        pose.look(Vec2::new(0.3, -5.0));
        assert!((pose.eyes() - DVec3::new(10.0, 70.0, -4.0)).length() < 1e-6);
        assert!((pose.yaw - 1.0).abs() < 1e-6 && pose.pitch == -MAX_PITCH);
        pose.focus_at(9.0);
        assert!(
            (pose.eyes() - DVec3::new(10.0, 70.0, -4.0)).length() < 1e-6 && pose.distance == 9.0
        );
    }

    #[test]
    fn orbit_keeps_the_pivot_at_its_place_in_the_view() {
        let mut pose = pose();
        let pivot = DVec3::new(3.0, 60.0, -20.0);
        let seen = |pose: &Pose| pose.rotation().inverse() * (pivot - pose.eyes());
        let before = seen(&pose);
        for turn in [Vec2::new(0.5, 0.1), Vec2::new(-2.0, -0.3), Vec2::new(0.0, 0.2)] {
            pose.orbit(pivot, turn);
            assert!((seen(&pose) - before).length() < 1e-4, "{turn}");
        }
        assert!((pose.eyes() - DVec3::new(10.0, 70.0, -4.0)).length() > 5.0);
    }

    #[test]
    fn framed_box_is_in_the_view_and_fills_it() {
        for (side, size) in
            [(None, 8), (Some(ViewSide::Top), 8), (Some(ViewSide::Left), 200), (None, 1)]
        {
            let mut pose = pose();
            if let Some(side) = side {
                pose.look_from(side);
            }
            let area = Box3 { min: IVec3::new(-5, 30, 7), max: IVec3::new(-5, 30, 7) + size };
            pose.frame(area, FIELD);
            let half = |depth: f64| {
                if pose.orthographic {
                    pose.height(FIELD) / 2.0
                } else {
                    depth * (FIELD / 2.0).tan()
                }
            };
            let mut widest: f64 = 0.0;
            for i in 0..8 {
                let part = IVec3::new(i & 1, i >> 1 & 1, i >> 2);
                let corner = (area.min + part * size).as_dvec3();
                let seen = pose.rotation().inverse() * (corner - pose.eyes());
                widest = widest.max(seen.x.abs().max(seen.y.abs()) / half(-seen.z));
            }
            assert!((0.35..1.0).contains(&widest), "{side:?} {size}: {widest}");
        }
    }

    #[test]
    fn sides_look_at_the_focus_along_an_axis() {
        for (side, direction) in [
            (ViewSide::Front, DVec3::NEG_Z),
            (ViewSide::Right, DVec3::NEG_X),
            (ViewSide::Top, DVec3::NEG_Y),
        ] {
            for (side, direction) in [(side, direction), (side.opposite(), -direction)] {
                let mut pose = pose();
                let focus = pose.focus;
                pose.look_from(side);
                assert!((pose.direction() - direction).length() < 1e-6, "{side:?}");
                assert_eq!((pose.focus, pose.side()), (focus, Some(side)));
                pose.pan(3.0, 2.0);
                assert!((pose.focus - focus).dot(direction).abs() < 1e-5, "{side:?}");
            }
        }
        let mut top = pose();
        top.look_from(ViewSide::Top);
        let focus = top.focus;
        top.travel(5.0, 0.0, 0.0);
        assert!((top.focus - focus - DVec3::new(0.0, 0.0, -5.0)).length() < 1e-5, "north is up");
    }

    #[test]
    fn motion_ends_at_the_wanted_pose_by_the_shorter_turn() {
        let mut shown = Pose { yaw: 0.1, ..pose() };
        let mut wanted =
            Pose { yaw: TAU - 0.1, focus: DVec3::new(99.0, 9.0, 9.0), distance: 300.0, ..shown };
        wanted.look_from(ViewSide::Left);
        let mut steps = 0;
        while shown != wanted {
            let next = shown.towards(&wanted, 0.2);
            assert!(
                next.distance >= shown.distance
                    && !(next.orthographic && !shown.orthographic && steps < 5)
            );
            shown = next;
            steps += 1;
            assert!(steps < 200);
        }
        assert_eq!(turn_between(0.1, TAU - 0.1).signum(), -1.0);
        let mut far = pose();
        for _ in 0..100 {
            far.zoom(2.0);
        }
        assert_eq!(far.distance, *DISTANCE.end());
        far.pan(1e300, 0.0);
        assert!(far.focus.is_finite() && far.focus.abs().max_element() < f64::from(WORLD_LIMIT));
    }
}
