//! Keys on the layouts of several countries.

use super::bindings::{BINDINGS, DIGITS, Trigger, With};
use super::*;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode::*;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::prelude::Entity;
use std::time::Duration;
use strum::VariantArray;

mod layouts;

use layouts::*;

fn in_mode(mode: KeyMode) -> KeyState {
    KeyState { mode, camera: KeyCamera::Body }
}

fn states() -> impl Iterator<Item = KeyState> {
    let cameras = [KeyCamera::Body, KeyCamera::Free, KeyCamera::Drone];
    KeyMode::VARIANTS.iter().flat_map(move |&mode| cameras.map(|camera| KeyState { mode, camera }))
}

#[test]
fn german_shortcuts_are_on_the_keys_with_their_letters() {
    assert_eq!(
        GERMAN.action(KeyY, KeyMode::Select),
        Some(KeyAction::SelectTool),
        "the key labelled Z"
    );
    assert_eq!(GERMAN.action(KeyZ, KeyMode::Select), Some(KeyAction::Roof), "the key labelled Y");
    let with_control = |code| GERMAN.action_after(&[ControlLeft], code, in_mode(KeyMode::Hands));
    assert_eq!(
        [with_control(KeyY), with_control(KeyZ)],
        [Some(KeyAction::Undo), Some(KeyAction::Redo)]
    );
    let console = GERMAN.action_after(&[ShiftLeft], Digit7, in_mode(KeyMode::Hands));
    assert_eq!(console, Some(KeyAction::Console), "typed with Shift and 7");
    assert_eq!(GERMAN.action(Digit7, KeyMode::Hands), Some(KeyAction::Slot(6)));
    assert_eq!(GERMAN.action(Slash, KeyMode::Hands), None, "it types -");
}

#[test]
fn french_walking_goes_by_position_and_displaced_letters_are_stood_in_for() {
    let layout = FRENCH.learned();
    assert_eq!(layout.walking(), "Z Q S D");
    assert_eq!(FRENCH.action(KeyW, KeyMode::Select), Some(KeyAction::Ahead));
    assert_eq!(
        FRENCH.action(KeyZ, KeyMode::Select),
        Some(KeyAction::SelectTool),
        "the key labelled W"
    );
    assert_eq!(
        FRENCH.action(KeyQ, KeyMode::Select),
        Some(KeyAction::ToolWheel),
        "the key labelled A"
    );
    assert_eq!(
        FRENCH.action(Semicolon, KeyMode::Move),
        Some(KeyAction::MoveOrCopy),
        "the key labelled M"
    );
    let labels = [KeyAction::SelectTool, KeyAction::ToolWheel, KeyAction::Undo]
        .map(|action| layout.label(action));
    assert_eq!(labels, ["W", "A", "Ctrl+Z"]);
    for (number, code) in (0..).zip(DIGITS) {
        assert_eq!(FRENCH.action(code, KeyMode::Hands), Some(KeyAction::Slot(number)));
        let drone = KeyState { mode: KeyMode::Hands, camera: KeyCamera::Drone };
        assert_eq!(
            FRENCH.action_after(&[], code, drone),
            Some(KeyAction::Slot(number)),
            "6 types -, which zooms"
        );
    }
}

#[test]
fn walking_key_with_control_is_a_shortcut_unless_the_player_walks() {
    for mode in [KeyMode::Hands, KeyMode::Select] {
        let after = |held: &[KeyCode], code| FRENCH.action_after(held, code, in_mode(mode));
        assert_eq!(after(&[ControlLeft], KeyW), Some(KeyAction::Undo));
        assert_eq!(
            after(&[KeyD, ControlLeft], KeyW),
            Some(KeyAction::Ahead),
            "sprints to the right, then ahead"
        );
        assert_eq!(after(&[ControlLeft], KeyA), Some(KeyAction::Left));
    }
    let mut input = KeyInput::default();
    input.begin_frame(in_mode(KeyMode::Hands), false, Duration::ZERO);
    for code in [ControlLeft, KeyW] {
        input.press(&FRENCH.press(code, false), FRENCH.learned());
    }
    assert!(
        input.pressed(KeyAction::Undo) && !input.pressed(KeyAction::Ahead),
        "it does one thing"
    );
}

