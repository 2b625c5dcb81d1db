//! Keyboard layouts of eight countries, given by the labels of their keys.

use super::*;

/// The keys of the four rows with letters, digits and signs.
pub(super) const POSITIONS: [KeyCode; 45] = [
    Digit1,
    Digit2,
    Digit3,
    Digit4,
    Digit5,
    Digit6,
    Digit7,
    Digit8,
    Digit9,
    Digit0,
    Minus,
    Equal,
    KeyQ,
    KeyW,
    KeyE,
    KeyR,
    KeyT,
    KeyY,
    KeyU,
    KeyI,
    KeyO,
    KeyP,
    BracketLeft,
    BracketRight,
    KeyA,
    KeyS,
    KeyD,
    KeyF,
    KeyG,
    KeyH,
    KeyJ,
    KeyK,
    KeyL,
    Semicolon,
    Quote,
    KeyZ,
    KeyX,
    KeyC,
    KeyV,
    KeyB,
    KeyN,
    KeyM,
    Comma,
    Period,
    Slash,
];

/// A keyboard layout: the characters that its keys type without `Shift`, and the key that types
/// `/`.
#[derive(Clone, Copy)]
pub(super) struct Typed {
    pub(super) name: &'static str,
    rows: &'static str,
    slash: (KeyCode, bool),
}

pub(super) const AMERICAN: Typed = Typed {
    name: "American",
    rows: "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./",
    slash: (Slash, false),
};
pub(super) const GERMAN: Typed = Typed {
    name: "German",
    rows: "1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-",
    slash: (Digit7, true),
};
pub(super) const FRENCH: Typed = Typed {
    name: "French",
    rows: "&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!",
    slash: (Period, true),
};
pub(super) const DVORAK: Typed = Typed {
    name: "Dvorak",
    rows: "1234567890[]',.pyfgcrl/=aoeuidhtns-;qjkxbmwvz",
    slash: (BracketLeft, false),
};
pub(super) const COLEMAK: Typed = Typed {
    name: "Colemak",
    rows: "1234567890-=qwfpgjluy;[]arstdhneio'zxcvbkm,./",
    slash: (Slash, false),
};
pub(super) const TURKISH: Typed = Typed {
    name: "Turkish F",
    rows: "1234567890/-fgğıodrnhpqwuieaütkmlyşjövcçzsb.,",
    slash: (Minus, false),
};
pub(super) const RUSSIAN: Typed = Typed {
    name: "Russian",
    rows: "1234567890-=йцукенгшщзхъфывапролджэячсмитьбю.",
    slash: (Backslash, true),
};
pub(super) const GREEK: Typed = Typed {
    name: "Greek",
    rows: "1234567890-=;ςερτυθιοπ[]ασδφγηξκλ´'ζχψωβνμ,./",
    slash: (Slash, false),
};
pub(super) const LAYOUTS: [Typed; 8] =
    [AMERICAN, GERMAN, FRENCH, DVORAK, COLEMAK, TURKISH, RUSSIAN, GREEK];

impl Typed {
    pub(super) fn label(self, code: KeyCode) -> Option<char> {
        POSITIONS
            .iter()
            .zip(self.rows.chars())
            .find(|(position, _)| **position == code)
            .map(|(_, label)| label)
    }

    pub(super) fn position(self, label: char) -> Option<KeyCode> {
        POSITIONS
            .iter()
            .zip(self.rows.chars())
            .find(|(_, typed)| *typed == label)
            .map(|(position, _)| *position)
    }

    pub(super) fn press(self, code: KeyCode, with_shift: bool) -> KeyboardInput {
        let logical_key = match self.label(code) {
            _ if self.slash == (code, with_shift) => Key::Character("/".into()),
            Some(label) if with_shift => {
                Key::Character(label.to_uppercase().collect::<String>().into())
            }
            Some(label) => Key::Character(label.to_string().into()),
            None if code == NumpadAdd => Key::Character("+".into()),
            None if code == NumpadSubtract => Key::Character("-".into()),
            None => Key::F35,
        };
        let text = None;
        let window = Entity::PLACEHOLDER;
        KeyboardInput {
            key_code: code,
            logical_key,
            state: ButtonState::Pressed,
            text,
            repeat: false,
            window,
        }
    }

    /// The layout as learned once the player has walked in all directions.
    pub(super) fn learned(self) -> KeyboardLayout {
        let input = KeyInput::default();
        [KeyW, KeyA, KeyS, KeyD].into_iter().fold(KeyboardLayout::default(), |layout, code| {
            input.learned(&self.press(code, false), layout)
        })
    }

    /// Action of a key while others are held.
    pub(super) fn action_after(
        self,
        held: &[KeyCode],
        code: KeyCode,
        state: KeyState,
    ) -> Option<KeyAction> {
        let mut input = KeyInput::default();
        input.begin_frame(state, false, Duration::ZERO);
        let with_shift = held.contains(&ShiftLeft);
        for held in held {
            input.press(&self.press(*held, false), self.learned());
        }
        input.press(&self.press(code, with_shift), self.learned())
    }

    pub(super) fn action(self, code: KeyCode, mode: KeyMode) -> Option<KeyAction> {
        self.action_after(&[], code, in_mode(mode))
    }
}
