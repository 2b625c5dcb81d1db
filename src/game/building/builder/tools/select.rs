//! The tool that selects a box: corners by clicks or a drag, faces by their handles or the wheel.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::handles::{FaceDrag, face_middle, handle_at, move_face};
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::ray::Ray;
use crate::game::building::builder::ruler::Ruler;
use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::builder::sketch::{POINTED, SELECTED, Sketch};
use crate::game::state::keys::KeyAction;
use bevy::prelude::*;
use stonerun_engine::voxel::{Box3, Face};

/// Maximum distance of the second corner from the eyes where there is no ground, in voxels.
const MAX_CORNER_DISTANCE: f64 = 512.0;

/// State of the tool.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub enum SelectTool {
    /// The tool waits for the first click.
    #[default]
    Idle,
    /// The first corner is set, and the second one follows the crosshair.
    Corner {
        /// The first corner.
        first: IVec3,
        /// The second corner.
        second: IVec3,
        /// True while the button is held since the first corner was set. Releasing it at another
        /// voxel sets the second corner; otherwise the next click sets it.
        is_drag: bool,
    },
    /// A face is being dragged.
    Face(FaceDrag),
}

/// Input of the player in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelectInput {
    /// The left button was pressed.
    pub is_pressed: bool,
    /// The left button is held.
    pub is_held: bool,
    /// The right button was pressed.
    pub extends: bool,
    /// Steps of the wheel, which move the face that is looked at.
    pub wheel: i32,
    /// Ray along which the player points.
    pub ray: Option<Ray>,
    /// The voxel that is pointed at.
    pub voxel: Option<IVec3>,
    /// Steps of drags, in voxels.
    pub snap: i32,
}

impl SelectTool {
    /// The box between the corners while the second one follows the crosshair.
    #[must_use]
    pub fn unfinished(&self) -> Option<Box3> {
        match self {
            SelectTool::Corner { first, second, .. } => Some(Box3::spanning(*first, *second)),
            _ => None,
        }
    }

    /// Cancels the action of the tool. Returns false if it is idle.
    pub fn cancel(&mut self) -> bool {
        std::mem::take(self) != SelectTool::Idle
    }

    /// Handles the input of a frame. Returns the new selection, if it changes.
    pub fn act(&mut self, input: SelectInput, selected: Option<Box3>) -> Option<Box3> {
        match *self {
            SelectTool::Idle => self.begin(input, selected),
            SelectTool::Corner { first, second, is_drag } => {
                let second = corner(input, first).unwrap_or(second);
                let is_dragged = is_drag && !input.is_held && first != second;
                *self = SelectTool::Corner { first, second, is_drag: is_drag && input.is_held };
                if input.extends {
                    *self = SelectTool::Idle;
                    None
                } else if is_dragged || !is_drag && input.is_pressed {
                    *self = SelectTool::Idle;
                    Some(Box3::spanning(first, second))
                } else {
                    None
                }
            }
            SelectTool::Face(drag) => {
                if !input.is_held {
                    *self = SelectTool::Idle;
                }
                input.ray.map(|ray| drag.area(&ray, input.snap))
            }
        }
    }

    fn begin(&mut self, input: SelectInput, selected: Option<Box3>) -> Option<Box3> {
        if let (Some(area), Some(ray)) = (selected, input.ray) {
            if let Some(face) = handle_at(area, &ray).filter(|_| input.is_pressed)
                && let Some(drag) = FaceDrag::begin(area, face, &ray)
            {
                if input.is_held {
                    *self = SelectTool::Face(drag);
                }
                return None;
            }
            if input.wheel != 0 {
                return looked_at(area, &ray)
                    .map(|face| move_face(area, face, input.wheel * input.snap.max(1)));
            }
        }
        let at = input.voxel?;
        if input.is_pressed {
            // A button that is released in the same frame drags nothing.
            *self = SelectTool::Corner { first: at, second: at, is_drag: input.is_held };
            return None;
        }
        let voxel = Box3::spanning(at, at);
        input.extends.then(|| selected.map_or(voxel, |area| area.around(voxel)))
    }
}

