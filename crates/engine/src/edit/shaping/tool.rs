//! Tools and their settings.

use super::materials::ShapingMaterials;
use super::plane::{FlattenSide, ShapingPlane};
use crate::edit::{Mask, Pattern};
use glam::{I64Vec3, IVec3};
use std::sync::Arc;

/// Maximum reach of [`ShapingTool::Smooth`], in voxels.
pub const MAX_SMOOTHING_REACH: u8 = 2;

/// A shaping tool, with the parameters that only it has.
///
/// `f` is the fill of a voxel before the pass, `w` its weight from 1 to 256 (strength times
/// falloff); a voxel with the weight 0 keeps its fill. Fills are clamped to 0..=256. *Grown by `w`*
/// is `max(f, f + M - 256 + w)` with the largest fill `M` of the six face neighbours; *shrunk by
/// `w`* is `min(f, f + m - w)` with their smallest fill `m`. Both move the surface by `w` 256ths of
/// a voxel.
///
/// Tools with a *target* reach it at once with the weight 256. With a smaller weight the surface
/// moves towards the target by at most `w`: the result is the target, but at most `f` grown by `w`
/// and at least `f` shrunk by `w`.
///
/// All tools but [`Weather`](ShapingTool::Weather), [`Melt`](ShapingTool::Melt) and
/// [`Paint`](ShapingTool::Paint) leave no *dust*, which is matter too thin to be drawn: a voxel
/// whose result is from 1 to 127 becomes 0 if no face neighbour has at least 128. It stays if
/// neither it nor a face neighbour changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapingTool {
    /// Adds the form of the brush. Target: the larger of `f` and the form's own fill.
    Add,
    /// Removes the form of the brush. Target: the smaller of `f` and 256 less the form's fill.
    Erode,
    /// Moves the surface outwards: `f` grown by `w`.
    Grow,
    /// Moves the surface inwards: `f` shrunk by `w`.
    Shrink,
    /// Smooths the surface in three dimensions.
    ///
    /// With the side `n = 2 reach + 1` and the sum `S` of the fills in the `n^3` voxels around, the
    /// smoothed fill is `128 + (S - 128 n^3) / n^2`, rounded to the nearest number. A box filter
    /// makes the ramp of a surface `n` voxels wide; the factor makes it one voxel wide again.
    /// Planes along the axes stay exactly as they are, and heights become the mean of `n x n`
    /// columns. The result moves from `f` towards the smoothed fill by `w` 256ths of the
    /// difference, rounded away from 0.
    Smooth {
        /// Distance to both sides of a voxel that the mean covers: 1 to [`MAX_SMOOTHING_REACH`].
        reach: u8,
    },
    /// Levels the surface to a plane. Target: the fill below the plane, or `f` on sides that do not
    /// change.
    Flatten {
        /// The plane.
        plane: ShapingPlane,
        /// Directions that the surface may move in.
        side: FlattenSide,
    },
    /// Pulls or pushes the surface along a direction. With the components `n` of the normal, `M` is
    /// the mean, weighted by `|n|`, of the fills of the neighbours against `n`, and the result
    /// `max(f, f + M - 256 + w)`. Pushed, it is the mean of the neighbours along `n`, and the
    /// result `min(f, f + M - w)`.
    Sculpt {
        /// Direction out of the ground, of any length; up if it is 0.
        normal: IVec3,
        /// True to push the surface against the normal.
        pushes: bool,
    },
    /// Makes a slope between two points of the surface. Target: the fill below the height between
    /// the points, by the horizontal distance along the line between them.
    Slope {
        /// Start and end: x, y and z in 256ths of a voxel.
        points: [I64Vec3; 2],
    },
    /// Makes the surface rough: grows or shrinks each voxel by up to `w`, by noise of its position
    /// with features of `scale` voxels.
    Roughen {
        /// Size of features in voxels, at least 1.
        scale: u8,
        /// Seed of the noise.
        seed: u64,
    },
    /// Changes the material of ground, and keeps its fill. `w` 256ths of the voxels are chosen by a
    /// hash of the position.
    Paint {
        /// Seed of the choice.
        seed: u64,
    },
    /// Lets loose matter slide from edges to the foot of steep slopes, and keeps the sum of all
    /// fills. Slopes of 45 degrees rest; `slide.rs` defines the steps.
    Weather,
    /// Lets matter flow to lower places until it is level, and keeps the sum of all fills.
    /// `slide.rs` defines the steps.
    Melt,
}

/// A shaping tool with all settings.
#[derive(Clone, Debug)]
pub struct Shaping {
    /// The tool.
    pub tool: ShapingTool,
    /// Weight of a voxel where the falloff is full: 1 to 256.
    pub strength: u16,
    /// Keeps liquids as they are; otherwise matter replaces them.
    pub ignores_liquids: bool,
    /// Mask of the voxels that may change, in addition to the mask of the edit.
    pub mask: Mask,
    /// New matter; only its materials count. `None` takes the material of the nearest ground.
    /// [`ShapingTool::Paint`] needs it, and does nothing without.
    pub matter: Option<Pattern>,
    /// The map's materials.
    pub materials: Arc<ShapingMaterials>,
}

impl Shaping {
    /// A tool at full strength, without a mask, that takes the material of the nearest ground.
    #[must_use]
    pub fn new(tool: ShapingTool, materials: Arc<ShapingMaterials>) -> Shaping {
        Shaping {
            tool,
            strength: 256,
            ignores_liquids: false,
            mask: Mask::Any,
            matter: None,
            materials,
        }
    }
}

impl ShapingTool {
    /// Number of voxels to each side of a voxel that decide its fill.
    pub(super) fn reach(&self) -> i32 {
        match self {
            ShapingTool::Smooth { reach } => i32::from((*reach).clamp(1, MAX_SMOOTHING_REACH)),
            _ => 1,
        }
    }

    /// True if the tool changes nothing where all voxels in reach have one fill.
    pub(super) fn needs_surface(&self) -> bool {
        matches!(
            self,
            ShapingTool::Grow
                | ShapingTool::Shrink
                | ShapingTool::Smooth { .. }
                | ShapingTool::Sculpt { .. }
                | ShapingTool::Roughen { .. }
        )
    }
}
