//! The brush: the left button erases, the right button paints. A stroke, from press to release of a
//! button, is one step of the undo history.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::brush_shape::{MAX_RADIUS, StrokePath};
use crate::game::building::builder::brush_stroke::{Dab, PaintedRegion};
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::materials::{FieldContext, PatternSources, existing};
use crate::game::building::builder::options::{BrushOptions, BuilderOptions, STRENGTH};
use crate::game::building::builder::sketch::Sketch;
use crate::game::editing::edit_jobs::{
    EditJobs, EditPreview, EditRequest, EditWork, PreviewState, WhenDone,
};
use crate::game::state::notices::Notices;
use bevy::prelude::*;
use stonerun_engine::edit::console::{CommandError, SeedUser, Seeds};
use stonerun_engine::edit::operations::{self, GroundMaterials};
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::voxel::{MaterialId, Voxel};

/// Maximum number of chunks of a stroke, at which it ends.
const MAX_CHUNKS: usize = 1 << 13;

/// State of the brush.
#[derive(Resource, Default)]
pub struct BrushTool {
    stroke: Option<BrushStroke>,
    /// Number of strokes so far, so that each draws seeds of its own.
    strokes: u64,
}

/// Effect of a stroke on its voxels.
#[derive(Clone)]
enum BrushAction {
    /// Fills the voxels that a mask accepts.
    Fill(Pattern, Mask),
    /// Smooths the surface of the terrain a number of times.
    Smooth(GroundMaterials, u32),
}

/// A stroke, from press to release of a button.
struct BrushStroke {
    button: MouseButton,
    path: StrokePath,
    painted: PaintedRegion,
    /// True if the stroke has grown since its preview was requested.
    is_new: bool,
    /// True if a preview was requested.
    is_previewed: bool,
    action: BrushAction,
    /// Name of the step in the history.
    name: &'static str,
}

impl BrushTool {
    /// Drops the stroke. Returns false if there is none.
    pub fn cancel(&mut self) -> bool {
        self.stroke.take().is_some()
    }
}

impl BrushStroke {
    fn work(&self) -> EditWork {
        let painted = self.painted.clone();
        let action = self.action.clone();
        Box::new(move |edit| {
            let region = painted.region();
            let changed = match action {
                BrushAction::Fill(pattern, mask) => edit.fill(&region, &mask, &pattern)?.into(),
                BrushAction::Smooth(terrain, times) => {
                    operations::smooth(edit, &region, &terrain, times)?
                }
            };
            Ok(changed.answer())
        })
    }
}

/// Lets the tool act, and draws the outline of the brush.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    sources: PatternSources,
    mut options: ResMut<BuilderOptions>,
    mut tool: ResMut<BrushTool>,
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut sketch: ResMut<Sketch>,
    mut notices: ResMut<Notices>,
) {
    if controls.steps() != 0 {
        use_wheel(&controls, &mut options.brush, &mut notices);
    }
    for button in [MouseButton::Left, MouseButton::Right] {
        if controls.clicked(button) && tool.stroke.is_none() {
            let seeds = sources.seeds(SeedUser::Brush, tool.strokes);
            match begin(button, &options, sources.player.in_hand(), &sources.context(&seeds)) {
                Ok(stroke) => {
                    tool.stroke = Some(stroke);
                    tool.strokes += 1;
                }
                Err(error) => notices.replace_info("Brush", error.to_string()),
            }
        }
    }
    let brush = options.brush;
    let places_outside =
        tool.stroke.as_ref().is_none_or(|stroke| stroke.button == MouseButton::Right)
            && !brush.keeps_shape();
    // A single voxel is put in front of the face, as by hand; larger brushes cover the block
    // itself.
    let target =
        if brush.radius == 0 && places_outside { aim.voxel_in_front() } else { aim.voxel() };
    let in_front = aim.voxel_in_front();
    if let Some((at, face)) = target.or(in_front) {
        brush.form.draw(&mut sketch, at, brush.radius, face, tool.stroke.is_some());
        if let Some(stroke) = &mut tool.stroke {
            let spacing = (f64::from(2 * brush.radius + 1) * brush.spacing).max(1.0);
            for at in stroke.path.advance(at, spacing) {
                for (at, face) in options.symmetry.faces(at, face) {
                    stroke.painted.add(Dab { form: brush.form, at, radius: brush.radius, face });
                    stroke.is_new = true;
                }
            }
        }
    }
    let Some(stroke) = &mut tool.stroke else { return };
    let is_computing = matches!(preview.state(), PreviewState::Computing { .. });
    if stroke.is_new && !is_computing {
        stroke.is_new = false;
        stroke.is_previewed = true;
        preview.request(stroke.name, stroke.work());
    }
    if controls.held(stroke.button) && stroke.painted.chunk_count() < MAX_CHUNKS {
        return;
    }
    if stroke.is_previewed {
        preview.discard();
    }
    if !stroke.painted.is_empty() {
        jobs.start(EditRequest {
            name: stroke.name.to_owned(),
            work: stroke.work(),
            when_done: WhenDone::Commit,
        });
    }
    tool.stroke = None;
}

