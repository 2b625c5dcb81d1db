//! The actions of a frame, derived from key presses in their order.

use super::action::{KeyAction, WheelUse};
use super::bindings::{self, HeldKeys, Modifiers};
use super::state::{KeyCamera, KeyState};
use super::{KeyboardLayout, layout::WALKING};
use bevy::input::keyboard::{KeyCode, KeyboardInput};
use bevy::prelude::Resource;
use std::time::Duration;

/// Time after which a held `Shift` moves down. Before, it may belong to another key that follows,
/// such as `/`, which is typed with `Shift` on many keyboards.
const SHIFT_DELAY: Duration = Duration::from_millis(150);

/// A held key, and its action.
#[derive(Clone, Copy, Debug)]
struct HeldKey {
    position: KeyCode,
    action: KeyAction,
}

/// Actions of the keys in this frame. A key that was pressed and released within the frame counts
/// as held in it.
#[derive(Resource, Debug, Default)]
pub struct KeyInput {
    state: KeyState,
    held: Vec<HeldKey>,
    presses: Vec<KeyAction>,
    repeats: Vec<KeyAction>,
    releases: Vec<KeyAction>,
    /// Positions of the modifiers that are held.
    held_modifiers: Vec<KeyCode>,
    /// Modifiers that were held at some moment of the frame.
    modifiers: Modifiers,
    notches: i32,
    interface_has_pointer: bool,
    /// Time for which `Shift` has been held with the action *down*.
    shift_held: Duration,
    /// True once another key was pressed while `Shift` is held. `Shift` then modifies that key, and
    /// does not move down.
    shift_is_used: bool,
    /// True if a key other than `Shift` with the action *down* was pressed in this frame.
    is_down_tapped: bool,
}

impl KeyInput {
    /// True if a key of the action is held, or was held at some moment of this frame.
    #[must_use]
    pub fn pressed(&self, action: KeyAction) -> bool {
        self.held.iter().any(|held| held.action == action) || self.presses.contains(&action)
    }

    /// True while a key of the action is held at the end of the frame.
    #[must_use]
    pub fn is_held(&self, action: KeyAction) -> bool {
        self.held.iter().any(|held| held.action == action)
    }

    /// True if a key of the action was pressed in this frame.
    #[must_use]
    pub fn just_pressed(&self, action: KeyAction) -> bool {
        self.presses.contains(&action)
    }

    /// True if a key of the action was released in this frame.
    #[must_use]
    pub fn just_released(&self, action: KeyAction) -> bool {
        self.releases.contains(&action)
    }

    /// True if the system repeats a held key of the action.
    #[must_use]
    pub fn repeats(&self, action: KeyAction) -> bool {
        self.repeats.contains(&action)
    }

    /// The actions whose keys were pressed in this frame, in their order.
    pub fn presses(&self) -> impl Iterator<Item = KeyAction> {
        self.presses.iter().copied()
    }

    /// 1 while a key of `plus` is held, -1 while a key of `minus` is held, 0 for both or neither.
    #[must_use]
    pub fn axis(&self, plus: KeyAction, minus: KeyAction) -> f32 {
        f32::from(i8::from(self.pressed(plus)) - i8::from(self.pressed(minus)))
    }

    /// True if `Ctrl` is held, or was held at some moment of this frame.
    #[must_use]
    pub fn control(&self) -> bool {
        self.modifiers.control
    }

    /// True if `Shift` is held, or was held at some moment of this frame.
    #[must_use]
    pub fn shift(&self) -> bool {
        self.modifiers.shift
    }

    /// True if `Alt` is held, or was held at some moment of this frame.
    #[must_use]
    pub fn alt(&self) -> bool {
        self.modifiers.alt
    }

    /// True while a key moves the body or the camera down. Not in builder mode while `Ctrl` is
    /// held, because keys then belong to the tools. `Shift` moves down only after `SHIFT_DELAY`,
    /// and not while it modifies another key.
    #[must_use]
    pub fn goes_down(&self) -> bool {
        let is_for_tools = self.state.mode.is_building() && self.control();
        let goes_down = |held: &HeldKey| {
            held.action == KeyAction::Down
                && (!is_shift(held.position)
                    || self.shift_held >= SHIFT_DELAY && !self.shift_is_used)
        };
        (self.is_down_tapped || self.held.iter().any(goes_down)) && !is_for_tools
    }

    /// Notches of the wheel in this frame, positive away from the player, if the wheel's use is
    /// `wanted`; otherwise 0.
    #[must_use]
    pub fn wheel(&self, wanted: WheelUse) -> i32 {
        if self.wheel_use() == wanted { self.notches } else { 0 }
    }

    /// Present use of the wheel.
    #[must_use]
    pub fn wheel_use(&self) -> WheelUse {
        let mode = self.state.mode;
        let is_drone = self.state.camera == KeyCamera::Drone;
        if !mode.is_play() || mode.is_building() && self.interface_has_pointer {
            WheelUse::Interface
        } else if self.pressed(KeyAction::Day) {
            WheelUse::Day
        } else if self.pressed(KeyAction::Cutaway) {
            WheelUse::Cut
        } else if mode.is_building() && self.control() {
            WheelUse::Tool
        } else if is_drone {
            WheelUse::Zoom
        } else if self.pressed(KeyAction::ShapeWheel) {
            WheelUse::Shape
        } else if self.pressed(KeyAction::Careful) {
            WheelUse::FlyingSpeed
        } else {
            WheelUse::Slot
        }
    }

    /// Removes a press of this frame, so that no other system reacts to it.
    pub fn consume(&mut self, action: KeyAction) {
        self.presses.retain(|pressed| *pressed != action);
    }

