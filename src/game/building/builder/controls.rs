//! Mouse and keys, as the tools use them.

use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Mouse and keys of a frame. Buttons over the interface do not count.
#[derive(SystemParam)]
pub struct Controls<'w> {
    mode: Res<'w, BuilderMode>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    keys: Res<'w, KeyInput>,
}

impl Controls<'_> {
    /// True if a button was pressed in this frame.
    #[must_use]
    pub fn clicked(&self, button: MouseButton) -> bool {
        self.buttons.just_pressed(button) && !self.mode.interface_has_pointer
    }

    /// True while a button is held; false if it was pressed and released within this frame.
    #[must_use]
    pub fn held(&self, button: MouseButton) -> bool {
        self.buttons.pressed(button)
    }

    /// True if the key of an action was pressed in this frame.
    #[must_use]
    pub fn pressed(&self, action: KeyAction) -> bool {
        self.keys.just_pressed(action)
    }

    /// True if Enter was pressed.
    #[must_use]
    pub fn confirmed(&self) -> bool {
        self.keys.just_pressed(KeyAction::Apply)
    }

    /// True while `Shift` is held.
    #[must_use]
    pub fn shift(&self) -> bool {
        self.keys.shift()
    }

    /// True while `Alt` is held.
    #[must_use]
    pub fn alt(&self) -> bool {
        self.keys.alt()
    }

    /// Notches of the wheel while `Ctrl` is held, positive away from the player.
    #[must_use]
    pub fn steps(&self) -> i32 {
        self.keys.wheel(WheelUse::Tool)
    }
}
