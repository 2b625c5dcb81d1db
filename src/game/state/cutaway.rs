//! The cutaway: a plane across the world. Voxels between the plane and the eye are not drawn, so
//! that the player sees into the ground.

use bevy::prelude::{IVec3, Resource, Vec4};
use glam::DVec3;
use std::fmt;
use std::str::FromStr;
use stonerun_engine::voxel::{Box3, Face};

/// Distance behind the plane up to which faces are cut away as well, in voxels. Faces in the plane
/// itself would flicker.
const CLEARANCE: f32 = 0.002;
/// Distance of a new cut from the eye while the crosshair is on the sky, in voxels.
const VOXELS_AHEAD: f64 = 8.0;

/// The axis that a cut is perpendicular to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutAxis {
    /// Axis from west to east.
    X,
    /// Axis from down to up.
    Y,
    /// Axis from north to south.
    Z,
}

impl CutAxis {
    /// All axes, in the order in which [`Cutaway::turn`] selects them.
    pub const ALL: [CutAxis; 3] = [CutAxis::X, CutAxis::Z, CutAxis::Y];

    /// The axis closest to `direction`: a cut across it faces the eye.
    #[must_use]
    pub fn along(direction: DVec3) -> CutAxis {
        let part = |axis: &CutAxis| axis.coordinate(direction).abs();
        CutAxis::ALL.into_iter().max_by(|a, b| part(a).total_cmp(&part(b))).unwrap_or(CutAxis::X)
    }

    /// The axis after this one.
    #[must_use]
    const fn turned(self) -> CutAxis {
        match self {
            CutAxis::X => CutAxis::Z,
            CutAxis::Z => CutAxis::Y,
            CutAxis::Y => CutAxis::X,
        }
    }

    /// Coordinate of `at` on the axis.
    #[must_use]
    pub fn coordinate(self, at: DVec3) -> f64 {
        at[self as usize]
    }

    /// Name on the screen and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CutAxis::X => "x",
            CutAxis::Y => "y",
            CutAxis::Z => "z",
        }
    }
}

/// A layer of voxels, seen from one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutPlane {
    /// Axis that the layer is perpendicular to.
    pub axis: CutAxis,
    /// Coordinate of the layer's voxels on the axis.
    pub layer: i32,
    /// True if the eye is on the higher side.
    pub is_seen_from_above: bool,
}

impl CutPlane {
    /// The layer, seen by an eye at `eye`.
    #[must_use]
    pub fn seen_from(axis: CutAxis, layer: i32, eye: DVec3) -> CutPlane {
        CutPlane { axis, layer, is_seen_from_above: axis.coordinate(eye) > f64::from(layer) + 0.5 }
    }

    /// The side of the layer's voxels that faces the eye.
    #[must_use]
    pub const fn face(self) -> Face {
        match (self.axis, self.is_seen_from_above) {
            (CutAxis::X, true) => Face::East,
            (CutAxis::X, false) => Face::West,
            (CutAxis::Y, true) => Face::Up,
            (CutAxis::Y, false) => Face::Down,
            (CutAxis::Z, true) => Face::South,
            (CutAxis::Z, false) => Face::North,
        }
    }

    /// Coordinate of the plane on the axis: of the side of the layer that faces the eye.
    #[must_use]
    pub fn coordinate(self) -> f64 {
        f64::from(self.layer) + f64::from(u8::from(self.is_seen_from_above))
    }

    /// Distance from `eye` along `direction` to the plane, in multiples of `direction`; `None` if
    /// the ray does not meet it.
    #[must_use]
    pub fn distance(self, eye: DVec3, direction: DVec3) -> Option<f64> {
        let distance =
            (self.coordinate() - self.axis.coordinate(eye)) / self.axis.coordinate(direction);
        (distance.is_finite() && distance >= 0.0).then_some(distance)
    }

    /// The voxels that are not cut away.
    #[must_use]
    pub fn shown_box(self) -> Box3 {
        let mut shown = Box3 { min: IVec3::MIN, max: IVec3::MAX };
        if self.is_seen_from_above {
            shown.max[self.axis as usize] = self.layer.saturating_add(1);
        } else {
            shown.min[self.axis as usize] = self.layer;
        }
        shown
    }

    /// The plane for shaders: a normal and a distance. A position relative to `origin` is hidden if
    /// its product with the normal exceeds the distance.
    #[must_use]
    pub fn clip(self, origin: DVec3) -> Vec4 {
        let normal = self.face().normal().as_vec3();
        let coordinate = (self.coordinate() - self.axis.coordinate(origin)) as f32;
        let towards_eye = if self.is_seen_from_above { coordinate } else { -coordinate };
        normal.extend(towards_eye - CLEARANCE)
    }
}

impl fmt::Display for CutPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.axis.name(), self.layer)
    }
}

/// The cut that the player has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutChoice {
    /// Axis that the cut is perpendicular to.
    pub axis: CutAxis,
    /// Axis of the first cut since the cutaway was switched on. The cutaway is switched off instead
    /// of showing this axis a second time.
    pub first: CutAxis,
    /// True if the cut goes through the block under the crosshair.
    pub follows: bool,
    /// Coordinate of the voxels in the cut.
    pub layer: i32,
}

