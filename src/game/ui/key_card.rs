//! The key card: in a new map, the keys that were not used yet.
//!
//! A key leaves the card when it is used, so the card disappears with the last one.

use crate::game::common::screens::Menu;
use crate::game::day::DAY_KEY;
use crate::game::player::CAREFUL_KEYS;
use crate::game::session::OpenMap;
use crate::game::ui::theme;
use bevy::input::mouse::AccumulatedMouseScroll;
use bevy::prelude::*;
use bevy_egui::egui::{Align2, FontId, Painter, Rect, pos2, vec2};

/// Seconds of play for which a map shows the keys.
const SHOWN: f64 = 300.0;
/// Height of a line, in points.
const LINE: f32 = 19.0;
/// Space above and below the lines, in points.
const MARGIN: f32 = 7.0;

/// A line of the card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyUse {
    Walk,
    Break,
    Place,
    Choose,
    Blocks,
    Jump,
    Fly,
    Sprint,
    Dive,
    FlySlowly,
    Day,
    Undo,
    Build,
    Figures,
    Overlay,
    Freeze,
    Culling,
    Menu,
}

/// The lines, in the order of their use: key, and what it does.
const LINES: [(KeyUse, &str, &str); 18] = [
    (KeyUse::Walk, "W A S D", "walk"),
    (KeyUse::Break, "Left button", "break"),
    (KeyUse::Place, "Right button", "place"),
    (KeyUse::Choose, "1-9, wheel", "choose"),
    (KeyUse::Blocks, "E", "all blocks"),
    (KeyUse::Jump, "Space", "jump"),
    (KeyUse::Fly, "F", "fly or walk"),
    (KeyUse::Sprint, "Left Ctrl, R", "sprint"),
    (KeyUse::Dive, "Left Shift, C", "dive, descend"),
    (KeyUse::FlySlowly, "Left Alt, X", "fly slowly"),
    (KeyUse::Day, "T, T+wheel", "time of day"),
    (KeyUse::Undo, "Ctrl+Z", "undo"),
    (KeyUse::Build, "B", "builder mode"),
    (KeyUse::Figures, "F3", "figures"),
    (KeyUse::Overlay, "F4", "overlay"),
    (KeyUse::Freeze, "F5", "freeze"),
    (KeyUse::Culling, "F6", "culling"),
    (KeyUse::Menu, "Esc", "menu"),
];

/// The state of the card.
#[derive(Resource, Default)]
pub struct KeyCard {
    /// Lines whose keys were used since the program was started.
    used: [bool; LINES.len()],
    /// Seconds that the open map was played.
    played: f64,
}

impl KeyCard {
    /// True while the card has lines.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.played < SHOWN && self.used.contains(&false)
    }

    fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        LINES.iter().zip(self.used).filter(|(_, used)| !used).map(|((_, key, does), _)| (*key, *does))
    }

    /// Removes the lines whose keys were used.
    fn note(&mut self, keys: &ButtonInput<KeyCode>, buttons: &ButtonInput<MouseButton>, wheel: f32) {
        for ((line, ..), used) in LINES.iter().zip(&mut self.used) {
            *used |= is_used(*line, keys, buttons, wheel);
        }
    }
}

fn is_used(line: KeyUse, keys: &ButtonInput<KeyCode>, buttons: &ButtonInput<MouseButton>, wheel: f32) -> bool {
    use KeyCode::*;
    const WALK: [KeyCode; 8] = [KeyW, KeyA, KeyS, KeyD, ArrowUp, ArrowLeft, ArrowDown, ArrowRight];
    const DIGITS: [KeyCode; 9] = [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9];
    match line {
        KeyUse::Walk => keys.any_just_pressed(WALK),
        KeyUse::Break => buttons.just_pressed(MouseButton::Left),
        KeyUse::Place => buttons.just_pressed(MouseButton::Right),
        KeyUse::Choose => keys.any_just_pressed(DIGITS) || wheel != 0.0,
        KeyUse::Blocks => keys.just_pressed(KeyE),
        KeyUse::Jump => keys.just_pressed(Space),
        KeyUse::Fly => keys.just_pressed(KeyF),
        // Ctrl alone begins an undo.
        KeyUse::Sprint => keys.any_pressed([ControlLeft, KeyR]) && keys.any_pressed(WALK),
        KeyUse::Dive => keys.any_just_pressed([ShiftLeft, KeyC]),
        KeyUse::FlySlowly => keys.any_just_pressed(CAREFUL_KEYS),
        KeyUse::Day => keys.just_pressed(DAY_KEY),
        KeyUse::Undo => keys.any_pressed([ControlLeft, ControlRight]) && keys.just_pressed(KeyZ),
        KeyUse::Build => keys.just_pressed(KeyB),
        KeyUse::Figures => keys.just_pressed(F3),
        KeyUse::Overlay => keys.just_pressed(F4),
        KeyUse::Freeze => keys.just_pressed(F5),
        KeyUse::Culling => keys.just_pressed(F6),
        KeyUse::Menu => keys.just_pressed(Escape),
    }
}

