//! Lines, curves and walls: each click sets a point, Enter builds along them.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::line_path::{LineOptions, MAX_LENGTH};
use crate::game::building::builder::materials::{FieldContext, PatternSources};
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::sketch::{GHOST, POINTED, SELECTED, Sketch};
use crate::game::editing::edit_jobs::{EditPreview, EditWork, PreviewState};
use crate::game::state::notices::Notices;
use bevy::prelude::*;
use stonerun_engine::edit::console::SeedUser;
use stonerun_engine::metrics::{counted, thousands};
use stonerun_engine::voxel::MaterialId;

/// Maximum number of points of a line.
const MAX_POINTS: usize = 200;

/// State of the tool: the points that are set, and the preview.
#[derive(Resource, Default)]
pub struct LineTool {
    points: Vec<IVec3>,
    /// Points and options of the preview that was requested.
    previewed: Option<PreviewedLine>,
}

/// Points and options of a previewed line.
#[derive(Clone, PartialEq)]
struct PreviewedLine {
    points: Vec<IVec3>,
    options: BuilderOptions,
    in_hand: u16,
}

impl LineTool {
    /// Removes all points. Returns false if no point is set.
    pub fn cancel(&mut self) -> bool {
        let is_busy = !self.points.is_empty();
        *self = LineTool::default();
        is_busy
    }

    /// The points that are set.
    #[must_use]
    pub fn points(&self) -> &[IVec3] {
        &self.points
    }
}

/// Lets the tool act, and draws its points.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    sources: PatternSources,
    mut options: ResMut<BuilderOptions>,
    mut tool: ResMut<LineTool>,
    mut preview: ResMut<EditPreview>,
    mut sketch: ResMut<Sketch>,
    mut notices: ResMut<Notices>,
) {
    let steps = controls.steps();
    if steps != 0 {
        options.line.height = (options.line.height + steps).clamp(1, LineOptions::MAX_SIZE);
    }
    let target = aim.voxel_in_front().map(|(at, _)| at);
    if let Some(at) = target.filter(|_| controls.clicked(MouseButton::Left))
        && tool.points.last() != Some(&at)
        && tool.points.len() < MAX_POINTS
    {
        tool.points.push(at);
        if LineOptions::is_too_long(&tool.points) {
            tool.points.pop();
            let most = thousands(MAX_LENGTH as u64);
            notices.replace_info(
                "Line",
                format!("a line can be {most} voxels long: apply this one first"),
            );
        }
    }
    if controls.clicked(MouseButton::Right) {
        tool.points.pop();
    }
    for &point in &tool.points {
        sketch.area(stonerun_engine::voxel::Box3::spanning(point, point), SELECTED);
    }
    if let Some(at) = target {
        sketch.area(stonerun_engine::voxel::Box3::spanning(at, at), POINTED);
        let mut with_target: Vec<IVec3> = tool.points.iter().copied().chain([at]).collect();
        if LineOptions::is_too_long(&with_target) {
            with_target.pop();
        }
        let samples = options.line.samples(&with_target);
        for at in samples.iter().step_by(samples.len().div_ceil(200).max(2)) {
            sketch.dot(*at + 0.5, GHOST, 0.35);
        }
    }
    let seeds = sources.seeds(SeedUser::Line, 0);
    request(
        &mut tool,
        &options,
        sources.player.in_hand(),
        &sources.context(&seeds),
        &mut preview,
        &mut notices,
    );
    // An edit that cannot be computed is not applied, and its points stay.
    let can_apply = preview.is_active() && !matches!(preview.state(), PreviewState::Failed(_));
    if controls.confirmed() && can_apply {
        *tool = LineTool::default();
    }
}

/// Requests the preview if points or options have changed.
fn request(
    tool: &mut LineTool,
    options: &BuilderOptions,
    in_hand: MaterialId,
    context: &FieldContext<'_>,
    preview: &mut EditPreview,
    notices: &mut Notices,
) {
    if tool.points.is_empty() {
        if tool.previewed.take().is_some() {
            preview.discard();
        }
        return;
    }
    let wanted = PreviewedLine { points: tool.points.clone(), options: options.clone(), in_hand };
    if tool.previewed.as_ref() == Some(&wanted) {
        return;
    }
    let fields = &options.fields;
    let pattern = fields.pattern(in_hand, context);
    let found = pattern.and_then(|pattern| Ok((pattern, fields.mask(context)?)));
    match found {
        Ok((pattern, mask)) => {
            let points = tool.points.clone();
            let line = options.line;
            let symmetry = options.symmetry;
            let work: EditWork = Box::new(move |edit| {
                let mut voxels = 0;
                for image in symmetry.images() {
                    let points: Vec<IVec3> = points.iter().map(|at| image.voxel(*at)).collect();
                    voxels += edit.fill(&line.region(&points), &mask, &pattern)?;
                }
                Ok(format!("{} changed", counted(voxels, "voxel")))
            });
            preview.request("line", work);
        }
        Err(error) => {
            // Enter would apply the preview of the earlier pattern.
            if tool.previewed.is_some() {
                preview.discard();
            }
            notices.replace_info("Line", error.to_string());
        }
    }
    tool.previewed = Some(wanted);
}
