//! Many events in one frame.

use super::*;
use crate::game::state::keys::state::TOOLS;
use bevy::ecs::system::RunSystemOnce;
use bevy::input::keyboard::Key;
use bevy::input::mouse::MouseScrollUnit;
use bevy::input::touch::TouchPhase;
use bevy::input::{ButtonState, InputPlugin};

/// Key events that reach the interface in a frame.
#[derive(Resource, Default)]
struct InterfaceEvents(Vec<String>);

fn hear(mut keys: MessageReader<KeyboardInput>, mut heard: ResMut<InterfaceEvents>) {
    heard.0 = keys
        .read()
        .filter(|key| key.state.is_pressed())
        .map(|key| match &key.logical_key {
            Key::Character(text) => text.to_string(),
            other => format!("{other:?}"),
        })
        .collect();
}

/// Stands in for the systems that react to some actions.
fn react(input: Res<KeyInput>, mut menu: ResMut<Menu>, mut builder: ResMut<BuilderMode>) {
    for action in input.presses() {
        match action {
            KeyAction::Console => *menu = Menu::Console,
            KeyAction::Blocks => *menu = Menu::Inventory,
            KeyAction::Menu => *menu = Menu::None,
            KeyAction::BuilderMode => builder.is_on = !builder.is_on,
            _ => {}
        }
    }
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(InputPlugin)
        .add_message::<WindowEvent>()
        .insert_resource(State::new(Screen::Playing))
        .init_resource::<Menu>()
        .init_resource::<BuilderMode>()
        .init_resource::<Player>()
        .init_resource::<Settings>()
        .init_resource::<Time<Real>>()
        .init_resource::<InterfaceEvents>()
        .init_resource::<bevy_egui::EguiUserTextures>()
        .add_systems(Update, (hear, react).chain());
    add(&mut app);
    app
}

fn key(app: &mut App, label: &str, code: KeyCode, state: ButtonState, repeat: bool) {
    let logical_key = match code {
        KeyCode::Enter => Key::Enter,
        KeyCode::Tab => Key::Tab,
        KeyCode::ControlLeft => Key::Control,
        _ => Key::Character(label.into()),
    };
    let event = KeyboardInput {
        key_code: code,
        logical_key,
        state,
        text: None,
        repeat,
        window: Entity::PLACEHOLDER,
    };
    app.world_mut().write_message(WindowEvent::KeyboardInput(event.clone()));
    app.world_mut().write_message(event);
}

/// Presses and releases a key.
fn tap(app: &mut App, label: &str, code: KeyCode) {
    key(app, label, code, ButtonState::Pressed, false);
    key(app, label, code, ButtonState::Released, false);
}

fn click(app: &mut App, button: MouseButton) {
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let event = MouseButtonInput { button, state, window: Entity::PLACEHOLDER };
        app.world_mut().write_message(WindowEvent::MouseButtonInput(event));
        app.world_mut().write_message(event);
    }
}

/// The actions of the next frame, and the events that the interface gets.
fn frame(app: &mut App) -> (Vec<KeyAction>, String) {
    app.update();
    (
        app.world().resource::<KeyInput>().presses().collect(),
        app.world().resource::<InterfaceEvents>().0.concat(),
    )
}

/// The buttons that were pressed in the frame.
fn clicked(app: &App) -> Vec<MouseButton> {
    app.world().resource::<ButtonInput<MouseButton>>().get_just_pressed().copied().collect()
}

fn nothing() -> (Vec<KeyAction>, String) {
    (Vec::new(), String::new())
}

#[test]
fn text_after_the_slash_of_the_same_frame_goes_to_the_console() {
    let mut app = app();
    tap(&mut app, "/", KeyCode::Slash);
    for (label, code) in [("/", KeyCode::Slash), ("t", KeyCode::KeyT), ("b", KeyCode::KeyB)] {
        tap(&mut app, label, code);
    }
    assert_eq!(
        frame(&mut app),
        (vec![KeyAction::Console], String::new()),
        "the first slash is not typed"
    );
    assert_eq!(
        frame(&mut app),
        (vec![], "/tb".to_owned()),
        "neither the day stops nor the builder mode begins"
    );
    assert_eq!(frame(&mut app), nothing());
}

#[test]
fn enter_waits_for_the_text_before_it_and_what_follows_waits_for_enter() {
    let mut app = app();
    *app.world_mut().resource_mut::<Menu>() = Menu::Console;
    for (label, code) in [("l", KeyCode::KeyL), ("l", KeyCode::KeyL)] {
        tap(&mut app, label, code);
    }
    tap(&mut app, "", KeyCode::Tab);
    tap(&mut app, "x", KeyCode::KeyX);
    tap(&mut app, "", KeyCode::Enter);
    tap(&mut app, "w", KeyCode::KeyW);
    let heard: Vec<String> = (0..6).map(|_| frame(&mut app).1).collect();
    assert_eq!(heard, ["ll", "Tab", "x", "Enter", "w", ""]);
}

#[test]
fn keys_after_a_change_of_the_state_count_in_the_new_one() {
    let mut app = app();
    for (label, code) in
        [("b", KeyCode::KeyB), ("v", KeyCode::KeyV), ("e", KeyCode::KeyE), ("v", KeyCode::KeyV)]
    {
        tap(&mut app, label, code);
    }
    assert_eq!(frame(&mut app).0, [KeyAction::BuilderMode]);
    assert_eq!(frame(&mut app).0, [KeyAction::BrushTool]);
    assert_eq!(frame(&mut app), (vec![KeyAction::Blocks], String::new()));
    assert_eq!(frame(&mut app), (vec![], "v".to_owned()), "the inventory's search");
}