#[test]
fn dvorak_and_turkish_letters_that_walk_are_stood_in_for() {
    let layout = DVORAK.learned();
    assert_eq!(layout.walking(), ", A O E");
    assert_eq!(
        [KeyAction::Blocks, KeyAction::Drone].map(|action| layout.label(action)),
        ["D", "S"]
    );
    assert_eq!(DVORAK.action(KeyD, KeyMode::Hands), Some(KeyAction::Right));
    assert_eq!(DVORAK.action(KeyH, KeyMode::Hands), Some(KeyAction::Blocks), "the key labelled D");
    assert_eq!(
        DVORAK.action(Semicolon, KeyMode::Hands),
        Some(KeyAction::Drone),
        "the key labelled S"
    );
    let layout = TURKISH.learned();
    assert_eq!(layout.walking(), "G U İ E".replace('İ', "I"));
    assert_eq!(
        [KeyAction::MoveTool, KeyAction::Fill].map(|action| layout.label(action)),
        ["W", "A"]
    );
    // On Colemak, the key labelled S walks to the right, and the key labelled R walks back. R's
    // action moves to S, and from there to D.
    assert_eq!(COLEMAK.learned().label(KeyAction::Ruler), "D");
    assert_eq!(COLEMAK.action(KeyG, KeyMode::Select), Some(KeyAction::Ruler), "the key labelled D");
}

#[test]
fn other_scripts_have_shortcuts_at_their_american_places() {
    assert_eq!(RUSSIAN.action(KeyZ, KeyMode::Select), Some(KeyAction::SelectTool));
    assert_eq!(RUSSIAN.action(KeyQ, KeyMode::Select), Some(KeyAction::ToolWheel));
    assert_eq!(RUSSIAN.action(KeyW, KeyMode::Select), Some(KeyAction::Ahead));
    assert_eq!(GREEK.action(KeyQ, KeyMode::Select), Some(KeyAction::ToolWheel), "it types ;");
    let undo = RUSSIAN.action_after(&[ControlLeft], KeyZ, in_mode(KeyMode::Hands));
    assert_eq!(undo, Some(KeyAction::Undo));
    let console = RUSSIAN.action_after(&[ShiftLeft], Backslash, in_mode(KeyMode::Hands));
    assert_eq!(console, Some(KeyAction::Console));
    assert_eq!(RUSSIAN.learned().walking(), "W A S D", "their keyboards have both letters");
    let arabic =
        KeyboardInput { logical_key: Key::Character("لا".into()), ..AMERICAN.press(KeyB, false) };
    let mut input = KeyInput::default();
    input.begin_frame(in_mode(KeyMode::Hands), false, Duration::ZERO);
    assert_eq!(
        input.press(&arabic, KeyboardLayout::default()),
        Some(KeyAction::BuilderMode),
        "two characters"
    );
}

/// Presses of all keys of a layout, each with the keys held during it, and the actions they have.
fn presses(typed: Typed, state: KeyState) -> Vec<(KeyCode, &'static [KeyCode], Option<KeyAction>)> {
    const HELD: [&[KeyCode]; 6] =
        [&[], &[ControlLeft], &[ShiftLeft], &[ControlLeft, ShiftLeft], &[KeyK], &[KeyJ]];
    let others = BINDINGS.iter().filter_map(|row| match row.trigger {
        Trigger::Position(code) => Some(code),
        _ => None,
    });
    let codes: Vec<KeyCode> = POSITIONS.into_iter().chain([Backslash]).chain(others).collect();
    let pairs = codes.into_iter().flat_map(|code| HELD.map(|held| (code, held)));
    pairs
        .map(|(code, held)| {
            // `KeyK` and `KeyJ` stand for the keys labelled K and J in this layout.
            let letters: Vec<KeyCode> = held
                .iter()
                .map(|held| match held {
                    KeyK => typed.position('k').unwrap_or(KeyK),
                    KeyJ => typed.position('j').unwrap_or(KeyJ),
                    other => *other,
                })
                .collect();
            (code, held, typed.action_after(&letters, code, state))
        })
        .collect()
}

#[test]
fn every_action_of_a_state_has_a_key_that_no_other_action_takes() {
    for typed in LAYOUTS {
        for state in states() {
            let done: Vec<KeyAction> =
                presses(typed, state).into_iter().filter_map(|(.., action)| action).collect();
            for row in BINDINGS.iter().filter(|row| row.counts_in(state)) {
                assert!(
                    done.contains(&row.action),
                    "{}: no key for {:?} in {state:?}",
                    typed.name,
                    row.action
                );
            }
        }
    }
}

