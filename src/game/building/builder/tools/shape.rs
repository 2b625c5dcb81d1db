//! The tool *Shape*: brushes that move the surface of the ground by parts of a voxel. The right
//! button adds, the left one takes away; operations without an opposite work with both. A stroke,
//! from press to release of a button, is one step of the undo history.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::brush_shape::{BrushForm, StrokePath};
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::materials::{FieldContext, PatternSources};
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::shape_options::{ShapeOperation, ShapeOptions};
use crate::game::building::builder::shape_stroke::{ShapeDab, ShapeStroke, StrokeSettings, UNIT};
use crate::game::building::builder::sketch::{POINTED, Sketch};
use crate::game::editing::edit_jobs::{EditJobs, EditPreview, PreviewState, WhenDone};
use crate::game::state::notices::Notices;
use bevy::prelude::*;
use std::sync::Arc;
use stonerun_engine::edit::console::{CommandError, SeedUser, check_ground};
use stonerun_engine::edit::shaping::{Shaping, ShapingMaterials, ShapingPlane, ShapingTool};
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::voxel::{Face, MaterialId};

/// Maximum number of places of a stroke, at which it ends.
const MAX_DABS: usize = 1 << 12;
/// Seconds after which a stroke that rests at a place shapes there again.
const REST_SECONDS: f32 = 0.25;

/// State of the tool.
#[derive(Resource, Default)]
pub struct ShapeTool {
    held: Option<HeldStroke>,
    /// Number of strokes so far, so that each draws seeds of its own.
    strokes: u64,
}

/// The stroke of a held button.
struct HeldStroke {
    button: MouseButton,
    stroke: ShapeStroke,
    path: StrokePath,
    /// Plane that the stroke stays on.
    lock: Option<ShapingPlane>,
    /// Seconds since the last place was added.
    rest: f32,
    /// True if the stroke has grown since its preview was requested.
    is_new: bool,
    /// True if a preview was requested.
    is_previewed: bool,
}

/// Reason why a stroke cannot begin.
#[derive(thiserror::Error, PartialEq, Debug)]
enum StrokeError {
    /// The pattern or the mask is malformed, or parts of the pattern would have no effect.
    #[error(transparent)]
    Fields(#[from] CommandError),
    /// Paint has no material.
    #[error("take a block of ground in hand to paint with it, or type a pattern")]
    NoPaint,
}

impl ShapeTool {
    /// Drops the stroke. Returns false if there is none.
    pub fn cancel(&mut self) -> bool {
        self.held.take().is_some()
    }
}

/// Lets the tool act, and draws the outline of the brush.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    time: Res<Time<Real>>,
    sources: PatternSources,
    mut options: ResMut<BuilderOptions>,
    mut tool: ResMut<ShapeTool>,
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut sketch: ResMut<Sketch>,
    mut notices: ResMut<Notices>,
) {
    if controls.steps() != 0 {
        use_wheel(&controls, &mut options.shape, &mut notices);
    }
    for button in [MouseButton::Left, MouseButton::Right] {
        if controls.clicked(button) && tool.held.is_none() {
            let seeds = sources.seeds(SeedUser::Shape, tool.strokes);
            match begin(button, &options, sources.player.in_hand(), &sources.context(&seeds)) {
                Ok(stroke) => {
                    tool.held = Some(HeldStroke::new(button, stroke));
                    tool.strokes += 1;
                }
                Err(error) => notices.replace_info("Shape", error.to_string()),
            }
        }
    }
    let is_computing = matches!(preview.state(), PreviewState::Computing { .. });
    let lock = tool.held.as_ref().and_then(|held| held.lock);
    if let Some(dab) = dab_at(&aim, lock) {
        outline(&mut sketch, dab.at, &options.shape, tool.held.as_ref());
        if let Some(held) = &mut tool.held {
            held.advance(dab, time.delta_secs(), is_computing);
        }
    }
    let Some(held) = &mut tool.held else { return };
    if held.is_new && !is_computing {
        held.is_new = false;
        held.is_previewed = true;
        preview.request_prepared(held.stroke.name().to_owned(), held.stroke.work());
    }
    if controls.held(held.button) && held.stroke.dab_count() < MAX_DABS {
        return;
    }
    if held.is_previewed {
        preview.discard();
    }
    if held.stroke.dab_count() > 0 {
        let name = held.stroke.name().to_owned();
        jobs.start_prepared(name, held.stroke.work(), WhenDone::Commit);
    }
    tool.held = None;
}

