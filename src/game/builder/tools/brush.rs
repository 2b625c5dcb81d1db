//! The brush: the left button takes away, the right button puts. Everything that is painted while a
//! button is held is one step of the undo history.

use crate::edit::region::Region;
use crate::edit::{Mask, Pattern};
use crate::game::builder::aim::Aim;
use crate::game::builder::brush_shape::{BrushForm, MAX_RADIUS, StrokePath};
use crate::game::builder::controls::Controls;
use crate::game::builder::materials::existing;
use crate::game::builder::options::BuilderOptions;
use crate::game::builder::sketch::{GHOST, POINTED, Sketch};
use crate::game::common::notices::Notices;
use crate::game::edit_jobs::{EditJobs, EditPreview, EditRequest, EditWork, PreviewState, WhenDone};
use crate::game::player::Player;
use crate::game::session::OpenMap;
use crate::metrics::thousands;
use crate::voxel::{Face, Voxel};
use bevy::prelude::*;
use glam::DVec3;

/// Most chunks of a stroke: it ends there.
const MAX_CHUNKS: usize = 1 << 13;

/// A stroke of a held button.
#[derive(Resource, Default)]
pub struct BrushTool {
    stroke: Option<Stroke>,
}

struct Stroke {
    button: MouseButton,
    path: StrokePath,
    region: Region,
    /// True if the region has grown since its preview was asked for.
    is_new: bool,
    pattern: Pattern,
    mask: Mask,
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
        let (region, mask, pattern) = (self.region.clone(), self.mask.clone(), self.pattern.clone());
        Box::new(move |edit| {
            let voxels = edit.fill(&region, &mask, &pattern)?;
            Ok(format!("{} voxels changed", thousands(voxels)))
        })
    }
}

/// Lets the tool act, and draws the outline of the brush.
pub fn act(
    mut controls: Controls,
    aim: Res<Aim>,
    (map, player): (Res<OpenMap>, Res<Player>),
    mut options: ResMut<BuilderOptions>,
    mut tool: ResMut<BrushTool>,
    (mut jobs, mut preview): (ResMut<EditJobs>, ResMut<EditPreview>),
    mut sketch: ResMut<Sketch>,
    mut notices: ResMut<Notices>,
) {
    let steps = controls.steps();
    if steps != 0 {
        options.brush.radius = (options.brush.radius + steps).clamp(0, MAX_RADIUS);
    }
    for button in [MouseButton::Left, MouseButton::Right] {
        if controls.clicked(button) && tool.stroke.is_none() {
            match begin(button, &options, &map, &player) {
                Ok(stroke) => tool.stroke = Some(stroke),
                Err(reason) => notices.replace_info("Brush", reason),
            }
        }
    }
    let brush = options.brush;
    let places_outside =
        tool.stroke.as_ref().is_none_or(|stroke| stroke.button == MouseButton::Right) && !brush.paints_surface;
    // A single voxel is put in front of the face, like by hand; larger brushes around it.
    let target = if brush.radius == 0 && places_outside { aim.voxel_in_front() } else { aim.voxel() };
    let in_front = aim.voxel_in_front();
    if let Some((at, face)) = target.or(in_front) {
        outline(&mut sketch, brush.form, at, brush.radius, face, tool.stroke.is_some());
        if let Some(stroke) = &mut tool.stroke {
            let spacing = (f64::from(2 * brush.radius + 1) * brush.spacing).max(1.0);
            for at in stroke.path.advance(at, spacing) {
                for at in options.symmetry.voxels(at) {
                    let dab = brush.form.region(at, brush.radius, face);
                    stroke.region = std::mem::take(&mut stroke.region).union(&dab);
                    stroke.is_new = true;
                }
            }
        }
    }
    let Some(stroke) = &mut tool.stroke else { return };
    let is_computing = matches!(preview.state(), PreviewState::Computing { .. });
    if stroke.is_new && !is_computing {
        stroke.is_new = false;
        preview.request(stroke.name, stroke.work());
    }
    if controls.held(stroke.button) && stroke.region.chunks().len() < MAX_CHUNKS {
        return;
    }
    preview.discard();
    if !stroke.region.is_empty() {
        jobs.start(EditRequest { name: stroke.name.to_owned(), work: stroke.work(), when_done: WhenDone::Commit });
    }
    tool.stroke = None;
}

fn begin(button: MouseButton, options: &BuilderOptions, map: &OpenMap, player: &Player) -> Result<Stroke, String> {
    let mask = options.fields.mask(&map.materials)?;
    let (pattern, mask, name) = if button == MouseButton::Left {
        (Pattern::Voxel(Voxel::AIR), mask, "erase")
    } else {
        let pattern = options.fields.pattern(&map.materials, player.in_hand())?;
        let mask = if options.brush.paints_surface { Mask::All(vec![existing(), mask]) } else { mask };
        (pattern, mask, "brush")
    };
    Ok(Stroke { button, path: StrokePath::default(), region: Region::default(), is_new: false, pattern, mask, name })
}

fn outline(sketch: &mut Sketch, form: BrushForm, at: IVec3, radius: i32, face: Face, is_painting: bool) {
    let colour = if is_painting { POINTED } else { GHOST };
    let radii = form.radii(radius, face);
    let (low, high) = ((at - radii).as_dvec3() - 0.004, (at + radii + 1).as_dvec3() + 0.004);
    let (centre, around) = (at.as_dvec3() + 0.5, f64::from(radius) + 0.5);
    match form {
        _ if radius == 0 => sketch.outline(low, high, colour),
        BrushForm::Cube => sketch.outline(low, high, colour),
        BrushForm::Ball => (0..3).for_each(|axis| sketch.ring(centre, around, axis, colour)),
        BrushForm::Disc => sketch.ring(centre, around, crate::game::builder::ray::axis_of(face).0, colour),
        BrushForm::Cylinder => {
            for y in [low.y, high.y] {
                sketch.ring(DVec3::new(centre.x, y, centre.z), around, 1, colour);
            }
        }
    }
}
