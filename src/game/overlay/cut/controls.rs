//! The key of the cutaway, and the block that the cut goes through.

use crate::game::common::cutaway::{CutChoice, CutPlane, Cutaway};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::common::wheel_steps::WheelSteps;
use crate::game::crosshair;
use crate::game::player::Player;
use crate::game::session::{Edits, OpenMap};
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::prelude::*;

/// Key that switches the cutaway on, turns it, and switches it off. Held, the wheel moves the cut;
/// with `Shift` it stays in place or follows the crosshair.
pub const CUT_KEY: KeyCode = KeyCode::F7;

/// What the key does at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CutKeyState {
    /// It is up, or was already held when the player came out of a menu.
    #[default]
    Idle,
    /// It was pressed; letting go turns the cut.
    Pressed,
    /// It moved the cut, or made it stay or follow.
    Used,
}

/// Turns, moves and holds the cut by keys.
pub fn control(
    keys: Res<ButtonInput<KeyCode>>,
    wheel: Res<AccumulatedMouseScroll>,
    player: Res<Player>,
    mut cutaway: ResMut<Cutaway>,
    mut notices: ResMut<Notices>,
    mut state: Local<CutKeyState>,
    mut steps: Local<WheelSteps>,
) {
    if keys.just_pressed(CUT_KEY) {
        *state = CutKeyState::Pressed;
        *steps = WheelSteps::default();
        let with_shift = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        if let Some(choice) = cutaway.choice.as_mut().filter(|_| with_shift) {
            *state = CutKeyState::Used;
            choice.follows = !choice.follows;
            notices.replace_info("Cut", described(*choice));
        }
    }
    let voxels = if keys.pressed(CUT_KEY) { steps.take(&wheel) } else { 0 };
    if voxels != 0
        && let Some(choice) = cutaway.choice
    {
        *state = CutKeyState::Used;
        // Away from the eye.
        let plane = CutPlane::seen_from(choice.axis, choice.layer, player.walker.eyes());
        let layer = if plane.is_seen_from_above { choice.layer - voxels } else { choice.layer + voxels };
        let moved = CutChoice { layer, follows: false, ..choice };
        cutaway.choice = Some(moved);
        notices.replace_info("Cut", described(moved));
    }
    if !keys.pressed(CUT_KEY) && std::mem::take(&mut *state) == CutKeyState::Pressed && keys.just_released(CUT_KEY) {
        cutaway.turn(player.walker.eyes(), player.direction());
        notices.replace_info("Cut", cutaway.choice.map_or_else(|| "off".to_owned(), described));
    }
}

/// The cut in words.
fn described(choice: CutChoice) -> String {
    let axis = choice.axis.name();
    if choice.follows {
        format!("across {axis}, through the block under the crosshair")
    } else {
        format!("stays at {axis} = {}", choice.layer)
    }
}

/// Moves a cut that follows to the block under the crosshair. In the sky it stays.
pub fn aim(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut cutaway: ResMut<Cutaway>,
) {
    let Some(choice) = cutaway.choice.filter(|choice| choice.follows) else { return };
    let view = map.view_distance(&settings);
    let Some(hit) = crosshair::hit(edits.world(), &map.materials, &player, view) else { return };
    let layer = hit.voxel_pos[choice.axis as usize];
    if layer != choice.layer {
        cutaway.choice = Some(CutChoice { layer, ..choice });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::common::cutaway::CutAxis;
    use bevy::input::mouse::MouseScrollUnit;

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(AccumulatedMouseScroll { unit: MouseScrollUnit::Line, delta: Vec2::ZERO })
            .init_resource::<Player>()
            .init_resource::<Notices>()
            .init_resource::<Cutaway>()
            .add_systems(Update, control);
        app
    }

    /// A frame in which these keys are down, and the wheel is turned by `wheel`.
    fn frame(app: &mut App, down: &[KeyCode], wheel: f32) -> Option<CutChoice> {
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.clear();
        let held: Vec<KeyCode> = keys.get_pressed().copied().collect();
        for key in held.into_iter().filter(|key| !down.contains(key)) {
            keys.release(key);
        }
        for key in down {
            keys.press(*key);
        }
        app.world_mut().resource_mut::<AccumulatedMouseScroll>().delta.y = wheel;
        app.update();
        app.world().resource::<Cutaway>().choice
    }

    #[test]
    fn taps_turn_the_cut() {
        let mut app = app();
        // The player looks north.
        let mut axes = Vec::new();
        for _ in 0..4 {
            frame(&mut app, &[CUT_KEY], 0.0);
            axes.push(frame(&mut app, &[], 0.0).map(|choice| (choice.axis, choice.follows)));
        }
        assert_eq!(axes, [Some((CutAxis::Z, true)), Some((CutAxis::Y, true)), Some((CutAxis::X, true)), None]);
    }

    #[test]
    fn wheel_moves_the_cut_away_from_the_eye_and_keeps_it_there() {
        let mut app = app();
        frame(&mut app, &[], 4.0);
        frame(&mut app, &[CUT_KEY], 3.0);
        let choice = frame(&mut app, &[], 0.0).expect("a tap, because there was no cut to move");
        frame(&mut app, &[CUT_KEY], 0.0);
        frame(&mut app, &[CUT_KEY], 3.0);
        let moved = frame(&mut app, &[], 0.0);
        // The cut is north of the eye, which is where z is smaller.
        assert_eq!(moved, Some(CutChoice { layer: choice.layer - 3, follows: false, ..choice }));
    }

    #[test]
    fn shift_holds_the_cut_and_lets_it_follow() {
        let mut app = app();
        frame(&mut app, &[KeyCode::ShiftLeft, CUT_KEY], 0.0);
        let choice = frame(&mut app, &[], 0.0).expect("there was no cut to hold");
        frame(&mut app, &[KeyCode::ShiftLeft, CUT_KEY], 0.0);
        assert_eq!(frame(&mut app, &[], 0.0), Some(CutChoice { follows: false, ..choice }));
        frame(&mut app, &[KeyCode::ShiftRight, CUT_KEY], 0.0);
        assert_eq!(frame(&mut app, &[], 0.0), Some(choice));
    }
}