/// Notes the keys that are used in the open map.
pub fn note(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    wheel: Res<AccumulatedMouseScroll>,
    map: Res<OpenMap>,
    menu: Res<Menu>,
    mut card: ResMut<KeyCard>,
    mut in_play: Local<bool>,
) {
    // The key that opens a menu counts, keys pressed in it do not.
    let was_in_play = std::mem::replace(&mut *in_play, *menu == Menu::None);
    card.played = map.header.played_seconds;
    if was_in_play {
        card.note(&keys, &buttons, wheel.delta.y);
    }
}

/// Paints as many lines as fit into `area`, in the middle of its height. Fades out at the end of its
/// time.
pub fn paint(painter: &Painter, area: Rect, card: &KeyCard) {
    let fitting = ((area.height() - 2.0 * MARGIN) / LINE) as usize;
    let lines: Vec<_> = card.lines().take(fitting).collect();
    let mut painter = painter.clone();
    painter.multiply_opacity(((SHOWN - card.played) / 2.0).clamp(0.0, 1.0) as f32);
    let size = vec2(area.width(), LINE * lines.len() as f32 + 2.0 * MARGIN);
    let rect = Rect::from_min_size(pos2(area.left(), area.center().y - size.y / 2.0), size);
    painter.rect_filled(rect, theme::ROUND, theme::PANEL);
    for (i, (key, does)) in lines.into_iter().enumerate() {
        let y = rect.top() + MARGIN + (i as f32 + 0.5) * LINE;
        let font = FontId::proportional(theme::SMALL);
        painter.text(pos2(rect.left() + 10.0, y), Align2::LEFT_CENTER, key, font.clone(), theme::ACCENT);
        painter.text(pos2(rect.left() + 92.0, y), Align2::LEFT_CENTER, does, font, theme::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_disappears_once_its_keys_were_used() {
        let (mut card, mut keys, mut buttons) = (KeyCard::default(), ButtonInput::default(), ButtonInput::default());
        card.note(&keys, &buttons, 0.0);
        assert!(card.is_shown() && card.lines().count() == LINES.len());
        keys.press(KeyCode::ControlLeft);
        card.note(&keys, &buttons, 0.0);
        assert_eq!(card.lines().count(), LINES.len(), "Ctrl alone is neither sprint nor undo");
        keys.press(KeyCode::KeyZ);
        buttons.press(MouseButton::Left);
        card.note(&keys, &buttons, 0.0);
        let left: Vec<_> = card.lines().map(|(_, does)| does).collect();
        assert!(!left.contains(&"undo") && !left.contains(&"break") && left.contains(&"place"), "{left:?}");
        buttons.press(MouseButton::Right);
        use KeyCode::*;
        for key in [KeyW, KeyE, Space, KeyF, ShiftLeft, AltLeft, KeyT, KeyB, F3, F4, F5, F6, Escape] {
            assert!(card.is_shown(), "before {key:?}");
            keys.press(key);
            card.note(&keys, &buttons, 1.0);
        }
        assert!(!card.is_shown(), "{:?}", card.lines().collect::<Vec<_>>());
    }

    #[test]
    fn card_names_every_line_once_and_ends_with_its_time() {
        let names = LINES.map(|(line, ..)| line);
        assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)));
        assert!(!KeyCard { played: SHOWN, ..KeyCard::default() }.is_shown());
    }
}