/// The face of a box that the ray meets or, if it misses the box, the face that faces the ray's
/// origin most.
#[must_use]
pub fn looked_at(area: Box3, ray: &Ray) -> Option<Face> {
    let low = area.min.as_dvec3();
    let high = area.max.as_dvec3();
    let past = |face: &Face| (ray.origin - face_middle(area, *face)).dot(face.normal().as_dvec3());
    let nearest = Face::ALL.into_iter().max_by(|a, b| past(a).total_cmp(&past(b)));
    ray.meets_box(low, high).map(|hit| hit.face).or(nearest)
}

/// The second corner: the voxel that is pointed at or, without one, a voxel in the layer of the
/// first.
fn corner(input: SelectInput, first: IVec3) -> Option<IVec3> {
    let ray = input.ray?;
    let in_layer = || {
        ray.on_plane(1, f64::from(first.y) + 0.5)
            .filter(|at| at.distance(ray.origin) < MAX_CORNER_DISTANCE)
    };
    input.voxel.or_else(|| in_layer().map(|at| at.floor().as_ivec3().with_y(first.y)))
}

/// Lets the tool act, and draws the selection with its handles.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    options: Res<BuilderOptions>,
    mut tool: ResMut<SelectTool>,
    mut selection: SelectedBox,
    mut ruler: ResMut<Ruler>,
    mut sketch: ResMut<Sketch>,
) {
    let pointed = aim.voxel().map(|(at, _)| at);
    if controls.pressed(KeyAction::Ruler) {
        ruler.toggle(pointed);
    }
    ruler.follow(pointed, &mut sketch);
    let at = if options.selects_in_front { aim.voxel_in_front() } else { aim.voxel() };
    let input = SelectInput {
        is_pressed: controls.clicked(MouseButton::Left),
        is_held: controls.held(MouseButton::Left),
        extends: controls.clicked(MouseButton::Right),
        wheel: controls.steps(),
        ray: aim.ray,
        voxel: at.map(|(at, _)| at),
        snap: options.snap,
    };
    if let Some(area) = tool.act(input, selection.area()) {
        selection.set(area);
    }
    if let Some(area) = tool.unfinished() {
        sketch.area(area, POINTED);
        return;
    }
    let Some(area) = selection.area() else { return };
    let pointed = match (*tool, aim.ray) {
        (SelectTool::Face(drag), _) => Some(drag.face),
        (_, Some(ray)) => handle_at(area, &ray),
        _ => None,
    };
    for face in Face::ALL {
        let colour = if pointed == Some(face) { POINTED } else { SELECTED };
        sketch.dot(face_middle(area, face), colour, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn pointing(voxel: [i32; 3]) -> SelectInput {
        let target = IVec3::from_array(voxel);
        let origin = DVec3::new(0.5, 60.0, 0.5);
        let direction = (target.as_dvec3() + 0.5 - origin).normalize();
        SelectInput {
            ray: Some(Ray::new(origin, direction)),
            voxel: Some(target),
            snap: 1,
            ..SelectInput::default()
        }
    }

    fn spanning(a: [i32; 3], b: [i32; 3]) -> Option<Box3> {
        Some(Box3::spanning(IVec3::from_array(a), IVec3::from_array(b)))
    }

    #[test]
    fn two_clicks_or_a_drag_select_a_box() {
        let press = |at| SelectInput { is_pressed: true, is_held: true, ..pointing(at) };
        let hold = |at| SelectInput { is_held: true, ..pointing(at) };
        let mut tool = SelectTool::default();
        assert_eq!(tool.act(press([1, 2, 3]), None), None);
        assert_eq!(tool.act(pointing([1, 2, 3]), None), None, "released where it was pressed");
        assert_eq!(tool.act(pointing([9, 2, -3]), None), None);
        assert_eq!(tool.unfinished(), spanning([1, 2, 3], [9, 2, -3]));
        assert_eq!(tool.act(press([9, 4, -3]), None), spanning([1, 2, 3], [9, 4, -3]));
        assert_eq!(tool.act(pointing([0, 0, 0]), None), None);
        assert_eq!(tool, SelectTool::Idle);
        tool.act(press([5, 5, 5]), None);
        assert_eq!(tool.act(hold([7, 5, 5]), None), None);
        assert_eq!(tool.act(pointing([8, 5, 5]), None), spanning([5, 5, 5], [8, 5, 5]), "a drag");
    }

    #[test]
    fn click_within_one_frame_drags_nothing() {
        let click = |at| SelectInput { is_pressed: true, ..pointing(at) };
        let mut tool = SelectTool::default();
        assert_eq!(tool.act(click([1, 2, 3]), None), None);
        assert_eq!(
            tool.act(pointing([4, 2, 3]), None),
            None,
            "the crosshair moves on after the click"
        );
        assert_eq!(tool.act(click([9, 2, -3]), None), spanning([1, 2, 3], [9, 2, -3]));
    }

    #[test]
    fn right_click_extends_or_cancels() {
        let extend = |at| SelectInput { extends: true, ..pointing(at) };
        let mut tool = SelectTool::default();
        assert_eq!(tool.act(extend([4, 4, 4]), None), spanning([4, 4, 4], [4, 4, 4]));
        assert_eq!(
            tool.act(extend([1, 9, 4]), spanning([4, 4, 4], [6, 6, 6])),
            spanning([1, 4, 4], [6, 9, 6])
        );
        tool.act(SelectInput { is_pressed: true, is_held: true, ..pointing([1, 1, 1]) }, None);
        assert_eq!(tool.act(extend([4, 4, 4]), None), None);
        assert!(tool == SelectTool::Idle && !tool.cancel());
    }

    #[test]
    fn wheel_moves_the_face_that_is_looked_at() {
        let mut tool = SelectTool::default();
        let area = spanning([-4, 0, -4], [4, 3, 4]);
        let wheel = SelectInput { wheel: 2, snap: 4, ..pointing([1, 3, 1]) };
        assert_eq!(tool.act(wheel, area), spanning([-4, 0, -4], [4, 11, 4]));
        // The ray misses the box: its upper side faces the eyes.
        let past = SelectInput { wheel: -1, ..pointing([90, 0, 0]) };
        assert_eq!(tool.act(past, area), spanning([-4, 0, -4], [4, 2, 4]));
    }

    #[test]
    fn handle_drags_its_face() {
        let mut tool = SelectTool::default();
        let area = Box3 { min: IVec3::new(20, 0, 0), max: IVec3::new(24, 4, 4) };
        let origin = DVec3::new(0.0, 10.0, 30.0);
        let at = |target: DVec3| SelectInput {
            ray: Some(Ray::new(origin, (target - origin).normalize())),
            is_held: true,
            snap: 1,
            ..SelectInput::default()
        };
        let handle = face_middle(area, Face::South);
        assert_eq!(tool.act(SelectInput { is_pressed: true, ..at(handle) }, Some(area)), None);
        assert_eq!(
            tool.act(at(handle + DVec3::Z * 3.0), Some(area)),
            Some(move_face(area, Face::South, 3))
        );
        tool.act(SelectInput { is_held: false, ..at(handle) }, Some(area));
        assert_eq!(tool, SelectTool::Idle);
    }

    #[test]
    fn second_corner_stays_in_the_layer_where_there_is_no_ground() {
        let mut tool = SelectTool::default();
        tool.act(SelectInput { is_pressed: true, is_held: true, ..pointing([1, 2, 3]) }, None);
        tool.act(SelectInput { voxel: None, is_held: true, ..pointing([7, 2, 5]) }, None);
        assert_eq!(tool.unfinished(), spanning([1, 2, 3], [7, 2, 5]));
    }
}
