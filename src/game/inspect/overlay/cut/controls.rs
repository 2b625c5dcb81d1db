//! The key of the cutaway, and the block that the cut goes through.

use crate::game::player::crosshair;
use crate::game::state::cutaway::{CutChoice, CutPlane, Cutaway};
use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::prelude::*;

/// State of the cutaway's key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CutKeyState {
    /// The key is up, or was already held when the player left a menu.
    #[default]
    Idle,
    /// The key is held; its release will turn the cut.
    Pressed,
    /// The wheel moved the cut while the key is held, so its release does nothing.
    Moving,
}

/// Turns, moves and keeps the cut by keys.
pub fn control(
    keys: Res<KeyInput>,
    player: Res<Player>,
    mut cutaway: ResMut<Cutaway>,
    mut notices: ResMut<Notices>,
    mut state: Local<CutKeyState>,
) {
    if keys.just_pressed(KeyAction::Cutaway) {
        *state = CutKeyState::Pressed;
    }
    if keys.just_pressed(KeyAction::KeepCut)
        && let Some(choice) = cutaway.choice.as_mut()
    {
        choice.follows = !choice.follows;
        notices.replace_info("Cut", described(*choice));
    }
    let voxels = keys.wheel(WheelUse::Cut);
    if voxels != 0
        && let Some(choice) = cutaway.choice
    {
        *state = CutKeyState::Moving;
        // A positive notch moves the cut away from the eye.
        let plane = CutPlane::seen_from(choice.axis, choice.layer, player.walker.eyes());
        let away = if plane.is_seen_from_above { -voxels } else { voxels };
        let layer = choice.layer.saturating_add(away);
        let moved = CutChoice { layer, follows: false, ..choice };
        cutaway.choice = Some(moved);
        notices.replace_info("Cut", described(moved));
    }
    let was_released = keys.just_released(KeyAction::Cutaway);
    if !keys.is_held(KeyAction::Cutaway)
        && std::mem::take(&mut *state) == CutKeyState::Pressed
        && was_released
    {
        cutaway.turn(player.walker.eyes(), player.direction());
        notices.replace_info("Cut", cutaway.choice.map_or_else(|| "off".to_owned(), described));
    }
}

/// Forgets the cut of the closed map.
pub fn close(mut cutaway: ResMut<Cutaway>) {
    *cutaway = Cutaway::default();
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

/// Moves a cut that follows the crosshair to the block under it. While the crosshair is on the sky,
/// the cut stays.
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
    use crate::game::state::cutaway::CutAxis;
    use crate::game::state::keys::{KeyMode, KeyState};

    fn app() -> App {
        let mut keys = KeyInput::default();
        keys.begin_frame(
            KeyState { mode: KeyMode::Hands, ..KeyState::default() },
            false,
            std::time::Duration::ZERO,
        );
        let mut app = App::new();
        app.insert_resource(keys)
            .init_resource::<Player>()
            .init_resource::<Notices>()
            .init_resource::<Cutaway>()
            .add_systems(Update, control);
        app
    }

    /// Runs a frame in which the wheel is turned by `wheel`. `press` is true if the key is pressed
    /// in it, false if it is released.
    fn frame(app: &mut App, key: KeyAction, press: Option<bool>, wheel: i32) -> Option<CutChoice> {
        let mut keys = app.world_mut().resource_mut::<KeyInput>();
        keys.next_frame();
        match press {
            Some(true) => keys.press_action(key),
            Some(false) => keys.release_action(key),
            None => {}
        }
        keys.turn_wheel(wheel);
        app.update();
        app.world().resource::<Cutaway>().choice
    }

    /// Presses the key in one frame and releases it in the next.
    fn tap(app: &mut App, key: KeyAction) -> Option<CutChoice> {
        frame(app, key, Some(true), 0);
        frame(app, key, Some(false), 0)
    }

    #[test]
    fn taps_turn_the_cut() {
        let mut app = app();
        // The player looks north.
        let axes: Vec<_> = (0..4)
            .map(|_| tap(&mut app, KeyAction::Cutaway).map(|choice| (choice.axis, choice.follows)))
            .collect();
        assert_eq!(
            axes,
            [Some((CutAxis::Z, true)), Some((CutAxis::Y, true)), Some((CutAxis::X, true)), None]
        );
    }

    #[test]
    fn wheel_moves_the_cut_away_from_the_eye_and_keeps_it_there() {
        let mut app = app();
        assert_eq!(frame(&mut app, KeyAction::Cutaway, None, 4), None);
        let choice = tap(&mut app, KeyAction::Cutaway).expect("a cut");
        frame(&mut app, KeyAction::Cutaway, Some(true), 0);
        frame(&mut app, KeyAction::Cutaway, None, 3);
        let moved = frame(&mut app, KeyAction::Cutaway, Some(false), 0);
        // The cut is north of the eye, so away from the eye is towards smaller z.
        assert_eq!(moved, Some(CutChoice { layer: choice.layer - 3, follows: false, ..choice }));
    }

    #[test]
    fn cut_stays_or_follows_by_its_key() {
        let mut app = app();
        assert_eq!(tap(&mut app, KeyAction::KeepCut), None, "there is no cut to keep");
        let choice = tap(&mut app, KeyAction::Cutaway).expect("a cut");
        assert_eq!(tap(&mut app, KeyAction::KeepCut), Some(CutChoice { follows: false, ..choice }));
        assert_eq!(tap(&mut app, KeyAction::KeepCut), Some(choice));
    }
}