impl HeldStroke {
    fn new(button: MouseButton, stroke: ShapeStroke) -> HeldStroke {
        let path = StrokePath::default();
        let rest = 0.0;
        HeldStroke { button, stroke, path, lock: None, rest, is_new: false, is_previewed: false }
    }

    /// Adds the places up to the one that is pointed at. `is_computing` is true while a job shapes
    /// at earlier places.
    fn advance(&mut self, dab: ShapeDab, seconds: f32, is_computing: bool) {
        let options = *self.stroke.options();
        let start = self.stroke.start().unwrap_or(dab);
        if options.locks_plane && self.lock.is_none() {
            let middle = start.at.as_i64vec3() * 256 + 128;
            self.lock = Some(ShapingPlane::new(middle, start.normal));
        }
        self.rest += seconds;
        let mut places = self.path.advance(dab.at, options.spacing());
        let goes_on = options.operation.goes_on() && self.rest >= REST_SECONDS;
        // Places that wait for a job would pile up.
        if places.is_empty() && goes_on && !self.is_new && !is_computing {
            places.push(dab.at);
        }
        for at in places {
            self.stroke.add(ShapeDab { at, ..dab });
            self.is_new = true;
            self.rest = 0.0;
        }
    }
}

/// The place that is pointed at, on the plane that the stroke stays on.
fn dab_at(aim: &Aim, lock: Option<ShapingPlane>) -> Option<ShapeDab> {
    let hit = aim.hit?;
    let at = lock.map_or(hit.voxel_pos, |plane| plane.locked(hit.voxel_pos));
    let face = hit.face.unwrap_or(Face::Up).normal() * UNIT;
    let normal = hit.ground_normal.map(|normal| (normal * f64::from(UNIT)).round().as_ivec3());
    Some(ShapeDab { at, normal: normal.unwrap_or(face) })
}

/// Begins a stroke of a button.
///
/// # Errors
/// The pattern or the mask is malformed, the pattern has no ground, an occupancy or a liquid, or
/// there is nothing to paint with.
fn begin(
    button: MouseButton,
    options: &BuilderOptions,
    in_hand: MaterialId,
    context: &FieldContext<'_>,
) -> Result<ShapeStroke, StrokeError> {
    let shape = options.shape.clamped();
    let mask: Mask = options.fields.mask(context)?;
    let materials = Arc::new(ShapingMaterials::from_materials(context.materials));
    let takes = button == MouseButton::Left;
    let puts = shape.operation.puts_pattern(takes);
    let pattern = puts.then(|| options.fields.pattern(in_hand, context));
    let matter = pattern.transpose()?;
    let typed = options.fields.pattern.trim();
    if let Some(pattern) = matter.as_ref().filter(|_| !typed.is_empty()) {
        check_ground(typed, pattern, &materials)?;
    }
    if shape.operation == ShapeOperation::Paint
        && let Some(Pattern::Voxel(voxel)) = matter
        && !materials.is_ground(voxel)
    {
        return Err(StrokeError::NoPaint);
    }
    let shaping = Shaping {
        strength: shape.strength(),
        ignores_liquids: shape.ignores_liquids,
        mask,
        matter,
        ..Shaping::new(ShapingTool::Add, materials)
    };
    Ok(ShapeStroke::new(StrokeSettings {
        options: shape,
        takes,
        images: options.symmetry.images(),
        shaping,
        seed: context.seeds.draw(),
    }))
}

/// Changes the radius, the strength or the falloff by the wheel.
fn use_wheel(controls: &Controls, shape: &mut ShapeOptions, notices: &mut Notices) {
    let steps = controls.steps();
    if controls.shift() {
        shape.force_mut().strength += 5 * steps;
        *shape = shape.clamped();
        notices.replace_info("Shape", format!("strength {} %", shape.force().strength));
    } else if controls.alt() {
        shape.force_mut().falloff += 10 * steps;
        *shape = shape.clamped();
        notices.replace_info("Shape", format!("falloff {} %", shape.force().falloff));
    } else {
        // Steps of an eighth, so that large radii are reached soon.
        shape.radius += steps * (shape.radius / 8).max(1);
        *shape = shape.clamped();
    }
}

