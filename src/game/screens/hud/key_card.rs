//! The key card: in a new map, the keys that the player has not used yet.
//!
//! A key leaves the card when it is used, so the card disappears with the last one.

use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::keys::{KeyAction, KeyInput, KeyboardLayout, WheelUse};
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::egui::{Align2, FontId, Painter, Rect, pos2, vec2};
use stonerun_engine::terrain::TerrainKind;

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
    Sprint,
    Key(KeyAction),
}

impl KeyUse {
    /// The keys on the player's keyboard.
    fn keys(self, keyboard: KeyboardLayout) -> String {
        match self {
            KeyUse::Walk => keyboard.walking(),
            KeyUse::Break => "Left button".to_owned(),
            KeyUse::Place => "Right button".to_owned(),
            KeyUse::Choose => "1-9, wheel".to_owned(),
            KeyUse::Sprint => keyboard.labels(KeyAction::Sprint),
            KeyUse::Key(KeyAction::Day) => {
                format!("{0}, {0}+wheel", keyboard.label(KeyAction::Day))
            }
            KeyUse::Key(action) => keyboard.labels(action),
        }
    }

    /// True if the keys are used in this frame.
    fn is_used(self, keys: &KeyInput, buttons: &ButtonInput<MouseButton>, hands: Hands) -> bool {
        use KeyAction::{Ahead, Back, Left, Right, Slot};
        let walks = [Ahead, Back, Left, Right].into_iter().any(|action| keys.pressed(action));
        match self {
            KeyUse::Walk => walks,
            KeyUse::Break => hands.can_break && buttons.just_pressed(MouseButton::Left),
            KeyUse::Place => hands.can_place && buttons.just_pressed(MouseButton::Right),
            KeyUse::Choose => {
                keys.presses().any(|action| matches!(action, Slot(_)))
                    || keys.wheel(WheelUse::Slot) != 0
            }
            // `Ctrl` sprints, but held alone it may begin a shortcut such as undo.
            KeyUse::Sprint => walks && keys.pressed(KeyAction::Sprint),
            KeyUse::Key(action) => keys.just_pressed(action),
        }
    }
}

/// Effects that a click can have in this frame; none at the sky, for example.
#[derive(Clone, Copy, Debug)]
struct Hands {
    /// True if there is a block to break.
    can_break: bool,
    /// True if a block can be placed.
    can_place: bool,
}

/// The lines, in the usual order of their use, with their effects.
const LINES: [(KeyUse, &str); 19] = [
    (KeyUse::Walk, "walk"),
    (KeyUse::Break, "break"),
    (KeyUse::Place, "place"),
    (KeyUse::Choose, "choose"),
    (KeyUse::Key(KeyAction::Blocks), "all blocks"),
    (KeyUse::Key(KeyAction::Up), "jump"),
    (KeyUse::Key(KeyAction::Fly), "fly or walk"),
    (KeyUse::Sprint, "sprint"),
    (KeyUse::Key(KeyAction::Down), "dive, descend"),
    (KeyUse::Key(KeyAction::Careful), "fly slowly"),
    (KeyUse::Key(KeyAction::Day), "time of day"),
    (KeyUse::Key(KeyAction::Undo), "undo"),
    (KeyUse::Key(KeyAction::BuilderMode), "builder mode"),
    (KeyUse::Key(KeyAction::Panel), "figures"),
    (KeyUse::Key(KeyAction::Overlay), "overlay"),
    (KeyUse::Key(KeyAction::Freeze), "freeze"),
    (KeyUse::Key(KeyAction::CullingMode), "culling"),
    (KeyUse::Key(KeyAction::Cutaway), "cut"),
    (KeyUse::Key(KeyAction::Menu), "menu"),
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

    fn lines(&self) -> impl Iterator<Item = (KeyUse, &'static str)> {
        LINES.iter().zip(self.used).filter(|(_, used)| !used).map(|(line, _)| *line)
    }

    /// Marks the lines whose keys were used, so that they are no longer shown.
    fn note(&mut self, keys: &KeyInput, buttons: &ButtonInput<MouseButton>, hands: Hands) {
        for ((line, _), used) in LINES.iter().zip(&mut self.used) {
            *used |= line.is_used(keys, buttons, hands);
        }
    }
}

/// Notes the keys that are used in the open map.
pub fn note(
    keys: Res<KeyInput>,
    buttons: Res<ButtonInput<MouseButton>>,
    map: Res<OpenMap>,
    menu: Res<Menu>,
    player: Res<Player>,
    builder: Res<BuilderMode>,
    mut card: ResMut<KeyCard>,
    mut in_play: Local<bool>,
) {
    // The key that opens a menu counts; keys pressed in the menu do not.
    let was_in_play = std::mem::replace(&mut *in_play, *menu == Menu::None);
    card.played = map.header.played_seconds;
    if was_in_play {
        let can_break = !builder.is_on && player.target.is_some();
        // In a void, blocks are also placed where there is none to place them against.
        let in_void = map.terrain == TerrainKind::Void && player.walker.flying;
        let can_place = can_break || !builder.is_on && in_void;
        card.note(&keys, &buttons, Hands { can_break, can_place });
    }
}

