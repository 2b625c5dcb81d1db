//! The brush: the left button takes away, the right button puts. Everything that is painted while a
//! button is held is one step of the undo history.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::brush_shape::{BrushForm, MAX_RADIUS, StrokePath};
use crate::game::building::builder::brush_stroke::{Dab, PaintedRegion};
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::materials::{FieldContext, existing};
use crate::game::building::builder::options::{BrushOptions, BuilderOptions, STRENGTH};
use crate::game::building::builder::sketch::{GHOST, POINTED, Sketch};
use crate::game::building::console::GameConsole;
use crate::game::editing::edit_jobs::{EditJobs, EditPreview, EditRequest, EditWork, PreviewState, WhenDone};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::edit::console::{CommandError, SeedUser, Seeds};
use stonerun_engine::edit::operations::{self, GroundMaterials};
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::voxel::{Face, MaterialId, Voxel};

/// Most chunks of a stroke: it ends there.
const MAX_CHUNKS: usize = 1 << 13;

/// A stroke of a held button.
#[derive(Resource, Default)]
pub struct BrushTool {
    stroke: Option<Stroke>,
    /// Number of strokes so far, so that each draws other seeds.
    strokes: u64,
}

/// What a stroke does to its voxels.
#[derive(Clone)]
enum Action {
    Fill(Pattern, Mask),
    /// Smooths the surface of the terrain, a number of times.
    Smooth(GroundMaterials, u32),
}

struct Stroke {
    button: MouseButton,
    path: StrokePath,
    painted: PaintedRegion,
    /// True if it has grown since its preview was asked for.
    is_new: bool,
    /// True if a preview was asked for.
    is_previewed: bool,
    action: Action,
    name: &'static str,
}

impl BrushTool {
    /// Drops the stroke. Returns false if there is none.
    pub fn cancel(&mut self) -> bool {
        self.stroke.take().is_some()
    }
}

impl Stroke {
    fn work(&self) -> EditWork {
        let (painted, action) = (self.painted.clone(), self.action.clone());
        Box::new(move |edit| {
            let region = painted.region();
            let changed = match action {
                Action::Fill(pattern, mask) => edit.fill(&region, &mask, &pattern)?.into(),
                Action::Smooth(terrain, times) => operations::smooth(edit, &region, &terrain, times)?,
            };
            Ok(changed.answer())
        })
    }
}

/// Lets the tool act, and draws the outline of the brush.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    (map, edits, player): (Res<OpenMap>, Res<Edits>, Res<Player>),
    (mut options, console): (ResMut<BuilderOptions>, Res<GameConsole>),
    mut tool: ResMut<BrushTool>,
    (mut jobs, mut preview): (ResMut<EditJobs>, ResMut<EditPreview>),
    mut sketch: ResMut<Sketch>,
    mut notices: ResMut<Notices>,
) {
    let steps = controls.steps();
    if steps != 0 {
        let brush = &mut options.brush;
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
    for button in [MouseButton::Left, MouseButton::Right] {
        if controls.clicked(button) && tool.stroke.is_none() {
            let seeds = Seeds::from_step(SeedUser::Brush, edits.history().number_of_next_edit(), tool.strokes);
            let fields = FieldContext { materials: &map.materials, console: Some(&console.console), seeds: &seeds };
            match begin(button, &options, player.in_hand(), &fields) {
                Ok(stroke) => (tool.stroke, tool.strokes) = (Some(stroke), tool.strokes + 1),
                Err(reason) => notices.replace_info("Brush", reason),
            }
        }
    }
    let brush = options.brush;
    let places_outside =
        tool.stroke.as_ref().is_none_or(|stroke| stroke.button == MouseButton::Right) && !brush.keeps_shape();
    // A single voxel is put in front of the face, like by hand; larger brushes around it.
    let target = if brush.radius == 0 && places_outside { aim.voxel_in_front() } else { aim.voxel() };
    let in_front = aim.voxel_in_front();
    if let Some((at, face)) = target.or(in_front) {
        outline(&mut sketch, brush.form, at, brush.radius, face, tool.stroke.is_some());
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
        (stroke.is_new, stroke.is_previewed) = (false, true);
        preview.request(stroke.name, stroke.work());
    }
    if controls.held(stroke.button) && stroke.painted.chunk_count() < MAX_CHUNKS {
        return;
    }
    if stroke.is_previewed {
        preview.discard();
    }
    if !stroke.painted.is_empty() {
        jobs.start(EditRequest { name: stroke.name.to_owned(), work: stroke.work(), when_done: WhenDone::Commit });
    }
    tool.stroke = None;
}

fn begin(
    button: MouseButton,
    options: &BuilderOptions,
    in_hand: MaterialId,
    context: &FieldContext<'_>,
) -> Result<Stroke, CommandError> {
    let brush = options.brush;
    let mask = options.fields.mask(context)?;
    let seeds = context.seeds;
    let (action, name) = if brush.smooths && button == MouseButton::Right {
        let terrain = GroundMaterials::from_materials(context.materials);
        let ground = Mask::All(vec![terrain.ground.clone(), mask]);
        (Action::Smooth(terrain.with_ground(ground), smoothing(brush)), "smooth")
    } else if button == MouseButton::Left {
        (Action::Fill(Pattern::Voxel(Voxel::AIR), thinned(mask, brush, seeds)), "erase")
    } else {
        let pattern = options.fields.pattern(in_hand, context)?;
        let mask = if brush.paints_surface { Mask::All(vec![existing(), mask]) } else { mask };
        (Action::Fill(pattern, thinned(mask, brush, seeds)), "brush")
    };
    let (path, painted) = (StrokePath::default(), PaintedRegion::default());
    Ok(Stroke { button, path, painted, is_new: false, is_previewed: false, action, name })
}

/// A mask that accepts a share of the voxels, by the strength of the brush.
fn thinned(mask: Mask, brush: BrushOptions, seeds: &Seeds) -> Mask {
    let share = Mask::Share { share: f64::from(brush.strength) / 100.0, seed: seeds.draw() };
    if brush.strength == STRENGTH.1 { mask } else { Mask::All(vec![share, mask]) }
}

/// How often the brush smooths: once for every 20 percent of its strength.
fn smoothing(brush: BrushOptions) -> u32 {
    brush.strength.unsigned_abs().div_ceil(20)
}

fn outline(sketch: &mut Sketch, form: BrushForm, at: IVec3, radius: i32, face: Face, is_painting: bool) {
    let colour = if is_painting { POINTED } else { GHOST };
    let radii = form.radii(radius, face);
    let (low, high) = ((at - radii).as_dvec3() - 0.004, (at + radii + 1).as_dvec3() + 0.004);
    let (centre, around) = (at.as_dvec3() + 0.5, f64::from(radius) + 0.5);
    match form {
        _ if radius == 0 => sketch.outline(low, high, colour),
        BrushForm::Cube => sketch.outline(low, high, colour),
        BrushForm::Ball => (0..3).for_each(|axis| sketch.ring(centre, around, axis, colour, 1.0)),
        BrushForm::Disc => {
            sketch.ring(centre, around, crate::game::building::builder::ray::axis_of(face).0, colour, 1.0)
        }
        BrushForm::Cylinder => {
            for y in [low.y, high.y] {
                sketch.ring(DVec3::new(centre.x, y, centre.z), around, 1, colour, 1.0);
            }
        }
    }
}