    /// Forgets all keys, as when the window loses the focus.
    pub fn reset(&mut self) {
        *self = KeyInput {
            state: self.state,
            interface_has_pointer: self.interface_has_pointer,
            ..KeyInput::default()
        };
    }

    /// Begins a frame in `state`. `last` is the length of the previous frame.
    pub fn begin_frame(&mut self, state: KeyState, interface_has_pointer: bool, last: Duration) {
        if self.held.iter().any(|held| is_shift(held.position)) {
            self.shift_held += last;
        }
        self.is_down_tapped = false;
        self.state = state;
        self.interface_has_pointer = interface_has_pointer;
        self.presses.clear();
        self.repeats.clear();
        self.releases.clear();
        self.modifiers = self.modifiers_now();
        self.notches = 0;
    }

    /// Adds notches of the wheel.
    pub fn turn_wheel(&mut self, notches: i32) {
        self.notches += notches;
    }

    /// Records a press, including one that the system repeats. Returns its action.
    pub fn press(&mut self, press: &KeyboardInput, layout: KeyboardLayout) -> Option<KeyAction> {
        if press.repeat {
            let held = self.held.iter().find(|held| held.position == press.key_code)?;
            self.repeats.push(held.action);
            return Some(held.action);
        }
        let keys = self.held_keys();
        self.note_modifier(press.key_code, true);
        let action = bindings::find(press, keys, self.state, layout)?;
        // Keys of the flight itself, pressed while flying down, do not make `Shift` their modifier.
        let is_of_flight = is_modifier(press.key_code) || is_of_flight(action);
        self.shift_is_used |= keys.modifiers.shift && !is_of_flight;
        if is_shift(press.key_code) && !keys.modifiers.shift {
            self.shift_held = Duration::ZERO;
            self.shift_is_used = false;
        }
        self.is_down_tapped |= action == KeyAction::Down && !is_shift(press.key_code);
        self.held.retain(|held| held.position != press.key_code);
        self.held.push(HeldKey { position: press.key_code, action });
        self.presses.push(action);
        Some(action)
    }

    /// Records a release.
    pub fn release(&mut self, position: KeyCode) {
        self.note_modifier(position, false);
        if let Some(at) = self.held.iter().position(|held| held.position == position) {
            self.releases.push(self.held.remove(at).action);
        }
    }

    /// The layout after a key press, which may show the label of a walking key. Ignores presses
    /// with `Ctrl` or `Alt`, because the key may then type something other than its label.
    #[must_use]
    pub fn learned(&self, press: &KeyboardInput, layout: KeyboardLayout) -> KeyboardLayout {
        let Modifiers { control, shift, alt } = self.modifiers_now();
        if control || alt { layout } else { layout.learned(press, shift) }
    }

    fn held_keys(&self) -> HeldKeys {
        HeldKeys {
            modifiers: self.modifiers_now(),
            walks: self.held.iter().any(|held| WALKING.contains(&held.position)),
            keeps_view: self.is_held(KeyAction::KeepView),
            returns_to_view: self.is_held(KeyAction::ReturnToView),
        }
    }

    fn modifiers_now(&self) -> Modifiers {
        use KeyCode::*;
        let is_held = |keys: &[KeyCode]| self.held_modifiers.iter().any(|held| keys.contains(held));
        Modifiers {
            // On Windows, AltGr also reports Ctrl as pressed.
            control: is_held(&[ControlLeft, ControlRight, SuperLeft, SuperRight])
                && !is_held(&[AltRight]),
            shift: is_held(&[ShiftLeft, ShiftRight]),
            alt: is_held(&[AltLeft, AltRight]),
        }
    }

    fn note_modifier(&mut self, position: KeyCode, is_pressed: bool) {
        self.held_modifiers.retain(|held| *held != position);
        if is_pressed && is_modifier(position) {
            self.held_modifiers.push(position);
            let Modifiers { control, shift, alt } = self.modifiers_now();
            let before = self.modifiers;
            self.modifiers = Modifiers {
                control: before.control || control,
                shift: before.shift || shift,
                alt: before.alt || alt,
            };
        }
    }
}

fn is_shift(position: KeyCode) -> bool {
    matches!(position, KeyCode::ShiftLeft | KeyCode::ShiftRight)
}

/// True for actions of keys that move the player or choose a block.
fn is_of_flight(action: KeyAction) -> bool {
    use KeyAction::*;
    matches!(action, Ahead | Back | Left | Right | Up | Down | Sprint | Careful | Slot(_))
}

/// True for a key that modifies others. The interface needs its events, too.
#[must_use]
pub fn is_modifier(position: KeyCode) -> bool {
    use KeyCode::*;
    matches!(
        position,
        ControlLeft
            | ControlRight
            | SuperLeft
            | SuperRight
            | ShiftLeft
            | ShiftRight
            | AltLeft
            | AltRight
    )
}

#[cfg(test)]
impl KeyInput {
    /// Presses a key of an action, for tests of its effect.
    pub fn press_action(&mut self, action: KeyAction) {
        // One position serves for all actions: real keys of different actions would differ anyway.
        self.held.push(HeldKey { position: KeyCode::F24, action });
        self.presses.push(action);
    }

    /// Releases the key of [`press_action`](KeyInput::press_action).
    pub fn release_action(&mut self, action: KeyAction) {
        self.held.retain(|held| held.action != action);
        self.releases.push(action);
    }

    /// Begins the next frame.
    pub fn next_frame(&mut self) {
        self.begin_frame(self.state, self.interface_has_pointer, Duration::ZERO);
    }

    /// Holds `Ctrl`.
    pub fn hold_control(&mut self) {
        self.note_modifier(KeyCode::ControlLeft, true);
    }
}
