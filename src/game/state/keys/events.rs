//! Key presses and clicks, in the order in which they arrived, as actions of the frame.
//!
//! At a low frame rate, many events arrive in one frame. The action of a press may depend on
//! earlier ones: letters after `/` belong to the console, a letter after `B` to a tool. So a frame
//! takes events until one has an effect that later events must wait for. The later events stay in
//! order for the next frame, and none is dropped.

use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::keys::wheel_steps::WheelSteps;
use crate::game::state::keys::{
    KeyAction, KeyCamera, KeyInput, KeyMode, KeyState, interface_has_now, is_modifier,
};
use crate::game::state::player::Player;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::settings::Settings;
use bevy::ecs::message::{MessageCursor, MessageUpdateSystems};
use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseWheel};
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};
use bevy_egui::EguiContexts;
use std::collections::VecDeque;

/// Adds the systems that turn key presses into actions.
pub fn add(app: &mut App) {
    app.init_resource::<KeyInput>()
        .add_systems(First, (note_typing, take).chain().after(MessageUpdateSystems));
}

/// A press or release.
#[derive(Clone, Debug)]
enum InputEvent {
    Key(KeyboardInput),
    Button(MouseButtonInput),
}

/// Events that no frame has taken yet.
#[derive(Default)]
struct WaitingEvents {
    events: VecDeque<InputEvent>,
    keys: MessageCursor<KeyboardInput>,
    buttons: MessageCursor<MouseButtonInput>,
}

/// Messages about keys, buttons and the wheel.
#[derive(SystemParam)]
struct Arrived<'w, 's> {
    keys: ResMut<'w, Messages<KeyboardInput>>,
    buttons: ResMut<'w, Messages<MouseButtonInput>>,
    /// Messages of all kinds in the order in which they arrived. The queues of a single kind do not
    /// tell it.
    order: MessageReader<'w, 's, WindowEvent>,
    focus_lost: MessageReader<'w, 's, KeyboardFocusLost>,
    wheel: MessageReader<'w, 's, MouseWheel>,
    waiting: Local<'s, WaitingEvents>,
}

/// State that decides the action of a key.
#[derive(SystemParam)]
struct Present<'w> {
    screen: Res<'w, State<Screen>>,
    menu: Res<'w, Menu>,
    builder: Res<'w, BuilderMode>,
    player: Res<'w, Player>,
}

impl Present<'_> {
    fn state(&self, is_typing: bool) -> KeyState {
        let camera = if self.player.drone.is_some() {
            KeyCamera::Drone
        } else if self.player.is_free() {
            KeyCamera::Free
        } else {
            KeyCamera::Body
        };
        KeyState { mode: self.mode(is_typing), camera }
    }

    fn mode(&self, is_typing: bool) -> KeyMode {
        if *self.screen.get() == Screen::Title {
            return KeyMode::Title;
        }
        match *self.menu {
            Menu::None if self.builder.is_typing => KeyMode::Typing,
            Menu::None if !self.builder.is_on => KeyMode::Hands,
            Menu::None => tool_mode(self.builder.tool),
            Menu::Console => KeyMode::Typing,
            Menu::Inventory if is_typing => KeyMode::Search,
            Menu::Inventory => KeyMode::Inventory,
            _ if is_typing => KeyMode::Typing,
            _ => KeyMode::Menu,
        }
    }
}

/// The mode of the keys while a tool is in hand.
const fn tool_mode(tool: Tool) -> KeyMode {
    match tool {
        Tool::Select => KeyMode::Select,
        Tool::Brush => KeyMode::Brush,
        Tool::Shape => KeyMode::Shape,
        Tool::Line => KeyMode::Line,
        Tool::Move => KeyMode::Move,
        Tool::Paste => KeyMode::Paste,
    }
}

/// Updates whether a text field of the builder's panel has the keys. When that changes, actions of
/// held keys end.
fn note_typing(
    mut contexts: EguiContexts,
    menu: Res<Menu>,
    mut mode: ResMut<BuilderMode>,
    mut input: ResMut<KeyInput>,
) {
    let is_typing =
        mode.is_on && mode.pointer_is_free && *menu == Menu::None && wants_keys(&mut contexts);
    if mode.is_typing != is_typing {
        mode.is_typing = is_typing;
        input.reset();
    }
}

fn wants_keys(contexts: &mut EguiContexts) -> bool {
    contexts.ctx_mut().is_ok_and(|ctx| ctx.egui_wants_keyboard_input())
}