#[test]
fn named_key_does_what_it_is_named_for() {
    for typed in LAYOUTS {
        let layout = typed.learned();
        for state in states() {
            for row in BINDINGS.iter().filter(|row| row.counts_in(state)) {
                let Trigger::Letter(letter) = row.trigger else { continue };
                let has_control = matches!(row.with, With::Control | With::ControlShift);
                let letter = if has_control { letter } else { layout.key_of(letter) };
                let american = AMERICAN.position(letter).expect("a letter");
                let code = typed.position(letter).unwrap_or(american);
                let held: &[KeyCode] = match row.with {
                    With::Control => &[ControlLeft],
                    With::ControlShift => &[ControlLeft, ShiftLeft],
                    _ => &[],
                };
                let action = typed.action_after(held, code, state);
                assert_eq!(
                    action,
                    Some(row.action),
                    "{}: {letter} {:?} in {state:?}",
                    typed.name,
                    row.with
                );
            }
        }
    }
}

#[test]
fn press_does_one_thing() {
    let mut actions: Vec<KeyAction> = BINDINGS.iter().map(|row| row.action).collect();
    actions.dedup();
    for typed in LAYOUTS {
        for state in states() {
            for code in POSITIONS {
                let mut input = KeyInput::default();
                input.begin_frame(state, false, Duration::ZERO);
                input.press(&typed.press(code, false), typed.learned());
                let mut done: Vec<KeyAction> =
                    actions.iter().copied().filter(|action| input.pressed(*action)).collect();
                done.dedup();
                assert!(done.len() <= 1, "{}: {code:?} does {done:?}", typed.name);
            }
        }
    }
}

#[test]
fn every_key_has_a_name() {
    for row in BINDINGS.iter() {
        for name in KeyboardLayout::default().labels(row.action).split(", ") {
            assert!(
                !name.is_empty() && !name.ends_with('+') || name.ends_with(" +") || name == "+",
                "{:?}",
                row.action
            );
        }
    }
    // Some texts name these keys literally.
    let names = [
        KeyAction::Menu,
        KeyAction::Apply,
        KeyAction::CancelJob,
        KeyAction::Freeze,
        KeyAction::CullingMode,
    ];
    assert_eq!(
        names.map(|action| KeyboardLayout::default().label(action)),
        ["Escape", "Enter", "Backspace", "F5", "F6"]
    );
    assert_eq!(KeyboardLayout::default().labels(KeyAction::Redo), "Ctrl+Y, Ctrl+Shift+Z");
    assert_eq!(KeyboardLayout::default().label(KeyAction::KeepViewAs(2)), "K+3");
}

#[test]
fn layout_is_kept_as_four_letters() {
    for labels in ["WASD", "ZQSD", ",AOE", "ЦФЫВ"] {
        assert_eq!(String::from(KeyboardLayout::from(labels.to_owned())), labels);
    }
    for wrong in ["", "WAS", "WASDE", "WA D", "W\nSD"] {
        assert_eq!(KeyboardLayout::from(wrong.to_owned()), KeyboardLayout::default(), "{wrong:?}");
    }
}

#[test]
fn only_plain_presses_teach_labels() {
    let american = KeyboardLayout::default();
    let mut input = KeyInput::default();
    assert_eq!(input.learned(&FRENCH.press(KeyQ, false), american), american, "it does not walk");
    assert_eq!(String::from(input.learned(&FRENCH.press(KeyW, true), american)), "ZASD");
    let polish =
        KeyboardInput { logical_key: Key::Character("ą".into()), ..AMERICAN.press(KeyA, false) };
    input.press(&AMERICAN.press(AltRight, false), american);
    assert_eq!(input.learned(&polish, american), american, "typed with AltGr");
    // Labels that are only partly learned may form a cycle.
    for wrong in ["SASD", "AWSD", "WWWW"] {
        let layout = KeyboardLayout::from(wrong.to_owned());
        for row in BINDINGS.iter() {
            assert!(!layout.label(row.action).is_empty());
        }
    }
}

