//! Operations and options of the tool *Shape*.

use serde::{Deserialize, Serialize};
use stonerun_engine::edit::shaping::{BrushShape, MAX_SHAPING_RADIUS, ShapingBrush};
use stonerun_engine::voxel::WORLD_LIMIT;
use strum::{IntoStaticStr, VariantArray};

/// Smallest and largest radius, in voxels.
pub const RADIUS: (i32, i32) = (1, MAX_SHAPING_RADIUS as i32);
/// Lowest and highest strength, in percent.
pub const SHAPE_STRENGTH: (i32, i32) = (5, 100);
/// Smallest and largest falloff, in percent.
pub const FALLOFF: (i32, i32) = (0, 100);
/// Maximum size of a typed height.
pub const MAX_HEIGHT: i32 = WORLD_LIMIT - 1;

/// Operation of the tool *Shape*.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
pub enum ShapeOperation {
    /// Adds the form of the brush, or erodes it.
    #[default]
    Add,
    /// Moves the surface outwards or inwards.
    Grow,
    /// Pulls the surface along its normal, or pushes it.
    Sculpt,
    /// Smooths the surface.
    Smooth,
    /// Levels the surface to a plane.
    Flatten,
    /// Fills up to a height, or cuts down to it.
    Level,
    /// Makes a slope from the first place of the stroke to the last one.
    Slope,
    /// Makes the surface rough.
    Roughen,
    /// Changes the material.
    Paint,
    /// Lets loose matter slide to the foot of slopes.
    Weather,
    /// Lets matter flow until it is level.
    Melt,
}

impl ShapeOperation {
    /// Name in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Verb of a stroke, for the history and the panel. `takes` is true for the left button, which
    /// takes matter away where the operation has an opposite.
    #[must_use]
    pub fn verb(self, takes: bool) -> &'static str {
        match self {
            ShapeOperation::Add if takes => "erode",
            ShapeOperation::Add => "add",
            ShapeOperation::Grow if takes => "shrink",
            ShapeOperation::Grow => "grow",
            ShapeOperation::Sculpt if takes => "push",
            ShapeOperation::Sculpt => "pull",
            ShapeOperation::Smooth => "smooth",
            ShapeOperation::Flatten => "flatten",
            ShapeOperation::Level if takes => "cut to level",
            ShapeOperation::Level => "fill to level",
            ShapeOperation::Slope => "slope",
            ShapeOperation::Roughen => "roughen",
            ShapeOperation::Paint => "paint",
            ShapeOperation::Weather => "weather",
            ShapeOperation::Melt => "melt",
        }
    }

    /// True if the two buttons do opposite things.
    #[must_use]
    pub fn has_opposite(self) -> bool {
        self.verb(true) != self.verb(false)
    }

    /// True if each pass moves the surface by at most a voxel, without a target at which it ends.
    #[must_use]
    pub fn moves_a_little(self) -> bool {
        matches!(
            self,
            ShapeOperation::Grow
                | ShapeOperation::Sculpt
                | ShapeOperation::Smooth
                | ShapeOperation::Roughen
        )
    }

    /// True if a stroke that rests at a place goes on there.
    #[must_use]
    pub fn goes_on(self) -> bool {
        self.moves_a_little() || matches!(self, ShapeOperation::Weather | ShapeOperation::Melt)
    }

    /// True if the operation levels the ground to a plane or a height.
    #[must_use]
    pub fn has_plane(self) -> bool {
        matches!(self, ShapeOperation::Flatten | ShapeOperation::Level)
    }

    /// True if a stroke takes its material from the pattern. `takes` is as for
    /// [`verb`](ShapeOperation::verb).
    #[must_use]
    pub fn puts_pattern(self, takes: bool) -> bool {
        self == ShapeOperation::Paint || self == ShapeOperation::Add && !takes
    }
}

/// Strength and falloff, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShapeForce {
    /// Part of a voxel by which a pass moves the surface; for paint, the share of the voxels.
    pub strength: i32,
    /// Outer part of the radius in which the strength falls to 0.
    pub falloff: i32,
}

