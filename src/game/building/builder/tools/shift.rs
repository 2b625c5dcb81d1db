//! Moves, copies, repeats, turns, scales and flips the selection by a gizmo, keys and typed
//! numbers.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::gizmo::{
    GizmoDrag, GizmoPart, arrow_length, part_at, ring_radius,
};
use crate::game::building::builder::options::{BuilderOptions, ShiftOptions};
use crate::game::building::builder::placement::{BoxPlacement, middle};
use crate::game::building::builder::ray::Ray;
use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::builder::sketch::{AXES, GHOST, POINTED, Sketch};
use crate::game::editing::edit_jobs::{EditPreview, EditWork, PreviewState};
use crate::game::state::keys::KeyAction;
use crate::game::state::session::OpenMap;
use crate::game::state::session::growing_materials::GrowingMaterials;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::edit::clipboard::Clipboard;
use stonerun_engine::edit::operations::PasteOptions;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditError, Mask, Pattern, VoxelEdit};
use stonerun_engine::metrics::counted;
use stonerun_engine::voxel::{Box3, Voxel};

/// Thickness of the gizmo's rings, as a factor of the thickness of outlines: wide enough to aim at.
const RING_THICKNESS: f64 = 2.5;
/// Maximum number of boxes that are drawn for copies.
const MAX_DRAWN_BOXES: u32 = 64;

/// State of the tool.
#[derive(Resource, Default)]
pub struct MoveTool {
    /// The box to move: the selection.
    area: Option<Box3>,
    /// Placement of the box.
    pub placement: BoxPlacement,
    /// The part of the gizmo that is dragged, and the placement before the drag.
    drag: Option<(GizmoDrag, BoxPlacement)>,
    /// The move whose preview was requested.
    previewed: Option<PreviewedMove>,
}

/// Placement and options of a previewed move.
#[derive(Clone, Copy, PartialEq)]
struct PreviewedMove {
    placement: BoxPlacement,
    options: ShiftOptions,
    with_air: bool,
}

impl MoveTool {
    /// Leaves the selection in its place. Returns false if it was not placed elsewhere.
    pub fn cancel(&mut self) -> bool {
        let is_busy = self.placement != BoxPlacement::default() || self.drag.is_some();
        *self = MoveTool::default();
        is_busy
    }
}

/// Job of a move.
struct MoveJob {
    area: Box3,
    placement: BoxPlacement,
    options: ShiftOptions,
    with_air: bool,
    materials: GrowingMaterials,
}

impl MoveJob {
    fn carry_out(&self, edit: &mut VoxelEdit<'_>) -> Result<u64, EditError> {
        let region = Region::from_shape(&self.area);
        let origin = middle(self.area);
        let copied = if self.options.keeps_original {
            edit.copy(&region, &Mask::Any, origin)?
        } else {
            edit.cut(&region, &Mask::Any, origin, &Pattern::Voxel(Voxel::AIR))?.0
        };
        let copied: Clipboard = if self.placement.is_upright() {
            copied
        } else {
            self.materials.transformed(&copied, &self.placement.transform(), edit.progress())?
        };
        let options = PasteOptions { with_air: self.with_air, ..PasteOptions::default() };
        for time in 1..=self.options.times as i32 {
            edit.paste(&copied, origin + self.placement.offset * time, &options)?;
        }
        Ok(copied.volume() * u64::from(self.options.times))
    }

    fn work(self) -> EditWork {
        Box::new(move |edit| {
            let voxels = self.carry_out(edit)?;
            let what = if self.options.keeps_original { "copied" } else { "moved" };
            Ok(format!("{} {what}", counted(voxels, "voxel")))
        })
    }
}

/// The axis in which the ray looks most, 0 to 2, and its sign.
#[must_use]
pub fn looked_along(ray: &Ray) -> (usize, i32) {
    let parts = ray.direction.abs();
    let axis = if parts.y > parts.x && parts.y > parts.z {
        1
    } else if parts.x > parts.z {
        0
    } else {
        2
    };
    (axis, if ray.direction[axis] < 0.0 { -1 } else { 1 })
}