#[test]
fn notch_of_the_wheel_does_one_thing() {
    let used = |held: &[KeyCode], mode, camera, interface_has_pointer| {
        let mut input = KeyInput::default();
        input.begin_frame(KeyState { mode, camera }, interface_has_pointer, Duration::ZERO);
        for code in held {
            _ = input.press(&AMERICAN.press(*code, false), KeyboardLayout::default());
        }
        input.turn_wheel(1);
        let uses = [
            WheelUse::Interface,
            WheelUse::Day,
            WheelUse::Cut,
            WheelUse::Tool,
            WheelUse::Zoom,
            WheelUse::FlyingSpeed,
            WheelUse::Slot,
        ];
        assert_eq!(uses.into_iter().map(|wheel| input.wheel(wheel)).sum::<i32>(), 1);
        input.wheel_use()
    };
    let body = KeyCamera::Body;
    assert_eq!(used(&[], KeyMode::Hands, body, false), WheelUse::Slot);
    assert_eq!(used(&[ControlLeft], KeyMode::Hands, body, false), WheelUse::Slot, "sprinting");
    assert_eq!(used(&[AltLeft], KeyMode::Hands, body, false), WheelUse::FlyingSpeed);
    assert_eq!(used(&[AltLeft, KeyT], KeyMode::Hands, body, false), WheelUse::Day);
    assert_eq!(used(&[ControlLeft, F7], KeyMode::Hands, body, false), WheelUse::Cut);
    assert_eq!(used(&[ControlLeft, AltLeft], KeyMode::Brush, body, false), WheelUse::Tool);
    assert_eq!(used(&[ControlLeft], KeyMode::Brush, body, true), WheelUse::Interface);
    assert_eq!(used(&[], KeyMode::Menu, body, false), WheelUse::Interface);
    assert_eq!(used(&[AltLeft], KeyMode::Hands, KeyCamera::Drone, false), WheelUse::Zoom);
    assert_eq!(used(&[ControlLeft], KeyMode::Move, KeyCamera::Drone, false), WheelUse::Tool);
}

#[test]
fn control_and_shift_belong_to_the_tools_in_builder_mode() {
    let goes_down = |held: &[KeyCode], mode| {
        let mut input = KeyInput::default();
        input.begin_frame(in_mode(mode), false, Duration::ZERO);
        for code in held {
            _ = input.press(&AMERICAN.press(*code, false), KeyboardLayout::default());
        }
        input.begin_frame(in_mode(mode), false, Duration::from_millis(200));
        input.goes_down()
    };
    assert!(
        goes_down(&[ShiftLeft], KeyMode::Brush)
            && goes_down(&[ControlLeft, ShiftLeft], KeyMode::Hands)
    );
    assert!(
        !goes_down(&[ControlLeft, ShiftLeft], KeyMode::Brush)
            && !goes_down(&[ShiftLeft, ControlLeft], KeyMode::Brush)
    );
}

#[test]
fn shift_that_belongs_to_another_key_does_not_go_down() {
    let frame = |input: &mut KeyInput, press: Option<KeyCode>| {
        input.begin_frame(in_mode(KeyMode::Hands), false, Duration::from_millis(100));
        if let Some(code) = press {
            input.press(&AMERICAN.press(code, false), KeyboardLayout::default());
        }
        input.goes_down()
    };
    let mut input = KeyInput::default();
    // At first, `Shift` may belong to a key that follows.
    let first = [Some(ShiftLeft), None, None, Some(KeyW), Some(Digit3)]
        .map(|press| frame(&mut input, press));
    assert_eq!(first, [false, false, true, true, true]);
    let used = [Some(F7), None].map(|press| frame(&mut input, press));
    assert_eq!(used, [false, false]);
    input.release(ShiftLeft);
    assert!(!frame(&mut input, None));
    let again = [Some(ShiftLeft), None, None].map(|press| frame(&mut input, press));
    assert_eq!(again, [false, false, true]);
    input.release(ShiftLeft);
    assert!(frame(&mut input, Some(KeyC)), "a key of its own goes down at once");
    input.release(KeyC);
    assert!(
        input.goes_down() && !frame(&mut input, None),
        "also if it was released in the same frame"
    );
    // `Shift` that is released and pressed again within a frame no longer belongs to F7.
    assert_eq!([Some(ShiftLeft), Some(F7)].map(|press| frame(&mut input, press)), [false; 2]);
    input.release(ShiftLeft);
    input.press(&AMERICAN.press(ShiftLeft, false), KeyboardLayout::default());
    assert_eq!([None, None].map(|press| frame(&mut input, press)), [false, true]);
}
