//! The options of the tools.

use crate::game::building::builder::brush_shape::{BrushForm, MAX_RADIUS};
use crate::game::building::builder::line_path::LineOptions;
use crate::game::building::builder::materials::MaterialFields;
use crate::game::building::builder::roof::RoofForm;
use crate::game::building::builder::shape_options::ShapeOptions;
use crate::game::building::builder::symmetry::Symmetry;
use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};

/// The options of the tools.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct BuilderOptions {
    /// Pattern and mask.
    pub fields: MaterialFields,
    /// Steps of drags, in voxels.
    pub snap: i32,
    /// Steps of turns, in degrees.
    pub angle_step: i32,
    /// True to select the voxel in front of the face that is pointed at.
    pub selects_in_front: bool,
    /// Options of the brush.
    pub brush: BrushOptions,
    /// Options of the tool *Shape*.
    pub shape: ShapeOptions,
    /// Options of lines and walls.
    pub line: LineOptions,
    /// Form of roofs.
    pub roof: RoofForm,
    /// Symmetry that repeats edits.
    pub symmetry: Symmetry,
    /// Options of moving and copying.
    pub shift: ShiftOptions,
    /// True if air of the clipboard replaces matter.
    pub pastes_air: bool,
}

impl Default for BuilderOptions {
    fn default() -> BuilderOptions {
        BuilderOptions {
            fields: MaterialFields::default(),
            snap: 1,
            angle_step: 15,
            selects_in_front: false,
            brush: BrushOptions::default(),
            shape: ShapeOptions::default(),
            line: LineOptions::default(),
            roof: RoofForm::default(),
            symmetry: Symmetry::default(),
            shift: ShiftOptions::default(),
            pastes_air: false,
        }
    }
}

/// Lowest and highest strength of the brush, in percent.
pub const STRENGTH: (i32, i32) = (5, 100);

/// Options of the brush.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct BrushOptions {
    /// Form of the brush.
    pub form: BrushForm,
    /// Radius in voxels; 0 for one voxel.
    pub radius: i32,
    /// Distance between two touches, as a part of the brush's width.
    pub spacing: f64,
    /// True to put the pattern in place of matter only, false to fill air too.
    pub paints_surface: bool,
    /// Share of its voxels that the brush changes at random, in percent. For a brush that smooths,
    /// it determines the number of passes.
    pub strength: i32,
    /// True to smooth the surface instead of putting the pattern.
    pub smooths: bool,
}

impl Default for BrushOptions {
    fn default() -> BrushOptions {
        BrushOptions {
            form: BrushForm::Ball,
            radius: 3,
            spacing: 0.25,
            paints_surface: false,
            strength: 100,
            smooths: false,
        }
    }
}

impl BrushOptions {
    /// True if the brush changes matter only, and fills no air.
    #[must_use]
    pub fn keeps_shape(&self) -> bool {
        self.paints_surface || self.smooths
    }

    /// The options within their limits.
    #[must_use]
    pub fn clamped(self) -> BrushOptions {
        let spacing = if self.spacing.is_finite() { self.spacing.clamp(0.1, 4.0) } else { 0.25 };
        let strength = self.strength.clamp(STRENGTH.0, STRENGTH.1);
        BrushOptions { radius: self.radius.clamp(0, MAX_RADIUS), spacing, strength, ..self }
    }
}

/// Options of moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShiftOptions {
    /// True to copy, false to move.
    pub keeps_original: bool,
    /// Number of copies, at equal distances.
    pub times: u32,
}

impl Default for ShiftOptions {
    fn default() -> ShiftOptions {
        ShiftOptions { keeps_original: false, times: 1 }
    }
}