/// Paints as many lines as fit into `area`, in the middle of its height. Fades out at the end of
/// its time.
pub fn paint(painter: &Painter, area: Rect, card: &KeyCard, keyboard: KeyboardLayout) {
    let fitting = ((area.height() - 2.0 * MARGIN) / LINE) as usize;
    let lines: Vec<_> = card.lines().take(fitting).collect();
    let mut painter = painter.clone();
    painter.multiply_opacity(((SHOWN - card.played) / 2.0).clamp(0.0, 1.0) as f32);
    let size = vec2(area.width(), LINE * lines.len() as f32 + 2.0 * MARGIN);
    let rect = Rect::from_min_size(pos2(area.left(), area.center().y - size.y / 2.0), size);
    painter.rect_filled(rect, theme::ROUND, theme::PANEL);
    for (i, (line, does)) in lines.into_iter().enumerate() {
        let key = line.keys(keyboard);
        let y = rect.top() + MARGIN + (i as f32 + 0.5) * LINE;
        let font = FontId::proportional(theme::SMALL);
        painter.text(
            pos2(rect.left() + 10.0, y),
            Align2::LEFT_CENTER,
            key,
            font.clone(),
            theme::ACCENT,
        );
        painter.text(pos2(rect.left() + 92.0, y), Align2::LEFT_CENTER, does, font, theme::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABLE: Hands = Hands { can_break: true, can_place: true };

    #[test]
    fn card_disappears_once_its_keys_were_used() {
        use KeyAction::*;
        let mut card = KeyCard::default();
        let mut keys = KeyInput::default();
        let mut buttons = ButtonInput::default();
        card.note(&keys, &buttons, ABLE);
        assert!(card.is_shown() && card.lines().count() == LINES.len());
        keys.press_action(Sprint);
        card.note(&keys, &buttons, ABLE);
        assert_eq!(card.lines().count(), LINES.len(), "Ctrl alone is neither sprint nor undo");
        keys.press_action(Undo);
        buttons.press(MouseButton::Left);
        buttons.press(MouseButton::Right);
        card.note(&keys, &buttons, Hands { can_break: false, can_place: false });
        let at_sky = card.lines().filter(|(_, does)| ["break", "place"].contains(does));
        assert_eq!(at_sky.count(), 2, "a click at the sky does nothing");
        buttons.reset(MouseButton::Right);
        card.note(&keys, &buttons, ABLE);
        let left: Vec<_> = card.lines().map(|(_, does)| does).collect();
        assert!(
            !left.contains(&"undo") && !left.contains(&"break") && left.contains(&"place"),
            "{left:?}"
        );
        buttons.press(MouseButton::Right);
        for action in [
            Ahead,
            Blocks,
            Up,
            Fly,
            Down,
            Careful,
            Slot(3),
            Day,
            BuilderMode,
            Panel,
            Overlay,
            Freeze,
            CullingMode,
            Cutaway,
            Menu,
        ] {
            assert!(card.is_shown(), "before {action:?}");
            keys.press_action(action);
            card.note(&keys, &buttons, ABLE);
        }
        assert!(!card.is_shown(), "{:?}", card.lines().collect::<Vec<_>>());
    }

    #[test]
    fn card_names_every_line_once_and_ends_with_its_time() {
        let names = LINES.map(|(line, _)| line);
        assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)));
        assert!(!KeyCard { played: SHOWN, ..KeyCard::default() }.is_shown());
    }

    #[test]
    fn keys_are_named_as_on_the_players_keyboard() {
        let keys = |labels: &str| {
            let keyboard = KeyboardLayout::from(labels.to_owned());
            let uses = [
                KeyUse::Walk,
                KeyUse::Key(KeyAction::Undo),
                KeyUse::Key(KeyAction::Day),
                KeyUse::Sprint,
            ];
            uses.map(|line| line.keys(keyboard)).join(" | ")
        };
        assert_eq!(keys("WASD"), "W A S D | Ctrl+Z | T, T+wheel | Left Ctrl, R");
        assert_eq!(keys("ZQSD"), "Z Q S D | Ctrl+Z | T, T+wheel | Left Ctrl, R");
        assert_eq!(keys(",AOE"), ", A O E | Ctrl+Z | T, T+wheel | Left Ctrl, R");
        assert_eq!(
            keys("\u{426}\u{424}\u{42b}\u{412}"),
            "W A S D | Ctrl+Z | T, T+wheel | Left Ctrl, R"
        );
    }
}