impl CutChoice {
    /// A cut that does not follow the crosshair.
    #[must_use]
    pub const fn fixed(axis: CutAxis, layer: i32) -> CutChoice {
        CutChoice { axis, first: axis, follows: false, layer }
    }
}

/// Error: the text does not name a cut.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("no cut {0:?}; name an axis and a voxel's coordinate on it, such as x=12, y=-40 or z=7")]
pub struct CutParseError(pub String);

impl FromStr for CutChoice {
    type Err = CutParseError;

    fn from_str(text: &str) -> Result<CutChoice, CutParseError> {
        let error = || CutParseError(text.to_owned());
        let (axis, layer) = text.split_once('=').ok_or_else(error)?;
        let axis = CutAxis::ALL
            .into_iter()
            .find(|known| known.name().eq_ignore_ascii_case(axis.trim()))
            .ok_or_else(error)?;
        Ok(CutChoice::fixed(axis, layer.trim().parse().map_err(|_| error())?))
    }
}

/// State of the cutaway (`F7`): the chosen cut and the drawn one.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutaway {
    /// The cut that the player has chosen; `None` while it is off.
    pub choice: Option<CutChoice>,
    /// The cut that is drawn. It differs from the choice until the picture of a new cut is built.
    pub shown: Option<CutPlane>,
}

impl Cutaway {
    /// Switches to the next state: first the cut that faces an eye at `eye` looking in `direction`,
    /// then those across the other two axes, then off. A new cut follows the crosshair. Until the
    /// crosshair meets a block, the cut is `VOXELS_AHEAD` in front of the eye.
    pub fn turn(&mut self, eye: DVec3, direction: DVec3) {
        let next = self.choice.map(|choice| (choice.axis.turned(), choice.first));
        let (axis, first) = next.unwrap_or((CutAxis::along(direction), CutAxis::along(direction)));
        if self.choice.is_some() && axis == first {
            self.choice = None;
            return;
        }
        let ahead = eye + direction * VOXELS_AHEAD;
        self.choice = Some(CutChoice {
            axis,
            first,
            follows: true,
            layer: axis.coordinate(ahead).floor() as i32,
        });
    }

    /// The plane for shaders. While the cutaway is off, it hides nothing.
    #[must_use]
    pub fn clip(&self, origin: DVec3) -> Vec4 {
        self.shown.map_or(Vec4::ZERO, |plane| plane.clip(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_shows_each_axis_then_nothing() {
        let mut cutaway = Cutaway::default();
        let mut axes = Vec::new();
        for _ in 0..5 {
            cutaway.turn(DVec3::ZERO, DVec3::new(-0.9, 0.1, 0.3));
            axes.push(cutaway.choice.map(|choice| choice.axis));
        }
        let [x, y, z] = [CutAxis::X, CutAxis::Y, CutAxis::Z].map(Some);
        assert_eq!(axes, [x, z, y, None, x]);
        let mut down = Cutaway::default();
        down.turn(DVec3::ZERO, DVec3::new(0.3, -0.9, 0.3));
        assert_eq!(
            down.choice.map(|choice| choice.axis),
            y,
            "a level cut faces an eye that looks down"
        );
    }

    #[test]
    fn clip_hides_the_side_of_the_eye() {
        let origin = DVec3::new(32.0, 0.0, -64.0);
        for axis in [CutAxis::X, CutAxis::Y, CutAxis::Z] {
            for eye in [DVec3::splat(-900.0), DVec3::splat(900.0)] {
                let plane = CutPlane::seen_from(axis, 10, eye);
                let clip = plane.clip(origin);
                let is_hidden = |coordinate: f64| {
                    let mut at = DVec3::splat(5.0);
                    at[axis as usize] = coordinate;
                    clip.truncate().dot((at - origin).as_vec3()) > clip.w
                };
                let (near, far) = if plane.is_seen_from_above { (11.1, 10.9) } else { (9.9, 10.1) };
                assert!(is_hidden(near) && !is_hidden(far), "{plane} from {eye}");
                assert!(is_hidden(plane.coordinate()), "faces in the plane");
                let voxels = [near, far].map(|at: f64| DVec3::splat(at).floor().as_ivec3());
                assert_eq!(
                    voxels.map(|at| plane.shown_box().contains(at)),
                    [false, true],
                    "{plane}"
                );
            }
        }
        assert_eq!(Cutaway::default().clip(origin), Vec4::ZERO);
    }

    #[test]
    fn rays_meet_the_plane_ahead_only() {
        let plane = CutPlane::seen_from(CutAxis::X, 10, DVec3::ZERO);
        assert_eq!(plane.distance(DVec3::ZERO, DVec3::new(0.5, 0.2, 0.0)), Some(20.0));
        assert_eq!(plane.distance(DVec3::ZERO, DVec3::new(-0.5, 0.2, 0.0)), None);
        assert_eq!(plane.distance(DVec3::ZERO, DVec3::Y), None);
    }

    #[test]
    fn cuts_are_read_from_text() {
        assert_eq!("x=12".parse(), Ok(CutChoice::fixed(CutAxis::X, 12)));
        assert_eq!("Y = -40".parse(), Ok(CutChoice::fixed(CutAxis::Y, -40)));
        for wrong in ["", "x", "w=3", "x=", "x=1.5", "12"] {
            assert_eq!(wrong.parse::<CutChoice>(), Err(CutParseError(wrong.to_owned())));
        }
    }
}