/// Lets the tool act, and draws the gizmo.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    map: Res<OpenMap>,
    mut options: ResMut<BuilderOptions>,
    mut tool: ResMut<MoveTool>,
    mut selection: SelectedBox,
    mut preview: ResMut<EditPreview>,
    mut sketch: ResMut<Sketch>,
) {
    let selected = selection.area();
    if tool.area != selected {
        *tool = MoveTool { area: selected, ..MoveTool::default() };
    }
    let (Some(area), Some(ray)) = (selected, aim.ray) else { return };
    let origin = middle(area);
    let times = options.shift.times.max(1) as i32;
    if preview.is_active()
        && tool.previewed.is_some()
        && (controls.confirmed() || preview.is_accepted())
    {
        preview.apply();
        let moved = tool.placement.area(area, origin, times);
        *tool = MoveTool { area: Some(moved), ..MoveTool::default() };
        return selection.set(moved);
    }
    turn_and_nudge(&controls, &mut tool.placement, &mut options, area, &ray);
    let centre = centre(tool.placement.area(area, origin, 1));
    match tool.drag {
        Some((drag, before)) if controls.held(MouseButton::Left) => {
            tool.placement = dragged(&drag, before, &ray, &options);
        }
        Some(_) => tool.drag = None,
        None => {
            let grabbed = part_at(centre, &ray).filter(|_| controls.clicked(MouseButton::Left));
            let drag = grabbed.and_then(|part| GizmoDrag::begin(part, centre, &ray));
            tool.drag = drag.map(|drag| (drag, tool.placement));
        }
    }
    draw(&tool, &options, area, &ray, &mut sketch);
    let wanted = PreviewedMove {
        placement: tool.placement,
        options: options.shift,
        with_air: options.pastes_air,
    };
    let is_computing = matches!(preview.state(), PreviewState::Computing { .. });
    if tool.placement == BoxPlacement::default() {
        if tool.previewed.take().is_some() {
            preview.discard();
        }
    } else if tool.previewed != Some(wanted) && !is_computing {
        tool.previewed = Some(wanted);
        let job = MoveJob {
            area,
            placement: tool.placement,
            options: ShiftOptions { times: times as u32, ..options.shift },
            with_air: options.pastes_air,
            materials: map.growing.clone(),
        };
        preview.request(if options.shift.keeps_original { "copy" } else { "move" }, job.work());
    }
}

/// The placement after a drag.
fn dragged(
    drag: &GizmoDrag,
    before: BoxPlacement,
    ray: &Ray,
    options: &BuilderOptions,
) -> BoxPlacement {
    let mut placement = before;
    let axis = drag.part.axis();
    match drag.part {
        GizmoPart::Arrow(_) | GizmoPart::Square(_) => {
            placement.offset += drag.offset(ray, options.snap)
        }
        GizmoPart::Ring(_) => {
            let mut degrees = before.degrees();
            degrees[axis] += drag.degrees(ray, options.angle_step);
            placement.set_degrees(degrees);
        }
        GizmoPart::Cube(_) => {
            let mut percent = before.percent();
            percent[axis] = drag.percent(ray, percent[axis]);
            placement.set_percent(percent);
        }
    }
    placement
}

/// Turns, flips and nudges by keys and the wheel.
fn turn_and_nudge(
    controls: &Controls,
    placement: &mut BoxPlacement,
    options: &mut BuilderOptions,
    area: Box3,
    ray: &Ray,
) {
    let (axis, sign) = looked_along(ray);
    if controls.pressed(KeyAction::Turn) {
        placement.turn();
    }
    if controls.pressed(KeyAction::Flip) {
        placement.flip(axis);
    }
    if controls.pressed(KeyAction::MoveOrCopy) {
        options.shift.keeps_original = !options.shift.keeps_original;
    }
    // One copy next to the other, away from the player.
    if controls.pressed(KeyAction::CopyNext) {
        options.shift.keeps_original = true;
        placement.offset = IVec3::ZERO;
        placement.offset[axis] = sign * area.size()[axis];
    }
    let steps = controls.steps();
    placement.offset[axis] += sign * steps * options.snap;
}

