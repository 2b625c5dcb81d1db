//! The player's keyboard layout, as far as keys of the game depend on it.
//!
//! Shortcuts go by the letter on the key, wherever it is; walking goes by the position of `W A S
//! D`. Where a layout has other letters at these four positions, walking wins, and the letter that
//! lost its position stands in for each displaced letter: on a French keyboard `Z Q S D` walk, `W`
//! has the action of `Z`, and `A` the action of `Q`.
//!
//! A window does not know its layout before keys are pressed, so the four labels are learned from
//! presses and kept in the settings. Until then the layout is taken for an American one.

use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use serde::{Deserialize, Serialize};

/// Positions of the keys that walk: ahead, left, back, right.
pub(super) const WALKING: [KeyCode; 4] =
    [KeyCode::KeyW, KeyCode::KeyA, KeyCode::KeyS, KeyCode::KeyD];
/// Letters of the keys of [`WALKING`] on an American keyboard.
const AMERICAN: [char; 4] = ['w', 'a', 's', 'd'];

/// The labels of the four keys that walk, in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct KeyboardLayout([char; 4]);

impl Default for KeyboardLayout {
    fn default() -> KeyboardLayout {
        KeyboardLayout(AMERICAN)
    }
}

impl From<String> for KeyboardLayout {
    /// Anything but four printable characters is an unknown layout, which is taken for the American
    /// one.
    fn from(labels: String) -> KeyboardLayout {
        let labels: Vec<char> = labels.chars().map(lower).collect();
        match <[char; 4]>::try_from(labels.as_slice()) {
            Ok(four) if four.into_iter().all(is_printable) => KeyboardLayout(four),
            _ => KeyboardLayout::default(),
        }
    }
}

impl From<KeyboardLayout> for String {
    fn from(layout: KeyboardLayout) -> String {
        layout.0.into_iter().map(upper).collect()
    }
}

impl KeyboardLayout {
    /// The layout after a key press: notes the label of a key that walks.
    #[must_use]
    pub(super) fn learned(mut self, press: &KeyboardInput, with_shift: bool) -> KeyboardLayout {
        if let Some(at) = WALKING.iter().position(|code| *code == press.key_code)
            && let Some(label) = character(press).map(lower).filter(|label| is_printable(*label))
            && (!with_shift || label.is_alphabetic())
        {
            self.0[at] = label;
        }
        self
    }

    /// The label of a key that walks, in upper case. Keyboards of other scripts carry Latin letters
    /// too, which are named.
    pub(super) fn walking_label(self, code: KeyCode) -> Option<char> {
        let at = WALKING.iter().position(|walking| *walking == code)?;
        Some(upper(if is_latin(self.0[at]) { self.0[at] } else { AMERICAN[at] }))
    }

    /// The letter of the key that a shortcut is on: the shortcut's own letter or, if its key walks,
    /// the letter that stands in. The number of steps is limited, because a label that is not
    /// learned yet may make a circle.
    pub(super) fn key_of(self, shortcut: char) -> char {
        let mut letter = shortcut;
        for _ in 0..AMERICAN.len() {
            match self.0.iter().position(|walking| *walking == letter) {
                Some(at) => letter = AMERICAN[at],
                None => break,
            }
        }
        letter
    }

    /// The Latin letter of a key: the typed one. Keys that type no ASCII have the letter that is at
    /// their position on an American keyboard; in other scripts also those that type a sign, as the
    /// Greek `;`.
    pub(super) fn letter(self, press: &KeyboardInput) -> Option<char> {
        let typed = match &press.logical_key {
            Key::Character(_) => character(press),
            // A dead key types nothing yet.
            Key::Dead(_) | Key::Unidentified(_) => None,
            _ => return None,
        };
        match typed {
            Some(typed) if typed.is_ascii_alphabetic() => Some(typed.to_ascii_lowercase()),
            Some(typed) if typed.is_ascii_graphic() && self.0.into_iter().all(is_latin) => None,
            _ => american_letter(press.key_code),
        }
    }

    /// The letter of the shortcut that a key does: the reverse of [`KeyboardLayout::key_of`].
    /// `None` for a key that walks.
    pub(super) fn shortcut_of(self, press: &KeyboardInput) -> Option<char> {
        if WALKING.contains(&press.key_code) {
            return None;
        }
        let mut letter = self.letter(press)?;
        for _ in 0..AMERICAN.len() {
            match AMERICAN.iter().position(|lost| *lost == letter) {
                Some(at) => letter = self.0[at],
                None => break,
            }
        }
        Some(letter)
    }
}

/// The character that a key press types, with the modifiers that are held.
pub(super) fn character(press: &KeyboardInput) -> Option<char> {
    let Key::Character(text) = &press.logical_key else { return None };
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn american_letter(code: KeyCode) -> Option<char> {
    use KeyCode::*;
    const LETTERS: [KeyCode; 26] = [
        KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO,
        KeyP, KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    ];
    LETTERS.iter().zip('a'..='z').find(|(letter, _)| **letter == code).map(|(_, letter)| letter)
}

/// True for signs, and for letters of the Latin script, with accents too.
fn is_latin(label: char) -> bool {
    label < '\u{250}'
}

fn is_printable(label: char) -> bool {
    !label.is_control() && !label.is_whitespace()
}

/// Lower case of a label, if that is one character.
fn lower(label: char) -> char {
    let mut lower = label.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(label)
}

/// Upper case of a label, if that is one character.
pub(super) fn upper(label: char) -> char {
    let mut upper = label.to_uppercase();
    upper.next().filter(|_| upper.next().is_none()).unwrap_or(label)
}