/// Changes the radius, the strength or the spacing by the wheel.
fn use_wheel(controls: &Controls, brush: &mut BrushOptions, notices: &mut Notices) {
    let steps = controls.steps();
    if controls.shift() {
        brush.strength = (brush.strength + 5 * steps).clamp(STRENGTH.0, STRENGTH.1);
        notices.replace_info("Brush", format!("strength {} %", brush.strength));
    } else if controls.alt() {
        brush.spacing = ((brush.spacing + 0.25 * f64::from(steps)) * 4.0).round() / 4.0;
        *brush = brush.clamped();
        notices.replace_info("Brush", format!("spacing {:.2}", brush.spacing));
    } else {
        brush.radius = (brush.radius + steps).clamp(0, MAX_RADIUS);
    }
}

/// Begins a stroke of a button.
///
/// # Errors
/// The pattern or the mask is malformed.
fn begin(
    button: MouseButton,
    options: &BuilderOptions,
    in_hand: MaterialId,
    context: &FieldContext<'_>,
) -> Result<BrushStroke, CommandError> {
    let brush = options.brush;
    let mask = options.fields.mask(context)?;
    let seeds = context.seeds;
    let (action, name) = if brush.smooths && button == MouseButton::Right {
        let terrain = GroundMaterials::from_materials(context.materials);
        let ground = Mask::All(vec![terrain.ground.clone(), mask]);
        (BrushAction::Smooth(terrain.with_ground(ground), smoothing(brush)), "smooth")
    } else if button == MouseButton::Left {
        (BrushAction::Fill(Pattern::Voxel(Voxel::AIR), thinned(mask, brush, seeds)), "erase")
    } else {
        let pattern = options.fields.pattern(in_hand, context)?;
        let mask = if brush.paints_surface { Mask::All(vec![existing(), mask]) } else { mask };
        (BrushAction::Fill(pattern, thinned(mask, brush, seeds)), "brush")
    };
    let path = StrokePath::default();
    let painted = PaintedRegion::default();
    Ok(BrushStroke { button, path, painted, is_new: false, is_previewed: false, action, name })
}

/// A mask that accepts a share of the voxels, by the strength of the brush.
fn thinned(mask: Mask, brush: BrushOptions, seeds: &Seeds) -> Mask {
    let share = Mask::Share { share: f64::from(brush.strength) / 100.0, seed: seeds.draw() };
    if brush.strength == STRENGTH.1 { mask } else { Mask::All(vec![share, mask]) }
}

/// Number of times that the brush smooths: once per 20 percent of its strength.
fn smoothing(brush: BrushOptions) -> u32 {
    brush.strength.unsigned_abs().div_ceil(20)
}