#[test]
fn press_and_release_in_one_frame_count() {
    let mut app = app();
    tap(&mut app, " ", KeyCode::Space);
    click(&mut app, MouseButton::Left);
    assert_eq!(frame(&mut app).0, [KeyAction::Up]);
    let input = app.world().resource::<KeyInput>();
    assert!(
        input.pressed(KeyAction::Up)
            && input.just_released(KeyAction::Up)
            && !input.is_held(KeyAction::Up)
    );
    assert_eq!(clicked(&app), [MouseButton::Left]);
    assert_eq!(frame(&mut app), nothing());
    assert!(!app.world().resource::<KeyInput>().pressed(KeyAction::Up) && clicked(&app).is_empty());
}

#[test]
fn second_press_of_a_key_or_button_waits() {
    let mut app = app();
    for _ in 0..2 {
        tap(&mut app, " ", KeyCode::Space);
    }
    assert_eq!(
        [frame(&mut app).0, frame(&mut app).0, frame(&mut app).0],
        [vec![KeyAction::Up], vec![KeyAction::Up], vec![]]
    );
    for button in [MouseButton::Left, MouseButton::Right, MouseButton::Right] {
        click(&mut app, button);
    }
    let clicks: Vec<_> = (0..4)
        .map(|_| {
            frame(&mut app);
            clicked(&app)
        })
        .collect();
    assert_eq!(
        clicks,
        [vec![MouseButton::Left], vec![MouseButton::Right], vec![MouseButton::Right], vec![]]
    );
}

#[test]
fn slot_that_is_chosen_after_a_click_does_not_count_for_it() {
    let mut app = app();
    tap(&mut app, "2", KeyCode::Digit2);
    tap(&mut app, "3", KeyCode::Digit3);
    click(&mut app, MouseButton::Right);
    tap(&mut app, "4", KeyCode::Digit4);
    assert_eq!(frame(&mut app).0, [KeyAction::Slot(1), KeyAction::Slot(2)]);
    assert_eq!(clicked(&app), [MouseButton::Right]);
    assert_eq!(frame(&mut app).0, [KeyAction::Slot(3)]);
}

#[test]
fn key_held_into_a_text_field_types_nothing() {
    let mut app = app();
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, false);
    tap(&mut app, "e", KeyCode::KeyE);
    assert_eq!(frame(&mut app), (vec![KeyAction::Ahead, KeyAction::Blocks], String::new()));
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, true);
    assert_eq!(frame(&mut app), nothing());
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Released, false);
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, false);
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, true);
    assert_eq!(frame(&mut app), (vec![], "ww".to_owned()), "a new press types, and repeats");
}

#[test]
fn held_undo_repeats() {
    let mut app = app();
    key(&mut app, "", KeyCode::ControlLeft, ButtonState::Pressed, false);
    key(&mut app, "z", KeyCode::KeyZ, ButtonState::Pressed, false);
    key(&mut app, "", KeyCode::ControlLeft, ButtonState::Released, false);
    assert_eq!(
        frame(&mut app).0,
        [KeyAction::Sprint, KeyAction::Undo],
        "Ctrl is released within the frame or after"
    );
    key(&mut app, "z", KeyCode::KeyZ, ButtonState::Pressed, true);
    assert_eq!(frame(&mut app), nothing());
    assert!(app.world().resource::<KeyInput>().repeats(KeyAction::Undo));
}

#[test]
fn lost_focus_releases_all_keys() {
    let mut app = app();
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, false);
    frame(&mut app);
    app.world_mut().write_message(KeyboardFocusLost);
    assert_eq!(frame(&mut app), nothing());
    assert!(!app.world().resource::<KeyInput>().pressed(KeyAction::Ahead));
}

#[test]
fn walking_teaches_the_layout() {
    let mut app = app();
    for (label, code) in [("z", KeyCode::KeyW), ("q", KeyCode::KeyA)] {
        tap(&mut app, label, code);
    }
    frame(&mut app);
    assert_eq!(String::from(app.world().resource::<Settings>().keyboard), "ZQSD");
    app.world_mut().resource_mut::<BuilderMode>().is_on = true;
    tap(&mut app, "w", KeyCode::KeyZ);
    assert_eq!(frame(&mut app).0, [KeyAction::SelectTool]);
}

#[test]
fn notches_of_a_frame_are_counted_once() {
    let mut app = app();
    for (unit, y) in [
        (MouseScrollUnit::Line, 1.0),
        (MouseScrollUnit::Pixel, 20.0),
        (MouseScrollUnit::Pixel, 20.0),
    ] {
        app.world_mut().write_message(MouseWheel {
            unit,
            x: 0.0,
            y,
            window: Entity::PLACEHOLDER,
            phase: TouchPhase::Moved,
        });
    }
    frame(&mut app);
    use crate::game::state::keys::WheelUse;
    assert_eq!(app.world().resource::<KeyInput>().wheel(WheelUse::Slot), 2);
    frame(&mut app);
    assert_eq!(app.world().resource::<KeyInput>().wheel(WheelUse::Slot), 0);
}

#[test]
fn text_field_of_the_panel_ends_what_held_keys_do() {
    let mut app = app();
    key(&mut app, "w", KeyCode::KeyW, ButtonState::Pressed, false);
    frame(&mut app);
    app.world_mut().resource_mut::<BuilderMode>().is_typing = true;
    app.world_mut().run_system_once(note_typing).expect("its resources exist");
    assert!(!app.world().resource::<KeyInput>().pressed(KeyAction::Ahead));
}

#[test]
fn every_tool_has_the_keys_of_tools() {
    for &tool in Tool::ALL {
        assert!(
            TOOLS.contains(tool_mode(tool)),
            "{tool:?} is not among the tools of `keys/state.rs`"
        );
    }
}