/// Takes the events of the frame, and leaves the others for the next one.
fn take(
    mut arrived: Arrived,
    present: Present,
    time: Res<Time<Real>>,
    mut contexts: EguiContexts,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut input: ResMut<KeyInput>,
    mut settings: ResMut<Settings>,
    mut wheel: Local<WheelSteps>,
) {
    let state = present.state(wants_keys(&mut contexts));
    let BuilderMode { interface_has_pointer, pointer_is_free, .. } = *present.builder;
    let turned = pointer_is_free && !arrived.wheel.is_empty();
    let has_pointer = match (window, contexts.ctx_mut()) {
        (Some(window), Ok(ctx)) if turned => interface_has_now(ctx, &window),
        _ => interface_has_pointer,
    };
    input.begin_frame(state, has_pointer, time.delta());
    for turn in arrived.wheel.read() {
        wheel.add(turn);
    }
    input.turn_wheel(wheel.take());
    arrived.collect();
    if arrived.focus_lost.read().next().is_some() {
        arrived.waiting.events.clear();
        input.reset();
    }
    let mut frame = FrameEvents::new(state.mode);
    while let Some(event) = arrived.waiting.events.front() {
        if frame.is_full_for(event) {
            break;
        }
        let Some(event) = arrived.waiting.events.pop_front() else { break };
        match event {
            InputEvent::Key(key) => {
                let action = read_key(&key, &mut input, &mut settings);
                frame.note_key(&key, action);
                if !is_kept_from_interface(&key, action, state.mode) {
                    arrived.keys.write(key);
                }
            }
            InputEvent::Button(button) => {
                frame.has_click |= button.state.is_pressed();
                arrived.buttons.write(button);
            }
        }
    }
    arrived.skip_own();
}

impl Arrived<'_, '_> {
    /// Moves newly arrived messages to the waiting events.
    fn collect(&mut self) {
        let mut keys: VecDeque<_> = self.waiting.keys.read(&self.keys).cloned().collect();
        let mut buttons: VecDeque<_> = self.waiting.buttons.read(&self.buttons).copied().collect();
        self.keys.clear();
        self.buttons.clear();
        for event in self.order.read() {
            let next = match event {
                WindowEvent::KeyboardInput(_) => keys.pop_front().map(InputEvent::Key),
                WindowEvent::MouseButtonInput(_) => buttons.pop_front().map(InputEvent::Button),
                _ => None,
            };
            self.waiting.events.extend(next);
        }
        self.waiting.events.extend(keys.into_iter().map(InputEvent::Key));
        self.waiting.events.extend(buttons.into_iter().map(InputEvent::Button));
    }

    /// Skips the messages that `take` itself has written, so that they are not collected again.
    fn skip_own(&mut self) {
        let waiting = &mut *self.waiting;
        waiting.keys.clear(&self.keys);
        waiting.buttons.clear(&self.buttons);
    }
}

/// Updates the input with a key event, and learns the key's label. Returns the action of a press.
fn read_key(
    key: &KeyboardInput,
    input: &mut KeyInput,
    settings: &mut ResMut<Settings>,
) -> Option<KeyAction> {
    if !key.state.is_pressed() {
        input.release(key.key_code);
        return None;
    }
    let layout = input.learned(key, settings.keyboard);
    if layout != settings.keyboard {
        settings.keyboard = layout;
    }
    input.press(key, layout)
}

/// True for a press that the game has used. The interface must not see it: it would be typed into
/// the field that it opens, or repeated there while the key is held.
fn is_kept_from_interface(key: &KeyboardInput, action: Option<KeyAction>, mode: KeyMode) -> bool {
    let Some(action) = action.filter(|_| !is_modifier(key.key_code)) else { return false };
    key.repeat || mode.is_play() || matches!(action, KeyAction::Slot(_))
}

/// The events that this frame has taken.
struct FrameEvents {
    mode: KeyMode,
    pressed: Vec<KeyCode>,
    has_click: bool,
    is_complete: bool,
}

impl FrameEvents {
    fn new(mode: KeyMode) -> FrameEvents {
        FrameEvents { mode, pressed: Vec::new(), has_click: false, is_complete: false }
    }

    /// True if an event must wait for the next frame.
    fn is_full_for(&self, event: &InputEvent) -> bool {
        let is_play = self.mode.is_play();
        match event {
            _ if self.is_complete => true,
            InputEvent::Key(key) if !key.state.is_pressed() || key.repeat => false,
            // A frame records only that a key was pressed, not how often, nor whether a click came
            // before it.
            InputEvent::Key(key) if is_play => {
                self.has_click || self.pressed.contains(&key.key_code)
            }
            // Text typed before must reach its field before this key leaves the field.
            InputEvent::Key(key) => leaves_field(key.key_code) && !self.pressed.is_empty(),
            InputEvent::Button(button) => is_play && self.has_click && button.state.is_pressed(),
        }
    }

    fn note_key(&mut self, key: &KeyboardInput, action: Option<KeyAction>) {
        if !key.state.is_pressed() {
            return;
        }
        self.pressed.push(key.key_code);
        self.is_complete |= !key.repeat
            && (leaves_field(key.key_code) || action.is_some_and(KeyAction::ends_frame));
    }
}

/// True for a key that may close a dialog, leave a text field, or complete its text.
fn leaves_field(code: KeyCode) -> bool {
    use KeyCode::*;
    matches!(code, Enter | NumpadEnter | Escape | Tab | ArrowUp | ArrowDown)
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
