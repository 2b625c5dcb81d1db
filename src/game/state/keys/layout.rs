//! The player's keyboard layout, as far as keys of the game depend on it.
//!
//! Shortcuts go by the letter on the key, wherever the key is. Walking goes by the positions of `W
//! A S D` on an American keyboard. Where a layout has other letters at these four positions,
//! walking has precedence, and the shortcut of each displaced letter moves to the letter that lost
//! its position: on a French keyboard `Z Q S D` walk, `W` has the action of `Z`, and `A` the action
//! of `Q`.
//!
//! A window learns its layout only from key presses, so the four labels are learned from presses
//! and kept in the settings. Until then the layout is assumed to be American.

use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use serde::{Deserialize, Serialize};

/// Positions of the walking keys: ahead, left, back, right.
pub(super) const WALKING: [KeyCode; 4] =
    [KeyCode::KeyW, KeyCode::KeyA, KeyCode::KeyS, KeyCode::KeyD];
/// Letters of the keys of [`WALKING`] on an American keyboard.
const AMERICAN: [char; 4] = ['w', 'a', 's', 'd'];

/// The labels of the four walking keys, in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct KeyboardLayout([char; 4]);

impl Default for KeyboardLayout {
    fn default() -> KeyboardLayout {
        KeyboardLayout(AMERICAN)
    }
}

impl From<String> for KeyboardLayout {
    /// Reads four labels. Any text other than four printable characters gives the American layout.
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
    /// The layout after a key press. If the key is a walking key, its label is updated.
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

    /// The label of a walking key, in upper case. On keyboards of other scripts it is the Latin
    /// letter, which such keys also carry.
    pub(super) fn walking_label(self, code: KeyCode) -> Option<char> {
        let at = WALKING.iter().position(|walking| *walking == code)?;
        Some(upper(if is_latin(self.0[at]) { self.0[at] } else { AMERICAN[at] }))
    }

    /// The letter of the key that has a shortcut: the shortcut's own letter or, if that key walks,
    /// the letter that stands in for it. The number of steps is limited, because labels that are
    /// only partly learned may form a cycle.
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

    /// The Latin letter of a key: normally the typed one. A key that types no ASCII character has
    /// the letter at its position on an American keyboard. On keyboards of other scripts this also
    /// holds for a key that types a sign, such as the Greek `;`.
    pub(super) fn letter(self, press: &KeyboardInput) -> Option<char> {
        let typed = match &press.logical_key {
            Key::Character(_) => character(press),
            // A dead key has typed no character yet.
            Key::Dead(_) | Key::Unidentified(_) => None,
            _ => return None,
        };
        match typed {
            Some(typed) if typed.is_ascii_alphabetic() => Some(typed.to_ascii_lowercase()),
            Some(typed) if typed.is_ascii_graphic() && self.0.into_iter().all(is_latin) => None,
            _ => american_letter(press.key_code),
        }
    }

    /// The letter of the shortcut that a key has: the inverse of [`KeyboardLayout::key_of`]. `None`
    /// for a walking key.
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

/// True for signs and for letters of the Latin script, with or without accents.
fn is_latin(label: char) -> bool {
    label < '\u{250}'
}

fn is_printable(label: char) -> bool {
    !label.is_control() && !label.is_whitespace()
}

/// Lower case of a label; the label itself if its lower case has several characters.
fn lower(label: char) -> char {
    let mut lower = label.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(label)
}

/// Upper case of a label; the label itself if its upper case has several characters.
pub(super) fn upper(label: char) -> char {
    let mut upper = label.to_uppercase();
    upper.next().filter(|_| upper.next().is_none()).unwrap_or(label)
}