/// Options of the tool *Shape*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ShapeOptions {
    /// Operation of both buttons.
    pub operation: ShapeOperation,
    /// Form of the brush.
    pub form: BrushShape,
    /// Radius in voxels.
    pub radius: i32,
    /// Force of operations that move the surface a little.
    pub gentle: ShapeForce,
    /// Force of all others. They reach their target at once at full strength.
    pub exact: ShapeForce,
    /// True to keep the stroke on the plane of the face or the ground that it starts at.
    pub locks_plane: bool,
    /// True to keep liquids as they are.
    pub ignores_liquids: bool,
    /// True to flatten along the ground at the start of the stroke, false to flatten to a level.
    pub is_tilted: bool,
    /// Highest layer of level ground; `None` for the height at the start of the stroke.
    pub height: Option<i32>,
}

impl Default for ShapeOptions {
    fn default() -> ShapeOptions {
        ShapeOptions {
            operation: ShapeOperation::default(),
            form: BrushShape::default(),
            radius: 4,
            gentle: ShapeForce { strength: 50, falloff: 50 },
            exact: ShapeForce { strength: 100, falloff: 0 },
            locks_plane: false,
            ignores_liquids: false,
            is_tilted: false,
            height: None,
        }
    }
}

impl ShapeOptions {
    /// Force of the operation.
    #[must_use]
    pub fn force(&self) -> ShapeForce {
        if self.operation.moves_a_little() { self.gentle } else { self.exact }
    }

    /// Force of the operation, to change it.
    pub fn force_mut(&mut self) -> &mut ShapeForce {
        if self.operation.moves_a_little() { &mut self.gentle } else { &mut self.exact }
    }

    /// Brush of the engine.
    #[must_use]
    pub fn brush(&self) -> ShapingBrush {
        let radius = self.clamped().radius.unsigned_abs();
        let falloff = self.force().clamped().falloff * 256 / 100;
        ShapingBrush { shape: self.form, radius, falloff: falloff as u16 }
    }

    /// Strength of the engine: 1 to 256.
    #[must_use]
    pub fn strength(&self) -> u16 {
        ((self.force().clamped().strength * 256 + 99) / 100) as u16
    }

    /// Distance between two places of a stroke, in voxels.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        f64::from((self.radius / 2).max(1))
    }

    /// The options within their limits.
    #[must_use]
    pub fn clamped(self) -> ShapeOptions {
        ShapeOptions {
            radius: self.radius.clamp(RADIUS.0, RADIUS.1),
            gentle: self.gentle.clamped(),
            exact: self.exact.clamped(),
            height: self.height.map(|height| height.clamp(-MAX_HEIGHT, MAX_HEIGHT)),
            ..self
        }
    }
}

impl ShapeForce {
    /// The force within its limits.
    #[must_use]
    pub fn clamped(self) -> ShapeForce {
        ShapeForce {
            strength: self.strength.clamp(SHAPE_STRENGTH.0, SHAPE_STRENGTH.1),
            falloff: self.falloff.clamp(FALLOFF.0, FALLOFF.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_two_directions_and_their_forces_are_kept_apart() {
        let opposites: Vec<_> =
            ShapeOperation::VARIANTS.iter().filter(|operation| operation.has_opposite()).collect();
        assert_eq!(
            opposites,
            [
                &ShapeOperation::Add,
                &ShapeOperation::Grow,
                &ShapeOperation::Sculpt,
                &ShapeOperation::Level
            ]
        );
        let mut options = ShapeOptions { operation: ShapeOperation::Smooth, ..Default::default() };
        options.force_mut().strength = 20;
        options.operation = ShapeOperation::Add;
        assert_eq!((options.strength(), options.brush().falloff), (256, 0));
        options.operation = ShapeOperation::Grow;
        assert_eq!((options.strength(), options.brush().falloff), (52, 128));
        options.form = BrushShape::Cylinder;
        assert_eq!(options.brush().shape, BrushShape::Cylinder);
    }

    #[test]
    fn wild_numbers_are_clamped() {
        let wild = ShapeForce { strength: -3, falloff: 1000 };
        let options = ShapeOptions {
            radius: 9999,
            gentle: wild,
            exact: wild,
            height: Some(i32::MAX),
            ..ShapeOptions::default()
        };
        assert_eq!((options.brush().radius, options.strength()), (64, 13));
        let clamped = options.clamped();
        assert_eq!((clamped.radius, clamped.height), (64, Some(MAX_HEIGHT)));
        assert_eq!(clamped.force(), ShapeForce { strength: 5, falloff: 100 });
    }
}