/// Draws the form of the brush, and the line of a slope.
fn outline(sketch: &mut Sketch, at: IVec3, shape: &ShapeOptions, held: Option<&HeldStroke>) {
    let options = held.map_or(shape, |held| held.stroke.options());
    BrushForm::from(options.form).draw(sketch, at, options.radius, Face::Up, held.is_some());
    if options.operation == ShapeOperation::Slope
        && let Some(start) = held.and_then(|held| held.stroke.start())
    {
        sketch.line(start.at.as_dvec3() + 0.5, at.as_dvec3() + 0.5, POINTED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::console::Seeds;
    use stonerun_engine::voxel::MaterialTable;

    fn begun(options: ShapeOptions, in_hand: &str) -> Result<HeldStroke, StrokeError> {
        typed(MouseButton::Right, options, in_hand, "")
    }

    fn typed(
        button: MouseButton,
        options: ShapeOptions,
        in_hand: &str,
        pattern: &str,
    ) -> Result<HeldStroke, StrokeError> {
        let materials = MaterialTable::builtin();
        let seeds = Seeds::new(1);
        let context =
            FieldContext { materials: &materials, growing: None, console: None, seeds: &seeds };
        let mut options = BuilderOptions { shape: options, ..BuilderOptions::default() };
        options.fields.pattern = pattern.to_owned();
        let in_hand = materials.find(in_hand).expect("built in");
        let stroke = begin(button, &options, in_hand, &context)?;
        Ok(HeldStroke::new(button, stroke))
    }

    fn up(x: i32, y: i32) -> ShapeDab {
        ShapeDab { at: IVec3::new(x, y, 0), normal: IVec3::Y * UNIT }
    }

    #[test]
    fn paint_needs_ground_in_hand() {
        let paint = |in_hand| {
            let options =
                ShapeOptions { operation: ShapeOperation::Paint, ..ShapeOptions::default() };
            begun(options, in_hand).err()
        };
        assert_eq!(paint("stone"), None);
        assert_eq!([paint("air"), paint("torch")], [const { Some(StrokeError::NoPaint) }; 2]);
    }

    #[test]
    fn typed_pattern_without_an_effect_is_refused() {
        let add =
            |pattern| typed(MouseButton::Right, ShapeOptions::default(), "torch", pattern).err();
        let ground = |error| Some(StrokeError::Fields(error));
        assert_eq!(add(""), None, "without a pattern, the nearest ground is the material");
        assert_eq!(add("50%stone,air"), None);
        assert_eq!(add(" torch "), ground(CommandError::NoGround("torch".into())));
        assert_eq!(add("dirt:9"), ground(CommandError::OnlyMaterials("dirt:9".into())));
        // The left button erodes, which puts nothing.
        let erode = |pattern| typed(MouseButton::Left, ShapeOptions::default(), "air", pattern);
        assert!(["torch", "dirt:9", "no such block"].map(erode).iter().all(Result::is_ok));
    }

    #[test]
    fn stroke_keeps_its_spacing_and_goes_on_where_it_rests() {
        let grow =
            ShapeOptions { operation: ShapeOperation::Grow, radius: 8, ..Default::default() };
        for (operation, resting) in [(grow.operation, 1), (ShapeOperation::Add, 0)] {
            let mut held = begun(ShapeOptions { operation, ..grow }, "stone").expect("a stroke");
            let mut advance = |x, seconds, is_computing| {
                let before = held.stroke.dab_count();
                held.advance(up(x, 0), seconds, is_computing);
                held.is_new = false;
                held.stroke.dab_count() - before
            };
            assert_eq!([advance(0, 0.0, false), advance(3, 0.1, false)], [1, 0]);
            assert_eq!(advance(9, 0.1, false), 2, "at 4 and 8");
            assert_eq!(advance(9, 0.2, false), 0);
            assert_eq!(advance(9, 0.1, true), 0, "a job runs");
            assert_eq!(advance(9, 0.0, false), resting, "{operation:?}");
        }
    }

    #[test]
    fn locked_stroke_stays_on_the_plane_of_its_start() {
        let options = ShapeOptions { locks_plane: true, radius: 1, ..ShapeOptions::default() };
        let mut held = begun(options, "stone").expect("a stroke");
        held.advance(up(0, 7), 0.0, false);
        let hit = stonerun_engine::world::RayHit {
            voxel_pos: IVec3::new(5, 2, 9),
            voxel: stonerun_engine::voxel::Voxel::AIR,
            face: None,
            distance: 1.0,
            ground_normal: None,
        };
        let aim = Aim { ray: None, hit: Some(hit) };
        let dab = |lock| dab_at(&aim, lock).map(|dab| dab.at);
        assert_eq!(dab(held.lock), Some(IVec3::new(5, 7, 9)));
        assert_eq!(dab(None), Some(IVec3::new(5, 2, 9)));
    }
}