fn centre(area: Box3) -> DVec3 {
    (area.min.as_dvec3() + area.max.as_dvec3()) / 2.0
}

fn draw(tool: &MoveTool, options: &BuilderOptions, area: Box3, ray: &Ray, sketch: &mut Sketch) {
    let origin = middle(area);
    if tool.placement != BoxPlacement::default() {
        for time in 1..=options.shift.times.clamp(1, MAX_DRAWN_BOXES) {
            sketch.area(tool.placement.area(area, origin, time as i32), GHOST);
        }
    }
    let centre = centre(tool.placement.area(area, origin, 1));
    let length = arrow_length(centre, ray);
    let pointed = tool.drag.map(|(drag, _)| drag.part).or_else(|| part_at(centre, ray));
    for part in GizmoPart::ALL {
        let (low, high) = part.grip(length);
        let mut colour = if pointed == Some(part) { POINTED } else { AXES[part.axis()] };
        if let GizmoPart::Ring(axis) = part {
            sketch.ring(centre, ring_radius(length), axis, colour, RING_THICKNESS);
        } else if let GizmoPart::Arrow(axis) = part {
            // A thin shaft and a thick head.
            let along = DVec3::AXES[axis];
            let across = (DVec3::ONE - along) * length;
            sketch.solid(centre + low + across * 0.065, centre + high - across * 0.065, colour);
            sketch.solid(
                centre + along * length * 0.84 - across * 0.06,
                centre + along * length + across * 0.06,
                colour,
            );
        } else {
            colour[3] = if matches!(part, GizmoPart::Cube(_)) { 0.95 } else { 0.6 };
            sketch.solid(centre + low, centre + high, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use stonerun_engine::edit::JobProgress;
    use stonerun_engine::voxel::MaterialTable;
    use stonerun_engine::world::World;

    fn world() -> World {
        let mut world = World::new();
        let area = Box3 { min: IVec3::splat(-64), max: IVec3::splat(64) };
        for pos in area.chunks() {
            drop(world.insert(pos, stonerun_engine::world::Chunk::uniform(Voxel::AIR)));
        }
        for n in 0..60 {
            world.set(
                IVec3::new(n % 5 - 30, n / 5 % 4, n / 20 + 30),
                Voxel::full((n % 7 + 1) as u16),
            );
        }
        world
    }

    #[test]
    fn copies_fill_their_boxes_and_moves_leave_air() {
        let world = world();
        let progress = JobProgress::default();
        let area = Box3 { min: IVec3::new(-30, 0, 30), max: IVec3::new(-25, 4, 33) };
        let origin = middle(area);
        for keeps_original in [false, true] {
            for turns in 0..4 {
                let mut placement = BoxPlacement::default();
                placement.offset = IVec3::new(7, 4, -9);
                for _ in 0..turns {
                    placement.turn();
                }
                let options = ShiftOptions { keeps_original, times: 3 };
                let materials = GrowingMaterials::new(Arc::new(MaterialTable::builtin()));
                let job = MoveJob { area, placement, options, with_air: false, materials };
                let mut edit = VoxelEdit::new(&world, 0, &progress);
                assert_eq!(job.carry_out(&mut edit).expect("in memory"), 180);
                let count = |area: Box3| {
                    let region = Region::from_shape(&area);
                    edit.content(&region, &Mask::Not(Box::new(Mask::Materials(vec![0]))))
                        .expect("in memory")
                        .voxels
                };
                assert_eq!(count(area), if keeps_original { 60 } else { 0 });
                for time in 1..=3 {
                    assert_eq!(count(placement.area(area, origin, time)), 60, "{placement:?}");
                }
            }
        }
    }

    #[test]
    fn looked_along_is_the_axis_of_the_largest_component() {
        let along = |x, y, z| looked_along(&Ray::new(DVec3::ZERO, DVec3::new(x, y, z).normalize()));
        assert_eq!(
            [along(-3.0, 1.0, 2.0), along(0.0, -1.0, 0.5), along(0.1, 0.2, 0.9)],
            [(0, -1), (1, -1), (2, 1)]
        );
    }
}
