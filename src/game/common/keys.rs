//! Keys that modify others.

use bevy::prelude::{ButtonInput, KeyCode};

/// The keys named `Ctrl`.
pub const CONTROL: [KeyCode; 2] = [KeyCode::ControlLeft, KeyCode::ControlRight];

/// True while one of these keys is held, also if it was pressed and released within this frame.
#[must_use]
pub fn held<const N: usize>(keys: &ButtonInput<KeyCode>, wanted: [KeyCode; N]) -> bool {
    keys.any_pressed(wanted) || keys.any_just_released(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_that_was_released_within_the_frame_counts_as_held() {
        let mut keys = ButtonInput::default();
        assert!(!held(&keys, CONTROL));
        keys.press(KeyCode::ControlRight);
        assert!(held(&keys, CONTROL));
        keys.release(KeyCode::ControlRight);
        assert!(held(&keys, CONTROL));
        keys.clear();
        assert!(!held(&keys, CONTROL));
    }
}
